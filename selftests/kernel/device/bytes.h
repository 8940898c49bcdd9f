/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions for tests of filters of byte strings, and of the values and timeouts of keys. */
#ifndef KCUCKOO_BYTES_H
#define KCUCKOO_BYTES_H

#include "client.h"

#include <math.h>

/* Return: a request to create a filter of byte strings, which the caller can change. */
static inline struct kcuckoo_ioc_create bytes_form(const char *name, __u64 capacity,
						   int bits)
{
	struct kcuckoo_ioc_create create = {
		.size = sizeof(create),
		.type = KCUCKOO_TYPE_BYTES,
		.tag_bits = bits,
		.capacity = capacity,
	};

	set_name(create.name, name);
	return create;
}

static inline int bytes_create(int fd, const char *name, __u64 capacity, int bits,
			       __u32 flags)
{
	struct kcuckoo_ioc_create create = bytes_form(name, capacity, bits);

	create.flags = flags;
	return call(fd, KCUCKOO_IOC_CREATE, &create);
}

/**
 * struct strings - contiguous byte strings
 * @bytes: the bytes of all strings
 * @lengths: length of each string
 * @count: number of strings
 */
struct strings {
	__u8 *bytes;
	__u16 *lengths;
	size_t count;
};

/* Make the @count strings "KIND-FIRST", "KIND-(FIRST + 1)" and so on. */
static inline struct strings strings_make(const char *kind, __u64 first, size_t count)
{
	struct strings strings = {
		.bytes = malloc(count * 32 + 1),
		.lengths = malloc(count * sizeof(__u16) + 1),
		.count = count,
	};
	size_t at = 0, i;

	for (i = 0; i < count; i++) {
		strings.lengths[i] = sprintf((char *)strings.bytes + at, "%s-%llu", kind,
					     first + i);
		at += strings.lengths[i];
	}
	return strings;
}

static inline void strings_free(struct strings *strings)
{
	free(strings->bytes);
	free(strings->lengths);
}

/* Return: the strings from number @first on, in the memory of @strings. */
static inline struct strings strings_from(const struct strings *strings, size_t first)
{
	struct strings rest = *strings;
	size_t i;

	for (i = 0; i < first; i++)
		rest.bytes += rest.lengths[i];
	rest.lengths += first;
	rest.count -= first;
	return rest;
}

static inline struct kcuckoo_ioc_add strings_adding(const char *name,
						    const struct strings *strings)
{
	struct kcuckoo_ioc_add add = {
		.size = sizeof(add),
		.keys = (uintptr_t)strings->bytes,
		.lengths = (uintptr_t)strings->lengths,
		.count = strings->count,
	};

	set_name(add.name, name);
	return add;
}

/* Return: the number of added strings; or a negative errno, also if not all were processed. */
static inline long long strings_add(int fd, const char *name, const struct strings *strings)
{
	struct kcuckoo_ioc_add add = strings_adding(name, strings);
	int error = call(fd, KCUCKOO_IOC_ADD, &add);

	if (!error && add.done != add.count)
		error = -EPROTO;
	return error ? error : (long long)add.added;
}

/* Return: the number of strings that were processed before the filter was full, or -errno. */
static inline long long strings_fill(int fd, const char *name, const struct strings *strings)
{
	struct kcuckoo_ioc_add add = strings_adding(name, strings);
	int error = call(fd, KCUCKOO_IOC_ADD, &add);

	return error ? error : (long long)add.done;
}

static inline long long strings_del(int fd, const char *name, const struct strings *strings)
{
	struct kcuckoo_ioc_del del = {
		.size = sizeof(del),
		.keys = (uintptr_t)strings->bytes,
		.lengths = (uintptr_t)strings->lengths,
		.count = strings->count,
	};
	int error;

	set_name(del.name, name);
	error = call(fd, KCUCKOO_IOC_DEL, &del);
	if (!error && del.done != del.count)
		error = -EPROTO;
	return error ? error : (long long)del.deleted;
}

static inline long long strings_test(int fd, const char *name, const struct strings *strings)
{
	struct kcuckoo_ioc_test test = {
		.size = sizeof(test),
		.keys = (uintptr_t)strings->bytes,
		.lengths = (uintptr_t)strings->lengths,
		.count = strings->count,
	};
	int error;

	set_name(test.name, name);
	error = call(fd, KCUCKOO_IOC_TEST, &test);
	if (!error && test.done != test.count)
		error = -EPROTO;
	return error ? error : (long long)test.present;
}

/* Return: the expected rate of false positives, computed from the answer of INFO. */
static inline double info_rate(const struct kcuckoo_ioc_info *info, int family)
{
	double other = 1 / (ldexp(1, info->tag_bits) - 1);

	return 1 - pow(1 - other, info->fingerprints_compared[family] / 65536.0);
}

/* Values, timeouts or other numbers, FIRST, FIRST + 1 and so on. */
static inline __u32 *numbers_make(__u32 first, __u32 step, size_t count)
{
	__u32 *numbers = malloc(count * sizeof(*numbers));
	size_t i;

	for (i = 0; i < count; i++)
		numbers[i] = first + step * i;
	return numbers;
}

#endif /* KCUCKOO_BYTES_H */
