/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * decision_parse() parses a line of crowdsec-custom-bouncer.
 */
#ifndef KCUCKOO_DAEMONS_DECISION_H
#define KCUCKOO_DAEMONS_DECISION_H

#include "kcuckoo.h"

/*
 * Kinds of lines. crowdsec.c ignores a line of the kind DECISION_OTHER: the decision is not
 * a ban, is not about an address or network, is simulated, or has ended.
 */
enum decision_kind {
	DECISION_BAD,	/* the line is invalid */
	DECISION_OTHER,	/* the line needs no change of the filter */
	DECISION_ADD,	/* ban the key */
	DECISION_DEL,	/* the ban of the key has ended */
};

/**
 * struct decision - a decision of CrowdSec about an address or network
 * @key: the address or network; valid for DECISION_ADD and DECISION_DEL
 * @timeout: seconds until the ban ends, 0 for never; valid for DECISION_ADD
 * @why: text that explains what is wrong with the line; valid for DECISION_BAD
 */
struct decision {
	struct kcuckoo_prefix key;
	__u32 timeout;
	const char *why;
};

/*
 * Parse the @length bytes at @text, a line without its newline. The line is a JSON
 * object with the fields "action" ("add" or "del"), "type", "scope", "value" and
 * "duration". The field "simulated" is optional, and other fields are ignored.
 * Set @decision. Return: enum decision_kind.
 */
enum decision_kind decision_parse(const char *text, size_t length,
				  struct decision *decision);

#endif /* KCUCKOO_DAEMONS_DECISION_H */
