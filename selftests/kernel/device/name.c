// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names: which are well formed, and what malformed, unknown and taken ones
 * lead to in every operation.
 */

#include "operation.h"

FIXTURE(name)
{
	struct client client;
};

FIXTURE_SETUP(name)
{
	ASSERT_EQ(0, client_begin(&self->client));
	ASSERT_EQ(0, world_make(self->client.fd));
}

FIXTURE_TEARDOWN(name)
{
	EXPECT_EQ(0, client_end(&self->client));
}

static bool allowed(int character)
{
	return (character >= 'A' && character <= 'Z') ||
	       (character >= 'a' && character <= 'z') ||
	       (character >= '0' && character <= '9') ||
	       (character && strchr("_.:-", character));
}

/* One call for each operation and each of its names, that name set to @bytes. */
static int with_name(int fd, const struct operation *op, int which, const __u8 *bytes)
{
	union argument argument;

	operation_fill(op, &argument);
	memcpy(argument.bytes + op->names[which], bytes, KCUCKOO_NAME_SIZE);
	return call(fd, op->request, &argument);
}

static void refused(struct __test_metadata *_metadata, int fd, const __u8 *bytes,
		    int expected, const char *what)
{
	const struct operation *op;
	int which;

	for (op = operations; op < operations_end; op++) {
		for (which = 0; which < 2 && op->names[which]; which++) {
			EXPECT_EQ(expected, with_name(fd, op, which, bytes))
				TH_LOG("%s, name %d: %s", op->name, which, what);
		}
	}
	EXPECT_TRUE(world_same(fd));
}

/* Empty means the staged filter, which the descriptor has not; a restore makes it. */
TEST_F(name, empty)
{
	static const __u8 bytes[KCUCKOO_NAME_SIZE];
	const struct operation *op;
	int fd = self->client.fd;
	int which, expected;

	for (op = operations; op < operations_end; op++) {
		for (which = 0; which < 2 && op->names[which]; which++) {
			expected = op->staged & 1U << which ? -ENOENT : -EINVAL;
			if (op->request == KCUCKOO_IOC_RESTORE)
				expected = 0;
			EXPECT_EQ(expected, with_name(fd, op, which, bytes))
				TH_LOG("%s, name %d", op->name, which);
		}
	}
	EXPECT_EQ(0, filter_destroy(fd, ""));
	EXPECT_TRUE(world_same(fd));
}

TEST_F(name, not_terminated)
{
	__u8 bytes[KCUCKOO_NAME_SIZE];

	memset(bytes, 'a', sizeof(bytes));
	refused(_metadata, self->client.fd, bytes, -EINVAL, "32 characters");
}

TEST_F(name, garbage_behind_the_end)
{
	__u8 bytes[KCUCKOO_NAME_SIZE] = "a";
	size_t i;

	for (i = 2; i < sizeof(bytes); i += 5) {
		memset(bytes + 1, 0, sizeof(bytes) - 1);
		bytes[i] = 'b';
		refused(_metadata, self->client.fd, bytes, -EINVAL, "a byte behind");
	}
	memset(bytes, 0, sizeof(bytes));
	bytes[1] = 'a';
	refused(_metadata, self->client.fd, bytes, -EINVAL, "starts with zero");
}

TEST_F(name, every_character)
{
	__u8 bytes[KCUCKOO_NAME_SIZE] = "";
	const struct operation *op = &operations[0];
	int character, place, expected;

	for (character = 1; character < 256; character++) {
		for (place = 0; place < 3; place++) {
			memcpy(bytes, "new", 3);
			bytes[place] = character;
			expected = allowed(character) ? 0 : -EINVAL;
			EXPECT_EQ(expected, with_name(self->client.fd, op, 0, bytes))
				TH_LOG("character %d at %d", character, place);
			if (expected)
				continue;
			bytes[KCUCKOO_NAME_SIZE - 1] = '\0';
			EXPECT_EQ(0, filter_destroy(self->client.fd, (char *)bytes));
		}
	}
	EXPECT_TRUE(world_same(self->client.fd));
}

TEST_F(name, bad_character_in_every_operation)
{
	static const char * const names[] = {
		"a b", "a/b", "../a", "a\n", "a\xff", "a*", "%s%n", "\xc3\xa4", " a", "a ",
	};
	__u8 bytes[KCUCKOO_NAME_SIZE];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		set_name(bytes, names[i]);
		refused(_metadata, self->client.fd, bytes, -EINVAL, names[i]);
	}
}

TEST_F(name, longest)
{
	const char *name = "0123456789_.:-ABCDEFGHIJKLMNopq";
	struct kcuckoo_list_entry entries[8];
	int fd = self->client.fd;

	ASSERT_EQ(KCUCKOO_NAME_SIZE - 1, strlen(name));
	EXPECT_EQ(0, filter_create(fd, name, 10));
	ASSERT_EQ(4, filter_list(fd, entries, 8));
	EXPECT_STREQ(name, (char *)entries[3].name);
	EXPECT_EQ(0, filter_entries(fd, name));
	EXPECT_EQ(0, filter_rename(fd, name, "short"));
	EXPECT_EQ(0, filter_rename(fd, "short", name));
	EXPECT_EQ(0, filter_destroy(fd, name));
	EXPECT_TRUE(world_same(fd));
}

TEST_F(name, case_and_prefix_tell_names_apart)
{
	int fd = self->client.fd;

	EXPECT_EQ(-ENOENT, filter_entries(fd, "A"));
	EXPECT_EQ(-ENOENT, filter_entries(fd, "aa"));
	EXPECT_EQ(-ENOENT, filter_entries(fd, "use"));
	EXPECT_EQ(-ENOENT, filter_entries(fd, "used."));
	EXPECT_EQ(0, filter_create(fd, "A", 10));
	EXPECT_EQ(1, filter_entries(fd, "a"));
	EXPECT_EQ(0, filter_entries(fd, "A"));
}

TEST_F(name, unknown_everywhere)
{
	const struct operation *op;
	__u8 bytes[KCUCKOO_NAME_SIZE];
	int which;

	set_name(bytes, "nobody");
	for (op = operations; op < operations_end; op++) {
		for (which = 0; which < 2 && op->names[which]; which++) {
			/* Names that are to be new, or may be. */
			if (op->request == KCUCKOO_IOC_CREATE ||
			    op->request == KCUCKOO_IOC_RESTORE ||
			    op->request == KCUCKOO_IOC_ATTACH ||
			    (op->request == KCUCKOO_IOC_RENAME && which == 1))
				continue;
			EXPECT_EQ(-ENOENT, with_name(self->client.fd, op, which, bytes))
				TH_LOG("%s, name %d", op->name, which);
		}
	}
	EXPECT_TRUE(world_same(self->client.fd));
}

TEST_F(name, taken)
{
	int fd = self->client.fd;

	EXPECT_EQ(-EEXIST, filter_create(fd, "a", 1000));
	EXPECT_EQ(-EEXIST, filter_create(fd, "used", 1));
	EXPECT_EQ(-EEXIST, filter_rename(fd, "a", "b"));
	EXPECT_EQ(-EEXIST, filter_rename(fd, "a", "used"));
	EXPECT_TRUE(world_same(fd));
}

TEST_F(name, free_again_after_destroy)
{
	int fd = self->client.fd;
	int i;

	for (i = 0; i < 20; i++) {
		EXPECT_EQ(0, filter_create(fd, "again", 1000));
		EXPECT_EQ(1, keys_add(fd, "again", world.keys, 1));
		EXPECT_EQ(0, filter_destroy(fd, "again"));
		EXPECT_EQ(-ENOENT, filter_entries(fd, "again"));
	}
	EXPECT_TRUE(world_same(fd));
}

TEST_HARNESS_MAIN
