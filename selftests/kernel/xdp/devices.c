// SPDX-License-Identifier: GPL-2.0-only
/*
 * In the place of libmnl's: the devices cannot be listed, but looked at one by one.
 */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <sys/socket.h>

ssize_t mnl_socket_sendto(const struct mnl_socket *socket, const void *message,
			  size_t length)
{
	const struct nlmsghdr *header = message;

	if (header->nlmsg_flags & NLM_F_DUMP) {
		errno = EMFILE;
		return -1;
	}
	return send(mnl_socket_get_fd(socket), message, length, 0);
}
