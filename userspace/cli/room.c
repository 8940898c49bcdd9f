// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcuckoo: room made ahead for keys, so that tables need not grow
 */
#include "message.h"
#include "room.h"

/* Fewer members of a length than this are not worth a call to make room. */
#define RESERVE_LEAST	64

/*
 * A filter that fills less of its tables than this is compacted, unless it is
 * too small to matter.
 */
#define COMPACT_BELOW	0.75
#define COMPACT_LEAST	4096

void room_count(struct room *room, const struct kcuckoo_prefix *key)
{
	room->lengths[key->family - 1][key->plen]++;
}

void room_make(const struct room *room, struct cli *cli, const char *name)
{
	int family, plen, ret;

	for (family = 0; family < 2; family++) {
		for (plen = 0; plen < LENGTHS; plen++) {
			__u64 count = room->lengths[family][plen];

			if (count < RESERVE_LEAST)
				continue;
			ret = kcuckoo_reserve(cli->handle, name, family + 1,
					      plen, count);
			detail(cli, "reserve IPv%d /%d for %llu: %s",
			       family ? 6 : 4, plen, count,
			       ret ? kcuckoo_strerror(ret) : "done");
		}
	}
}

void room_trim(struct cli *cli, const char *name, struct kcuckoo_ioc_info *info)
{
	int ret;

	/*
	 * Tables of fingerprints have the size that was asked for, and what packets
	 * add to has room for them.
	 */
	if (info->tag_bits || info->hash == KCUCKOO_HASH_SIPHASH ||
	    info->slots < COMPACT_LEAST ||
	    info->slots_used >= COMPACT_BELOW * info->slots)
		return;
	ret = kcuckoo_compact(cli->handle, name);
	detail(cli, "give memory back: %s", ret ? kcuckoo_strerror(ret) : "done");
	kcuckoo_info(cli->handle, name, info);
}
