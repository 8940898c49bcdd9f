// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions find flowtables of nf_tables. The packets that a flowtable
 * forwards bypass the rules of most hooks.
 *
 * A flowtable forwards the packets of established connections at the ingress hook of a
 * device, or in the hardware of the device: these packets do not reach the later hooks.
 * Since Linux 5.13, a flowtable also forwards packets of a VLAN, PPPoE or bridge device
 * at the lower device: these packets do not reach the hooks of the upper device either.
 *
 * flowtables_read() lists flowtables by a request over netlink. The request would make
 * the kernel load the module nf_tables, so flowtables_read() sends the request only if
 * nf_tables is already loaded.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/netfilter.h>
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netlink.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "message.h"
#include "rules/device.h"
#include "rules/flowtable.h"
#include "rules/xdp.h"

/*
 * Size of the receive buffer in bytes, larger than the messages of a list, which have up
 * to 32 KB.
 */
#define MESSAGE_BYTES	(64 << 10)

static bool is_builtin(void)
{
	char path[sizeof(struct utsname) + 64], line[512];
	struct utsname name;
	bool found = false;
	FILE *file;

	if (uname(&name))
		return false;
	snprintf(path, sizeof(path), "/lib/modules/%s/modules.builtin",
		 name.release);
	file = fopen(path, "re");
	while (file && !found && fgets(line, sizeof(line), file))
		found = strstr(line, "/nf_tables.ko");
	if (file)
		fclose(file);
	return found;
}

/* Return: true if a request cannot load nf_tables. */
static bool is_loaded(void)
{
	return !access("/sys/module/nf_tables", F_OK) ||
	       access("/proc/modules", F_OK) || is_builtin();
}

static int request(int fd)
{
	const struct {
		struct nlmsghdr header;
		struct nfgenmsg generic;
	} message = {
		.header = {
			.nlmsg_len = sizeof(message),
			.nlmsg_type = NFNL_SUBSYS_NFTABLES << 8 |
				      NFT_MSG_GETFLOWTABLE,
			.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP,
		},
		.generic = {
			.nfgen_family = NFPROTO_UNSPEC,
			.version = NFNETLINK_V0,
		},
	};
	const struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };

	return sendto(fd, &message, sizeof(message), 0,
		      (const struct sockaddr *)&kernel, sizeof(kernel)) < 0 ? -1 : 0;
}

static const char *family_text(int family)
{
	switch (family) {
	case NFPROTO_INET:
		return "inet";
	case NFPROTO_IPV4:
		return "ip";
	case NFPROTO_IPV6:
		return "ip6";
	default:
		return "of another family";
	}
}

/* Write a string attribute to @text, with control characters escaped. */
static const char *string_text(const struct nlattr *attr, char text[FLOWTABLE_NAME])
{
	const char *string = (const char *)attr + NLA_HDRLEN;
	size_t length = attr->nla_len - NLA_HDRLEN;

	return escape(string, strnlen(string, length), text, FLOWTABLE_NAME);
}

/*
 * Return: the attribute at @at, or NULL if no complete attribute is before @end. Advance
 * @at.
 */
static const struct nlattr *next_attr(const char **at, const char *end)
{
	const struct nlattr *attr = (const struct nlattr *)*at;

	if (*at + NLA_HDRLEN > end || attr->nla_len < NLA_HDRLEN ||
	    *at + attr->nla_len > end)
		return NULL;
	*at += NLA_ALIGN(attr->nla_len);
	return attr;
}

static const char *attr_end(const struct nlattr *attr)
{
	return (const char *)attr + attr->nla_len;
}

static void read_names(struct flowtables *found, const struct nlattr *list)
{
	const char *at = (const char *)list + NLA_HDRLEN;
	const struct nlattr *attr;

	while ((attr = next_attr(&at, attr_end(list)))) {
		if ((attr->nla_type & NLA_TYPE_MASK) != NFTA_DEVICE_NAME ||
		    found->device_count == FLOWTABLE_DEVICES)
			continue;
		snprintf(found->devices[found->device_count++], IF_NAMESIZE, "%.*s",
			 attr->nla_len - NLA_HDRLEN, (const char *)attr + NLA_HDRLEN);
	}
}

static void read_devices(struct flowtables *found, const struct nlattr *hook)
{
	const char *at = (const char *)hook + NLA_HDRLEN;
	const struct nlattr *attr;

	while ((attr = next_attr(&at, attr_end(hook))))
		if ((attr->nla_type & NLA_TYPE_MASK) == NFTA_FLOWTABLE_HOOK_DEVS)
			read_names(found, attr);
}

/* Set @name of @found if this flowtable is the first, or the first that is offloaded. */
static void read_flowtable(struct flowtables *found, const struct nlmsghdr *header)
{
	const struct nfgenmsg *generic = NLMSG_DATA(header);
	const char *at = (const char *)generic + NLMSG_ALIGN(sizeof(*generic));
	const char *end = (const char *)header + header->nlmsg_len;
	char name[FLOWTABLE_NAME] = "", table[FLOWTABLE_NAME] = "";
	const struct nlattr *attr;
	bool offloaded = false;

	while ((attr = next_attr(&at, end))) {
		__be32 flags = 0;

		switch (attr->nla_type & NLA_TYPE_MASK) {
		case NFTA_FLOWTABLE_TABLE:
			string_text(attr, table);
			break;
		case NFTA_FLOWTABLE_NAME:
			string_text(attr, name);
			break;
		case NFTA_FLOWTABLE_FLAGS:
			if (attr->nla_len >= NLA_HDRLEN + sizeof(flags))
				memcpy(&flags, (const char *)attr + NLA_HDRLEN,
				       sizeof(flags));
			offloaded = ntohl(flags) & NFT_FLOWTABLE_HW_OFFLOAD;
			break;
		case NFTA_FLOWTABLE_HOOK:
			read_devices(found, attr);
			break;
		}
	}
	if (!found->count++ || (offloaded && !found->offloaded))
		snprintf(found->name, sizeof(found->name), "'%s' in table %s '%s'",
			 name, family_text(generic->nfgen_family), table);
	found->offloaded += offloaded;
}

/*
 * Return: true if more datagrams can follow; false after the last datagram or an error.
 */
static bool receive(int fd, struct flowtables *found)
{
	union {
		struct nlmsghdr header;
		char bytes[MESSAGE_BYTES];
	} buffer;
	const struct nlmsghdr *header = &buffer.header;
	ssize_t length;

	do
		length = recv(fd, &buffer, sizeof(buffer), 0);
	while (length < 0 && errno == EINTR);
	for (; length > 0 && NLMSG_OK(header, length);
	     header = NLMSG_NEXT(header, length)) {
		if (header->nlmsg_type == NLMSG_DONE ||
		    header->nlmsg_type == NLMSG_ERROR)
			return false;
		if (header->nlmsg_type ==
		    (NFNL_SUBSYS_NFTABLES << 8 | NFT_MSG_NEWFLOWTABLE) &&
		    header->nlmsg_len >= NLMSG_LENGTH(sizeof(struct nfgenmsg)))
			read_flowtable(found, header);
	}
	return length >= 0 && header != &buffer.header;
}

void flowtables_read(struct flowtables *found)
{
	int fd;

	*found = (struct flowtables){ .count = 0 };
	if (!is_loaded())
		return;
	fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_NETFILTER);
	if (fd < 0)
		return;
	if (!request(fd))
		while (receive(fd, found))
			;
	close(fd);
}

bool flowtables_concern(const struct kcuckoo_rule *rule)
{
	return rule->hook == KCUCKOO_HOOK_INGRESS || rule->hook == HOOK_XDP ||
	       rule->hook == KCUCKOO_HOOK_PREROUTING ||
	       rule->hook == KCUCKOO_HOOK_FORWARD;
}

static bool has_device(const struct flowtables *found, const char *device)
{
	int i;

	for (i = 0; i < found->device_count; i++)
		if (!strcmp(found->devices[i], device))
			return true;
	return found->device_count == FLOWTABLE_DEVICES;
}

bool rule_precedes_flowtables(const struct flowtables *found,
			      const struct kcuckoo_rule *rule)
{
	const char *device = (const char *)rule->dev;

	if (rule->hook != KCUCKOO_HOOK_INGRESS && rule->hook != HOOK_XDP)
		return false;
	return !found->count || has_device(found, device) ||
	       !device_is_upper(device);
}

bool flowtables_bypass_rule(const struct flowtables *found,
			    const struct kcuckoo_rule *rule)
{
	return flowtables_concern(rule) && !rule_precedes_flowtables(found, rule);
}

void flowtable_warn(const struct kcuckoo_rule *rules, int count)
{
	struct flowtables found;
	int i, concerned = 0, bypassed = 0;

	for (i = 0; i < count; i++)
		concerned += flowtables_concern(&rules[i]);
	if (!concerned)
		return;
	flowtables_read(&found);
	for (i = 0; found.count && i < count; i++)
		bypassed += flowtables_bypass_rule(&found, &rules[i]);
	if (!found.count || (!bypassed && !found.offloaded))
		return;
	warn("flowtable %s: packets of connections that it forwards", found.name);
	if (found.offloaded)
		hint(0, "traverse no hook if hardware forwards them, else only hooks ingress and xdp of its devices:");
	else
		hint(0, "traverse only hooks ingress and xdp of its devices:");
	hint(0, "'kcuckoo attach NAME hook ingress dev DEVICE' for each flowtable device");
	if (found.count > 1)
		hint(0, "there are %d flowtables in total", found.count);
}
