// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keyed permutation: an alternating Feistel network.
 *
 * The number is cut into an upper part of bits / 2 and a lower part of the
 * rest; rounds in turn add a hash of one part to the other. That works for
 * every number of bits, odd ones included, and undoing is the same rounds
 * backwards (Luby and Rackoff, 1988; unequal halves: Lucks, 1996).
 *
 * Three rounds make bucket and remaining bits depend on all bits of both
 * parts. Tables of whole networks, the most regular input there is, fill as far
 * as with random keys; a fourth round changes nothing measurable.
 */
#include "bits.h"
#include "permutation.h"

#define KCUCKOO_ROUNDS	3

/**
 * struct kcuckoo_halves - a number cut in two
 * @part: upper and lower part
 * @bits: bits of each
 */
struct kcuckoo_halves {
	u64 part[2];
	unsigned int bits[2];
};

static struct kcuckoo_halves kcuckoo_cut(struct kcuckoo_number number,
					 unsigned int bits)
{
	struct kcuckoo_halves h;

	h.bits[0] = bits / 2;
	h.bits[1] = bits - bits / 2;
	h.part[1] = number.lo & kcuckoo_bits_mask(h.bits[1]);
	if (h.bits[1] == 64) {
		h.part[0] = number.hi;
	} else {
		h.part[0] = number.lo >> h.bits[1];
		if (number.hi)
			h.part[0] |= number.hi << (64 - h.bits[1]);
	}
	h.part[0] &= kcuckoo_bits_mask(h.bits[0]);
	return h;
}

static struct kcuckoo_number kcuckoo_join(const struct kcuckoo_halves *h)
{
	struct kcuckoo_number number;

	if (h->bits[1] == 64) {
		number.hi = h->part[0];
		number.lo = h->part[1];
	} else {
		number.hi = 0;
		if (h->bits[0] + h->bits[1] > 64)
			number.hi = h->part[0] >> (64 - h->bits[1]);
		number.lo = h->part[0] << h->bits[1] | h->part[1];
	}
	return number;
}

static void kcuckoo_round(const struct kcuckoo_hash_key *key,
			  struct kcuckoo_halves *h, unsigned int round)
{
	unsigned int to = round & 1;
	u64 from = h->part[!to];

	h->part[to] ^= kcuckoo_hash_words(key, from, from >> 32, round) &
		       kcuckoo_bits_mask(h->bits[to]);
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
	unsigned int round;

	for (round = 0; round < KCUCKOO_ROUNDS; round++)
		kcuckoo_round(key, &h, round);
	return kcuckoo_join(&h);
}

/**
 * kcuckoo_unpermute() - undo kcuckoo_permute()
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
	unsigned int round;

	for (round = KCUCKOO_ROUNDS; round--;)
		kcuckoo_round(key, &h, round);
	return kcuckoo_join(&h);
}
