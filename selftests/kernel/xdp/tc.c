// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program of tc that looks sources up, on a device: exactly the listed ones are
 * dropped, by the filter of the device's namespace, as long as it is there.
 */
#include "sources.h"

#include "bpf.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

/**
 * struct guard - the program on what comes from a device
 * @object: the program
 * @hook: the place of programs
 * @options: its place among others
 */
struct guard {
	struct bpf_object *object;
	struct bpf_tc_hook hook;
	struct bpf_tc_opts options;
};

FIXTURE(tc)
{
	struct client client;
	struct guard guard;
};

FIXTURE_SETUP(tc)
{
	ASSERT_EQ(0, link_begin(&self->client));
	memset(&self->guard, 0, sizeof(self->guard));
}

/* The device's place of programs goes with all that are there. */
static int guard_end(struct guard *guard)
{
	int ret = 0;

	if (guard->hook.ifindex) {
		guard->hook.attach_point = BPF_TC_INGRESS | BPF_TC_EGRESS;
		ret = bpf_tc_hook_destroy(&guard->hook);
	}
	bpf_object__close(guard->object);
	memset(guard, 0, sizeof(*guard));
	return ret;
}

FIXTURE_TEARDOWN(tc)
{
	guard_end(&self->guard);
	EXPECT_EQ(0, link_end(&self->client));
}

static bool guard_load(struct guard *guard, __u32 slot)
{
	struct bpf_map *map;

	guard->object = bpf_object__open_file("tc.bpf.o", NULL);
	if (!guard->object)
		return false;
	map = bpf_object__find_map_by_name(guard->object, ".rodata");
	return map && !bpf_map__set_initial_value(map, &slot, sizeof(slot)) &&
	       !bpf_object__load(guard->object);
}

static int guard_attach(struct guard *guard, const char *device)
{
	struct bpf_program *program;
	int error;

	guard->hook.sz = sizeof(guard->hook);
	guard->hook.ifindex = if_nametoindex(device);
	guard->hook.attach_point = BPF_TC_INGRESS;
	error = bpf_tc_hook_create(&guard->hook);
	if (error)
		return error;
	program = bpf_object__find_program_by_name(guard->object, "drop_listed");
	guard->options.sz = sizeof(guard->options);
	guard->options.prog_fd = bpf_program__fd(program);
	return bpf_tc_attach(&guard->hook, &guard->options);
}

static int guard_detach(struct guard *guard)
{
	guard->options.prog_fd = 0;
	guard->options.prog_id = 0;
	guard->options.flags = 0;
	return bpf_tc_detach(&guard->hook, &guard->options);
}

/* The program for the filter of a number, on a device of the caller's namespace. */
static bool guard_begin(struct guard *guard, __u32 slot, const char *device)
{
	return guard_load(guard, slot) && !guard_attach(guard, device);
}

/* What the program has dropped so far. */
static long long dropped(const struct guard *guard)
{
	struct bpf_map *map = bpf_object__find_map_by_name(guard->object, ".bss");
	__u64 count;
	__u32 zero = 0;

	return map && !bpf_map_lookup_elem(bpf_map__fd(map), &zero, &count) ?
	       (long long)count : -1;
}

static __u32 number(int fd, const char *name)
{
	struct kcuckoo_ioc_slot slot = { .size = sizeof(slot) };

	set_name(slot.name, name);
	return call(fd, KCUCKOO_IOC_SLOT, &slot) ? 0 : slot.id;
}

TEST_F(tc, exactly_the_listed_sources_are_dropped)
{
	struct guard *guard = &self->guard;

	sources(_metadata, true, true);
	ASSERT_TRUE(guard_begin(guard, number(self->client.fd, "bad"), "h0"));
	sources(_metadata, false, false);
	EXPECT_EQ(8, dropped(guard));
	ASSERT_EQ(0, guard_detach(guard));
	sources(_metadata, true, true);
	EXPECT_EQ(8, dropped(guard));
}

TEST_F(tc, a_swap_takes_effect)
{
	struct guard *guard = &self->guard;
	int fd = self->client.fd;

	ASSERT_EQ(0, filter_create(fd, "other", 1000));
	ASSERT_TRUE(guard_begin(guard, number(fd, "other"), "h0"));
	sources(_metadata, true, true);
	ASSERT_EQ(0, filter_swap(fd, "bad", "other"));
	sources(_metadata, false, false);
	EXPECT_EQ(8, dropped(guard));
}

/* One frame from the host to the peer, with a source that is not the host's. */
static bool comes_back(const char *src)
{
	struct frame frame;
	__u32 id = ++net.id;

	frame_plain(&frame, MAC_H0, MAC_P0, src, is_ipv6(src) ? PEER6 : PEER4, id, PAYLOAD);
	if (wire_put(net.wire_h0, &frame))
		fail("frame");
	settle();
	return arrived(PEER, id) == 1;
}

/* The peer has a filter of the same name, with what the host's has not. */
TEST_F(tc, the_filter_is_of_the_namespace_of_the_device)
{
	struct kcuckoo_prefix keys[] = { key_of(GOOD4), key_of(GOOD6) };
	struct guard *guard = &self->guard;
	__u32 ours, theirs;
	int fd;

	enter(PEER);
	fd = client_open();
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, filter_create(fd, "bad", 1000));
	ASSERT_EQ(2, keys_add(fd, "bad", keys, 2));
	ours = number(self->client.fd, "bad");
	theirs = number(fd, "bad");
	ASSERT_NE(0, ours);
	ASSERT_NE(0, theirs);

	/* Where a program was loaded does not matter. */
	ASSERT_TRUE(guard_load(guard, ours));
	enter(HOST);
	ASSERT_EQ(0, guard_attach(guard, "h0"));
	sources(_metadata, false, false);
	EXPECT_EQ(8, dropped(guard));
	ASSERT_EQ(0, guard_end(guard));

	/* The number of theirs is nobody's here ... */
	ASSERT_TRUE(guard_begin(guard, theirs, "h0"));
	sources(_metadata, true, true);
	EXPECT_EQ(0, dropped(guard));
	ASSERT_EQ(0, guard_end(guard));

	/* ... and there it is, whoever sends the packet. */
	EXPECT_TRUE(comes_back(GOOD4));
	EXPECT_TRUE(comes_back(GOOD6));
	enter(PEER);
	ASSERT_TRUE(guard_begin(guard, theirs, "p0"));
	enter(HOST);
	EXPECT_FALSE(comes_back(GOOD4));
	EXPECT_FALSE(comes_back(GOOD6));
	EXPECT_TRUE(comes_back(BAD4));
	EXPECT_TRUE(comes_back(BAD6));
	EXPECT_EQ(2, dropped(guard));
	enter(PEER);
	EXPECT_EQ(0, guard_end(guard));
	EXPECT_EQ(0, filter_destroy(fd, "bad"));
	close(fd);
	enter(HOST);
}

TEST_HARNESS_MAIN
