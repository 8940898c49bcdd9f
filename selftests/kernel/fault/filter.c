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

/* What they have beside; values of 8 bits. */
static __u32 values[MEMBERS];
static __u32 others[MEMBERS];
static __u32 timeouts[MEMBERS];

static int world_make(void)
{
	size_t i;

	for (i = 0; i < MEMBERS; i++) {
		values[i] = 1 + i;
		others[i] = 101 + i;
		timeouts[i] = 100000 + i;
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

	return !filter_info(fd, "new", &info) && !info.members &&
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
	{ INET, .capacity = 1000, .tag_bits = 12, .search_limit = 2 },
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
	struct action action = { "create", both_prepare, create_act, create_done };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(forms); i++) {
		form = forms[i];
		/* Every day the limits of one form of each type. */
		action.flags = i % 7 == 0 || fault_rounds() > 1 ?
			       ACTION_BYTES | ACTION_NAMES : 0;
		sweep_all(_metadata, &self->sweep, &action, 1);
	}
}

/* Tables of many pages; when there are rounds, of each form, in one of them. */
TEST_F(faults, create_large)
{
	const struct action action = { "create large", both_prepare, create_act, create_done };
	const bool thorough = fault_rounds() > 1;
	size_t i;

	if (!fault_available())
		SKIP(return, "no fault injection in this kernel");
	for (i = 0; i < ARRAY_SIZE(forms); i++) {
		form = forms[i];
		if (!form.capacity || form.type != KCUCKOO_TYPE_BYTES ||
		    (!thorough && form.bucket_size != 4))
			continue;
		form.capacity = thorough ? 3000000 : 300000;
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
	set_name(pair.other, other);
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
		{ "destroy", both_prepare, destroy_act, destroy_done, ACTION_LEAN },
		{ "rename", both_prepare, rename_act, rename_done, ACTION_LEAN },
		{ "rename to a name that waits", waiting_prepare, rename_waiting_act,
		  rename_waiting_done, ACTION_LEAN },
		{ "swap", swap_prepare, swap_act, swap_done, ACTION_LEAN },
		{ "replace", swap_prepare, replace_act, replace_done, ACTION_LEAN },
		{ "flush of addresses", both_prepare, flush_list_act, flush_list_done,
		  ACTION_SPITE },
		{ "flush of strings", both_prepare, flush_words_act, flush_words_done,
		  ACTION_SPITE },
		{ "flush of room", strong_prepare, flush_list_act, flush_list_done,
		  ACTION_SPITE },
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

static int compact_named(int fd, const char *name)
{
	struct kcuckoo_ioc_compact request = { .size = sizeof(request) };

	set_name(request.name, name);
	return fault_call(fd, KCUCKOO_IOC_COMPACT, &request);
}

static int compact_act(int fd)
{
	return compact_named(fd, "list");
}

static bool compact_done(int fd)
{
	return known_found(fd, known_count) && entries(fd, "list") == MEMBERS / 4;
}

static unsigned int doublings(int fd, const char *name)
{
	struct kcuckoo_ioc_info info;

	return filter_info(fd, name, &info) ? ~0U : info.doublings;
}

/*
 * A table that was doubled for more strings, and a quarter of these. As many as twice
 * the capacity do not fit into one doubling each time.
 */
#define CROWD_CAPACITY	240
#define CROWD		400

static int doubled_prepare(int fd)
{
	static struct strings crowd, left;
	struct strings gone;
	int error = bystanders(fd) ?: bytes_create(fd, "words", CROWD_CAPACITY, 16, 0);

	if (!crowd.count) {
		crowd = strings_make("crowd", 0, CROWD);
		left = strings_from(&crowd, CROWD * 3 / 4);
	}
	gone = crowd;
	gone.count = CROWD * 3 / 4;
	if (!error && (strings_add(fd, "words", &crowd) != CROWD ||
		       strings_del(fd, "words", &gone) != CROWD * 3 / 4 ||
		       doublings(fd, "words") != 1))
		error = -EPROTO;
	know("words", NULL, &left, CROWD / 4);
	return error;
}

static int compact_words_act(int fd)
{
	return compact_named(fd, "words");
}

static bool compact_words_done(int fd)
{
	return known_found(fd, known_count) && entries(fd, "words") == CROWD / 4 &&
	       !doublings(fd, "words");
}

TEST_F(faults, room)
{
	const struct action actions[] = {
		{ "reserve for a new length", room_prepare, reserve_new_act, both_same,
		  ACTION_BYTES },
		{ "reserve for more", room_prepare, reserve_more_act, both_same, ACTION_BYTES },
		{ "reserve for long prefixes", room_prepare, reserve_long_act, both_same,
		  ACTION_BYTES },
		{ "compact", sparse_prepare, compact_act, compact_done,
		  ACTION_PARTLY | ACTION_BYTES },
		{ "compact strings", doubled_prepare, compact_words_act, compact_words_done,
		  ACTION_BYTES },
	};

	sweep_all(_metadata, &self->sweep, actions, ARRAY_SIZE(actions));
}

/* Filters of each kind, and what is kept there. */
static const struct kcuckoo_ioc_create kinds[] = {
	{ INET, .capacity = 1000 },
	{ INET, .capacity = 1000, .value_bits = 8, .flags = KCUCKOO_CREATE_TIMEOUT },
	{ INET, .capacity = 1000, .tag_bits = 16 },
	{ BYTES, .capacity = 100, .tag_bits = 12 },
	{ BYTES, .capacity = 100, .tag_bits = 12, .flags = KCUCKOO_CREATE_SORTED },
	{ BYTES, .capacity = 100, .tag_bits = 32, .value_bits = 8 },
	{ BYTES, .capacity = 100, .tag_bits = 32, .value_bits = 8,
	  .flags = KCUCKOO_CREATE_TIMEOUT | KCUCKOO_CREATE_INSERT_ONLY },
};

static const char * const kind_names[ARRAY_SIZE(kinds)] = {
	"addresses", "addresses with values and timeouts", "fingerprints of addresses",
	"strings", "strings in sorted buckets", "strings with values",
	"strings with values and timeouts",
};

/* Those that have a sweep of their own every day, too. */
static bool kind_daily(size_t i)
{
	return kinds[i].type == KCUCKOO_TYPE_BYTES ? !(kinds[i].flags & KCUCKOO_CREATE_SORTED) :
						     !i;
}

/* The one that it is about, and how many keys there are for it. */
static const struct kcuckoo_ioc_create *kind;

static size_t kind_count(void)
{
	return kind->type == KCUCKOO_TYPE_BYTES ? STRINGS : MEMBERS;
}

/* Adds some of the keys, with all that is kept of them. */
static int kind_fill(int fd, const char *name, const __u32 *beside, size_t first,
		     size_t count)
{
	const struct strings some = strings_from(&strings, first);
	const bool bytes = kind->type == KCUCKOO_TYPE_BYTES;
	const bool expiring = kind->flags & KCUCKOO_CREATE_TIMEOUT;
	struct kcuckoo_ioc_add add = {
		.size = sizeof(add),
		.keys = bytes ? (uintptr_t)some.bytes : (uintptr_t)(keys + first),
		.lengths = bytes ? (uintptr_t)some.lengths : 0,
		.values = kind->value_bits ? (uintptr_t)(beside + first) : 0,
		.timeouts = expiring ? (uintptr_t)(timeouts + first) : 0,
		.count = count,
	};

	set_name(add.name, name);
	return call(fd, KCUCKOO_IOC_ADD, &add) ?: add.added == count ? 0 : -EPROTO;
}

/* Are all the keys there, and no more, with all that is kept of them? */
static bool kind_filled(int fd, const char *name, const __u32 *beside)
{
	const bool bytes = kind->type == KCUCKOO_TYPE_BYTES;
	__u32 found[MEMBERS] = {};
	struct kcuckoo_ioc_info now;
	struct kcuckoo_ioc_test test = {
		.size = sizeof(test),
		.flags = KCUCKOO_TEST_MEMBER,
		.keys = bytes ? (uintptr_t)strings.bytes : (uintptr_t)keys,
		.lengths = bytes ? (uintptr_t)strings.lengths : 0,
		.values = kind->value_bits ? (uintptr_t)found : 0,
		.max_values = !!kind->value_bits,
		.count = kind_count(),
	};

	set_name(test.name, name);
	return !call(fd, KCUCKOO_IOC_TEST, &test) && test.present == test.count &&
	       (!kind->value_bits || !memcmp(found, beside, test.count * sizeof(*found))) &&
	       (bytes || keys_covered(fd, name, keys, MEMBERS) == MEMBERS) &&
	       !filter_info(fd, name, &now) && now.members == test.count &&
	       now.members_with_timeout == (kind->flags & KCUCKOO_CREATE_TIMEOUT ? test.count : 0);
}

/* A filter "list" of the kind, without members. */
static int kind_create(int fd)
{
	struct kcuckoo_ioc_create create = *kind;

	create.size = sizeof(create);
	set_name(create.name, "list");
	return bystanders(fd) ?: call(fd, KCUCKOO_IOC_CREATE, &create);
}

/* Knows some of the keys. */
static void kind_know(const char *name, size_t first, size_t count)
{
	static struct strings some[2];
	struct strings *mine = &some[!!first];

	*mine = strings_from(&strings, first);
	mine->count = count;
	if (kind->type == KCUCKOO_TYPE_BYTES)
		know(name, NULL, mine, count);
	else
		know(name, keys + first, NULL, count);
}

/*
 * How many keys each of two filters has that are merged: some are in both, where a
 * member is one however often it is added.
 */
static size_t merge_reach(void)
{
	return !kind->tag_bits || kind->flags & KCUCKOO_CREATE_INSERT_ONLY ?
	       kind_count() * 2 / 3 : kind_count() / 2;
}

/*
 * The values of the second. A key with a fingerprint and another value would be another
 * member.
 */
static const __u32 *merge_values(void)
{
	return kind->tag_bits ? values : others;
}

/* "half" is like "list", and has the last keys, of which some have other values. */
static int merge_prepare(int fd)
{
	const size_t reach = merge_reach(), first = kind_count() - reach;

	kind_know("list", 0, reach);
	kind_know("half", first, reach);
	return kind_create(fd) ?: filter_create_like(fd, "half", "list") ?:
	       kind_fill(fd, "list", values, 0, reach) ?:
	       kind_fill(fd, "half", merge_values(), first, reach);
}

static int merge_act(int fd)
{
	return pair_act(fd, KCUCKOO_IOC_MERGE, "list", "half");
}

/* What was in the filter before has kept its value. */
static bool merge_done(int fd)
{
	const size_t reach = merge_reach();
	__u32 beside[MEMBERS];

	memcpy(beside, values, reach * sizeof(*beside));
	memcpy(beside + reach, merge_values() + reach,
	       (kind_count() - reach) * sizeof(*beside));
	return kind_filled(fd, "list", beside) && known_found(fd, known_count);
}

TEST_F(faults, merge)
{
	struct action action = { "merge", merge_prepare, merge_act, merge_done };
	char name[100];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		kind = &kinds[i];
		snprintf(name, sizeof(name), "merge %s", kind_names[i]);
		action.name = name;
		action.flags = ACTION_BYTES | (kind_daily(i) ? 0 : ACTION_ROUNDS);
		sweep_all(_metadata, &self->sweep, &action, 1);
	}
}

/* A snapshot, in pieces of so many bytes, by a descriptor of its own. */
static __u8 image[1 << 16];
static __u64 image_total;
static __u32 image_piece;

static int save_act(int fd)
{
	struct kcuckoo_ioc_save request = {
		.size = sizeof(request),
		.length = image_piece,
	};
	int own = client_open();
	int error;

	memset(image, POISON, sizeof(image));
	set_name(request.name, "list");
	do {
		request.buffer = (uintptr_t)image + request.offset;
		error = fault_call(own, KCUCKOO_IOC_SAVE, &request);
		request.offset += request.done;
	} while (!error && request.done && request.offset < request.total);
	close(own);
	image_total = request.offset;
	return error;
}

static int restore_act(int fd)
{
	struct kcuckoo_ioc_restore request = {
		.size = sizeof(request),
		.total = image_total,
	};
	int own = client_open();
	int error;

	set_name(request.name, "new");
	do {
		request.buffer = (uintptr_t)image + request.offset;
		request.length = image_total - request.offset < image_piece ?
				 image_total - request.offset : image_piece;
		error = fault_call(own, KCUCKOO_IOC_RESTORE, &request);
		request.offset += request.done;
	} while (!error && request.done && request.offset < image_total);
	close(own);
	return error;
}

static int kind_prepare(int fd)
{
	kind_know("list", 0, kind_count());
	return kind_create(fd) ?: kind_fill(fd, "list", values, 0, kind_count());
}

/* Is the snapshot the one that a filter has now, but for its time and checksum? */
static bool image_same(int fd, const char *name)
{
	__u8 *now = NULL;
	__u64 total;
	bool same;

	if (image_save(fd, name, 1 << 16, &now, &total))
		return false;
	memcpy(now + IMAGE_NOW, image + IMAGE_NOW, sizeof(__u32));
	same = total == image_total && !memcmp(image, now, total - IMAGE_END);
	free(now);
	return same;
}

static bool save_done(int fd)
{
	return image_same(fd, "list") && kind_filled(fd, "list", values);
}

static int image_prepare(int fd)
{
	__u8 *copy;
	int error = kind_prepare(fd) ?: image_save(fd, "list", 1 << 16, &copy, &image_total);

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

/* When a member expires is told by the time at which it was restored. */
static bool restore_done(int fd)
{
	return kind_filled(fd, "list", values) && kind_filled(fd, "new", values) &&
	       (kind->flags & KCUCKOO_CREATE_TIMEOUT || image_same(fd, "new"));
}

static void snapshot_sweep(struct __test_metadata *_metadata, struct sweep *sweep,
			   const char *what, const char *how)
{
	char names[3][100];
	const struct action actions[] = {
		{ names[0], kind_prepare, save_act, save_done, ACTION_BYTES },
		{ names[1], image_prepare, restore_act, restore_done,
		  ACTION_TOLD | ACTION_BYTES | ACTION_NAMES },
		{ names[2], image_waiting_prepare, restore_act, restore_done,
		  ACTION_TOLD | ACTION_BYTES },
	};

	snprintf(names[0], sizeof(names[0]), "save %s%s", what, how);
	snprintf(names[1], sizeof(names[1]), "restore %s%s", what, how);
	snprintf(names[2], sizeof(names[2]), "restore %s%s to a name that waits", what, how);
	/* Only rules wait, for addresses. */
	sweep_all(_metadata, sweep, actions, kind == kinds ? 3 : 2);
}

TEST_F(faults, snapshot)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		kind = &kinds[i];
		image_piece = sizeof(image);
		if (kind_daily(i) || fault_rounds() > 1)
			snapshot_sweep(_metadata, &self->sweep, kind_names[i], "");
	}
}

/* In several calls, of which any may fail. */
TEST_F(faults, pieces)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		kind = &kinds[i];
		image_piece = 700;
		if (i == ARRAY_SIZE(kinds) - 1 || fault_rounds() > 1)
			snapshot_sweep(_metadata, &self->sweep, kind_names[i], " in pieces");
	}
}

/* What only tells: it tells what it tells when nothing fails. */
static struct kcuckoo_ioc_info info;

static int info_act(int fd)
{
	memset(&info, 0, sizeof(info));
	info.size = sizeof(info);
	set_name(info.name, "list");
	return fault_call(fd, KCUCKOO_IOC_INFO, &info);
}

static bool info_done(int fd)
{
	struct kcuckoo_ioc_info again;

	return both_same(fd) && !filter_info(fd, "list", &again) &&
	       !memcmp(&info, &again, sizeof(info)) && info.members == MEMBERS;
}

static struct kcuckoo_list_entry listed[FILTERS_MAX];
static __u32 listed_total;

static int list_act(int fd)
{
	struct kcuckoo_ioc_list request = {
		.size = sizeof(request),
		.entries = (uintptr_t)listed,
		.count = FILTERS_MAX,
	};
	int error;

	memset(listed, POISON, sizeof(listed));
	error = fault_call(fd, KCUCKOO_IOC_LIST, &request);
	listed_total = request.total;
	return error;
}

static bool list_done(int fd)
{
	struct kcuckoo_list_entry again[FILTERS_MAX];

	memset(again, POISON, sizeof(again));
	return both_same(fd) && listed_total == BYSTANDERS + 2 &&
	       filter_list(fd, again, FILTERS_MAX) == BYSTANDERS + 2 &&
	       !memcmp(listed, again, sizeof(listed));
}

static struct kcuckoo_ioc_stats stats;

static int stats_act(int fd)
{
	memset(&stats, 0, sizeof(stats));
	stats.size = sizeof(stats);
	return fault_call(fd, KCUCKOO_IOC_STATS, &stats);
}

static bool stats_done(int fd)
{
	struct kcuckoo_ioc_stats again;

	return both_same(fd) && !client_stats(fd, &again) &&
	       !memcmp(&stats, &again, sizeof(stats)) && stats.filters == BYSTANDERS + 2;
}

TEST_F(faults, figures)
{
	const struct action actions[] = {
		{ "info", both_prepare, info_act, info_done, ACTION_LEAN },
		{ "list", both_prepare, list_act, list_done },
		{ "stats", both_prepare, stats_act, stats_done, ACTION_LEAN },
	};

	sweep_all(_metadata, &self->sweep, actions, ARRAY_SIZE(actions));
}

TEST_HARNESS_MAIN
