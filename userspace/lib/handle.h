/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * These functions send requests to the device, for the other files of libkcuckoo.
 */
#ifndef KCUCKOO_LIB_HANDLE_H
#define KCUCKOO_LIB_HANDLE_H

#include "kcuckoo.h"

/* Attribute of functions that the shared library exports. All other functions are hidden. */
#define KCUCKOO_PUBLIC	__attribute__((visibility("default")))

struct kcuckoo {
	int fd;
};

/* Call ioctl(). Return: the result of ioctl(), or a negative errno. */
int kcuckoo_handle_call(const struct kcuckoo *handle, unsigned long request, void *arg);

/*
 * Copy a name to a field of a request. NULL stands for the staged filter, whose
 * name is empty. Return: 0, or -EINVAL if the name is too long.
 */
int kcuckoo_handle_name(__u8 field[KCUCKOO_NAME_SIZE], const char *name);

/* Send a request whose only argument is a name. Return: 0, a positive result or -errno. */
int kcuckoo_handle_call_name(const struct kcuckoo *handle, unsigned long request,
			     const char *name);

/* Send a request whose arguments are two names. Return: 0, a positive result or -errno. */
int kcuckoo_handle_call_names(const struct kcuckoo *handle, unsigned long request,
			      const char *name, const char *other);

/*
 * Read the list of filters or rules. @request: KCUCKOO_IOC_LIST or
 * KCUCKOO_IOC_RULES. @width: size of an element in bytes. Set @list to an
 * array, which the caller frees; set @list to NULL after an error. Return: the
 * number of elements, or -errno.
 */
int kcuckoo_handle_list(const struct kcuckoo *handle, unsigned long request,
			size_t width, void **list);

/*
 * Read a list of filters or rules, as kcuckoo_handle_list() does. @arg: the request.
 * The caller sets the fields that select the filters or rules, and leaves
 * @arg->count zero. The function sets the address and the size of the array.
 * @arg is a struct kcuckoo_ioc_rules also for KCUCKOO_IOC_LIST: both structures
 * begin with the same fields.
 */
int kcuckoo_handle_list_by(const struct kcuckoo *handle, unsigned long request,
			   struct kcuckoo_ioc_rules *arg, size_t width, void **list);

#endif /* KCUCKOO_LIB_HANDLE_H */
