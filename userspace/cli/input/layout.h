/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A text is a list or one file of an archive. A layout is the syntax of a text, such as CSV.
 * This header declares the table of all layouts, and functions that recognize the layout of a
 * text by its first bytes.
 */
#ifndef KCUCKOO_CLI_LAYOUT_H
#define KCUCKOO_CLI_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

/* Layouts of texts. layout_keywords (keywords.h) has the name of each layout. */
enum layout {
	LAYOUT_LIST,		/* a key or range, then other columns */
	LAYOUT_HOSTPORT,	/* a key, an optional port, then other columns */
	LAYOUT_ROW,		/* any number of keys and ranges between other columns */
	LAYOUT_CSV,		/* a table, with the keys in any column */
	LAYOUT_DSHIELD,		/* the block list of DShield */
	LAYOUT_IPFILTER,	/* ipfilter.dat of eMule and other programs */
	LAYOUT_P2P,		/* NAME:FIRST-LAST, for peer-to-peer programs */
	LAYOUT_HOSTS,		/* a hosts file, whose names are byte strings */
	LAYOUT_IPSET,		/* output of ipset save */
	LAYOUT_JSON,		/* JSON: addresses under certain JSON keys */
	LAYOUT_MMDB,		/* a database of countries or autonomous systems */
	LAYOUTS,		/* number of layouts */
};

/*
 * layout_recognize() needs this number of bytes from the start of a text, or the whole
 * text if the text is shorter.
 */
#define LAYOUT_MAGIC	4096

struct reader;

/*
 * Function that parses a line, the @length bytes at @text, and passes the keys in the
 * line to the sink of @reader (input_sink, input.h). Return: 0; -1 after an error message;
 * or -1 if the sink returned -1.
 */
typedef int (*line_reader)(struct reader *reader, const char *text,
			   size_t length);

/**
 * struct layout_type - how texts of a layout are recognized and read
 * @what: description in one line
 * @options: names of the options that can follow the name of a list, as in FILE?set=NAME. The
 *	array ends with NULL. @options is NULL for no options
 * @addresses: filters of addresses can be loaded from texts of this layout
 * @bytes: filters of byte strings can be loaded from texts of this layout
 * @recognize: return true if the first @length bytes of a text show that the text has this
 *	layout; NULL for a layout that is never recognized
 * @state_size: size in bytes of the state at reader->state. The state is all zero when a text
 *	begins
 * @line: parse a line without its newline; or NULL
 * @broken: called instead of @line for a line of addresses that line_broken() rejects; or NULL
 * @end: called after the last line of a text; or NULL. Return: as @line
 * @document: read a whole text instead of single lines; or NULL. Return: as @line
 * @file: open and read the whole file @path; or NULL. Return: as @line
 */
struct layout_type {
	const char *what;
	const char * const *options;
	bool addresses;
	bool bytes;
	bool (*recognize)(const char *text, size_t length);
	size_t state_size;
	line_reader line;
	void (*broken)(struct reader *reader, const char *text, size_t length);
	int (*end)(struct reader *reader);
	int (*document)(struct reader *reader);
	int (*file)(struct reader *reader, const char *path);
};

extern const struct layout_type layout_types[LAYOUTS];

/*
 * Recognize the layout of the text that begins with the @length bytes at @text. @bytes: the keys
 * are byte strings. Return: the layout, or LAYOUT_LIST if no other layout is certain.
 */
enum layout layout_recognize(const char *text, size_t length, bool bytes);

/**
 * struct layout_scan - position in the first lines of a text, for a function @recognize
 *	of struct layout_type
 * @at: start of the next line
 * @end: end of the bytes to scan
 * @text: the current line, without blanks at its ends
 * @length: length of @text
 * @whole: the bytes to scan are the whole text. Otherwise the bytes after the last newline can
 *	be an incomplete line, and are not scanned
 */
struct layout_scan {
	const char *at;
	const char *end;
	const char *text;
	size_t length;
	bool whole;
};

/* Prepare to scan the @length bytes at @text, the first bytes of a text. */
struct layout_scan layout_scan(const char *text, size_t length);

/* Go to the next line that is neither blank nor a comment. Return: false at the end. */
bool layout_next_line(struct layout_scan *scan);

#endif /* KCUCKOO_CLI_LAYOUT_H */
