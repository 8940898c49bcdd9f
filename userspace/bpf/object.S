/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file includes the compiled XDP program in the command. The build sets OBJECT to
 * the path of the object file.
 */
	.section .rodata
	.balign 8
	.globl xdp_object
xdp_object:
	.incbin OBJECT
	.globl xdp_object_end
xdp_object_end:

	.section .note.GNU-stack, "", %progbits
