// SPDX-License-Identifier: GPL-2.0-only
/*
 * Look-ups while somebody does nothing but exchange filters: each comes to its end
 * meanwhile, finds all members, and nothing else.
 */

#include "crew.h"

#include "bytes.h"

#define KEYS		1000
#define LONG		3000	/* bytes; no two of these are kept at a time, so */
#define FEW		20	/* are keys: each is looked up by itself, and again */

/* What is done at least, and how long that may take, in seconds. */
#define TESTS		client_scale(20)
#define EXCHANGES	client_scale(5000)
#define LIMIT		60

FIXTURE(exchange)
{
	struct client client;
	struct strings members;
	struct strings others;
};

FIXTURE_VARIANT(exchange)
{
	__u8 type;
	__u8 tag_bits[2];
	bool lengthy;
	int keys;
};

FIXTURE_VARIANT_ADD(exchange, of_addresses) {
	.type = KCUCKOO_TYPE_INET,
	.keys = KEYS,
};

/* A key is not in the same table of these two. */
FIXTURE_VARIANT_ADD(exchange, of_addresses_and_fingerprints) {
	.type = KCUCKOO_TYPE_INET,
	.tag_bits = { 0, 32 },
	.keys = KEYS,
};

FIXTURE_VARIANT_ADD(exchange, of_byte_strings) {
	.type = KCUCKOO_TYPE_BYTES,
	.tag_bits = { 32, 32 },
	.keys = KEYS,
};

FIXTURE_VARIANT_ADD(exchange, of_long_byte_strings) {
	.type = KCUCKOO_TYPE_BYTES,
	.tag_bits = { 32, 32 },
	.lengthy = true,
	.keys = FEW,
};

static atomic_ullong exchanges, failures;
static double last;

/* Strings that are told apart by their ends alone. */
static struct strings strings_lengthy(const struct strings *from)
{
	struct strings strings = {
		.bytes = calloc(from->count, LONG),
		.lengths = calloc(from->count, sizeof(__u16)),
		.count = from->count,
	};
	const __u8 *text = from->bytes;
	size_t i;

	for (i = 0; i < from->count; i++) {
		strings.lengths[i] = LONG - i % 2;
		memcpy(strings.bytes + i * LONG - i / 2 + LONG - i % 2 - from->lengths[i],
		       text, from->lengths[i]);
		text += from->lengths[i];
	}
	return strings;
}

static struct strings strings_of(const char *kind, int count, bool lengthy)
{
	struct strings brief = strings_make(kind, 0, count), strings;

	if (!lengthy)
		return brief;
	strings = strings_lengthy(&brief);
	strings_free(&brief);
	return strings;
}

static int create(int fd, const char *name, __u8 type, __u8 tag_bits)
{
	struct kcuckoo_ioc_create create = {
		.size = sizeof(create),
		.type = type,
		.tag_bits = tag_bits,
		.capacity = 10 * KEYS,
	};

	set_name(create.name, name);
	return call(fd, KCUCKOO_IOC_CREATE, &create);
}

FIXTURE_SETUP(exchange)
{
	static const char * const names[] = { "a", "b" };
	int fd, i;

	crew_keys();
	self->members = strings_of("member", variant->keys, variant->lengthy);
	self->others = strings_of("other", variant->keys, variant->lengthy);
	ASSERT_EQ(0, client_begin(&self->client));
	fd = self->client.fd;
	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, create(fd, names[i], variant->type, variant->tag_bits[i]));
		ASSERT_EQ(variant->keys, variant->type == KCUCKOO_TYPE_INET ?
			  keys_add(fd, names[i], permanent, variant->keys) :
			  strings_add(fd, names[i], &self->members));
	}
	atomic_store(&exchanges, 0);
	atomic_store(&failures, 0);
	atomic_store(&working, true);
	last = client_clock() + LIMIT * (client_slow() ? 5 : 1);
}

FIXTURE_TEARDOWN(exchange)
{
	strings_free(&self->members);
	strings_free(&self->others);
	EXPECT_EQ(0, client_end(&self->client));
}

/* Gives up in the end, so that a look-up that never ends by itself does. */
static void *swapper(void *argument)
{
	while (atomic_load(&working) && client_clock() < last) {
		if (filter_swap(*(int *)argument, "a", "b"))
			atomic_fetch_add(&failures, 1);
		atomic_fetch_add(&exchanges, 1);
	}
	return NULL;
}

/* How many are present; each of them is looked up in one call. */
static long long look(int fd, __u8 type, const struct kcuckoo_prefix *keys,
		      const struct strings *strings)
{
	return type == KCUCKOO_TYPE_INET ? keys_members(fd, "a", keys, strings->count) :
					   strings_test(fd, "a", strings);
}

TEST_F(exchange, without_end)
{
	int fd = self->client.fd;
	pthread_t thread = crew_start(swapper, &fd);
	int tests;

	for (tests = 0; (tests < TESTS || atomic_load(&exchanges) < EXCHANGES) &&
	     client_clock() < last; tests++) {
		EXPECT_EQ(variant->keys, look(fd, variant->type, permanent, &self->members));
		EXPECT_EQ(0, look(fd, variant->type, never, &self->others));
	}
	EXPECT_LT(client_clock(), last);
	atomic_store(&working, false);
	pthread_join(thread, NULL);
	TH_LOG("%d look-ups of %d keys, %llu exchanges", 2 * tests, variant->keys,
	       atomic_load(&exchanges));
	EXPECT_EQ(0, atomic_load(&failures));
}

TEST_HARNESS_MAIN
