/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The compiled XDP program inside the command; OBJECT is its file.
 */
	.section .rodata
	.balign 8
	.globl xdp_object
xdp_object:
	.incbin OBJECT
	.globl xdp_object_end
xdp_object_end:

	.section .note.GNU-stack, "", %progbits
