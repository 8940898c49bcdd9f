// SPDX-License-Identifier: GPL-2.0-only
/*
 * urlblock: the filter in the kernel, and the list that it speaks for
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "../message.h"
#include "blocker.h"

static int filter_error(const char *name, const char *what, int ret)
{
	return error("cannot %s the filter '%s': %s%s", what, name,
		     kcuckoo_strerror(ret),
		     ret == -ENOENT ? ": 'urlblock load' makes it" : "");
}

/* Fill a filter that was made aside, and let it be the one. */
static int fill(struct kcuckoo *handle, const char *name, const char *spare,
		const struct draft *draft)
{
	const struct kcuckoo_batch batch = {
		.bytes = draft->bytes,
		.lengths = draft->lengths,
		.count = draft->count,
	};
	int ret = 0;

	if (draft->count)
		ret = kcuckoo_add(handle, spare, 0, &batch, NULL);
	if (!ret)
		ret = kcuckoo_replace(handle, name, spare);
	if (ret == -ENOENT)
		ret = kcuckoo_rename(handle, spare, name);
	return ret;
}

/* It is never without its keys: another one is filled before it takes its place. */
static int load(struct kcuckoo *handle, const char *name,
		const struct draft *draft)
{
	struct kcuckoo_ioc_create options = {
		.size = sizeof(options),
		.flags = KCUCKOO_CREATE_INSERT_ONLY,
		.type = KCUCKOO_TYPE_BYTES,
		/* Strangers choose the URLs. */
		.hash = KCUCKOO_HASH_SIPHASH,
		.fpr = FALSE_POSITIVES * (1ULL << 32),
		.capacity = draft->count ? draft->count : 1,
	};
	char spare[KCUCKOO_NAME_SIZE];
	int ret;

	kcuckoo_spare_name(spare);
	ret = kcuckoo_create(handle, spare, &options);
	if (ret)
		return ret;
	ret = fill(handle, name, spare, draft);
	if (ret)
		kcuckoo_destroy(handle, spare);
	return ret;
}

int blocker_load(const char *name, const struct draft *draft)
{
	struct kcuckoo *handle;
	sigset_t all, before;
	int ret;

	ret = kcuckoo_open(&handle, NULL);
	if (ret)
		return device_error(ret);
	/* Nothing is to end this while the spare filter is there. */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	ret = load(handle, name, draft);
	sigprocmask(SIG_SETMASK, &before, NULL);
	kcuckoo_close(handle);
	return ret ? filter_error(name, "fill", ret) : 0;
}

int blocker_open(struct blocker *blocker, const char *name, const char *path)
{
	int ret;

	memset(blocker, 0, sizeof(*blocker));
	blocker->name = name;
	if (list_open(&blocker->list, path))
		return -1;
	ret = kcuckoo_open(&blocker->handle, NULL);
	if (!ret)
		return 0;
	list_close(&blocker->list);
	return device_error(ret);
}

void blocker_close(struct blocker *blocker)
{
	kcuckoo_close(blocker->handle);
	list_close(&blocker->list);
}

/* Ask the filter for some forms of a URL, all at once. Return: as the library. */
static int ask(struct blocker *blocker, const struct span *forms, int count,
	       uint8_t *results)
{
	static char bytes[URL_FORMS * URL_MAX];
	uint16_t lengths[URL_FORMS];
	const struct kcuckoo_batch batch = {
		.bytes = bytes,
		.lengths = lengths,
		.count = count,
		.results = results,
	};
	char *at = bytes;
	int i;

	for (i = 0; i < count; i++) {
		memcpy(at, forms[i].text, forms[i].length);
		at += forms[i].length;
		lengths[i] = forms[i].length;
	}
	return kcuckoo_test(blocker->handle, blocker->name, 0, &batch, NULL);
}

int blocker_check(struct blocker *blocker, const struct span *url,
		  struct span *entry)
{
	struct span forms[URL_FORMS];
	uint8_t results[URL_FORMS];
	int i, ret, count, found = 0;

	count = url_forms(url->text, url->length, forms);
	ret = ask(blocker, forms, count, results);
	if (ret)
		return filter_error(blocker->name, "read", ret);
	blocker->asked += count;
	for (i = 0; i < count; i++) {
		if (results[i] != KCUCKOO_RESULT_PRESENT)
			continue;
		blocker->read++;
		if (list_contains(&blocker->list, &forms[i])) {
			*entry = forms[i];
			found = 1;
		} else {
			blocker->vain++;
		}
	}
	return found;
}

double blocker_expected(struct blocker *blocker)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	int ret;

	ret = kcuckoo_info(blocker->handle, blocker->name, &info);
	if (ret)
		return filter_error(blocker->name, "read", ret);
	return kcuckoo_expected_fpr(&info, 0);
}
