// SPDX-License-Identifier: GPL-2.0-only
/*
 * Staged filters, and replacements on a condition: every allocation and user copy fails
 * in turn. After each failure the descriptor has the staged filter that it had, or none.
 */

#include "sweep.h"

#include "staged.h"

#define MEMBERS	60

static struct kcuckoo_prefix keys[MEMBERS];
static struct kcuckoo_prefix others[MEMBERS];
static __u8 image[1 << 16];
static __u64 image_total;

static int world_make(void)
{
	size_t i;

	for (i = 0; i < MEMBERS; i++) {
		keys[i] = i % 2 ? ipv4(0x0a000000 + i, 32) :
			  ipv6(0x20010db8ULL << 32 | i << 16, 0, 48);
		others[i] = ipv4(0x0b000000 + i, 32);
	}
	return 0;
}

/* A filter "list" with the keys. */
static int list_prepare(int fd)
{
	int error = bystanders(fd) ?: filter_create(fd, "list", 1000);

	if (!error && keys_add(fd, "list", keys, MEMBERS) != MEMBERS)
		error = -EPROTO;
	know("list", keys, NULL, MEMBERS);
	return error;
}

/* A rule waits for a filter of the name that is given. */
static int waiting_prepare(int fd)
{
	return list_prepare(fd) ?:
	       rule_attach(fd, "new", KCUCKOO_HOOK_INPUT, KCUCKOO_FAMILY_BOTH,
			   KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_COUNT);
}

/* A snapshot of "list". */
static int image_prepare(int fd)
{
	__u8 *copy;
	int error = list_prepare(fd) ?: image_save(fd, "list", 1 << 16, &copy, &image_total);

	if (error)
		return error;
	if (image_total <= sizeof(image))
		memcpy(image, copy, image_total);
	free(copy);
	return image_total <= sizeof(image) ? 0 : -EPROTO;
}

/* A filter that has the keys which are to be replaced. */
static int old_prepare(int fd)
{
	int error = list_prepare(fd) ?: filter_create(fd, "old", 100);

	if (!error && keys_add(fd, "old", others, MEMBERS) != MEMBERS)
		error = -EPROTO;
	know("old", others, NULL, MEMBERS);
	return error;
}

/*
 * Gives the name "new" to the staged filter, if there is one, and closes the descriptor.
 * So a filter that a failed call has left is seen. Returns @error, the result of the call.
 */
static int reveal(int fd, int error)
{
	int published = staged_publish(fd, "new", 0);

	close(fd);
	if (published == (error ? -ENOENT : 0))
		return error;
	/* It was done, and the module could not copy the result. */
	return error == -EFAULT && !published ? error : -EPROTO;
}

/* Which form the staged filter has. */
static struct kcuckoo_ioc_create form;

static int create_act(int fd)
{
	int own = client_open();

	form.size = sizeof(form);
	form.flags |= KCUCKOO_CREATE_STAGED;
	return reveal(own, fault_call(own, KCUCKOO_IOC_CREATE, &form));
}

static bool create_done(int fd)
{
	return !filter_entries(fd, "new") && known_found(fd, known_count);
}

static int restore_act(int fd)
{
	struct kcuckoo_ioc_restore request = {
		.size = sizeof(request),
		.buffer = (uintptr_t)image,
		.total = image_total,
		.length = image_total,
	};
	int own = client_open();

	return reveal(own, fault_call(own, KCUCKOO_IOC_RESTORE, &request));
}

static bool new_filled(int fd)
{
	return keys_members(fd, "new", keys, MEMBERS) == MEMBERS &&
	       filter_entries(fd, "new") == MEMBERS && known_found(fd, known_count);
}

/* Does a descriptor still have the staged filter after @error, and only then? */
static bool staged_still(int fd, int error)
{
	return error ? keys_members(fd, STAGED, keys, MEMBERS) == MEMBERS :
		       filter_entries(fd, STAGED) == -ENOENT;
}

/* A descriptor with a staged filter of the keys, or a negative errno. */
static int staged_open(void)
{
	int own = client_open(), error = staged_create(own, 1000);

	if (!error && keys_add(own, STAGED, keys, MEMBERS) != MEMBERS)
		error = -EPROTO;
	if (error)
		close(own);
	return error ? error : own;
}

/* Does @request on a descriptor that has a staged filter. */
static int staged_act(unsigned long request, void *argument)
{
	int own = staged_open(), error;
	bool fits;

	if (own < 0)
		return own;
	error = fault_call(own, request, argument);
	fits = staged_still(own, error);
	close(own);
	return fits ? error : -EPROTO;
}

static int publish_act(int fd)
{
	struct kcuckoo_ioc_rename rename = {
		.size = sizeof(rename),
		.flags = KCUCKOO_RENAME_MANAGED,
		.new_name = "new",
	};

	return staged_act(KCUCKOO_IOC_RENAME, &rename);
}

static bool publish_done(int fd)
{
	struct kcuckoo_ioc_info info;

	return !filter_info(fd, "new", &info) && info.info_flags & KCUCKOO_INFO_MANAGED &&
	       new_filled(fd);
}

/* A replacement of "old" on the condition that it is unchanged. */
static struct kcuckoo_ioc_replace replace_of(int fd)
{
	struct kcuckoo_ioc_replace replace = {
		.size = sizeof(replace),
		.flags = KCUCKOO_REPLACE_IF_UNCHANGED,
		.name = "old",
	};
	struct kcuckoo_ioc_info info = {};

	filter_info(fd, "old", &info);
	replace.filter_id = info.filter_id;
	replace.changes = info.changes;
	return replace;
}

static int replace_act(int fd)
{
	struct kcuckoo_ioc_replace replace = replace_of(fd);

	return staged_act(KCUCKOO_IOC_REPLACE, &replace);
}

static bool replace_done(int fd)
{
	return keys_members(fd, "old", keys, MEMBERS) == MEMBERS &&
	       filter_entries(fd, "old") == MEMBERS && filter_entries(fd, "list") == MEMBERS;
}

static int replace_named_act(int fd)
{
	struct kcuckoo_ioc_replace replace = replace_of(fd);

	set_name(replace.other, "list");
	return fault_call(fd, KCUCKOO_IOC_REPLACE, &replace);
}

static bool replace_named_done(int fd)
{
	return keys_members(fd, "old", keys, MEMBERS) == MEMBERS &&
	       filter_entries(fd, "list") == -ENOENT;
}

/* Merges the staged filter, which is like "old", into "old". */
static int merge_act(int fd)
{
	struct kcuckoo_ioc_merge merge = { .size = sizeof(merge), .name = "old" };
	int own = client_open(), error;

	error = staged_create_like(own, "old");
	if (!error && keys_add(own, STAGED, keys, 10) != 10)
		error = -EPROTO;
	if (!error)
		error = fault_call(own, KCUCKOO_IOC_MERGE, &merge);
	close(own);
	return error;
}

static bool merge_done(int fd)
{
	return keys_members(fd, "old", keys, 10) == 10 &&
	       filter_entries(fd, "old") == MEMBERS + 10 && known_found(fd, known_count);
}

TEST_F(faults, create)
{
	static const struct kcuckoo_ioc_create forms[] = {
		{ .type = KCUCKOO_TYPE_INET, .capacity = 1000 },
		{ .type = KCUCKOO_TYPE_BYTES, .capacity = 1000, .tag_bits = 12 },
		{ .flags = KCUCKOO_CREATE_LIKE, .like = "list" },
	};
	const struct action action = {
		"create a staged filter", list_prepare, create_act, create_done, ACTION_BYTES,
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(forms); i++) {
		form = forms[i];
		sweep_all(_metadata, &self->sweep, &action, 1);
	}
}

TEST_F(faults, staged)
{
	const struct action actions[] = {
		{ "restore a staged filter", image_prepare, restore_act, new_filled,
		  ACTION_TOLD | ACTION_BYTES },
		{ "publish", list_prepare, publish_act, publish_done, ACTION_NAMES },
		{ "publish to a name that waits", waiting_prepare, publish_act, publish_done,
		  ACTION_LEAN },
		{ "replace if unchanged", old_prepare, replace_act, replace_done,
		  ACTION_LEAN },
		{ "replace by a name if unchanged", old_prepare, replace_named_act,
		  replace_named_done, ACTION_LEAN },
		{ "merge a staged filter", old_prepare, merge_act, merge_done },
	};

	sweep_all(_metadata, &self->sweep, actions, ARRAY_SIZE(actions));
}

TEST_HARNESS_MAIN
