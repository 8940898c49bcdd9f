/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the compiled XDP program that object.S includes in the command.
 * cli/rules/xdp.c loads the program into the kernel.
 */
#ifndef KCUCKOO_BPF_OBJECT_H
#define KCUCKOO_BPF_OBJECT_H

/* The first byte of the object file in memory, and the byte after its last byte. */
extern const char xdp_object[];
extern const char xdp_object_end[];

#endif /* KCUCKOO_BPF_OBJECT_H */
