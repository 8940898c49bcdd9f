/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: rules of hook xdp, each a program on a network device
 */
#ifndef KCUCKOO_CLI_XDP_H
#define KCUCKOO_CLI_XDP_H

#include "cli.h"

/* Value of the word "xdp": no hook of the kernel's module. */
#define HOOK_XDP	254

/* A flag of rules, of the command alone: the program knows no filter of here. */
#define RULE_DEAD	0x80000000

/* Another one: the program is in the driver of its device. */
#define RULE_NATIVE	0x40000000

/* Another one: packets of the device have no Ethernet header, as long as it is so. */
#define RULE_NO_ETHERNET	0x20000000

/* How a program gets at packets. */
enum xdp_mode {
	XDP_MODE_ANY,		/* as the device can */
	XDP_MODE_NATIVE,	/* in its driver */
	XDP_MODE_GENERIC,	/* behind it */
};

/*
 * Keep other commands from attaching and detaching rules of hook xdp until
 * xdp_unlock(), or until the next call of this interface ends. Return: 0, or -1 after an
 * error message.
 */
int xdp_lock(struct cli *cli);
void xdp_unlock(struct cli *cli);

/*
 * Put @rule on the device that it names. Return: 0, or -1 after an error
 * message.
 */
int xdp_attach(struct cli *cli, const struct kcuckoo_rule *rule,
	       enum xdp_mode mode);

/*
 * Remove the rules of @name, or of any for NULL, that agree with @pattern; and,
 * if that names the hook, what others who removed a program left behind. How
 * many were removed is added to @removed, after an error too. Return: 0, or -1
 * after an error message.
 */
int xdp_detach(struct cli *cli, const char *name,
	       const struct kcuckoo_ioc_detach *pattern, int *removed);

/*
 * Append the rules that there are to @rules, which has @count and comes from
 * kcuckoo_rules(); those that cannot be known are warned of if @report. Return: how
 * many it has now.
 */
int xdp_rules(struct cli *cli, struct kcuckoo_rule **rules, int count,
	      bool report);

#endif /* KCUCKOO_CLI_XDP_H */
