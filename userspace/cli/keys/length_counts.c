// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions reserve table entries before a command adds keys, so that tables need
 * not grow during the adds. After the adds, length_counts_trim() frees entries that were
 * not needed.
 */
#include "keys/length_counts.h"
#include "message.h"

/*
 * Minimum number of keys of one prefix length for a reservation. For fewer keys, a reservation
 * takes more time than it saves.
 */
#define RESERVE_MIN	64

/*
 * A filter whose tables have fewer than COMPACT_MIN entries is not compacted. A larger
 * filter is compacted if less than the share COMPACT_BELOW of the entries is used.
 */
#define COMPACT_BELOW	0.75
#define COMPACT_MIN	4096

/*
 * A filter whose members have at least INDEX_LENGTHS prefix lengths of a family has an index of
 * prefix lengths (kmod/README.md). The kernel allocates the index before members are added,
 * large enough for any number of members. Compacting makes the index smaller. So a filter with
 * an index is also compacted if at least the share COMPACT_ADDED of its members was just added.
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
		for (plen = 0; plen < PREFIX_LENGTHS; plen++) {
			__u64 count = counts->lengths[family][plen];

			if (count < RESERVE_MIN)
				continue;
			ret = kcuckoo_reserve(cli->handle, name, family + 1,
					      plen, count);
			detail(cli, "reserve for IPv%d /%d: %llu entries: %s",
			       family ? 6 : 4, plen, count,
			       ret ? kcuckoo_strerror(ret) : "done");
		}
	}
}

/* Return: true if a family has enough prefix lengths for an index in the kernel. */
static bool is_indexed(const struct kcuckoo_ioc_info *info)
{
	int i, lengths = 0;

	for (i = 0; i < 3; i++)
		lengths += __builtin_popcountll(info->plens_ipv6[i]);
	return lengths >= INDEX_LENGTHS ||
	       __builtin_popcountll(info->plens_ipv4) >= INDEX_LENGTHS;
}

void length_counts_trim(struct cli *cli, const char *name, __u64 added,
			struct kcuckoo_ioc_info *info)
{
	bool loose = info->table_entries_used <
		     COMPACT_BELOW * info->table_entries;
	bool renewed = is_indexed(info) &&
		       added >= COMPACT_ADDED * info->members;
	int ret;

	/*
	 * The user has chosen the size of a filter with fingerprints. A filter with the hash
	 * siphash must keep its reserved entries, because packets add members only to such
	 * entries.
	 */
	if (info->tag_bits || info->hash == KCUCKOO_HASH_SIPHASH ||
	    info->table_entries < COMPACT_MIN || !(loose || renewed))
		return;
	ret = kcuckoo_compact(cli->handle, name);
	detail(cli, "free unused memory: %s", ret ? kcuckoo_strerror(ret) : "done");
	kcuckoo_info(cli->handle, name, info);
}
