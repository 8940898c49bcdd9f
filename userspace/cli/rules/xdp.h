/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions attach, detach and list rules of hook xdp. Each of these rules is an
 * XDP program on a network device.
 */
#ifndef KCUCKOO_CLI_XDP_H
#define KCUCKOO_CLI_XDP_H

#include "cli.h"

/*
 * Value of @hook of struct kcuckoo_rule for rules of hook xdp. The module does not have
 * this hook.
 */
#define HOOK_XDP	254

/*
 * Flag of a rule, only in the command: the program of the rule refers to a slot that
 * this namespace does not have, so the rule matches nothing.
 */
#define RULE_SLOT_MISSING	0x80000000

/* Flag of a rule, only in the command: the mode of the program is native. */
#define RULE_NATIVE	0x40000000

/*
 * Flag of a rule, only in the command: packets of the device currently have no Ethernet
 * header, so the rule matches nothing.
 */
#define RULE_NO_ETHERNET	0x20000000

/* Modes of XDP programs: where the kernel runs a program. */
enum xdp_mode {
	XDP_MODE_ANY,		/* native if possible, else generic */
	XDP_MODE_NATIVE,	/* in the driver of the device */
	XDP_MODE_GENERIC,	/* after the driver */
};

/* False if the command was built without hook xdp, see noxdp.c. */
extern const bool xdp_is_built;

/*
 * Wait for the lock that commands need to attach or detach rules of hook xdp, and take
 * the lock. xdp_attach() and xdp_detach() take the lock themselves. They release the
 * lock even if the caller took it before, but not if they fail before they take it. So
 * the caller of xdp_lock() also calls xdp_unlock(), which does nothing if the lock is
 * already released. Return: 0, or -1 after an error message.
 */
int xdp_lock(struct cli *cli);
void xdp_unlock(struct cli *cli);

/*
 * Attach @rule to the device @rule->dev. Return: 0, or -1 after an error
 * message.
 */
int xdp_attach(struct cli *cli, const struct kcuckoo_rule *rule,
	       enum xdp_mode mode);

/**
 * struct xdp_detached - counts of xdp_detach()
 * @rules: number of rules of hook xdp that were removed
 * @slots: number of devices that had no rule for the name of the filter, but had a slot
 *	for this name, which was released
 */
struct xdp_detached {
	int rules;
	int slots;
};

/*
 * Detach the rules of hook xdp that match @pattern and have the filter @name, or any
 * filter if @name is NULL. If @name is not NULL, and @pattern names the hook, but no
 * family and no match, also release the slot that a device of @pattern has for @name,
 * unless the rule of the device uses the slot. Such a slot can be left from a program
 * that another tool, such as ip-link(8), has removed. But another program can still use
 * the slot, so the user must name the hook. After an error on one device, continue with
 * the other devices. Add the numbers of removed rules and released slots to @detached,
 * even after an error. Return: 0, or -1 after an error message.
 */
int xdp_detach(struct cli *cli, const char *name,
	       const struct kcuckoo_ioc_detach *pattern,
	       struct xdp_detached *detached);

/*
 * Return: 1 if the device @dev has a rule of hook xdp for the filter @name; 0 if the
 * device has no such rule or does not exist; or -1 after an error message.
 */
int xdp_has_rule(const char *name, const char *dev);

/*
 * Append the rules of hook xdp to @rules, an array of @count rules from
 * kcuckoo_rules(), which this function can reallocate. With @report, warn about rules
 * that cannot be read. Return: the new number of rules.
 */
int xdp_rules(struct cli *cli, struct kcuckoo_rule **rules, int count,
	      bool report);

#endif /* KCUCKOO_CLI_XDP_H */
