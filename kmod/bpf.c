// SPDX-License-Identifier: GPL-2.0-only
/*
 * Kernel functions (kfuncs) that BPF programs in XDP and tc call to look up keys. XDP
 * programs can also check whether a packet begins with an Ethernet header.
 *
 * The verifier finds the functions by BTF, so the kernel and the module must have BTF
 * (btf.sh writes the BTF of the module). A program refers to a filter by the id of a slot.
 * A look-up takes no reference, and takes a lock only after too many retries;
 * rcu_read_lock() protects the slot and its filter.
 */
#define pr_fmt(fmt) "kcuckoo: " fmt

#include <linux/bpf.h>
#include <linux/filter.h>
#include <linux/if_arp.h>
#include <linux/if_ether.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <net/addrconf.h>
#include <net/checksum.h>
#include <net/net_namespace.h>
#include <net/route.h>
#include <net/sock.h>
#include <net/xdp.h>

#include "bpf.h"
#include "compat.h"
#include "net/slot.h"

/* Makes a query of a key of 4 bytes (IPv4) or 16 (IPv6); returns false for other sizes. */
static bool kcuckoo_bpf_address(struct kcuckoo_query *query, const void *key,
				u32 size)
{
	struct in6_addr ipv6;
	__be32 ipv4;

	if (size == sizeof(ipv4)) {
		memcpy(&ipv4, key, sizeof(ipv4));
		query->family = KCUCKOO_FAMILY_IPV4;
		query->address = kcuckoo_number_ipv4(ipv4);
		return true;
	}
	if (size != sizeof(ipv6))
		return false;
	memcpy(&ipv6, key, sizeof(ipv6));
	query->family = KCUCKOO_FAMILY_IPV6;
	query->address = kcuckoo_number_ipv6(&ipv6);
	return true;
}

/* The caller holds rcu_read_lock(). */
static int kcuckoo_bpf_lookup(const struct kcuckoo_slot *slot, const void *key,
			      u32 size)
{
	const struct kcuckoo_filter *filter = rcu_dereference(slot->filter);
	struct kcuckoo_query query = { .bytes = key, .length = size };

	if (!filter)
		return -ENOENT;
	if (filter->config.type == KCUCKOO_TYPE_INET &&
	    !kcuckoo_bpf_address(&query, key, size))
		return -EINVAL;
	return kcuckoo_slot_contains(slot, &query);
}

static int kcuckoo_bpf_contains(const struct net *net, u32 id, const void *key,
				u32 size)
{
	const struct kcuckoo_slot *slot;
	int ret = -ENOENT;

	/* Some verifiers accept a NULL key, the result of a map look-up that failed. */
	if (size > KCUCKOO_BYTES_MAX || (size && !key))
		return -EINVAL;
	/*
	 * XDP programs run with softirqs disabled. Lockdep does not accept this as an
	 * RCU read section, so take rcu_read_lock().
	 */
	rcu_read_lock();
	slot = kcuckoo_slot_by_id(kcuckoo_net_of(net), id);
	if (slot)
		ret = kcuckoo_bpf_lookup(slot, key, size);
	rcu_read_unlock();
	return ret;
}

/**
 * bpf_xdp_kcuckoo_contains() - look up a key in a filter of the device's namespace
 * @ctx: the program's context
 * @slot_id: id of the slot, from KCUCKOO_IOC_SLOT
 * @key: for a filter of addresses: 4 bytes (IPv4) or 16 bytes (IPv6), in network order;
 *	for other filters: a byte string
 * @key__sz: size of the key, in bytes
 *
 * A program can find out the type of the filter by looking up a key of one byte: a
 * filter of addresses returns -EINVAL, because no address has one byte.
 *
 * Return: 1 if the filter contains the key, 0 if not; -ENOENT if the namespace has no
 * slot with this id, or the slot has no filter at present; -EINVAL if @key is NULL and
 * @key__sz is not 0, or if no key of the filter can have @key__sz bytes.
 */
__bpf_kfunc int bpf_xdp_kcuckoo_contains(struct xdp_md *ctx, u32 slot_id,
					 const void *key, u32 key__sz)
{
	const struct xdp_buff *buff = (const struct xdp_buff *)ctx;

	return kcuckoo_bpf_contains(dev_net(buff->rxq->dev), slot_id, key,
				    key__sz);
}

/*
 * Checks whether a packet is at the generic XDP hook, which runs after the driver. The
 * generic hook sets xdp_buff.rxq to an element of the array dev->_rx; a driver sets it
 * to other memory.
 */
static bool kcuckoo_bpf_generic(const struct xdp_rxq_info *rxq)
{
	const struct net_device *dev = rxq->dev;
	const struct netdev_rx_queue *queue;

	queue = container_of(rxq, struct netdev_rx_queue, xdp_rxq);
	return queue >= dev->_rx && queue < dev->_rx + dev->num_rx_queues;
}

/* Checks whether this host sent an IPv4 packet to a multicast or broadcast address. */
static bool kcuckoo_bpf_own_ipv4(const struct net_device *dev,
				 const struct iphdr *header, u32 length)
{
	struct net *net = dev_net(dev);
	unsigned int type;

	if (header->ihl < 5 || ntohs(header->tot_len) != length ||
	    ip_fast_csum(header, header->ihl))
		return false;
	type = inet_addr_type_dev_table(net, dev, header->daddr);
	return (type == RTN_MULTICAST || type == RTN_BROADCAST) &&
	       inet_addr_type_dev_table(net, dev, header->saddr) == RTN_LOCAL;
}

/* Checks whether this host sent an IPv6 packet to a multicast address. */
static bool kcuckoo_bpf_own_ipv6(const struct net_device *dev,
				 const struct ipv6hdr *header, u32 length)
{
	return IS_REACHABLE(CONFIG_IPV6) &&
	       ntohs(header->payload_len) + sizeof(*header) == length &&
	       ipv6_addr_is_multicast(&header->daddr) &&
	       ipv6_chk_addr(dev_net(dev), &header->saddr, NULL, 0);
}

/*
 * Checks whether a packet was sent by this host to a multicast or broadcast address and
 * is looped back to this host.
 *
 * A looped packet has no MAC header: it begins with the IP header. A program that
 * expects an Ethernet header would read the first two bytes of the IPv4 source address
 * as the Ethernet type. If the address begins with 8.0, these bytes are ETH_P_IP (0x0800).
 *
 * The bytes of a packet are the only sign that it is looped. A sender on the network
 * can build a frame whose bytes look like a looped packet. So the function also
 * requires that the source is an address of this host. A frame with an Ethernet header
 * can pass this check only if two bytes of the address are the Ethernet type of the frame.
 * The kernel handles only a few Ethernet types, so it is unlikely to handle such a frame.
 */
static bool kcuckoo_bpf_looped(const struct xdp_buff *buff)
{
	const struct net_device *dev = buff->rxq->dev;
	u32 linear = buff->data_end - buff->data;
	u32 length = xdp_get_buff_len((struct xdp_buff *)buff);
	const struct ipv6hdr *ipv6 = buff->data;
	const struct iphdr *ipv4 = buff->data;

	if (linear >= sizeof(*ipv4) && ipv4->version == 4)
		return ipv4->ihl * 4 <= linear &&
		       kcuckoo_bpf_own_ipv4(dev, ipv4, length);
	return linear >= sizeof(*ipv6) && ipv6->version == 6 &&
	       kcuckoo_bpf_own_ipv6(dev, ipv6, length);
}

/**
 * bpf_xdp_kcuckoo_ethernet() - check that a packet begins with an Ethernet header
 * @ctx: the program's context
 *
 * A packet has no Ethernet header in two cases. First, the device is of another type, a
 * tunnel for instance; the type of a device can change while a program is attached.
 * Second, at the generic hook of any device, the host receives its own multicast and
 * broadcast packets without an Ethernet header.
 *
 * A third case is not detected. Since Linux 6.9 the generic hook copies a packet without
 * its mac_len. A packet that returns to the device later, from IPsec in tunnel mode or
 * from an ifb device, then begins with the IP header. The function cannot detect this case
 * by the bytes of the packet: a sender on the network can build a frame with equal bytes.
 *
 * Return: 1 if the packet begins with an Ethernet header, 0 if not.
 */
__bpf_kfunc int bpf_xdp_kcuckoo_ethernet(struct xdp_md *ctx)
{
	const struct xdp_buff *buff = (const struct xdp_buff *)ctx;
	const struct net_device *dev = buff->rxq->dev;

	/*
	 * A process can set dev->type of a tun device by TUNSETLINK. It cannot set
	 * hard_header_len, so check both.
	 */
	return READ_ONCE(dev->type) == ARPHRD_ETHER &&
	       READ_ONCE(dev->hard_header_len) >= ETH_HLEN &&
	       !(kcuckoo_bpf_generic(buff->rxq) && kcuckoo_bpf_looped(buff));
}

/**
 * bpf_skb_kcuckoo_contains() - look up a key in a filter of the packet's namespace
 * @ctx: the program's context
 * @slot_id: as for bpf_xdp_kcuckoo_contains()
 * @key: as for bpf_xdp_kcuckoo_contains()
 * @key__sz: as for bpf_xdp_kcuckoo_contains()
 *
 * Return: the same as bpf_xdp_kcuckoo_contains().
 */
__bpf_kfunc int bpf_skb_kcuckoo_contains(struct __sk_buff *ctx, u32 slot_id,
					 const void *key, u32 key__sz)
{
	const struct sk_buff *skb = (const struct sk_buff *)ctx;
	const struct net *net;

	net = skb->dev ? dev_net(skb->dev) : sock_net(skb->sk);
	return kcuckoo_bpf_contains(net, slot_id, key, key__sz);
}

BTF_KFUNCS_START(kcuckoo_bpf_xdp)
BTF_ID_FLAGS(func, bpf_xdp_kcuckoo_contains)
BTF_ID_FLAGS(func, bpf_xdp_kcuckoo_ethernet)
BTF_KFUNCS_END(kcuckoo_bpf_xdp)

BTF_KFUNCS_START(kcuckoo_bpf_tc)
BTF_ID_FLAGS(func, bpf_skb_kcuckoo_contains)
BTF_KFUNCS_END(kcuckoo_bpf_tc)

static const struct btf_kfunc_id_set kcuckoo_bpf_xdp_set = {
	.owner = THIS_MODULE,
	.set = &kcuckoo_bpf_xdp,
};

static const struct btf_kfunc_id_set kcuckoo_bpf_tc_set = {
	.owner = THIS_MODULE,
	.set = &kcuckoo_bpf_tc,
};

/*
 * Registers the functions for a type of programs. Early 6.1 kernels return -ENOENT if
 * the module has no BTF. This is not an error: the module then works without BPF.
 */
static int kcuckoo_bpf_register(enum bpf_prog_type type,
				const struct btf_kfunc_id_set *set)
{
	int err = register_btf_kfunc_id_set(type, set);

	return err == -ENOENT ? 0 : err;
}

static int kcuckoo_bpf_init_xdp(void)
{
	if (!kcuckoo_xdp_has_rxq()) {
		pr_notice("XDP programs cannot call the module: this kernel crashes if a program in a device map calls it; Linux 6.1.115, 6.6.59, 6.11.6 and 6.12 have the fix\n");
		return 0;
	}
	return kcuckoo_bpf_register(BPF_PROG_TYPE_XDP, &kcuckoo_bpf_xdp_set);
}

/**
 * kcuckoo_bpf_init() - register the functions for BPF programs
 *
 * The functions stay registered as long as the module is loaded. Without BTF in the
 * kernel or in the module nothing is registered, and the module works without BPF: this
 * is not an error.
 *
 * Return: 0 or a negative errno.
 */
int kcuckoo_bpf_init(void)
{
	int err;

	err = kcuckoo_bpf_init_xdp();
	if (err)
		return err;
	return kcuckoo_bpf_register(BPF_PROG_TYPE_SCHED_CLS,
				    &kcuckoo_bpf_tc_set);
}
