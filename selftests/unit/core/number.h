/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers of up to 128 bits as the core has them and as the compiler does, and
 * sets of such numbers: the truth that tables are compared with.
 */
#ifndef _SELFTESTS_CORE_NUMBER_H
#define _SELFTESTS_CORE_NUMBER_H

#include "core/permutation.h"
#include "random.h"
#include "tap.h"

static inline __uint128_t number_wide(struct kcuckoo_number number)
{
	return (__uint128_t)number.hi << 64 | number.lo;
}

static inline struct kcuckoo_number number_of(__uint128_t wide)
{
	struct kcuckoo_number number = { (u64)(wide >> 64), (u64)wide };

	return number;
}

static inline bool number_same(struct kcuckoo_number a, struct kcuckoo_number b)
{
	return a.hi == b.hi && a.lo == b.lo;
}

/* The greatest number of so many bits, 0..128. */
static inline struct kcuckoo_number number_last(unsigned int bits)
{
	return number_of(bits ? ~(__uint128_t)0 >> (128 - bits) : 0);
}

static inline bool number_fits(struct kcuckoo_number number, unsigned int bits)
{
	return number_wide(number) <= number_wide(number_last(bits));
}

/* 2^bit */
static inline struct kcuckoo_number number_bit(unsigned int bit)
{
	return number_of((__uint128_t)1 << bit);
}

/* A random number of so many bits, 0..128. */
static inline struct kcuckoo_number number_random(unsigned int bits)
{
	__uint128_t wide = (__uint128_t)random_word() << 64 | random_word();

	return number_of(wide & number_wide(number_last(bits)));
}

/**
 * struct number_set - a set, by open addressing
 * @numbers: members at their places
 * @used: which places are in use
 * @mask: places - 1
 * @count: members
 */
struct number_set {
	struct kcuckoo_number *numbers;
	bool *used;
	u64 mask;
	u64 count;
};

/* An empty set for up to @count members. */
static inline void number_set_init(struct number_set *set, u64 count)
{
	for (set->mask = 15; set->mask < 2 * count;)
		set->mask = 2 * set->mask + 1;
	set->numbers = tap_zalloc((set->mask + 1) * sizeof(*set->numbers));
	set->used = tap_zalloc((set->mask + 1) * sizeof(*set->used));
	set->count = 0;
}

static inline void number_set_free(struct number_set *set)
{
	tap_free(set->numbers);
	tap_free(set->used);
}

/* Where a number is, or would be. */
static inline u64 number_set_place(const struct number_set *set,
				   struct kcuckoo_number number)
{
	u64 place = random_mix(random_mix(number.hi) + number.lo) & set->mask;

	while (set->used[place] && !number_same(set->numbers[place], number))
		place = (place + 1) & set->mask;
	return place;
}

static inline bool number_set_has(const struct number_set *set,
				  struct kcuckoo_number number)
{
	return set->used[number_set_place(set, number)];
}

/* Returns false if the number was a member already. */
static inline bool number_set_add(struct number_set *set,
				  struct kcuckoo_number number)
{
	u64 place = number_set_place(set, number);

	if (set->used[place])
		return false;
	set->used[place] = true;
	set->numbers[place] = number;
	set->count++;
	return true;
}

#endif /* _SELFTESTS_CORE_NUMBER_H */
