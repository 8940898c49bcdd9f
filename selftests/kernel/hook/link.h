/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Three network namespaces in a row:
 *
 *	peer p0 ------- h0 host h1 ------- f0 far
 *
 * The host, where the rules are, forwards. Frames are put on the links as they
 * are, so they may come from any address. All of it happens on one processor,
 * where packets keep their order: a marker that has arrived tells that what
 * was sent before it has met its fate. Nothing waits for time to pass.
 */
#ifndef KCUCKOO_LINK_H
#define KCUCKOO_LINK_H

#include "frame.h"

#include <poll.h>

#define HOST4	"10.1.0.1"
#define PEER4	"10.1.0.2"
#define OTHER4	"10.1.0.3"	/* the peer's second address */
#define FAR4	"10.2.0.2"
#define HOST6	"fd01::1"
#define PEER6	"fd01::2"
#define OTHER6	"fd01::3"
#define FAR6	"fd02::2"

/* Last byte of the Ethernet addresses. */
enum { MAC_H0 = 1, MAC_P0, MAC_H1, MAC_F0 };

enum place { HOST, PEER, FAR, PLACES };

/**
 * struct link - the namespaces and what is open in each
 * @space: the namespaces
 * @udp: sockets that receive on PORT, of both families
 * @wire: packet sockets; the host has two
 * @id: of the packet sent last
 * @marker: of the marker sent last
 */
struct link {
	int space[PLACES];
	int udp[PLACES];
	int wire_p0;
	int wire_h0;
	int wire_h1;
	int wire_f0;
	__u32 id;
	__u32 marker;
};

static struct link net;

static inline void fail(const char *what)
{
	printf("Bail out! %s: %s\n", what, strerror(errno));
	exit(1);
}

static inline void enter(enum place place)
{
	if (setns(net.space[place], CLONE_NEWNET))
		fail("setns");
}

/* Commands of ip(8) in a namespace, a line each; the caller stays where it is. */
static inline void ip_run(enum place place, const char *commands)
{
	pid_t child = fork();
	int status;
	FILE *pipe;

	if (!child) {
		enter(place);
		pipe = popen("ip -batch -", "w");
		_exit(!pipe || fputs(commands, pipe) < 0 || pclose(pipe));
	}
	if (child < 0 || waitpid(child, &status, 0) != child || status)
		fail(commands);
}

static inline void setting(enum place place, const char *name, const char *value)
{
	char path[100];
	int fd;

	enter(place);
	snprintf(path, sizeof(path), "/proc/sys/net/%s", name);
	fd = open(path, O_WRONLY);
	if (fd < 0 || write(fd, value, strlen(value)) < 0)
		fail(path);
	close(fd);
	enter(HOST);
}

static inline int wire_open(enum place place, const char *device)
{
	struct sockaddr_ll address = {
		.sll_family = AF_PACKET,
		.sll_protocol = htons(ETH_P_MARKER),
	};
	int fd;

	enter(place);
	address.sll_ifindex = if_nametoindex(device);
	fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, htons(ETH_P_MARKER));
	if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)))
		fail(device);
	enter(HOST);
	return fd;
}

static inline int udp_open(enum place place)
{
	struct sockaddr_in6 address = {
		.sin6_family = AF_INET6,
		.sin6_port = htons(PORT),
	};
	int fd, size = 1 << 22;

	enter(place);
	fd = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)) ||
	    setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof(size)))
		fail("udp");
	enter(HOST);
	return fd;
}

static inline void space_open(enum place place)
{
	if (unshare(CLONE_NEWNET))
		fail("unshare");
	net.space[place] = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	if (net.space[place] < 0)
		fail("/proc/self/ns/net");
}

/*
 * Puts a frame on a wire, as soon as the other end takes it: the kernel refuses what
 * comes in faster than it gets on, and says so. Returns 0 or a negative errno.
 */
static inline int wire_put(int wire, const struct frame *frame)
{
	double end = client_clock() + 60;

	while (send(wire, frame->bytes, frame->length, 0) < 0) {
		if (errno != ENOBUFS || client_clock() > end)
			return -errno;
		client_sleep(0.001);
	}
	return 0;
}

/* A marker from one end of a link to the other: has it come after @ms at most? */
static inline bool marked(int from, int to, int mac_from, int mac_to, int ms)
{
	struct pollfd poller = { .fd = to, .events = POLLIN };
	struct frame frame;
	__u32 id = 0;

	frame_begin(&frame, ETH_P_MARKER, mac_from, mac_to);
	net.marker++;
	memcpy(frame_push(&frame, sizeof(net.marker)), &net.marker, sizeof(net.marker));
	if (wire_put(from, &frame))
		return false;
	do {
		if (poll(&poller, 1, ms) != 1)
			return false;
		if (recv(to, frame.bytes, sizeof(frame.bytes), 0) < 18)
			continue;
		memcpy(&id, frame.bytes + sizeof(struct ethhdr), sizeof(id));
	} while (id != net.marker);
	return true;
}

/* A link carries nothing before the kernel has seen that both of its ends are up. */
static inline void mark_first(int from, int to, int mac_from, int mac_to)
{
	int tries;

	for (tries = 0; !marked(from, to, mac_from, mac_to, 100); tries++) {
		if (tries == 600)
			fail("a link stays down");
		client_sleep(0.1);
	}
}

static inline void mark(int from, int to, int mac_from, int mac_to)
{
	if (!marked(from, to, mac_from, mac_to, 60000))
		fail("a marker got lost");
}

static inline void link_settings(enum place place)
{
	setting(place, "ipv4/conf/all/rp_filter", "0");
	setting(place, "ipv4/conf/default/rp_filter", "0");
	setting(place, "ipv6/conf/all/accept_dad", "0");
	setting(place, "ipv6/conf/default/accept_dad", "0");
	setting(place, "ipv6/conf/default/accept_ra", "0");
	setting(place, "ipv6/conf/default/addr_gen_mode", "1");
}

static inline void link_open(void)
{
	char commands[1000];
	cpu_set_t cpus;
	int place;

	CPU_ZERO(&cpus);
	CPU_SET(0, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus))
		fail("sched_setaffinity");
	for (place = PLACES - 1; place >= 0; place--) {
		space_open(place);
		if (place != HOST)
			continue;
		link_settings(HOST);
		link_settings(PEER);
		link_settings(FAR);
	}
	setting(HOST, "ipv4/ip_forward", "1");
	setting(HOST, "ipv6/conf/all/forwarding", "1");

	snprintf(commands, sizeof(commands),
		 "link add p0 address 02:00:00:00:00:02 type veth peer h0 netns %d\n"
		 "link set p0 mtu 9000\n"
		 "link set p0 up\n"
		 "addr add " PEER4 "/24 dev p0\naddr add " OTHER4 "/24 dev p0\n"
		 "addr add " PEER6 "/64 dev p0 nodad\naddr add " OTHER6 "/64 dev p0 nodad\n",
		 getpid());
	ip_run(PEER, commands);
	snprintf(commands, sizeof(commands),
		 "link add f0 address 02:00:00:00:00:04 type veth peer h1 netns %d\n"
		 "link set f0 mtu 9000\n"
		 "link set f0 up\n"
		 "addr add " FAR4 "/24 dev f0\naddr add " FAR6 "/64 dev f0 nodad\n",
		 getpid());
	ip_run(FAR, commands);
	ip_run(HOST,
	       "link set lo up\n"
	       "link set h0 address 02:00:00:00:00:01 mtu 9000 up\n"
	       "link set h1 address 02:00:00:00:00:03 mtu 9000 up\n"
	       "addr add " HOST4 "/24 dev h0\naddr add " HOST6 "/64 dev h0 nodad\n"
	       "addr add 10.2.0.1/24 dev h1\naddr add fd02::1/64 dev h1 nodad\n"
	       "neigh add " PEER4 " lladdr 02:00:00:00:00:02 dev h0\n"
	       "neigh add " OTHER4 " lladdr 02:00:00:00:00:02 dev h0\n"
	       "neigh add " PEER6 " lladdr 02:00:00:00:00:02 dev h0\n"
	       "neigh add " OTHER6 " lladdr 02:00:00:00:00:02 dev h0\n"
	       "neigh add " FAR4 " lladdr 02:00:00:00:00:04 dev h1\n"
	       "neigh add " FAR6 " lladdr 02:00:00:00:00:04 dev h1\n");

	for (place = 0; place < PLACES; place++)
		net.udp[place] = udp_open(place);
	net.wire_p0 = wire_open(PEER, "p0");
	net.wire_h0 = wire_open(HOST, "h0");
	net.wire_h1 = wire_open(HOST, "h1");
	net.wire_f0 = wire_open(FAR, "f0");
	mark_first(net.wire_p0, net.wire_h0, MAC_P0, MAC_H0);
	mark_first(net.wire_h0, net.wire_p0, MAC_H0, MAC_P0);
	mark_first(net.wire_h1, net.wire_f0, MAC_H1, MAC_F0);
}

/* All that was sent has arrived, or never will. */
static inline void settle(void)
{
	mark(net.wire_p0, net.wire_h0, MAC_P0, MAC_H0);
	mark(net.wire_h1, net.wire_f0, MAC_H1, MAC_F0);
	mark(net.wire_h0, net.wire_p0, MAC_H0, MAC_P0);
}

/* Forget what has arrived. */
static inline void drain(void)
{
	char bytes[16];
	int place;

	settle();
	for (place = 0; place < PLACES; place++) {
		while (recv(net.udp[place], bytes, sizeof(bytes), MSG_TRUNC) >= 0)
			;
	}
}

/* How many datagrams with @id have arrived at @place; others are dropped. */
static inline int arrived(enum place place, __u32 id)
{
	__u32 found;
	int count = 0;

	while (recv(net.udp[place], &found, sizeof(found), MSG_TRUNC) >= 0)
		count += found == id;
	return count;
}

/* A frame from the peer to the host. */
static inline void frame_send(const struct frame *frame)
{
	if (wire_put(net.wire_p0, frame))
		fail("frame");
}

/* One UDP packet from @src to @dst by way of the host; does it arrive? */
static inline bool passes(const char *src, const char *dst)
{
	enum place place = strcmp(dst, FAR4) && strcmp(dst, FAR6) ? HOST : FAR;
	struct frame frame;
	__u32 id = ++net.id;

	frame_plain(&frame, MAC_P0, MAC_H0, src, dst, id, PAYLOAD);
	frame_send(&frame);
	settle();
	return arrived(place, id) == 1;
}

/* One UDP packet from the host itself; does it arrive at the peer? */
static inline bool leaves(const char *dst)
{
	struct sockaddr_in6 address = {
		.sin6_family = AF_INET6,
		.sin6_port = htons(PORT),
	};
	char text[64];
	char payload[PAYLOAD] = "";

	snprintf(text, sizeof(text), "%s%s", is_ipv6(dst) ? "" : "::ffff:", dst);
	if (inet_pton(AF_INET6, text, &address.sin6_addr) != 1)
		abort();
	net.id++;
	memcpy(payload, &net.id, sizeof(net.id));
	if (sendto(net.udp[HOST], payload, sizeof(payload), 0,
		   (struct sockaddr *)&address, sizeof(address)) < 0 && errno != EPERM)
		fail("sendto");
	settle();
	return arrived(PEER, net.id) == 1;
}

/* The counters of the rule at @index, counted from zero. */
static inline struct kcuckoo_rule counters(int fd, int index)
{
	struct kcuckoo_rule rules[32];

	memset(rules, POISON, sizeof(rules));
	rule_list(fd, rules, 32);
	return rules[index];
}

/*
 * What tests have in common: addresses that are listed in the filter "bad" and
 * such that are not, those beside them included.
 */
#define BAD4	"203.0.113.7"
#define BADNET4	"198.51.100.77"
#define GOOD4	"203.0.113.8"
#define BAD6	"2001:db8::7"
#define BADNET6	"2001:db8:bad:1::1"
#define GOOD6	"2001:db8::8"

static const char * const bad[] = { BAD4, BADNET4, BAD6, BADNET6 };
static const char * const good[] = {
	GOOD4, "203.0.113.6", "198.51.99.255", "198.51.101.0",
	GOOD6, "2001:db8::6", "2001:db8:bac:ffff::1", "2001:db8:bae::",
};

static inline const char *host_for(const char *address)
{
	return is_ipv6(address) ? HOST6 : HOST4;
}

static inline const char *far_for(const char *address)
{
	return is_ipv6(address) ? FAR6 : FAR4;
}

static inline int list_bad(int fd)
{
	struct kcuckoo_prefix keys[] = {
		key_of(BAD4), key_of("198.51.100.0/24"),
		key_of(BAD6), key_of("2001:db8:bad::/48"),
	};

	return filter_create(fd, "bad", 1000) ?:
	       (keys_add(fd, "bad", keys, ARRAY_SIZE(keys)) == 4 ? 0 : -EPROTO);
}

/* The host without rules and filters but "bad"; in the place of client_begin(). */
static inline int link_begin(struct client *client)
{
	enter(HOST);
	client->fd = client_open();
	if (client->fd < 0)
		return client->fd;
	client->log = log_open();
	client->space = dup(net.space[HOST]);
	client_clear(client->fd);
	drain();
	return list_bad(client->fd);
}

static inline int link_end(struct client *client)
{
	client_clear(client->fd);
	return client_end(client);
}

/* The namespaces are made once, before main(), for all tests of the program. */
static void __attribute__((constructor)) link_start(void)
{
	link_open();
}

#endif /* KCUCKOO_LINK_H */
