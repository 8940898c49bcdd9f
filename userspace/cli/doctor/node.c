// SPDX-License-Identifier: GPL-2.0-only
/*
 * check_device() finds out whether the device file belongs to the loaded module, and
 * whether only root and the group kcuckoo are allowed to open it.
 */
#define _GNU_SOURCE
#include <grp.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "doctor/doctor.h"

/* The number of the device, as "major:minor". */
#define NUMBER	"/sys/class/misc/kcuckoo/dev"

static bool read_number(unsigned int *major, unsigned int *minor)
{
	FILE *file = fopen(NUMBER, "re");
	bool done = file && fscanf(file, "%u:%u", major, minor) == 2;

	if (file)
		fclose(file);
	return done;
}

/* @first: a command that must run before mknod, followed by "&&"; or empty. */
static void suggest_node(struct doctor *doctor, const char *first,
			 unsigned int major_number, unsigned int minor_number)
{
	doctor_command(doctor, "%smknod -m 660 " KCUCKOO_DEVICE " c %u %u%s", first,
		       major_number, minor_number, getgrnam("kcuckoo") ?
		       " && chgrp kcuckoo " KCUCKOO_DEVICE : "");
}

/* The udev rule of the package sets mode 0660 and the group kcuckoo. */
static void check_mode(struct doctor *doctor, const struct stat *st)
{
	const struct group *group = getgrnam("kcuckoo");

	/* Without the group kcuckoo, a device file that only root can open is correct. */
	if (!group && !st->st_uid && !(st->st_mode & 07) &&
	    (!st->st_gid || !(st->st_mode & 070)))
		return;
	if (group && !st->st_uid && st->st_gid == group->gr_gid &&
	    (st->st_mode & 07777) == 0660)
		return;
	doctor_command(doctor, "%schown root:kcuckoo " KCUCKOO_DEVICE
		       " && chmod 660 " KCUCKOO_DEVICE,
		       group ? "" : "groupadd -f -r kcuckoo && ");
	doctor_find(doctor, KCUCKOO_DEVICE " has mode %04o, user %u and group %u, not mode 0660, user root and group kcuckoo",
		    st->st_mode & 07777, st->st_uid, st->st_gid);
}

void check_device(struct doctor *doctor)
{
	unsigned int major_number, minor_number;
	struct stat st;

	/* check_module() reports a missing module. */
	if (!read_number(&major_number, &minor_number))
		return;
	if (stat(KCUCKOO_DEVICE, &st)) {
		doctor_advice(doctor, "for a container, pass it in: --device "
			      KCUCKOO_DEVICE);
		suggest_node(doctor, "", major_number, minor_number);
		doctor_find(doctor, KCUCKOO_DEVICE " is missing though the module is loaded");
	} else if (!S_ISCHR(st.st_mode) ||
		   st.st_rdev != makedev(major_number, minor_number)) {
		suggest_node(doctor, "rm " KCUCKOO_DEVICE " && ", major_number,
			     minor_number);
		doctor_find(doctor, KCUCKOO_DEVICE " is not the device of the loaded module: its number differs");
	} else {
		check_mode(doctor, &st);
	}
}
