// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions write and read the last good copies of lists whose section of the
 * configuration names files, see cmd/file_copy.h.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/file_copy.h"
#include "cmd/folders.h"
#include "fetch/digest.h"
#include "message.h"

/* Number of hexadecimal digits of the hash in the name of a copy. */
#define ID_DIGITS	16

static void add_text(struct sha256_ctx *context, const char *text)
{
	sha256_update(context, strlen(text) + 1, (const uint8_t *)text);
}

static void set_names(const struct config_list *list, bool all,
		      struct file_copy *copy)
{
	struct sha256_ctx context;
	char digest[DIGEST_TEXT];
	size_t i;

	sha256_init(&context);
	add_text(&context, all ? "all" : "");
	add_text(&context, list->name);
	for (i = 0; i < list->files.count; i++)
		add_text(&context, list->files.items[i].text);
	digest_end(&context, digest);
	snprintf(copy->id, sizeof(copy->id), "%.*s", ID_DIGITS, digest);
	snprintf(copy->file, sizeof(copy->file), "%.*s.list", ID_DIGITS, digest);
}

/*
 * Only the owner may enter the folder, because a list can be a file that other users must
 * not read. Return: 0; 1 if the folder is missing; or -1 after an error message.
 */
static int open_folder(const struct cli *cli, const char *copies, bool create,
		       struct file_copy *copy)
{
	char path[FOLDERS_PATH];

	if (state_path(cli, copies, path) || (create && make_parents(path)))
		return -1;
	if (create && mkdir(path, 0700) && errno != EEXIST)
		return error("cannot create the folder %s: %s", path, strerror(errno));
	copy->folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (copy->folder >= 0)
		return 0;
	if (errno == ENOENT)
		return 1;
	return error("cannot open the folder %s: %s", path, strerror(errno));
}

int file_copy_open(const struct cli *cli, const char *copies,
		   const struct config_list *list, bool all, struct file_copy *copy)
{
	char why[CANONICAL_WHY];
	int fd, ret;

	*copy = (struct file_copy){ .folder = -1 };
	keyset_init(&copy->set);
	set_names(list, all, copy);
	ret = open_folder(cli, copies, false, copy);
	if (ret)
		return ret < 0 ? -1 : 0;
	fd = canonical_open(copy->folder, copy->file, copy->id, &copy->good,
			    &copy->confirmed, why);
	ret = fd < 0 ? fd : canonical_read(fd, &copy->set);
	if (ret == -ENOMEM)
		return error("not enough memory");
	keyset_sort(&copy->set);
	if (!ret)
		return 0;
	if (ret != -ENOENT)
		warn("the last good copy of %s %s", list->files.items[0].text,
		     fd < 0 ? why : "is damaged");
	keyset_clear(&copy->set);
	memset(&copy->good, 0, sizeof(copy->good));
	return 0;
}

void file_copy_close(struct file_copy *copy)
{
	if (copy->folder >= 0)
		close(copy->folder);
	keyset_free(&copy->set);
}

bool file_copy_exists(const struct file_copy *copy)
{
	return *copy->good.name;
}

bool file_copy_equals(const struct file_copy *copy, const struct keyset *set)
{
	struct canonical next;

	canonical_describe(&next, copy->id, set, NULL);
	return file_copy_exists(copy) && !strcmp(copy->good.digest, next.digest);
}

int file_copy_keep(const struct cli *cli, const char *copies, struct file_copy *copy,
		   const struct keyset *set)
{
	struct canonical next;
	int ret;

	if (copy->folder < 0 && open_folder(cli, copies, true, copy))
		return -1;
	canonical_describe(&next, copy->id, set, NULL);
	ret = canonical_write(copy->folder, copy->file, &next, set);
	return ret ? error("cannot write a copy of the list: %s",
			   strerror(-ret)) : 0;
}

static bool is_copy_of(const struct config_sources *sources, const char *file)
{
	struct file_copy copy;
	size_t i;
	int all;

	for (i = 0; i < sources->count; i++)
		for (all = false; all <= true; all++) {
			set_names(sources->items[i].list, all, &copy);
			if (!strcmp(copy.file, file))
				return true;
		}
	return false;
}

static bool is_needed(const struct config *config, const char *file)
{
	size_t i;

	for (i = 0; i < config->filter_count; i++)
		if (is_copy_of(&config->filters[i]->lists, file) ||
		    is_copy_of(&config->filters[i]->excludes, file))
			return true;
	return false;
}

int file_copies_remove(const struct cli *cli, const char *copies,
		       const struct config *config)
{
	struct file_copy copy = { .folder = -1 };
	struct dirent *entry;
	DIR *folder;
	int ret = open_folder(cli, copies, false, &copy);

	if (ret)
		return ret < 0 ? -1 : 0;
	folder = fdopendir(copy.folder);
	if (!folder) {
		close(copy.folder);
		return error("cannot read the folder of copies: %s", strerror(errno));
	}
	while ((entry = readdir(folder)))
		if (*entry->d_name != '.' && !is_needed(config, entry->d_name) &&
		    unlinkat(copy.folder, entry->d_name, 0))
			ret = error("cannot remove the copy %s: %s",
				    entry->d_name, strerror(errno));
	closedir(folder);
	return ret;
}
