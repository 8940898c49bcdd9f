/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writing consecutive buckets of a new table, a word at a time.
 */
#ifndef _KCUCKOO_BUCKET_STREAM_H
#define _KCUCKOO_BUCKET_STREAM_H

#include "core/table.h"

/**
 * struct kcuckoo_bucket_stream - writes consecutive buckets
 * @word: the word in which the next bucket begins
 * @shift: its first bit there
 * @bits: bits to write to @word
 */
struct kcuckoo_bucket_stream {
	u64 *word;
	unsigned int shift;
	u64 bits;
};

static inline void
kcuckoo_bucket_stream_begin(struct kcuckoo_bucket_stream *stream,
			    const struct kcuckoo_table *table, u64 bucket)
{
	u64 bit = bucket * table->bucket_bits;

	stream->word = table->tags + (bit >> 6);
	stream->shift = bit & 63;
	stream->bits = 0;
}

/* The bits to write are 0 before; other bits of the word may be set. */
static inline void
kcuckoo_bucket_stream_flush(struct kcuckoo_bucket_stream *stream)
{
	if (stream->bits)
		WRITE_ONCE(*stream->word, *stream->word | stream->bits);
}

static inline void
kcuckoo_bucket_stream_put(struct kcuckoo_bucket_stream *stream,
			  unsigned int width, u64 bucket)
{
	stream->bits |= bucket << stream->shift;
	stream->shift += width;
	if (stream->shift < 64)
		return;
	kcuckoo_bucket_stream_flush(stream);
	stream->word++;
	stream->shift -= 64;
	stream->bits = stream->shift ? bucket >> (width - stream->shift) : 0;
}

#endif /* _KCUCKOO_BUCKET_STREAM_H */
