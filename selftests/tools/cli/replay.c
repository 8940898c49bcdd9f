// SPDX-License-Identifier: GPL-2.0-only
/*
 * replay LOG IMAGE STRIDE COMMAND [ARGUMENT...]: write to a file system image, one write after the
 * other, what the target log-writes of the device mapper has logged. After each STRIDEth write run
 * the command, with the name of the last mark in the variable MARK: the image is then what a power
 * cut would have left. Print the number of runs. Exit 1 if one fails.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAGIC		0x6a736677736872ULL

/* Flags of an entry. */
#define ENTRY_DISCARD	4
#define ENTRY_MARK	8

/* The format of the log, in the kernel's Documentation: the processor is little-endian. */
struct super {
	unsigned long long magic;
	unsigned long long version;
	unsigned long long entries;
	unsigned int sector_size;
};

struct entry {
	unsigned long long sector;
	unsigned long long sectors;
	unsigned long long flags;
	unsigned long long mark_length;
};

static void fail(const char *what)
{
	perror(what);
	exit(125);
}

static void copy(int from, off_t from_at, int to, off_t to_at, unsigned long long length)
{
	char *buffer = malloc(length);

	if (!buffer || pread(from, buffer, length, from_at) != (ssize_t)length ||
	    pwrite(to, buffer, length, to_at) != (ssize_t)length)
		fail("cannot write to the image");
	free(buffer);
}

static void set_mark(int log, off_t at, unsigned long long length)
{
	char mark[256] = "";

	if (length >= sizeof(mark) || pread(log, mark, length, at) != (ssize_t)length)
		fail("cannot read a mark");
	setenv("MARK", mark, 1);
}

/* Return: the exit code. */
static int run(char **command)
{
	pid_t child = fork();
	int status;

	if (!child) {
		execvp(*command, command);
		_exit(127);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		fail("no command");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

int main(int argc, char **argv)
{
	struct super super;
	struct entry entry;
	unsigned long long i, size;
	long stride, writes = 0, runs = 0;
	int log, image;
	off_t at;

	if (argc < 5)
		return 125;
	log = open(argv[1], O_RDONLY);
	image = open(argv[2], O_WRONLY);
	stride = atol(argv[3]);
	if (image < 0 || pread(log, &super, sizeof(super), 0) != sizeof(super) ||
	    super.magic != MAGIC || stride < 1)
		fail("no log");
	size = super.sector_size;
	for (i = 0, at = size; i < super.entries; i++) {
		if (pread(log, &entry, sizeof(entry), at) != sizeof(entry))
			fail("the log is cut short");
		if (entry.flags & ENTRY_MARK)
			set_mark(log, at + sizeof(entry), entry.mark_length);
		at += size;
		if (entry.flags & (ENTRY_MARK | ENTRY_DISCARD) || !entry.sectors)
			continue;
		copy(log, at, image, entry.sector * size, entry.sectors * size);
		at += entry.sectors * size;
		if (++writes % stride)
			continue;
		runs++;
		if (run(argv + 4))
			return 1;
	}
	printf("%ld\n", runs);
	return 0;
}
