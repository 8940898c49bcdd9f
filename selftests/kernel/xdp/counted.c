// SPDX-License-Identifier: GPL-2.0-only
/*
 * In the place of the C library's socket(): what would ask the kernel for devices is
 * counted, a byte each in the file that COUNTED names.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static void count(const char *path)
{
	int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0 || write(fd, ".", 1) != 1)
		abort();
	close(fd);
}

int socket(int domain, int type, int protocol)
{
	if (domain == AF_NETLINK)
		count(getenv("COUNTED"));
	return syscall(SYS_socket, domain, type, protocol);
}
