/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the compiled XDP program that object.S includes in the
 * command. cli/rules/xdp.c loads the program.
 */
#ifndef KCUCKOO_BPF_OBJECT_H
#define KCUCKOO_BPF_OBJECT_H

extern const char xdp_object[];
extern const char xdp_object_end[];

#endif /* KCUCKOO_BPF_OBJECT_H */
