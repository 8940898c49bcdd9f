// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sided tags: a number cut into bucket and quotient, told from its place again,
 * with identity bits in the second plane.
 */
#include "fixture.h"
#include "core/bucket_pair.h"

/* Table of m buckets for numbers of so many bits, without planes. */
static void init(struct kcuckoo_table *table, unsigned int bits, u32 nbuckets)
{
	struct kcuckoo_layout layout = fixture_layout(bits, 2, nbuckets);

	kcuckoo_table_init(table, &layout.params, NULL, NULL, fixture_secret());
}

static void require_divided(const struct kcuckoo_table *table, u64 number)
{
	u32 nbuckets = table->params.nbuckets;
	struct kcuckoo_probe probe;

	kcuckoo_table_probe_number(table, number, 7, &probe);
	tap_require(probe.bucket[0] == number % nbuckets, "%llu mod %u",
		    number, nbuckets);
	tap_require(probe.tag[0] == 2 * (number / nbuckets) + 1,
		    "%llu by %u", number, nbuckets);
	tap_require(probe.tag[1] == probe.tag[0] + 1, "%llu by %u", number,
		    nbuckets);
	tap_require(probe.tag[1] <=
		    kcuckoo_bits_mask(table->params.tag_bits), "%llu by %u",
		    number, nbuckets);
	tap_require(probe.bucket[1] ==
		    kcuckoo_table_alternate(table, probe.bucket[0],
					    probe.tag[0]),
		    "%llu by %u", number, nbuckets);
	tap_require(probe.aux == 7, "%llu", probe.aux);
}

/* Numbers at the edges of quotients, where estimates go wrong. */
static void check_division(unsigned int bits, u32 nbuckets)
{
	u64 all = kcuckoo_bits_mask(bits);
	struct kcuckoo_table table;
	int i;

	init(&table, bits, nbuckets);
	require_divided(&table, 0);
	require_divided(&table, all);
	require_divided(&table, all - all % nbuckets);
	require_divided(&table, all - all % nbuckets - 1);
	for (i = 0; i < 200; i++) {
		u64 number = random_edge(bits);

		require_divided(&table, number);
		number -= number % nbuckets;
		require_divided(&table, number);
		require_divided(&table, number ? number - 1 : 0);
		require_divided(&table, number < all ? number + 1 : all);
	}
}

static void test_division(void)
{
	u32 nbuckets;
	int bit;

	for (nbuckets = 1; nbuckets <= 1100; nbuckets++)
		check_division(nbuckets < 8 ? 61 : 64, nbuckets);
	for (bit = 10; bit <= 31; bit++) {
		check_division(64, 1U << bit);
		check_division(64, (1U << bit) - 1);
		check_division(64, (1U << bit) - random_below(1 << 9));
		check_division(33, 1U << bit);
		check_division(33, (1U << bit) - 1);
	}
}

/* The way for 32 bits comes to the same places. */
static void require_same(const struct kcuckoo_table *table, u32 number)
{
	struct kcuckoo_bucket_pair pair = kcuckoo_bucket_pair_of_number(table,
									number);
	struct kcuckoo_mulhash mulhash;
	struct kcuckoo_bucket_pair same;

	kcuckoo_mulhash_init(&mulhash, fixture_secret(), 0);
	same = kcuckoo_bucket_pair_of_ipv4(table, &mulhash, number);
	tap_require(same.tag == pair.tag && same.bucket[0] == pair.bucket[0] &&
		    same.bucket[1] == pair.bucket[1], "%u by %u", number,
		    table->params.nbuckets);
}

static void check_ipv4(u32 nbuckets)
{
	struct kcuckoo_table table;
	int i;

	init(&table, 32, nbuckets);
	for (i = 0; i < 100; i++) {
		u32 number = random_edge(32);

		require_same(&table, number);
		number -= number % nbuckets;
		require_same(&table, number);
		require_same(&table, number - 1);
	}
}

static void test_ipv4(void)
{
	u32 nbuckets;
	int bit;

	for (nbuckets = 2; nbuckets <= 1100; nbuckets++)
		check_ipv4(nbuckets);
	for (bit = 10; bit <= 28; bit++) {
		check_ipv4(1U << bit);
		check_ipv4((1U << bit) - 1);
		check_ipv4((1U << bit) + 1);
		check_ipv4((1U << bit) - random_below(1 << 9));
	}
}

static void require_number(const struct kcuckoo_table *table, u64 place,
			   u64 number, u64 aux)
{
	u64 seen = 0;

	tap_require(kcuckoo_table_number(table, place, &seen) == number,
		    "%llu", number);
	tap_require(seen == aux, "%llu", seen);
}

/* On either side, and after each move, the key is told from its place. */
static void check_number(unsigned int plen, unsigned int shift, u32 nbuckets)
{
	struct kcuckoo_layout layout = fixture_layout(plen, shift, nbuckets);
	unsigned int low = plen < 64 ? plen : 64;
	struct kcuckoo_table table;
	int i;

	fixture_table(&table, &layout.params);
	for (i = 0; i < 100; i++) {
		u64 number = random_edge(low);
		u64 aux = plen > 64 ? random_edge(plen - 64) : 0;
		struct kcuckoo_probe probe;
		u64 place[2];
		int side = i & 1;

		kcuckoo_table_probe_number(&table, number, aux, &probe);
		if (probe.bucket[0] == probe.bucket[1])
			continue;
		place[0] = kcuckoo_table_bucket_vacant(&table, probe.bucket[0]);
		place[1] = kcuckoo_table_bucket_vacant(&table, probe.bucket[1]);
		kcuckoo_table_put(&table, place[side], &probe);
		require_number(&table, place[side], number, aux);
		kcuckoo_table_move(&table, place[side], place[!side]);
		tap_require(!kcuckoo_table_tag(&table, place[side]), "left");
		require_number(&table, place[!side], number, aux);
		tap_require(kcuckoo_table_find(&table, &probe) == place[!side],
			    "plen %u", plen);
		kcuckoo_table_move(&table, place[!side], place[side]);
		require_number(&table, place[side], number, aux);
		tap_require(table.entries == 1, "%llu", table.entries);
		kcuckoo_table_clear(&table, place[side]);
		tap_require(fixture_empty(&table), "plen %u", plen);
	}
	fixture_table_free(&table);
}

static void test_number(void)
{
	static const u32 nbuckets[] = { 16, 17, 37, 128, 1001 };
	unsigned int plen;
	unsigned int shift;
	unsigned int i;

	for (plen = 9; plen <= 128; plen++)
		for (shift = 0; shift <= 3; shift++)
			for (i = 0; i < TAP_COUNT(nbuckets); i++)
				check_number(plen, shift, nbuckets[i]);
}

/* A number whose two buckets are the same one has one side only. */
static void test_own_alternate(void)
{
	struct kcuckoo_layout layout = fixture_layout(16, 2, 17);
	struct kcuckoo_table table;
	u32 met = 0;
	u64 number;

	fixture_table(&table, &layout.params);
	for (number = 0; number < 1 << 16; number++) {
		struct kcuckoo_probe probe;
		u64 place;

		kcuckoo_table_probe_number(&table, number, 0, &probe);
		if (probe.bucket[0] != probe.bucket[1])
			continue;
		met++;
		place = kcuckoo_table_bucket_vacant(&table, probe.bucket[1]);
		kcuckoo_table_put(&table, place, &probe);
		require_number(&table, place, number, 0);
		tap_require(kcuckoo_table_find(&table, &probe) == place,
			    "%llu", number);
		kcuckoo_table_clear(&table, place);
	}
	tap_require(met > 1000, "%u", met);
}

/*
 * Keys that agree in everything but their identity bits fill both of their
 * buckets, and each is found at its own place and no other.
 */
static void check_identity(unsigned int shift, unsigned int aux_bits)
{
	struct kcuckoo_layout layout = fixture_layout(64 + aux_bits, shift,
							   33);
	struct kcuckoo_table table;
	struct kcuckoo_probe probe;
	u64 place[16];
	u64 aux[16];
	u32 count;
	u32 i;
	u32 n;

	fixture_table(&table, &layout.params);
	do {
		kcuckoo_table_probe_number(&table, random_word(), 0, &probe);
	} while (probe.bucket[0] == probe.bucket[1]);
	count = 2U << shift;
	if (aux_bits < 5 && count > 1U << aux_bits)
		count = 1U << aux_bits;
	for (i = 0; i < count; i++) {
		do {
			aux[i] = random_edge(aux_bits);
			for (n = 0; n < i && aux[n] != aux[i];)
				n++;
		} while (n < i);
		probe.aux = aux[i];
		tap_require(!kcuckoo_table_contains(&table, &probe), "%u", i);
		place[i] = fixture_add(&table, &probe, NULL);
	}
	for (i = 0; i < count; i++) {
		probe.aux = aux[i];
		tap_require(kcuckoo_table_contains(&table, &probe), "%u", i);
		tap_require(kcuckoo_table_find(&table, &probe) == place[i],
			    "%u bits, key %u", aux_bits, i);
	}
	while (count--) {
		probe.aux = aux[count];
		kcuckoo_table_clear(&table, place[count]);
		tap_require(!kcuckoo_table_contains(&table, &probe), "%u",
			    count);
	}
	tap_require(fixture_empty(&table), "%u bits", aux_bits);
	fixture_table_free(&table);
}

static void test_identity(void)
{
	unsigned int shift;
	unsigned int aux_bits;

	for (shift = 0; shift <= 3; shift++)
		for (aux_bits = 1; aux_bits <= 64; aux_bits++)
			check_identity(shift, aux_bits);
}

/* The second plane in use up to its last bit, against an array. */
static void check_plane(unsigned int aux_bits)
{
	struct kcuckoo_layout layout = fixture_layout(64 + aux_bits, 2, 21);
	const u32 places = 84;
	struct kcuckoo_table table;
	u64 numbers[84];
	u64 aux[84];
	u32 place;

	fixture_table(&table, &layout.params);
	for (place = 0; place < places; place++) {
		u32 bucket = place / 4;
		struct kcuckoo_probe probe;

		numbers[place] = random_word() >> 8;
		numbers[place] -= numbers[place] % 21;
		numbers[place] += bucket;
		aux[place] = random_edge(aux_bits);
		kcuckoo_table_probe_number(&table, numbers[place], aux[place],
					   &probe);
		kcuckoo_table_put(&table, place, &probe);
	}
	for (place = 0; place < places; place++)
		require_number(&table, place, numbers[place], aux[place]);
	for (place = 0; place < places; place += 2)
		kcuckoo_table_clear(&table, place);
	for (place = 1; place < places; place += 2)
		require_number(&table, place, numbers[place], aux[place]);
	for (place = 1; place < places; place += 2)
		kcuckoo_table_clear(&table, place);
	tap_require(fixture_empty(&table), "%u bits", aux_bits);
	fixture_table_free(&table);
}

static void test_plane(void)
{
	unsigned int aux_bits;

	for (aux_bits = 1; aux_bits <= 64; aux_bits++)
		check_plane(aux_bits);
}

static const struct tap_test tests[] = {
	{ "exact.division: exact for any number and any m", test_division },
	{ "exact.ipv4: one number of 32 bits, one place", test_ipv4 },
	{ "exact.number: told from its place, on either side", test_number },
	{ "exact.alternate: both buckets may be the same one",
	  test_own_alternate },
	{ "exact.identity: keys with equal tags are told apart",
	  test_identity },
	{ "exact.plane: identity bits of every width, nothing left behind",
	  test_plane },
};

int main(int argc, char **argv)
{
	return tap_main(argc, argv, tests, TAP_COUNT(tests));
}
