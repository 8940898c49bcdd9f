// SPDX-License-Identifier: GPL-2.0-only
/*
 * cli_open() opens /dev/kcuckoo for the verbs. If the module is not loaded and this process
 * runs as root, cli_open() loads it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "message.h"

extern char **environ;

/* Path of modprobe: the default value of the sysctl kernel.modprobe. */
#define MODPROBE	"/sbin/modprobe"

/*
 * Run modprobe, and ignore its exit code: if a parent process has set SIGCHLD to be
 * ignored, waitpid() cannot return the code. The caller opens the device to find
 * out whether the module is loaded.
 */
static void load_module(void)
{
	char * const argv[] = { MODPROBE, "kcuckoo", NULL };
	pid_t pid;

	if (posix_spawn(&pid, MODPROBE, NULL, NULL, argv, environ))
		return;
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

/*
 * Paths in sysfs that exist while the module is loaded: the folder of the
 * module, and a file with the number of its device as "major:minor".
 */
#define LOADED		"/sys/module/kcuckoo"
#define NUMBER		"/sys/class/misc/kcuckoo/dev"

static int hint_node(void)
{
	hint(-1, "for a container, pass the device in: --device %s",
	     KCUCKOO_DEVICE);
	hint(-1, "outside a container, create it as root:");
	return hint(-1, "mknod -m 660 %s c $(tr : ' ' <%s)", KCUCKOO_DEVICE, NUMBER);
}

/* The kernel creates the device file on the host, but not in containers. */
static int missing_node_error(void)
{
	error("%s is missing though the module is loaded", KCUCKOO_DEVICE);
	return hint_node();
}

/* A device file with another number can be left from an earlier load of the module. */
static int foreign_node_error(void)
{
	error("%s is not the device of the loaded module: its number differs",
	      KCUCKOO_DEVICE);
	hint(-1, "remove it first: rm %s", KCUCKOO_DEVICE);
	return hint_node();
}

static int not_loaded_error(void)
{
	if (geteuid())
		return hint(error("the kernel module kcuckoo is not loaded"),
			    "as root, run 'modprobe kcuckoo'");
	error("the kernel module kcuckoo is not loaded, and modprobe could not load it");
	return hint(-1, "'modinfo kcuckoo' shows if it is installed, dmesg may show the reason");
}

/*
 * Return: true if this process has CAP_NET_ADMIN in its own user namespace. The process
 * can still lack the capability over its network namespace, which can belong to another
 * user namespace.
 */
static bool has_net_admin(void)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];

	return !syscall(SYS_capget, &header, data) &&
	       data[0].effective & 1U << CAP_NET_ADMIN;
}

/*
 * For EPERM: this process has no CAP_NET_ADMIN over the network namespace, or a control
 * group forbids access to the device.
 */
static int capability_error(void)
{
	if (!has_net_admin())
		return hint(error("%s: CAP_NET_ADMIN over the network namespace is needed",
				  KCUCKOO_DEVICE), "run it as root (sudo)");
	error("%s: not permitted, although this process has CAP_NET_ADMIN",
	      KCUCKOO_DEVICE);
	hint(-1, "CAP_NET_ADMIN is needed in the user namespace that owns this network namespace");
	return hint(-1, "for a container, also pass the device in: --device %s",
		    KCUCKOO_DEVICE);
}

static const char *user_name(uid_t uid, char number[16])
{
	const struct passwd *user = getpwuid(uid);

	sprintf(number, "%u", uid);
	return user ? user->pw_name : number;
}

static const char *group_name(gid_t gid, char number[16])
{
	const struct group *group = getgrgid(gid);

	sprintf(number, "%u", gid);
	return group ? group->gr_name : number;
}

static bool mode_allows(const struct stat *st)
{
	mode_t wanted = 06;

	if (geteuid() == st->st_uid)
		wanted = 0600;
	else if (group_member(st->st_gid))
		wanted = 060;
	return (st->st_mode & wanted) == wanted;
}

static int hint_group(const struct stat *st)
{
	char number[16];

	if (st->st_gid && (st->st_mode & 060) == 060) {
		hint(-1, "run it as root (sudo), or as a member of the group %s",
		     group_name(st->st_gid, number));
	} else {
		hint(-1, "run it as root (sudo), or as root give the device to the group kcuckoo:");
		hint(-1, "groupadd -f -r kcuckoo; chgrp kcuckoo %s; chmod 660 %s",
		     KCUCKOO_DEVICE, KCUCKOO_DEVICE);
		hint(-1, "the udev rule of 'make install' does this when the device is created");
	}
	if (!has_net_admin())
		hint(-1, "CAP_NET_ADMIN over the network namespace is needed, too");
	return -1;
}

/*
 * For EACCES: the mode of the device file, a mount option or a security module forbids
 * access to the device.
 */
static int mode_error(void)
{
	char user[16], group[16];
	struct stat st;

	if (stat(KCUCKOO_DEVICE, &st))
		return error("cannot open %s: %s", KCUCKOO_DEVICE, strerror(errno));
	if (mode_allows(&st))
		return hint(error("cannot open %s, although its mode allows it",
				  KCUCKOO_DEVICE),
			    "its file system is mounted 'nodev', or a security module forbids it: see dmesg");
	error("cannot open %s: it has mode %04o, owner %s and group %s",
	      KCUCKOO_DEVICE, st.st_mode & 07777, user_name(st.st_uid, user),
	      group_name(st.st_gid, group));
	return hint_group(&st);
}

static int open_error(const struct cli *cli, int ret)
{
	switch (-ret) {
	case ENXIO:
		if (access(LOADED, F_OK))
			return not_loaded_error();
		return access(KCUCKOO_DEVICE, F_OK) ? missing_node_error() :
						      foreign_node_error();
	case EPERM:
		return capability_error();
	case EACCES:
		return mode_error();
	default:
		return error("cannot open %s%s%s: %s", KCUCKOO_DEVICE,
			     cli->netns ? " in namespace " : "",
			     cli->netns ? cli->netns : "",
			     kcuckoo_strerror(ret));
	}
}

/*
 * Move this process into the network namespace @netns: the check for lock-outs reads the
 * addresses of the namespace of this process, and XDP programs need the devices of this
 * namespace. Print errors with strerror(), because kcuckoo_strerror() describes errors of
 * filters.
 */
static int enter_netns(const char *netns)
{
	int ret = kcuckoo_netns_enter(netns);

	if (ret == -ENOENT)
		return hint(error("there is no network namespace '%s'", netns),
			    "'ip netns list' shows all");
	if (ret == -EPERM)
		return hint(error("CAP_SYS_ADMIN is needed to enter namespace '%s'",
				  netns), "run it as root (sudo)");
	if (ret == -EACCES)
		return hint(error("the file of network namespace '%s' is not readable",
				  netns), "run it as root (sudo)");
	if (ret)
		return error("cannot enter network namespace '%s': %s", netns,
			     ret == -EINVAL ? "it is not a network namespace" :
			     strerror(-ret));
	return 0;
}

int cli_open_loaded(struct cli *cli, int *ret)
{
	if (cli->netns && enter_netns(cli->netns))
		return -1;
	*ret = kcuckoo_open(&cli->handle, NULL);
	return 0;
}

int cli_open(struct cli *cli)
{
	int ret;

	if (cli_open_loaded(cli, &ret))
		return -1;
	if (ret == -ENXIO && !geteuid()) {
		detail(cli, "loading the kernel module");
		load_module();
		ret = kcuckoo_open(&cli->handle, NULL);
	}
	return ret ? open_error(cli, ret) : 0;
}
