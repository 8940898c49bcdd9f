// SPDX-License-Identifier: GPL-2.0-only
/*
 * check_headers() finds out whether the headers of the running kernel are installed, so
 * that DKMS can build an update of the module. It also finds out whether the newest
 * installed kernel, which the next boot may start, has the module and the headers.
 */
#include <string.h>

#include "doctor/kernel.h"

/*
 * Report missing headers only if DKMS has the module, because only DKMS builds updates
 * automatically.
 */
static void check_kernel(struct doctor *doctor, const char *release)
{
	struct dkms dkms;

	dkms_read(release, &dkms);
	if (dkms.state == DKMS_NONE || kernel_has_headers(release))
		return;
	kernel_suggest_headers(doctor, release);
	doctor_find(doctor, "the headers of kernel %s are missing, so DKMS cannot build an update of kcuckoo for it",
		    release);
}

static void check_newest(struct doctor *doctor, const char *release)
{
	char text[KERNEL_PATH], reason[KERNEL_PATH];
	int ret = kernel_module_field(release, "version", text);

	if (ret < 0) {
		doctor_skip(doctor, "modinfo, of the package kmod, cannot be run");
	} else if (ret) {
		kernel_suggest(doctor, release, reason);
		doctor_find(doctor, "the module is not installed for kernel %s, the newest installed one%s",
			    release, reason);
	} else {
		check_kernel(doctor, release);
	}
}

void check_headers(struct doctor *doctor)
{
	char running[KERNEL_RELEASE], newest[KERNEL_RELEASE], text[KERNEL_PATH];

	kernel_running(running);
	if (!kernel_is_installed(running)) {
		doctor_skip(doctor, "kernel %s is not installed here, as in a container",
			    running);
		return;
	}
	if (!kernel_module_field(running, "version", text))
		check_kernel(doctor, running);
	if (kernel_newest(newest) && strcmp(newest, running))
		check_newest(doctor, newest);
}
