// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions parse the options and operands of a verb, for main.c.
 */
#define _GNU_SOURCE
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "input/line.h"
#include "keywords.h"
#include "message.h"
#include "number.h"

/*
 * Values that getopt_long() returns for the long options except --help. OPTION_GLOBAL: an
 * option, such as --json, that belongs before the verb.
 */
enum {
	OPTION_GLOBAL = 256,
	OPTION_VERB = 0x20000000,	/* plus ARGS_* in the lower bits */
	OPTION_APPLY = 0x40000000,	/* plus APPLY_* in the lower bits */
	OPTION_IMPORT = OPTION_VERB | OPTION_APPLY,	/* both bits, plus IMPORT_* */
};

static const struct option options[] = {
	{ "strict",	no_argument,		NULL, OPTION_VERB | ARGS_STRICT },
	{ "all",	no_argument,		NULL, OPTION_VERB | ARGS_ALL },
	{ "hex",	no_argument,		NULL, OPTION_VERB | ARGS_HEX },
	{ "absent",	no_argument,		NULL, OPTION_VERB | ARGS_ABSENT },
	{ "value",	required_argument,	NULL, OPTION_VERB | ARGS_VALUE },
	{ "old",	required_argument,	NULL, OPTION_VERB | ARGS_OLD },
	{ "timeout",	required_argument,	NULL, OPTION_VERB | ARGS_TIMEOUT },
	{ "replace",	no_argument,		NULL, OPTION_VERB | ARGS_REPLACE },
	{ "exist",	no_argument,		NULL, OPTION_VERB | ARGS_EXIST },
	{ "wait",	no_argument,		NULL, OPTION_VERB | ARGS_WAIT },
	{ "if-exists",	no_argument,		NULL, OPTION_VERB | ARGS_IF_EXISTS },
	{ "covered",	no_argument,		NULL, OPTION_VERB | ARGS_COVERED },
	{ "exact",	no_argument,		NULL, OPTION_VERB | ARGS_EXACT },
	{ "binary",	no_argument,		NULL, OPTION_VERB | ARGS_BINARY },
	{ "member",	required_argument,	NULL, OPTION_VERB | ARGS_MEMBER },
	{ "json-key",	required_argument,	NULL, OPTION_VERB | ARGS_JSON_KEY },
	{ "format",	required_argument,	NULL, OPTION_VERB | ARGS_FORMAT },
	{ "column",	required_argument,	NULL, OPTION_VERB | ARGS_COLUMN },
	{ "ranges",	no_argument,		NULL, OPTION_VERB | ARGS_RANGES },
	{ "allow-empty", no_argument,		NULL, OPTION_VERB | ARGS_ALLOW_EMPTY },
	{ "now",	no_argument,		NULL, OPTION_VERB | ARGS_NOW },
	{ "force",	no_argument,		NULL, OPTION_VERB | ARGS_FORCE },
	{ "config",	required_argument,	NULL, OPTION_VERB | ARGS_CONFIG },
	{ "check",	no_argument,		NULL, OPTION_VERB | ARGS_CHECK },
	{ "exclude",	required_argument,	NULL, OPTION_APPLY | APPLY_EXCLUDE },
	{ "dry-run",	no_argument,		NULL, OPTION_APPLY | APPLY_DRY_RUN },
	{ "diff",	no_argument,		NULL, OPTION_APPLY | APPLY_DIFF },
	{ "optimize",	no_argument,		NULL, OPTION_APPLY | APPLY_OPTIMIZE },
	{ "min",	required_argument,	NULL, OPTION_APPLY | APPLY_MIN },
	{ "max-shrink",	required_argument,	NULL, OPTION_APPLY | APPLY_MAX_SHRINK },
	{ "max-grow",	required_argument,	NULL, OPTION_APPLY | APPLY_MAX_GROW },
	{ "wide",	no_argument,		NULL, OPTION_APPLY | APPLY_WIDE },
	{ "bogons",	no_argument,		NULL, OPTION_APPLY | APPLY_BOGONS },
	{ "skip-own",	no_argument,		NULL, OPTION_APPLY | APPLY_SKIP_OWN },
	{ "keep-own",	no_argument,		NULL, OPTION_APPLY | APPLY_KEEP_OWN },
	{ "yes",	no_argument,		NULL, OPTION_APPLY | APPLY_YES },
	{ "boot",	no_argument,		NULL, OPTION_APPLY | APPLY_BOOT },
	{ "device",	required_argument,	NULL, OPTION_APPLY | APPLY_DEVICE },
	{ "save",	no_argument,		NULL, OPTION_VERB | ARGS_SAVE },
	{ "zero",	no_argument,		NULL, OPTION_VERB | ARGS_ZERO },
	{ "prometheus",	no_argument,		NULL, OPTION_VERB | ARGS_PROMETHEUS },
	{ "confirm",	optional_argument,	NULL, OPTION_APPLY | APPLY_CONFIRM },
	{ "from-ipset",	no_argument,		NULL, OPTION_IMPORT | IMPORT_IPSET },
	{ "from-nft",	no_argument,		NULL, OPTION_IMPORT | IMPORT_NFT },
	{ "rules",	required_argument,	NULL, OPTION_IMPORT | IMPORT_RULES },
	{ "to",		required_argument,	NULL, OPTION_IMPORT | IMPORT_TO },
	{ "skip",	no_argument,		NULL, OPTION_IMPORT | IMPORT_SKIP },
	{ "help",	no_argument,		NULL, 'h' },
	{ "json",	no_argument,		NULL, OPTION_GLOBAL },
	{ "quiet",	no_argument,		NULL, OPTION_GLOBAL },
	{ "verbose",	no_argument,		NULL, OPTION_GLOBAL },
	{ "netns",	optional_argument,	NULL, OPTION_GLOBAL },
	{ NULL, 0, NULL, 0 }
};

static int unsupported_option(const struct cli *cli, const char *option)
{
	return error("'%s' has no option %s: see 'kcuckoo help %s'",
		     cli->verb->name, option, cli->verb->name);
}

bool is_ambiguous(const struct option *option, const char *text)
{
	size_t length = strcspn(text, "=");
	int count = 0;

	if (strncmp(text, "--", 2))
		return false;
	for (; option->name; option++)
		count += !strncmp(option->name, text + 2, length - 2);
	return count > 1;
}

static int unknown_option(const struct cli *cli, const char *option)
{
	if (is_ambiguous(options, option))
		return error("option '%s' is ambiguous: see 'kcuckoo help %s'",
			     option, cli->verb->name);
	error("unknown option '%s': see 'kcuckoo help %s'", option,
	      cli->verb->name);
	return hint(-1, "words after '--' are not read as options");
}

static int no_value(const struct cli *cli, const char *option)
{
	return error("option '%.*s' takes no value: see 'kcuckoo help %s'",
		     (int)strcspn(option, "="), option, cli->verb->name);
}

static const char *long_option_name(int option)
{
	const struct option *at = options;

	while (at->val != option)
		at++;
	return at->name;
}

static int verb_option(struct cli *cli, struct args *args, int which,
		       const char *name)
{
	__u64 number;

	if (!(cli->verb->options & which))
		return unsupported_option(cli, name);
	args->given |= which;
	switch (which) {
	case ARGS_FILE:
		args->files[args->file_count++] = optarg;
		return 0;
	case ARGS_VALUE:
	case ARGS_OLD:
		if (parse_number(name, optarg, 0, UINT32_MAX, &number))
			return -1;
		*(which == ARGS_OLD ? &args->old : &args->value) = number;
		return 0;
	case ARGS_MEMBER:
		args->member = optarg;
		return 0;
	case ARGS_COLUMN:
		if (!*optarg)
			return error("--column needs the number or the name of a column");
		args->column = optarg;
		return 0;
	case ARGS_JSON_KEY:
		args->json_keys = optarg;
		return 0;
	case ARGS_CONFIG:
		args->config = optarg;
		return 0;
	case ARGS_FORMAT:
		args->layout = keyword_value(layout_keywords, "format", optarg);
		return args->layout < 0 ? -1 : 0;
	case ARGS_TIMEOUT:
		return parse_duration(name, optarg, &args->timeout);
	default:
		return 0;
	}
}

static int parse_percent(const char *name, char *text, __u64 max, __u64 *percent)
{
	size_t length = strlen(text);

	if (length > 1 && text[length - 1] == '%')
		text[length - 1] = 0;
	return parse_number(name, text, 0, max, percent);
}

/* Largest argument of --max-grow, in percent. */
#define GROW_MAX	1000000

/* Default of --confirm, in seconds. */
#define CONFIRM_DEFAULT	120

static int apply_option(struct cli *cli, struct args *args, int which,
			const char *name)
{
	struct apply_args *apply = &args->apply;

	if (!(cli->verb->options & ARGS_APPLY))
		return unsupported_option(cli, name);
	apply->given |= which;
	switch (which) {
	case APPLY_EXCLUDE:
		apply->excluded[apply->excluded_count++] = optarg;
		return 0;
	case APPLY_DEVICE:
		apply->device = optarg;
		return 0;
	case APPLY_MIN:
		return parse_number(name, optarg, 0, UINT32_MAX, &apply->min);
	case APPLY_MAX_SHRINK:
		return parse_percent(name, optarg, 100, &apply->max_shrink);
	case APPLY_MAX_GROW:
		return parse_percent(name, optarg, GROW_MAX, &apply->max_grow);
	case APPLY_CONFIRM:
		apply->confirm = CONFIRM_DEFAULT;
		return optarg ? parse_duration(name, optarg, &apply->confirm) : 0;
	default:
		return 0;
	}
}

static int import_option(struct cli *cli, struct args *args, int which,
			 const char *name)
{
	struct import_args *import = &args->import;

	if (!(cli->verb->options & ARGS_IMPORT))
		return unsupported_option(cli, name);
	import->given |= which;
	if (which == IMPORT_RULES)
		import->rules[import->rules_count++] = optarg;
	if (which == IMPORT_TO)
		import->to = optarg;
	return 0;
}

static int missing_argument(int option)
{
	if (option == 'f')
		return error("-f needs a file, or '-' for standard input");
	return error("--%s needs a value", long_option_name(option));
}

/*
 * If the next word begins with a digit, use it as the value of the option, because
 * getopt_long() accepts an optional value only after "=".
 */
static void use_detached_value(char **argv)
{
	const char *word = argv[optind];

	if (!optarg && word && *word >= '0' && *word <= '9')
		optarg = argv[optind++];
}

/* Return: 0; 1 if help was printed; or -1 after an error message. */
static int parse_option(struct cli *cli, struct args *args, int option,
			int index, char **argv)
{
	char name[16];

	if ((option & OPTION_IMPORT) == OPTION_IMPORT) {
		snprintf(name, sizeof(name), "--%s", options[index].name);
		return import_option(cli, args, option & ~OPTION_IMPORT, name);
	}
	if (option & OPTION_APPLY) {
		if ((option & ~OPTION_APPLY) == APPLY_CONFIRM)
			use_detached_value(argv);
		snprintf(name, sizeof(name), "--%s", options[index].name);
		return apply_option(cli, args, option & ~OPTION_APPLY, name);
	}
	if (option & OPTION_VERB) {
		snprintf(name, sizeof(name), "--%s", options[index].name);
		return verb_option(cli, args, option & ~OPTION_VERB, name);
	}
	switch (option) {
	case 'f':
		return verb_option(cli, args, ARGS_FILE, "-f");
	case 'h':
		usage_verb(cli->verb->name);
		return 1;
	case OPTION_GLOBAL:
		return error("--%s belongs before the verb: kcuckoo --%s %s ...",
			     options[index].name, options[index].name,
			     cli->verb->name);
	case 'j':
	case 'q':
	case 'v':
	case 'n':
		return error("-%c belongs before the verb: kcuckoo -%c %s ...",
			     option, option, cli->verb->name);
	case ':':
		return missing_argument(optopt);
	default:
		/*
		 * For a known option without an argument, getopt_long() fails
		 * only if a value is attached, as in "--help=x".
		 */
		if (optopt == 'h' || optopt >= OPTION_GLOBAL)
			return no_value(cli, argv[optind - 1]);
		if (optopt)
			return unknown_option(cli, (char []){ '-', optopt, 0 });
		return unknown_option(cli, argv[optind - 1]);
	}
}

/*
 * Replace the first negative value after a word "timeout", such as -1 in "timeout -1", by
 * a copy with a blank before the minus sign. Otherwise getopt_long() would parse -1 as an
 * option.
 */
static int hide_negative(struct args *args, int argc, char **argv)
{
	size_t length;
	int i;

	for (i = 2; i < argc && strcmp(argv[i], "--"); i++) {
		if (strcmp(argv[i - 1], "timeout") || argv[i][0] != '-' ||
		    argv[i][1] < '0' || argv[i][1] > '9')
			continue;
		length = strlen(argv[i]);
		args->negative = malloc(length + 2);
		if (!args->negative)
			return error("not enough memory");
		args->negative[0] = ' ';
		memcpy(args->negative + 1, argv[i], length + 1);
		argv[i] = args->negative;
		break;
	}
	return 0;
}

/* Skip the blank that hide_negative() put before an operand. */
static void show_negative(const struct args *args)
{
	int i;

	for (i = 0; i < args->operand_count; i++)
		if (args->operands[i] == args->negative)
			args->operands[i]++;
}

/* Options that affect how files are read. */
#define FILE_OPTIONS	(ARGS_ALLOW_EMPTY | ARGS_BINARY | ARGS_FORMAT | ARGS_COLUMN | \
			 ARGS_JSON_KEY | ARGS_MEMBER | ARGS_RANGES)

static int check_files(const struct cli *cli, const struct args *args)
{
	const struct option *option = options;
	int given = args->given & FILE_OPTIONS;

	if (given & ARGS_RANGES && args->layout == LAYOUT_ROW)
		return error("--ranges and --format row cannot be combined");
	if (given & ARGS_COLUMN && given & ARGS_FORMAT && args->layout != LAYOUT_CSV)
		return error("--column needs the format csv, and --format names another format");
	if (!given || args->file_count || !(cli->verb->options & ARGS_FILE))
		return 0;
	while (!(option->val & given))
		option++;
	return error("--%s needs a file of keys: see -f FILE in 'kcuckoo help %s'",
		     option->name, cli->verb->name);
}

static int check_apply(const struct args *args)
{
	int own = APPLY_SKIP_OWN | APPLY_KEEP_OWN, given = args->apply.given;

	if ((given & own) == own)
		return error("--skip-own and --keep-own cannot be combined");
	if (given & APPLY_CONFIRM && given & APPLY_DRY_RUN)
		return error("--confirm and --dry-run cannot be combined");
	if (given & APPLY_CONFIRM && (given & (APPLY_BOOT | APPLY_DEVICE) ||
				      args->given & ARGS_CHECK))
		return error("--confirm and --boot, --device or --check cannot be combined");
	if (given & APPLY_CONFIRM && !args->apply.confirm)
		return error("--confirm 0: a time of at least one second is needed");
	return 0;
}

int args_parse(struct cli *cli, struct args *args, int argc, char **argv)
{
	const struct verb *verb = cli->verb;
	int option, index, ret;

	memset(args, 0, sizeof(*args));
	args->files = calloc(argc + 1, sizeof(*args->files));
	args->apply.excluded = calloc(argc + 1, sizeof(*args->apply.excluded));
	args->import.rules = calloc(argc + 1, sizeof(*args->import.rules));
	if (!args->files || !args->apply.excluded || !args->import.rules)
		return error("not enough memory");
	if (hide_negative(args, argc, argv))
		return -1;

	opterr = 0;
	optind = 0;	/* 0 resets getopt_long(), which main.c called before */
	while ((option = getopt_long(argc, argv, ":f:hjqvn", options,
				     &index)) != -1) {
		ret = parse_option(cli, args, option, index, argv);
		if (ret)
			return ret;
	}
	args->operands = argv + optind;
	args->operand_count = argc - optind;
	show_negative(args);

	if (args->operand_count < verb->min_operands)
		return error("'%s' needs more arguments: kcuckoo %s %s", verb->name,
			     verb->name, verb->usage);
	if (verb->max_operands >= 0 && args->operand_count > verb->max_operands)
		return error("'%s' does not take '%s': kcuckoo %s %s",
			     verb->name, args->operands[verb->max_operands],
			     verb->name, verb->usage);
	return check_apply(args) ? -1 : check_files(cli, args);
}

void args_free(struct args *args)
{
	free(args->files);
	free(args->apply.excluded);
	free(args->import.rules);
	free(args->negative);
}
