// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcuckoo: members that still cover keys which were deleted
 */
#include <stdlib.h>

#include "keys/covering.h"
#include "message.h"

void covering_free(struct covering *covering)
{
	free(covering->list);
}

static int note_key(struct covering *covering, const struct batch *batch,
		    size_t i)
{
	struct kcuckoo_prefix (*entry)[2];

	covering->count++;
	if (covering->listed == COVERING_LISTED)
		return 0;
	if (!covering->list)
		covering->list = calloc(COVERING_LISTED, sizeof(*covering->list));
	if (!covering->list)
		return error("not enough memory");
	entry = &covering->list[covering->listed++];
	(*entry)[0] = batch->prefixes[i];
	(*entry)[1] = batch_member(batch, i);
	return 0;
}

int covering_look(struct cli *cli, const char *name, struct batch *batch,
		  struct covering *covering)
{
	const struct kcuckoo_batch *keys = &batch->keys;
	size_t i;

	if (kcuckoo_test(cli->handle, name, KCUCKOO_TEST_COVERED, keys, NULL))
		return 0;
	for (i = 0; i < keys->count; i++) {
		/* A member of the same length is the key, which has come again. */
		if (keys->results[i] == KCUCKOO_RESULT_PRESENT &&
		    batch->plens[i] < batch->prefixes[i].plen &&
		    note_key(covering, batch, i))
			return -1;
	}
	return 0;
}

void covering_warn(const char *name, const struct covering *covering)
{
	char key[KCUCKOO_PREFIX_TEXT], member[KCUCKOO_PREFIX_TEXT];
	size_t i;

	if (!covering->count)
		return;
	for (i = 0; i < covering->listed && i < COVERING_NAMED; i++) {
		kcuckoo_prefix_format(&covering->list[i][0], key);
		kcuckoo_prefix_format(&covering->list[i][1], member);
		warn("%s is still in '%s': its member %s covers it", key, name,
		     member);
	}
	if (covering->count > i)
		warn("%llu more keys are still in '%s', covered by members",
		     covering->count - i, name);
	hint(0, "delete the members that cover them, or let rules allow the addresses");
}

json_t *json_of_covering(const struct covering *covering)
{
	char key[KCUCKOO_PREFIX_TEXT], member[KCUCKOO_PREFIX_TEXT];
	json_t *array = json_array();
	size_t i;

	for (i = 0; i < covering->listed; i++) {
		kcuckoo_prefix_format(&covering->list[i][0], key);
		kcuckoo_prefix_format(&covering->list[i][1], member);
		json_array_append_new(array, json_pack("{s:s, s:s}", "key", key,
						       "member", member));
	}
	return array;
}
