// SPDX-License-Identifier: GPL-2.0-only
/*
 * The verb apply with the option --check reads the configuration, and shows
 * what it means.
 */
#include "args.h"
#include "conf/check.h"
#include "message.h"

int verb_apply(struct cli *cli, const struct args *args)
{
	if (args->given & ARGS_CHECK)
		return config_check(cli, args);
	return error("'apply' needs --check: kcuckoo apply %s", cli->verb->usage);
}
