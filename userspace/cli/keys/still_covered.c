// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions find deleted keys that a shorter prefix in the filter still covers,
 * so that the filter still matches them. The verb del calls the functions after it has
 * deleted keys, and warns about such keys.
 */
#include <stdlib.h>

#include "keys/still_covered.h"
#include "message.h"

void still_covered_free(struct still_covered *still_covered)
{
	free(still_covered->list);
}

static int note_key(struct still_covered *still_covered,
		    const struct batch *batch, size_t i)
{
	struct kcuckoo_prefix (*entry)[2];

	still_covered->count++;
	if (still_covered->listed == STILL_COVERED_LISTED)
		return 0;
	if (!still_covered->list)
		still_covered->list = calloc(STILL_COVERED_LISTED,
					     sizeof(*still_covered->list));
	if (!still_covered->list)
		return error("not enough memory");
	entry = &still_covered->list[still_covered->listed++];
	(*entry)[0] = batch->prefixes[i];
	(*entry)[1] = batch_member(batch, i);
	return 0;
}

int still_covered_find(struct cli *cli, const char *name, struct batch *batch,
		       struct still_covered *still_covered)
{
	const struct kcuckoo_batch *keys = &batch->keys;
	size_t i;

	if (kcuckoo_test(cli->handle, name, KCUCKOO_TEST_COVERED, keys, NULL))
		return 0;
	for (i = 0; i < keys->count; i++) {
		/*
		 * A covering member of the same length is the key itself, which another process
		 * has added again.
		 */
		if (keys->results[i] == KCUCKOO_RESULT_PRESENT &&
		    batch->plens[i] < batch->prefixes[i].plen &&
		    note_key(still_covered, batch, i))
			return -1;
	}
	return 0;
}

void still_covered_warn(const char *name,
			const struct still_covered *still_covered)
{
	char key[KCUCKOO_PREFIX_TEXT], member[KCUCKOO_PREFIX_TEXT];
	size_t i;

	if (!still_covered->count)
		return;
	for (i = 0; i < still_covered->listed && i < STILL_COVERED_NAMED; i++) {
		kcuckoo_prefix_format(&still_covered->list[i][0], key);
		kcuckoo_prefix_format(&still_covered->list[i][1], member);
		warn("%s is still in '%s': its member %s covers it", key, name,
		     member);
	}
	if (still_covered->count > i)
		warn("%llu more keys are still in '%s', covered by members",
		     still_covered->count - i, name);
	hint(0, "delete the members that cover them, or let rules allow the addresses");
}

json_t *json_of_still_covered(const struct still_covered *still_covered)
{
	char key[KCUCKOO_PREFIX_TEXT], member[KCUCKOO_PREFIX_TEXT];
	json_t *array = json_array();
	size_t i;

	for (i = 0; i < still_covered->listed; i++) {
		kcuckoo_prefix_format(&still_covered->list[i][0], key);
		kcuckoo_prefix_format(&still_covered->list[i][1], member);
		json_array_append_new(array, json_pack("{s:s, s:s}", "key", key,
						       "member", member));
	}
	return array;
}
