// SPDX-License-Identifier: GPL-2.0-only
/*
 * check_module() finds out whether the module is installed for the running kernel and
 * loaded. It also finds out whether the installed and the loaded module have the
 * version of this command.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "doctor/kernel.h"

/* Folder that exists while the module is loaded. */
#define LOADED	"/sys/module/kcuckoo"

static bool read_line(const char *path, char *text, size_t size)
{
	FILE *file = fopen(path, "re");
	bool done = file && fgets(text, size, file);

	if (file)
		fclose(file);
	if (done)
		text[strcspn(text, "\n")] = 0;
	return done;
}

static void find_missing(struct doctor *doctor, const char *release)
{
	char reason[KERNEL_PATH];

	if (!kernel_is_installed(release)) {
		doctor_advice(doctor, "it has to be installed and loaded on the host");
		doctor_find(doctor, "the module is not loaded, and kernel %s is not installed here, as in a container",
			    release);
		return;
	}
	kernel_suggest(doctor, release, reason);
	doctor_find(doctor, "the module is not installed for the running kernel %s%s",
		    release, reason);
}

static void suggest_reload(struct doctor *doctor)
{
	/*
	 * If the module has filters or rules, removing the module would destroy them.
	 * If iptables uses the module, removing it would fail. Propose a reboot
	 * instead.
	 */
	if (access("/sys/module/xt_kcuckoo", F_OK) && !doctor->open_error &&
	    !doctor->stats.filters && !doctor->stats.rules)
		doctor_command(doctor, "rmmod kcuckoo && modprobe kcuckoo");
	else
		doctor_command(doctor, "reboot");
}

static void suggest_install(struct doctor *doctor, const char *release)
{
	struct dkms dkms;

	dkms_read(release, &dkms);
	if (!strcmp(dkms.version, VERSION)) {
		doctor_command(doctor, "dkms install --force kcuckoo/" VERSION " -k %s",
			       release);
	} else if (kernel_has_package("kcuckoo")) {
		doctor_command(doctor, "apt-get install -y kcuckoo kcuckoo-dkms");
	} else {
		doctor_advice(doctor, "in the folder of the sources of kcuckoo");
		doctor_command(doctor, "make && make install");
	}
}

static void check_version(struct doctor *doctor, const char *release,
			  const char *installed)
{
	char loaded[KERNEL_PATH];

	if (!read_line(LOADED "/version", loaded, sizeof(loaded)))
		strcpy(loaded, "an unknown version");
	if (strcmp(installed, VERSION)) {
		suggest_install(doctor, release);
		doctor_find(doctor, "the installed module is of version %s, and the command of version "
			    VERSION, *installed ? installed : "unknown");
	} else if (strcmp(loaded, VERSION)) {
		suggest_reload(doctor);
		doctor_find(doctor, "the loaded module is of version %s, and the installed one of version %s",
			    loaded, installed);
	}
}

void check_module(struct doctor *doctor)
{
	char release[KERNEL_RELEASE], installed[KERNEL_PATH], loaded[64];
	bool is_loaded = !access(LOADED, F_OK);
	int ret = kernel_module_field(kernel_running(release), "version", installed);

	if (is_loaded && (ret < 0 || !kernel_is_installed(release))) {
		/* In a container, only the version of the loaded module is known. */
		if (read_line(LOADED "/version", loaded, sizeof(loaded)) &&
		    strcmp(loaded, VERSION)) {
			doctor_advice(doctor, "install the same version of both");
			doctor_find(doctor, "the loaded module is of version %s, and the command of version "
				    VERSION, loaded);
		}
		return;
	}
	if (ret < 0)
		doctor_skip(doctor, "modinfo, of the package kmod, cannot be run");
	else if (ret)
		find_missing(doctor, release);
	else if (is_loaded)
		check_version(doctor, release, installed);
	if (ret || is_loaded)
		return;
	doctor_command(doctor, "modprobe kcuckoo");
	doctor_find(doctor, "the module is installed, but not loaded");
}
