/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Threads that work on filters for some seconds, and the keys they work with:
 * permanent members, keys that come and go, and such that are never members.
 */
#ifndef KCUCKOO_CREW_H
#define KCUCKOO_CREW_H

#include "client.h"

#include <pthread.h>
#include <stdatomic.h>

#define PERMANENT	20000
#define NEVER		20000
#define PASSING		60000

static struct kcuckoo_prefix permanent[PERMANENT];
static struct kcuckoo_prefix never[NEVER];
static struct kcuckoo_prefix passing[PASSING];

/* Set while the threads of a test shall go on. */
static atomic_bool working;

/*
 * Seconds of one test at least, if it has come as far as it wants to until then:
 * KCUCKOO_SECONDS, 60 for the full claim.
 */
static inline double crew_seconds(void)
{
	const char *seconds = getenv("KCUCKOO_SECONDS");

	return seconds ? atof(seconds) : client_soak(client_slow() ? 4 : 1, 4);
}

/*
 * The third byte tells the kinds apart: permanent prefixes cover nothing of the
 * others, and a filter that mixes up a bit or two is found out.
 */
static inline void crew_keys(void)
{
	__u64 random = 0x63726577;
	size_t i;

	for (i = 0; i < PERMANENT; i++) {
		__u64 draw = random_next(&random);

		if (i % 2)
			permanent[i] = ipv4((draw & 0xffff00ff) | 0x1000,
					    i % 32 == 1 ? 24 : 32);
		else
			permanent[i] = ipv6(0x2001000000000000 | i << 16, draw,
					    i % 32 ? 128 : 64);
	}
	for (i = 0; i < NEVER; i++) {
		__u64 draw = random_next(&random);

		never[i] = i % 2 ? ipv4((draw & 0xffff00ff) | 0x2000, 32) :
				   ipv6(0x2002000000000000 | i << 16, draw, 128);
	}
	for (i = 0; i < PASSING; i++) {
		__u64 draw = random_next(&random);

		if (i % 2)
			passing[i] = ipv4((draw & 0xffff00ff) | 0x4000,
					  i % 256 == 1 ? 23 : 32);
		else
			passing[i] = ipv6(0x2003000000000000 | i << 16, draw,
					  i % 256 ? 128 : 50 + i / 256 % 20);
	}
}

/* A filter with the permanent members. */
static inline int crew_filter(int fd, const char *name)
{
	int error = filter_create(fd, name, 1 << 20);

	if (!error && keys_add(fd, name, permanent, PERMANENT) < PERMANENT * 0.99)
		error = -EPROTO;
	return error;
}

static inline pthread_t crew_start(void *(*work)(void *), void *argument)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, work, argument))
		abort();
	return thread;
}

/*
 * Seconds that a slow machine gets on top, to come as far as a test wants it to:
 * some for each thousand look-ups, where more of them are asked for.
 */
#define PATIENCE	((client_slow() ? 1200 : 300) + client_count("LOOKUPS", 0) / 10000.)

/* Lets the threads work until time is over and they have done @enough. */
static inline void crew_run(const pthread_t *threads, int count, bool (*enough)(void))
{
	double end = client_clock() + crew_seconds();
	double last = end + PATIENCE;

	while (atomic_load(&working) &&
	       (client_clock() < end || (!enough() && client_clock() < last)))
		client_sleep(0.05);
	atomic_store(&working, false);
	while (count--)
		pthread_join(threads[count], NULL);
}

#endif /* KCUCKOO_CREW_H */
