/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * urlblock: the filter in the kernel, and the list that it speaks for
 *
 * Some keys more, the marks, hold the sum of the list's file. By them a filter is
 * known to be that of the list: one that another list was loaded into, or a list that
 * is newer than the filter because a program was ended in between, is an error.
 */
#ifndef URLBLOCK_BLOCKER_H
#define URLBLOCK_BLOCKER_H

#include "kcuckoo.h"
#include "list.h"

/* One look-up in a thousand of what is not on the list reads the list in vain. */
#define FALSE_POSITIVES		0.001

/* So many, because the filter may take any one of them for its own, as any key. */
#define MARKS			4
#define MARK_SIZE		48

/**
 * struct marks - the marks of a list
 * @bytes: their keys, one behind the other; no URL has blanks, as they have
 * @size: how many bytes
 * @lengths: the length of each
 */
struct marks {
	char bytes[MARKS * MARK_SIZE];
	size_t size;
	uint16_t lengths[MARKS];
};

/**
 * struct blocker - a filter and its list
 * @handle: the device
 * @name: name of the filter
 * @path: file of the list
 * @list: the list
 * @marks: its marks
 * @asked: how many forms of URLs the filter was asked for
 * @read: how often it said yes, so that the list was read
 * @vain: how often the list said no then
 */
struct blocker {
	struct kcuckoo *handle;
	const char *name;
	const char *path;
	struct list list;
	struct marks marks;
	uint64_t asked;
	uint64_t read;
	uint64_t vain;
};

/*
 * Make a filter and the file @path of all URLs of a draft, in the place of
 * older ones. Return: 0, or -1 after an error message.
 */
int blocker_load(const char *name, const struct draft *draft, const char *path);

/* Open the filter and its list. Return: 0, or -1 after an error message. */
int blocker_open(struct blocker *blocker, const char *name, const char *path);
void blocker_close(struct blocker *blocker);

/*
 * Is a URL, in its one form, on the list? @entry: which line says so. Return:
 * 1, 0, or -1 after an error message.
 */
int blocker_check(struct blocker *blocker, const struct span *url,
		  struct span *entry);

/* Share of look-ups that are false positives, as the kernel expects it; or -1. */
double blocker_expected(struct blocker *blocker);

#endif /* URLBLOCK_BLOCKER_H */
