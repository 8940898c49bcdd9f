// SPDX-License-Identifier: GPL-2.0-only
/*
 * dkms_read() finds out whether DKMS has the module, and whether a build failed. It
 * reads files of DKMS, so it needs no root, and works even if the program dkms was
 * removed:
 *
 *	/var/lib/dkms/kcuckoo/VERSION/source/dkms.conf	the kernels that the module is for
 *	/var/lib/dkms/kcuckoo/VERSION/build/make.log	the log of a failed build
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <regex.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "doctor/kernel.h"

/* Folder of DKMS for the module. */
#define TREE	"/var/lib/dkms/kcuckoo"

static bool find_version(struct dkms *dkms)
{
	DIR *folder = opendir(TREE);
	char path[KERNEL_PATH];
	struct dirent *entry;

	*dkms->version = 0;
	while (folder && (entry = readdir(folder))) {
		snprintf(path, sizeof(path), TREE "/%.64s/source", entry->d_name);
		if (*entry->d_name != '.' && !access(path, F_OK) &&
		    strlen(entry->d_name) < sizeof(dkms->version) &&
		    strverscmp(entry->d_name, dkms->version) > 0)
			strcpy(dkms->version, entry->d_name);
	}
	if (folder)
		closedir(folder);
	return *dkms->version;
}

/* An invalid expression counts as a match, so that it excludes no kernel. */
static bool regex_matches(const char *pattern, const char *release)
{
	regex_t regex;
	bool found;

	if (regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB))
		return true;
	found = !regexec(&regex, release, 0, NULL, 0);
	regfree(&regex);
	return found;
}

static bool is_excluded(const struct dkms *dkms, const char *release)
{
	char path[KERNEL_PATH], line[512], pattern[512];
	bool excluded = false;
	FILE *file;

	snprintf(path, sizeof(path), TREE "/%s/source/dkms.conf", dkms->version);
	file = fopen(path, "re");
	/* The first format is for a pattern in quotes, the second for a pattern without quotes. */
	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, " BUILD_EXCLUSIVE_KERNEL = %*[\"']%511[^\"'\n]",
			   pattern) == 1 ||
		    sscanf(line, " BUILD_EXCLUSIVE_KERNEL=%511[^\"'\n]", pattern) == 1)
			excluded = !regex_matches(pattern, release);
	if (file)
		fclose(file);
	return excluded;
}

/*
 * After a successful build, DKMS moves make.log and removes the folder. The first line of
 * make.log names the kernel.
 */
static bool has_failed(struct dkms *dkms, const char *release)
{
	char line[512], words[KERNEL_RELEASE + 32];
	bool failed = false;
	FILE *file;

	snprintf(dkms->log, sizeof(dkms->log), TREE "/%s/build/make.log",
		 dkms->version);
	snprintf(words, sizeof(words), " for kernel %s ", release);
	file = fopen(dkms->log, "re");
	if (file && fgets(line, sizeof(line), file))
		failed = strstr(line, words);
	if (file)
		fclose(file);
	return failed;
}

void dkms_read(const char *release, struct dkms *dkms)
{
	if (!find_version(dkms))
		dkms->state = DKMS_NONE;
	else if (is_excluded(dkms, release))
		dkms->state = DKMS_EXCLUDED;
	else if (has_failed(dkms, release))
		dkms->state = DKMS_FAILED;
	else
		dkms->state = DKMS_ADDED;
}
