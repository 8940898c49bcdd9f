// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcuckoo: info
 */
#include <stdio.h>

#include "args.h"
#include "json.h"
#include "message.h"
#include "words.h"

static void print_lengths(const char *family, const __u64 *words, int most)
{
	bool any = false;
	int i;

	printf("%s", family);
	for (i = 0; i <= most; i++) {
		if (!(words[i / 64] >> i % 64 & 1))
			continue;
		printf("%s/%d", any ? " " : "  ", i);
		any = true;
	}
	puts(any ? "" : "  none");
}

static void print_memory(const struct kcuckoo_ioc_info *info)
{
	char room[32];

	printf("memory        %s (%llu bytes)",
	       human_bytes(info->memory_bytes, room, sizeof(room)),
	       info->memory_bytes);
	if (info->entries)
		printf(", %.2f bits per member",
		       8.0 * info->memory_bytes / info->entries);
	putchar('\n');
}

static void print_info(const char *name, const struct kcuckoo_ioc_info *info)
{
	printf("%s: %s filter, exact, hash %s, %d entries per bucket\n", name,
	       word_of(type_words, info->type),
	       word_of(hash_words, info->hash), info->bucket_size);
	printf("members       %llu (IPv4 %llu, IPv6 %llu)\n",
	       info->entries, info->entries_ipv4,
	       info->entries_ipv6);
	if (info->capacity == KCUCKOO_CAPACITY_MAX)
		printf("capacity      no limit\n");
	else
		printf("capacity      %llu\n", info->capacity);
	print_memory(info);
	if (info->slots)
		printf("load factor   %.4f (%llu of %llu entries)\n",
		       (double)info->slots_used / info->slots,
		       info->slots_used, info->slots);
	print_lengths("IPv4 lengths", &info->lengths_ipv4, 32);
	print_lengths("IPv6 lengths", info->lengths_ipv6, 128);
	printf("rules         %u\n", info->rules);
	printf("so far        %llu searches, %llu moves, %llu growths, %llu adds refused\n",
	       info->searches, info->moves, info->growths, info->refused);
}

int verb_info(struct cli *cli, const struct args *args)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	const char *name = args->words[0];
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
