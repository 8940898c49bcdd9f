// SPDX-License-Identifier: GPL-2.0-only
/*
 * Operations on filters as wholes, every allocation and user copy of which fails
 * in turn.
 */

#include "sweep.h"

/* Members of a filter of addresses: four lengths and more, of both families. */
#define MEMBERS		120
#define STRINGS		80

static struct kcuckoo_prefix keys[MEMBERS];
static struct strings strings;

static int world_make(void)
{
	size_t i;

	for (i = 0; i < MEMBERS; i++) {
		keys[i] = i % 8 == 0 ? ipv4(i << 20, 16) :
			  i % 8 == 1 ? ipv4(i << 16, 24) :
			  i % 8 == 2 ? ipv4(i << 12, 20) :
			  i % 8 == 3 ? ipv6(0x20010db8ULL << 32 | i << 16, 0, 48) :
			  i % 8 == 4 ? ipv6(0x20010db8ULL << 32 | i, 0, 64) :
			  i % 8 == 5 ? ipv6(0x20010db8ULL << 32, i, 128) :
				       ipv4(0x0a000000 + i * 0x101, 32);
	}
	strings = strings_make("key", 0, STRINGS);
	return 0;
}

static long long entries(int fd, const char *name)
{
	return filter_entries(fd, name);
}

/* A filter of addresses with all keys. */
static int list_make(int fd, const char *name, const struct kcuckoo_ioc_create *form)
{
	struct kcuckoo_ioc_create create = {
		.type = KCUCKOO_TYPE_INET,
		.capacity = 1000,
	};

	if (form)
		create = *form;
	create.size = sizeof(create);
	set_name(create.name, name);
	return call(fd, KCUCKOO_IOC_CREATE, &create) ?:
	       (keys_add(fd, name, keys, MEMBERS) == MEMBERS ? 0 : -EPROTO);
}

static int words_make(int fd, const char *name, __u32 flags)
{
	return bytes_create(fd, name, STRINGS, 12, flags) ?:
	       (strings_add(fd, name, &strings) == STRINGS ? 0 : -EPROTO);
}

/* Filters "list" and "words", beside the bystanders. */
static int both_prepare(int fd)
{
	int error = bystanders(fd) ?: list_make(fd, "list", NULL) ?:
		    words_make(fd, "words", 0);

	know("list", keys, NULL, MEMBERS);
	know("words", NULL, &strings, STRINGS);
	return error;
}

static bool both_same(int fd)
{
	return known_found(fd, known_count) && entries(fd, "list") == MEMBERS &&
	       entries(fd, "words") == STRINGS;
}

/* Which form the next filter has. */
static struct kcuckoo_ioc_create form;

static int create_act(int fd)
{
	form.size = sizeof(form);
	set_name(form.name, "new");
	return fault_call(fd, KCUCKOO_IOC_CREATE, &form);
}

static bool create_done(int fd)
{
	struct kcuckoo_ioc_info info;

	return !filter_info(fd, "new", &info) && !info.entries &&
	       (!form.type || info.type == form.type) &&
	       info.bucket_size == (form.bucket_size ?: info.bucket_size) &&
	       known_found(fd, known_count);
}

#define INET	.type = KCUCKOO_TYPE_INET
#define BYTES	.type = KCUCKOO_TYPE_BYTES

static const struct kcuckoo_ioc_create forms[] = {
	{ INET, .capacity = 1000 },
	{ INET, .capacity = 1000, .hash = KCUCKOO_HASH_SIPHASH },
	{ INET, .capacity = 1000, .value_bits = 8, .flags = KCUCKOO_CREATE_TIMEOUT },
	{ INET, .capacity = 1000, .fpr = 1 << 20 },
	{ INET, .capacity = 1000, .tag_bits = 12, .steps = 2 },
	{ BYTES, .capacity = 1000, .tag_bits = 12, .bucket_size = 1 },
	{ BYTES, .capacity = 1000, .tag_bits = 12, .bucket_size = 2 },
	{ BYTES, .capacity = 1000, .tag_bits = 12, .bucket_size = 4 },
	{ BYTES, .capacity = 1000, .tag_bits = 12, .bucket_size = 8 },
	{ BYTES, .capacity = 1000, .tag_bits = 12, .flags = KCUCKOO_CREATE_SORTED },
	{ BYTES, .capacity = 1000, .tag_bits = 12, .value_bits = 32 },
	{ BYTES, .capacity = 1000, .tag_bits = 12,
	  .flags = KCUCKOO_CREATE_TIMEOUT | KCUCKOO_CREATE_INSERT_ONLY, .timeout = 100000 },
	{ BYTES, .capacity = 20000, .fpr = 1 << 20, .flags = KCUCKOO_CREATE_FIXED },
	{ .flags = KCUCKOO_CREATE_LIKE, .like = "list" },
	{ .flags = KCUCKOO_CREATE_LIKE, .like = "words" },
};

TEST_F(faults, create)
{
	const struct action action = { "create", both_prepare, create_act, create_done };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(forms); i++) {
		form = forms[i];
		sweep_all(_metadata, &self->sweep, &action, 1);
	}
}

/* When there are rounds, in one of them, tables of many pages. */
TEST_F(faults, create_large)
{
	const struct action action = { "create large", both_prepare, create_act, create_done };
	size_t i;

	if (!fault_available())
		SKIP(return, "no fault injection in this kernel");
	for (i = 0; fault_rounds() > 1 && i < ARRAY_SIZE(forms); i++) {
		form = forms[i];
		if (!form.capacity || form.type != KCUCKOO_TYPE_BYTES)
			continue;
		form.capacity = 3000000;
		ASSERT_TRUE(sweep_run(&self->sweep, &action));
	}
}

/* Operations that have nothing but names. */
static int destroy_act(int fd)
{
	struct kcuckoo_ioc_destroy request = { .size = sizeof(request) };

	set_name(request.name, "list");
	return fault_call(fd, KCUCKOO_IOC_DESTROY, &request);
}

static bool destroy_done(int fd)
{
	return entries(fd, "list") == -ENOENT && entries(fd, "words") == STRINGS;
}

static int pair_act(int fd, unsigned long request, const char *name, const char *other)
{
	struct kcuckoo_ioc_swap pair = { .size = sizeof(pair) };

	set_name(pair.name, name);
	set_name(pair.with, other);
	return fault_call(fd, request, &pair);
}

static int rename_act(int fd)
{
	return pair_act(fd, KCUCKOO_IOC_RENAME, "words", "named");
}

static bool rename_done(int fd)
{
	return entries(fd, "words") == -ENOENT && strings_test(fd, "named", &strings) == STRINGS;
}

/* A rule waits for a filter of the new name. */
static int waiting_prepare(int fd)
{
	return both_prepare(fd) ?:
	       rule_attach(fd, "named", KCUCKOO_HOOK_INPUT, KCUCKOO_FAMILY_BOTH,
			   KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_COUNT);
}

static int rename_waiting_act(int fd)
{
	return pair_act(fd, KCUCKOO_IOC_RENAME, "list", "named");
}

static bool rename_waiting_done(int fd)
{
	return entries(fd, "list") == -ENOENT &&
	       keys_members(fd, "named", keys, MEMBERS) == MEMBERS;
}

static int swap_prepare(int fd)
{
	return both_prepare(fd) ?: filter_create(fd, "new", 10);
}

static int swap_act(int fd)
{
	return pair_act(fd, KCUCKOO_IOC_SWAP, "list", "new");
}

static bool swap_done(int fd)
{
	return !entries(fd, "list") && keys_members(fd, "new", keys, MEMBERS) == MEMBERS;
}

static int replace_act(int fd)
{
	return pair_act(fd, KCUCKOO_IOC_REPLACE, "new", "list");
}

static bool replace_done(int fd)
{
	return entries(fd, "list") == -ENOENT &&
	       keys_members(fd, "new", keys, MEMBERS) == MEMBERS;
}

static int flush_named(int fd, const char *name)
{
	struct kcuckoo_ioc_flush request = { .size = sizeof(request) };

	set_name(request.name, name);
	return fault_call(fd, KCUCKOO_IOC_FLUSH, &request);
}

static int flush_list_act(int fd)
{
	return flush_named(fd, "list");
}

/* Empty, and good for the same keys again. */
static bool flush_list_done(int fd)
{
	return !entries(fd, "list") && keys_members(fd, "list", keys, MEMBERS) == 0 &&
	       keys_add(fd, "list", keys, MEMBERS) == MEMBERS && both_same(fd);
}

static int flush_words_act(int fd)
{
	return flush_named(fd, "words");
}

static bool flush_words_done(int fd)
{
	return !entries(fd, "words") && strings_add(fd, "words", &strings) == STRINGS &&
	       both_same(fd);
}

/* Packets may add to it, so its room is kept. */
static int strong_prepare(int fd)
{
	const struct kcuckoo_ioc_create strong = {
		INET, .capacity = 20000, .hash = KCUCKOO_HASH_SIPHASH,
	};
	int error = bystanders(fd) ?: list_make(fd, "list", &strong) ?:
		    words_make(fd, "words", 0) ?:
		    filter_reserve(fd, "list", KCUCKOO_FAMILY_IPV4, 32, 5000) ?:
		    filter_reserve(fd, "list", KCUCKOO_FAMILY_IPV6, 128, 5000);

	know("list", keys, NULL, MEMBERS);
	know("words", NULL, &strings, STRINGS);
	return error;
}

TEST_F(faults, names)
{
	const struct action actions[] = {
		{ "destroy", both_prepare, destroy_act, destroy_done },
		{ "rename", both_prepare, rename_act, rename_done },
		{ "rename to a name that waits", waiting_prepare, rename_waiting_act,
		  rename_waiting_done },
		{ "swap", swap_prepare, swap_act, swap_done },
		{ "replace", swap_prepare, replace_act, replace_done },
		{ "flush of addresses", both_prepare, flush_list_act, flush_list_done },
		{ "flush of strings", both_prepare, flush_words_act, flush_words_done },
		{ "flush of room", strong_prepare, flush_list_act, flush_list_done },
	};

	sweep_all(_metadata, &self->sweep, actions, ARRAY_SIZE(actions));
}

/* Room ahead: where there is nothing yet, and where there are members. */
static int reserve_act(int fd, int family, int plen, __u64 count)
{
	struct kcuckoo_ioc_reserve request = {
		.size = sizeof(request),
		.family = family,
		.plen = plen,
		.count = count << sweep_round % 8,
	};

	set_name(request.name, "list");
	return fault_call(fd, KCUCKOO_IOC_RESERVE, &request);
}

static int room_prepare(int fd)
{
	const struct kcuckoo_ioc_create roomy = { INET, .capacity = 1000000, .value_bits = 8 };
	int error = bystanders(fd) ?: list_make(fd, "list", &roomy) ?:
		    words_make(fd, "words", 0);

	know("list", keys, NULL, MEMBERS);
	know("words", NULL, &strings, STRINGS);
	return error;
}

static int reserve_new_act(int fd)
{
	return reserve_act(fd, KCUCKOO_FAMILY_IPV4, 30, 100);
}

static int reserve_more_act(int fd)
{
	return reserve_act(fd, KCUCKOO_FAMILY_IPV4, 32, 1000);
}

static int reserve_long_act(int fd)
{
	return reserve_act(fd, KCUCKOO_FAMILY_IPV6, 127, 4000);
}

/* A quarter of the members in tables made for all. */
static int sparse_prepare(int fd)
{
	int error = bystanders(fd) ?: list_make(fd, "list", NULL) ?:
		    words_make(fd, "words", 0) ?:
		    filter_reserve(fd, "list", KCUCKOO_FAMILY_IPV4, 30, 100) ?:
		    filter_reserve(fd, "list", KCUCKOO_FAMILY_IPV4, 32, 600);

	if (!error && keys_del(fd, "list", keys, MEMBERS * 3 / 4) != MEMBERS * 3 / 4)
		error = -EPROTO;
	know("list", keys + MEMBERS * 3 / 4, NULL, MEMBERS / 4);
	know("words", NULL, &strings, STRINGS);
	return error;
}

static int compact_act(int fd)
{
	struct kcuckoo_ioc_compact request = { .size = sizeof(request) };

	set_name(request.name, "list");
	return fault_call(fd, KCUCKOO_IOC_COMPACT, &request);
}

static bool compact_done(int fd)
{
	return known_found(fd, known_count) && entries(fd, "list") == MEMBERS / 4;
}

TEST_F(faults, room)
{
	const struct action actions[] = {
		{ "reserve for a new length", room_prepare, reserve_new_act, both_same },
		{ "reserve for more", room_prepare, reserve_more_act, both_same },
		{ "reserve for long prefixes", room_prepare, reserve_long_act, both_same },
		{ "compact", sparse_prepare, compact_act, compact_done, ACTION_PARTLY },
	};

	sweep_all(_metadata, &self->sweep, actions, ARRAY_SIZE(actions));
}

/* "half" is like "list", and each has keys that the other has not. */
static int merge_prepare(int fd)
{
	int error = bystanders(fd) ?: filter_create(fd, "list", 1000) ?:
		    filter_create_like(fd, "half", "list");

	if (!error && (keys_add(fd, "list", keys, MEMBERS * 2 / 3) != MEMBERS * 2 / 3 ||
		       keys_add(fd, "half", keys + MEMBERS / 3, MEMBERS * 2 / 3) !=
		       MEMBERS * 2 / 3))
		error = -EPROTO;
	know("list", keys, NULL, MEMBERS * 2 / 3);
	know("half", keys + MEMBERS / 3, NULL, MEMBERS * 2 / 3);
	return error;
}

static int merge_act(int fd)
{
	return pair_act(fd, KCUCKOO_IOC_MERGE, "list", "half");
}

static bool merge_done(int fd)
{
	return entries(fd, "list") == MEMBERS &&
	       keys_members(fd, "list", keys, MEMBERS) == MEMBERS &&
	       known_found(fd, known_count);
}

static struct strings first_strings, last_strings;

static int merge_words_prepare(int fd)
{
	int error = bystanders(fd) ?: bytes_create(fd, "words", STRINGS, 12, 0) ?:
		    filter_create_like(fd, "half", "words");

	if (!first_strings.count) {
		first_strings = strings_make("key", 0, STRINGS / 2);
		last_strings = strings_make("key", STRINGS / 2, STRINGS / 2);
	}
	if (!error && (strings_add(fd, "words", &first_strings) != STRINGS / 2 ||
		       strings_add(fd, "half", &last_strings) != STRINGS / 2))
		error = -EPROTO;
	know("words", NULL, &first_strings, STRINGS / 2);
	know("half", NULL, &last_strings, STRINGS / 2);
	return error;
}

static int merge_words_act(int fd)
{
	return pair_act(fd, KCUCKOO_IOC_MERGE, "words", "half");
}

static bool merge_words_done(int fd)
{
	return entries(fd, "words") == STRINGS &&
	       strings_test(fd, "words", &strings) == STRINGS && known_found(fd, known_count);
}

TEST_F(faults, merge)
{
	const struct action actions[] = {
		{ "merge of addresses", merge_prepare, merge_act, merge_done },
		{ "merge of strings", merge_words_prepare, merge_words_act, merge_words_done },
	};

	sweep_all(_metadata, &self->sweep, actions, ARRAY_SIZE(actions));
}

/* A snapshot in one call, by a descriptor of its own. */
static __u8 image[1 << 16];
static __u64 image_total;
static const char *image_name;

static int save_act(int fd)
{
	struct kcuckoo_ioc_save request = {
		.size = sizeof(request),
		.buffer = (uintptr_t)image,
		.length = sizeof(image),
	};
	int own = client_open();
	int error;

	set_name(request.name, image_name);
	error = fault_call(own, KCUCKOO_IOC_SAVE, &request);
	close(own);
	if (!error && !fault.hit && request.done != request.total)
		error = -EPROTO;
	return error;
}

static int restore_act(int fd)
{
	struct kcuckoo_ioc_restore request = {
		.size = sizeof(request),
		.buffer = (uintptr_t)image,
		.length = image_total,
		.total = image_total,
	};
	int own = client_open();
	int error;

	set_name(request.name, "new");
	error = fault_call(own, KCUCKOO_IOC_RESTORE, &request);
	close(own);
	return error;
}

static int image_prepare(int fd)
{
	__u8 *copy;
	int error = both_prepare(fd) ?: image_save(fd, image_name, 1 << 16, &copy, &image_total);

	if (!error) {
		if (image_total > sizeof(image))
			return -EPROTO;
		memcpy(image, copy, image_total);
		free(copy);
	}
	return error;
}

/* A rule waits for the filter that is restored. */
static int image_waiting_prepare(int fd)
{
	return image_prepare(fd) ?:
	       rule_attach(fd, "new", KCUCKOO_HOOK_INPUT, KCUCKOO_FAMILY_BOTH,
			   KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_COUNT);
}

static bool restore_list_done(int fd)
{
	return both_same(fd) && keys_members(fd, "new", keys, MEMBERS) == MEMBERS &&
	       keys_covered(fd, "new", keys, MEMBERS) == MEMBERS;
}

static bool restore_words_done(int fd)
{
	return both_same(fd) && strings_test(fd, "new", &strings) == STRINGS;
}

TEST_F(faults, snapshot)
{
	const struct action lists[] = {
		{ "save addresses", both_prepare, save_act, both_same },
		{ "restore addresses", image_prepare, restore_act, restore_list_done,
		  ACTION_TOLD },
		{ "restore to a name that waits", image_waiting_prepare, restore_act,
		  restore_list_done, ACTION_TOLD },
	};
	const struct action words[] = {
		{ "save strings", both_prepare, save_act, both_same },
		{ "restore strings", image_prepare, restore_act, restore_words_done,
		  ACTION_TOLD },
	};

	image_name = "list";
	sweep_all(_metadata, &self->sweep, lists, ARRAY_SIZE(lists));
	image_name = "words";
	sweep_all(_metadata, &self->sweep, words, ARRAY_SIZE(words));
}

/* What only tells. */
static int info_act(int fd)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };

	set_name(info.name, "list");
	return fault_call(fd, KCUCKOO_IOC_INFO, &info);
}

static int list_act(int fd)
{
	struct kcuckoo_list_entry list[FILTERS_MAX];
	struct kcuckoo_ioc_list request = {
		.size = sizeof(request),
		.entries = (uintptr_t)list,
		.count = FILTERS_MAX,
	};

	return fault_call(fd, KCUCKOO_IOC_LIST, &request);
}

static int stats_act(int fd)
{
	struct kcuckoo_ioc_stats stats = { .size = sizeof(stats) };

	return fault_call(fd, KCUCKOO_IOC_STATS, &stats);
}

TEST_F(faults, figures)
{
	const struct action actions[] = {
		{ "info", both_prepare, info_act, both_same },
		{ "list", both_prepare, list_act, both_same },
		{ "stats", both_prepare, stats_act, both_same },
	};

	sweep_all(_metadata, &self->sweep, actions, ARRAY_SIZE(actions));
}

TEST_HARNESS_MAIN
