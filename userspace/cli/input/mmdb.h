/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mmdb_read() reads a database with libmaxminddb. database.c runs it in a child
 * process, because the database is untrusted input.
 */
#ifndef KCUCKOO_CLI_MMDB_H
#define KCUCKOO_CLI_MMDB_H

#include "cli.h"
#include "input/country.h"

/* Number of possible country codes. */
#define MMDB_CODES	(26 * 26)

/**
 * struct mmdb_network - a network, as the child sends it
 * @key: the network
 * @code: country code, or "" if the database is searched for systems
 * @asn: number of the autonomous system, or 0
 */
struct mmdb_network {
	struct kcuckoo_prefix key;
	char code[COUNTRY_CODE + 1];
	__u32 asn;
};

/**
 * struct mmdb_job - what the child searches for
 * @path: path of the database
 * @size: size of the database in bytes
 * @all: networks of all countries are wanted
 * @codes: with @all unset, true for each wanted country; the index is
 *	mmdb_index()
 * @systems: numbers of the wanted autonomous systems in ascending order; NULL to
 *	search for countries
 * @system_count: number of these systems
 */
struct mmdb_job {
	const char *path;
	__u64 size;
	bool all;
	bool codes[MMDB_CODES];
	const __u32 *systems;
	size_t system_count;
};

/*
 * Return: the index of a country in @codes. @code: country code in upper case.
 */
static inline int mmdb_index(const char *code)
{
	return (code[0] - 'A') * 26 + code[1] - 'A';
}

/*
 * Check a network that the parent has received: an attacker may have taken over the
 * child. @has_code: the database is searched for countries. Return: true if the key is
 * an address or prefix, and the code is two upper case letters if there has to be one.
 */
bool mmdb_is_valid(const struct mmdb_network *network, bool has_code);

/*
 * Read the database of the struct mmdb_job @job, send each wanted network as a
 * struct mmdb_network in frames to @socket, and exit.
 */
void mmdb_read(const void *job, int socket) __attribute__((noreturn));

#endif /* KCUCKOO_CLI_MMDB_H */
