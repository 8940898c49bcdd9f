// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keyed permutation: an alternating Feistel network.
 *
 * The number is split into an upper part of bits / 2 and a lower part of the
 * rest. Each round adds a hash of one part to the other part, in turn. That
 * works for every number of bits, odd ones included, and the inverse is the
 * same rounds in reverse order (Luby and Rackoff, 1988; unequal halves: Lucks,
 * 1996).
 *
 * Three rounds make bucket and remaining bits depend on all bits of both
 * parts. Tables of whole networks, the most regular input, fill as far as with
 * random keys; a fourth round makes no measurable difference.
 */
#include "core/bits.h"
#include "core/permutation.h"

/**
 * struct kcuckoo_halves - a number cut in two
 * @upper: upper part
 * @lower: lower part
 * @upper_bits: bits of the upper part, at most 64
 * @lower_bits: bits of the lower part, 1..64, as many or one more
 */
struct kcuckoo_halves {
	u64 upper;
	u64 lower;
	unsigned int upper_bits;
	unsigned int lower_bits;
};

static inline struct kcuckoo_halves kcuckoo_cut(struct kcuckoo_number number,
						unsigned int bits)
{
	struct kcuckoo_halves h;

	h.upper_bits = bits / 2;
	h.lower_bits = bits - h.upper_bits;
	h.lower = number.lo & kcuckoo_bits_mask(h.lower_bits);
	if (h.lower_bits == 64) {
		h.upper = number.hi;
	} else {
		h.upper = number.lo >> h.lower_bits;
		if (bits > 64)
			h.upper |= number.hi << (64 - h.lower_bits);
	}
	h.upper &= kcuckoo_bits_mask(h.upper_bits);
	return h;
}

static inline struct kcuckoo_number kcuckoo_join(const struct kcuckoo_halves *h)
{
	struct kcuckoo_number number = { 0, h->lower };

	if (h->lower_bits == 64) {
		number.hi = h->upper;
	} else {
		number.lo |= h->upper << h->lower_bits;
		if (h->upper_bits + h->lower_bits > 64)
			number.hi = h->upper >> (64 - h->lower_bits);
	}
	return number;
}

/*
 * Returns a round's hash of one part, of as many bits as the other part has.
 * The filter's creator chooses siphash if strangers may choose addresses.
 * Otherwise the minimum that fills tables evenly is enough, because the members
 * of a table do not depend on the hash.
 */
static inline u64 kcuckoo_round(const struct kcuckoo_hash_key *key, u64 from,
				unsigned int round, unsigned int bits)
{
	u64 hash;

	if (key->strong)
		hash = kcuckoo_hash_words(key, from, from >> 32, round);
	else
		hash = kcuckoo_hash_mul(key, from, round);
	return bits ? hash >> (64 - bits) : 0;
}

/**
 * kcuckoo_permute() - apply the permutation
 * @key: the filter's secret
 * @number: the number, below 2^@bits
 * @bits: bits of the number, 1..128
 *
 * Return: its image, below 2^@bits.
 */
struct kcuckoo_number kcuckoo_permute(const struct kcuckoo_hash_key *key,
				      struct kcuckoo_number number,
				      unsigned int bits)
{
	struct kcuckoo_halves h = kcuckoo_cut(number, bits);

	h.upper ^= kcuckoo_round(key, h.lower, 0, h.upper_bits);
	h.lower ^= kcuckoo_round(key, h.upper, 1, h.lower_bits);
	h.upper ^= kcuckoo_round(key, h.lower, 2, h.upper_bits);
	return kcuckoo_join(&h);
}

/**
 * kcuckoo_unpermute() - invert kcuckoo_permute()
 * @key: the filter's secret
 * @number: an image, below 2^@bits
 * @bits: bits of the number, 1..128
 *
 * Return: the number whose image it is.
 */
struct kcuckoo_number kcuckoo_unpermute(const struct kcuckoo_hash_key *key,
					struct kcuckoo_number number,
					unsigned int bits)
{
	struct kcuckoo_halves h = kcuckoo_cut(number, bits);

	h.upper ^= kcuckoo_round(key, h.lower, 2, h.upper_bits);
	h.lower ^= kcuckoo_round(key, h.upper, 1, h.lower_bits);
	h.upper ^= kcuckoo_round(key, h.lower, 0, h.upper_bits);
	return kcuckoo_join(&h);
}
