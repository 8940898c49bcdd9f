/* SPDX-License-Identifier: GPL-2.0-only */
/* These functions save and restore snapshots of filters, and compute their checksums. */
#ifndef KCUCKOO_IMAGE_H
#define KCUCKOO_IMAGE_H

#include "client.h"

/* Reads a snapshot in pieces of @step bytes, into memory that the caller frees. */
static inline int image_save(int fd, const char *name, __u32 step, __u8 **image,
			     __u64 *total)
{
	struct kcuckoo_ioc_save request = { .size = sizeof(request), .length = step };
	int error;

	set_name(request.name, name);
	*image = NULL;
	do {
		*image = realloc(*image, request.offset + step);
		request.buffer = (uintptr_t)*image + request.offset;
		error = call(fd, KCUCKOO_IOC_SAVE, &request);
		request.offset += request.done;
	} while (!error && request.done && request.offset < request.total);
	*total = request.total;
	return error ? error : request.offset == request.total ? 0 : -EPROTO;
}

/* Restore a snapshot, or only its first @length bytes, in pieces of @step bytes. */
static inline int image_restore(int fd, const char *name, const __u8 *image, __u64 length,
				__u64 total, __u32 step)
{
	struct kcuckoo_ioc_restore request = { .size = sizeof(request), .total = total };
	int error;

	set_name(request.name, name);
	do {
		request.buffer = (uintptr_t)image + request.offset;
		request.length = length - request.offset < step ? length - request.offset : step;
		error = call(fd, KCUCKOO_IOC_RESTORE, &request);
		request.offset += request.done;
	} while (!error && request.offset < length);
	return error;
}

/* Set the checksum at the end of a snapshot to the correct value. */
static inline void image_seal(__u8 *image, __u64 total)
{
	const __u64 end = total - 2 * sizeof(__u32);
	__u32 crc = ~0U;
	__u64 i;
	int bit;

	for (i = 0; i < end; i++) {
		crc ^= image[i];
		for (bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
	}
	crc = ~crc;
	memcpy(image + end, &crc, sizeof(crc));
}

#endif /* KCUCKOO_IMAGE_H */
