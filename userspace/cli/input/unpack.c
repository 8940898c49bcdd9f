// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions unpack gzip and zstd, for source.c.
 */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "input/unpack.h"

/**
 * struct unpacker - state of unpacking one input
 * @zstd: state of zstd, NULL for gzip
 * @gzip: state of gzip
 * @complete: the unpacked bytes end with a complete member (gzip) or frame (zstd), so
 *	the input is allowed to end
 * @padding: zero bytes follow the gzip data, as in files that were read from a tape.
 *	After zero bytes, any other byte is an error
 */
struct unpacker {
	ZSTD_DStream *zstd;
	z_stream gzip;
	bool complete;
	bool padding;
};

static const char truncated[] = "it is truncated: the packed data ends too early";
static const char no_memory[] = "not enough memory";

static int begin_gzip(struct unpacker *u)
{
	/* Adding 16 makes zlib accept only the gzip format. */
	return inflateInit2(&u->gzip, 16 + MAX_WBITS) == Z_OK ? 0 : -1;
}

static int begin_zstd(struct unpacker *u)
{
	u->zstd = ZSTD_createDStream();
	return u->zstd ? 0 : -1;
}

struct unpacker *unpack_begin(enum format format)
{
	struct unpacker *u = calloc(1, sizeof(*u));

	if (!u || (format == FORMAT_GZIP ? begin_gzip(u) : begin_zstd(u))) {
		free(u);
		return NULL;
	}
	return u;
}

void unpack_end(struct unpacker *unpacker)
{
	if (!unpacker)
		return;
	if (unpacker->zstd)
		ZSTD_freeDStream(unpacker->zstd);
	else
		inflateEnd(&unpacker->gzip);
	free(unpacker);
}

static int unpack_zstd(struct unpacker *u, const unsigned char *in,
		       size_t *in_length, void *out, size_t *out_length,
		       bool last, const char **why)
{
	ZSTD_inBuffer from = { in, *in_length, 0 };
	ZSTD_outBuffer to = { out, *out_length, 0 };

	while (to.pos < to.size && !(u->complete && from.pos == from.size)) {
		size_t before = from.pos, written = to.pos, ret;

		ret = ZSTD_decompressStream(u->zstd, &to, &from);
		if (ZSTD_isError(ret)) {
			*why = ZSTD_getErrorName(ret);
			return -1;
		}
		u->complete = !ret;
		if (from.pos == before && to.pos == written)
			break;
	}
	*in_length = from.pos;
	*out_length = to.pos;
	if (last && from.pos == from.size && !to.pos && !u->complete) {
		*why = truncated;
		return -1;
	}
	return 0;
}

/* Skip zero bytes after a member of gzip data, or go to the next member. */
static int next_member(struct unpacker *u, const char **why)
{
	z_stream *z = &u->gzip;

	while (z->avail_in && !*z->next_in) {
		u->padding = true;
		z->next_in++;
		z->avail_in--;
	}
	if (!z->avail_in)
		return 0;
	if (u->padding || *z->next_in != 0x1f) {
		*why = "other data follows the gzip data";
		return -1;
	}
	inflateReset(z);
	u->complete = false;
	return 0;
}

static int unpack_gzip(struct unpacker *u, const unsigned char *in,
		       size_t *in_length, void *out, size_t *out_length,
		       bool last, const char **why)
{
	z_stream *z = &u->gzip;
	int ret = Z_OK;

	z->next_in = (unsigned char *)in;
	z->avail_in = *in_length;
	z->next_out = out;
	z->avail_out = *out_length;
	/*
	 * Continue even if no input is left: zlib can still have output for which the previous
	 * call had no space.
	 */
	while (z->avail_out && !(u->complete && !z->avail_in)) {
		if (u->complete) {
			if (next_member(u, why))
				return -1;
			continue;
		}
		ret = inflate(z, Z_NO_FLUSH);
		if (ret == Z_BUF_ERROR)
			break;
		if (ret != Z_OK && ret != Z_STREAM_END) {
			*why = z->msg ? z->msg : no_memory;
			return -1;
		}
		u->complete = ret == Z_STREAM_END;
	}
	*in_length -= z->avail_in;
	*out_length -= z->avail_out;
	if (last && !z->avail_in && !*out_length && !u->complete) {
		*why = truncated;
		return -1;
	}
	return 0;
}

int unpack(struct unpacker *unpacker, const unsigned char *in,
	   size_t *in_length, void *out, size_t *out_length, bool last,
	   const char **why)
{
	if (unpacker->zstd)
		return unpack_zstd(unpacker, in, in_length, out, out_length,
				   last, why);
	return unpack_gzip(unpacker, in, in_length, out, out_length, last, why);
}
