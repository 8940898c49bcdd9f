// SPDX-License-Identifier: GPL-2.0-only
/*
 * urlblock loads a list of blocked URLs, and checks whether URLs are on this list. This
 * file parses the command line of urlblock and runs a command; see ../README.md.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../message.h"
#include "blocker.h"

/* Exit codes. */
enum {
	EXIT_ALLOWED	= 0,	/* no URL is blocked, or the list was loaded */
	EXIT_BLOCKED	= 1,	/* at least one URL is blocked */
	EXIT_ERROR	= 2,
};

/**
 * struct tally - numbers of the URLs that were checked
 * @blocked: number of URLs on the list
 * @allowed: number of URLs that are not on the list
 * @bad: number of invalid URLs
 */
struct tally {
	uint64_t blocked;
	uint64_t allowed;
	uint64_t bad;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Return: the line without blanks at its ends; or an empty string if the line is a comment. */
static struct span trim(const char *line, size_t length)
{
	const char *end = line + length;

	while (line < end && is_blank(*line))
		line++;
	if (line < end && *line == '#')
		end = line;
	while (end > line && is_blank(end[-1]))
		end--;
	return (struct span){ line, end - line };
}

/*
 * Add the URLs of a file to a draft, which collects the URLs of a new list. Return: the
 * number of invalid lines, or -1 after an error message.
 */
static long read_list(FILE *file, const char *path, struct draft *draft)
{
	char url[URL_MAX], *line = NULL;
	size_t size = 0, number = 0;
	ssize_t length;
	long bad = 0;
	int ret = 0;

	while (!ret && (length = getline(&line, &size, file)) >= 0) {
		struct span text = trim(line, length);

		number++;
		if (!text.length)
			continue;
		length = url_format(text.text, text.length, url);
		if (length >= 0)
			ret = draft_add(draft, url, length);
		else if (!bad++)
			say("%s:%zu: neither a URL nor a domain; further invalid lines are only counted",
			    path, number);
	}
	if (!ret && !feof(file))
		ret = error("%s: %s", path, strerror(errno));
	free(line);
	return ret ? ret : bad;
}

static int run_load(const char *name, char **operands, int count)
{
	struct draft draft = { .bytes = NULL };
	FILE *file;
	long bad;
	int ret;

	(void)count;
	file = fopen(operands[1], "r");
	if (!file)
		return error("%s: %s", operands[1], strerror(errno));
	bad = read_list(file, operands[1], &draft);
	fclose(file);
	ret = bad < 0 || draft_sort(&draft) ||
	      blocker_load(name, &draft, operands[0]);
	if (!ret)
		say("%zu URLs, %ld invalid lines", draft.count, bad);
	draft_free(&draft);
	return ret ? -1 : EXIT_ALLOWED;
}

static int check(struct blocker *blocker, const char *text, size_t length,
		 struct tally *tally)
{
	struct span url, entry;
	char buf[URL_MAX];
	long formatted = url_format(text, length, buf);
	int found;

	/*
	 * Do not print the text of an invalid URL: it can have control
	 * characters, and a terminal would act on them.
	 */
	if (formatted < 0) {
		tally->bad++;
		puts("bad");
		return 0;
	}
	url = (struct span){ buf, formatted };
	found = blocker_check(blocker, &url, &entry);
	if (found < 0)
		return -1;
	if (found) {
		tally->blocked++;
		printf("blocked %.*s %.*s\n", (int)length, text,
		       (int)entry.length, entry.text);
	} else {
		tally->allowed++;
		printf("allowed %.*s\n", (int)length, text);
	}
	return 0;
}

static int check_lines(struct blocker *blocker, struct tally *tally)
{
	char *line = NULL;
	size_t size = 0;
	ssize_t length;
	int ret = 0;

	while (!ret && (length = getline(&line, &size, stdin)) >= 0) {
		struct span text = trim(line, length);

		if (text.length)
			ret = check(blocker, text.text, text.length, tally);
	}
	if (!ret && !feof(stdin))
		ret = error("cannot read standard input: %s", strerror(errno));
	free(line);
	return ret;
}

static int print_tally(struct blocker *blocker, const struct tally *tally)
{
	uint64_t absent = blocker->looked_up - (blocker->read - blocker->not_listed);
	double expected = blocker_expected(blocker);

	if (expected < 0)
		return -1;
	say("%ju blocked, %ju allowed, %ju invalid", (uintmax_t)tally->blocked,
	    (uintmax_t)tally->allowed, (uintmax_t)tally->bad);
	say("%ju look-ups in the filter; %ju in the list, of which %ju found no match",
	    (uintmax_t)blocker->looked_up, (uintmax_t)blocker->read,
	    (uintmax_t)blocker->not_listed);
	say("false positives: %.6f measured, %.6f expected",
	    absent ? (double)blocker->not_listed / absent : 0, expected);
	return 0;
}

static int run_check(const char *name, char **operands, int count)
{
	struct tally tally = { 0 };
	struct blocker blocker;
	int i, ret = 0;

	if (blocker_open(&blocker, name, operands[0]))
		return -1;
	for (i = 1; i < count && !ret; i++) {
		if (!strcmp(operands[i], "-"))
			ret = check_lines(&blocker, &tally);
		else
			ret = check(&blocker, operands[i], strlen(operands[i]),
				    &tally);
	}
	if (!ret)
		ret = print_tally(&blocker, &tally);
	blocker_close(&blocker);
	if (ret || tally.bad)
		return -1;
	return tally.blocked ? EXIT_BLOCKED : EXIT_ALLOWED;
}

static const char usage[] =
"usage: urlblock [-n NAME] load SORTED LIST\n"
"       urlblock [-n NAME] check SORTED URL...\n"
"\n"
"  load    read the file LIST, which has a URL or a domain on each line. Write\n"
"          the file SORTED, and create a filter in the kernel\n"
"  check   print for each URL whether it is blocked: whether the list has the\n"
"          URL, a folder that it is in, its host or a parent domain. Look it up\n"
"          in the filter, and look up in SORTED what is in the filter. If URL is\n"
"          -, check each line of standard input\n"
"\n"
"Empty lines and lines that begin with # are skipped.\n"
"\n"
"  -n NAME   name of the filter; default: urlblock. Each list needs a filter of\n"
"            its own\n"
"\n"
"Exit status: 0 the list is loaded, or all URLs are allowed; 1 some URLs are\n"
"blocked; 2 an error or an invalid URL.\n";

static int run(int argc, char **argv)
{
	const char *name = "urlblock", *verb;
	int option, count;

	while ((option = getopt(argc, argv, "+n:h")) != -1) {
		if (option == 'n') {
			name = optarg;
		} else {
			fputs(usage, option == 'h' ? stdout : stderr);
			return option == 'h' ? EXIT_ALLOWED : -1;
		}
	}
	count = argc - optind - 1;
	verb = argv[optind];
	argv += optind + 1;
	if (count == 2 && !strcmp(verb, "load"))
		return run_load(name, argv, count);
	if (count >= 2 && !strcmp(verb, "check"))
		return run_check(name, argv, count);
	fputs(usage, stderr);
	return -1;
}

int main(int argc, char **argv)
{
	int ret = run(argc, argv);

	/* The other exit codes are answers, which need complete output. */
	if (fflush(stdout) || ferror(stdout))
		ret = error("cannot write to standard output");
	return ret < 0 ? EXIT_ERROR : ret;
}
