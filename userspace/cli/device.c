// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcuckoo: opening the device, loading the module where that is needed
 */
#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "message.h"

extern char **environ;

/* Where the kernel itself looks for it. */
#define MODPROBE	"/sbin/modprobe"

static bool load_module(void)
{
	char *argv[] = { MODPROBE, "kcuckoo", NULL };
	int status;
	pid_t pid;

	if (posix_spawn(&pid, MODPROBE, NULL, NULL, argv, environ))
		return false;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return false;
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

static int open_error(const struct cli *cli, int ret)
{
	switch (-ret) {
	case ENXIO:
		if (geteuid())
			return error("the kernel module kcuckoo is not loaded: as root, run 'modprobe kcuckoo'");
		return error("the kernel module kcuckoo is not loaded, and modprobe could not load it: is it installed for this kernel ('modinfo kcuckoo')? 'dmesg' may say more");
	case EPERM:
	case EACCES:
		return error("%s: kcuckoo needs CAP_NET_ADMIN over the network namespace; run it as root (sudo)",
			     KCUCKOO_DEVICE);
	default:
		return error("cannot open %s%s%s: %s", KCUCKOO_DEVICE,
			     cli->netns ? " in namespace " : "",
			     cli->netns ? cli->netns : "",
			     kcuckoo_strerror(ret));
	}
}

/* The whole process moves: the guard looks at the addresses there too. */
static int enter_netns(const char *netns)
{
	int ret = kcuckoo_netns_enter(netns);

	if (ret == -ENOENT)
		return error("there is no network namespace '%s': 'ip netns list' names those there are",
			     netns);
	if (ret == -EPERM || ret == -EACCES)
		return error("entering network namespace '%s' needs CAP_SYS_ADMIN; run it as root (sudo)",
			     netns);
	if (ret)
		return error("cannot enter network namespace '%s': %s", netns,
			     ret == -EINVAL ? "it is something else" :
			     kcuckoo_strerror(ret));
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
		if (load_module())
			ret = kcuckoo_open(&cli->handle, NULL);
	}
	return ret ? open_error(cli, ret) : 0;
}
