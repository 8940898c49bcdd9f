/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: rules of hook xdp, each an XDP program on a network device
 */
#ifndef KCUCKOO_CLI_XDP_H
#define KCUCKOO_CLI_XDP_H

#include "cli.h"

/* Value of the keyword "xdp", which is no hook of the module. */
#define HOOK_XDP	254

/*
 * A flag of rules, only in the command: the program has no slot of this
 * namespace.
 */
#define RULE_DEAD	0x80000000

/* Likewise: the program is in the driver of its device. */
#define RULE_NATIVE	0x40000000

/* Likewise: packets of the device have no Ethernet header at present. */
#define RULE_NO_ETHERNET	0x20000000

/* Modes of XDP programs. */
enum xdp_mode {
	XDP_MODE_ANY,		/* native if the driver supports it */
	XDP_MODE_NATIVE,	/* in its driver */
	XDP_MODE_GENERIC,	/* after the driver */
};

/*
 * Lock out other commands that attach or detach rules of hook xdp, until
 * xdp_unlock() or until the next call of this interface returns. Return: 0, or
 * -1 after an error message.
 */
int xdp_lock(struct cli *cli);
void xdp_unlock(struct cli *cli);

/*
 * Attach @rule to the device that it names. Return: 0, or -1 after an error
 * message.
 */
int xdp_attach(struct cli *cli, const struct kcuckoo_rule *rule,
	       enum xdp_mode mode);

/*
 * Detach the rules of @name, or of any filter if NULL, that match @pattern. If
 * this names the hook, also release slots of programs that were removed by
 * other means. The number of removed rules is added to @removed, even after an
 * error. Return: 0, or -1 after an error message.
 */
int xdp_detach(struct cli *cli, const char *name,
	       const struct kcuckoo_ioc_detach *pattern, int *removed);

/*
 * Append the rules of hook xdp to @rules, which has @count rules from
 * kcuckoo_rules(). With @report, warn about rules that cannot be read. Return:
 * the new number of rules.
 */
int xdp_rules(struct cli *cli, struct kcuckoo_rule **rules, int count,
	      bool report);

#endif /* KCUCKOO_CLI_XDP_H */
