/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions unpack gzip and zstd, for source.c. unarchive.c unpacks the
 * other formats.
 */
#ifndef KCUCKOO_CLI_UNPACK_H
#define KCUCKOO_CLI_UNPACK_H

#include <stdbool.h>
#include <stddef.h>

#include "input/format.h"

struct unpacker;

/*
 * Create an unpacker, the state of unpacking data of @format: FORMAT_GZIP or FORMAT_ZSTD.
 * Return: the unpacker, or NULL if an allocation fails.
 */
struct unpacker *unpack_begin(enum format format);
/* Free @unpacker, which can be NULL. */
void unpack_end(struct unpacker *unpacker);

/*
 * Unpack bytes from @in to @out. @in_length: in: number of bytes at @in; out: number of
 * these bytes that were used. @out_length: in: size of @out; out: number of bytes that
 * were written. @last: no packed data follows the bytes at @in. Return: 0; or -1, and an
 * error text in @why.
 */
int unpack(struct unpacker *unpacker, const unsigned char *in,
	   size_t *in_length, void *out, size_t *out_length, bool last,
	   const char **why);

#endif /* KCUCKOO_CLI_UNPACK_H */
