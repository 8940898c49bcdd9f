/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The verb explain finds which filters cover an address, what rules do with its
 * packets, and which lists name it. explain.c reads the filters and rules,
 * trace.c follows a packet through the rules, origin.c searches the lists, and
 * explanation.c prints.
 */
#ifndef KCUCKOO_CLI_EXPLAIN_H
#define KCUCKOO_CLI_EXPLAIN_H

#include "cli.h"
#include "cmd/origin.h"
#include "keys/cover.h"

/**
 * struct explained - a filter of addresses
 * @info: its state and its name
 * @present: a look-up of the address finds it, as for a packet
 * @value: the value that the look-up found
 * @cover: the members that cover the address
 * @managed: a configuration made the filter
 * @other_users: number of users of its name that are no rules of this command:
 *	rules of iptables, BPF programs, and modules
 * @origins: entries of lists that cover the address
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

/* What a rule does with a packet. */
enum effect {
	EFFECT_DROP,
	EFFECT_COUNT,
	EFFECT_MARK,
	EFFECT_ABSENT,		/* its filter does not cover the address */
	EFFECT_ALLOWED,		/* its allow filter covers the address */
	EFFECT_WAITS,		/* its filter does not exist */
	EFFECT_WAITS_ALLOW,	/* its allow filter does not exist */
	EFFECT_WAITS_DEV,	/* its device does not exist */
	EFFECT_DEAD,		/* it refers to a slot of another namespace */
	EFFECT_NO_ETHERNET,	/* packets of its device have no Ethernet header */
	EFFECT_UNREACHED,	/* another rule drops the packet before */
};

/**
 * struct traced - a rule that looks up the address
 * @rule: the rule
 * @effect: what it does
 * @mark: the mark for EFFECT_MARK
 */
struct traced {
	const struct kcuckoo_rule *rule;
	enum effect effect;
	__u32 mark;
};

/* What happens to a packet at a hook. */
enum verdict {
	VERDICT_PASS,
	VERDICT_DROP,
	VERDICT_UNREACHED,	/* it is dropped at an earlier hook */
};

/**
 * struct stage - the rules of a hook, and for hooks xdp and ingress of a device
 * @hook: enum kcuckoo_hook, or HOOK_XDP
 * @dev: name of the device, or empty
 * @first: index of the first of its rules among those of the trace
 * @count: number of its rules
 * @verdict: enum verdict
 * @by: the rule that drops the packet, here or at an earlier hook; or NULL
 * @marked: the packet gets a mark
 * @mark: this mark
 * @others: number of active rules here that look up the other address of the
 *	packet
 */
struct stage {
	int hook;
	const char *dev;
	int first;
	int count;
	enum verdict verdict;
	const struct kcuckoo_rule *by;
	bool marked;
	__u32 mark;
	int others;
};

/**
 * struct trace - the way of a packet from or to the address through the rules
 * @match: enum kcuckoo_match: the packet has the address as its source, or as its
 *	destination
 * @rules: the rules that look up the address, in the order in which a packet
 *	meets them
 * @rule_count: number of these rules
 * @stages: the hooks that have rules, in the same order
 * @stage_count: number of these hooks
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
 * @address: the address, a full one
 * @text: the address as text
 * @local: it is an address of this host
 * @dev: the device at which packets arrive, or NULL for any device
 * @matches: a bit for each enum kcuckoo_match that is explained
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
	unsigned int matches;
	struct explained *filters;
	int filter_count;
	struct kcuckoo_rule *rules;
	int rule_count;
	struct trace traces[2];
	int trace_count;
};

/* Return: the filter of this name, or NULL. */
const struct explained *explain_filter(const struct explain *explain,
				       const __u8 *name);

/*
 * trace.c: follow a packet. Return: 0, or -1 after an error message. The caller
 * ends with trace_free() in any case.
 */
int trace_make(const struct explain *explain, int match, struct trace *trace);
void trace_free(struct trace *trace);

/* Return: true if a rule of a trace does something with packets. */
bool trace_is_active(const struct traced *traced);

/* explanation.c: print all. Return: 0, or -1 after an error message. */
int explanation_print(const struct explain *explain);

#endif /* KCUCKOO_CLI_EXPLAIN_H */
