/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mmdb_read() reads a MaxMind DB database with libmaxminddb. database.c runs the function
 * in a child process, because the database is untrusted input.
 */
#ifndef KCUCKOO_CLI_MMDB_H
#define KCUCKOO_CLI_MMDB_H

#include "cli.h"
#include "input/country.h"

/* Number of possible country codes: a code is two letters. */
#define MMDB_CODES	(26 * 26)

/**
 * struct mmdb_network - a network that the child sends to the parent
 * @key: the network
 * @code: country code, or "" if the search is for autonomous systems
 * @asn: number of the autonomous system, or 0 if the search is for countries
 */
struct mmdb_network {
	struct kcuckoo_prefix key;
	char code[COUNTRY_CODE + 1];
	__u32 asn;
};

/**
 * struct mmdb_job - the search that the child process does
 * @path: path of the database
 * @size: size of the database in bytes
 * @all: send the networks of all countries
 * @codes: with @all unset, true for each wanted country; the index is
 *	mmdb_index()
 * @systems: numbers of the wanted autonomous systems in ascending order; NULL to
 *	search for countries
 * @system_count: number of elements of @systems
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
 * Return: the index of a country in @codes of struct mmdb_job. @code: country code in
 * upper case.
 */
static inline int mmdb_index(const char *code)
{
	return (code[0] - 'A') * 26 + code[1] - 'A';
}

/*
 * Check a network that the parent has received from the child. The child is not trusted, because
 * an attacker could take over the child with a crafted database. @has_code: the search is for
 * countries, so the network must have a country code. Return: true if the network is valid.
 */
bool mmdb_is_valid(const struct mmdb_network *network, bool has_code);

/*
 * Read the database that @job, a struct mmdb_job, describes. Send the wanted networks to @socket
 * in frames (sandbox.h), and exit.
 */
void mmdb_read(const void *job, int socket) __attribute__((noreturn));

#endif /* KCUCKOO_CLI_MMDB_H */
