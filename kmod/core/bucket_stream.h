/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes consecutive buckets of a new table, one word at a time.
 *
 * kcuckoo_table_split() copies buckets of at most 64 bits with these functions. No reader
 * sees the new table, and the buckets to write are empty.
 */
#ifndef _KCUCKOO_BUCKET_STREAM_H
#define _KCUCKOO_BUCKET_STREAM_H

#include "core/table.h"

/**
 * struct kcuckoo_bucket_stream - state of a writer of consecutive buckets (a stream)
 * @word: the word in which the next bucket begins
 * @shift: number of the first bit of the next bucket in @word, 0..63
 * @bits: pending bits: bits of @word that are not in the table yet
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

/* Writes the pending bits. The other bits of the word belong to other buckets. */
static inline void
kcuckoo_bucket_stream_flush(struct kcuckoo_bucket_stream *stream)
{
	if (stream->bits)
		WRITE_ONCE(*stream->word, *stream->word | stream->bits);
}

/* Appends a bucket of @width bits, at most 64; writes each word that becomes full. */
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
