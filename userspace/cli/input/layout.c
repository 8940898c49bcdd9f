// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file has the table of all layouts, which are the formats of texts, and
 * functions that recognize the layout of a text by its first bytes.
 */
#include <string.h>

#include "input/csv.h"
#include "input/database.h"
#include "input/document.h"
#include "input/dshield.h"
#include "input/field.h"
#include "input/hosts.h"
#include "input/ipset.h"
#include "input/jsonlist.h"
#include "input/layout.h"
#include "input/peer.h"

const struct layout_type layout_types[LAYOUTS] = {
	[LAYOUT_LIST] = {
		.what = "an address, network or range at the start of a line, then other columns",
		.addresses = true,
		.bytes = true,
	},
	[LAYOUT_HOSTPORT] = {
		.what = "as list, and a port may follow an address: 192.0.2.7:80",
		.addresses = true,
	},
	[LAYOUT_ROW] = {
		.what = "any number of addresses, networks and ranges on a line",
		.addresses = true,
	},
	[LAYOUT_CSV] = {
		.what = "a table with the keys in the column that --column names",
		.options = csv_options,
		.addresses = true,
		.bytes = true,
		.state_size = sizeof(struct csv),
		.line = csv_line,
		.broken = csv_broken,
		.end = csv_end,
	},
	[LAYOUT_DSHIELD] = {
		.what = "block list of DShield: first address, last address, prefix length",
		.addresses = true,
		.recognize = dshield_recognize,
		.line = dshield_line,
	},
	[LAYOUT_IPFILTER] = {
		.what = "ipfilter.dat: FIRST - LAST , LEVEL , NAME; levels from 127 are allowed",
		.addresses = true,
		.recognize = ipfilter_recognize,
		.line = ipfilter_line,
	},
	[LAYOUT_P2P] = {
		.what = "list of peer-to-peer programs: NAME:FIRST-LAST",
		.addresses = true,
		.recognize = p2p_recognize,
		.line = p2p_line,
	},
	[LAYOUT_HOSTS] = {
		.what = "hosts file: the names with address 0.0.0.0 or 127.0.0.1 are byte strings",
		.bytes = true,
		.recognize = hosts_recognize,
		.line = hosts_line,
	},
	[LAYOUT_IPSET] = {
		.what = "output of ipset save; FILE?set=NAME chooses one of several sets",
		.options = ipset_options,
		.addresses = true,
		.recognize = ipset_recognize,
		.state_size = sizeof(struct ipset),
		.line = ipset_line,
		.end = ipset_end,
	},
	[LAYOUT_JSON] = {
		.what = "JSON or JSON lines: addresses under known keys, or a set that nft printed",
		.options = jsonlist_options,
		.addresses = true,
		.recognize = document_is_json,
		.document = jsonlist_read,
	},
	[LAYOUT_MMDB] = {
		.what = "a MaxMind DB database: networks of countries or autonomous systems",
		.options = database_options,
		.addresses = true,
		.file = database_read,
	},
};

enum layout layout_recognize(const char *text, size_t length, bool bytes)
{
	const struct layout_type *type;
	int layout;

	for (layout = LAYOUT_LIST + 1; layout < LAYOUTS; layout++) {
		type = &layout_types[layout];
		if (type->recognize && (bytes ? type->bytes : type->addresses) &&
		    type->recognize(text, length))
			return layout;
	}
	return LAYOUT_LIST;
}

struct layout_scan layout_scan(const char *text, size_t length)
{
	return (struct layout_scan){
		.at = text, .end = text + length, .whole = length < LAYOUT_MAGIC,
	};
}

bool layout_next_line(struct layout_scan *scan)
{
	const char *at, *stop;

	while (scan->at < scan->end) {
		at = scan->at;
		stop = memchr(at, '\n', scan->end - at);
		if (!stop && !scan->whole)
			return false;
		if (!stop)
			stop = scan->end;
		scan->at = stop + (stop < scan->end);
		at = skip_blanks(at, stop);
		while (stop > at && is_blank(stop[-1]))
			stop--;
		scan->text = at;
		scan->length = stop - at;
		if (at < stop && *at != ';' && !is_comment(at, stop))
			return true;
	}
	return false;
}
