// SPDX-License-Identifier: GPL-2.0-only
/*
 * The verb info prints the parameters, the number of members and the memory of a filter,
 * and counts of its operations.
 */
#include <stdio.h>

#include "args.h"
#include "describe.h"
#include "json.h"
#include "keywords.h"
#include "message.h"

static void print_lengths(const char *family, const __u64 *words, int max_plen)
{
	bool any = false;
	int i;

	printf("%s", family);
	for (i = 0; i <= max_plen; i++) {
		if (!(words[i / 64] >> i % 64 & 1))
			continue;
		printf("%s/%d", any ? " " : "  ", i);
		any = true;
	}
	puts(any ? "" : "  none");
}

static void print_members(const struct kcuckoo_ioc_info *info)
{
	printf("members       %llu", info->members);
	if (info->type == KCUCKOO_TYPE_INET)
		printf(" (IPv4 %llu, IPv6 %llu)", info->members_ipv4,
		       info->members_ipv6);
	putchar('\n');
	if (info->capacity == KCUCKOO_CAPACITY_MAX)
		printf("capacity      no limit\n");
	else
		printf("capacity      %llu\n", info->capacity);
}

static void print_notes(const struct kcuckoo_ioc_info *info)
{
	if (info->value_bits)
		printf("values        %d %s\n", info->value_bits,
		       plural(info->value_bits, "bit", "bits"));
	if (!(info->create_flags & KCUCKOO_CREATE_TIMEOUT))
		return;
	if (info->timeout)
		printf("timeout       %u s unless a key is added with another; ",
		       info->timeout);
	else
		printf("timeout       keys expire only if added with one; ");
	printf("%llu %s one\n", info->members_with_timeout,
	       plural(info->members_with_timeout, "member has",
		      "members have"));
}

static void print_memory(const struct kcuckoo_ioc_info *info)
{
	char buf[32];

	printf("memory        %s (%llu bytes)",
	       human_bytes(info->memory_bytes, buf, sizeof(buf)),
	       info->memory_bytes);
	if (info->members)
		printf(", %.2f bits per member",
		       8.0 * info->memory_bytes / info->members);
	putchar('\n');
	if (!info->table_entries)
		return;
	printf("load factor   %.4f (%llu of %llu entries)", info_load(info),
	       info->table_entries_used, info->table_entries);
	if (info->tag_bits)
		printf(", full at %.2f", info->max_load / 100.0);
	putchar('\n');
}

static void print_rate(const struct kcuckoo_ioc_info *info)
{
	char buf[DESCRIBE_TEXT];

	printf("false hits    %s", describe_fpr(kcuckoo_expected_fpr(info, 0),
						buf));
	if (info->type == KCUCKOO_TYPE_INET)
		printf("; %.0f innocent IPv4 addresses",
		       kcuckoo_false_positives_ipv4(info));
	putchar('\n');
	if (info->doublings)
		printf("doubled       %d %s, and so the rate when full\n", info->doublings,
		       plural(info->doublings, "time", "times"));
}

static void print_packets(const struct kcuckoo_ioc_info *info)
{
	__u64 failed = info->packet_full + info->packet_limited +
		       info->packet_refused;

	if (info->packet_added + info->packet_deleted + failed == 0)
		return;
	printf("by packets    %llu added, %llu deleted\n", info->packet_added,
	       info->packet_deleted);
	if (!failed)
		return;
	printf("  failed      %llu: no free entry %llu, over the limit %llu, unsuitable filter %llu\n",
	       failed, info->packet_full, info->packet_limited,
	       info->packet_refused);
}

static void print_info(const char *name, const struct kcuckoo_ioc_info *info)
{
	char buf[DESCRIBE_TEXT];

	printf("%s: %s filter, %s, hash %s, %d %s per bucket\n", name,
	       keyword_name(type_keywords, info->type),
	       info->tag_bits ? "approximate" : "exact",
	       keyword_name(hash_keywords, info->hash), info->bucket_size,
	       plural(info->bucket_size, "entry", "entries"));
	printf("keys          %s; %s\n", describe_type(info, buf),
	       describe_growth(info));
	print_members(info);
	print_notes(info);
	if (info->tag_bits)
		print_rate(info);
	print_memory(info);
	if (info->type == KCUCKOO_TYPE_INET) {
		print_lengths("IPv4 lengths", &info->plens_ipv4, 32);
		print_lengths("IPv6 lengths", info->plens_ipv6, 128);
	}
	printf("users         %u\n", info->rules);
	if (info->info_flags & KCUCKOO_INFO_MANAGED)
		puts("managed       by the configuration");
	if (info->info_flags & KCUCKOO_INFO_PACKETS)
		puts("packets       add to it or delete from it");
	printf("so far        %llu searches, %llu moves, %llu growths, %llu adds refused\n",
	       info->searches, info->moves, info->growths, info->refused);
	print_packets(info);
	printf("a search      reads at most %u buckets\n", info->search_limit);
}

int verb_info(struct cli *cli, const struct args *args)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	const char *name = args->operands[0];
	int ret;

	if (cli_open(cli))
		return -1;
	ret = kcuckoo_info(cli->handle, name, &info);
	if (ret)
		return filter_error(cli, ret, name, "read the state of");
	if (cli->json)
		return json_print(json_of_info(name, &info));
	print_info(name, &info);
	return EXIT_YES;
}
