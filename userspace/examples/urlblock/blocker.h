/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A blocker looks up the forms of a URL (url.h) in a filter in the kernel. If the filter contains
 * a form, the blocker also looks up this form in the list (list.h), because the filter has false
 * positives.
 *
 * The filter has some further keys, the marks, which contain the checksum of the file of the list.
 * Look-ups end with an error if the filter lacks the marks of the list that the blocker has
 * opened. This happens if another list was loaded into the filter, if the file was changed, if
 * blocker_load() ended after it replaced the file and before it replaced the filter, or if
 * blocker_load() replaces the filter while a blocker is open.
 */
#ifndef URLBLOCK_BLOCKER_H
#define URLBLOCK_BLOCKER_H

#include "kcuckoo.h"
#include "list.h"

/*
 * Maximum rate of false positives of the filter: of a thousand forms that are not on the list,
 * at most about one is in the filter, and the blocker then reads the list without need.
 */
#define FALSE_POSITIVES		0.001

/*
 * Number of marks, and maximum size of a mark in bytes. One mark is not enough,
 * because the look-up of a mark that the filter lacks can be a false positive.
 */
#define MARKS			4
#define MARK_SIZE		48

/**
 * struct marks - keys that show that a filter belongs to a list
 * @bytes: keys of the marks, contiguous. The keys have blanks, so no URL equals
 *	a mark
 * @size: number of bytes in @bytes
 * @lengths: length of each key in bytes
 */
struct marks {
	char bytes[MARKS * MARK_SIZE];
	size_t size;
	uint16_t lengths[MARKS];
};

/**
 * struct blocker - a filter and its list
 * @handle: the open device /dev/kcuckoo
 * @name: name of the filter
 * @path: file of the list
 * @list: the list
 * @marks: marks of the list
 * @looked_up: number of forms of URLs (url.h) that were looked up in the filter
 * @read: number of the forms in @looked_up that are in the filter, and were then
 *	looked up in the list
 * @not_listed: number of the forms in @read that are not on the list
 */
struct blocker {
	struct kcuckoo *handle;
	const char *name;
	const char *path;
	struct list list;
	struct marks marks;
	uint64_t looked_up;
	uint64_t read;
	uint64_t not_listed;
};

/*
 * Create the filter @name and the file @path of its list, with all URLs of @draft, which
 * draft_sort() has sorted. Replace an older filter and an older file. Return: 0, or -1 after an
 * error message.
 */
int blocker_load(const char *name, const struct draft *draft, const char *path);

/*
 * Open the list @path, and open the device for look-ups in the filter @name. @name and @path must
 * stay valid until blocker_close(). Return: 0, or -1 after an error message.
 */
int blocker_open(struct blocker *blocker, const char *name, const char *path);
/* Close the device and the list. The filter stays in the kernel. */
void blocker_close(struct blocker *blocker);

/*
 * Check whether the list blocks @url, a URL that url_format() has written. Return: 1 if the list
 * blocks the URL, with @entry set to a form that is on the list, a part of @url->text; 0 if no
 * form is on the list; or -1 after an error message.
 */
int blocker_check(struct blocker *blocker, const struct span *url,
		  struct span *entry);

/*
 * Return: the rate of false positives calculated from the state of the filter, or -1 after an
 * error message.
 */
double blocker_expected(struct blocker *blocker);

#endif /* URLBLOCK_BLOCKER_H */
