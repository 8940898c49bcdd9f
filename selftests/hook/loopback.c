// SPDX-License-Identifier: GPL-2.0-only
/*
 * The host's talk with itself is never dropped, whatever is listed.
 */

#include "link.h"

FIXTURE(loopback)
{
	struct client client;
};

FIXTURE_SETUP(loopback)
{
	ASSERT_EQ(0, link_begin(&self->client));
}

FIXTURE_TEARDOWN(loopback)
{
	EXPECT_EQ(0, link_end(&self->client));
}

/* From the host to itself, from @address to the same. */
static bool talks(const char *address)
{
	struct sockaddr_storage storage = {};
	struct sockaddr_in *four = (struct sockaddr_in *)&storage;
	struct sockaddr_in6 *six = (struct sockaddr_in6 *)&storage;
	socklen_t length;
	bool done;
	int fd;

	if (is_ipv6(address)) {
		six->sin6_family = AF_INET6;
		inet_pton(AF_INET6, address, &six->sin6_addr);
		length = sizeof(*six);
	} else {
		four->sin_family = AF_INET;
		inet_pton(AF_INET, address, &four->sin_addr);
		length = sizeof(*four);
	}
	fd = socket(storage.ss_family, SOCK_DGRAM, 0);
	if (fd < 0 || bind(fd, (struct sockaddr *)&storage, length))
		fail(address);
	six->sin6_port = htons(PORT);
	net.id++;
	done = sendto(fd, &net.id, sizeof(net.id), 0, (struct sockaddr *)&storage,
		      length) == sizeof(net.id);
	close(fd);
	settle();
	return done && arrived(HOST, net.id) == 1;
}

static void everything(struct __test_metadata *_metadata, const char *name)
{
	static const char * const own[] = {
		"127.0.0.1", "127.8.9.10", "::1", HOST4, HOST6, "10.2.0.1", "fd02::1",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(own); i++) {
		EXPECT_TRUE(talks(own[i]))
			TH_LOG("%s, %s", name, own[i]);
	}
}

static void rules_everywhere(struct __test_metadata *_metadata, int fd, const char *name)
{
	int hook, match;

	for (hook = KCUCKOO_HOOK_PREROUTING; hook <= KCUCKOO_HOOK_OUTPUT; hook++) {
		for (match = KCUCKOO_MATCH_SRC; match <= KCUCKOO_MATCH_DST; match++) {
			ASSERT_EQ(0, rule_attach(fd, name, hook, KCUCKOO_FAMILY_BOTH,
						 match, KCUCKOO_ACTION_DROP));
		}
	}
}

TEST_F(loopback, talks_without_rules)
{
	everything(_metadata, "no rules");
}

TEST_F(loopback, own_addresses_listed)
{
	struct kcuckoo_prefix keys[] = {
		key_of("127.0.0.0/8"), key_of("::1"), key_of(HOST4), key_of(HOST6),
		key_of("10.2.0.1"), key_of("fd02::/64"),
	};
	int fd = self->client.fd;

	ASSERT_EQ(ARRAY_SIZE(keys), keys_add(fd, "bad", keys, ARRAY_SIZE(keys)));
	rules_everywhere(_metadata, fd, "bad");
	everything(_metadata, "own addresses");
	EXPECT_FALSE(passes(GOOD4, HOST4));
	EXPECT_FALSE(passes(GOOD6, HOST6));
}

TEST_F(loopback, everything_listed)
{
	struct kcuckoo_prefix keys[] = { key_of("0.0.0.0/0"), key_of("::/0") };
	int fd = self->client.fd;

	ASSERT_EQ(ARRAY_SIZE(keys), keys_add(fd, "bad", keys, ARRAY_SIZE(keys)));
	rules_everywhere(_metadata, fd, "bad");
	everything(_metadata, "everything");
	EXPECT_FALSE(passes(GOOD4, HOST4));
	EXPECT_FALSE(leaves(PEER6));
}

/* An address of loopback that comes from outside is no loopback. */
TEST_F(loopback, outside_is_not_loopback)
{
	struct kcuckoo_prefix keys[] = { key_of("127.0.0.0/8"), key_of("::1") };
	struct frame frame;
	int fd = self->client.fd;

	ASSERT_EQ(2, keys_add(fd, "bad", keys, 2));
	ASSERT_EQ(0, rule_attach(fd, "bad", KCUCKOO_HOOK_PREROUTING, KCUCKOO_FAMILY_BOTH,
				 KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_DROP));
	frame_plain(&frame, MAC_P0, MAC_H0, "127.0.0.1", HOST4, 0, PAYLOAD);
	frame_send(&frame);
	settle();
	EXPECT_EQ(1, counters(fd, 0).packets);
	EXPECT_TRUE(talks("127.0.0.1"));
	EXPECT_EQ(1, counters(fd, 0).packets);
}

TEST_HARNESS_MAIN
