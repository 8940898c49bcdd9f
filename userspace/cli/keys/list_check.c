// SPDX-License-Identifier: GPL-2.0-only
/*
 * list_check() finds input that is not a list, such as the error page of a server.
 */
#include "args.h"
#include "keys/list_check.h"
#include "message.h"

/*
 * Without --force, input is rejected if it has more than this number of bad lines, and more
 * than a tenth of its lines are bad.
 */
#define MANY_BAD	3

static int no_key_error(const struct input *input)
{
	bool bytes = input->syntax.kind != SYNTAX_INET;

	if (!input->syntax.configured)
		return empty_error(bytes);
	return hint(error("the list contains no %s; nothing changed",
			  bytes ? "key" : "address"),
		    "did the download fail? 'min = 0' in a section [list] permits an empty list, with 'max-shrink = 100' also if it had more than 100 entries");
}

int list_check(const struct input *input, __u64 count, int given)
{
	__u64 bad = input->bad;

	if (bad && !count && !(given & ARGS_FORCE && given & ARGS_ALLOW_EMPTY))
		return hint(error("%llu bad %s and no key: nothing was changed",
				  bad, plural(bad, "line", "lines")),
			    "is it a list? --allow-empty and --force together load it as an empty list");
	if (!count && !(given & ARGS_ALLOW_EMPTY))
		return no_key_error(input);
	if (bad > MANY_BAD && bad > input->lines / 10 && !(given & ARGS_FORCE))
		return hint(error("%llu of %llu lines are bad: nothing was changed",
				  bad, input->lines),
			    "is it a list of another format? --force loads the other lines");
	return 0;
}
