// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcuckoo: reserve tables for keys before they are added, so that tables need
 * not grow
 */
#include "keys/length_counts.h"
#include "message.h"

/*
 * Do not reserve for fewer members of a length than this: the call costs more
 * than it saves.
 */
#define RESERVE_MIN	64

/*
 * A filter with a lower load factor than this is compacted, unless it is too
 * small to matter.
 */
#define COMPACT_BELOW	0.75
#define COMPACT_MIN	4096

/*
 * The index of prefix lengths is allocated before its members are added, in a
 * size that fits any number. Compacting fits it to the members; it is worth
 * while after this share of them was added. Filters with this many lengths have
 * an index.
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

/* Does a family have enough prefix lengths for an index in the kernel? */
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
	 * Tables of fingerprints keep the size that was requested. A filter
	 * that packets add to keeps its reserve.
	 */
	if (info->tag_bits || info->hash == KCUCKOO_HASH_SIPHASH ||
	    info->table_entries < COMPACT_MIN || !(loose || renewed))
		return;
	ret = kcuckoo_compact(cli->handle, name);
	detail(cli, "give memory back: %s", ret ? kcuckoo_strerror(ret) : "done");
	kcuckoo_info(cli->handle, name, info);
}
