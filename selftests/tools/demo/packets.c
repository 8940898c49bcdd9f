// SPDX-License-Identifier: GPL-2.0-only
/*
 * packets LIST SEED open|filtered
 *
 * Send UDP packets from thousands of addresses, listed and not, and tell which of
 * them arrive. Between the network namespaces "internet" and "server" runs a veth
 * pair, eth0 at both ends. Packets are put on it as whole frames, so they may come
 * from any address; in the server ordinary UDP sockets receive them.
 *
 * Nothing is lost but what somebody drops: all of it happens on one processor,
 * where packets keep their order, so a marker (a frame of another protocol, which no
 * firewall sees) that has arrived tells that what was sent before it has met its
 * fate. No queue on the way is shorter than what is sent between two markers.
 *
 * One line for each family and kind goes to stdout:
 *	ipv4|ipv6 listed|unlisted SENT ARRIVED
 * Packets that met another fate than expected are named on stderr. When "open" all
 * must arrive, when "filtered" those from unlisted addresses and no others.
 *
 * Exit status: 0 all as expected, 1 not so, 2 that could not be found out.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/udp.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "networks.h"

#define ARRAY_SIZE(x)	((int)(sizeof(x) / sizeof((x)[0])))

#define DEVICE		"eth0"
#define SERVER4		"192.0.2.1"
#define SERVER6		"2001:db8::1"
#define PORT		7777

/* Packets of a family and kind. */
#define WANTED		10000

/* Candidates looked at before giving up, for lists that leave few of a kind. */
#define TRIES		(20 * WANTED)

/* Less than net.core.netdev_max_backlog, which is 1000. */
#define BATCH		250

/* Enough for a batch in a socket. */
#define RECEIVE_BYTES	(4 << 20)

/* How long a marker may take: an emulated machine may have to wait for the host. */
#define MARKER_MS	60000

/* Offenders named; further ones are only counted. */
#define NAMED		5

/* One of the EtherTypes for local experiments. */
#define ETH_P_MARKER	0x88b5

static const unsigned char server_mac[ETH_ALEN] = { 2, 0, 0, 0, 0, 1 };
static const unsigned char internet_mac[ETH_ALEN] = { 2, 0, 0, 0, 0, 2 };

static const char * const family_names[FAMILIES] = { "ipv4", "ipv6" };

/**
 * struct probe - one packet
 * @source: the address it claims to come from
 * @family: of that address
 * @listed: what the list says
 * @arrived: how often it arrived
 */
struct probe {
	unsigned __int128 source;
	enum family family;
	bool listed;
	int arrived;
};

static struct networks networks[FAMILIES];
static struct probe probes[FAMILIES * 2 * WANTED];
static uint32_t probe_count;
static uint64_t random_state;

static int sender = -1;
static int marker = -1;
static int receivers[FAMILIES] = { -1, -1 };

/* splitmix64: short, and good enough for choosing addresses. */
static uint64_t random64(void)
{
	uint64_t x = random_state += 0x9e3779b97f4a7c15;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	return x ^ x >> 31;
}

static unsigned __int128 random128(void)
{
	unsigned __int128 high = random64();

	return high << 64 | random64();
}

/* The network @text/@length holds @address. */
static bool within(enum family family, unsigned __int128 address, const char *text,
		   int length)
{
	unsigned char bytes[16];

	if (inet_pton(family == IPV4 ? AF_INET : AF_INET6, text, bytes) != 1)
		errx(2, "%s: not an address", text);
	return (address ^ address_from_bytes(family, bytes)) >>
		       (family_bits(family) - length) == 0;
}

/*
 * Whether a packet from @address can arrive at all. The kernel takes none from
 * addresses that cannot be a source, nor from the server's own.
 */
static bool is_possible(enum family family, unsigned __int128 address)
{
	static const struct {
		enum family family;
		const char *text;
		int length;
	} impossible[] = {
		{ IPV4, "0.0.0.0", 8 },		/* this network */
		{ IPV4, "127.0.0.0", 8 },	/* loopback */
		{ IPV4, "169.254.0.0", 16 },	/* link-local */
		{ IPV4, "192.0.2.0", 24 },	/* SERVER4 */
		{ IPV4, "224.0.0.0", 3 },	/* multicast, reserved, broadcast */
		{ IPV6, "::", 8 },		/* unspecified, loopback, mapped IPv4 */
		{ IPV6, "2001:db8::", 64 },	/* SERVER6 */
		{ IPV6, "fe80::", 10 },		/* link-local */
		{ IPV6, "ff00::", 8 },		/* multicast */
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(impossible); i++)
		if (impossible[i].family == family &&
		    within(family, address, impossible[i].text, impossible[i].length))
			return false;
	return true;
}

/* Take @address if it is of the kind wanted and there is room in @left. */
static void offer(enum family family, bool listed, unsigned __int128 address, int *left)
{
	struct probe *probe = &probes[probe_count];

	if (!*left || !is_possible(family, address) ||
	    !networks_find(&networks[family], address) == listed)
		return;
	probe->source = address;
	probe->family = family;
	probe->listed = listed;
	probe_count++;
	--*left;
}

/* The first, the last and a middle address of entries. */
static void choose_listed(enum family family)
{
	const struct networks *list = &networks[family];
	int left = WANTED, tries;

	for (tries = 0; left && tries < TRIES && list->entry_count; tries++) {
		const struct range *entry = &list->entries[random64() % list->entry_count];
		unsigned __int128 rest = entry->last - entry->first;

		offer(family, true, entry->first, &left);
		if (rest)
			offer(family, true, entry->last, &left);
		if (rest > 1)
			offer(family, true, entry->first + 1 + random128() % (rest - 1), &left);
	}
}

/*
 * Those right beside an entry, those of which one bit is not as in an entry, and
 * any at all: for IPv6 of the part from which addresses are given out.
 */
static void choose_unlisted(enum family family)
{
	const struct networks *list = &networks[family];
	int bits = family_bits(family);
	int left = WANTED, tries;

	for (tries = 0; left && tries < TRIES; tries++) {
		unsigned __int128 any = random128() >> (128 - bits);

		if (family == IPV6)
			any = any >> 3 | (unsigned __int128)1 << 125;
		offer(family, false, any, &left);
		if (list->entry_count) {
			const struct range *entry =
				&list->entries[random64() % list->entry_count];
			unsigned __int128 bit = random64() % bits;

			/* Beyond either end of the address space lies the other end. */
			any = (entry->last + 1) << (128 - bits) >> (128 - bits);
			offer(family, false, any, &left);
			any = (entry->first - 1) << (128 - bits) >> (128 - bits);
			offer(family, false, any, &left);
			offer(family, false, entry->first ^ (unsigned __int128)1 << bit, &left);
		}
	}
}

/* All kinds, in any order. */
static void choose(void)
{
	enum family family;
	uint32_t i;

	for (family = 0; family < FAMILIES; family++) {
		choose_listed(family);
		choose_unlisted(family);
	}
	for (i = probe_count; i > 1; i--) {
		uint32_t other = random64() % i;
		struct probe probe = probes[other];

		probes[other] = probes[i - 1];
		probes[i - 1] = probe;
	}
}

static void enter(const char *namespace)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/run/netns/%s", namespace);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || setns(fd, CLONE_NEWNET))
		err(2, "%s", path);
	close(fd);
}

/* A socket for whole frames; it receives those of @protocol, none if that is 0. */
static int open_wire(int protocol)
{
	struct sockaddr_ll address = {
		.sll_family = AF_PACKET,
		.sll_protocol = htons(protocol),
		.sll_ifindex = if_nametoindex(DEVICE),
	};
	int fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);

	if (fd < 0 || !address.sll_ifindex ||
	    bind(fd, (struct sockaddr *)&address, sizeof(address)))
		err(2, "packet socket on " DEVICE);
	return fd;
}

static int open_receiver(enum family family)
{
	struct sockaddr_in ipv4 = { .sin_family = AF_INET, .sin_port = htons(PORT) };
	struct sockaddr_in6 ipv6 = { .sin6_family = AF_INET6, .sin6_port = htons(PORT) };
	int size = RECEIVE_BYTES, on = 1, ret, fd;

	fd = socket(family == IPV4 ? AF_INET : AF_INET6,
		    SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof(size)))
		err(2, "UDP socket");
	if (family == IPV4)
		ret = bind(fd, (struct sockaddr *)&ipv4, sizeof(ipv4));
	else
		ret = setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof(on)) ?:
		      bind(fd, (struct sockaddr *)&ipv6, sizeof(ipv6));
	if (ret)
		err(2, "UDP socket");
	return fd;
}

static void open_sockets(void)
{
	cpu_set_t first;
	int family;

	CPU_ZERO(&first);
	CPU_SET(0, &first);
	if (sched_setaffinity(0, sizeof(first), &first))
		err(2, "sched_setaffinity");
	enter("internet");
	sender = open_wire(0);
	enter("server");
	marker = open_wire(ETH_P_MARKER);
	for (family = 0; family < FAMILIES; family++)
		receivers[family] = open_receiver(family);
}

/* The Internet checksum of an even number of bytes, on top of @sum, not yet folded. */
static uint32_t sum_bytes(uint32_t sum, const void *bytes, size_t length)
{
	const unsigned char *at = bytes;
	size_t i;

	for (i = 0; i < length; i += 2)
		sum += at[i] << 8 | at[i + 1];
	return sum;
}

static uint16_t sum_end(uint32_t sum)
{
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return htons(~sum & 0xffff);
}

/**
 * struct datagram - what every packet carries
 * @udp: its header
 * @id: the number of the probe
 */
struct datagram {
	struct udphdr udp;
	uint32_t id;
};

/* Return: the length of the IPv4 packet written to @at. */
static size_t write_ipv4(unsigned char *at, const struct probe *probe,
			 const struct datagram *datagram)
{
	struct iphdr header = {
		.version = 4,
		.ihl = sizeof(header) / 4,
		.tot_len = htons(sizeof(header) + sizeof(*datagram)),
		.ttl = 64,
		.protocol = IPPROTO_UDP,
	};

	address_to_bytes(IPV4, probe->source, &header.saddr);
	inet_pton(AF_INET, SERVER4, &header.daddr);
	header.check = sum_end(sum_bytes(0, &header, sizeof(header)));
	memcpy(at, &header, sizeof(header));
	/* IPv4 allows a datagram to have no checksum. */
	memcpy(at + sizeof(header), datagram, sizeof(*datagram));
	return sizeof(header) + sizeof(*datagram);
}

static size_t write_ipv6(unsigned char *at, const struct probe *probe,
			 struct datagram *datagram)
{
	struct ipv6hdr header = {
		.version = 6,
		.payload_len = htons(sizeof(*datagram)),
		.nexthdr = IPPROTO_UDP,
		.hop_limit = 64,
	};
	uint32_t sum = IPPROTO_UDP + sizeof(*datagram);

	address_to_bytes(IPV6, probe->source, &header.saddr);
	inet_pton(AF_INET6, SERVER6, &header.daddr);
	sum = sum_bytes(sum, &header.saddr, sizeof(header.saddr));
	sum = sum_bytes(sum, &header.daddr, sizeof(header.daddr));
	sum = sum_bytes(sum, datagram, sizeof(*datagram));
	/* 0 would mean that there is none. */
	datagram->udp.check = sum_end(sum) ?: 0xffff;
	memcpy(at, &header, sizeof(header));
	memcpy(at + sizeof(header), datagram, sizeof(*datagram));
	return sizeof(header) + sizeof(*datagram);
}

/* A frame begins in the same way whatever it carries. Return: where that comes. */
static unsigned char *write_ethernet(unsigned char *frame, int protocol)
{
	struct ethhdr header = { .h_proto = htons(protocol) };

	memcpy(header.h_dest, server_mac, ETH_ALEN);
	memcpy(header.h_source, internet_mac, ETH_ALEN);
	memcpy(frame, &header, sizeof(header));
	return frame + sizeof(header);
}

static void send_frame(const unsigned char *frame, size_t length)
{
	if (send(sender, frame, length, 0) != (ssize_t)length)
		err(2, "sending");
}

static void send_probe(uint32_t id)
{
	const struct probe *probe = &probes[id];
	bool ipv4 = probe->family == IPV4;
	struct datagram datagram = {
		.udp = {
			.source = htons(PORT),
			.dest = htons(PORT),
			.len = htons(sizeof(datagram)),
		},
		.id = id,
	};
	unsigned char frame[128], *at;

	at = write_ethernet(frame, ipv4 ? ETH_P_IP : ETH_P_IPV6);
	at += ipv4 ? write_ipv4(at, probe, &datagram) : write_ipv6(at, probe, &datagram);
	send_frame(frame, at - frame);
}

/* Return once all that was sent so far has arrived or never will. */
static void await_marker(uint32_t number)
{
	struct pollfd incoming = { .fd = marker, .events = POLLIN };
	unsigned char frame[ETH_ZLEN] = { 0 }, *at;
	uint32_t found;

	at = write_ethernet(frame, ETH_P_MARKER);
	memcpy(at, &number, sizeof(number));
	send_frame(frame, sizeof(frame));
	do {
		if (poll(&incoming, 1, MARKER_MS) != 1)
			errx(2, "a marker did not arrive: is the link up?");
		if (recv(marker, frame, sizeof(frame), 0) < 0)
			err(2, "marker");
		memcpy(&found, at, sizeof(found));
	} while (found != number);
}

/* Whom does what has arrived come from? */
static void receive(enum family family)
{
	struct sockaddr_in6 address;
	const void *source = &((struct sockaddr_in *)&address)->sin_addr;
	uint32_t id;

	if (family == IPV6)
		source = &address.sin6_addr;
	for (;;) {
		socklen_t size = sizeof(address);
		ssize_t length = recvfrom(receivers[family], &id, sizeof(id), MSG_TRUNC,
					  (struct sockaddr *)&address, &size);

		if (length < 0 && errno == EAGAIN)
			return;
		if (length < 0)
			err(2, "receiving");
		if (length != sizeof(id) || id >= probe_count ||
		    probes[id].family != family ||
		    probes[id].source != address_from_bytes(family, source))
			errx(2, "a packet arrived that was not sent");
		if (++probes[id].arrived > 1)
			errx(2, "a packet arrived twice");
	}
}

static void send_all(void)
{
	uint32_t id;

	for (id = 0; id < probe_count; id++) {
		send_probe(id);
		if ((id + 1) % BATCH && id + 1 < probe_count)
			continue;
		await_marker(id);
		receive(IPV4);
		receive(IPV6);
	}
}

static void name_offender(const struct probe *probe)
{
	char source[TEXT_SIZE], first[TEXT_SIZE], last[TEXT_SIZE];
	const struct range *range;

	address_text(probe->family, probe->source, source);
	range = networks_find(&networks[probe->family], probe->source);
	if (range)
		fprintf(stderr, "%s (listed: %s - %s)", source,
			address_text(probe->family, range->first, first),
			address_text(probe->family, range->last, last));
	else
		fprintf(stderr, "%s (not listed)", source);
	fprintf(stderr, " %s\n", probe->arrived ? "got through" : "was dropped");
}

/* Return: how many met another fate than expected. */
static uint32_t judge(enum family family, bool listed, bool filtered)
{
	uint32_t sent = 0, arrived = 0, wrong = 0, i;

	for (i = 0; i < probe_count; i++) {
		const struct probe *probe = &probes[i];

		if (probe->family != family || probe->listed != listed)
			continue;
		sent++;
		arrived += probe->arrived;
		if (probe->arrived == !(filtered && listed))
			continue;
		if (wrong++ < NAMED)
			name_offender(probe);
	}
	if (wrong > NAMED)
		fprintf(stderr, "... and %u more\n", wrong - NAMED);
	printf("%s %s %u %u\n", family_names[family], listed ? "listed" : "unlisted", sent,
	       arrived);
	return wrong;
}

int main(int argc, char **argv)
{
	uint32_t wrong = 0;
	bool filtered;
	int family;

	if (argc != 4 || (strcmp(argv[3], "open") && strcmp(argv[3], "filtered")))
		errx(2, "usage: packets LIST SEED open|filtered");
	networks_read(networks, argv[1]);
	random_state = strtoull(argv[2], NULL, 10);
	filtered = !strcmp(argv[3], "filtered");

	choose();
	open_sockets();
	send_all();
	for (family = 0; family < FAMILIES; family++) {
		wrong += judge(family, true, filtered);
		wrong += judge(family, false, filtered);
	}
	return wrong ? 1 : 0;
}
