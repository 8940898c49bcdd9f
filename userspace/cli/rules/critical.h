/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * criticals_find() finds the critical addresses: the addresses and networks that this
 * host needs, such as its own addresses and its gateways. criticals_add_file() adds the
 * addresses that this host needed earlier.
 */
#ifndef KCUCKOO_CLI_CRITICAL_H
#define KCUCKOO_CLI_CRITICAL_H

#include <time.h>

#include "cli.h"

/* Roles of an address or network for this host. An address can have several roles. */
enum role {
	ROLE_LOCAL	= 1 << 0,	/* an address of this host */
	ROLE_GATEWAY	= 1 << 1,	/* the default gateway */
	ROLE_PEER	= 1 << 2,	/* the other end of the SSH connection */
	ROLE_RESOLVER	= 1 << 3,	/* a name server */
	ROLE_DHCP	= 1 << 4,	/* the DHCP server of a lease */
	ROLE_NO_IPV4	= 1 << 5,	/* 0.0.0.0, the source address of a host without address */
	ROLE_NO_IPV6	= 1 << 6,	/* ::, the source address of a host without address */
	ROLE_EARLIER	= 1 << 7,	/* this host needed the address earlier */
	ROLE_LINK_LOCAL	= 1 << 8,	/* the network fe80::/64 */
	ROLE_NETWORK	= 1 << 9,	/* a network of a device */
};

/* The roles of networks. All other roles belong to single addresses. */
#define ROLES_NETWORK	(ROLE_LINK_LOCAL | ROLE_NETWORK)

/* Size of the field @source, and of a buffer for critical_text(), in bytes. */
#define CRITICAL_SOURCE	128
#define CRITICAL_TEXT	512

/**
 * struct critical - an address or network that this host needs
 * @roles: bits of enum role
 * @key: the address or network
 * @resolver: for a name server, the file that lists it; otherwise NULL
 * @source: for a DHCP server, the file of the lease; for a network, its device;
 *	otherwise empty
 * @seen: time at which the address was last needed, in seconds since 1970, if the file
 *	of criticals_add_file() has this time; otherwise 0
 */
struct critical {
	int roles;
	struct kcuckoo_prefix key;
	const char *resolver;
	char source[CRITICAL_SOURCE];
	time_t seen;
};

/*
 * Maximum number of addresses and networks in struct criticals, more than a host should
 * need. Further addresses and networks are ignored.
 */
#define CRITICALS_MAX	512

struct criticals {
	int count;
	struct critical list[CRITICALS_MAX];
};

/* Find the critical addresses in the network namespace of this process. */
void criticals_find(const struct cli *cli, struct criticals *criticals);

/*
 * Maximum age of an address in the file of criticals_add_file(), in seconds. Older
 * addresses are ignored.
 */
#define CRITICAL_AGE_MAX	(30 * 24 * 3600)

/*
 * Add the addresses in a file, with the role ROLE_EARLIER. Each line has an address, and
 * then optionally the time at which the address was last needed, in seconds since 1970.
 * At most CRITICALS_MAX lines are read. Warn about lines of another form, and if the
 * file exists but cannot be opened.
 */
void criticals_add_file(struct criticals *criticals, const char *path);

/*
 * Write to @text a description, for messages, of the roles of @critical that are also
 * in @roles. Return: @text.
 */
const char *critical_text(const struct critical *critical, int roles,
			  char text[CRITICAL_TEXT]);

#endif /* KCUCKOO_CLI_CRITICAL_H */
