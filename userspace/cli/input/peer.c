// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions read lists for peer-to-peer programs. If the layout of a text was recognized,
 * reader_list_line() reads its lines. If the user named the layout, a line of another form is
 * bad.
 */
#define _GNU_SOURCE
#include <string.h>

#include "input/field.h"
#include "input/peer.h"
#include "input/reader.h"

static bool is_blank_or_comment(const char *text, size_t length)
{
	const char *end = text + length, *at = skip_blanks(text, end);

	return at == end || *at == ';' || is_comment(at, end);
}

/*
 * Return: true if the number in @field can be a level, see columns_check_level(): a number of up
 * to three digits that is at most 255.
 */
static bool can_be_level(const struct field *field)
{
	size_t digits = field->end - field->at;

	return digits < 3 || (digits == 3 && memcmp(field->at, "255", 3) <= 0);
}

/*
 * Return: true if the level in @field is between two commas, and a name follows. A level from 127
 * on must also have blanks around it, which programs for ipfilter.dat write. Without blanks, the
 * number can be the number of an autonomous system.
 */
static bool has_name(const struct field *field, const char *end)
{
	const char *comma = memchr(field->next, ',', end - field->next);
	const char *before = field->start;

	while (is_blank(before[-1]))
		before--;
	if (before[-1] != ',' || !comma || skip_blanks(comma + 1, end) == end)
		return false;
	return field->end - field->at < 3 || memcmp(field->at, "127", 3) < 0 ||
	       (before < field->start && is_blank(*field->next));
}

/*
 * Return: true if the line is an IPv4 range with a number in the next column. With @certain, the
 * number must be a level, and a name must follow, see has_name().
 */
static bool is_ipfilter(const char *text, size_t length, bool certain)
{
	static const struct syntax plain;
	struct field field;
	struct line line;

	line_parse_start(text, length, &plain, &line);
	return line.kind == LINE_RANGE && line.key.family == KCUCKOO_FAMILY_IPV4 &&
	       field_next(line.rest, text + length, &field) &&
	       field.columns == 1 && field_is_number(&field) &&
	       (!certain || (can_be_level(&field) && has_name(&field, text + length)));
}

bool ipfilter_recognize(const char *text, size_t length)
{
	struct layout_scan scan = layout_scan(text, length);
	int lines = 0;

	for (; layout_next_line(&scan); lines++)
		if (!is_ipfilter(scan.text, scan.length, true))
			return false;
	return lines;
}

int ipfilter_line(struct reader *reader, const char *text, size_t length)
{
	if (!reader->named || is_blank_or_comment(text, length) ||
	    is_ipfilter(text, length, false))
		return reader_list_line(reader, text, length);
	reader->input->lines++;
	reader_bad(reader, "the line is not FIRST - LAST , LEVEL , NAME", text, length);
	return 0;
}

/* Parse a line NAME:FIRST-LAST with an IPv4 range. */
static void parse_p2p(const char *text, size_t length, const struct syntax *syntax,
		      struct line *line)
{
	static const struct syntax plain;
	const char *end = text + length, *colon;

	while (end > text && is_blank(end[-1]))
		end--;
	colon = memrchr(text, ':', end - text);
	line_parse_start(colon ? colon + 1 : end, colon ? end - colon - 1 : 0,
			 &plain, line);
	if (!colon || skip_blanks(text, colon) == colon ||
	    line->kind != LINE_RANGE || line->rest != end ||
	    line->key.family != KCUCKOO_FAMILY_IPV4)
		line_bad(line, "the line is not NAME:FIRST-LAST with an IPv4 range");
	else
		line_check_name(line, skip_blanks(text, colon), colon, syntax);
}

bool p2p_recognize(const char *text, size_t length)
{
	struct layout_scan scan = layout_scan(text, length);
	int lines = 0;

	for (; layout_next_line(&scan); lines++)
		if (!line_is_p2p(scan.text, scan.length))
			return false;
	return lines;
}

int p2p_line(struct reader *reader, const char *text, size_t length)
{
	struct line line;

	if (!reader->named || is_blank_or_comment(text, length))
		return reader_list_line(reader, text, length);
	reader->input->lines++;
	parse_p2p(text, length, &reader->syntax, &line);
	if (line.kind != LINE_BAD)
		line_check_needed(&line, &reader->syntax);
	if (line.kind == LINE_RANGE && reader->syntax.no_ranges)
		line_bad(&line, reader->syntax.no_ranges);
	return reader_take(reader, &line);
}
