// SPDX-License-Identifier: GPL-2.0-only
/*
 * check_plugins() finds out whether iptables can load the plugins for the match kcuckoo
 * and the target KCUCKOO.
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "doctor/kernel.h"

/* Folders from which common distributions let iptables load plugins. */
static const char * const folders[] = {
	"/usr/lib/*-linux-*/xtables", "/lib/*-linux-*/xtables",
	"/usr/lib64/xtables", "/usr/lib/xtables", "/usr/local/lib/xtables",
};

static bool has_file(const char *folder, const char *file)
{
	char path[KERNEL_PATH];

	snprintf(path, sizeof(path), "%s/%s", folder, file);
	return !access(path, F_OK);
}

static bool has_plugins(const char *folder)
{
	return has_file(folder, "libxt_kcuckoo.so") &&
	       has_file(folder, "libxt_KCUCKOO.so");
}

/*
 * Search the folders of iptables: those that have libxt_tcp.so, a plugin of iptables
 * itself. Set @folder to the last of them. Return: true if one of them has the plugins of
 * kcuckoo.
 */
static bool search(char folder[KERNEL_PATH])
{
	bool found = false;
	glob_t paths;
	size_t i, j;

	for (i = 0; i < sizeof(folders) / sizeof(*folders); i++) {
		if (glob(folders[i], 0, NULL, &paths))
			continue;
		for (j = 0; j < paths.gl_pathc; j++) {
			if (!has_file(paths.gl_pathv[j], "libxt_tcp.so"))
				continue;
			snprintf(folder, KERNEL_PATH, "%s", paths.gl_pathv[j]);
			found |= has_plugins(folder);
		}
		globfree(&paths);
	}
	return found;
}

/* As search(), for the folders in XTABLES_LIBDIR, which iptables searches instead. */
static bool search_given(const char *given, char folder[KERNEL_PATH])
{
	size_t length;

	for (; *given; given += length + (given[length] == ':')) {
		length = strcspn(given, ":");
		snprintf(folder, KERNEL_PATH, "%.*s", (int)length, given);
		if (has_plugins(folder))
			return true;
	}
	return false;
}

void check_plugins(struct doctor *doctor)
{
	const char *given = getenv("XTABLES_LIBDIR");
	char folder[KERNEL_PATH] = "";
	bool packaged;

	if (given ? search_given(given, folder) : search(folder))
		return;
	/* Without iptables, no program needs the plugins. */
	if (!*folder)
		return;
	/*
	 * If the command is from a package, the plugins are in another package,
	 * kcuckoo-xtables, which is optional. Report its absence only if the module
	 * xt_kcuckoo is loaded: without this module, no rule of iptables needs the
	 * plugins.
	 */
	packaged = kernel_has_package("kcuckoo");
	if (packaged && access("/sys/module/xt_kcuckoo", F_OK))
		return;
	if (packaged) {
		doctor_command(doctor, "apt-get install -y kcuckoo-xtables");
	} else {
		doctor_advice(doctor, "in the folder of the sources of kcuckoo");
		doctor_command(doctor, "make && make install");
	}
	doctor_find(doctor, "iptables finds no plugins libxt_kcuckoo.so and libxt_KCUCKOO.so in %s",
		    folder);
}
