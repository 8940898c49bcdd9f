// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions classify names, which are the titles of columns in CSV and the keys of
 * objects in JSON.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "input/field.h"
#include "input/name.h"

/* Size in bytes of a buffer for a name or word; a longer one is cut off. */
#define NAME_TEXT	64

/* A word in the form that normalise() writes, with its meanings as bits NAME_*. */
struct word {
	const char *text;
	unsigned int kinds;
};

/* These names are for keys, but a name that only contains one of them is not. */
static const char * const key_names[] = {
	"ip", "ipv4", "ipv6", "address", "ipaddress", "ipaddr", "ipv4address", "ipv6address",
	"srcip", "sourceip", "sourceaddress", "remoteip", "clientip", "attackerip", "dstip",
	"cidr", "network", "prefix", "subnet", "ipprefix", "range", "iprange", NULL,
};

static const char * const host_names[] = {
	"host", "ioc", "iocvalue", "indicator", "indicatorvalue", NULL,
};

static const char * const loose_host_names[] = {
	"source", "src", "destination", "dst", "attacker", "victim", "target", "client", "server",
	NULL,
};

/* A name is for an address if this is its last word, as in "attacker_ip" ... */
static const char * const host_ends[] = { "ip", "ipv4", "ipv6", "address", "addr", NULL };

/* ... and its other words are not these: addresses of other kinds, and prose. */
static const char * const no_host_words[] = {
	"mac", "email", "mail", "street", "postal", "web", "hw", "hardware", "physical", "geo",
	"the", "a", "an", "your", "each", "per", "one", "by", "of", "this", "any", "every", "with",
	"and", "from", "to", "in", "for", "is", "has", NULL,
};

/* These words are names alone, or together with words of @address_words. */
static const struct word words[] = {
	{ "cidrlen", NAME_SIZE }, { "cidrlength", NAME_SIZE }, { "cidrbits", NAME_SIZE },
	{ "cidrsuffix", NAME_SIZE }, { "plen", NAME_SIZE }, { "pfxlen", NAME_SIZE },
	{ "suffix", NAME_SIZE | NAME_LOOSE }, { "prefixbits", NAME_SIZE },
	{ "prefixsize", NAME_SIZE }, { "netbits", NAME_SIZE }, { "netlen", NAME_SIZE },
	{ "netlength", NAME_SIZE }, { "netsize", NAME_SIZE }, { "networkbits", NAME_SIZE },
	{ "networklen", NAME_SIZE }, { "networklength", NAME_SIZE },
	{ "networksize", NAME_SIZE }, { "subnetbits", NAME_SIZE }, { "subnetlen", NAME_SIZE },
	{ "subnetlength", NAME_SIZE }, { "subnetsize", NAME_SIZE },

	{ "cidr", NAME_SIZE | NAME_NETWORK }, { "cidrprefix", NAME_SIZE | NAME_NETWORK },
	{ "networkprefix", NAME_SIZE | NAME_NETWORK },
	{ "subnetprefix", NAME_SIZE | NAME_NETWORK },
	{ "prefix", NAME_SIZE | NAME_NETWORK | NAME_LOOSE },
	{ "subnet", NAME_SIZE | NAME_NETWORK | NAME_LOOSE },

	/* Loose: packets also have a length, keys of TLS have bits, host names have wildcards. */
	{ "bits", NAME_SIZE | NAME_LOOSE }, { "len", NAME_SIZE | NAME_LOOSE },
	{ "length", NAME_SIZE | NAME_LOOSE }, { "slash", NAME_SIZE | NAME_LOOSE },
	{ "wildcard", NAME_SIZE | NAME_LOOSE },
	{ "size", NAME_SIZE | NAME_LOOSE | NAME_COUNT },
	{ "count", NAME_COUNT | NAME_LOOSE }, { "total", NAME_COUNT | NAME_LOOSE },
	{ "quantity", NAME_COUNT | NAME_LOOSE },

	{ "end", NAME_END }, { "last", NAME_END }, { "stop", NAME_END }, { "final", NAME_END },
	{ "upper", NAME_END },
	{ "to", NAME_TO | NAME_LOOSE }, { "until", NAME_TO | NAME_LOOSE },
	{ "high", NAME_TO | NAME_LOOSE }, { "max", NAME_TO | NAME_LOOSE },
	{ "broadcast", NAME_TO | NAME_LOOSE },

	{ "start", NAME_START }, { "first", NAME_START }, { "begin", NAME_START },
	{ "from", NAME_START }, { "low", NAME_START }, { "lower", NAME_START },
	{ "min", NAME_START },
};

/* strip_address() removes the first word that fits, so "inet" precedes "net". */
static const char * const address_words[] = {
	"ipv4", "ipv6", "ip", "v4", "v6", "address", "addr", "range", "network", "subnet",
	"inet", "net", "block", NULL,
};

/* A name with one of these words is for numbers that are no prefix lengths. */
static const char * const number_words[] = {
	"port", "ports", "dstport", "srcport", "destport", "dport", "sport", "count", "counts",
	"score", "scores", "hit", "hits",
	"as", "asn", "asnum", "id", "index", "row", "line", "rank", "level", "confidence",
	"reputation", "risk", "threat", "severity", "priority", "weight", "votes", "attack",
	"attacks", "report", "reports", "event", "events", "attempt", "attempts", "request",
	"requests", "packet", "packets", "bytes", "flows", "sessions", "connections", "failures",
	"detections", "targets", "users", "sources", "lists", "seen", "times", "occurrences",
	"frequency", "freq", "percent", "percentage", "year", "years", "month", "months", "day",
	"days", "date", "hour", "hours", "minutes", "seconds", "time", "timestamp", "age",
	"duration", "ttl", "timeout", "code", "category", "categories", "cat", "type", "protocol",
	"proto", "version", "flags", "value", "zip", "postal", "latitude", "longitude", NULL,
};

/* These names are for counts of addresses, also with a word of @count_words. */
static const char * const count_names[] = {
	"ips", "addresses", "addrs", "hosts", "ipaddresses", "ipaddrs", "ipv4s", "ipv6s",
	"ipv4addresses", "ipv6addresses", NULL,
};

/* These names are for counts of addresses only with a word of @count_words. */
static const char * const counted_names[] = {
	"ip", "address", "addr", "host", "ipaddress", "ipaddr", "ipv4", "ipv6", NULL,
};

/* These words at the beginning or end of a name are for counts; "number" only at the beginning. */
static const char * const count_words[] = {
	"numberof", "countof", "noof", "number", "numof", "num", "nr", "total", "count", "usable",
	NULL,
};

/* These names, together with "mask", are for masks of addresses, as in "subnet_mask". */
static const char * const mask_parts[] = {
	"", "net", "subnet", "sub", "ip", "ipv4", "ipv6", "network", "address", "addr", "cidr",
	"prefix", "inet", "range", "block", "wildcard", "ipsubnet", "ipnet", "bits", "len",
	"length", "size", "netbits", "netlen", "netlength", "subnetbits", "subnetlen",
	"subnetlength", "cidrnet", "netcidr", "iplen", "ipbits", NULL,
};

/* These names, also after "is", "on" and "in", are for flags. */
static const char * const flag_names[] = {
	"allow", "allowed", "allowlist", "allowlisted", "permit", "permitted", "accept",
	"accepted", "whitelist", "whitelisted", "safelist", "safelisted", "exclude",
	"excluded", "except", "exception", "exempt", "exempted", "trusted", "nomatch",
	"falsepositive", "ignore", "ignored", "benign", "harmless", "riot", "negated", NULL,
};

static const char * const action_names[] = {
	"action", "ruleaction", "type", "mode", "list", "policy", "decision", "verdict", "access",
	"disposition", NULL,
};

/* These names, also after "is", are for flags of entries that are not in force. */
static const char * const off_names[] = {
	"simulated", "disabled", "inactive", "expired", "revoked", "deactivated", NULL,
};

/* These names, also after "is", are for flags of entries that are in force. */
static const char * const on_names[] = {
	"enabled", "active", "malicious", "listed", "blacklisted", "blocklisted", "banned", NULL,
};

/* These are, too, but without "is" they can be for numbers of packets. */
static const char * const loose_on_names[] = {
	"block", "blocked", "drop", "dropped", "deny", "denied", "ban", NULL,
};

/* A name is for exceptions if one of its words begins with one of these. */
static const char * const exception_starts[] = {
	"allow", "permit", "accept", "whitelist", "safelist", "exclud", "exclusion", "except",
	"exempt", "trusted", "nomatch", "ignore", "bypass", "dunno", "unban", "unblock",
	"unlist", "delist", "removed", "deleted", "benign", "harmless", NULL,
};

/* These words invert the other words of a name, as in "not_allowed". */
static const char * const inverting_words[] = { "not", "no", "non", "never", NULL };

/* These words before one of @block_words forbid to block an address, as in "do_not_block". */
static const char * const forbidding_words[] = { "never", "not", "nt", "no", "non", NULL };

/* Not "blocked": what was not blocked until now may be blocked. */
static const char * const block_words[] = {
	"block", "ban", "drop", "deny", "reject", "blacklist", "blocklist", "denylist",
	"malicious", NULL,
};

static bool is_letter_or_digit(char c)
{
	return !(c & 0x80) && isalnum((unsigned char)c);
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? c | 0x20 : c;
}

/*
 * Copy the ASCII letters and digits from @at to @end to @text, in lower case. Without @whole, also
 * copy bytes outside ASCII, so that a longer word with such letters does not become a known name,
 * and stop at the first bracket after a copied byte, where a remark begins. Return: false if
 * @text is full: the rest, if any, is cut off.
 */
static bool normalise(const char *at, const char *end, bool whole, char text[NAME_TEXT])
{
	size_t used = 0;

	for (; at < end && used < NAME_TEXT - 1; at++) {
		if (!whole && used && (*at == '(' || *at == '['))
			break;
		if (is_letter_or_digit(*at) || (!whole && *at & 0x80))
			text[used++] = lower(*at);
	}
	text[used] = 0;
	return used < NAME_TEXT - 1;
}

static bool is_ignored(char c)
{
	return c == '-' || c == '_' || is_blank(c);
}

bool name_equals(const char *at, size_t length, const char *other, size_t size)
{
	const char *end = at + length, *stop = other + size;

	for (;;) {
		while (at < end && is_ignored(*at))
			at++;
		while (other < stop && is_ignored(*other))
			other++;
		if (at == end || other == stop)
			return at == end && other == stop;
		if (strncasecmp(at++, other++, 1))
			return false;
	}
}

static bool is_in(const char *text, const char * const *list)
{
	for (; *list; list++)
		if (!strcmp(text, *list))
			return true;
	return false;
}

/*
 * Return: true if a word begins at @at: after a character such as '_', or at a capital letter as
 * in "allowList" and "IPAllowList".
 */
static bool is_word_start(const char *name, const char *at, const char *end)
{
	if (at == name || !is_letter_or_digit(at[-1]))
		return true;
	return isupper((unsigned char)*at) &&
	       (!isupper((unsigned char)at[-1]) ||
		(at + 1 < end && islower((unsigned char)at[1])));
}

/*
 * Write the first word at or after @at to @word, in lower case. @name: start of the name.
 * Return: the end of the word, or NULL if no word follows.
 */
static const char *next_word(const char *name, const char *at, const char *end,
			     char word[NAME_TEXT])
{
	const char *start;

	while (at < end && !is_letter_or_digit(*at))
		at++;
	if (at == end)
		return NULL;
	start = at++;
	while (at < end && is_letter_or_digit(*at) && !is_word_start(name, at, end))
		at++;
	normalise(start, at, true, word);
	return at;
}

static bool begins_exception(const char *word)
{
	const char * const *start;

	for (start = exception_starts; *start; start++)
		if (!strncmp(word, *start, strlen(*start)))
			return true;
	return false;
}

/* Return: true if the letters of the name contain a word such as "allowlist". */
static bool has_list_word(const char *at, const char *end)
{
	char text[NAME_TEXT];

	normalise(at, end, true, text);
	return strstr(text, "allowlist") || strstr(text, "whitelist") ||
	       strstr(text, "safelist") || strstr(text, "trustlist");
}

static bool is_inverted(const char *name, const char *end)
{
	const char *at = name;
	char word[NAME_TEXT];

	while ((at = next_word(name, at, end, word)))
		if (is_in(word, inverting_words))
			return true;
	return false;
}

static bool is_exception(const char *name, const char *end)
{
	const char *at = name;
	char word[NAME_TEXT];

	if (is_inverted(name, end))
		return false;
	while ((at = next_word(name, at, end, word)))
		if (begins_exception(word))
			return true;
	return has_list_word(name, end);
}

bool name_is_list(const char *at, size_t length)
{
	const char *end = at + length, *sign;

	/* Return early for most words: these end with "list", or go on after it. */
	if (length < 8 || length >= NAME_TEXT || memchr(at, '.', length) || memchr(at, ' ', length))
		return false;
	for (sign = at; end - sign >= 4; sign++)
		if ((*sign | 0x20) == 'l' && !strncasecmp(sign, "list", 4))
			return has_list_word(at, end) && !is_inverted(at, end);
	return false;
}

/*
 * Remove a word of @address_words at the end or beginning of @text, unless it is all of @text. The
 * text can end or begin with a part of another word: "address" becomes "ess". Return: false if
 * nothing was removed.
 */
static bool strip_address(char text[NAME_TEXT])
{
	const char * const *part;
	size_t length, rest;

	for (part = address_words; *part; part++) {
		length = strlen(*part);
		if (strlen(text) <= length)
			continue;
		rest = strlen(text) - length;
		if (!strcmp(text + rest, *part)) {
			text[rest] = 0;
			return true;
		}
		if (!strncmp(text, *part, length)) {
			memmove(text, text + length, rest + 1);
			return true;
		}
	}
	return false;
}

/* Return: true if a normalised text is a word such as "donotblock". */
static bool is_forbidding(const char *text)
{
	const char * const *word;
	size_t length;

	if (!strncmp(text, "do", 2))
		text += 2;
	for (word = forbidding_words; *word; word++) {
		length = strlen(*word);
		if (!strncmp(text, *word, length) && is_in(text + length, block_words))
			return true;
	}
	return false;
}

bool name_forbids(const char *at, size_t length)
{
	char text[NAME_TEXT];

	return normalise(at, at + length, true, text) && is_forbidding(text);
}

static bool is_address_count(const char *name)
{
	const char * const *word;
	size_t length, rest;
	char text[NAME_TEXT];

	if (is_in(name, count_names))
		return true;
	for (word = count_words; *word; word++) {
		length = strlen(*word);
		if (strlen(name) <= length)
			continue;
		rest = strlen(name) - length;
		if (!strncmp(name, *word, length) &&
		    (is_in(name + length, count_names) || is_in(name + length, counted_names)))
			return true;
		/* "ip_number" is an address as a number. */
		if (strcmp(name + rest, *word) || !strcmp(*word, "number"))
			continue;
		memcpy(text, name, rest);
		text[rest] = 0;
		if (is_in(text, count_names) || is_in(text, counted_names))
			return true;
	}
	return false;
}

/*
 * Return: true if a name of two or three words is for an address, as in "attacker_ip". A longer
 * one is more often prose.
 */
static bool is_host(const char *name, const char *end)
{
	const char *at = name;
	char word[NAME_TEXT];
	bool ends = false;
	int count = 0;

	while ((at = next_word(name, at, end, word))) {
		if (is_in(word, no_host_words))
			return false;
		ends = is_in(word, host_ends);
		count++;
	}
	return ends && (count == 2 || count == 3);
}

static bool is_number(const char *name, const char *end)
{
	const char *at = name;
	char word[NAME_TEXT];

	while ((at = next_word(name, at, end, word)))
		if (is_in(word, number_words))
			return true;
	return false;
}

/* Return: the bits for masks, prefix lengths, counts and ends of ranges of a normalised name. */
static unsigned int bound_kinds(const char *name)
{
	unsigned int kinds;
	const char *mask;
	char text[NAME_TEXT];
	bool alone = true;
	size_t i;

	/* The "max prefix length" of a route is not that of the key. */
	if (strstr(name, "prefixlen"))
		return strncmp(name, "max", 3) ? NAME_SIZE : NAME_SIZE | NAME_LOOSE;
	mask = strstr(name, "mask");
	if (mask && !strstr(name, "masked")) {
		snprintf(text, sizeof(text), "%.*s%s", (int)(mask - name), name, mask + 4);
		return is_in(text, mask_parts) ? NAME_SIZE : NAME_SIZE | NAME_LOOSE;
	}
	if (is_address_count(name))
		return NAME_COUNT;
	strcpy(text, name);
	do {
		for (i = 0; i < sizeof(words) / sizeof(*words); i++) {
			kinds = words[i].kinds;
			if (strcmp(text, words[i].text))
				continue;
			/* Loose: "end" can be for a time, and "ip_cidr" is often a network. */
			if (alone ? kinds & NAME_END : kinds & NAME_NETWORK)
				kinds |= NAME_LOOSE;
			/* Not loose: "block_size" is not for a file, as "size" can be. */
			if (!alone && kinds & NAME_COUNT)
				kinds &= ~NAME_LOOSE;
			return kinds;
		}
		alone = false;
	} while (strip_address(text));
	return 0;
}

unsigned int name_kinds(const char *at, size_t length)
{
	const char *end = at + length;
	char text[NAME_TEXT], *flag;
	unsigned int kinds = 0;

	if (is_exception(at, end))
		kinds |= NAME_EXCEPTION;
	if (!normalise(at, end, false, text))
		return kinds;
	if (is_in(text, key_names))
		kinds |= NAME_KEY;
	flag = text + 2 * !strncmp(text, "is", 2);
	if (is_in(flag, flag_names) || is_forbidding(flag) ||
	    ((!strncmp(flag, "on", 2) || !strncmp(flag, "in", 2)) && is_in(flag + 2, flag_names)))
		kinds |= NAME_FLAG;
	if (is_in(flag, off_names))
		kinds |= NAME_OFF;
	if (is_in(flag, on_names))
		kinds |= NAME_ON;
	if (is_in(flag, loose_on_names))
		kinds |= flag > text ? NAME_ON : NAME_ON | NAME_LOOSE;
	if (is_in(text, action_names))
		kinds |= NAME_ACTION;
	if (!strcmp(text, "toids"))
		kinds |= NAME_IDS;
	kinds |= bound_kinds(text);
	if (kinds)
		return kinds;
	if (is_in(text, loose_host_names))
		return NAME_HOST | NAME_LOOSE;
	if (is_in(text, host_names) || is_host(at, end))
		return NAME_HOST;
	if (is_number(at, end))
		return NAME_NUMBER;
	return strncmp(text, "cidr", 4) && strncmp(text, "prefix", 6) ? 0 : NAME_UNSURE;
}

/* Return: true if a value is in @list, which ends with NULL, without regard to case. */
static bool is_value(const char *text, size_t length, const char * const *list)
{
	for (; *list; list++)
		if (strlen(*list) == length && !strncasecmp(text, *list, length))
			return true;
	return false;
}

bool name_value_is_yes(const char *text, size_t length)
{
	static const char * const yes[] = {
		"true", "yes", "1", "1.0", "t", "y", "on", "x", NULL,
	};

	return is_value(text, length, yes);
}

bool name_value_is_no(const char *text, size_t length)
{
	static const char * const no[] = {
		"false", "no", "0", "0.0", "", "f", "n", "off", "-", "none", "null", NULL,
	};

	return is_value(text, length, no);
}

bool name_value_is_empty(const char *text, size_t length)
{
	static const char * const empty[] = { "", "-", "none", "null", "\\N", NULL };

	return is_value(text, length, empty);
}

bool name_value_allows(const char *text, size_t length)
{
	static const char * const words_first[] = { "allow", "permit", "accept", NULL };
	const char *end = text + length;
	char word[NAME_TEXT];

	/* A text of several words can be a sentence. */
	if (!memchr(text, ' ', length))
		return is_exception(text, end);
	if (is_inverted(text, end))
		return false;
	return has_list_word(text, end) ||
	       (next_word(text, text, end, word) && is_in(word, words_first));
}
