// SPDX-License-Identifier: GPL-2.0-only
/*
 * A network namespace is made while the module's allocations for it fail, and
 * those behind them, upon which the module gives up what it made: there is a
 * namespace in which all works, or nothing is left of it.
 */

#include "own.h"
#include "sweep.h"

/*
 * What a new namespace has before and behind the module's allocations is other
 * parts' own. Some of them print a trace of calls where they have no memory, and
 * how many allocations they make varies.
 */

/* Of those behind, how many are taken: every day, and where there are rounds. */
#define BEHIND		50
#define BEHIND_MORE	140

/* Steps back where the module's were missed, and how many may be made in all. */
#define BACK	8
#define STEPS	1000

/* The test's own namespace. */
static int space;

static struct kcuckoo_prefix keys[20];

static int world_make(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(keys); i++)
		keys[i] = ipv4(0x0a000000 + i, 32);
	return own_begin("0");
}

static int list_prepare(int fd)
{
	int error = bystanders(fd) ?: filter_create(fd, "list", 100) ?:
		    rule_attach(fd, "later", KCUCKOO_HOOK_INPUT, KCUCKOO_FAMILY_BOTH,
				KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_COUNT);

	if (!error && keys_add(fd, "list", keys, ARRAY_SIZE(keys)) != ARRAY_SIZE(keys))
		error = -EPROTO;
	know("list", keys, NULL, ARRAY_SIZE(keys));
	return error;
}

/* The first allocation of a namespace is what holds it and its like. */
#define FIRST	"call_site=create_new_namespaces"

/* What others call their failures is not the module's affair. */
static int space_act(int fd)
{
	int error = own_forget();

	if (error)
		return error;
	fault_arm();
	error = unshare(CLONE_NEWNET) ? -errno : 0;
	fault_disarm();
	own_read(FIRST);
	return error && !own.failed ? -ENOMEM : error;
}

/* All works there, and the test is back. */
static bool space_done(int fd)
{
	int error = works();

	return !setns(space, CLONE_NEWNET) && !error;
}

/*
 * From behind the module's allocations to the first of them, until each has failed.
 * Whether there is a namespace then or not, the test's own is what it was. Returns
 * the number of faults, or 0 if one did harm.
 */
static unsigned int space_sweep(struct sweep *sweep, unsigned int nth)
{
	const unsigned int all = own_all(own.count);
	unsigned int seen = 0, steps;
	int error;

	for (steps = 0; seen != all && steps < STEPS; steps++) {
		if (!sweep_fault(sweep, nth, &error) ||
		    !digest_same(sweep->client.fd, &sweep->before))
			return 0;
		sweep->ready = true;
		own_seen(&seen);
		nth = own.count ? nth - 1 : nth + BACK;
	}
	return seen == all ? steps : 0;
}

/* So many namespaces may there be. */
#define LIMIT	"/proc/sys/user/max_net_namespaces"

/* Is there none any more but the test's own, so that just another one fits in? */
static bool spaces_gone(void)
{
	FILE *file = fopen(LIMIT, "r");
	bool gone = false;
	char limit[20];
	int i;

	if (!file || !fgets(limit, sizeof(limit), file) || fclose(file) ||
	    fault_write(LIMIT, "2"))
		return false;
	for (i = 0; i < 3000 && !gone; i++) {
		if (i)
			client_sleep(0.02);
		gone = !unshare(CLONE_NEWNET);
	}
	return !fault_write(LIMIT, limit) && gone && !setns(space, CLONE_NEWNET);
}

TEST_F(faults, create)
{
	const struct action action = { "new namespace", list_prepare, space_act, space_done };
	const unsigned int behind = fault_rounds() > 1 ? BEHIND_MORE : BEHIND;
	double begin = client_clock();
	unsigned int count;

	if (!fault_available())
		SKIP(return, "no fault injection in this kernel");
	/* To the module it is all the same whether an object or a page for it is missing. */
	ASSERT_EQ(0, fault_set("fail_page_alloc", "min-order", "20"));
	space = self->sweep.client.space;
	ASSERT_EQ(0, space_act(self->sweep.client.fd));
	ASSERT_TRUE(space_done(self->sweep.client.fd));
	ASSERT_GT(own.count, 0);
	self->sweep.action = &action;
	count = space_sweep(&self->sweep, own.before + behind);
	fprintf(stderr, "# new namespace: %u faults, %.1f s\n", count, client_clock() - begin);
	ASSERT_GT(count, 0);
	ASSERT_TRUE(spaces_gone());
}

TEST_HARNESS_MAIN
