// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions find the installed kernels, their headers, and the modules that
 * were built and installed for them.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "doctor/kernel.h"
#include "doctor/program.h"

/* Folder with a subfolder for each kernel. */
#define MODULES		"/lib/modules"

const char *kernel_running(char release[KERNEL_RELEASE])
{
	struct utsname name;

	if (uname(&name))
		strcpy(name.release, "unknown");
	snprintf(release, KERNEL_RELEASE, "%s", name.release);
	return release;
}

static bool has_file(const char *release, const char *file)
{
	char path[KERNEL_PATH];

	snprintf(path, sizeof(path), MODULES "/%s/%s", release, file);
	return !access(path, F_OK);
}

bool kernel_is_installed(const char *release)
{
	/*
	 * Do not check only for the folder: after a kernel was removed, its folder can
	 * still have modules of DKMS.
	 */
	return has_file(release, "modules.order") || has_file(release, "kernel");
}

bool kernel_has_headers(const char *release)
{
	return has_file(release, "build/Makefile");
}

bool kernel_newest(char release[KERNEL_RELEASE])
{
	DIR *folder = opendir(MODULES);
	struct dirent *entry;

	*release = 0;
	while (folder && (entry = readdir(folder)))
		if (*entry->d_name != '.' && kernel_is_installed(entry->d_name) &&
		    strverscmp(entry->d_name, release) > 0)
			snprintf(release, KERNEL_RELEASE, "%s", entry->d_name);
	if (folder)
		closedir(folder);
	return *release;
}

int kernel_module_field(const char *release, const char *field,
			char text[KERNEL_PATH])
{
	const char * const argv[] = {
		"modinfo", "-k", release, "-F", field, "kcuckoo", NULL
	};
	int ret = program_run(argv, text, KERNEL_PATH);

	return ret > 0 ? 1 : ret;
}

bool kernel_has_package(const char *package)
{
	const char * const argv[] = {
		"dpkg-query", "-W", "-f", " ${db:Status-Status} ", package, NULL
	};
	char text[KERNEL_PATH];

	return !program_run(argv, text, sizeof(text)) && strstr(text, " installed ");
}

void kernel_suggest_headers(struct doctor *doctor, const char *release)
{
	/*
	 * Look for the package dpkg, not for the program, because other distributions
	 * can also have the program.
	 */
	if (kernel_has_package("dpkg"))
		doctor_command(doctor, "apt-get install -y linux-headers-%s", release);
	else
		doctor_advice(doctor, "install the package that has "
			      MODULES "/%s/build", release);
}

/* @reason: out: the same as in kernel_suggest(). */
static void suggest_dkms(struct doctor *doctor, const char *release,
			 const struct dkms *dkms, char reason[KERNEL_PATH])
{
	switch (dkms->state) {
	case DKMS_EXCLUDED:
		snprintf(reason, KERNEL_PATH, ": kcuckoo %s does not support it",
			 dkms->version);
		doctor_advice(doctor, "install a newer kcuckoo, or boot another kernel");
		return;
	case DKMS_FAILED:
		snprintf(reason, KERNEL_PATH, ": DKMS could not build it, and %s has the reason",
			 dkms->log);
		break;
	default:
		snprintf(reason, KERNEL_PATH, ": DKMS has not built it");
		break;
	}
	doctor_command(doctor, "dkms install kcuckoo/%s -k %s", dkms->version,
		       release);
}

void kernel_suggest(struct doctor *doctor, const char *release,
		    char reason[KERNEL_PATH])
{
	struct dkms dkms;

	*reason = 0;
	dkms_read(release, &dkms);
	if (dkms.state != DKMS_EXCLUDED && !kernel_has_headers(release) &&
	    kernel_is_installed(release)) {
		snprintf(reason, KERNEL_PATH, ", and the headers of this kernel are missing");
		doctor_advice(doctor, dkms.state == DKMS_NONE ?
			      "then 'make && make install' in the folder of the sources" :
			      "DKMS builds the module for each kernel that has headers");
		/* kernel_suggest_headers() sets a command, or replaces this advice. */
		kernel_suggest_headers(doctor, release);
	} else if (dkms.state != DKMS_NONE) {
		suggest_dkms(doctor, release, &dkms, reason);
	} else if (kernel_has_package("kcuckoo")) {
		doctor_command(doctor, "apt-get install -y kcuckoo-dkms");
	} else {
		doctor_advice(doctor, "in the folder of the sources of kcuckoo");
		doctor_command(doctor, "make && make install");
	}
}
