// SPDX-License-Identifier: GPL-2.0-only
/*
 * Logs the packets that a rule matches, through a logger of netfilter: takes and
 * releases references to loggers, limits the rate of the log, and calls the logger.
 */
#include <linux/bits.h>
#include <linux/kmod.h>
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/netfilter.h>
#include <linux/string.h>

#include "net/rule.h"
#include "net/slot.h"

static enum nf_log_type kcuckoo_log_type(u8 log)
{
	return log == KCUCKOO_LOG_NFLOG ? NF_LOG_TYPE_ULOG : NF_LOG_TYPE_LOG;
}

/*
 * Returns a set with one bit for each NFPROTO_* whose logger a rule uses. At ingress the
 * set has NFPROTO_NETDEV and also the families of the rule, because before Linux 5.13
 * the logger of NFPROTO_NETDEV passes packets to the loggers of IPv4 and IPv6, which are
 * separate modules.
 */
static unsigned long kcuckoo_log_families(u8 log, u8 hook, u8 family)
{
	unsigned long set = 0;

	if (log == KCUCKOO_LOG_NONE)
		return 0;
	if (hook == KCUCKOO_HOOK_INGRESS)
		set |= BIT(NFPROTO_NETDEV);
	if (family & KCUCKOO_FAMILY_IPV4)
		set |= BIT(NFPROTO_IPV4);
	if (family & KCUCKOO_FAMILY_IPV6)
		set |= BIT(NFPROTO_IPV6);
	return set;
}

static int kcuckoo_logger_get(unsigned int family, enum nf_log_type type)
{
	if (!nf_logger_find_get(family, type))
		return 0;
	request_module("nf-logger-%u-%u", family, type);
	return nf_logger_find_get(family, type) ? -EPROTONOSUPPORT : 0;
}

static void kcuckoo_loggers_put(unsigned long families, enum nf_log_type type)
{
	unsigned int family;

	for_each_set_bit(family, &families, NFPROTO_NUMPROTO)
		nf_logger_put(family, type);
}

/**
 * kcuckoo_log_get() - take references to the loggers of a rule
 * @attach: the rule; the caller has checked its fields
 *
 * Loads the module of a logger that is not registered yet.
 *
 * Context: process context, without locks; may sleep.
 * Return: 0, or -EPROTONOSUPPORT if the kernel has no such logger.
 */
int kcuckoo_log_get(const struct kcuckoo_ioc_attach *attach)
{
	unsigned long families = kcuckoo_log_families(attach->log, attach->hook,
						      attach->family);
	enum nf_log_type type = kcuckoo_log_type(attach->log);
	unsigned int family;

	for_each_set_bit(family, &families, NFPROTO_NUMPROTO) {
		int err = kcuckoo_logger_get(family, type);

		if (err) {
			kcuckoo_loggers_put(families & (BIT(family) - 1), type);
			return err;
		}
	}
	return 0;
}

/**
 * kcuckoo_log_put() - release the loggers of a rule
 * @log: enum kcuckoo_log of the rule
 * @hook: enum kcuckoo_hook of the rule
 * @family: KCUCKOO_FAMILY_* of the rule
 *
 * Context: any but hard interrupts.
 */
void kcuckoo_log_put(u8 log, u8 hook, u8 family)
{
	kcuckoo_loggers_put(kcuckoo_log_families(log, hook, family),
			    kcuckoo_log_type(log));
}

/**
 * kcuckoo_log_init() - initialize the log parameters and the rate limit of a new rule
 * @state: the state to initialize; zeroed by the caller
 * @attach: the rule
 */
void kcuckoo_log_init(struct kcuckoo_log_state *state,
		      const struct kcuckoo_ioc_attach *attach)
{
	if (attach->log == KCUCKOO_LOG_NONE)
		return;
	state->limit = attach->log_limit ?: KCUCKOO_LOG_LIMIT;
	state->info.type = kcuckoo_log_type(attach->log);
	if (attach->log == KCUCKOO_LOG_NFLOG) {
		state->info.u.ulog.group = attach->log_group;
		/* The logger sends each packet to userspace at once. */
		state->info.u.ulog.qthreshold = 1;
		return;
	}
	state->info.u.log.level = LOGLEVEL_WARNING;
	state->info.u.log.logflags = NF_LOG_DEFAULT_MASK;
}

/*
 * Each packet that is logged sets @due to one interval after the old @due or the present
 * time, whichever is later. A packet that would move @due more than KCUCKOO_LOG_BURST
 * intervals ahead of the present time is not logged, and writes nothing.
 *
 * The loop repeats only if another packet was logged at the same time. The loop ends,
 * because @now stays the same, and each packet that is logged moves @due forward by at
 * least one interval.
 */
static bool kcuckoo_log_allowed(struct kcuckoo_log_state *state)
{
	s64 due = atomic64_read(&state->due);
	s64 interval = NSEC_PER_SEC / state->limit;
	s64 now = ktime_get_ns();
	s64 next;

	do {
		next = max(due, now) + interval;
		if (next > now + KCUCKOO_LOG_BURST * interval)
			return false;
	} while (!atomic64_try_cmpxchg(&state->due, &due, next));
	return true;
}

/**
 * kcuckoo_log_packet() - log a packet that a rule matches, if the limit of the rule
 *	allows it
 * @rule: a rule that logs; only rules that drop or count packets can log
 * @skb: the packet
 * @state: state of the netfilter hook
 *
 * Context: inside rcu_read_lock(); any context but hard interrupts.
 */
void kcuckoo_log_packet(struct kcuckoo_rule_entry *rule,
			const struct sk_buff *skb,
			const struct nf_hook_state *state)
{
	const u8 *name = rule->label[0] ? rule->label : rule->slot->name;

	if (kcuckoo_log_allowed(&rule->log_state))
		nf_log_packet(state->net, state->pf, state->hook, skb,
			      state->in, state->out, &rule->log_state.info,
			      "kcuckoo %s %s: ", name,
			      rule->action == KCUCKOO_ACTION_DROP ? "drop" :
								    "count");
}
