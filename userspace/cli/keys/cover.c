// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions find the members of a filter that cover an address: the address
 * itself, and the prefixes that include it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "keys/cover.h"

/* Maximum number of walks. If an add moves members during a walk, a new walk must start. */
#define WALKS		8

/* Number of members that one call of a walk reads. */
#define STEP		KCUCKOO_WALK_BATCH

bool cover_has(const struct kcuckoo_prefix *prefix,
	       const struct kcuckoo_prefix *key)
{
	int bytes = prefix->plen / 8, bits = prefix->plen % 8;

	return prefix->family == key->family && prefix->plen <= key->plen &&
	       !memcmp(prefix->addr, key->addr, bytes) &&
	       (!bits || !((prefix->addr[bytes] ^ key->addr[bytes]) >> (8 - bits)));
}

int cover_keys(const struct kcuckoo_prefix *address,
	       struct kcuckoo_prefix keys[COVER_MAX])
{
	int i, max_plen = address->plen;

	for (i = 0; i <= max_plen; i++) {
		int bit = max_plen - i;

		keys[i] = i ? keys[i - 1] : *address;
		keys[i].plen = bit;
		if (i)
			keys[i].addr[bit / 8] &= ~(0x80 >> bit % 8);
	}
	return max_plen + 1;
}

/* Set the times of the members of @cover that are among the first @count keys of @page. */
static void take_times(struct cover *cover, const struct kcuckoo_members *page,
		       size_t count)
{
	struct cover_member *member;
	size_t i;

	for (i = 0; i < count; i++) {
		for (member = cover->members; member < cover->members + cover->count; member++) {
			if (member->key.plen != page->keys[i].plen ||
			    !cover_has(&page->keys[i], &member->key))
				continue;
			member->timeout = page->timeouts[i];
			member->time = page->timeouts[i] ? COVER_EXPIRES : COVER_NEVER;
		}
	}
}

/*
 * Walk once over all members of the filter. @page: buffer for the members that one call reads.
 * Return: enum kcuckoo_walk_state or a negative errno.
 */
static int walk_times(struct cli *cli, const char *name, struct cover *cover,
		      const struct kcuckoo_members *page)
{
	struct kcuckoo_cursor cursor = { .move_seq = 0 };
	size_t done;
	int state;

	do {
		state = kcuckoo_walk(cli->handle, name, &cursor, page, &done);
		take_times(cover, page, done);
	} while (state == KCUCKOO_WALK_MORE);
	return state;
}

/*
 * Only a walk over the whole filter returns timeouts. If the walk does not find a member,
 * because the member has just expired or was deleted, @time stays COVER_UNKNOWN.
 */
static int find_times(struct cli *cli, const char *name, struct cover *cover)
{
	struct kcuckoo_members page = {
		.keys = calloc(STEP, sizeof(*page.keys)),
		.timeouts = calloc(STEP, sizeof(*page.timeouts)),
		.count = STEP,
	};
	int walks = 0, state = page.keys && page.timeouts ? KCUCKOO_WALK_RESTART : -ENOMEM;

	while (state == KCUCKOO_WALK_RESTART && walks++ < WALKS)
		state = walk_times(cli, name, cover, &page);
	free(page.timeouts);
	free(page.keys);
	return state < 0 ? state : 0;
}

int cover_find(struct cli *cli, const char *name,
	       const struct kcuckoo_ioc_info *info,
	       const struct kcuckoo_prefix *address, struct cover *cover)
{
	const bool timed = info->create_flags & KCUCKOO_CREATE_TIMEOUT;
	uint32_t values[COVER_MAX][KCUCKOO_VALUES_MAX];
	uint8_t results[COVER_MAX], counts[COVER_MAX];
	struct kcuckoo_prefix keys[COVER_MAX];
	const struct kcuckoo_batch batch = {
		.prefixes = keys,
		.count = cover_keys(address, keys),
		.results = results,
		.max_values = info->value_bits ? KCUCKOO_VALUES_MAX : 0,
		.found = info->value_bits ? values[0] : NULL,
		.found_counts = info->value_bits ? counts : NULL,
	};
	size_t i;
	int ret;

	cover->count = 0;
	ret = kcuckoo_test(cli->handle, name, KCUCKOO_TEST_MEMBER, &batch, NULL);
	for (i = 0; !ret && i < batch.count; i++) {
		struct cover_member *member = &cover->members[cover->count];

		if (results[i] != KCUCKOO_RESULT_PRESENT)
			continue;
		member->key = keys[i];
		member->value_count = info->value_bits ? counts[i] : 0;
		if (info->value_bits)
			memcpy(member->values, values[i], sizeof(values[i]));
		member->time = timed ? COVER_UNKNOWN : COVER_NEVER;
		cover->count++;
	}
	if (!ret && timed && cover->count && !info->tag_bits)
		ret = find_times(cli, name, cover);
	return ret;
}
