/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * args_parse() parses the options and operands of a verb, for main.c.
 */
#ifndef KCUCKOO_CLI_ARGS_H
#define KCUCKOO_CLI_ARGS_H

#include <getopt.h>

#include "cli.h"

/*
 * Options of verbs: bits of @options of struct verb, and of @given of struct args.
 * ARGS_APPLY and ARGS_IMPORT are only in @options: struct apply_args and struct
 * import_args have the options that were given.
 */
#define ARGS_FILE	0x001		/* -f FILE, any number of times */
#define ARGS_STRICT	0x002		/* --strict */
#define ARGS_ALL	0x004		/* --all */
#define ARGS_HEX	0x008		/* --hex */
#define ARGS_ABSENT	0x010		/* --absent */
#define ARGS_VALUE	0x020		/* --value V */
#define ARGS_OLD	0x040		/* --old V */
#define ARGS_TIMEOUT	0x080		/* --timeout T */
#define ARGS_REPLACE	0x100		/* --replace */
#define ARGS_FORMAT	0x200		/* --format F */
#define ARGS_RANGES	0x400		/* --ranges */
#define ARGS_ALLOW_EMPTY	0x800	/* --allow-empty */
#define ARGS_FORCE	0x1000		/* --force */
#define ARGS_APPLY	0x2000		/* all options APPLY_* */
#define ARGS_CONFIG	0x4000		/* --config FOLDER */
#define ARGS_CHECK	0x8000		/* --check */
#define ARGS_EXIST	0x10000		/* --exist */
#define ARGS_IF_EXISTS	0x20000		/* --if-exists */
#define ARGS_COVERED	0x40000		/* --covered */
#define ARGS_EXACT	0x80000		/* --exact */
#define ARGS_BINARY	0x100000		/* --binary */
#define ARGS_MEMBER	0x200000		/* --member GLOB */
#define ARGS_COLUMN	0x400000		/* --column C */
#define ARGS_JSON_KEY	0x800000	/* --json-key KEY,... */
#define ARGS_WAIT	0x1000000		/* --wait */
#define ARGS_NOW	0x2000000		/* --now */
#define ARGS_SAVE	0x4000000		/* --save */
#define ARGS_ZERO	0x8000000		/* --zero */
#define ARGS_PROMETHEUS	0x10000000	/* --prometheus */
#define ARGS_IMPORT	0x20000000	/* all options IMPORT_* */

/* Options that only the verb apply has: bits of @given of struct apply_args. */
#define APPLY_EXCLUDE	0x001		/* --exclude LIST, any number of times */
#define APPLY_DRY_RUN	0x002		/* --dry-run */
#define APPLY_DIFF	0x004		/* --diff */
#define APPLY_OPTIMIZE	0x008		/* --optimize */
#define APPLY_MIN	0x010		/* --min N */
#define APPLY_MAX_SHRINK	0x020	/* --max-shrink P */
#define APPLY_MAX_GROW	0x040		/* --max-grow P */
#define APPLY_WIDE	0x080		/* --wide */
#define APPLY_BOGONS	0x100		/* --bogons */
#define APPLY_SKIP_OWN	0x200		/* --skip-own */
#define APPLY_KEEP_OWN	0x400		/* --keep-own */
#define APPLY_YES	0x800		/* --yes */
#define APPLY_BOOT	0x1000		/* --boot */
#define APPLY_DEVICE	0x2000		/* --device DEV */
#define APPLY_CONFIRM	0x4000		/* --confirm [T] */

/**
 * struct apply_args - options of the verb apply
 * @given: APPLY_* of the options that were given
 * @excluded: arguments of --exclude, in order
 * @excluded_count: number of elements of @excluded
 * @min: argument of --min: minimum number of keys in the lists
 * @max_shrink: argument of --max-shrink, in percent: 0 to 100
 * @max_grow: argument of --max-grow, in percent: 0 to 1000000
 * @device: argument of --device: name of a network device
 * @confirm: argument of --confirm: seconds until the change is undone
 */
struct apply_args {
	int given;
	char **excluded;
	int excluded_count;
	__u64 min;
	__u64 max_shrink;
	__u64 max_grow;
	const char *device;
	__u32 confirm;
};

/* Options that only the verb import has: bits of @given of struct import_args. */
#define IMPORT_IPSET	0x001		/* --from-ipset */
#define IMPORT_NFT	0x002		/* --from-nft */
#define IMPORT_RULES	0x004		/* --rules FILE, any number of times */
#define IMPORT_TO	0x008		/* --to FOLDER */
#define IMPORT_SKIP	0x010		/* --skip */

/**
 * struct import_args - options of the verb import
 * @given: IMPORT_* of the options that were given
 * @rules: arguments of --rules, in order
 * @rules_count: number of elements of @rules
 * @to: argument of --to: path of a folder; or NULL
 */
struct import_args {
	int given;
	char **rules;
	int rules_count;
	const char *to;
};

/**
 * struct args - the command line after the verb
 * @operands: arguments that are not options, in order
 * @operand_count: number of elements of @operands
 * @files: arguments of -f, in order
 * @file_count: number of elements of @files
 * @given: ARGS_* of the options that were given
 * @value: argument of --value: value of the keys
 * @old: argument of --old: value that a key must have before an update
 * @timeout: argument of --timeout, in seconds; 0 means that the keys do not expire
 * @negative: copy of a negative number after the word "timeout", see hide_negative() in
 *	args.c; or NULL
 * @member: argument of --member: pattern for names of files in archives; or NULL
 * @json_keys: argument of --json-key: JSON keys, separated by commas; or NULL
 * @config: argument of --config: folder of the configuration; or NULL
 * @layout: argument of --format: enum layout (input/layout.h)
 * @column: argument of --column: number or name of a column, or of two columns; or NULL
 * @apply: options of the verb apply
 * @import: options of the verb import
 */
struct args {
	char **operands;
	int operand_count;
	char **files;
	int file_count;
	int given;
	__u32 value;
	__u32 old;
	__u32 timeout;
	char *negative;
	const char *member;
	const char *json_keys;
	const char *config;
	int layout;
	const char *column;
	struct apply_args apply;
	struct import_args import;
};

/*
 * Parse the arguments of cli->verb into @args; argv[0] is the verb itself. The
 * caller calls args_free() even after an error. Return: 0; a positive number if
 * help was requested and printed; or -1 after an error message.
 */
int args_parse(struct cli *cli, struct args *args, int argc, char **argv);

/* Free the arrays and @negative of @args. All other strings belong to argv. */
void args_free(struct args *args);

/*
 * Return: true if @text, an argument such as "--ver" or "--ver=x", is the beginning of
 * the names of several long options in the table @option. Call this function only for an
 * argument that getopt_long() has rejected: the full name of an option may also be the
 * beginning of another name.
 */
bool is_ambiguous(const struct option *option, const char *text);

#endif /* KCUCKOO_CLI_ARGS_H */
