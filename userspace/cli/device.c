// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcuckoo: opening the device, loading the module where that is needed
 */
#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "message.h"

extern char **environ;

/* Where the kernel itself looks for it. */
#define MODPROBE	"/sbin/modprobe"

/*
 * Whether it was loaded, opening the device tells: where SIGCHLD is ignored, nobody
 * learns how modprobe ended.
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

/* What the kernel tells of a loaded module. */
#define LOADED		"/sys/module/kcuckoo"
#define NUMBER		"/sys/class/misc/kcuckoo/dev"

/* The module has made it, but perhaps not where this runs. */
static int node_error(void)
{
	error("%s is missing though the module is loaded", KCUCKOO_DEVICE);
	hint(-1, "a container needs the device passed in: --device %s",
	     KCUCKOO_DEVICE);
	hint(-1, "elsewhere, as root:");
	return hint(-1, "mknod -m 600 %s c $(tr : ' ' <%s)", KCUCKOO_DEVICE, NUMBER);
}

static int open_error(const struct cli *cli, int ret)
{
	switch (-ret) {
	case ENXIO:
		if (!access(LOADED, F_OK) && access(KCUCKOO_DEVICE, F_OK))
			return node_error();
		if (geteuid())
			return hint(error("the kernel module kcuckoo is not loaded"),
				    "as root, run 'modprobe kcuckoo'");
		error("the kernel module kcuckoo is not loaded, and modprobe could not load it");
		return hint(-1, "'modinfo kcuckoo' tells if it is installed, dmesg may say more");
	case EPERM:
	case EACCES:
		return hint(error("%s: CAP_NET_ADMIN is needed", KCUCKOO_DEVICE),
			    "over its network namespace: run it as root (sudo)");
	default:
		return error("cannot open %s%s%s: %s", KCUCKOO_DEVICE,
			     cli->netns ? " in namespace " : "",
			     cli->netns ? cli->netns : "",
			     kcuckoo_strerror(ret));
	}
}

/*
 * The whole process moves: the guard looks at the addresses there too. Errors are
 * those of open() and setns(): the library's words are about filters.
 */
static int enter_netns(const char *netns)
{
	int ret = kcuckoo_netns_enter(netns);

	if (ret == -ENOENT)
		return hint(error("there is no network namespace '%s'", netns),
			    "'ip netns list' names those there are");
	if (ret == -EPERM || ret == -EACCES)
		return hint(error("CAP_SYS_ADMIN is needed to enter namespace '%s'",
				  netns), "run it as root (sudo)");
	if (ret)
		return error("cannot enter network namespace '%s': %s", netns,
			     ret == -EINVAL ? "it is something else" :
			     strerror(-ret));
	return 0;
}

int cli_open(struct cli *cli)
{
	int ret;

	if (cli->netns && enter_netns(cli->netns))
		return -1;
	ret = kcuckoo_open(&cli->handle, NULL);
	if (ret == -ENXIO && !geteuid()) {
		detail(cli, "loading the kernel module");
		load_module();
		ret = kcuckoo_open(&cli->handle, NULL);
	}
	return ret ? open_error(cli, ret) : 0;
}
