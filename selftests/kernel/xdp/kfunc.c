// SPDX-License-Identifier: GPL-2.0-only
/*
 * What BPF programs are answered, in XDP and in tc: for every kind of key and
 * filter, through swaps and waits, and in which namespace.
 */
#include "bytes.h"

#include "bpf.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

/**
 * struct asker - the programs, loaded for one slot and one size of key
 * @object: both programs
 * @bss: map with their key
 * @data: map with the answer
 */
struct asker {
	struct bpf_object *object;
	struct bpf_map *bss;
	struct bpf_map *data;
};

FIXTURE(kfunc)
{
	struct client client;
};

FIXTURE_SETUP(kfunc)
{
	ASSERT_EQ(0, client_begin(&self->client));
}

FIXTURE_TEARDOWN(kfunc)
{
	EXPECT_EQ(0, client_end(&self->client));
}

static int silent(enum libbpf_print_level level, const char *format, va_list args)
{
	return level == LIBBPF_WARN ? vfprintf(stderr, format, args) : 0;
}

/* Not loaded yet. */
static bool asker_open(struct asker *asker, __u32 slot, __u32 size)
{
	const __u32 constants[] = { slot, size };
	struct bpf_map *map;

	libbpf_set_print(silent);
	asker->object = bpf_object__open_file("kfunc.bpf.o", NULL);
	if (!asker->object)
		return false;
	map = bpf_object__find_map_by_name(asker->object, ".rodata");
	asker->bss = bpf_object__find_map_by_name(asker->object, ".bss");
	asker->data = bpf_object__find_map_by_name(asker->object, ".data");
	return map && asker->bss && asker->data &&
	       !bpf_map__set_initial_value(map, constants, sizeof(constants));
}

static bool asker_begin(struct asker *asker, __u32 slot, __u32 size)
{
	return asker_open(asker, slot, size) && !bpf_object__load(asker->object);
}

/* Run one program on a packet that does not matter. */
static int run(const struct asker *asker, const char *name, const void *key, size_t size)
{
	__u8 packet[64] = {}, bytes[64] = {};
	struct bpf_test_run_opts options = {
		.sz = sizeof(options),
		.data_in = packet,
		.data_size_in = sizeof(packet),
	};
	struct bpf_program *program;
	__u32 zero = 0;
	int answer = 1000, fd = bpf_map__fd(asker->data);

	memcpy(bytes, key, size);
	program = bpf_object__find_program_by_name(asker->object, name);
	if (bpf_map_update_elem(fd, &zero, &answer, BPF_ANY) ||
	    bpf_map_update_elem(bpf_map__fd(asker->bss), &zero, bytes, BPF_ANY) ||
	    bpf_prog_test_run_opts(bpf_program__fd(program), &options) ||
	    bpf_map_lookup_elem(fd, &zero, &answer))
		return -1000;
	return answer;
}

/* Both programs have to give the same answer. */
static int ask(const struct asker *asker, const void *key, size_t size)
{
	int xdp = run(asker, "ask_xdp", key, size);
	int tc = run(asker, "ask_tc", key, size);

	return xdp == tc ? xdp : -2000;
}

static int ask_once(__u32 slot, const void *key, size_t size)
{
	struct asker asker;
	int answer = -3000;

	if (asker_begin(&asker, slot, size))
		answer = ask(&asker, key, size);
	bpf_object__close(asker.object);
	return answer;
}

static __u32 number(int fd, const char *name, __u32 flags)
{
	struct kcuckoo_ioc_slot slot = { .size = sizeof(slot), .flags = flags };

	set_name(slot.name, name);
	return call(fd, KCUCKOO_IOC_SLOT, &slot) ? 0 : slot.id;
}

static int ask_address(const struct asker *asker, const char *text)
{
	struct kcuckoo_prefix key = key_of(text);

	return ask(asker, key.addr, key.family == KCUCKOO_FAMILY_IPV4 ? 4 : 16);
}

TEST_F(kfunc, addresses)
{
	struct kcuckoo_prefix keys[] = {
		key_of("203.0.113.7"), key_of("198.51.100.0/24"),
		key_of("2001:db8::7"), key_of("2001:db8:bad::/48"),
	};
	int fd = self->client.fd;
	struct asker four, six;
	__u32 id;

	ASSERT_EQ(0, filter_create(fd, "a", 1000));
	ASSERT_EQ(4, keys_add(fd, "a", keys, 4));
	id = number(fd, "a", 0);
	ASSERT_TRUE(asker_begin(&four, id, 4));
	ASSERT_TRUE(asker_begin(&six, id, 16));
	EXPECT_EQ(1, ask_address(&four, "203.0.113.7"));
	EXPECT_EQ(0, ask_address(&four, "203.0.113.8"));
	EXPECT_EQ(1, ask_address(&four, "198.51.100.255"));
	EXPECT_EQ(0, ask_address(&four, "198.51.101.0"));
	EXPECT_EQ(1, ask_address(&six, "2001:db8::7"));
	EXPECT_EQ(0, ask_address(&six, "2001:db8::8"));
	EXPECT_EQ(1, ask_address(&six, "2001:db8:bad:1::1"));
	EXPECT_EQ(0, ask_address(&six, "2001:db8:bae::"));
	/* No address has this length. */
	EXPECT_EQ(-EINVAL, ask_once(id, "12345", 5));
	EXPECT_EQ(-EINVAL, ask_once(id, "123", 3));
	EXPECT_EQ(-EINVAL, ask_once(id, "1", 1));
	bpf_object__close(four.object);
	bpf_object__close(six.object);
}

static long long text_add(int fd, const char *name, const char *text)
{
	__u16 length = strlen(text);
	const struct strings strings = {
		.bytes = (__u8 *)text,
		.lengths = &length,
		.count = 1,
	};

	return strings_add(fd, name, &strings);
}

TEST_F(kfunc, byte_strings)
{
	int fd = self->client.fd;
	static const char * const in[] = { "1", "1234", "12345", "0123456789abcdef" };
	static const char * const out[] = { "2", "1235", "12346", "0123456789abcdeg" };
	size_t i;
	__u32 id;

	ASSERT_EQ(0, bytes_create(fd, "a", 1000, 32, 0));
	id = number(fd, "a", 0);
	for (i = 0; i < ARRAY_SIZE(in); i++) {
		ASSERT_EQ(1, text_add(fd, "a", in[i]));
		EXPECT_EQ(1, ask_once(id, in[i], strlen(in[i])))
			TH_LOG("%s", in[i]);
		EXPECT_EQ(0, ask_once(id, out[i], strlen(out[i])))
			TH_LOG("%s", out[i]);
	}
}

/* Loads the programs that have their key from a map, or says what the kernel says. */
static int asker_load_map(struct asker *asker)
{
	static const char * const names[] = { "ask_map_xdp", "ask_map_tc" };
	struct bpf_program *program;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		program = bpf_object__find_program_by_name(asker->object, names[i]);
		bpf_program__set_autoload(program, true);
	}
	libbpf_set_print(NULL);
	return bpf_object__load(asker->object);
}

/*
 * A program that does not look whether its map had the key: some kernels take it, and
 * it is told so; others do not.
 */
TEST_F(kfunc, a_key_that_is_not_there)
{
	static const struct { const char *name; __u32 size; int there; } cases[] = {
		{ "a", 4, 1 }, { "a", 16, 0 }, { "a", 5, -EINVAL }, { "b", 4, 0 }, { "b", 13, 0 },
	};
	struct kcuckoo_prefix key = key_of("203.0.113.7");
	int fd = self->client.fd, error, map;
	struct asker asker;
	__u32 zero = 0;
	size_t i;

	ASSERT_EQ(0, filter_create(fd, "a", 1000));
	ASSERT_EQ(1, keys_add(fd, "a", &key, 1));
	ASSERT_EQ(0, bytes_create(fd, "b", 1000, 32, 0));
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		ASSERT_TRUE(asker_open(&asker, number(fd, cases[i].name, 0), cases[i].size));
		error = asker_load_map(&asker);
		TH_LOG("%s, %u bytes, %s", cases[i].name, cases[i].size,
		       strerror(-error));
		if (error) {
			EXPECT_EQ(-EACCES, error);
			bpf_object__close(asker.object);
			continue;
		}
		EXPECT_EQ(-EINVAL, run(&asker, "ask_map_xdp", "", 0));
		EXPECT_EQ(-EINVAL, run(&asker, "ask_map_tc", "", 0));
		map = bpf_object__find_map_fd_by_name(asker.object, "keys");
		ASSERT_EQ(0, bpf_map_update_elem(map, &zero, key.addr, BPF_ANY));
		EXPECT_EQ(cases[i].there, run(&asker, "ask_map_xdp", "", 0));
		EXPECT_EQ(cases[i].there, run(&asker, "ask_map_tc", "", 0));
		bpf_object__close(asker.object);
	}
}

TEST_F(kfunc, a_number_without_filter_has_nothing)
{
	struct kcuckoo_prefix key = key_of("203.0.113.7");
	int fd = self->client.fd;
	struct asker asker;
	__u32 id;

	EXPECT_EQ(-ENOENT, ask_once(0, key.addr, 4));
	EXPECT_EQ(-ENOENT, ask_once(~0, key.addr, 4));
	id = number(fd, "new", KCUCKOO_SLOT_GET);
	ASSERT_NE(0, id);
	ASSERT_TRUE(asker_begin(&asker, id, 4));
	EXPECT_EQ(-ENOENT, ask(&asker, key.addr, 4));
	ASSERT_EQ(0, filter_create(fd, "new", 1000));
	EXPECT_EQ(0, ask(&asker, key.addr, 4));
	ASSERT_EQ(1, keys_add(fd, "new", &key, 1));
	EXPECT_EQ(1, ask(&asker, key.addr, 4));
	/* Held by nobody it can go, and its number with it. */
	number(fd, "new", KCUCKOO_SLOT_PUT);
	ASSERT_EQ(0, filter_destroy(fd, "new"));
	EXPECT_EQ(-ENOENT, ask(&asker, key.addr, 4));
	ASSERT_EQ(0, filter_create(fd, "new", 1000));
	ASSERT_EQ(1, keys_add(fd, "new", &key, 1));
	EXPECT_NE(0, number(fd, "new", 0));
	EXPECT_EQ(-ENOENT, ask(&asker, key.addr, 4));
	bpf_object__close(asker.object);
}

TEST_F(kfunc, swaps_take_effect)
{
	struct kcuckoo_prefix key = key_of("203.0.113.7");
	int fd = self->client.fd;
	struct asker asker;

	ASSERT_EQ(0, filter_create(fd, "a", 1000));
	ASSERT_EQ(0, filter_create(fd, "b", 1000));
	ASSERT_EQ(1, keys_add(fd, "b", &key, 1));
	ASSERT_TRUE(asker_begin(&asker, number(fd, "a", 0), 4));
	EXPECT_EQ(0, ask(&asker, key.addr, 4));
	ASSERT_EQ(0, filter_swap(fd, "a", "b"));
	EXPECT_EQ(1, ask(&asker, key.addr, 4));
	bpf_object__close(asker.object);
}

TEST_F(kfunc, another_namespace_has_other_numbers)
{
	struct kcuckoo_prefix key = key_of("203.0.113.7");
	int fd = self->client.fd;
	struct asker asker;

	ASSERT_EQ(0, filter_create(fd, "a", 1000));
	ASSERT_EQ(1, keys_add(fd, "a", &key, 1));
	ASSERT_TRUE(asker_begin(&asker, number(fd, "a", 0), 4));
	EXPECT_EQ(1, ask(&asker, key.addr, 4));
	/* Where a program runs decides, and not where it was loaded. */
	ASSERT_EQ(0, unshare(CLONE_NEWNET));
	EXPECT_EQ(-ENOENT, ask(&asker, key.addr, 4));
	ASSERT_EQ(0, setns(self->client.space, CLONE_NEWNET));
	EXPECT_EQ(1, ask(&asker, key.addr, 4));
	bpf_object__close(asker.object);
}

TEST_HARNESS_MAIN
