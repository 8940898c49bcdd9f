// SPDX-License-Identifier: GPL-2.0-only
/*
 * The first process of the system test's machine: it loads the modules of the
 * disk and its file system, mounts the root and starts systemd there.
 *
 * What it finds in its initramfs: /modules/NN-name.ko, loaded in this order.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define DISK		"/dev/vda"
#define ROOT		"/root"

/* How often the disk is looked for, each time after 10 ms. */
#define DISK_TRIES	1000

static _Noreturn void die(const char *what)
{
	/* The kernel panics when its first process ends. */
	fprintf(stderr, "init: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void load_modules(void)
{
	struct dirent **names;
	char path[300];
	int count, i, fd;

	count = scandir("/modules", &names, NULL, alphasort);
	if (count < 0)
		die("/modules");
	for (i = 0; i < count; i++) {
		if (names[i]->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "/modules/%s", names[i]->d_name);
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0 || syscall(SYS_finit_module, fd, "", 0))
			die(path);
		close(fd);
	}
}

static void mount_root(void)
{
	int tries;

	for (tries = 0; access(DISK, F_OK) && tries < DISK_TRIES; tries++)
		usleep(10000);
	if (mount(DISK, ROOT, "ext4", 0, ""))
		die("mount " DISK);
}

int main(void)
{
	char *argv[] = { "/sbin/init", NULL };

	if (mount("devtmpfs", "/dev", "devtmpfs", 0, ""))
		die("mount /dev");
	load_modules();
	mount_root();
	if (mount("/dev", ROOT "/dev", NULL, MS_MOVE, NULL))
		die("move /dev");
	if (chdir(ROOT) || mount(".", "/", NULL, MS_MOVE, NULL) || chroot(".") ||
	    chdir("/"))
		die("change to the root");
	execv(argv[0], argv);
	die(argv[0]);
}
