/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A listener for a group of nfnetlink_log, over a plain netlink socket.
 */
#ifndef KCUCKOO_NFLOG_H
#define KCUCKOO_NFLOG_H

#include "link.h"

#include <linux/netfilter/nfnetlink.h>
#include <linux/netfilter/nfnetlink_log.h>
#include <linux/netlink.h>

/* Listens to @group in the caller's namespace. Returns the socket or a negative errno. */
static inline int nflog_open(__u16 group)
{
	struct {
		struct nlmsghdr head;
		struct nfgenmsg message;
		struct nlattr attribute;
		struct nfulnl_msg_config_cmd command;
		__u8 padding[3];
	} request = {
		.head = {
			.nlmsg_len = sizeof(request),
			.nlmsg_type = NFNL_SUBSYS_ULOG << 8 | NFULNL_MSG_CONFIG,
			.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK,
		},
		.message = { .nfgen_family = AF_UNSPEC, .res_id = htons(group) },
		.attribute = {
			.nla_len = sizeof(struct nlattr) + sizeof(request.command),
			.nla_type = NFULA_CFG_CMD,
		},
		.command = { .command = NFULNL_CFG_CMD_BIND },
	};
	struct {
		struct nlmsghdr head;
		struct nlmsgerr error;
	} answer;
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_NETFILTER);

	if (fd < 0)
		return -errno;
	if (send(fd, &request, sizeof(request), 0) < 0 ||
	    recv(fd, &answer, sizeof(answer), MSG_TRUNC) < (ssize_t)sizeof(answer) ||
	    answer.head.nlmsg_type != NLMSG_ERROR) {
		close(fd);
		return -EPROTO;
	}
	if (answer.error.error)
		close(fd);
	return answer.error.error ? answer.error.error : fd;
}

/* Counts packets with a prefix among the messages that have arrived; @other: the others. */
static inline int nflog_count(int fd, const char *prefix, int *other)
{
	__u64 words[1024];
	char *bytes = (char *)words;
	int count = 0;
	ssize_t length;

	*other = 0;
	while ((length = recv(fd, bytes, sizeof(words), MSG_DONTWAIT)) > 0) {
		struct nlmsghdr *head = (struct nlmsghdr *)bytes;

		for (; NLMSG_OK(head, length); head = NLMSG_NEXT(head, length)) {
			char *at = (char *)NLMSG_DATA(head) + NLMSG_ALIGN(sizeof(struct nfgenmsg));
			char *end = (char *)head + head->nlmsg_len;
			bool found = false;

			if (head->nlmsg_type != (NFNL_SUBSYS_ULOG << 8 | NFULNL_MSG_PACKET))
				continue;
			while (at + sizeof(struct nlattr) <= end) {
				struct nlattr *attribute = (struct nlattr *)at;

				found |= attribute->nla_type == NFULA_PREFIX &&
					 !strcmp(at + sizeof(*attribute), prefix);
				at += NLMSG_ALIGN(attribute->nla_len);
			}
			count += found;
			*other += !found;
		}
	}
	return count;
}

#endif /* KCUCKOO_NFLOG_H */
