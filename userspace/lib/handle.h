/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libkcuckoo: the inside of a handle, for the library's own files
 */
#ifndef KCUCKOO_LIB_HANDLE_H
#define KCUCKOO_LIB_HANDLE_H

#include "kcuckoo.h"

/* Marks what the shared library shows; all else is hidden. */
#define KCUCKOO_PUBLIC	__attribute__((visibility("default")))

struct kcuckoo {
	int fd;
};

/* One ioctl. Return: its result, or a negative errno. */
int kcuckoo_handle_call(const struct kcuckoo *handle, unsigned long request, void *arg);

/* Put a name into a structure. Return: 0, or -EINVAL where it cannot fit. */
int kcuckoo_handle_name(__u8 field[KCUCKOO_NAME_SIZE], const char *name);

/* A request of one name, and nothing else. */
int kcuckoo_handle_call_name(const struct kcuckoo *handle, unsigned long request,
			     const char *name);

/* A request of two names, and nothing else. */
int kcuckoo_handle_call_names(const struct kcuckoo *handle, unsigned long request,
			      const char *name, const char *other);

/*
 * Read a list of elements of @width bytes, however many there are. @list: where
 * it goes, to be freed. Return: how many, or -errno.
 */
int kcuckoo_handle_list(const struct kcuckoo *handle, unsigned long request,
			size_t width, void **list);

#endif /* KCUCKOO_LIB_HANDLE_H */
