// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file replaces xdp.c in a command that is built without hook xdp.
 *
 * Such a command does not list rules of hook xdp that another build of the command has
 * attached.
 */
#include "message.h"
#include "rules/device.h"
#include "rules/xdp.h"

const bool xdp_is_built;

static int not_built(void)
{
	error("this command was built without hook xdp");
	return hint(-1, "'apt-get install clang libbpf-dev libmnl-dev', and build it again");
}

int xdp_lock(struct cli *cli)
{
	(void)cli;
	return 0;
}

void xdp_unlock(struct cli *cli)
{
	(void)cli;
}

int xdp_attach(struct cli *cli, const struct kcuckoo_rule *rule,
	       enum xdp_mode mode)
{
	(void)cli;
	(void)rule;
	(void)mode;
	return not_built();
}

int xdp_detach(struct cli *cli, const char *name,
	       const struct kcuckoo_ioc_detach *pattern,
	       struct xdp_detached *detached)
{
	(void)cli;
	(void)name;
	(void)detached;
	if (!(pattern->flags & KCUCKOO_DETACH_HOOK))
		return 0;
	if (pattern->flags & KCUCKOO_DETACH_DEV &&
	    !device_index((const char *)pattern->dev))
		return -1;
	return not_built();
}

int xdp_has_rule(const char *name, const char *dev)
{
	(void)name;
	(void)dev;
	return 0;
}

int xdp_rules(struct cli *cli, struct kcuckoo_rule **rules, int count,
	      bool report)
{
	(void)rules;
	if (report)
		detail(cli, "built without hook xdp: its rules are not shown");
	return count;
}
