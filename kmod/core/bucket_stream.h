/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes consecutive buckets of a new table, one word at a time.
 *
 * Used by kcuckoo_table_split() in table.c, which copies a table of small buckets. No
 * reader sees the new table; the caller is its one writer.
 */
#ifndef _KCUCKOO_BUCKET_STREAM_H
#define _KCUCKOO_BUCKET_STREAM_H

#include "core/table.h"

/**
 * struct kcuckoo_bucket_stream - position and pending bits of the writer
 * @word: the word in which the next bucket begins
 * @shift: the first bit of the next bucket in @word
 * @bits: bits of earlier buckets that have to be written to @word
 */
struct kcuckoo_bucket_stream {
	u64 *word;
	unsigned int shift;
	u64 bits;
};

/* Sets the position to the beginning of a bucket. */
static inline void
kcuckoo_bucket_stream_begin(struct kcuckoo_bucket_stream *stream,
			    const struct kcuckoo_table *table, u64 bucket)
{
	u64 bit = bucket * table->bucket_bits;

	stream->word = table->tags + (bit >> 6);
	stream->shift = bit & 63;
	stream->bits = 0;
}

/*
 * Writes the pending bits. Their places in the word are 0 before; other bits of the
 * word belong to other buckets and are kept.
 */
static inline void
kcuckoo_bucket_stream_flush(struct kcuckoo_bucket_stream *stream)
{
	if (stream->bits)
		WRITE_ONCE(*stream->word, *stream->word | stream->bits);
}

/* Appends a bucket of @width bits; writes the word if it is complete. */
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
