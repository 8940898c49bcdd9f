// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions check that a filter supports an operation on keys with the options of the
 * command, and prepare the syntax and the collection of the keys.
 */
#include <errno.h>

#include "keywords.h"
#include "keys/key_op.h"
#include "message.h"

__u32 max_value(const struct kcuckoo_ioc_info *info)
{
	return ((__u64)1 << info->value_bits) - 1;
}

static int check_value(const char *name, const struct kcuckoo_ioc_info *info,
		       const char *option, __u32 value)
{
	if (!info->value_bits)
		return hint(error("%s: the keys of '%s' have no values", option,
				  name),
			    "'kcuckoo create NAME value BITS' creates a filter whose keys have values");
	if (value > max_value(info))
		return error("%s %u: the values of '%s' have %d bits and are at most %u",
			     option, value, name, info->value_bits,
			     max_value(info));
	return 0;
}

/*
 * Check that the filter supports --absent, which needs to know whether a key is a member. Of the
 * approximate filters, only insert-only filters without values and timeouts support the option.
 */
static int check_absent(const char *name, const struct kcuckoo_ioc_info *info)
{
	static const char others[] =
		"the filter cannot distinguish keys that share a fingerprint";

	if (!info->tag_bits)
		return 0;
	if (!(info->create_flags & KCUCKOO_CREATE_INSERT_ONLY))
		return hint(error("--absent: '%s' can store the same key several times",
				  name), others);
	if (info->value_bits || info->create_flags & KCUCKOO_CREATE_TIMEOUT)
		return hint(error("--absent: '%s' stores fingerprints, and its keys have values or timeouts",
				  name), others);
	return 0;
}

static int check_binary(const char *name, const struct args *args,
			const struct kcuckoo_ioc_info *info)
{
	if (info->type != KCUCKOO_TYPE_BYTES)
		return error("--binary is for byte strings, and '%s' holds addresses",
			     name);
	if (args->given & ARGS_HEX)
		return error("--binary and --hex cannot be combined");
	if (args->given & ARGS_MEMBER)
		return error("--binary and --member cannot be combined: --binary unpacks no archive");
	return 0;
}

static int check_covering(const char *name, const struct kcuckoo_ioc_info *info)
{
	if (info->type == KCUCKOO_TYPE_BYTES)
		return error("--covered is for addresses, and '%s' holds byte strings",
			     name);
	if (info->tag_bits)
		return hint(error("--covered: '%s' does not store its members", name),
			    "it stores fingerprints: delete exactly the keys that were added");
	return 0;
}

static int check_byte_lists(const char *name, const struct args *args)
{
	if (args->given & ARGS_RANGES)
		return error("--ranges is for addresses, and '%s' holds byte strings", name);
	if (args->given & ARGS_FORMAT && !layout_types[args->layout].bytes)
		return error("--format %s is for addresses, and '%s' holds byte strings",
			     keyword_name(layout_keywords, args->layout), name);
	if (args->given & (ARGS_FORMAT | ARGS_COLUMN) &&
	    args->given & (ARGS_HEX | ARGS_BINARY))
		return error("--format and --column cannot be combined with --hex or --binary");
	return 0;
}

static int check_options(const char *name, const struct args *args,
			 const struct kcuckoo_ioc_info *info)
{
	if (args->given & ARGS_HEX && info->type != KCUCKOO_TYPE_BYTES)
		return error("--hex is for byte strings, and '%s' holds addresses",
			     name);
	if (args->given & ARGS_BINARY && check_binary(name, args, info))
		return -1;
	if (args->given & ARGS_COVERED && check_covering(name, info))
		return -1;
	if (args->given & ARGS_EXACT && info->type == KCUCKOO_TYPE_BYTES)
		return error("--exact is for addresses, and '%s' holds byte strings",
			     name);
	if (info->type == KCUCKOO_TYPE_BYTES && check_byte_lists(name, args))
		return -1;
	if (args->given & ARGS_VALUE &&
	    check_value(name, info, "--value", args->value))
		return -1;
	if (args->given & ARGS_OLD && check_value(name, info, "--old", args->old))
		return -1;
	/* A filter without timeouts supports "--timeout never", which is 0. */
	if (args->given & ARGS_TIMEOUT && args->timeout &&
	    !(info->create_flags & KCUCKOO_CREATE_TIMEOUT))
		return hint(error("--timeout: the keys of '%s' never expire", name),
			    "'kcuckoo create NAME timeout T' creates a filter whose keys can expire");
	return args->given & ARGS_ABSENT ? check_absent(name, info) : 0;
}

/*
 * Return: true if a delete or update must give the present value of each key. In an approximate
 * filter with values, only the value distinguishes keys that share a fingerprint.
 */
static bool must_name_value(const struct kcuckoo_ioc_info *info)
{
	return info->tag_bits && info->value_bits;
}

/*
 * Return: true if some keys of the command cannot have a value of their own, so that an option
 * must give the value. Only a line of a list of addresses can have a value.
 */
static bool must_have_option(const struct kcuckoo_ioc_info *info,
			     const struct args *args)
{
	return args->operand_count > 1 || info->type == KCUCKOO_TYPE_BYTES;
}

static int check_del(const char *name, const struct args *args,
		     const struct kcuckoo_ioc_info *info)
{
	if (info->create_flags & KCUCKOO_CREATE_INSERT_ONLY)
		return hint(error("keys of '%s' cannot be deleted: it was created insert-only",
				  name), "'kcuckoo flush %s' removes all keys", name);
	if (must_name_value(info) && must_have_option(info, args) &&
	    !(args->given & ARGS_VALUE))
		return hint(error("give the value of the keys with --value"),
			    "the value distinguishes keys of '%s' that share a fingerprint",
			    name);
	return 0;
}

static int check_update(const char *name, const struct args *args,
			const struct kcuckoo_ioc_info *info)
{
	if (!info->value_bits)
		return check_value(name, info, "update", 0);
	if (info->create_flags & KCUCKOO_CREATE_INSERT_ONLY)
		return error("values of '%s' cannot be changed: it was created insert-only",
			     name);
	if (must_have_option(info, args) && !(args->given & ARGS_VALUE))
		return error("give the new value of the keys of '%s' with --value",
			     name);
	if (must_name_value(info) && !(args->given & ARGS_OLD))
		return hint(error("give the present value of the keys with --old"),
			    "the value distinguishes keys of '%s' that share a fingerprint",
			    name);
	return 0;
}

int key_op_check(struct cli *cli, const struct args *args,
		 enum key_op op, const char *what,
		 struct kcuckoo_ioc_info *info)
{
	const char *name = args->operands[0];
	int ret;

	info->size = sizeof(*info);
	ret = kcuckoo_info(cli->handle, name, info);
	if (ret)
		return filter_error(cli, ret, name, what);
	if (check_options(name, args, info))
		return -1;
	if (op == KEY_OP_DEL)
		return check_del(name, args, info);
	if (op == KEY_OP_UPDATE)
		return check_update(name, args, info);
	return 0;
}

int key_op_recheck(struct cli *cli, const char *name, const struct kcuckoo_ioc_info *before,
		   __u64 count, struct kcuckoo_ioc_info *info)
{
	int ret;

	*info = (struct kcuckoo_ioc_info){ .size = sizeof(*info) };
	ret = kcuckoo_info(cli->handle, name, info);
	if (ret && ret != -ENOENT)
		return ret;
	if (!ret && (count <= BATCH || info->filter_id == before->filter_id))
		return 0;
	return -ESTALE;
}

struct syntax key_op_syntax(const struct args *args, enum key_op op,
			    const struct kcuckoo_ioc_info *info)
{
	bool expires = info->create_flags & KCUCKOO_CREATE_TIMEOUT;
	bool named = args->given & ARGS_VALUE;
	struct syntax syntax = {
		.kind = SYNTAX_INET,
		.member = args->member,
		.json_keys = args->json_keys,
		.layout = args->layout,
		.column = args->column,
		.recognize = !(args->given & ARGS_FORMAT),
		.ranges = args->given & ARGS_RANGES,
		.exact = args->given & ARGS_EXACT,
	};

	if (info->type == KCUCKOO_TYPE_BYTES)
		syntax.kind = args->given & ARGS_BINARY ? SYNTAX_BINARY :
			    args->given & ARGS_HEX ? SYNTAX_HEX : SYNTAX_BYTES;
	/*
	 * If values are parsed, parse timeouts, too: on a line, the value can follow the
	 * timeout.
	 */
	switch (op) {
	case KEY_OP_ADD:
		syntax.max_value = max_value(info);
		syntax.timeouts = expires;
		break;
	case KEY_OP_DEL:
		/*
		 * Ignore values in lists, unless --value was given or the delete must give
		 * values.
		 */
		if (named || must_name_value(info))
			syntax.max_value = max_value(info);
		syntax.needs_value = syntax.max_value && !named;
		syntax.timeouts = syntax.max_value && expires;
		break;
	case KEY_OP_UPDATE:
		syntax.max_value = max_value(info);
		syntax.needs_value = !named;
		syntax.timeouts = expires;
		break;
	case KEY_OP_TEST:
		syntax.no_ranges =
			"a range is not one key; 'test' takes addresses and prefixes";
		break;
	}
	return syntax;
}

/*
 * Return: true for an add that never changes the value of a member: with --absent, or to a
 * filter in which each add makes an entry of its own. In such an add, a key without a value has
 * the same effect as a key with value 0. So key_op_begin() treats all keys as keys with a value,
 * and batch_read() does not return keys without a value first. With --absent the order of the
 * list matters: the first of several equal keys takes effect.
 */
static bool changes_none(const struct args *args, enum key_op op,
			 const struct kcuckoo_ioc_info *info)
{
	bool multiset = info->tag_bits &&
			!(info->create_flags & KCUCKOO_CREATE_INSERT_ONLY);

	return op == KEY_OP_ADD && info->value_bits &&
	       (multiset || args->given & ARGS_ABSENT);
}

void key_op_begin(struct collection *collection, const struct args *args,
		  enum key_op op, const struct kcuckoo_ioc_info *info)
{
	struct syntax syntax = key_op_syntax(args, op, info);
	struct note note = {
		.value = args->value,
		.timeout = info->timeout,
		.valued = args->given & ARGS_VALUE ||
			  changes_none(args, op, info),
	};

	if (args->given & ARGS_TIMEOUT)
		note.timeout = args->timeout;
	collection_init(collection, &syntax, &note);
	collection->old_value = args->old;
	collection->old_named = args->given & ARGS_OLD;
}
