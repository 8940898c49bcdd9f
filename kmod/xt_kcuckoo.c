// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module xt_kcuckoo: the match "kcuckoo" and the target "KCUCKOO" of iptables,
 * ip6tables and their nft variants.
 *
 * The match looks up an address of a packet in a filter; the target adds the address to
 * a filter or deletes it. From the module kcuckoo this file includes only kcuckoo.h. The
 * checkentry function of a match or target gets the slot of the name in the rule, and the
 * destroy function releases the slot.
 *
 * The functions read the fixed IP header without a check: x_tables has made sure that
 * the header is in the linear part of the packet.
 */
#define pr_fmt(fmt) "xt_kcuckoo: " fmt

#include <linux/err.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/netfilter/x_tables.h>
#include <linux/netfilter/xt_kcuckoo.h>
#include <linux/ratelimit.h>
#include <linux/skbuff.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "kcuckoo.h"

/* Both structures are part of the interface to iptables: their sizes must not change. */
static_assert(sizeof(struct xt_kcuckoo_mtinfo) == 48);
static_assert(sizeof(struct xt_kcuckoo_tginfo) == 56);

/**
 * struct xt_kcuckoo_adder - kernel data of a rule with the target KCUCKOO
 * @slot: the slot whose filter the rule changes
 * @limit: limit on the number of adds per second (kcuckoo.h)
 */
struct xt_kcuckoo_adder {
	struct kcuckoo_slot *slot;
	struct kcuckoo_limit limit;
};

/* Logs a message if kcuckoo_get() refuses the name, or the namespace has too many names. */
static struct kcuckoo_slot *xt_kcuckoo_get_slot(struct net *net, const u8 *name)
{
	struct kcuckoo_slot *slot;

	if (strnlen((const char *)name, KCUCKOO_NAME_SIZE) == KCUCKOO_NAME_SIZE)
		return ERR_PTR(-EINVAL);
	slot = kcuckoo_get(net, (const char *)name);
	if (PTR_ERR(slot) == -EINVAL)
		pr_info_ratelimited("'%*pE' is not a valid filter name: 1 to 31 letters, digits and the characters _ . : -\n",
				    (int)strlen((const char *)name), name);
	else if (PTR_ERR(slot) == -EDQUOT)
		pr_info_ratelimited("'%s': the namespace has as many names as the module parameter max_filters allows\n",
				    name);
	return slot;
}

static int xt_kcuckoo_match_check(const struct xt_mtchk_param *par)
{
	struct xt_kcuckoo_mtinfo *info = par->matchinfo;
	struct kcuckoo_slot *slot;

	if (info->flags & ~(XT_KCUCKOO_DST | XT_KCUCKOO_INVERT) ||
	    info->reserved)
		return -EINVAL;
	slot = xt_kcuckoo_get_slot(par->net, info->name);
	if (IS_ERR(slot))
		return PTR_ERR(slot);
	info->slot = slot;
	return 0;
}

static void xt_kcuckoo_match_destroy(const struct xt_mtdtor_param *par)
{
	const struct xt_kcuckoo_mtinfo *info = par->matchinfo;

	kcuckoo_put(info->slot);
}

/*
 * Returns true if a rule matches. @found is the result of kcuckoo_lookup_ipv4() or
 * kcuckoo_lookup_ipv6(). If @found is negative, the slot has no filter of addresses:
 * then the rule does not match, even if it is inverted.
 */
static bool xt_kcuckoo_verdict(const struct xt_kcuckoo_mtinfo *info, int found)
{
	return found >= 0 && found != !!(info->flags & XT_KCUCKOO_INVERT);
}

static bool xt_kcuckoo_match_ipv4(const struct sk_buff *skb,
				  struct xt_action_param *par)
{
	const struct xt_kcuckoo_mtinfo *info = par->matchinfo;
	const struct iphdr *header = ip_hdr(skb);
	__be32 address = info->flags & XT_KCUCKOO_DST ? header->daddr :
							header->saddr;

	return xt_kcuckoo_verdict(info, kcuckoo_lookup_ipv4(info->slot, address));
}

static bool xt_kcuckoo_match_ipv6(const struct sk_buff *skb,
				  struct xt_action_param *par)
{
	const struct xt_kcuckoo_mtinfo *info = par->matchinfo;
	const struct ipv6hdr *header = ipv6_hdr(skb);
	const struct in6_addr *address = info->flags & XT_KCUCKOO_DST ?
					 &header->daddr : &header->saddr;

	return xt_kcuckoo_verdict(info, kcuckoo_lookup_ipv6(info->slot, address));
}

static bool xt_kcuckoo_target_valid(const struct xt_kcuckoo_tginfo *info)
{
	bool add = info->flags & XT_KCUCKOO_ADD;
	bool del = info->flags & XT_KCUCKOO_DEL;

	if (info->flags & ~(XT_KCUCKOO_DST | XT_KCUCKOO_ADD | XT_KCUCKOO_DEL |
			    XT_KCUCKOO_TIMEOUT) || info->reserved || add == del)
		return false;
	if (del)
		return !(info->flags & XT_KCUCKOO_TIMEOUT) && !info->timeout &&
		       !info->limit;
	if (info->timeout && !(info->flags & XT_KCUCKOO_TIMEOUT))
		return false;
	return info->timeout <= KCUCKOO_TIMEOUT_MAX && info->limit &&
	       info->limit <= XT_KCUCKOO_LIMIT_MAX;
}

static u32 xt_kcuckoo_timeout(const struct xt_kcuckoo_tginfo *info)
{
	return info->flags & XT_KCUCKOO_TIMEOUT ? info->timeout :
						  KCUCKOO_TIMEOUT_OF_FILTER;
}

/*
 * Logs the reason if a rule cannot add to the present filter of its name.
 *
 * The caller accepts the rule nevertheless, for two reasons. Another filter can get the
 * name later. And at boot iptables-restore loads a table as a whole: if the kernel
 * refused one rule, all rules of the table would be missing.
 */
static void xt_kcuckoo_target_warn(const struct xt_kcuckoo_tginfo *info,
				   const struct kcuckoo_slot *slot)
{
	int err = kcuckoo_check_add(slot, xt_kcuckoo_timeout(info));

	if (err == -EOPNOTSUPP)
		pr_info_ratelimited("packets cannot add to the filter '%s': it is not an exact filter of addresses that was created with 'hash siphash'\n",
				    info->name);
	else if (err == -EINVAL)
		pr_info_ratelimited("packets cannot add to the filter '%s' with a timeout: the filter was created without 'timeout'\n",
				    info->name);
}

static int xt_kcuckoo_target_check(const struct xt_tgchk_param *par)
{
	struct xt_kcuckoo_tginfo *info = par->targinfo;
	struct xt_kcuckoo_adder *adder;
	struct kcuckoo_slot *slot;

	if (!xt_kcuckoo_target_valid(info))
		return -EINVAL;
	adder = kzalloc(sizeof(*adder), GFP_KERNEL_ACCOUNT);
	if (!adder)
		return -ENOMEM;
	slot = xt_kcuckoo_get_slot(par->net, info->name);
	if (IS_ERR(slot)) {
		kfree(adder);
		return PTR_ERR(slot);
	}
	if (info->flags & XT_KCUCKOO_ADD)
		xt_kcuckoo_target_warn(info, slot);
	kcuckoo_writer_begin(slot);
	adder->slot = slot;
	kcuckoo_limit_init(&adder->limit, info->limit);
	info->adder = adder;
	return 0;
}

static void xt_kcuckoo_target_destroy(const struct xt_tgdtor_param *par)
{
	const struct xt_kcuckoo_tginfo *info = par->targinfo;

	kcuckoo_writer_end(info->adder->slot);
	kcuckoo_put(info->adder->slot);
	kfree(info->adder);
}

/* The packet continues to the next rule, even if the add or the delete fails. */
static unsigned int xt_kcuckoo_target_ipv4(struct sk_buff *skb,
					   const struct xt_action_param *par)
{
	const struct xt_kcuckoo_tginfo *info = par->targinfo;
	struct xt_kcuckoo_adder *adder = info->adder;
	const struct iphdr *header = ip_hdr(skb);
	__be32 address = info->flags & XT_KCUCKOO_DST ? header->daddr :
							header->saddr;

	if (info->flags & XT_KCUCKOO_DEL)
		kcuckoo_del_ipv4(adder->slot, address);
	else
		kcuckoo_add_ipv4(adder->slot, address, xt_kcuckoo_timeout(info),
				 &adder->limit);
	return XT_CONTINUE;
}

static unsigned int xt_kcuckoo_target_ipv6(struct sk_buff *skb,
					   const struct xt_action_param *par)
{
	const struct xt_kcuckoo_tginfo *info = par->targinfo;
	struct xt_kcuckoo_adder *adder = info->adder;
	const struct ipv6hdr *header = ipv6_hdr(skb);
	const struct in6_addr *address = info->flags & XT_KCUCKOO_DST ?
					 &header->daddr : &header->saddr;

	if (info->flags & XT_KCUCKOO_DEL)
		kcuckoo_del_ipv6(adder->slot, address);
	else
		kcuckoo_add_ipv6(adder->slot, address, xt_kcuckoo_timeout(info),
				 &adder->limit);
	return XT_CONTINUE;
}

static struct xt_match xt_kcuckoo_matches[] __read_mostly = {
	{
		.name = "kcuckoo",
		.family = NFPROTO_IPV4,
		.match = xt_kcuckoo_match_ipv4,
		.checkentry = xt_kcuckoo_match_check,
		.destroy = xt_kcuckoo_match_destroy,
		.matchsize = sizeof(struct xt_kcuckoo_mtinfo),
		.usersize = offsetof(struct xt_kcuckoo_mtinfo, slot),
		.me = THIS_MODULE,
	}, {
		.name = "kcuckoo",
		.family = NFPROTO_IPV6,
		.match = xt_kcuckoo_match_ipv6,
		.checkentry = xt_kcuckoo_match_check,
		.destroy = xt_kcuckoo_match_destroy,
		.matchsize = sizeof(struct xt_kcuckoo_mtinfo),
		.usersize = offsetof(struct xt_kcuckoo_mtinfo, slot),
		.me = THIS_MODULE,
	},
};

static struct xt_target xt_kcuckoo_targets[] __read_mostly = {
	{
		.name = "KCUCKOO",
		.family = NFPROTO_IPV4,
		.target = xt_kcuckoo_target_ipv4,
		.checkentry = xt_kcuckoo_target_check,
		.destroy = xt_kcuckoo_target_destroy,
		.targetsize = sizeof(struct xt_kcuckoo_tginfo),
		.usersize = offsetof(struct xt_kcuckoo_tginfo, adder),
		.me = THIS_MODULE,
	}, {
		.name = "KCUCKOO",
		.family = NFPROTO_IPV6,
		.target = xt_kcuckoo_target_ipv6,
		.checkentry = xt_kcuckoo_target_check,
		.destroy = xt_kcuckoo_target_destroy,
		.targetsize = sizeof(struct xt_kcuckoo_tginfo),
		.usersize = offsetof(struct xt_kcuckoo_tginfo, adder),
		.me = THIS_MODULE,
	},
};

static int __init xt_kcuckoo_init(void)
{
	int err;

	err = xt_register_matches(xt_kcuckoo_matches,
				  ARRAY_SIZE(xt_kcuckoo_matches));
	if (err)
		return err;
	err = xt_register_targets(xt_kcuckoo_targets,
				  ARRAY_SIZE(xt_kcuckoo_targets));
	if (err)
		xt_unregister_matches(xt_kcuckoo_matches,
				      ARRAY_SIZE(xt_kcuckoo_matches));
	return err;
}

static void __exit xt_kcuckoo_exit(void)
{
	xt_unregister_targets(xt_kcuckoo_targets,
			      ARRAY_SIZE(xt_kcuckoo_targets));
	xt_unregister_matches(xt_kcuckoo_matches,
			      ARRAY_SIZE(xt_kcuckoo_matches));
}

module_init(xt_kcuckoo_init);
module_exit(xt_kcuckoo_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("iptables match and target of cuckoo filters");
MODULE_VERSION("0.6.0");
MODULE_ALIAS("ipt_kcuckoo");
MODULE_ALIAS("ip6t_kcuckoo");
MODULE_ALIAS("ipt_KCUCKOO");
MODULE_ALIAS("ip6t_KCUCKOO");
