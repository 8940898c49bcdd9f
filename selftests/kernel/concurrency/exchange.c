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
#define TOLD		3	/* as hardly a call is done before an exchange */
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

/* For a while nothing is exchanged. */
static atomic_bool resting;

/* Gives up in the end, so that a look-up that never ends by itself does. */
static void *swapper(void *argument)
{
	while (atomic_load(&working) && client_clock() < last) {
		if (atomic_load(&resting)) {
			client_sleep(0.0001);
			continue;
		}
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

#define VALUE	7	/* that every member has, where there are values */

FIXTURE(values)
{
	struct client client;
};

/* Two filters with the same members, of which one has values. */
FIXTURE_SETUP(values)
{
	struct kcuckoo_ioc_create create = {
		.size = sizeof(create),
		.type = KCUCKOO_TYPE_INET,
		.value_bits = 8,
		.capacity = 10 * KEYS,
	};
	static __u32 values[KEYS];
	struct kcuckoo_ioc_add add = {
		.size = sizeof(add),
		.keys = (uintptr_t)permanent,
		.values = (uintptr_t)values,
		.count = KEYS,
	};
	int fd, i;

	crew_keys();
	for (i = 0; i < KEYS; i++)
		values[i] = VALUE;
	ASSERT_EQ(0, client_begin(&self->client));
	fd = self->client.fd;
	set_name(create.name, "a");
	set_name(add.name, "a");
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_CREATE, &create));
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_ADD, &add));
	ASSERT_EQ(KEYS, add.done);
	ASSERT_EQ(0, filter_create(fd, "b", 10 * KEYS));
	ASSERT_EQ(KEYS, keys_add(fd, "b", permanent, KEYS));
	atomic_store(&exchanges, 0);
	atomic_store(&failures, 0);
	atomic_store(&working, true);
	last = client_clock() + LIMIT * (client_slow() ? 5 : 1);
}

FIXTURE_TEARDOWN(values)
{
	EXPECT_EQ(0, client_end(&self->client));
}

/* How many members did not have their value, of those that were looked up? */
static int values_wrong(int fd, int *error)
{
	static __u32 found[KEYS];
	struct kcuckoo_ioc_test test = {
		.size = sizeof(test),
		.keys = (uintptr_t)permanent,
		.values = (uintptr_t)found,
		.max_values = 1,
		.count = KEYS,
	};
	int wrong = 0;
	__u32 i;

	set_name(test.name, "a");
	*error = call(fd, KCUCKOO_IOC_TEST, &test);
	for (i = 0; !*error && i < test.done; i++)
		wrong += found[i] != VALUE;
	return wrong;
}

/* Of the filter without values none is told, be it there when the call begins or later. */
TEST_F(values, or_none)
{
	int fd = self->client.fd, told = 0, refused = 0, error;
	pthread_t thread = crew_start(swapper, &fd);

	while ((told < TOLD || refused < TESTS || atomic_load(&exchanges) < EXCHANGES) &&
	       client_clock() < last) {
		/* Or on a slow machine hardly any call is told values. */
		atomic_store(&resting, (told + refused) % 64 == 63);
		EXPECT_EQ(0, values_wrong(fd, &error));
		EXPECT_TRUE(!error || error == -EOPNOTSUPP);
		told += !error;
		refused += !!error;
	}
	EXPECT_LT(client_clock(), last);
	atomic_store(&working, false);
	pthread_join(thread, NULL);
	TH_LOG("%d look-ups, %d refused, %llu exchanges", told, refused,
	       atomic_load(&exchanges));
	EXPECT_EQ(0, atomic_load(&failures));
}

TEST_HARNESS_MAIN
