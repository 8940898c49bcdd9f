// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcuckoo: room made ahead for keys, so that tables need not grow
 */
#include "keys/length_counts.h"
#include "message.h"

/* Fewer members of a length than this are not worth a call to make room. */
#define RESERVE_MIN	64

/*
 * A filter that fills less of its tables than this is compacted, unless it is
 * too small to matter.
 */
#define COMPACT_BELOW	0.75
#define COMPACT_MIN	4096

/*
 * The index of prefix lengths is made before its members are there, in a size
 * that does for any; after so large a part of them came it is fitted to them.
 * There is one from so many lengths on.
 */
#define COMPACT_ADDED	0.25
#define INDEX_LENGTHS	4

void length_counts_add(struct length_counts *counts,
		       const struct kcuckoo_prefix *key)
{
	counts->lengths[key->family - 1][key->plen]++;
}

void length_counts_reserve(const struct length_counts *counts, struct cli *cli,
			   const char *name)
{
	int family, plen, ret;

	for (family = 0; family < 2; family++) {
		for (plen = 0; plen < LENGTHS; plen++) {
			__u64 count = counts->lengths[family][plen];

			if (count < RESERVE_MIN)
				continue;
			ret = kcuckoo_reserve(cli->handle, name, family + 1,
					      plen, count);
			detail(cli, "reserve IPv%d /%d for %llu: %s",
			       family ? 6 : 4, plen, count,
			       ret ? kcuckoo_strerror(ret) : "done");
		}
	}
}

/* Have the members of a family so many lengths that the kernel indexes them? */
static bool is_indexed(const struct kcuckoo_ioc_info *info)
{
	int i, lengths = 0;

	for (i = 0; i < 3; i++)
		lengths += __builtin_popcountll(info->plens_ipv6[i]);
	return lengths >= INDEX_LENGTHS ||
	       __builtin_popcountll(info->plens_ipv4) >= INDEX_LENGTHS;
}

void trim_tables(struct cli *cli, const char *name, __u64 added,
		 struct kcuckoo_ioc_info *info)
{
	bool loose = info->table_entries_used <
		     COMPACT_BELOW * info->table_entries;
	bool renewed = is_indexed(info) &&
		       added >= COMPACT_ADDED * info->members;
	int ret;

	/*
	 * Tables of fingerprints have the size that was asked for, and what packets
	 * add to has room for them.
	 */
	if (info->tag_bits || info->hash == KCUCKOO_HASH_SIPHASH ||
	    info->table_entries < COMPACT_MIN || !(loose || renewed))
		return;
	ret = kcuckoo_compact(cli->handle, name);
	detail(cli, "give memory back: %s", ret ? kcuckoo_strerror(ret) : "done");
	kcuckoo_info(cli->handle, name, info);
}
