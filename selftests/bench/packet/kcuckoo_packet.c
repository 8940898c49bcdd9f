// SPDX-License-Identifier: GPL-2.0-only
/*
 * Times what netfilter's prerouting hooks cost a packet.
 *
 * Writing /proc/kcuckoo_packet gives the source addresses, in network order, one
 * behind the other; reading it sends one packet after the other with these
 * sources through the hooks of the reader's network namespace, as the stack
 * would, and prints:
 *
 *	NS DROPPED COUNT
 *
 * Nanoseconds per packet, how many packets were dropped, and how many there
 * were. NS is the median of many short runs, so that what interrupts some of
 * them does not count. A reading goes on in the list where the last one ended.
 *
 * The packet comes in through the device "bench0" of the namespace. Accepted or
 * dropped, it costs the same around the hooks: one reference taken, one given
 * back.
 *
 * Two parameters hook functions into the writer's namespace: "verdict" one without
 * a set, "map" one that drops the packets whose sources a BPF map has.
 */
#include <linux/bpf.h>
#include <linux/etherdevice.h>
#include <linux/inetdevice.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/netfilter.h>
#include <linux/netfilter_ipv4.h>
#include <linux/netfilter_ipv6.h>
#include <linux/nsproxy.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/skbuff.h>
#include <linux/sort.h>
#include <linux/udp.h>
#include <net/net_namespace.h>

/* Packets of one timed run, and the runs of one reading. */
#define PACKET_RUN		4096
#define PACKET_RUNS		64
#define PACKET_WARM		8

/* Bytes of source addresses. */
#define PACKET_ROOM		(32UL << 20)

#define PACKET_SIZE		60

static bool packet_ipv6;
module_param_named(ipv6, packet_ipv6, bool, 0644);
MODULE_PARM_DESC(ipv6, "The sources are IPv6 addresses");

static u8 *packet_sources;
static size_t packet_bytes;
static size_t packet_cursor;
static DEFINE_MUTEX(packet_lock);	/* all of these */

static unsigned int packet_accept(void *priv, struct sk_buff *skb,
				  const struct nf_hook_state *state)
{
	return NF_ACCEPT;
}

static unsigned int packet_drop(void *priv, struct sk_buff *skb,
				const struct nf_hook_state *state)
{
	return NF_DROP;
}

/**
 * struct packet_verdict - a hook function without a set
 * @hook: the function
 * @ops: for IPv4 and IPv6
 * @net: the namespace that has it, with a reference, or NULL
 */
struct packet_verdict {
	nf_hookfn *hook;
	struct nf_hook_ops ops[2];
	struct net *net;
};

static struct packet_verdict packet_verdicts[] = {
	{ .hook = packet_accept },
	{ .hook = packet_drop },
};

/* At the priority of raw tables, in both families. */
static int packet_verdict_hook(struct packet_verdict *verdict, struct net *net)
{
	verdict->ops[0] = (struct nf_hook_ops){
		.hook = verdict->hook,
		.pf = NFPROTO_IPV4,
		.hooknum = NF_INET_PRE_ROUTING,
		.priority = NF_IP_PRI_RAW,
	};
	verdict->ops[1] = verdict->ops[0];
	verdict->ops[1].pf = NFPROTO_IPV6;
	verdict->ops[1].priority = NF_IP6_PRI_RAW;
	return nf_register_net_hooks(net, verdict->ops,
				     ARRAY_SIZE(verdict->ops));
}

/* Hooks the function of a verdict, 0 or 1, into the writer's namespace. */
static int packet_verdict_set(const char *text, const struct kernel_param *kp)
{
	struct net *net = current->nsproxy->net_ns;
	struct packet_verdict *verdict;
	unsigned int number;
	int err;

	err = kstrtouint(text, 0, &number);
	if (err)
		return err;
	if (number >= ARRAY_SIZE(packet_verdicts))
		return -EINVAL;
	verdict = &packet_verdicts[number];
	if (verdict->net)
		return -EBUSY;
	err = packet_verdict_hook(verdict, net);
	if (!err)
		verdict->net = get_net(net);
	return err;
}

static const struct kernel_param_ops packet_verdict_ops = {
	.set = packet_verdict_set,
};
module_param_cb(verdict, &packet_verdict_ops, NULL, 0200);
MODULE_PARM_DESC(verdict, "Write: 0 hooks a function that accepts into the namespace, 1 one that drops");

struct packet_prefix4 {
	u32 length;
	__be32 address;
};

struct packet_prefix6 {
	u32 length;
	struct in6_addr address;
};

/*
 * Look-ups in BPF maps as programs make them, but without the cost of a program.
 * nf_hook() has the lock of RCU that they want.
 */
static unsigned int packet_map_hash(void *priv, struct sk_buff *skb,
				    const struct nf_hook_state *state)
{
	__be32 address = ip_hdr(skb)->saddr;
	struct bpf_map *map = priv;

	return map->ops->map_lookup_elem(map, &address) ? NF_DROP : NF_ACCEPT;
}

static unsigned int packet_map_bloom(void *priv, struct sk_buff *skb,
				     const struct nf_hook_state *state)
{
	__be32 address = ip_hdr(skb)->saddr;
	struct bpf_map *map = priv;

	return map->ops->map_peek_elem(map, &address) ? NF_ACCEPT : NF_DROP;
}

static unsigned int packet_map_lpm4(void *priv, struct sk_buff *skb,
				    const struct nf_hook_state *state)
{
	struct packet_prefix4 key = { 32, ip_hdr(skb)->saddr };
	struct bpf_map *map = priv;

	return map->ops->map_lookup_elem(map, &key) ? NF_DROP : NF_ACCEPT;
}

static unsigned int packet_map_lpm6(void *priv, struct sk_buff *skb,
				    const struct nf_hook_state *state)
{
	struct packet_prefix6 key = { 128, ipv6_hdr(skb)->saddr };
	struct bpf_map *map = priv;

	return map->ops->map_lookup_elem(map, &key) ? NF_DROP : NF_ACCEPT;
}

/**
 * struct packet_map_kind - a kind of map that can be hooked
 * @type: what BPF calls it
 * @key_size: of its keys, 0 for those that have values alone
 * @value_size: of these, 0 for any
 * @pf: whose packets it sees
 * @hook: looks their sources up
 */
static const struct packet_map_kind {
	enum bpf_map_type type;
	u32 key_size;
	u32 value_size;
	u8 pf;
	nf_hookfn *hook;
} packet_map_kinds[] = {
	{ BPF_MAP_TYPE_HASH, sizeof(__be32), 0, NFPROTO_IPV4, packet_map_hash },
	{ BPF_MAP_TYPE_BLOOM_FILTER, 0, sizeof(__be32), NFPROTO_IPV4,
	  packet_map_bloom },
	{ BPF_MAP_TYPE_LPM_TRIE, sizeof(struct packet_prefix4), 0, NFPROTO_IPV4,
	  packet_map_lpm4 },
	{ BPF_MAP_TYPE_LPM_TRIE, sizeof(struct packet_prefix6), 0, NFPROTO_IPV6,
	  packet_map_lpm6 },
};

/**
 * struct packet_map - a BPF map in a hook
 * @list: in packet_maps
 * @ops: the hook; its priv is the map, with a reference
 * @net: the namespace that has it, with a reference
 */
struct packet_map {
	struct list_head list;
	struct nf_hook_ops ops;
	struct net *net;
};

static LIST_HEAD(packet_maps);	/* the lock of parameters */

static const struct packet_map_kind *packet_map_kind(const struct bpf_map *map)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(packet_map_kinds); i++) {
		const struct packet_map_kind *kind = &packet_map_kinds[i];

		if (kind->type == map->map_type &&
		    kind->key_size == map->key_size &&
		    (!kind->value_size || kind->value_size == map->value_size))
			return kind;
	}
	return NULL;
}

/* Takes over the reference to @map, if there is no error. */
static int packet_map_hook(struct bpf_map *map, struct net *net)
{
	const struct packet_map_kind *kind = packet_map_kind(map);
	struct packet_map *entry;
	int err;

	if (!kind)
		return -EINVAL;
	entry = kzalloc(sizeof(*entry), GFP_KERNEL);
	if (!entry)
		return -ENOMEM;
	entry->ops.hook = kind->hook;
	entry->ops.priv = map;
	entry->ops.pf = kind->pf;
	entry->ops.hooknum = NF_INET_PRE_ROUTING;
	entry->ops.priority = NF_IP_PRI_RAW;
	err = nf_register_net_hook(net, &entry->ops);
	if (err) {
		kfree(entry);
		return err;
	}
	entry->net = get_net(net);
	list_add(&entry->list, &packet_maps);
	return 0;
}

/* Hooks a map that is open in the writer, by its descriptor's number. */
static int packet_map_set(const char *text, const struct kernel_param *kp)
{
	struct bpf_map *map;
	unsigned int number;
	int err;

	err = kstrtouint(text, 0, &number);
	if (err)
		return err;
	map = bpf_map_get(number);
	if (IS_ERR(map))
		return PTR_ERR(map);
	err = packet_map_hook(map, current->nsproxy->net_ns);
	if (err)
		bpf_map_put(map);
	return err;
}

static const struct kernel_param_ops packet_map_ops = {
	.set = packet_map_set,
};
module_param_cb(map, &packet_map_ops, NULL, 0200);
MODULE_PARM_DESC(map, "Write: the descriptor of a BPF map; packets whose sources it has are dropped in the namespace");

static void packet_maps_unhook(void)
{
	struct packet_map *entry, *next;

	list_for_each_entry_safe(entry, next, &packet_maps, list) {
		nf_unregister_net_hook(entry->net, &entry->ops);
		synchronize_net();
		put_net(entry->net);
		bpf_map_put(entry->ops.priv);
		kfree(entry);
	}
}

static int packet_okfn(struct net *net, struct sock *sk, struct sk_buff *skb)
{
	return 0;
}

static void packet_fill_ipv4(struct sk_buff *skb)
{
	struct iphdr *ip = skb_put_zero(skb, sizeof(*ip));

	ip->version = 4;
	ip->ihl = 5;
	ip->ttl = 64;
	ip->protocol = IPPROTO_UDP;
	ip->tot_len = htons(PACKET_SIZE);
	ip->daddr = htonl(0xc0000201);
	skb->protocol = htons(ETH_P_IP);
	skb_set_transport_header(skb, sizeof(*ip));
}

static void packet_fill_ipv6(struct sk_buff *skb)
{
	struct ipv6hdr *ip = skb_put_zero(skb, sizeof(*ip));

	ip->version = 6;
	ip->hop_limit = 64;
	ip->nexthdr = IPPROTO_UDP;
	ip->payload_len = htons(PACKET_SIZE - sizeof(*ip));
	ip->daddr.s6_addr32[0] = htonl(0x20010db8);
	skb->protocol = htons(ETH_P_IPV6);
	skb_set_transport_header(skb, sizeof(*ip));
}

static struct sk_buff *packet_create(struct net_device *dev)
{
	struct sk_buff *skb = alloc_skb(PACKET_SIZE + NET_SKB_PAD, GFP_KERNEL);
	struct udphdr *udp;

	if (!skb)
		return NULL;
	skb_reserve(skb, NET_SKB_PAD);
	skb_reset_mac_header(skb);
	skb_reset_network_header(skb);
	if (packet_ipv6)
		packet_fill_ipv6(skb);
	else
		packet_fill_ipv4(skb);
	udp = skb_put_zero(skb, PACKET_SIZE - skb->len);
	udp->len = htons(PACKET_SIZE - skb_transport_offset(skb));
	skb->dev = dev;
	skb->pkt_type = PACKET_HOST;
	return skb;
}

/* Gives the packet its next source. */
static void packet_address(struct sk_buff *skb)
{
	size_t size = packet_ipv6 ? sizeof(struct in6_addr) : sizeof(__be32);

	if (packet_cursor + size > packet_bytes)
		packet_cursor = 0;
	if (packet_ipv6)
		memcpy(&ipv6_hdr(skb)->saddr, packet_sources + packet_cursor,
		       sizeof(struct in6_addr));
	else
		memcpy(&ip_hdr(skb)->saddr, packet_sources + packet_cursor,
		       sizeof(__be32));
	packet_cursor += size;
}

/* Sends packets; returns how many were dropped. */
static unsigned int packet_run(struct sk_buff *skb, unsigned int count)
{
	u8 pf = packet_ipv6 ? NFPROTO_IPV6 : NFPROTO_IPV4;
	struct net *net = dev_net(skb->dev);
	unsigned int dropped = 0;

	while (count--) {
		packet_address(skb);
		skb_get(skb);
		if (nf_hook(pf, NF_INET_PRE_ROUTING, net, NULL, skb, skb->dev,
			    NULL, packet_okfn) == 1)
			kfree_skb(skb);
		else
			dropped++;
	}
	return dropped;
}

static int packet_compare(const void *a, const void *b)
{
	u64 x = *(const u64 *)a;
	u64 y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

/* The runs of a reading; softirqs wait, as they do while packets come in. */
static void packet_measure(struct seq_file *file, struct sk_buff *skb)
{
	u64 spent[PACKET_RUNS];
	unsigned int dropped = 0;
	unsigned int i;
	u64 picos;

	for (i = 0; i < PACKET_WARM + PACKET_RUNS; i++) {
		unsigned int drops;
		u64 start;

		local_bh_disable();
		start = ktime_get_ns();
		drops = packet_run(skb, PACKET_RUN);
		start = ktime_get_ns() - start;
		local_bh_enable();
		if (i >= PACKET_WARM) {
			spent[i - PACKET_WARM] = start;
			dropped += drops;
		}
		cond_resched();
	}
	sort(spent, PACKET_RUNS, sizeof(*spent), packet_compare, NULL);
	picos = spent[PACKET_RUNS / 2] * 1000 / PACKET_RUN;
	seq_printf(file, "%llu.%03llu %u %u\n", picos / 1000, picos % 1000,
		   dropped, PACKET_RUN * PACKET_RUNS);
}

static int packet_show(struct seq_file *file, void *unused)
{
	struct net_device *dev;
	struct sk_buff *skb;
	int err = 0;

	dev = dev_get_by_name(current->nsproxy->net_ns, "bench0");
	if (!dev)
		return -ENODEV;
	mutex_lock(&packet_lock);
	skb = packet_create(dev);
	if (!skb)
		err = -ENOMEM;
	else if (!packet_bytes)
		err = -ENODATA;
	else
		packet_measure(file, skb);
	kfree_skb(skb);
	mutex_unlock(&packet_lock);
	dev_put(dev);
	return err;
}

static int packet_open(struct inode *inode, struct file *file)
{
	if (file->f_mode & FMODE_WRITE) {
		mutex_lock(&packet_lock);
		packet_bytes = 0;
		packet_cursor = 0;
		mutex_unlock(&packet_lock);
	}
	return single_open(file, packet_show, NULL);
}

static ssize_t packet_write(struct file *file, const char __user *data,
			    size_t length, loff_t *position)
{
	ssize_t ret = -ENOSPC;

	mutex_lock(&packet_lock);
	if (length <= PACKET_ROOM - packet_bytes) {
		ret = -EFAULT;
		if (!copy_from_user(packet_sources + packet_bytes, data,
				    length)) {
			packet_bytes += length;
			ret = length;
		}
	}
	mutex_unlock(&packet_lock);
	return ret;
}

static const struct proc_ops packet_proc = {
	.proc_open = packet_open,
	.proc_read = seq_read,
	.proc_write = packet_write,
	.proc_release = single_release,
};

static int __init packet_init(void)
{
	packet_sources = vmalloc(PACKET_ROOM);
	if (!packet_sources)
		return -ENOMEM;
	if (!proc_create("kcuckoo_packet", 0600, NULL, &packet_proc)) {
		vfree(packet_sources);
		return -ENOMEM;
	}
	return 0;
}

static void __exit packet_exit(void)
{
	unsigned int i;

	remove_proc_entry("kcuckoo_packet", NULL);
	for (i = 0; i < ARRAY_SIZE(packet_verdicts); i++) {
		struct packet_verdict *verdict = &packet_verdicts[i];

		if (!verdict->net)
			continue;
		nf_unregister_net_hooks(verdict->net, verdict->ops,
					ARRAY_SIZE(verdict->ops));
		put_net(verdict->net);
	}
	packet_maps_unhook();
	vfree(packet_sources);
}

module_init(packet_init);
module_exit(packet_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Times what netfilter's hooks cost a packet");
