// SPDX-License-Identifier: GPL-2.0-only
/*
 * Values beside keys: given, told, changed, and what names them.
 */

#include "bytes.h"

#define COUNT	3000

FIXTURE(value)
{
	struct client client;
	struct kcuckoo_prefix keys[COUNT];
	__u32 *values;
	__u32 *others;
	struct strings strings;
};

FIXTURE_SETUP(value)
{
	size_t i;

	ASSERT_EQ(0, client_begin(&self->client));
	for (i = 0; i < COUNT; i++)
		self->keys[i] = i % 2 ? ipv4(0x0b000000 + i * 17, 32) :
			ipv6(0x20010db800000000ULL + i, i * 17, 128);
	self->values = numbers_make(7, 31, COUNT);
	/* None of these is among the first ones. */
	self->others = numbers_make(200000, 1, COUNT);
	self->strings = strings_make("key", 0, COUNT);
}

FIXTURE_TEARDOWN(value)
{
	free(self->values);
	free(self->others);
	strings_free(&self->strings);
	EXPECT_EQ(0, client_end(&self->client));
}

static int inet_create(int fd, const char *name, int value_bits)
{
	struct kcuckoo_ioc_create create = {
		.size = sizeof(create),
		.type = KCUCKOO_TYPE_INET,
		.value_bits = value_bits,
		.capacity = 100000,
	};

	set_name(create.name, name);
	return call(fd, KCUCKOO_IOC_CREATE, &create);
}

static int text_create(int fd, const char *name, int value_bits, __u32 flags)
{
	struct kcuckoo_ioc_create create = bytes_form(name, COUNT, 12);

	create.value_bits = value_bits;
	create.flags = flags;
	return call(fd, KCUCKOO_IOC_CREATE, &create);
}

static struct kcuckoo_ioc_add adding(const char *name, const void *keys, const __u16 *lengths,
				     const __u32 *values, __u32 count)
{
	struct kcuckoo_ioc_add add = {
		.size = sizeof(add),
		.keys = (uintptr_t)keys,
		.lengths = (uintptr_t)lengths,
		.values = (uintptr_t)values,
		.count = count,
	};

	set_name(add.name, name);
	return add;
}

/* Does each key have its value, among others at most? How many have others. */
static long long values_check(int fd, const char *name, const void *keys,
			      const __u16 *lengths, const __u32 *values, __u32 count)
{
	__u32 *room = malloc(count * KCUCKOO_VALUES_MAX * sizeof(*room));
	__u8 *counts = malloc(count);
	struct kcuckoo_ioc_test test = {
		.size = sizeof(test),
		.keys = (uintptr_t)keys,
		.lengths = (uintptr_t)lengths,
		.values = (uintptr_t)room,
		.value_counts = (uintptr_t)counts,
		.max_values = KCUCKOO_VALUES_MAX,
		.count = count,
	};
	long long more = 0;
	__u32 i, j;
	int error;

	set_name(test.name, name);
	error = call(fd, KCUCKOO_IOC_TEST, &test);
	if (!error && (test.done != count || test.present != count))
		error = -EPROTO;
	for (i = 0; !error && i < count; i++) {
		const __u32 *own = room + i * KCUCKOO_VALUES_MAX;

		for (j = 0; j < counts[i] && own[j] != values[i]; j++)
			;
		if (j == counts[i])
			error = -ENODATA;
		more += counts[i] > 1;
	}
	free(room);
	free(counts);
	return error ? error : more;
}

static int update(int fd, const char *name, const void *keys, const __u16 *lengths,
		  const __u32 *old, const __u32 *values, __u32 count, __u32 *updated)
{
	struct kcuckoo_ioc_update request = {
		.size = sizeof(request),
		.keys = (uintptr_t)keys,
		.lengths = (uintptr_t)lengths,
		.old_values = (uintptr_t)old,
		.values = (uintptr_t)values,
		.count = count,
	};
	int error;

	set_name(request.name, name);
	error = call(fd, KCUCKOO_IOC_UPDATE, &request);
	*updated = request.updated;
	return error;
}

/* An exact filter: one value for each key, whichever way it came. */
TEST_F(value, exact)
{
	struct kcuckoo_ioc_add add = adding("a", self->keys, NULL, self->values, COUNT);
	struct kcuckoo_ioc_walk walk = { .size = sizeof(walk) };
	struct kcuckoo_prefix *told = calloc(COUNT, sizeof(*told));
	__u32 *values = calloc(COUNT, sizeof(*values));
	int fd = self->client.fd;
	__u32 updated, i, j;

	ASSERT_EQ(0, inet_create(fd, "a", 32));
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_ADD, &add));
	EXPECT_EQ(COUNT, add.added);
	EXPECT_EQ(0, values_check(fd, "a", self->keys, NULL, self->values, COUNT));
	/* Adding again without values leaves them; with values changes them. */
	EXPECT_EQ(0, keys_add(fd, "a", self->keys, COUNT));
	EXPECT_EQ(0, values_check(fd, "a", self->keys, NULL, self->values, COUNT));
	add.values = (uintptr_t)self->others;
	add.flags = KCUCKOO_ADD_ABSENT;
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_ADD, &add));
	EXPECT_EQ(0, values_check(fd, "a", self->keys, NULL, self->values, COUNT));
	add.flags = 0;
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_ADD, &add));
	EXPECT_EQ(COUNT, add.existed);
	EXPECT_EQ(0, values_check(fd, "a", self->keys, NULL, self->others, COUNT));
	/* Update, with and without the old value; a wrong one is "absent". */
	EXPECT_EQ(0, update(fd, "a", self->keys, NULL, self->values, self->values, COUNT,
			    &updated));
	EXPECT_EQ(0, updated);
	EXPECT_EQ(0, update(fd, "a", self->keys, NULL, self->others, self->values, COUNT,
			    &updated));
	EXPECT_EQ(COUNT, updated);
	EXPECT_EQ(0, update(fd, "a", self->keys, NULL, NULL, self->others, COUNT / 2,
			    &updated));
	EXPECT_EQ(COUNT / 2, updated);
	memcpy(self->values, self->others, COUNT / 2 * sizeof(__u32));
	/* The walk tells them, too, after all tables were made smaller. */
	EXPECT_EQ(0, filter_compact(fd, "a"));
	set_name(walk.name, "a");
	walk.keys = (uintptr_t)told;
	walk.values = (uintptr_t)values;
	walk.count = COUNT;
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_WALK, &walk));
	ASSERT_EQ(COUNT, walk.done);
	for (i = 0; i < COUNT; i++) {
		for (j = 0; j < COUNT && memcmp(&told[i], &self->keys[j], sizeof(*told)); j++)
			;
		ASSERT_LT(j, COUNT);
		ASSERT_EQ(self->values[j], values[i]);
	}
	free(told);
	free(values);
}

/* The shortest prefixes lie in a bitmap, with their values beside it. */
TEST_F(value, short_prefixes)
{
	struct kcuckoo_prefix nets[100];
	struct kcuckoo_ioc_add add = adding("a", nets, NULL, self->values, 100);
	int fd = self->client.fd;
	__u32 updated, i;

	for (i = 0; i < 100; i++)
		nets[i] = ipv4((i + 1) << 24, 8);
	ASSERT_EQ(0, inet_create(fd, "a", 32));
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_ADD, &add));
	EXPECT_EQ(0, values_check(fd, "a", nets, NULL, self->values, 100));
	EXPECT_EQ(0, update(fd, "a", nets, NULL, self->others, self->others, 100, &updated));
	EXPECT_EQ(0, updated);
	EXPECT_EQ(0, values_check(fd, "a", nets, NULL, self->values, 100));
	EXPECT_EQ(0, update(fd, "a", nets, NULL, self->values, self->others, 100, &updated));
	EXPECT_EQ(100, updated);
	EXPECT_EQ(0, values_check(fd, "a", nets, NULL, self->others, 100));
}

/* An address has the value of the longest prefix that covers it. */
TEST_F(value, longest_prefix)
{
	struct kcuckoo_prefix keys[] = {
		key_of("10.0.0.0/8"), key_of("10.1.0.0/16"), key_of("10.1.2.0/24"),
		key_of("10.1.2.3/32"), key_of("0.0.0.0/0"), key_of("2001:db8::/32"),
		key_of("2001:db8:1::/48"), key_of("::/0"),
	};
	__u32 values[] = { 8, 16, 24, 32, 0, 132, 148, 100 };
	struct {
		const char *address;
		__u32 value;
	} looks[] = {
		{ "10.1.2.3", 32 }, { "10.1.2.4", 24 }, { "10.1.3.3", 16 }, { "10.2.0.0", 8 },
		{ "11.0.0.0", 0 }, { "2001:db8:1::1", 148 }, { "2001:db8:2::", 132 },
		{ "fe80::1", 100 },
	};
	struct kcuckoo_ioc_add add = adding("a", keys, NULL, values, ARRAY_SIZE(keys));
	size_t i;

	ASSERT_EQ(0, inet_create(self->client.fd, "a", 9));
	ASSERT_EQ(0, call(self->client.fd, KCUCKOO_IOC_ADD, &add));
	for (i = 0; i < ARRAY_SIZE(looks); i++) {
		struct kcuckoo_prefix key = key_of(looks[i].address);

		EXPECT_EQ(0, values_check(self->client.fd, "a", &key, NULL, &looks[i].value, 1))
			TH_LOG("%s", looks[i].address);
	}
}

/* Fingerprints: all values that match, the key's own always among them. */
TEST_F(value, fingerprints)
{
	struct kcuckoo_ioc_add add = adding("a", self->strings.bytes, self->strings.lengths,
					    self->values, COUNT);
	struct kcuckoo_ioc_del del = {
		.size = sizeof(del),
		.keys = (uintptr_t)self->strings.bytes,
		.lengths = (uintptr_t)self->strings.lengths,
		.count = COUNT,
	};
	int fd = self->client.fd;
	__u32 updated;

	ASSERT_EQ(0, text_create(fd, "a", 20, 0));
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_ADD, &add));
	EXPECT_EQ(COUNT, add.added);
	EXPECT_LE(0, values_check(fd, "a", self->strings.bytes, self->strings.lengths,
				  self->values, COUNT));
	EXPECT_EQ(-EINVAL, update(fd, "a", self->strings.bytes, self->strings.lengths, NULL,
				  self->others, COUNT, &updated));
	EXPECT_EQ(0, update(fd, "a", self->strings.bytes, self->strings.lengths, self->values,
			    self->others, COUNT, &updated));
	EXPECT_EQ(COUNT, updated);
	EXPECT_LE(0, values_check(fd, "a", self->strings.bytes, self->strings.lengths,
				  self->others, COUNT));
	set_name(del.name, "a");
	EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_DEL, &del));
	del.values = (uintptr_t)self->values;
	EXPECT_EQ(0, call(fd, KCUCKOO_IOC_DEL, &del));
	EXPECT_EQ(COUNT, del.absent);
	del.values = (uintptr_t)self->others;
	EXPECT_EQ(0, call(fd, KCUCKOO_IOC_DEL, &del));
	EXPECT_EQ(COUNT, del.deleted);
	EXPECT_EQ(0, filter_entries(fd, "a"));
}

/* One key with sixteen values: they are all told, the seventeenth is refused. */
TEST_F(value, several_of_one_key)
{
	struct kcuckoo_ioc_create create = bytes_form("a", 1000000, 12);
	__u32 values[17], told[KCUCKOO_VALUES_MAX], sum = 0;
	__u16 lengths[17] = {};
	struct kcuckoo_ioc_add add = adding("a", "", lengths, values, 17);
	struct kcuckoo_ioc_test test = {
		.size = sizeof(test),
		.keys = (uintptr_t)"",
		.lengths = (uintptr_t)lengths,
		.values = (uintptr_t)told,
		.max_values = KCUCKOO_VALUES_MAX,
		.count = 1,
	};
	__u8 count;
	int i;

	for (i = 0; i < 17; i++)
		values[i] = 1U << i;
	create.bucket_size = 8;
	create.value_bits = 17;
	ASSERT_EQ(0, call(self->client.fd, KCUCKOO_IOC_CREATE, &create));
	ASSERT_EQ(0, call(self->client.fd, KCUCKOO_IOC_ADD, &add));
	EXPECT_EQ(16, add.added);
	EXPECT_EQ(1, add.refused);
	set_name(test.name, "a");
	test.value_counts = (uintptr_t)&count;
	ASSERT_EQ(0, call(self->client.fd, KCUCKOO_IOC_TEST, &test));
	EXPECT_EQ(16, count);
	for (i = 0; i < 16; i++)
		sum |= told[i];
	EXPECT_EQ(0xffff, sum);
	/* Less room: as many as fit, and how many there are. */
	memset(told, POISON, sizeof(told));
	test.max_values = 3;
	ASSERT_EQ(0, call(self->client.fd, KCUCKOO_IOC_TEST, &test));
	EXPECT_EQ(16, count);
	EXPECT_NE(0xa5a5a5a5, told[2]);
	EXPECT_EQ(0xa5a5a5a5, told[3]);
}

/* Too large a value, and filters that cannot have what is asked for. */
/* A key whose values cannot be told has not been looked up. */
TEST_F(value, nowhere)
{
	struct kcuckoo_ioc_add add = adding("v", self->keys, NULL, self->values, 300);
	struct kcuckoo_ioc_test test = {
		.size = sizeof(test),
		.keys = (uintptr_t)self->keys,
		.values = 8,
		.max_values = 1,
		.count = 300,
	};

	ASSERT_EQ(0, inet_create(self->client.fd, "v", 32));
	ASSERT_EQ(0, call(self->client.fd, KCUCKOO_IOC_ADD, &add));
	set_name(test.name, "v");
	EXPECT_EQ(-EFAULT, call(self->client.fd, KCUCKOO_IOC_TEST, &test));
	EXPECT_EQ(0, test.done);
	test.values = 0;
	test.max_values = 0;
	EXPECT_EQ(0, call(self->client.fd, KCUCKOO_IOC_TEST, &test));
	EXPECT_EQ(300, test.present);
}

/*
 * A filter of fingerprints that is insert-only has an entry for each value of a key, until
 * both buckets are full of its fingerprint.
 */
TEST_F(value, insert_only)
{
	enum { COPIES = 2 * 4 };
	struct strings same = { .bytes = (__u8 *)strdup("aaaaaaaaaa"), .count = COPIES + 2 };
	__u8 results[COPIES + 2];
	__u32 values[COPIES + 2] = { 5, 1, 2, 3, 4, 6, 7, 0, 8, 5 };
	struct kcuckoo_ioc_add add;
	int fd = self->client.fd;
	size_t i;

	same.lengths = calloc(same.count, sizeof(*same.lengths));
	for (i = 0; i < same.count; i++)
		same.lengths[i] = 1;
	add = adding("a", same.bytes, same.lengths, values, same.count);
	add.results = (uintptr_t)results;
	ASSERT_EQ(0, text_create(fd, "a", 8, KCUCKOO_CREATE_INSERT_ONLY));
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_ADD, &add));
	EXPECT_EQ(COPIES, add.added);
	EXPECT_EQ(1, add.refused);
	EXPECT_EQ(KCUCKOO_RESULT_REFUSED, results[COPIES]);
	EXPECT_EQ(KCUCKOO_RESULT_EXISTS, results[COPIES + 1]);
	/* No value is 0, which is there; with another one it would be an entry of its own. */
	add.values = 0;
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_ADD, &add));
	EXPECT_EQ(same.count, add.existed);
	EXPECT_EQ(COPIES, filter_entries(fd, "a"));
	add.flags = KCUCKOO_ADD_ABSENT;
	EXPECT_EQ(-EOPNOTSUPP, call(fd, KCUCKOO_IOC_ADD, &add));
	EXPECT_EQ(0, filter_destroy(fd, "a"));
	free(same.bytes);
	free(same.lengths);
}

TEST_F(value, refused)
{
	__u32 large[] = { 1, 255, 256, 3 };
	struct kcuckoo_ioc_add add = adding("a", self->keys, NULL, large, 4);
	struct kcuckoo_ioc_test test = {
		.size = sizeof(test),
		.keys = (uintptr_t)self->keys,
		.values = (uintptr_t)self->others,
		.max_values = 1,
		.count = 1,
	};
	int fd = self->client.fd;
	__u32 updated;

	ASSERT_EQ(0, inet_create(fd, "a", 8));
	ASSERT_EQ(0, inet_create(fd, "b", 0));
	ASSERT_EQ(0, text_create(fd, "c", 8, KCUCKOO_CREATE_INSERT_ONLY));
	EXPECT_EQ(0, call(fd, KCUCKOO_IOC_ADD, &add));
	EXPECT_EQ(2, add.done);
	add.values += 2 * sizeof(__u32);
	EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_ADD, &add));
	EXPECT_EQ(2, filter_entries(fd, "a"));
	set_name(add.name, "b");
	EXPECT_EQ(-EOPNOTSUPP, call(fd, KCUCKOO_IOC_ADD, &add));
	EXPECT_EQ(-EOPNOTSUPP, update(fd, "b", self->keys, NULL, NULL, large, 1, &updated));
	EXPECT_EQ(-EOPNOTSUPP, update(fd, "c", self->strings.bytes, self->strings.lengths,
				      large, large, 1, &updated));
	EXPECT_EQ(-EINVAL, update(fd, "a", self->keys, NULL, NULL, NULL, 1, &updated));
	set_name(test.name, "b");
	EXPECT_EQ(-EOPNOTSUPP, call(fd, KCUCKOO_IOC_TEST, &test));
	set_name(test.name, "a");
	test.max_values = KCUCKOO_VALUES_MAX + 1;
	EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_TEST, &test));
	test.max_values = 1;
	test.values = 0;
	EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_TEST, &test));
}

/* Rules may mark packets with values only where there are any. */
TEST_F(value, marks)
{
	struct kcuckoo_ioc_attach attach = {
		.size = sizeof(attach),
		.family = KCUCKOO_FAMILY_BOTH,
		.action = KCUCKOO_ACTION_MARK,
		.mark = 0xdeadbeef,
	};
	struct kcuckoo_rule rules[2];
	int fd = self->client.fd;

	ASSERT_EQ(0, inet_create(fd, "a", 8));
	ASSERT_EQ(0, inet_create(fd, "b", 0));
	set_name(attach.name, "b");
	EXPECT_EQ(0, call(fd, KCUCKOO_IOC_ATTACH, &attach));
	attach.action = KCUCKOO_ACTION_VALUE;
	attach.hook = KCUCKOO_HOOK_INPUT;
	EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_ATTACH, &attach));
	attach.mark = 0;
	EXPECT_EQ(-EOPNOTSUPP, call(fd, KCUCKOO_IOC_ATTACH, &attach));
	set_name(attach.name, "a");
	EXPECT_EQ(0, call(fd, KCUCKOO_IOC_ATTACH, &attach));
	ASSERT_EQ(2, rule_list(fd, rules, 2));
	EXPECT_EQ(KCUCKOO_ACTION_MARK, rules[0].action);
	EXPECT_EQ(0xdeadbeef, rules[0].mark);
	EXPECT_EQ(KCUCKOO_ACTION_VALUE, rules[1].action);
	EXPECT_EQ(0, rules[1].mark);
	EXPECT_EQ(2, rule_detach(fd, NULL));
}

TEST_HARNESS_MAIN
