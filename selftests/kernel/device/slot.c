// SPDX-License-Identifier: GPL-2.0-only
/*
 * Numbers of names, for BPF programs, and what holds such a name: until it is
 * released, or as long as a network device lives.
 */

#include "client.h"

#include <net/if.h>
#include <sched.h>
#include <stdlib.h>

FIXTURE(slot)
{
	struct client client;
	__u32 device;
};

FIXTURE_SETUP(slot)
{
	ASSERT_EQ(0, client_begin(&self->client));
	ASSERT_EQ(0, system("ip link add v0 type veth peer name v1"));
	self->device = if_nametoindex("v0");
	ASSERT_NE(0, self->device);
	ASSERT_EQ(0, filter_create(self->client.fd, "a", 1000));
	ASSERT_EQ(0, filter_create(self->client.fd, "b", 1000));
}

FIXTURE_TEARDOWN(slot)
{
	EXPECT_EQ(0, client_end(&self->client));
}

static int slot_get(int fd, const char *name, __u32 ifindex)
{
	__u32 id = 0;
	int error = slot_request(fd, name, KCUCKOO_SLOT_GET, ifindex, &id);

	return error ? error : id ? 0 : -EPROTO;
}

static int slot_put(int fd, const char *name, __u32 ifindex)
{
	return slot_request(fd, name, KCUCKOO_SLOT_PUT, ifindex, NULL);
}

static __u32 number(int fd, const char *name)
{
	__u32 id = 0;

	return slot_request(fd, name, 0, 0, &id) ? 0 : id;
}

static __u32 waiting(int fd)
{
	struct kcuckoo_ioc_stats stats = {};

	return client_stats(fd, &stats) ? ~0 : stats.waiting;
}

TEST_F(slot, a_number_is_not_given_again)
{
	int fd = self->client.fd;
	__u32 a = number(fd, "a"), b = number(fd, "b");

	EXPECT_NE(0, a);
	EXPECT_NE(0, b);
	EXPECT_NE(a, b);
	EXPECT_EQ(a, number(fd, "a"));
	/* It is the name's, not the filter's. */
	EXPECT_EQ(0, filter_swap(fd, "a", "b"));
	EXPECT_EQ(a, number(fd, "a"));
	EXPECT_EQ(0, filter_rename(fd, "a", "c"));
	EXPECT_EQ(a, number(fd, "c"));
	EXPECT_EQ(0, filter_destroy(fd, "c"));
	EXPECT_EQ(0, filter_create(fd, "a", 1000));
	EXPECT_LT(b, number(fd, "a"));
	EXPECT_EQ(-ENOENT, slot_request(fd, "c", 0, 0, NULL));
}

TEST_F(slot, numbers_differ_between_namespaces)
{
	__u32 here = number(self->client.fd, "a"), there;
	int fd;

	ASSERT_EQ(0, unshare(CLONE_NEWNET));
	fd = client_open();
	ASSERT_LE(0, fd);
	EXPECT_EQ(0, filter_create(fd, "a", 1000));
	there = number(fd, "a");
	EXPECT_LT(here, there);
	close(fd);
	EXPECT_EQ(0, setns(self->client.space, CLONE_NEWNET));
}

TEST_F(slot, a_hold_keeps_the_name)
{
	int fd = self->client.fd;

	EXPECT_EQ(0, slot_get(fd, "a", 0));
	EXPECT_EQ(-EBUSY, filter_destroy(fd, "a"));
	EXPECT_EQ(-EBUSY, filter_rename(fd, "a", "c"));
	EXPECT_EQ(0, filter_swap(fd, "a", "b"));
	/* Each call adds one, and takes one away. */
	EXPECT_EQ(0, slot_get(fd, "a", 0));
	EXPECT_EQ(0, slot_put(fd, "a", 0));
	EXPECT_EQ(-EBUSY, filter_destroy(fd, "a"));
	EXPECT_EQ(0, slot_put(fd, "a", 0));
	EXPECT_EQ(-ENOENT, slot_put(fd, "a", 0));
	EXPECT_EQ(0, filter_destroy(fd, "a"));
}

static __u32 rules(int fd, const char *name)
{
	struct kcuckoo_ioc_info info = {};

	return filter_info(fd, name, &info) ? ~0 : info.rules;
}

/* Or else a feeder could make a list without end that RTNL's holders have to walk. */
TEST_F(slot, holds_of_a_name_are_one_user)
{
	int fd = self->client.fd, i;

	for (i = 0; i < 1000 && !slot_get(fd, "a", 0); i++)
		;
	EXPECT_EQ(1000, i);
	EXPECT_EQ(1, rules(fd, "a"));
	EXPECT_EQ(0, slot_get(fd, "a", self->device));
	EXPECT_EQ(2, rules(fd, "a"));
	for (i = 1; i < 1000 && !slot_put(fd, "a", 0); i++)
		;
	EXPECT_EQ(1000, i);
	EXPECT_EQ(2, rules(fd, "a"));
	EXPECT_EQ(0, slot_put(fd, "a", 0));
	EXPECT_EQ(1, rules(fd, "a"));
	EXPECT_EQ(0, slot_put(fd, "a", self->device));
	EXPECT_EQ(0, rules(fd, "a"));
}

TEST_F(slot, a_name_waits_for_its_filter)
{
	int fd = self->client.fd;
	__u32 id;

	EXPECT_EQ(-ENOENT, slot_request(fd, "new", 0, 0, NULL));
	EXPECT_EQ(0, slot_get(fd, "new", 0));
	EXPECT_EQ(1, waiting(fd));
	id = number(fd, "new");
	EXPECT_EQ(0, filter_create(fd, "new", 1000));
	EXPECT_EQ(0, waiting(fd));
	EXPECT_EQ(id, number(fd, "new"));
	EXPECT_EQ(0, slot_put(fd, "new", 0));
	EXPECT_EQ(0, filter_destroy(fd, "new"));
	EXPECT_EQ(0, slot_get(fd, "new", 0));
	EXPECT_EQ(0, slot_put(fd, "new", 0));
	EXPECT_EQ(0, waiting(fd));
}

TEST_F(slot, a_device_holds_a_name_once)
{
	int fd = self->client.fd;

	EXPECT_EQ(0, slot_get(fd, "a", self->device));
	EXPECT_EQ(-EEXIST, slot_get(fd, "a", self->device));
	EXPECT_EQ(0, slot_get(fd, "b", self->device));
	EXPECT_EQ(0, slot_get(fd, "a", if_nametoindex("v1")));
	EXPECT_EQ(-ENOENT, slot_put(fd, "a", 0));
	EXPECT_EQ(0, slot_put(fd, "a", self->device));
	EXPECT_EQ(-ENOENT, slot_put(fd, "a", self->device));
	EXPECT_EQ(-EBUSY, filter_destroy(fd, "a"));
	EXPECT_EQ(0, slot_put(fd, "a", if_nametoindex("v1")));
	EXPECT_EQ(0, filter_destroy(fd, "a"));
	EXPECT_EQ(-ENXIO, slot_get(fd, "b", 1 << 20));
}

TEST_F(slot, a_hold_ends_with_its_device)
{
	int fd = self->client.fd;

	EXPECT_EQ(0, slot_get(fd, "a", self->device));
	EXPECT_EQ(0, slot_get(fd, "b", self->device));
	EXPECT_EQ(0, slot_get(fd, "b", 0));
	EXPECT_EQ(0, slot_get(fd, "new", self->device));
	EXPECT_EQ(0, system("ip link del v0"));
	EXPECT_EQ(0, waiting(fd));
	EXPECT_EQ(0, filter_destroy(fd, "a"));
	EXPECT_EQ(-EBUSY, filter_destroy(fd, "b"));
	EXPECT_EQ(0, slot_put(fd, "b", 0));
	EXPECT_EQ(0, filter_destroy(fd, "b"));
}

TEST_F(slot, a_hold_ends_when_its_device_moves)
{
	int fd = self->client.fd;

	EXPECT_EQ(0, slot_get(fd, "a", self->device));
	/* The first process is in the machine's own namespace. */
	EXPECT_EQ(0, system("ip link set v0 netns 1 name moved0"));
	EXPECT_EQ(0, filter_destroy(fd, "a"));
	EXPECT_EQ(0, system("ip link del v1"));
}

TEST_F(slot, refused)
{
	int fd = self->client.fd;

	EXPECT_EQ(-EINVAL, slot_request(fd, "a", 3, 0, NULL));
	EXPECT_EQ(-EINVAL, slot_request(fd, "a", 0, self->device, NULL));
	EXPECT_EQ(-EINVAL, slot_request(fd, "a", KCUCKOO_SLOT_GET, 1U << 31, NULL));
	EXPECT_EQ(0, filter_destroy(fd, "a"));
}

TEST_F(slot, a_namespace_ends_with_holds)
{
	int fd = self->client.fd, other;

	ASSERT_EQ(0, unshare(CLONE_NEWNET));
	other = client_open();
	ASSERT_LE(0, other);
	EXPECT_EQ(0, system("ip link add v0 type veth peer name v1"));
	EXPECT_EQ(0, filter_create(other, "a", 1000));
	EXPECT_EQ(0, slot_get(other, "a", 0));
	EXPECT_EQ(0, slot_get(other, "a", if_nametoindex("v0")));
	EXPECT_EQ(0, slot_get(other, "new", 0));
	EXPECT_EQ(0, setns(self->client.space, CLONE_NEWNET));
	for (int i = 0; i < 600 && number(other, "a"); i++)
		client_sleep(0.1);
	EXPECT_EQ(-ENODEV, slot_get(other, "a", 0));
	EXPECT_EQ(-ENODEV, slot_put(other, "a", 0));
	close(other);
	EXPECT_EQ(0, filter_destroy(fd, "a"));
}

TEST_HARNESS_MAIN
