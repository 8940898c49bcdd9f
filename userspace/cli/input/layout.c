// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file has the table of all layouts, and recognizes the layout of a text.
 */
#include "input/layout.h"

const struct layout_type layout_types[LAYOUTS] = {
	[LAYOUT_LIST] = {
		.what = "one address, network or range on a line, then other columns",
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
