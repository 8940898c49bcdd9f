/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The verb explain finds which filters cover an address, what rules do with packets
 * from or to the address, and which entries of lists cover the address. explain.c has
 * the verb, and reads the filters and rules. trace.c follows a packet through the
 * rules, origin.c searches the lists, and explanation.c prints the result.
 */
#ifndef KCUCKOO_CLI_EXPLAIN_H
#define KCUCKOO_CLI_EXPLAIN_H

#include "cli.h"
#include "cmd/origin.h"
#include "keys/cover.h"
#include "rules/lower.h"

/**
 * struct explained - a filter of addresses, and the result of the look-up in it
 * @info: state and name of the filter
 * @present: a look-up found the address, as it would for a packet
 * @value: the value that the look-up returned
 * @cover: the members that cover the address
 * @managed: a configuration made the filter
 * @other_users: number of users of the filter that the verb does not explain, such as
 *	rules of iptables, BPF programs and kernel modules; 0 if @present is false
 * @origins: entries of the lists of the filter that cover the address; empty if @present
 *	is false
 */
struct explained {
	struct kcuckoo_ioc_info info;
	bool present;
	__u32 value;
	struct cover cover;
	bool managed;
	__u32 other_users;
	struct origins origins;
};

/* Effects of a rule on a packet. */
enum rule_effect {
	EFFECT_DROP,
	EFFECT_COUNT,
	EFFECT_MARK,
	EFFECT_ABSENT,		/* the filter of the rule does not cover the address */
	EFFECT_ALLOWED,		/* the allow filter of the rule covers the address */
	EFFECT_WAITS,		/* the filter of the rule is missing, or has byte strings */
	EFFECT_WAITS_ALLOW,	/* the allow filter of the rule is missing, or has byte strings */
	EFFECT_WAITS_DEV,	/* the device of the rule does not exist */
	EFFECT_DEAD,		/* the filters of the rule are in another network namespace */
	EFFECT_NO_ETHERNET,	/* packets of the device of the rule have no Ethernet header */
	EFFECT_UNREACHED,	/* would match, but an earlier rule drops the packet */
};

/**
 * struct traced - a rule that looks up the address, and its effect on a packet
 * @rule: the rule
 * @effect: what the rule does with the packet
 * @mark: the mark for EFFECT_MARK
 */
struct traced {
	const struct kcuckoo_rule *rule;
	enum rule_effect effect;
	__u32 mark;
};

/* Result for a packet at a stage, see struct stage. */
enum verdict {
	VERDICT_PASS,
	VERDICT_DROP,
	VERDICT_UNREACHED,	/* rules drop the packet before this stage */
};

/**
 * struct stage - the rules of one hook; for hooks xdp and ingress, of one device
 * @hook: enum kcuckoo_hook, or HOOK_XDP for XDP programs that the command attaches
 * @dev: for hooks xdp and ingress, name of the device, or the pattern of devices for
 *	which the rules of the stage wait; empty for other hooks
 * @lower: the device @dev in @lowers of struct explain; NULL if it is not there
 * @first: index of the first rule of the stage in @rules of struct trace
 * @count: number of rules of the stage that look up the address
 * @verdict: enum verdict
 * @drop_rule: a rule that drops the packet at this stage or at an earlier stage; or NULL
 * @marked: a rule of the stage matches the packet, and sets the mark of the packet
 * @mark: the mark of the packet after the stage, if @marked is true
 * @others: number of rules of the stage that look up the other address of the packet, and
 *	that can match at present. The other address is the destination of a packet from
 *	the explained address, or the source of a packet to the explained address
 * @other_drops: number of rules in @others that drop packets
 */
struct stage {
	int hook;
	const char *dev;
	const struct lower *lower;
	int first;
	int count;
	enum verdict verdict;
	const struct kcuckoo_rule *drop_rule;
	bool marked;
	__u32 mark;
	int others;
	int other_drops;
};

/**
 * struct trace - the path of one packet through the rules
 * @match: KCUCKOO_MATCH_SRC: the packet comes from the address; KCUCKOO_MATCH_DST:
 *	the packet goes to the address
 * @rules: the rules that look up the address, in the order in which the packet
 *	meets them
 * @rule_count: number of these rules
 * @stages: the stages that have rules, in the order in which the packet traverses them
 * @stage_count: number of these stages
 */
struct trace {
	int match;
	struct traced *rules;
	int rule_count;
	struct stage *stages;
	int stage_count;
};

/**
 * struct explain - state of the verb explain
 * @cli: state of the command
 * @address: the address, with prefix length 32 or 128
 * @text: the address as text
 * @local: the address belongs to this host
 * @dev: the device at which packets arrive, or NULL for any device
 * @lowers: the device @dev and its lower devices, such as the ports of a bridge, see
 *	rules/lower.h; empty if @dev is NULL
 * @matches: has the bit 1 << KCUCKOO_MATCH_SRC if packets from the address are
 *	explained, and 1 << KCUCKOO_MATCH_DST if packets to the address are explained
 * @filters: the filters of addresses
 * @filter_count: number of filters
 * @rules: all rules
 * @rule_count: number of rules
 * @traces: one trace for each bit of @matches
 * @trace_count: number of traces
 */
struct explain {
	struct cli *cli;
	struct kcuckoo_prefix address;
	char text[KCUCKOO_PREFIX_TEXT];
	bool local;
	const char *dev;
	struct lowers lowers;
	unsigned int matches;
	struct explained *filters;
	int filter_count;
	struct kcuckoo_rule *rules;
	int rule_count;
	struct trace traces[2];
	int trace_count;
};

/**
 * explain_filter() - find a filter by its name
 * @explain: state of the verb
 * @name: name of the filter
 *
 * Return: the filter; or NULL if no filter of addresses has this name.
 */
const struct explained *explain_filter(const struct explain *explain,
				       const __u8 *name);

/**
 * trace_make() - follow a packet through the rules
 * @explain: state of the verb, with all filters and rules
 * @match: KCUCKOO_MATCH_SRC for a packet from the address, KCUCKOO_MATCH_DST for a
 *	packet to the address
 * @trace: out: the rules and their effects; the caller calls trace_free() even after an
 *	error
 *
 * Return: 0, or -1 after an error message.
 */
int trace_make(const struct explain *explain, int match, struct trace *trace);

/**
 * trace_free() - free the memory of a trace
 * @trace: the trace
 */
void trace_free(struct trace *trace);

/**
 * trace_is_active() - find out whether a rule drops, counts or marks the packet
 * @traced: the rule, with its effect
 *
 * Return: true if the effect of the rule is to drop, count or mark the packet.
 */
bool trace_is_active(const struct traced *traced);

/**
 * trace_lower_drop() - iterate over the earlier stages that drop some packets of a stage
 * @explain: state of the verb
 * @trace: the trace
 * @stage: a stage of @trace
 * @after: the stage that the last call returned; or NULL for the first call
 *
 * Packets can arrive at several lower devices, such as the ports of a bridge. If a rule
 * drops the packet at one lower device, a packet that arrives at another lower device can
 * still reach @stage.
 *
 * Return: the next stage that drops the packet at a lower device; or NULL.
 */
const struct stage *trace_lower_drop(const struct explain *explain,
				     const struct trace *trace,
				     const struct stage *stage,
				     const struct stage *after);

/**
 * explanation_print() - print the result of the verb, as text or as JSON
 * @explain: state of the verb
 *
 * Return: 0, or -1 after an error message.
 */
int explanation_print(const struct explain *explain);

#endif /* KCUCKOO_CLI_EXPLAIN_H */
