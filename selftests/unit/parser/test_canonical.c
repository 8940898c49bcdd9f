// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lists in their canonical form are read as they were written, and each damaged
 * file is refused.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fetch/canonical.h"
#include "kcuckoo.h"
#include "tap.h"

#define DAMAGED	1000
#define ROOM	16384
#define FILE	"drop.list"

/* A list in a folder of its own. */
struct fixture {
	char path[64];
	int folder;
	struct keyset set;
	struct canonical written;
	char text[ROOM];
	size_t length;
};

static void write_text(struct fixture *f, const char *text, size_t length)
{
	int fd = openat(f->folder, FILE, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	tap_require(fd >= 0 && write(fd, text, length) == (ssize_t)length,
		    "the file cannot be written");
	close(fd);
}

static void begin(struct fixture *f, unsigned int keys, const char *reason)
{
	struct kcuckoo_prefix key = {
		.family = KCUCKOO_FAMILY_IPV4, .plen = 32, .addr = { 192, 0 },
	};
	unsigned int i;
	int fd;

	memset(f, 0, sizeof(*f));
	strcpy(f->path, "/tmp/canonical.XXXXXX");
	tap_require(mkdtemp(f->path), "no folder");
	f->folder = open(f->path, O_RDONLY | O_DIRECTORY);
	keyset_init(&f->set);
	for (i = 0; i < keys; i++) {
		key.addr[2] = i / 256;
		key.addr[3] = i;
		tap_require(!keyset_add(&f->set, &key), "no memory");
	}
	keyset_sort(&f->set);
	canonical_describe(&f->written, "drop", &f->set, reason);
	tap_require(!canonical_write(f->folder, FILE, &f->written, &f->set),
		    "not written");
	fd = openat(f->folder, FILE, O_RDONLY);
	f->length = read(fd, f->text, ROOM);
	close(fd);
	tap_require(f->length && f->length < ROOM, "%zu bytes", f->length);
}

static void end(struct fixture *f)
{
	unlinkat(f->folder, FILE, 0);
	close(f->folder);
	rmdir(f->path);
	keyset_free(&f->set);
}

static int open_list(struct fixture *f, struct canonical *canonical)
{
	char why[CANONICAL_WHY] = "";
	int fd = canonical_open(f->folder, FILE, "drop", canonical, NULL, why);

	tap_require(fd >= 0 || *why, "no reason");
	return fd;
}

static void require_whole(struct fixture *f)
{
	struct canonical canonical;
	struct keyset set;
	int fd = open_list(f, &canonical);

	tap_require(fd >= 0, "a sound file is refused");
	tap_require(!memcmp(&canonical, &f->written, sizeof(canonical)),
		    "another description");
	keyset_init(&set);
	tap_require(!canonical_read(fd, &set), "not read");
	tap_require(keyset_count(&set) == keyset_count(&f->set), "%zu members",
		    keyset_count(&set));
	keyset_free(&set);
}

static void require_refused(struct fixture *f, const char *text, size_t length,
			    const char *what, size_t at)
{
	struct canonical canonical;
	int fd;

	write_text(f, text, length);
	fd = open_list(f, &canonical);
	tap_require(fd == -EBADMSG, "%s at %zu: %d", what, at, fd);
}

static void test_whole(void)
{
	static const unsigned int counts[] = { 0, 1, 2, 600 };
	struct fixture f;
	size_t i;

	for (i = 0; i < TAP_COUNT(counts); i++) {
		begin(&f, counts[i], NULL);
		require_whole(&f);
		end(&f);
		begin(&f, counts[i], "it has 3 members, too few");
		require_whole(&f);
		end(&f);
	}
}

/* Flip bits, cut, lengthen, repeat, exchange: each file has one damage. */
static void test_damaged(void)
{
	char text[2 * ROOM];
	struct fixture f;
	size_t at, length;
	int i;

	begin(&f, 600, NULL);
	for (i = 0; i < DAMAGED; i++) {
		memcpy(text, f.text, f.length);
		length = f.length;
		at = random_below(f.length);
		switch (i % 5) {
		case 0:
			text[at] ^= 1 << random_below(8);
			break;
		case 1:
			length = at;
			break;
		case 2:
			memmove(text + at + 1, text + at, length++ - at);
			break;
		case 3:
			memmove(text + at, text + at + 1, --length - at);
			break;
		default:
			text[at] = random_below(256);
			if (text[at] == f.text[at])
				text[at]++;
			break;
		}
		require_refused(&f, text, length, "damage", at);
	}
	write_text(&f, f.text, f.length);
	require_whole(&f);
	end(&f);
}

/* Each bit of the first line, which no digest covers. */
static void test_header(void)
{
	struct fixture f;
	size_t at, header;
	char text[ROOM];
	int bit;

	begin(&f, 3, "it has 3 members, too few");
	header = strchr(f.text, '\n') + 1 - f.text;
	memcpy(text, f.text, f.length);
	/* The reason is text of its own, which nothing depends on. */
	header -= strlen("it has 3 members, too few\n");
	for (at = 0; at < header; at++) {
		for (bit = 0; bit < 8; bit++) {
			text[at] ^= 1 << bit;
			require_refused(&f, text, f.length, "bit", at);
			text[at] = f.text[at];
		}
	}
	for (at = 0; at < f.length; at++)
		require_refused(&f, text, at, "end", at);
	require_refused(&f, text, 0, "an empty file", 0);
	end(&f);
}

/* The file is not what it should be, whatever its content is. */
static void test_file(void)
{
	struct canonical canonical;
	char why[CANONICAL_WHY];
	struct fixture f;

	begin(&f, 3, NULL);
	tap_require(!fchmodat(f.folder, FILE, 0666, 0), "chmod");
	tap_require(open_list(&f, &canonical) == -EBADMSG, "others can write it");
	tap_require(!fchmodat(f.folder, FILE, 0644, 0), "chmod");
	require_whole(&f);
	tap_require(canonical_open(f.folder, FILE, "other", &canonical, NULL, why) ==
		    -EBADMSG, "it is of another list");
	unlinkat(f.folder, FILE, 0);
	tap_require(open_list(&f, &canonical) == -ENOENT, "there is none");
	tap_require(!symlinkat("/dev/null", f.folder, FILE), "symlink");
	tap_require(open_list(&f, &canonical) == -ELOOP, "a link");
	unlinkat(f.folder, FILE, 0);
	tap_require(!mkfifoat(f.folder, FILE, 0600), "fifo");
	tap_require(open_list(&f, &canonical) == -EBADMSG, "a named pipe");
	end(&f);
}

static const struct tap_test tests[] = {
	{ "canonical.whole: a list is read as it was written", test_whole },
	{ "canonical.damaged: 1,000 damaged files are refused", test_damaged },
	{ "canonical.header: each bit of the first line counts", test_header },
	{ "canonical.file: only a regular file that others cannot write", test_file },
};

int main(int argc, char **argv)
{
	return tap_main(argc, argv, tests, TAP_COUNT(tests));
}
