// SPDX-License-Identifier: GPL-2.0-only
/*
 * import_write() writes the configuration and the lists of the verb import to a folder,
 * or prints the configuration if the user gave no folder. import_write() replaces no
 * file. If a file cannot be written, or the configuration has a mistake, import_write()
 * removes the files that it has written.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/import.h"
#include "conf/config.h"
#include "keywords.h"

/* Name of the file of the configuration. */
#define CONF		"import.conf"

/* Number of keys that write_entries() reads from a set at once. */
#define KEYS		256

/* Size of a buffer for the name of a file. */
#define FILE_TEXT	(KCUCKOO_NAME_SIZE + 8)

/**
 * struct output - the files to write
 * @import: state of the verb
 * @path: path of the folder, without symbolic links; CONFIG_FOLDER if the user gave no
 *	folder
 * @folder: descriptor of the folder, or -1 to print the configuration
 * @written: number of lists whose files were created, in the order of the sets
 */
struct output {
	const struct import *import;
	char path[PATH_MAX];
	int folder;
	int written;
};

static void list_file(const struct import_set *set, char name[FILE_TEXT])
{
	snprintf(name, FILE_TEXT, "%s.txt", set->name);
}

static FILE *create_file(const struct output *output, const char *name)
{
	int fd = openat(output->folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
			0644);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");

	if (!file)
		error("cannot create %s/%s: %s", output->path, name, strerror(errno));
	if (!file && fd >= 0) {
		close(fd);
		unlinkat(output->folder, name, 0);
	}
	return file;
}

static int finish(const struct output *output, FILE *file, const char *name)
{
	int failed = fflush(file) || fsync(fileno(file)) || ferror(file);

	failed |= fclose(file) != 0;
	return failed ? error("cannot write %s/%s: %s", output->path, name,
			      strerror(errno)) : 0;
}

static void write_entries(FILE *file, const struct import_set *set)
{
	struct kcuckoo_prefix keys[KEYS];
	struct note notes[KEYS];
	char text[KCUCKOO_PREFIX_TEXT], place[IMPORT_PLACE];
	size_t i, at, count;

	fprintf(file, "# %s\n", escape(set->place, strlen(set->place), place, sizeof(place)));
	for (at = 0; (count = keyset_read(&set->keys.keys, at, keys, KEYS)); at += count) {
		if (set->timed)
			keyset_read_notes(&set->keys.keys, at, notes, KEYS);
		for (i = 0; i < count; i++) {
			kcuckoo_prefix_format(&keys[i], text);
			fputs(text, file);
			if (set->timed)
				fprintf(file, " timeout %u", notes[i].timeout);
			putc('\n', file);
		}
	}
}

static int write_lists(struct output *output)
{
	const struct import *import = output->import;
	char name[FILE_TEXT];
	FILE *file;
	int ret = 0;

	while (!ret && output->written < import->set_count) {
		const struct import_set *set = import->sets[output->written];

		list_file(set, name);
		file = create_file(output, name);
		if (!file)
			return -1;
		output->written++;
		write_entries(file, set);
		ret = finish(output, file, name);
	}
	return ret;
}

bool import_has_list(const struct import_set *set)
{
	return !set->timed && !set->packets;
}

/* Shorten @text, because a line of a configuration has at most CONFIG_LINE_MAX bytes. */
static void print_comment(FILE *file, const char *text, const char *more)
{
	char buf[160];

	fprintf(file, "# %s%s\n", escape(text, strlen(text), buf, sizeof(buf)), more);
}

static void print_list(const struct output *output, FILE *file, int index)
{
	const struct import_set *set = output->import->sets[index];
	char name[FILE_TEXT];

	list_file(set, name);
	fprintf(file, "[list %s]\nfile = %s/%s\n", set->name, output->path, name);
	if (!keyset_count(&set->keys.keys))
		fputs("min = 0\n", file);
	if (set->wide)
		fputs("wide = yes\n", file);
	if (set->bogons && !import_has_rule_without_dev(output->import, index))
		fputs("bogons = yes\n", file);
	putc('\n', file);
}

/*
 * Return: the option that "kcuckoo apply" needs for the folder of the configuration, with
 * a blank before and after it; or "" for the default folder.
 */
static const char *config_option(const struct output *output)
{
	return strcmp(output->path, CONFIG_FOLDER) ? " --config " : "";
}

static const char *config_argument(const struct output *output)
{
	return strcmp(output->path, CONFIG_FOLDER) ? output->path : "";
}

static void print_filter(const struct output *output, FILE *file, int index)
{
	const struct import_set *set = output->import->sets[index];
	char name[FILE_TEXT];

	print_comment(file, set->place, "");
	if (import_has_list(set)) {
		print_list(output, file, index);
		fprintf(file, "[filter %s]\nlist = %s\n\n", set->name, set->name);
		return;
	}
	list_file(set, name);
	if (keyset_count(&set->keys.keys))
		fprintf(file, "# Apply the configuration, then add the present entries:\n# kcuckoo apply%s%s\n# kcuckoo load %s %s/%s\n",
			config_option(output), config_argument(output), set->name,
			output->path, name);
	fprintf(file, "[filter %s]\nkeep = yes\n", set->name);
	if (set->timed && set->timeout)
		fprintf(file, "timeout = %u\n", set->timeout);
	else if (set->timed)
		fputs("timeout = never\n", file);
	if (set->packets)
		fputs("hash = siphash\n", file);
	putc('\n', file);
}

/*
 * Print one section [rule] for all rules with the hook, match and device of @first.
 * @number: number of the section, for its name.
 */
static void print_rules(const struct import *import, FILE *file,
			struct import_rule *first, int number)
{
	struct import_rule *rule, *end = import->rules + import->rule_count;
	const char *hook = keyword_name(hook_keywords, first->hook);

	fprintf(file, "[rule %s-%d]\n", hook, number);
	for (rule = first; rule < end; rule++) {
		if (rule->hook != first->hook || rule->match != first->match ||
		    strcmp(rule->dev, first->dev))
			continue;
		fprintf(file, "filter = %s\n", import->sets[rule->set]->name);
		rule->written = true;
	}
	fprintf(file, "hook = %s\nmatch = %s\n", hook,
		keyword_name(match_keywords, first->match));
	if (*first->dev)
		fprintf(file, "dev = %s\n", first->dev);
	putc('\n', file);
}

static void print_conf(const struct output *output, FILE *file)
{
	const struct import *import = output->import;
	int i, number = 0;

	print_comment(file, "Imported by kcuckoo import. A file of lists is read at each apply.", "");
	for (i = 0; i < import->rejected_count; i++) {
		if (!i)
			fputs("#\n# Not taken over:\n", file);
		print_comment(file, import->rejected[i].place, ":");
		print_comment(file, import->rejected[i].why, "");
	}
	putc('\n', file);
	for (i = 0; i < import->set_count; i++)
		print_filter(output, file, i);
	for (i = 0; i < import->rule_count; i++)
		import->rules[i].written = false;
	for (i = 0; i < import->rule_count; i++)
		if (!import->rules[i].written)
			print_rules(import, file, &import->rules[i], ++number);
}

static int check(const struct output *output)
{
	struct config config;
	int ret = config_read(&config, output->path, config_feeds_folder());

	config_free(&config);
	return ret ? error("the configuration in %s would have mistakes: nothing was written",
			   output->path) : 0;
}

static int write_files(struct output *output)
{
	char name[FILE_TEXT];
	FILE *file = create_file(output, CONF);
	int i, ret;

	if (!file)
		return -1;
	print_conf(output, file);
	ret = finish(output, file, CONF);
	if (!ret)
		ret = write_lists(output);
	if (!ret)
		ret = check(output);
	for (i = 0; ret && i < output->written; i++) {
		list_file(output->import->sets[i], name);
		unlinkat(output->folder, name, 0);
	}
	if (ret)
		unlinkat(output->folder, CONF, 0);
	return ret;
}

static void say_next(const struct output *output)
{
	const struct import *import = output->import;
	int i;

	say(import->cli, "%d %s and %d %s written to %s/" CONF, import->set_count,
	    plural(import->set_count, "filter", "filters"), import->rule_count,
	    plural(import->rule_count, "rule", "rules"), output->path);
	say(import->cli, "'kcuckoo apply --check%s%s' shows them", config_option(output),
	    config_argument(output));
	for (i = 0; i < import->set_count; i++)
		if (!import_has_list(import->sets[i]) &&
		    keyset_count(&import->sets[i]->keys.keys))
			say(import->cli, "after 'kcuckoo apply%s%s', 'kcuckoo load %s %s/%s.txt' adds its present entries",
			    config_option(output), config_argument(output),
			    import->sets[i]->name, output->path, import->sets[i]->name);
}

int import_write(struct import *import)
{
	const char *to = import->args->import.to;
	struct output output = { .import = import, .folder = -1 };
	int ret;

	if (!to) {
		strcpy(output.path, CONFIG_FOLDER);
		print_conf(&output, stdout);
		return EXIT_YES;
	}
	if (!realpath(to, output.path))
		return error("folder %s: %s", to, strerror(errno));
	output.folder = open(output.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (output.folder < 0)
		return error("folder %s: %s", output.path, strerror(errno));
	ret = write_files(&output);
	close(output.folder);
	if (!ret)
		say_next(&output);
	return ret ? -1 : EXIT_YES;
}
