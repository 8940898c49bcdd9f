// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of lists, with a format and options, and recognition at the end of the first
 * bytes.
 */
#include "formats.h"
#include "input/spec.h"

static int parse(struct spec *spec, const char *name)
{
	FILE *file;
	int saved, ret;

	file = catch_words(&saved);
	ret = spec_parse(spec, name);
	release_words(file, saved);
	return ret;
}

static void is_spec(const char *name, const char *file, int layout, int count)
{
	struct spec spec;

	tap_require(!parse(&spec, name), "'%s': %s", name, words);
	tap_require(!strcmp(spec.path, file), "'%s': path '%s'", name, spec.path);
	tap_require(spec.layout == layout, "'%s': layout %d", name, spec.layout);
	tap_require(spec.count == count, "'%s': %d options", name, spec.count);
	spec_free(&spec);
}

static void is_bad(const char *name, const char *why)
{
	struct spec spec;

	tap_require(parse(&spec, name) == -1, "'%s' is good", name);
	tap_require(strstr(words, why), "'%s': %s", name, words);
	spec_free(&spec);
}

static void test_names(void)
{
	is_spec("list.txt", "list.txt", -1, 0);
	is_spec("-", "-", -1, 0);
	is_spec("csv:-", "-", LAYOUT_CSV, 0);
	is_spec("ipset:a/b", "a/b", LAYOUT_IPSET, 0);
	is_spec("ipset:a/b?set=x", "a/b", LAYOUT_IPSET, 1);
	is_spec("a?set=x&column=2", "a", -1, 2);
	is_spec("csv:a:b", "a:b", LAYOUT_CSV, 0);
	/* No format, no option. */
	is_spec("no:list", "no:list", -1, 0);
	is_spec("what?", "what?", -1, 0);
	is_spec("what? ever", "what? ever", -1, 0);
	is_spec("a?b?set=x", "a?b", -1, 1);
	is_bad("a?set=", "is no option");
	is_bad("a?set=x&y", "is no option");
	is_bad("a?set=x&set=y", "given twice");
	is_bad("a?a=1&b=1&c=1&d=1&e=1&f=1&g=1&h=1&i=1", "at most 8");
}

static void test_files(void)
{
	static char name[128];
	static char *files[] = { name };
	static char why[256];
	struct input input;
	FILE *file;

	/* A file with such a name is only a file. */
	snprintf(name, sizeof(name), "%s/csv:x?set=1", folder);
	file = fopen(name, "w");
	fputs("192.0.2.1\n", file);
	fclose(file);
	is_spec(name, name, -1, 0);
	unlink(name);
	file_with("x,192.0.2.1\n", 12);
	snprintf(name, sizeof(name), "%s?column=2", path);
	input_init(&input, files, 1);
	input.syntax.layout = LAYOUT_CSV;
	tap_require(!run_input(&input) && !strcmp(seen.text, "192.0.2.1\n"), "%s%s", seen.text,
		    words);
	input_init(&input, files, 1);
	tap_require(run_input(&input) == -1 &&
		    strstr(words, "lists of format 'list' have no option 'column'"), "%s", words);
	snprintf(why, sizeof(why), "'csv:%s?column=2' names a format", path);
	tap_require(strstr(words, why), "'%s', not '%s'", words, why);
	/* The progress needs the size of the list, also with a format and options. */
	tap_require(input.total == 12, "%llu", input.total);
	snprintf(name, sizeof(name), "csv:%s?column=2", path);
	input_init(&input, files, 1);
	tap_require(input.total == 12, "%llu", input.total);
	snprintf(name, sizeof(name), "csv:%s.none?column=2&x", path);
	input_init(&input, files, 1);
	tap_require(!input.total, "%llu", input.total);
}

/* The last line of the first bytes may be cut off. */
static void test_long(void)
{
	size_t length = 3 * LAYOUT_MAGIC, at = 0;
	char *text = tap_zalloc(length + 64);

	while (at < length)
		at += sprintf(text + at, "add s 192.0.2.1\n");
	tap_require(layout_recognize(text, LAYOUT_MAGIC + 3, false) == LAYOUT_IPSET, "cut off");
	strcpy(text + LAYOUT_MAGIC + 100, "\n192.0.2.1\n");
	tap_require(recognized(text) == LAYOUT_LIST, "another line");
	/* A cut line of a short text is a bad line, not a missing one. */
	tap_require(recognized("add s 192.0.2.1\nadd s") == LAYOUT_LIST, "incomplete");
}

static const struct tap_test tests[] = {
	{ "spec.names: a name may have a format and options", test_names },
	{ "spec.files: a file of that name comes first, unknown options are errors",
	  test_files },
	{ "spec.long: a line that is cut off does not count for recognition", test_long },
};

int main(int argc, char **argv)
{
	return lists_main(argc, argv, tests, TAP_COUNT(tests));
}
