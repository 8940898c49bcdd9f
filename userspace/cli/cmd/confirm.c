// SPDX-License-Identifier: GPL-2.0-only
/*
 * The verb confirm keeps or undoes a change that waits for confirmation, such as a change
 * by apply --confirm. A timer undoes such a change unless the user confirms the change in
 * time. With the operand "within", the verb starts the timer for the next changes to the
 * named filters and their rules.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "args.h"
#include "cmd/unconfirmed.h"
#include "message.h"
#include "number.h"

static int keep(struct cli *cli)
{
	int lock, ret;

	if (unconfirmed_lock(cli, &lock))
		return -1;
	ret = confirm_keep(&unconfirmed_end);
	if (lock >= 0)
		close(lock);
	if (ret > 0)
		return error("no change waits for confirmation; the change may have been undone already");
	if (!ret)
		say(cli, "confirmed");
	return ret;
}

/* @id: undo only the change with this number, which the timer gives; NULL: any change. */
static int undo(struct cli *cli, const char *id)
{
	int lock, ret;

	if (cli_open(cli) || unconfirmed_lock(cli, &lock))
		return -1;
	ret = confirm_undo(cli, id, &unconfirmed_end);
	if (lock >= 0)
		close(lock);
	/*
	 * If the user confirmed the change before the timer ran the command, the
	 * command succeeds.
	 */
	if (ret > 0)
		return id ? EXIT_YES :
			    error("no change waits for confirmation");
	if (!ret)
		say(cli, "the change was not confirmed: the previous filters and rules were restored");
	return ret;
}

static int arm(struct cli *cli, __u32 seconds, char *const names[], int count)
{
	struct confirm_change change = {
		.seconds = seconds,
		.filters = calloc(count, sizeof(*change.filters)),
		.count = count,
	};
	int i, ret;

	if (!change.filters)
		return error("not enough memory");
	for (i = 0; i < count; i++)
		strcpy(change.filters[i].name, names[i]);
	ret = confirm_arm(cli, &change);
	free(change.filters);
	return ret;
}

/* @words: the operands after "within": the time, and the names of the filters. */
static int confirm_within(struct cli *cli, char **words, int count)
{
	__u32 seconds;
	int i;

	if (count < 2)
		return error("'within' needs a time and filters: kcuckoo confirm %s",
			     cli->verb->usage);
	if (parse_duration("within", words[0], &seconds))
		return -1;
	if (!seconds)
		return error("within 0: a time of at least one second is needed");
	for (i = 1; i < count; i++)
		if (check_name(words[i]))
			return -1;
	if (cli_open(cli) || arm(cli, seconds, words + 1, count - 1))
		return -1;
	say(cli, "unless 'kcuckoo confirm' follows within %u s, the present state of %s will be restored",
	    seconds, count > 2 ? "these filters and their rules" :
				 "this filter and its rules");
	return EXIT_YES;
}

int verb_confirm(struct cli *cli, const struct args *args)
{
	int count = args->operand_count;

	if (!count)
		return keep(cli);
	if (!strcmp(args->operands[0], "within"))
		return confirm_within(cli, args->operands + 1, count - 1);
	if (!strcmp(args->operands[0], "undo") && count <= 2)
		return undo(cli, count > 1 ? args->operands[1] : NULL);
	return error("unknown argument '%s' for 'confirm': kcuckoo confirm %s",
		     args->operands[strcmp(args->operands[0], "undo") ? 0 : 2],
		     cli->verb->usage);
}
