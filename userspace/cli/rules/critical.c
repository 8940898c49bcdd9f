// SPDX-License-Identifier: GPL-2.0-only
/*
 * criticals_find() finds the critical addresses: the addresses and networks that this
 * host needs.
 *
 * criticals_find() gets the addresses from the kernel, from the variable SSH_CONNECTION,
 * and from files that other programs write in simple formats. It ignores a file that is
 * missing or has another format.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <glob.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "keywords.h"
#include "message.h"
#include "rules/critical.h"

/*
 * LEASE_BYTES is the maximum number of bytes that are read from a lease of dhcpcd. LINES
 * is the maximum number of lines that are read from a text file of another program; a
 * line that is longer than the buffer counts as several lines.
 */
#define LEASE_BYTES	2048
#define LINES		100000

static struct critical *critical_add(struct criticals *criticals,
				     enum role role,
				     const struct kcuckoo_prefix *key)
{
	struct critical *critical;
	int i;

	for (i = 0; i < criticals->count; i++) {
		critical = &criticals->list[i];
		if (!memcmp(&critical->key, key, sizeof(*key))) {
			critical->roles |= role;
			return critical;
		}
	}
	if (criticals->count == CRITICALS_MAX)
		return NULL;
	critical = &criticals->list[criticals->count++];
	memset(critical, 0, sizeof(*critical));
	critical->roles = role;
	critical->key = *key;
	return critical;
}

static void set_address(struct kcuckoo_prefix *key, int family, const void *addr)
{
	bool ipv4 = family == AF_INET;

	memset(key, 0, sizeof(*key));
	key->family = ipv4 ? KCUCKOO_FAMILY_IPV4 : KCUCKOO_FAMILY_IPV6;
	key->plen = ipv4 ? 32 : 128;
	memcpy(key->addr, addr, ipv4 ? 4 : 16);
}

static struct critical *add_address(struct criticals *criticals, enum role role,
				    int family, const void *addr)
{
	struct kcuckoo_prefix key;

	set_address(&key, family, addr);
	return critical_add(criticals, role, &key);
}

static bool is_host(const struct kcuckoo_prefix *key)
{
	return key->plen == (key->family == KCUCKOO_FAMILY_IPV4 ? 32 : 128);
}

static bool is_loopback(const struct kcuckoo_prefix *key)
{
	static const __u8 ipv6[16] = { [15] = 1 };

	return key->family == KCUCKOO_FAMILY_IPV4 ? key->addr[0] == 127 :
	       !memcmp(key->addr, ipv6, sizeof(ipv6));
}

/*
 * Cut off a zone, as in fe80::1%eth0, from @text. Ignore prefixes, loopback addresses
 * and invalid text. @local: out: true for a loopback address. Return: the entry, or NULL
 * if @text is ignored or @criticals is full.
 */
static struct critical *add_text(struct criticals *criticals, enum role role,
				 char *text, bool *local)
{
	struct kcuckoo_prefix key;

	*local = false;
	text[strcspn(text, "%")] = 0;
	if (kcuckoo_prefix_parse(text, &key, NULL) || !is_host(&key))
		return NULL;
	*local = is_loopback(&key);
	return *local ? NULL : critical_add(criticals, role, &key);
}

static const void *sockaddr_bytes(const struct sockaddr *addr)
{
	if (addr->sa_family == AF_INET)
		return &((const struct sockaddr_in *)addr)->sin_addr;
	return &((const struct sockaddr_in6 *)addr)->sin6_addr;
}

static int mask_length(const uint8_t *mask, int bytes)
{
	int bits = 0;

	while (bits < 8 * bytes && mask[bits / 8] & 0x80 >> bits % 8)
		bits++;
	return bits;
}

static void add_network(struct criticals *criticals, const struct ifaddrs *one)
{
	int bytes = one->ifa_addr->sa_family == AF_INET ? 4 : 16;
	struct kcuckoo_prefix key;
	struct critical *critical;
	int bit;

	set_address(&key, one->ifa_addr->sa_family, sockaddr_bytes(one->ifa_addr));
	if (one->ifa_netmask)
		key.plen = mask_length(sockaddr_bytes(one->ifa_netmask), bytes);
	if (!key.plen || key.plen == 8 * bytes)
		return;
	for (bit = key.plen; bit < 8 * bytes; bit++)
		key.addr[bit / 8] &= ~(0x80 >> bit % 8);
	critical = critical_add(criticals, ROLE_NETWORK, &key);
	if (critical && !*critical->source)
		snprintf(critical->source, sizeof(critical->source), "%s",
			 one->ifa_name);
}

/* The network of link-local addresses is the same for all devices. */
static void add_link_local(struct criticals *criticals)
{
	const struct kcuckoo_prefix key = {
		.family = KCUCKOO_FAMILY_IPV6,
		.plen = 64,
		.addr = { 0xfe, 0x80 },
	};

	critical_add(criticals, ROLE_LINK_LOCAL, &key);
}

static bool is_link_local(const struct sockaddr *addr)
{
	return addr->sa_family == AF_INET6 &&
	       IN6_IS_ADDR_LINKLOCAL((const struct in6_addr *)sockaddr_bytes(addr));
}

static bool is_loopback_sockaddr(const struct sockaddr *addr)
{
	struct kcuckoo_prefix key;

	set_address(&key, addr->sa_family, sockaddr_bytes(addr));
	return is_loopback(&key);
}

/*
 * Do not skip the loopback device, because it can have addresses of this host, such as
 * anycast addresses. Add networks of devices last, because addresses are more important if
 * @criticals becomes full.
 */
static void find_local(struct criticals *criticals)
{
	struct ifaddrs *all, *one;
	int networks;

	if (getifaddrs(&all))
		return;
	for (networks = 0; networks < 2; networks++) {
		for (one = all; one; one = one->ifa_next) {
			if (!one->ifa_addr ||
			    (one->ifa_addr->sa_family != AF_INET &&
			     one->ifa_addr->sa_family != AF_INET6) ||
			    is_loopback_sockaddr(one->ifa_addr))
				continue;
			if (is_link_local(one->ifa_addr))
				add_link_local(criticals);
			else if (networks)
				add_network(criticals, one);
			else
				add_address(criticals, ROLE_LOCAL,
					    one->ifa_addr->sa_family,
					    sockaddr_bytes(one->ifa_addr));
		}
	}
	freeifaddrs(all);
}

/*
 * Read the default gateways from /proc/self/net/route, whose lines have the form "Iface
 * Destination Gateway ... Mask ...". The kernel prints the four bytes of an address as
 * one number in the byte order of the host. sscanf() stores this number in the same
 * byte order, so the bytes in memory are those of the address.
 */
static void find_gateways_ipv4(struct criticals *criticals)
{
	FILE *file = fopen("/proc/self/net/route", "re");
	unsigned int destination, gateway, mask;
	char line[256];

	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%*s %x %x %*s %*s %*s %*s %x", &destination,
			   &gateway, &mask) != 3)
			continue;
		if (!destination && !mask && gateway)
			add_address(criticals, ROLE_GATEWAY, AF_INET, &gateway);
	}
	if (file)
		fclose(file);
}

/* Return: false if all of the 32 digits are zero or @text is invalid. */
static bool parse_hex(const char *text, uint8_t addr[16])
{
	unsigned int byte, any = 0;
	int i;

	for (i = 0; i < 16; i++) {
		if (sscanf(text + 2 * i, "%2x", &byte) != 1)
			return false;
		addr[i] = byte;
		any |= byte;
	}
	return any;
}

/*
 * Read the default gateways from /proc/self/net/ipv6_route, whose lines have the form
 * "destination length source length gateway ...".
 */
static void find_gateways_ipv6(struct criticals *criticals)
{
	FILE *file = fopen("/proc/self/net/ipv6_route", "re");
	char line[256], gateway[33];
	unsigned int length;
	uint8_t addr[16];

	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%*32s %x %*32s %*x %32[0-9a-f]", &length,
			   gateway) != 2 || strlen(gateway) != 32)
			continue;
		if (!length && parse_hex(gateway, addr))
			add_address(criticals, ROLE_GATEWAY, AF_INET6, addr);
	}
	if (file)
		fclose(file);
}

static pid_t parent_of(pid_t pid)
{
	char path[64], text[512], *after;
	int parent = 0;
	size_t length;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	file = fopen(path, "re");
	if (!file)
		return 0;
	length = fread(text, 1, sizeof(text) - 1, file);
	text[length] = 0;
	fclose(file);
	/* The name of the process is in brackets, and can contain brackets itself. */
	after = strrchr(text, ')');
	if (!after || sscanf(after, ") %*c %d", &parent) != 1)
		return 0;
	return parent;
}

static char *connection_of(pid_t pid)
{
	static const char name[] = "SSH_CONNECTION=";
	char path[64], *text = NULL, *found = NULL;
	size_t capacity = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/environ", pid);
	file = fopen(path, "re");
	if (!file)
		return NULL;
	while (!found && getdelim(&text, &capacity, 0, file) > 0)
		if (!strncmp(text, name, strlen(name)))
			found = strdup(text + strlen(name));
	free(text);
	fclose(file);
	return found;
}

/*
 * Return: a copy of SSH_CONNECTION of this process, or else of the nearest of 32
 * ancestors that has the variable; or NULL. sudo removes the variable, but an ancestor
 * of sudo still has it. The caller frees the copy.
 */
static char *ssh_connection(void)
{
	const char *own = getenv("SSH_CONNECTION");
	char *found = own ? strdup(own) : NULL;
	pid_t pid = getppid();
	int depth;

	for (depth = 0; !found && pid > 1 && depth < 32; depth++) {
		found = connection_of(pid);
		pid = parent_of(pid);
	}
	return found;
}

/*
 * SSH_CONNECTION has the form "PEER PORT OWN-ADDRESS OWN-PORT", where a link-local PEER
 * can end with %INTERFACE.
 */
static void find_peer(struct criticals *criticals)
{
	char *connection = ssh_connection();
	struct kcuckoo_prefix key;

	if (!connection)
		return;
	connection[strcspn(connection, " %")] = 0;
	if (kcuckoo_prefix_parse(connection, &key, NULL) == 0)
		critical_add(criticals, ROLE_PEER, &key);
	free(connection);
}

/* Return: true if one of the name servers in the file runs on this host. */
static bool read_resolvers(struct criticals *criticals, const char *path)
{
	FILE *file = fopen(path, "re");
	char line[256], address[128];
	bool local = false, loopback;
	struct critical *critical;
	int lines = 0;

	while (file && lines++ < LINES && fgets(line, sizeof(line), file)) {
		if (sscanf(line, " nameserver %127s", address) != 1)
			continue;
		critical = add_text(criticals, ROLE_RESOLVER, address, &loopback);
		/* The resolver also accepts short forms such as 127.1. */
		local |= loopback || !strncmp(address, "127.", 4);
		if (critical && !critical->resolver)
			critical->resolver = path;
	}
	if (file)
		fclose(file);
	return local;
}

/*
 * If a name server runs on this host, also add the servers to which it forwards queries,
 * if a file of @upstreams lists them.
 */
static void find_resolvers(const struct cli *cli, struct criticals *criticals)
{
	static const char * const upstreams[] = {
		"/run/systemd/resolve/resolv.conf",
		"/run/NetworkManager/no-stub-resolv.conf",
		"/run/dnsmasq/resolv.conf",
	};
	static char own[256];
	const char *path = "/etc/resolv.conf";
	size_t i;

	/* 'ip netns exec' mounts /etc/netns/NAME/resolv.conf as /etc/resolv.conf. */
	if (cli->netns && !strchr(cli->netns, '/')) {
		snprintf(own, sizeof(own), "/etc/netns/%s/resolv.conf", cli->netns);
		if (!access(own, R_OK))
			path = own;
	}
	if (!read_resolvers(criticals, path))
		return;
	for (i = 0; i < sizeof(upstreams) / sizeof(*upstreams); i++)
		read_resolvers(criticals, upstreams[i]);
}

/*
 * Parse a lease file in a text format: systemd-networkd and NetworkManager write
 * "SERVER_ADDRESS=address", dhclient writes "option dhcp-server-identifier address;". If
 * a file has several leases, use the server of the last lease that is read.
 */
static void read_lease(char address[128], FILE *file)
{
	char line[512];
	int lines = 0;

	while (lines++ < LINES && fgets(line, sizeof(line), file))
		if (sscanf(line, " SERVER_ADDRESS=%127[0-9.]", address) != 1)
			sscanf(line, " option dhcp-server-identifier %127[0-9.]",
			       address);
}

/*
 * Parse a lease of dhcpcd, which is a DHCP message: bytes 236 to 239 are a fixed
 * cookie, and the options begin at byte 240. Set @address to the DHCP server, which is
 * option 54.
 */
static void read_message(char address[128], FILE *file)
{
	static const uint8_t cookie[] = { 99, 130, 83, 99 };
	uint8_t message[LEASE_BYTES];
	size_t length = fread(message, 1, sizeof(message), file);
	size_t at = 240;

	if (length < at || memcmp(message + at - 4, cookie, sizeof(cookie)))
		return;
	while (at + 2 <= length && message[at] != 255) {
		size_t size = message[at] ? 2 + message[at + 1] : 1;

		if (message[at] == 54 && size == 6 && at + size <= length)
			inet_ntop(AF_INET, message + at + 2, address, 128);
		at += size;
	}
}

/* @read sets @address to the server of a lease, or leaves it empty. */
static void find_dhcp_of(struct criticals *criticals, const char *pattern,
			 void (*read)(char address[128], FILE *file))
{
	glob_t found;
	size_t i;

	if (glob(pattern, 0, NULL, &found))
		return;
	for (i = 0; i < found.gl_pathc; i++) {
		FILE *file = fopen(found.gl_pathv[i], "re");
		char address[128] = "";
		struct critical *critical;
		bool local;

		if (!file)
			continue;
		read(address, file);
		fclose(file);
		critical = *address ? add_text(criticals, ROLE_DHCP, address,
					       &local) : NULL;
		if (critical && !*critical->source)
			snprintf(critical->source, sizeof(critical->source),
				 "%s", found.gl_pathv[i]);
	}
	globfree(&found);
}

static void find_dhcp(struct criticals *criticals)
{
	find_dhcp_of(criticals, "/run/systemd/netif/leases/*", read_lease);
	find_dhcp_of(criticals, "/var/lib/NetworkManager/*.lease", read_lease);
	find_dhcp_of(criticals, "/var/lib/dhcp/dhclient*.leases", read_lease);
	find_dhcp_of(criticals, "/var/lib/dhcpcd/*.lease", read_message);
}

static void find_unspecified(struct criticals *criticals)
{
	static const uint8_t zeros[16];

	add_address(criticals, ROLE_NO_IPV4, AF_INET, zeros);
	add_address(criticals, ROLE_NO_IPV6, AF_INET6, zeros);
}

void criticals_find(const struct cli *cli, struct criticals *criticals)
{
	criticals->count = 0;
	find_peer(criticals);
	find_gateways_ipv4(criticals);
	find_gateways_ipv6(criticals);
	find_resolvers(cli, criticals);
	find_dhcp(criticals);
	find_unspecified(criticals);
	find_local(criticals);
}

/* Return: false if @line, a line of the file of criticals_add_file(), is bad. */
static bool add_earlier(struct criticals *criticals, const char *line)
{
	struct critical *critical;
	struct kcuckoo_prefix key;
	char address[128];
	long long seen = 0;
	int end = 0;

	if (sscanf(line, "%127s%n %lld%n", address, &end, &seen, &end) < 1 ||
	    line[end] || kcuckoo_prefix_parse(address, &key, NULL) || !is_host(&key))
		return false;
	if (seen && time(NULL) - seen > CRITICAL_AGE_MAX)
		return true;
	critical = critical_add(criticals, ROLE_EARLIER, &key);
	if (critical)
		critical->seen = seen;
	return true;
}

void criticals_add_file(struct criticals *criticals, const char *path)
{
	FILE *file = fopen(path, "re");
	char line[256];
	int number = 0;

	if (!file && errno != ENOENT)
		warn("cannot read %s: %s", path, strerror(errno));
	while (file && number++ < CRITICALS_MAX && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = 0;
		if (!add_earlier(criticals, line))
			warn("%s:%d: this is not an address", path, number);
	}
	if (file)
		fclose(file);
}

static const char *role_text(const struct critical *critical, enum role role,
			     char text[CRITICAL_TEXT])
{
	char device[DEVICE_TEXT];

	switch (role) {
	case ROLE_LOCAL:
		return "an address of this host";
	case ROLE_GATEWAY:
		return "the default gateway";
	case ROLE_PEER:
		return "the other end of this SSH connection";
	case ROLE_RESOLVER:
		snprintf(text, CRITICAL_TEXT, "a name server listed in %s",
			 critical->resolver);
		return text;
	case ROLE_DHCP:
		snprintf(text, CRITICAL_TEXT, "the DHCP server in the lease file %s",
			 critical->source);
		return text;
	case ROLE_NO_IPV4:
		return "the source of DHCP requests";
	case ROLE_NO_IPV6:
		return "the source of IPv6 duplicate address detection";
	case ROLE_EARLIER:
		return "an address that this host needed at an earlier apply";
	case ROLE_LINK_LOCAL:
		return "the link-local addresses, which IPv6 neighbour discovery needs";
	default:
		snprintf(text, CRITICAL_TEXT, "the network of %s",
			 device_text(critical->source, device));
		return text;
	}
}

const char *critical_text(const struct critical *critical, int roles,
			  char text[CRITICAL_TEXT])
{
	char one[CRITICAL_TEXT];
	size_t length = 0;
	int role;

	*text = 0;
	for (role = 1; role <= ROLE_NETWORK; role <<= 1)
		if (critical->roles & roles & role && length < CRITICAL_TEXT)
			length += snprintf(text + length,
					   CRITICAL_TEXT - length, "%s%s",
					   length ? " and " : "",
					   role_text(critical, role, one));
	return text;
}
