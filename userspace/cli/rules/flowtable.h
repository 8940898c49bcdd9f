/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions find flowtables of nf_tables. The packets that a flowtable forwards
 * bypass the rules of most hooks.
 */
#ifndef KCUCKOO_CLI_FLOWTABLE_H
#define KCUCKOO_CLI_FLOWTABLE_H

#include <net/if.h>

#include "cli.h"

/* Size of a buffer for the escaped name of a table or flowtable, in bytes. */
#define FLOWTABLE_NAME	160

/* Maximum number of devices of flowtables that are recorded. */
#define FLOWTABLE_DEVICES	64

/**
 * struct flowtables - the flowtables of a namespace
 * @count: number of flowtables
 * @offloaded: number of flowtables that are offloaded to the hardware of devices
 * @name: name and table of the first offloaded flowtable; or of the first flowtable if
 *	none is offloaded
 * @devices: names of the devices of all flowtables
 * @device_count: number of elements of @devices that are set, at most FLOWTABLE_DEVICES
 */
struct flowtables {
	int count;
	int offloaded;
	char name[3 * FLOWTABLE_NAME];
	char devices[FLOWTABLE_DEVICES][IF_NAMESIZE];
	int device_count;
};

/*
 * Read the flowtables of the network namespace to @found. If nf_tables is not loaded,
 * @found has no flowtables. After an error, flowtables can be missing in @found.
 */
void flowtables_read(struct flowtables *found);

/* Return: true if packets that this host forwards traverse the hook of a rule. */
bool flowtables_concern(const struct kcuckoo_rule *rule);

/*
 * Return: true if packets traverse the hook of @rule before a flowtable in software
 * forwards them. (Packets that a flowtable in hardware forwards traverse no hook.) Only
 * hooks ingress and xdp precede flowtables. But if the device of @rule is a VLAN, bridge,
 * PPP or IP tunnel device, a flowtable can forward the packets at the lower device. For
 * such a device, return true only if @found has no flowtable, if @devices of @found has
 * the device, or if @devices is full and so can lack the device.
 */
bool rule_precedes_flowtables(const struct flowtables *found,
			      const struct kcuckoo_rule *rule);

/* Return: true if a flowtable in software can forward packets past the hook of @rule. */
bool flowtables_bypass_rule(const struct flowtables *found,
			    const struct kcuckoo_rule *rule);

/*
 * Warn if packets that a flowtable forwards bypass at least one of the @count rules in
 * @rules.
 */
void flowtable_warn(const struct kcuckoo_rule *rules, int count);

#endif /* KCUCKOO_CLI_FLOWTABLE_H */
