/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An input as a row of decisions, read from its beginning.
 */
#ifndef _SELFTESTS_FUZZ_BYTES_H
#define _SELFTESTS_FUZZ_BYTES_H

#include <stddef.h>
#include <stdint.h>

/* Between libFuzzer and a target: run one input; make another of it. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most,
			       unsigned int seed);

/**
 * struct bytes - an input
 * @at: what has not been read yet
 * @end: behind the last byte
 */
struct bytes {
	const uint8_t *at;
	const uint8_t *end;
};

/* The next byte, or 0 behind the last. */
static inline uint8_t bytes_next(struct bytes *bytes)
{
	return bytes->at < bytes->end ? *bytes->at++ : 0;
}

/* A number below @range, of as few bytes as tell it. */
static inline uint64_t bytes_below(struct bytes *bytes, uint64_t range)
{
	uint64_t number = 0;
	uint64_t room;

	for (room = 1; room < range; room *= 256)
		number = number << 8 | bytes_next(bytes);
	return number % range;
}

#endif /* _SELFTESTS_FUZZ_BYTES_H */
