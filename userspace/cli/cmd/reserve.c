// SPDX-License-Identifier: GPL-2.0-only
/*
 * The verb reserve allocates table entries in advance. Rules of iptables can add the
 * address of a packet to a filter. The kernel allocates no memory while it handles a
 * packet, so such an address needs an entry that was allocated before.
 */
#include <string.h>

#include "args.h"
#include "keywords.h"
#include "message.h"
#include "number.h"

/*
 * The operands of the verb. @name: name of the filter. @count: number of entries to reserve
 * for each family. @families: KCUCKOO_FAMILY_* of the families.
 */
struct reservation {
	const char *name;
	__u64 count;
	int families;
};

static int parse_reservation(struct reservation *wanted,
			     const struct args *args)
{
	wanted->name = args->operands[0];
	wanted->families = KCUCKOO_FAMILY_BOTH;
	if (parse_capacity("N", args->operands[1], &wanted->count))
		return -1;
	if (args->operand_count == 2)
		return 0;
	if (strcmp(args->operands[2], "family"))
		return hint(error("unknown argument '%s' for 'reserve'",
				  args->operands[2]),
			    "see 'kcuckoo help reserve'");
	if (args->operand_count == 3)
		return error("'family' needs a value: ipv4, ipv6 or both");
	wanted->families = keyword_value(family_keywords, "family",
					 args->operands[3]);
	return wanted->families < 0 ? -1 : 0;
}

static int check_capacity(const struct reservation *wanted,
			  const struct kcuckoo_ioc_info *info)
{
	if (info->type == KCUCKOO_TYPE_BYTES)
		return hint(error("'%s' holds byte strings", wanted->name),
			    "entries for byte strings are allocated when the filter is created: create NAME capacity N");
	if (info->members + wanted->count <= info->capacity)
		return 0;
	error("cannot reserve %llu entries in '%s': it has %llu members and a capacity of %llu",
	      wanted->count, wanted->name, info->members, info->capacity);
	return hint(-1, "reserve less, or create a filter with a larger capacity");
}

static int reserve_entries(struct cli *cli, const struct reservation *wanted)
{
	static const struct {
		int family, plen;
		const char *what;
	} families[] = {
		{ KCUCKOO_FAMILY_IPV4, 32, "reserve room for IPv4 in" },
		{ KCUCKOO_FAMILY_IPV6, 128, "reserve room for IPv6 in" },
	};
	int i, ret, reserved = 0;

	for (i = 0; i < 2; i++) {
		if (!(wanted->families & families[i].family))
			continue;
		ret = kcuckoo_reserve(cli->handle, wanted->name,
				      families[i].family, families[i].plen,
				      wanted->count);
		if (ret) {
			stop_error(cli, ret, wanted->name, families[i].what,
				   reserved);
			return reserved ? error("entries for %llu more IPv4 addresses were reserved",
						wanted->count) : -1;
		}
		reserved++;
	}
	return 0;
}

int verb_reserve(struct cli *cli, const struct args *args)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	struct reservation wanted;
	int ret;

	if (parse_reservation(&wanted, args) || cli_open(cli))
		return -1;
	ret = kcuckoo_info(cli->handle, wanted.name, &info);
	if (ret)
		return filter_error(cli, ret, wanted.name, "reserve room in");
	if (check_capacity(&wanted, &info) || reserve_entries(cli, &wanted))
		return -1;
	return EXIT_YES;
}
