// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions read the block list of DShield, a table whose columns are the
 * first address, the last address and the prefix length of a network.
 */
#include <string.h>
#include <strings.h>

#include "input/dshield.h"
#include "input/field.h"
#include "input/key.h"
#include "input/reader.h"

static bool is_heading(const char *text, size_t length)
{
	static const char * const names[] = { "start", "end", "netmask" };
	const char *end = text + length;
	struct field field;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (!field_next(text, end, &field) || !field_is(&field, names[i]))
			return false;
		text = field.next;
	}
	return true;
}

bool dshield_recognize(const char *text, size_t length)
{
	struct layout_scan scan = layout_scan(text, length);

	return layout_next_line(&scan) && is_heading(scan.text, scan.length);
}

int dshield_line(struct reader *reader, const char *text, size_t length)
{
	struct line line;

	if (is_heading(text, length)) {
		reader_skip(reader, "the line is the heading of the table");
		return 0;
	}
	line_parse(text, length, &reader->syntax, &line);
	if (line.kind == LINE_BLANK || line.kind == LINE_BAD ||
	    (line.has_second && !line.has_number))
		return reader_list_line(reader, text, length);
	/* An address without a length can be the first column of a row that is cut off. */
	if (line.kind == LINE_KEY)
		key_check_bare(&line);
	if (!reader->named && !line.bare)
		return reader_list_line(reader, text, length);
	reader->input->lines++;
	reader_bad(reader, "the line is not FIRST LAST LENGTH, as DShield writes it",
		   text, length);
	return 0;
}
