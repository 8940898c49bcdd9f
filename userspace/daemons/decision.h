/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * decision_parse() parses a line of crowdsec-custom-bouncer.
 */
#ifndef KCUCKOO_DAEMONS_DECISION_H
#define KCUCKOO_DAEMONS_DECISION_H

#include "kcuckoo.h"

/* What a decision asks for. */
enum decision_kind {
	DECISION_BAD,	/* the line is not understood */
	DECISION_OTHER,	/* the decision is not for a filter of addresses */
	DECISION_ADD,	/* ban the key */
	DECISION_DEL,	/* the ban of the key has ended */
};

/**
 * struct decision - a decision
 * @key: the address or network
 * @timeout: of DECISION_ADD: seconds until the ban ends, 0 for never
 * @why: of DECISION_BAD: what is wrong with the line
 */
struct decision {
	struct kcuckoo_prefix key;
	__u32 timeout;
	const char *why;
};

/*
 * Parse the @length bytes at @text, a line without its newline. It is an object
 * in JSON with the fields "action" ("add" or "del"), "type", "scope", "value" and
 * "duration"; "simulated" may be missing, and other fields have no meaning.
 * Return: enum decision_kind.
 */
enum decision_kind decision_parse(const char *text, size_t length,
				  struct decision *decision);

#endif /* KCUCKOO_DAEMONS_DECISION_H */
