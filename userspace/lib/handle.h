/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libkcuckoo: handles, for the files of the library
 */
#ifndef KCUCKOO_LIB_HANDLE_H
#define KCUCKOO_LIB_HANDLE_H

#include "kcuckoo.h"

/* Exports a function from the shared library. All others are hidden. */
#define KCUCKOO_PUBLIC	__attribute__((visibility("default")))

struct kcuckoo {
	int fd;
};

/* Call ioctl(). Return: its result, or a negative errno. */
int kcuckoo_handle_call(const struct kcuckoo *handle, unsigned long request, void *arg);

/* Copy a name to a structure. Return: 0, or -EINVAL if it is too long. */
int kcuckoo_handle_name(__u8 field[KCUCKOO_NAME_SIZE], const char *name);

/* Send a request that has only one name. */
int kcuckoo_handle_call_name(const struct kcuckoo *handle, unsigned long request,
			     const char *name);

/* Send a request that has only two names. */
int kcuckoo_handle_call_names(const struct kcuckoo *handle, unsigned long request,
			      const char *name, const char *other);

/*
 * Read a list of any number of elements of @width bytes. @list: set to the
 * list, to be freed. Return: how many, or -errno.
 */
int kcuckoo_handle_list(const struct kcuckoo *handle, unsigned long request,
			size_t width, void **list);

#endif /* KCUCKOO_LIB_HANDLE_H */
