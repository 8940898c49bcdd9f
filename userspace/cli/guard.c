// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcuckoo: warnings before a rule locks its author out
 *
 * Three kinds of addresses are looked at: those of this host, its default
 * gateways, and the peer of the SSH connection that the command was typed
 * over. Public lists do contain private networks.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guard.h"
#include "message.h"
#include "words.h"
#include "xdp.h"

enum whose {
	LOCAL	= 1,
	GATEWAY	= 2,
	PEER	= 4,
};

struct risk {
	enum whose whose;
	struct kcuckoo_prefix key;
};

/* More than any host should have; further ones are not looked at. */
#define RISKS	256

/* More warnings than that help nobody. */
#define TOLD	10

struct risks {
	int count;
	struct risk list[RISKS];
};

static const char *whose_text(enum whose whose)
{
	switch (whose) {
	case LOCAL:
		return "an address of this host";
	case GATEWAY:
		return "the default gateway";
	default:
		return "the other end of this SSH connection";
	}
}

static void risk_add(struct risks *risks, enum whose whose, int family,
		     const void *addr)
{
	struct risk *risk = &risks->list[risks->count];
	bool ipv4 = family == AF_INET;

	if (risks->count == RISKS)
		return;
	memset(risk, 0, sizeof(*risk));
	risk->whose = whose;
	risk->key.family = ipv4 ? KCUCKOO_FAMILY_IPV4 : KCUCKOO_FAMILY_IPV6;
	risk->key.plen = ipv4 ? 32 : 128;
	memcpy(risk->key.addr, addr, ipv4 ? 4 : 16);
	risks->count++;
}

static void find_local(struct risks *risks)
{
	struct ifaddrs *all, *one;

	if (getifaddrs(&all))
		return;
	for (one = all; one; one = one->ifa_next) {
		const struct sockaddr *addr = one->ifa_addr;

		if (!addr || one->ifa_flags & IFF_LOOPBACK)
			continue;
		if (addr->sa_family == AF_INET)
			risk_add(risks, LOCAL, AF_INET,
				 &((const struct sockaddr_in *)addr)->sin_addr);
		if (addr->sa_family == AF_INET6)
			risk_add(risks, LOCAL, AF_INET6,
				 &((const struct sockaddr_in6 *)addr)->sin6_addr);
	}
	freeifaddrs(all);
}

/* Lines of "Iface Destination Gateway ... Mask ...", in the host's order. */
static void find_gateways_ipv4(struct risks *risks)
{
	FILE *file = fopen("/proc/self/net/route", "re");
	unsigned int destination, gateway, mask;
	char line[256];

	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%*s %x %x %*s %*s %*s %*s %x", &destination,
			   &gateway, &mask) != 3)
			continue;
		if (!destination && !mask && gateway)
			risk_add(risks, GATEWAY, AF_INET, &gateway);
	}
	if (file)
		fclose(file);
}

/* 32 hexadecimal digits. Return: whether any is not zero. */
static bool parse_hex(const char *text, uint8_t addr[16])
{
	unsigned int byte, any = 0;
	int i;

	for (i = 0; i < 16; i++) {
		if (sscanf(text + 2 * i, "%2x", &byte) != 1)
			return false;
		addr[i] = byte;
		any |= byte;
	}
	return any;
}

/* Lines of "destination length source length gateway ...". */
static void find_gateways_ipv6(struct risks *risks)
{
	FILE *file = fopen("/proc/self/net/ipv6_route", "re");
	char line[256], gateway[33];
	unsigned int length;
	uint8_t addr[16];

	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%*32s %x %*32s %*x %32[0-9a-f]", &length,
			   gateway) != 2 || strlen(gateway) != 32)
			continue;
		if (!length && parse_hex(gateway, addr))
			risk_add(risks, GATEWAY, AF_INET6, addr);
	}
	if (file)
		fclose(file);
}

/* Return: the parent of a process, or 0. */
static pid_t parent_of(pid_t pid)
{
	char path[64], text[512], *behind;
	int parent = 0;
	size_t length;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	file = fopen(path, "re");
	if (!file)
		return 0;
	length = fread(text, 1, sizeof(text) - 1, file);
	text[length] = 0;
	fclose(file);
	/* The name before it may contain anything, brackets too. */
	behind = strrchr(text, ')');
	if (!behind || sscanf(behind, ") %*c %d", &parent) != 1)
		return 0;
	return parent;
}

/* Return: SSH_CONNECTION of a process, to be freed, or NULL. */
static char *connection_of(pid_t pid)
{
	static const char name[] = "SSH_CONNECTION=";
	char path[64], *text = NULL, *found = NULL;
	size_t room = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/environ", pid);
	file = fopen(path, "re");
	if (!file)
		return NULL;
	while (!found && getdelim(&text, &room, 0, file) > 0)
		if (!strncmp(text, name, strlen(name)))
			found = strdup(text + strlen(name));
	free(text);
	fclose(file);
	return found;
}

/* sudo takes the variable away: an ancestor still has it. */
static char *ssh_connection(void)
{
	const char *own = getenv("SSH_CONNECTION");
	char *found = own ? strdup(own) : NULL;
	pid_t pid = getppid();
	int depth;

	for (depth = 0; !found && pid > 1 && depth < 32; depth++) {
		found = connection_of(pid);
		pid = parent_of(pid);
	}
	return found;
}

/* "peer port own port"; a peer on the link may carry %interface. */
static void find_peer(struct risks *risks)
{
	char *connection = ssh_connection();
	struct kcuckoo_prefix key;

	if (!connection)
		return;
	connection[strcspn(connection, " %")] = 0;
	if (kcuckoo_prefix_parse(connection, &key, NULL) == 0)
		risk_add(risks, PEER, key.family == KCUCKOO_FAMILY_IPV4 ?
			 AF_INET : AF_INET6, key.addr);
	free(connection);
}

/*
 * Whose addresses a rule could cut off. One that waits for the filter of what it allows
 * matches nothing; when that comes, the rule waits no longer and is looked at again.
 */
static int whose_at_risk(const struct kcuckoo_rule *rule)
{
	if (rule->action != KCUCKOO_ACTION_DROP ||
	    rule->flags & (RULE_DEAD | KCUCKOO_RULE_ALLOW_WAITING))
		return 0;
	switch (rule->hook) {
	case HOOK_XDP:
	case KCUCKOO_HOOK_INGRESS:
	case KCUCKOO_HOOK_PREROUTING:
	case KCUCKOO_HOOK_INPUT:
		return rule->match == KCUCKOO_MATCH_SRC ?
			LOCAL | GATEWAY | PEER : LOCAL;
	case KCUCKOO_HOOK_OUTPUT:
		return rule->match == KCUCKOO_MATCH_SRC ?
			LOCAL : GATEWAY | PEER;
	default:
		return 0;
	}
}

/* An IPv6 address, and all prefixes that cover it. */
#define COVERS	129

/*
 * All keys that cover @address: the first is itself, each further one a bit shorter.
 * Return: how many.
 */
static int covers_of(const struct kcuckoo_prefix *address,
		     struct kcuckoo_prefix keys[COVERS])
{
	int i, most = address->plen;

	for (i = 0; i <= most; i++) {
		int bit = most - i;

		keys[i] = i ? keys[i - 1] : *address;
		keys[i].plen = bit;
		if (i)
			keys[i].addr[bit / 8] &= ~(0x80 >> bit % 8);
	}
	return most + 1;
}

/* Return: whether one of @set covers @address. */
static bool has_cover(const struct keyset *set, const struct kcuckoo_prefix *address)
{
	struct kcuckoo_prefix keys[COVERS];
	int i, count = covers_of(address, keys);

	for (i = 0; i < count; i++)
		if (keyset_has(set, &keys[i]))
			return true;
	return false;
}

/* Return: whether a member covers @address; @entry: the most specific one. */
static bool find_entry(struct cli *cli, const char *name,
		       const struct kcuckoo_prefix *address,
		       const struct keyset *only, struct kcuckoo_prefix *entry)
{
	struct kcuckoo_prefix keys[COVERS];
	uint8_t results[COVERS] = { 0 };
	const struct kcuckoo_batch batch = {
		.prefixes = keys,
		.count = covers_of(address, keys),
		.results = results,
	};
	size_t i;

	if (kcuckoo_test(cli->handle, name, KCUCKOO_TEST_MEMBER, &batch, NULL))
		return false;
	for (i = 0; i < batch.count; i++) {
		if (results[i] == KCUCKOO_RESULT_PRESENT &&
		    (!only || keyset_has(only, &keys[i]))) {
			*entry = keys[i];
			return true;
		}
	}
	return false;
}

/* @exact: what covers it was added, and can be deleted. */
static void tell(const struct kcuckoo_rule *rule, const struct risk *risk,
		 const struct kcuckoo_prefix *entry, bool exact)
{
	char address[KCUCKOO_PREFIX_TEXT], member[KCUCKOO_PREFIX_TEXT];
	const char *from = rule->match == KCUCKOO_MATCH_SRC ? "from" : "to";
	const char *hook = word_of(hook_words, rule->hook);
	const char *name = (const char *)rule->name;

	kcuckoo_prefix_format(&risk->key, address);
	kcuckoo_prefix_format(entry, member);
	warn("%s in '%s' covers %s, %s", member, name, address,
	     whose_text(risk->whose));
	if (exact)
		hint(0, "hook %s drops packets %s it; 'kcuckoo del %s %s' takes that out",
		     hook, from, name, member);
	else
		hint(0, "hook %s drops packets %s it, even if nobody added that",
		     hook, from);
}

static void find_risks(struct risks *risks)
{
	risks->count = 0;
	find_peer(risks);
	find_gateways_ipv4(risks);
	find_gateways_ipv6(risks);
	find_local(risks);
}

/* Is an address in the filter of what a rule does not match? */
static bool is_allowed(struct cli *cli, const struct kcuckoo_rule *rule,
		       const struct kcuckoo_prefix *address)
{
	uint8_t result = 0;
	const struct kcuckoo_batch batch = {
		.prefixes = address,
		.count = 1,
		.results = &result,
	};

	return *rule->allow &&
	       !kcuckoo_test(cli->handle, (const char *)rule->allow, 0, &batch,
			     NULL) && result == KCUCKOO_RESULT_PRESENT;
}

/* With @added, only for these members; with @spared, only for what these covered. */
static void check(struct cli *cli, const struct kcuckoo_rule *rule,
		  const struct risks *risks, const struct keyset *added,
		  const struct keyset *spared)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	const char *name = (const char *)rule->name;
	struct kcuckoo_prefix entry;
	int i, found = 0;

	if (kcuckoo_info(cli->handle, name, &info))
		return;
	for (i = 0; i < risks->count; i++) {
		const struct risk *risk = &risks->list[i];

		if (!(whose_at_risk(rule) & risk->whose) ||
		    !(rule->family & risk->key.family) ||
		    (spared && !has_cover(spared, &risk->key)) ||
		    !find_entry(cli, name, &risk->key, added, &entry) ||
		    is_allowed(cli, rule, &risk->key))
			continue;
		if (found++ < TOLD)
			tell(rule, risk, &entry, !info.tag_bits);
	}
	if (found > TOLD)
		warn("and %d more addresses of that kind", found - TOLD);
}

void guard_rule(struct cli *cli, const struct kcuckoo_rule *rule)
{
	struct risks risks;

	if (!whose_at_risk(rule))
		return;
	find_risks(&risks);
	check(cli, rule, &risks, NULL, NULL);
}

/*
 * May a change of the filter @name, as for guard_filter(), cut off any of @risks, be its
 * rules what they may?
 */
static bool is_risky(struct cli *cli, const char *name, enum guard change,
		     const struct keyset *only, const struct risks *risks)
{
	struct kcuckoo_prefix entry;
	int i;

	/* What went from it is not known. */
	if (change & GUARD_LESS && !only)
		return risks->count;
	for (i = 0; i < risks->count; i++) {
		const struct kcuckoo_prefix *key = &risks->list[i].key;

		if (change & GUARD_MORE && find_entry(cli, name, key, only, &entry))
			return true;
		if (change & GUARD_LESS && has_cover(only, key))
			return true;
	}
	return false;
}

void guard_filter(struct cli *cli, const char *name, enum guard change,
		  const struct keyset *only)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	struct kcuckoo_rule *rules;
	struct risks risks;
	int i, count;

	/* Where it holds byte strings, rules wait. */
	if (kcuckoo_info(cli->handle, name, &info) ||
	    info.type == KCUCKOO_TYPE_BYTES)
		return;
	/* There may be thousands of devices to be asked for rules. */
	find_risks(&risks);
	if (!is_risky(cli, name, change, only, &risks))
		return;
	/*
	 * Devices that cannot be asked matter only where the filter has users. One
	 * that came back from another namespace is none, and has a rule.
	 */
	count = rules_list(cli, &rules, info.rules);
	if (count <= 0)
		return;
	for (i = 0; i < count; i++) {
		if (change & GUARD_MORE && !strcmp((const char *)rules[i].name, name))
			check(cli, &rules[i], &risks, only, NULL);
		if (change & GUARD_LESS && !strcmp((const char *)rules[i].allow, name))
			check(cli, &rules[i], &risks, NULL, only);
	}
	free(rules);
}
