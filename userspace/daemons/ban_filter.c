// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions keep banned addresses in a filter, for both backends (crowdsec.c and
 * sshguard.c). They collect changes in a batch, and make all changes of the batch
 * together.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "daemons/ban_filter.h"

/* Seconds between two attempts to open the device, to find the filter, or to make changes. */
#define RETRY	1

/* Seconds between two reports that the device, or the filter, does not exist. */
#define REMIND	60

/*
 * Maximum number of waits while memory is short or the filter is full, see @attempts of
 * struct ban_filter. During a wait, members can expire, or an administrator can raise the
 * limit of memory. More waits would delay the following changes, which can delete
 * members.
 */
#define ATTEMPTS	30

static const char *error_text(int error)
{
	return kcuckoo_strerror(error);
}

/*
 * Return: true if standard input has ended and has no unread data, so that no further
 * attempt is needed.
 */
static bool wait_for_attempt(void)
{
	/* Without events, poll() reports only errors and hang-ups. */
	struct pollfd input = { .fd = STDIN_FILENO };
	int length;

	if (poll(&input, 1, RETRY * 1000) <= 0)
		return false;
	if (!ioctl(STDIN_FILENO, FIONREAD, &length) && !length)
		return true;
	/*
	 * The input has ended, but has data that must be processed once the device
	 * and the filter exist. In this state poll() returns at once, so sleep.
	 */
	sleep(RETRY);
	return false;
}

/* Wait even if standard input has ended. Return: false. */
static bool wait_always(void)
{
	sleep(RETRY);
	return false;
}

/*
 * Wait for the next attempt to make changes. Return: true if the caller must give up the
 * changes: the input has ended, even if it has unread data, or a signal asks the process to
 * end. All later calls then return true at once. The program that sends bans sends all of
 * them again after its next start.
 */
static bool wait_for_end(void)
{
	static const struct timespec retry = { .tv_sec = RETRY };
	static bool ended;
	struct pollfd input = { .fd = STDIN_FILENO };
	sigset_t none;

	sigemptyset(&none);
	ended = ended || ppoll(&input, 1, &retry, &none);
	return ended;
}

/*
 * If the device does not exist, wait until it exists. @leave: see ban_filter_open(). Return:
 * 0; 1 if @leave ended the wait; or -1 after a report.
 */
static int open_device(struct ban_filter *filter, bool leave)
{
	unsigned int waited = 0;
	int ret;

	for (;;) {
		ret = kcuckoo_open(&filter->handle, NULL);
		if (!ret)
			return 0;
		if (ret != -ENXIO)
			return report_error("cannot open /dev/kcuckoo: %s",
					    error_text(ret));
		if (waited++ % (REMIND / RETRY) == 0)
			report_error("waiting for the kernel module kcuckoo: %s",
				     error_text(ret));
		if (!leave)
			sleep(RETRY);
		else if (wait_for_attempt())
			return 1;
	}
}

static int attach_rule(struct ban_filter *filter)
{
	struct kcuckoo_ioc_attach rule = {
		.size = sizeof(rule),
		.hook = KCUCKOO_HOOK_PREROUTING,
		.family = KCUCKOO_FAMILY_BOTH,
		.match = KCUCKOO_MATCH_SRC,
		.action = KCUCKOO_ACTION_DROP,
	};
	int ret = kcuckoo_attach(filter->handle, filter->settings.filter, &rule);

	if (!ret || ret == -EEXIST)
		return 0;
	/* A start attaches the rule only if it creates the filter, so the filter must go. */
	kcuckoo_destroy(filter->handle, filter->settings.filter);
	return report_error("cannot attach a rule of '%s': %s",
			    filter->settings.filter, error_text(ret));
}

static int create(struct ban_filter *filter)
{
	struct kcuckoo_ioc_create options = {
		.size = sizeof(options),
		.type = KCUCKOO_TYPE_INET,
		.capacity = KCUCKOO_CAPACITY_MAX,
		.flags = filter->create_timed ? KCUCKOO_CREATE_TIMEOUT : 0,
	};

	return kcuckoo_create(filter->handle, filter->settings.filter,
			      &options);
}

static const char *unsuitable(const struct kcuckoo_ioc_info *info)
{
	if (info->type != KCUCKOO_TYPE_INET)
		return "it has byte strings and no addresses";
	if (info->tag_bits)
		return "it stores fingerprints, whose members cannot be listed";
	return NULL;
}

static void set_timed(struct ban_filter *filter,
		      const struct kcuckoo_ioc_info *info)
{
	bool before = filter->timed;

	filter->timed = info->create_flags & KCUCKOO_CREATE_TIMEOUT;
	if (filter->create_timed && before && !filter->timed)
		report_notice("the filter '%s' has no timeouts: bans end only when they are deleted",
			      filter->settings.filter);
}

/*
 * Do nothing for a filter of the configuration, which has the rules of the configuration.
 * Attach a rule if this process has just created the filter (@created is true). Otherwise
 * report if no rule uses the filter.
 */
static int prepare_rules(struct ban_filter *filter, bool created,
			 const struct kcuckoo_ioc_info *info)
{
	if (filter->settings.configured)
		return 0;
	if (created)
		return attach_rule(filter);
	if (!info->rules)
		report_notice("no rule uses the filter '%s': 'kcuckoo attach' drops packets from its members",
			      filter->settings.filter);
	return 0;
}

/* Another program can create the filter at the same time. */
static int find_or_create(struct ban_filter *filter, bool *created,
			  struct kcuckoo_ioc_info *info)
{
	const char *name = filter->settings.filter;
	int ret = kcuckoo_info(filter->handle, name, info);

	if (ret != -ENOENT)
		return ret;
	ret = create(filter);
	*created = !ret;
	return *created || ret == -EEXIST ?
	       kcuckoo_info(filter->handle, name, info) : ret;
}

/*
 * Wait until the filter of the configuration exists, or until @wait returns true. The
 * backend must not create this filter: after 'kcuckoo down', the saved members of the
 * filter could then not be restored. Return: 0, 1 if @wait has returned true, or -errno.
 */
static int find_configured(struct ban_filter *filter, bool (*wait)(void),
			   struct kcuckoo_ioc_info *info)
{
	const char *name = filter->settings.filter;
	unsigned int waited = 0;
	int ret;

	while ((ret = kcuckoo_info(filter->handle, name, info)) == -ENOENT) {
		if (waited++ % (REMIND / RETRY) == 0)
			report_error("the filter '%s' does not exist: is kcuckoo.service stopped? 'kcuckoo apply' creates the filter",
				     name);
		if (wait())
			return 1;
	}
	return ret;
}

/*
 * Find or create the filter. @created: out: this call created the filter. Return: 0, 1 if
 * @wait has returned true, or -1 after a report.
 */
static int prepare(struct ban_filter *filter, bool (*wait)(void), bool *created)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	const char *name = filter->settings.filter, *why;
	int ret;

	*created = false;
	if (filter->settings.configured)
		ret = find_configured(filter, wait, &info);
	else
		ret = find_or_create(filter, created, &info);
	if (ret > 0)
		return ret;
	if (ret)
		return report_error("cannot find or create the filter '%s': %s",
				    name, error_text(ret));
	why = unsuitable(&info);
	if (why)
		return report_error("the filter '%s' cannot be used: %s", name,
				    why);
	set_timed(filter, &info);
	return prepare_rules(filter, *created, &info);
}

int ban_filter_open(struct ban_filter *filter, bool timed, bool leave)
{
	bool created;
	int ret;

	filter->create_timed = timed;
	filter->timed = timed;
	filter->count = 0;
	filter->failed.what = "failed changes";
	ret = open_device(filter, leave);
	return ret ? ret : prepare(filter,
				   leave ? wait_for_attempt : wait_always,
				   &created);
}

static void append(struct ban_filter *filter, bool add,
		   const struct kcuckoo_prefix *key, __u32 timeout)
{
	filter->add = add;
	filter->keys[filter->count] = *key;
	filter->timeouts[filter->count++] = timeout;
}

void ban_filter_add(struct ban_filter *filter, const struct kcuckoo_prefix *key,
		    __u32 timeout)
{
	append(filter, true, key, timeout);
}

void ban_filter_del(struct ban_filter *filter, const struct kcuckoo_prefix *key)
{
	append(filter, false, key, 0);
}

bool ban_filter_is_full(const struct ban_filter *filter, bool add)
{
	return filter->count == BAN_BATCH ||
	       (filter->count && filter->add != add);
}

/*
 * Make the changes of the batch from number @first on. @done: out: number of changes that
 * were made. Read the parameters of the filter first, because another filter can have
 * replaced it.
 */
static int change(struct ban_filter *filter, size_t first, size_t *done)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	struct kcuckoo_batch batch = {
		.prefixes = filter->keys + first,
		.count = filter->count - first,
	};
	const char *name = filter->settings.filter;
	struct kcuckoo_counts counts = { .done = 0 };
	int ret;

	if (!kcuckoo_info(filter->handle, name, &info))
		set_timed(filter, &info);
	if (filter->timed && filter->add)
		batch.timeouts = filter->timeouts + first;
	if (filter->add)
		ret = kcuckoo_add(filter->handle, name, 0, &batch, &counts);
	else
		ret = kcuckoo_del(filter->handle, name, &batch, &counts);
	*done = counts.done;
	return ret;
}

bool ban_filter_restore(struct ban_filter *filter)
{
	bool created;

	if (prepare(filter, wait_for_end, &created))
		return false;
	if (filter->settings.configured)
		return true;
	if (created)
		report_error("the filter '%s' was destroyed and created again: older bans are missing until the program that sends bans is restarted",
			     filter->settings.filter);
	else
		report_error("the filter '%s' did not exist for a time: older bans can be missing until the program that sends bans is restarted",
			     filter->settings.filter);
	return true;
}

/* Return: false if the caller must give up the changes. */
static bool wait_for_memory(struct ban_filter *filter, size_t count, int error)
{
	/* All batches share @attempts. A batch of added keys that succeeds sets it to 0. */
	if (filter->attempts == ATTEMPTS)
		return false;
	if (!filter->attempts++)
		report_error("%zu changes of '%s' are tried again for %d seconds: %s",
			     count, filter->settings.filter, ATTEMPTS * RETRY,
			     error_text(error));
	return !wait_for_end();
}

/**
 * struct retries - what can_retry() has done for a batch so far
 * @restored: can_retry() has called ban_filter_restore(), because the filter was
 *	destroyed
 * @replaced: the changes were tried again after a filter without timeouts replaced the
 *	filter
 */
struct retries {
	bool restored;
	bool replaced;
};

static bool can_retry(struct ban_filter *filter, struct retries *retries,
		      size_t count, int error)
{
	bool first = false;

	switch (error) {
	case -ENOENT:
		first = filter->settings.configured || !retries->restored;
		retries->restored = true;
		return first && ban_filter_restore(filter);
	case -EOPNOTSUPP:
		/* A filter without timeouts replaced the filter during the call. */
		first = !retries->replaced;
		retries->replaced = true;
		return first;
	case -ENOMEM:
	case -EDQUOT:
	case -ENOSPC:
		return wait_for_memory(filter, count, error);
	}
	return false;
}

void ban_filter_apply(struct ban_filter *filter)
{
	struct retries retries = { .restored = false };
	size_t first = 0, done;
	int ret = 0;

	while (first < filter->count) {
		ret = change(filter, first, &done);
		first += done;
		if (!ret || !can_retry(filter, &retries, filter->count - first,
				       ret))
			break;
	}
	if (ret)
		report_limited(&filter->failed,
			       "%zu of %zu changes of '%s' were not made: %s",
			       filter->count - first, filter->count,
			       filter->settings.filter, error_text(ret));
	else if (filter->count && filter->add)
		filter->attempts = 0;
	filter->count = 0;
}

void ban_filter_flush(struct ban_filter *filter)
{
	const char *name = filter->settings.filter;
	int ret;

	filter->count = 0;
	do {
		ret = kcuckoo_flush(filter->handle, name);
	} while (ret == -ENOENT && ban_filter_restore(filter));
	if (ret)
		report_error("cannot flush '%s': %s", name, error_text(ret));
}
