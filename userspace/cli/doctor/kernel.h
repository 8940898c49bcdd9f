/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions find the installed kernels, their headers, and the modules that
 * were built and installed for them, for the checks of the verb doctor.
 */
#ifndef KCUCKOO_CLI_DOCTOR_KERNEL_H
#define KCUCKOO_CLI_DOCTOR_KERNEL_H

#include "doctor/doctor.h"

/* Size of a buffer for the release of a kernel, such as "6.1.0-56-amd64", in bytes. */
#define KERNEL_RELEASE	256

/* Size of a buffer for a path, in bytes. */
#define KERNEL_PATH	512

/**
 * kernel_running() - get the release of the running kernel
 * @release: out: the release
 *
 * Return: @release.
 */
const char *kernel_running(char release[KERNEL_RELEASE]);

/**
 * kernel_newest() - get the release of the newest installed kernel
 * @release: out: the release
 *
 * Return: true; or false if no kernel is installed, as in a container.
 */
bool kernel_newest(char release[KERNEL_RELEASE]);

/**
 * kernel_is_installed() - find out whether a kernel is installed with its modules
 * @release: release of the kernel
 *
 * Return: true if the kernel is installed.
 */
bool kernel_is_installed(const char *release);

/**
 * kernel_has_headers() - find out whether the headers of a kernel are installed
 * @release: release of the kernel
 *
 * Return: true if the headers are installed.
 */
bool kernel_has_headers(const char *release);

/**
 * kernel_module_field() - read a field of the module that is installed for a kernel
 * @release: release of the kernel
 * @field: name of the field, as for modinfo(8)
 * @text: out: the value of the field
 *
 * Return: 0; 1 if no module is installed for this kernel; or -1 if modinfo cannot be
 * run.
 */
int kernel_module_field(const char *release, const char *field,
			char text[KERNEL_PATH]);

/* What DKMS has done with the module for a kernel. */
enum dkms_state {
	DKMS_NONE,	/* DKMS does not have the module */
	DKMS_EXCLUDED,	/* this version of the module is not for this kernel */
	DKMS_FAILED,	/* the last build was for this kernel, and failed */
	DKMS_ADDED,	/* DKMS has the module, and may have built and installed the module */
};

/**
 * struct dkms - state of the module in DKMS
 * @state: what DKMS has done for the kernel
 * @version: the newest version that DKMS has; empty with DKMS_NONE
 * @log: path of the log of the failed build; only valid with DKMS_FAILED
 */
struct dkms {
	enum dkms_state state;
	char version[64];
	char log[160];
};

/**
 * dkms_read() - find out what DKMS has done with the module for a kernel
 * @release: release of the kernel
 * @dkms: out: what DKMS has done with its newest version of the module
 *
 * This function is in dkms.c.
 */
void dkms_read(const char *release, struct dkms *dkms);

/**
 * kernel_suggest() - set the command, the advice or both to install the module for a kernel
 * @doctor: state of the verb
 * @release: release of the kernel, whose headers may be missing
 * @reason: out: the reason why the module is missing, as the end of a sentence; or
 *	empty
 */
void kernel_suggest(struct doctor *doctor, const char *release,
		    char reason[KERNEL_PATH]);

/**
 * kernel_suggest_headers() - set the command or advice to install the headers of a kernel
 * @doctor: state of the verb
 * @release: release of the kernel
 */
void kernel_suggest_headers(struct doctor *doctor, const char *release);

/**
 * kernel_has_package() - find out whether a package of Debian is installed
 * @package: name of the package
 *
 * Return: true if the package is installed.
 */
bool kernel_has_package(const char *package);

#endif /* KCUCKOO_CLI_DOCTOR_KERNEL_H */
