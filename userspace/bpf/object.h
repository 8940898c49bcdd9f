/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The compiled XDP program inside the command: object.S.
 */
#ifndef KCUCKOO_BPF_OBJECT_H
#define KCUCKOO_BPF_OBJECT_H

extern const char xdp_object[];
extern const char xdp_object_end[];

#endif /* KCUCKOO_BPF_OBJECT_H */
