// SPDX-License-Identifier: GPL-2.0-only
/*
 * Implements the keyed permutation (permutation.h) as an alternating Feistel network.
 *
 * The number is split into an upper half of bits / 2 bits and a lower half of the other
 * bits. The first round XORs a hash of the lower half to the upper half, the second round
 * XORs a hash of the upper half to the lower half, and so on. This scheme works for even
 * and odd numbers of bits, and the same rounds in reverse order are the inverse (Luby and
 * Rackoff, 1988; unequal halves: Lucks, 1996).
 *
 * With three rounds, tables of all addresses of a network, the most regular input, reach
 * the same load as tables of random keys. A fourth round makes no measurable difference.
 */
#include "core/bits.h"
#include "core/permutation.h"

/**
 * struct kcuckoo_halves - a number that is split into two halves
 * @upper: upper half
 * @lower: lower half
 * @upper_bits: bits of the upper half, 0..64
 * @lower_bits: bits of the lower half, 1..64
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
 * Hashes one half for a round, to @bits bits, the width of the other half. If the filter
 * does not use siphash, the cheapest hash that fills tables evenly is enough, because the
 * hash does not change which addresses are members.
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
 * Return: the permuted number, below 2^@bits.
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
 * @number: a permuted number, below 2^@bits
 * @bits: bits of the number, 1..128
 *
 * Return: the number that kcuckoo_permute() maps to @number.
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
