/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Logs the packets that a rule matches, through a logger of netfilter (struct
 * nf_logger).
 *
 * A rule that logs holds a reference to the module of each of its loggers. A template
 * holds the references for its instances. rules.c takes the references before it takes
 * any lock, because this step can load a module, whose initialization takes other locks.
 *
 * Packets use a logger under RCU. The references are released a grace period before the
 * rule is freed. If a logger is unregistered in this period, packets that still use the
 * rule are not logged.
 */
#ifndef _KCUCKOO_RULE_LOG_H
#define _KCUCKOO_RULE_LOG_H

#include <linux/atomic.h>
#include <linux/kcuckoo.h>
#include <net/netfilter/nf_log.h>

struct kcuckoo_rule_entry;
struct nf_hook_state;
struct sk_buff;

/**
 * struct kcuckoo_log_state - parameters and rate limit of the log of a rule
 * @info: parameters of the logger, constant
 * @limit: maximum number of packets per second, on average (rule_log.c), constant. Each
 *	instance of a template has a limit of its own
 * @due: time in nanoseconds (ktime_get_ns()) from which on the rule can log
 *	KCUCKOO_LOG_BURST packets at once; each packet that is logged moves @due forward
 */
struct kcuckoo_log_state {
	struct nf_loginfo info;
	u32 limit;
	atomic64_t due;
};

int kcuckoo_log_get(const struct kcuckoo_ioc_attach *attach);
void kcuckoo_log_put(u8 log, u8 hook, u8 family);
void kcuckoo_log_init(struct kcuckoo_log_state *state,
		      const struct kcuckoo_ioc_attach *attach);
void kcuckoo_log_packet(struct kcuckoo_rule_entry *rule,
			const struct sk_buff *skb,
			const struct nf_hook_state *state);

#endif /* _KCUCKOO_RULE_LOG_H */
