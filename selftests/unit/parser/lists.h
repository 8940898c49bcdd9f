/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the tests of lists have in common: a file or a pipe with a list, a run over it, and
 * what that said.
 */
#ifndef KCUCKOO_TEST_LISTS_H
#define KCUCKOO_TEST_LISTS_H

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/input.h"
#include "tap.h"

/* What a run handed out. */
struct seen {
	char text[256 << 10];
	size_t length;
	u64 count;
	u64 last_number;
	u64 stop_at;
	bool full;
	bool kill_child;
};

static struct seen seen;
static char words[8192];

/* End the process that unpacks, if there is one. */
static void kill_child(void)
{
	FILE *file = fopen("/proc/thread-self/children", "r");
	int pid;

	if (fscanf(file, "%d", &pid) == 1)
		kill(pid, SIGKILL);
	fclose(file);
}

static int take(void *context, const struct line *line,
		const struct place *place)
{
	struct seen *s = context;

	s->count++;
	s->last_number = place->number;
	if (s->kill_child)
		kill_child();
	s->full = s->full || s->length + line->length + 2 > sizeof(s->text);
	if (!s->full) {
		memcpy(s->text + s->length, line->text, line->length);
		s->length += line->length;
		s->text[s->length++] = '\n';
		s->text[s->length] = 0;
	}
	return s->count == s->stop_at ? -1 : 0;
}

static char folder[64];
static char path[64];

/* Write a file. Return: its name. */
static char *file_with(const void *data, size_t length)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	tap_require(fd >= 0, "%s: %s", path, strerror(errno));
	tap_require(write(fd, data, length) == (ssize_t)length, "%s", path);
	close(fd);
	return path;
}

static FILE *catch_words(int *saved)
{
	FILE *file = tmpfile();

	fflush(stderr);
	*saved = dup(STDERR_FILENO);
	dup2(fileno(file), STDERR_FILENO);
	return file;
}

static void release_words(FILE *file, int saved)
{
	size_t length;

	fflush(stderr);
	dup2(saved, STDERR_FILENO);
	close(saved);
	rewind(file);
	length = fread(words, 1, sizeof(words) - 1, file);
	words[length] = 0;
	fclose(file);
}

/* One run over @files; what is said ends up in @words. */
static int run_input(struct input *input)
{
	bool killing = seen.kill_child;
	u64 stop_at = seen.stop_at;
	int saved, ret;
	FILE *file;

	memset(&seen, 0, sizeof(seen));
	seen.stop_at = stop_at;
	seen.kill_child = killing;
	file = catch_words(&saved);
	ret = input_run(input, take, &seen);
	release_words(file, saved);
	return ret;
}

/* How the runs below read. */
static struct syntax syntax;

static int run_bytes(const void *data, size_t length, struct input *input)
{
	static char *files[1];

	files[0] = file_with(data, length);
	input_init(input, files, 1);
	input->syntax = syntax;
	return run_input(input);
}

static inline int run_text(const char *text, struct input *input)
{
	return run_bytes(text, strlen(text), input);
}

/* Lines of all lengths across the borders of the buffers. */
static inline char *many_lines(size_t *length, u64 *count, char **keys)
{
	size_t room = 3 << 20, at = 0, keys_at = 0;
	char *text = tap_zalloc(room);

	*keys = tap_zalloc(room);
	*count = 0;
	while (at < room - 1024) {
		u32 addr = random_word();
		int blanks = random_below(20) ? 0 : random_below(300);
		char key[32];

		sprintf(key, "%u.%u.%u.%u", addr >> 24, addr >> 16 & 255,
			addr >> 8 & 255, addr & 255);
		at += sprintf(text + at, "%s%*s\n", key, blanks, "");
		keys_at += sprintf(*keys + keys_at, "%s\n", key);
		++*count;
	}
	*length = at;
	return text;
}

/* @seen holds the beginning of a long list only. */
static inline void expect_many(const char *keys, u64 count, const char *what)
{
	tap_require(seen.count == count, "%s: %llu lines, not %llu", what,
		    seen.count, count);
	tap_require(seen.length > 200000 &&
		    !memcmp(seen.text, keys, seen.length), "%s: other keys",
		    what);
}

/* Something that writes into a pipe while we read from it. */
struct feeder {
	const char *text;
	size_t length;
	int fd;
};

static void *feed(void *arg)
{
	struct feeder *feeder = arg;
	size_t at = 0;

	while (at < feeder->length) {
		size_t part = 1 + random_below(70000);
		ssize_t done;

		if (part > feeder->length - at)
			part = feeder->length - at;
		done = write(feeder->fd, feeder->text + at, part);
		if (done < 0)
			break;
		at += done;
	}
	close(feeder->fd);
	return NULL;
}

/* Standard input from a pipe. */
static inline void check_pipe(const char *text, size_t length, const char *keys,
			      u64 count, const char *what)
{
	static char * const files[] = { "-" };
	struct feeder feeder = { .text = text, .length = length };
	struct input input;
	int ends[2], saved;
	pthread_t thread;

	tap_require(!pipe(ends), "pipe");
	saved = dup(STDIN_FILENO);
	dup2(ends[0], STDIN_FILENO);
	close(ends[0]);
	feeder.fd = ends[1];
	pthread_create(&thread, NULL, feed, &feeder);
	input_init(&input, files, 1);
	input.syntax = syntax;
	tap_require(!run_input(&input), "%s: %s", what, words);
	expect_many(keys, count, what);
	pthread_join(thread, NULL);
	dup2(saved, STDIN_FILENO);
	close(saved);
}

static int lists_main(int argc, char **argv, const struct tap_test *tests, int count)
{
	int ret;

	strcpy(folder, "/tmp/kcuckoo-parser-XXXXXX");
	if (!mkdtemp(folder)) {
		perror(folder);
		return 2;
	}
	snprintf(path, sizeof(path), "%s/list", folder);
	ret = tap_main(argc, argv, tests, count);
	unlink(path);
	rmdir(folder);
	return ret;
}

#endif /* KCUCKOO_TEST_LISTS_H */
