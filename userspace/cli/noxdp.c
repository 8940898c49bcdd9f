// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcuckoo: hook xdp of a command that was built without what it takes
 */
#include "message.h"
#include "xdp.h"

int xdp_attach(struct cli *cli, const struct kcuckoo_rule *rule,
	       enum xdp_mode mode)
{
	(void)cli;
	(void)rule;
	(void)mode;
	error("this command was built without hook xdp");
	return hint(-1, "'apt-get install clang libbpf-dev', and build it again");
}

int xdp_detach(struct cli *cli, const char *name,
	       const struct kcuckoo_ioc_detach *pattern, int *removed)
{
	(void)cli;
	(void)name;
	(void)pattern;
	(void)removed;
	return 0;
}

int xdp_rules(struct cli *cli, struct kcuckoo_rule **rules, int count)
{
	(void)cli;
	(void)rules;
	return count;
}
