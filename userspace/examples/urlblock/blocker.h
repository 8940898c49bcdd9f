/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * urlblock: the filter in the kernel, and the list that it speaks for
 */
#ifndef URLBLOCK_BLOCKER_H
#define URLBLOCK_BLOCKER_H

#include "kcuckoo.h"
#include "list.h"

/* One look-up in a thousand of what is not on the list reads the list in vain. */
#define FALSE_POSITIVES		0.001

/**
 * struct blocker - a filter and its list
 * @handle: the device
 * @name: name of the filter
 * @list: the list
 * @asked: how many forms of URLs the filter was asked for
 * @read: how often it said yes, so that the list was read
 * @vain: how often the list said no then
 */
struct blocker {
	struct kcuckoo *handle;
	const char *name;
	struct list list;
	uint64_t asked;
	uint64_t read;
	uint64_t vain;
};

/*
 * Make a filter of all URLs of a draft, in the place of an older one. Return: 0,
 * or -1, told.
 */
int blocker_load(const char *name, const struct draft *draft);

/* Open the filter and its list. Return: 0, or -1, told. */
int blocker_open(struct blocker *blocker, const char *name, const char *path);
void blocker_close(struct blocker *blocker);

/*
 * Is a URL, in its one form, on the list? @entry: which line says so. Return: 1,
 * 0, or -1, told.
 */
int blocker_check(struct blocker *blocker, const struct span *url,
		  struct span *entry);

/* Share of look-ups that are false positives, as the kernel expects it; or -1. */
double blocker_expected(struct blocker *blocker);

#endif /* URLBLOCK_BLOCKER_H */
