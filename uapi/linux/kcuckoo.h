/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * kcuckoo: cuckoo filters in kernel memory, the contract of /dev/kcuckoo
 *
 * Every operation is one ioctl on an open descriptor of /dev/kcuckoo. Its
 * argument is a structure that begins with its own size: a program built
 * with an older header passes a shorter structure (the missing tail counts
 * as zero), one built with a newer header a longer one (refused unless the
 * unknown tail is zero). The request numbers carry no size, so they never
 * change. The layout is the same for 32-bit and 64-bit callers.
 *
 * A descriptor works on the network namespace in which it was opened, for
 * good. The caller and the opener both need CAP_NET_ADMIN over the user
 * namespace that owns it.
 *
 * Batches: a call that did at least one item returns 0 and says in @done how
 * many leading items were done. If @done is below @count, calling again with
 * the rest tells why, because an errno is only returned with @done = 0.
 *
 * Errors, the same everywhere (errno):
 *
 *   ENOTTY      no such operation
 *   E2BIG       the structure has a non-zero tail that this kernel does not know
 *   EINVAL      a value is understood and wrong: size too short, unknown flag,
 *               non-zero reserved field, malformed name, host bits in a prefix
 *   EOPNOTSUPP  a known field asks for something that this version has not
 *   ENOENT      no filter, or no rule, of that name
 *   EEXIST      the name, or the same rule, exists already
 *   EBUSY       rules or other users hold the filter's name
 *   ENOSPC      the filter holds as many members as its capacity allows
 *   ENOMEM      no memory; nothing was changed
 *   EDQUOT      the limit on filters or on bytes of the namespace is reached
 *   EPERM       no CAP_NET_ADMIN, for the caller or for the opener
 *   EFAULT      a pointer does not lead to memory of the caller
 *   EINTR       a fatal signal came before the first item was done
 *   ENODEV      the network namespace is gone
 *   EBADMSG     a snapshot is damaged
 */
#ifndef _UAPI_LINUX_KCUCKOO_H
#define _UAPI_LINUX_KCUCKOO_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define KCUCKOO_DEVICE		"/dev/kcuckoo"

/*
 * Device number: misc major 10, a minor out of the range kept for local use
 * (243-254), so that udev and depmod can make the node before the module is
 * loaded. Where it is taken, the module asks for a dynamic one.
 */
#define KCUCKOO_MINOR		247

/* A name: 1 to 31 characters of [A-Za-z0-9_.:-] and zeroes up to the end. */
#define KCUCKOO_NAME_SIZE	32

/* Largest @count of one batch; a larger one is EINVAL. */
#define KCUCKOO_BATCH_MAX	(1U << 20)

/* Largest capacity, in members. */
#define KCUCKOO_CAPACITY_MAX	(1ULL << 34)

/* Address families: a bit each; a rule may have both. */
#define KCUCKOO_FAMILY_IPV4	1
#define KCUCKOO_FAMILY_IPV6	2
#define KCUCKOO_FAMILY_BOTH	(KCUCKOO_FAMILY_IPV4 | KCUCKOO_FAMILY_IPV6)

/* Types of filters. */
enum kcuckoo_type {
	KCUCKOO_TYPE_INET	= 1,	/* addresses and prefixes, exact */
	KCUCKOO_TYPE_BYTES	= 2,	/* byte strings, approximate */
};

/* Hash functions of a filter. */
enum kcuckoo_hash {
	KCUCKOO_HASH_JHASH	= 1,
	KCUCKOO_HASH_SIPHASH	= 2,
};

/* What became of one item of a batch; 0 for one that was not reached. */
enum kcuckoo_result {
	KCUCKOO_RESULT_NONE	= 0,
	KCUCKOO_RESULT_ADDED	= 1,	/* add: a member now */
	KCUCKOO_RESULT_EXISTS	= 2,	/* add: was a member already */
	KCUCKOO_RESULT_DELETED	= 3,	/* del: no member any more */
	KCUCKOO_RESULT_ABSENT	= 4,	/* del, test: is no member */
	KCUCKOO_RESULT_PRESENT	= 5,	/* test: is in the filter */
};

/* Where a rule sees packets. */
enum kcuckoo_hook {
	KCUCKOO_HOOK_PREROUTING	= 0,	/* before connection tracking */
	KCUCKOO_HOOK_INPUT	= 1,
	KCUCKOO_HOOK_FORWARD	= 2,
	KCUCKOO_HOOK_OUTPUT	= 3,
};

/* Which address of a packet a rule looks up. */
enum kcuckoo_match {
	KCUCKOO_MATCH_SRC	= 0,
	KCUCKOO_MATCH_DST	= 1,
};

/* What a rule does with a packet whose address is in the filter. */
enum kcuckoo_action {
	KCUCKOO_ACTION_DROP	= 0,
	KCUCKOO_ACTION_COUNT	= 1,	/* count it, and let it pass */
};

/**
 * struct kcuckoo_prefix - a key of an inet filter
 * @addr: address in network byte order; IPv4 in the first four bytes, the
 *	other twelve zero. Bits behind the first @plen are zero.
 * @family: KCUCKOO_FAMILY_IPV4 or KCUCKOO_FAMILY_IPV6
 * @plen: prefix length in bits, 0..32 or 0..128
 * @reserved: zero
 */
struct kcuckoo_prefix {
	__u8 addr[16];
	__u8 family;
	__u8 plen;
	__u8 reserved[6];
};

/**
 * struct kcuckoo_ioc_create - make an empty filter
 * @size: sizeof(struct kcuckoo_ioc_create)
 * @flags: zero
 * @name: name of the new filter
 * @type: enum kcuckoo_type; KCUCKOO_TYPE_BYTES is EOPNOTSUPP in this version
 * @hash: enum kcuckoo_hash, or 0 for the default, KCUCKOO_HASH_JHASH;
 *	KCUCKOO_HASH_SIPHASH is EOPNOTSUPP in this version
 * @bucket_size: entries per bucket, 1, 2, 4 or 8, or 0 for the default, 4
 * @reserved: zero
 * @capacity: most members the filter may ever have, 1..KCUCKOO_CAPACITY_MAX
 */
struct kcuckoo_ioc_create {
	__u32 size;
	__u32 flags;
	__u8 name[KCUCKOO_NAME_SIZE];
	__u8 type;
	__u8 hash;
	__u8 bucket_size;
	__u8 reserved[5];
	__aligned_u64 capacity;
};

/**
 * struct kcuckoo_ioc_destroy - destroy a filter; EBUSY while rules use it
 * @size: sizeof(struct kcuckoo_ioc_destroy)
 * @flags: zero
 * @name: name of the filter
 */
struct kcuckoo_ioc_destroy {
	__u32 size;
	__u32 flags;
	__u8 name[KCUCKOO_NAME_SIZE];
};

/**
 * struct kcuckoo_ioc_rename - give a filter another name
 * @size: sizeof(struct kcuckoo_ioc_rename)
 * @flags: zero
 * @name: the filter's name now; EBUSY while rules use that name
 * @new_name: its new name; EEXIST where that is taken
 */
struct kcuckoo_ioc_rename {
	__u32 size;
	__u32 flags;
	__u8 name[KCUCKOO_NAME_SIZE];
	__u8 new_name[KCUCKOO_NAME_SIZE];
};

/**
 * struct kcuckoo_ioc_swap - exchange the filters behind two names at once
 * @size: sizeof(struct kcuckoo_ioc_swap)
 * @flags: zero
 * @name: one name
 * @with: the other; filters of different types are EINVAL
 *
 * Rules follow the name: after the swap a rule of @name matches what was
 * behind @with.
 */
struct kcuckoo_ioc_swap {
	__u32 size;
	__u32 flags;
	__u8 name[KCUCKOO_NAME_SIZE];
	__u8 with[KCUCKOO_NAME_SIZE];
};

/**
 * struct kcuckoo_ioc_replace - put a filter in the place of another
 * @size: sizeof(struct kcuckoo_ioc_replace)
 * @flags: zero
 * @name: the name to keep; the filter behind it is destroyed
 * @with: the name of the new filter, which ends; EBUSY while rules use it;
 *	filters of different types are EINVAL
 */
struct kcuckoo_ioc_replace {
	__u32 size;
	__u32 flags;
	__u8 name[KCUCKOO_NAME_SIZE];
	__u8 with[KCUCKOO_NAME_SIZE];
};

/**
 * struct kcuckoo_ioc_flush - remove all members
 * @size: sizeof(struct kcuckoo_ioc_flush)
 * @flags: zero
 * @name: name of the filter
 */
struct kcuckoo_ioc_flush {
	__u32 size;
	__u32 flags;
	__u8 name[KCUCKOO_NAME_SIZE];
};

/**
 * struct kcuckoo_ioc_reserve - make room ahead, for one prefix length
 * @size: sizeof(struct kcuckoo_ioc_reserve)
 * @flags: zero
 * @name: name of the filter
 * @family: KCUCKOO_FAMILY_IPV4 or KCUCKOO_FAMILY_IPV6
 * @plen: prefix length in bits
 * @reserved: zero
 * @count: so many further members of that length are to come, at most
 *	KCUCKOO_CAPACITY_MAX
 *
 * A hint for memory: filters grow without it, in steps of a quarter.
 */
struct kcuckoo_ioc_reserve {
	__u32 size;
	__u32 flags;
	__u8 name[KCUCKOO_NAME_SIZE];
	__u8 family;
	__u8 plen;
	__u8 reserved[6];
	__aligned_u64 count;
};

/**
 * struct kcuckoo_ioc_compact - give back the memory that the members do not need
 * @size: sizeof(struct kcuckoo_ioc_compact)
 * @flags: zero
 * @name: name of the filter
 */
struct kcuckoo_ioc_compact {
	__u32 size;
	__u32 flags;
	__u8 name[KCUCKOO_NAME_SIZE];
};

/**
 * struct kcuckoo_ioc_add - add keys
 * @size: sizeof(struct kcuckoo_ioc_add)
 * @flags: zero
 * @name: name of the filter
 * @keys: user address of @count struct kcuckoo_prefix
 * @results: user address of @count __u8 (enum kcuckoo_result), or 0
 * @count: number of keys, at most KCUCKOO_BATCH_MAX
 * @done: out: how many leading keys were done
 * @added: out: how many of these became members
 * @existed: out: how many were members already
 */
struct kcuckoo_ioc_add {
	__u32 size;
	__u32 flags;
	__u8 name[KCUCKOO_NAME_SIZE];
	__aligned_u64 keys;
	__aligned_u64 results;
	__u32 count;
	__u32 done;
	__u32 added;
	__u32 existed;
};

/**
 * struct kcuckoo_ioc_del - delete keys
 * @size: sizeof(struct kcuckoo_ioc_del)
 * @flags: zero
 * @name: name of the filter
 * @keys: user address of @count struct kcuckoo_prefix
 * @results: user address of @count __u8 (enum kcuckoo_result), or 0
 * @count: number of keys, at most KCUCKOO_BATCH_MAX
 * @done: out: how many leading keys were done
 * @deleted: out: how many of these were members and are no more
 * @absent: out: how many were no members
 */
struct kcuckoo_ioc_del {
	__u32 size;
	__u32 flags;
	__u8 name[KCUCKOO_NAME_SIZE];
	__aligned_u64 keys;
	__aligned_u64 results;
	__u32 count;
	__u32 done;
	__u32 deleted;
	__u32 absent;
};

/*
 * A key counts as present only if it is a member itself. Without this flag a
 * full address (/32 or /128) is present when any member covers it, as a
 * packet would see it; a shorter prefix only when it is a member.
 */
#define KCUCKOO_TEST_MEMBER	(1U << 0)

/**
 * struct kcuckoo_ioc_test - look keys up
 * @size: sizeof(struct kcuckoo_ioc_test)
 * @flags: KCUCKOO_TEST_MEMBER or zero
 * @name: name of the filter
 * @keys: user address of @count struct kcuckoo_prefix
 * @results: user address of @count __u8 (enum kcuckoo_result), or 0
 * @count: number of keys, at most KCUCKOO_BATCH_MAX
 * @done: out: how many leading keys were done
 * @present: out: how many of these are in the filter
 * @reserved: zero
 */
struct kcuckoo_ioc_test {
	__u32 size;
	__u32 flags;
	__u8 name[KCUCKOO_NAME_SIZE];
	__aligned_u64 keys;
	__aligned_u64 results;
	__u32 count;
	__u32 done;
	__u32 present;
	__u32 reserved;
};

/**
 * struct kcuckoo_cursor - the place of a walk; all zero to begin
 * @generation: number of the state of the tables that is walked
 * @position: opaque
 */
struct kcuckoo_cursor {
	__aligned_u64 generation;
	__aligned_u64 position;
};

/* @state of a walk after a call. */
enum kcuckoo_walk_state {
	KCUCKOO_WALK_MORE	= 0,	/* call again with the same cursor */
	KCUCKOO_WALK_END	= 1,	/* every member has been told */
	KCUCKOO_WALK_RESTART	= 2,	/* members were moved: forget what was
					 * told; the cursor is at the start again
					 */
};

/**
 * struct kcuckoo_ioc_walk - list the members of an inet filter
 * @size: sizeof(struct kcuckoo_ioc_walk)
 * @flags: zero
 * @name: name of the filter
 * @cursor: in and out
 * @keys: user address of room for @count struct kcuckoo_prefix
 * @count: room, in keys: KCUCKOO_WALK_MIN..KCUCKOO_BATCH_MAX
 * @done: out: how many keys were written
 * @state: out: enum kcuckoo_walk_state
 * @reserved: zero
 *
 * Members that are there from the first call to the last are told exactly
 * once; those added or deleted meanwhile, once or not at all.
 */
struct kcuckoo_ioc_walk {
	__u32 size;
	__u32 flags;
	__u8 name[KCUCKOO_NAME_SIZE];
	struct kcuckoo_cursor cursor;
	__aligned_u64 keys;
	__u32 count;
	__u32 done;
	__u32 state;
	__u32 reserved;
};

#define KCUCKOO_WALK_MIN	4096

/**
 * struct kcuckoo_ioc_info - what a filter is and holds
 * @size: sizeof(struct kcuckoo_ioc_info)
 * @flags: zero
 * @name: name of the filter
 * @type: out: enum kcuckoo_type
 * @hash: out: enum kcuckoo_hash
 * @bucket_size: out: entries per bucket
 * @reserved: zero
 * @rules: out: number of rules that use the name
 * @entries: out: members
 * @entries_ipv4: out: those of IPv4
 * @entries_ipv6: out: those of IPv6
 * @capacity: out: most members it may have
 * @slots: out: places for members in the tables as they are, bitmaps excluded
 * @slots_used: out: those taken; @slots_used / @slots is the load factor
 * @memory_bytes: out: everything the filter holds, in bytes
 * @lengths_ipv4: out: bit n: there is a table for prefixes of n bits
 * @lengths_ipv6: out: bit n % 64 of word n / 64: the same for IPv6
 * @searches: out: adds so far that needed a search for a free entry
 * @moves: out: entries moved so far
 * @growths: out: tables replaced by larger ones so far
 * @refused: out: adds refused so far for want of capacity or memory
 */
struct kcuckoo_ioc_info {
	__u32 size;
	__u32 flags;
	__u8 name[KCUCKOO_NAME_SIZE];
	__u8 type;
	__u8 hash;
	__u8 bucket_size;
	__u8 reserved;
	__u32 rules;
	__aligned_u64 entries;
	__aligned_u64 entries_ipv4;
	__aligned_u64 entries_ipv6;
	__aligned_u64 capacity;
	__aligned_u64 slots;
	__aligned_u64 slots_used;
	__aligned_u64 memory_bytes;
	__aligned_u64 lengths_ipv4;
	__aligned_u64 lengths_ipv6[3];
	__aligned_u64 searches;
	__aligned_u64 moves;
	__aligned_u64 growths;
	__aligned_u64 refused;
};

/**
 * struct kcuckoo_list_entry - one filter in a list
 * @name: its name
 * @type: enum kcuckoo_type
 * @reserved: zero
 */
struct kcuckoo_list_entry {
	__u8 name[KCUCKOO_NAME_SIZE];
	__u8 type;
	__u8 reserved[7];
};

/**
 * struct kcuckoo_ioc_list - the filters of the namespace, oldest name first
 * @size: sizeof(struct kcuckoo_ioc_list)
 * @flags: zero
 * @entries: user address of room for @count struct kcuckoo_list_entry
 * @count: room, in entries
 * @total: out: how many there are; where it is above @count, only the first
 *	@count were written
 */
struct kcuckoo_ioc_list {
	__u32 size;
	__u32 flags;
	__aligned_u64 entries;
	__u32 count;
	__u32 total;
};

/**
 * struct kcuckoo_ioc_attach - add a rule: drop or count packets by a filter
 * @size: sizeof(struct kcuckoo_ioc_attach)
 * @flags: zero
 * @name: name of an inet filter; EOPNOTSUPP for another type
 * @hook: enum kcuckoo_hook
 * @family: KCUCKOO_FAMILY_IPV4, KCUCKOO_FAMILY_IPV6 or both
 * @match: enum kcuckoo_match
 * @action: enum kcuckoo_action
 * @reserved: zero
 *
 * A rule is the same (EEXIST) where name, hook and match are equal and the
 * families overlap.
 */
struct kcuckoo_ioc_attach {
	__u32 size;
	__u32 flags;
	__u8 name[KCUCKOO_NAME_SIZE];
	__u8 hook;
	__u8 family;
	__u8 match;
	__u8 action;
	__u32 reserved;
};

/* Which fields of struct kcuckoo_ioc_detach a rule must agree with. */
#define KCUCKOO_DETACH_NAME	(1U << 0)
#define KCUCKOO_DETACH_HOOK	(1U << 1)
#define KCUCKOO_DETACH_FAMILY	(1U << 2)
#define KCUCKOO_DETACH_MATCH	(1U << 3)

/**
 * struct kcuckoo_ioc_detach - remove every rule that agrees with what is given
 * @size: sizeof(struct kcuckoo_ioc_detach)
 * @flags: KCUCKOO_DETACH_*: the fields that count; without any, all rules
 * @name: name of a filter, or all zero without KCUCKOO_DETACH_NAME
 * @hook: enum kcuckoo_hook
 * @family: equal to the rule's own family field
 * @match: enum kcuckoo_match
 * @reserved: zero
 * @removed: out: how many rules were removed; none is ENOENT
 */
struct kcuckoo_ioc_detach {
	__u32 size;
	__u32 flags;
	__u8 name[KCUCKOO_NAME_SIZE];
	__u8 hook;
	__u8 family;
	__u8 match;
	__u8 reserved;
	__u32 removed;
};

/**
 * struct kcuckoo_rule - one rule in a list
 * @name: name of its filter
 * @hook: enum kcuckoo_hook
 * @family: KCUCKOO_FAMILY_*
 * @match: enum kcuckoo_match
 * @action: enum kcuckoo_action
 * @reserved: zero
 * @packets: packets whose address was in the filter
 * @bytes: the sum of their lengths, from the network header on
 */
struct kcuckoo_rule {
	__u8 name[KCUCKOO_NAME_SIZE];
	__u8 hook;
	__u8 family;
	__u8 match;
	__u8 action;
	__u32 reserved;
	__aligned_u64 packets;
	__aligned_u64 bytes;
};

/**
 * struct kcuckoo_ioc_rules - the rules of the namespace, in the order in which
 *	packets meet them
 * @size: sizeof(struct kcuckoo_ioc_rules)
 * @flags: zero
 * @rules: user address of room for @count struct kcuckoo_rule
 * @count: room, in rules
 * @total: out: how many there are; where it is above @count, only the first
 *	@count were written
 */
struct kcuckoo_ioc_rules {
	__u32 size;
	__u32 flags;
	__aligned_u64 rules;
	__u32 count;
	__u32 total;
};

/**
 * struct kcuckoo_ioc_stats - figures of the namespace
 * @size: sizeof(struct kcuckoo_ioc_stats)
 * @flags: zero
 * @filters: out: filters
 * @max_filters: out: the most there may be
 * @rules: out: rules
 * @reserved: zero
 * @entries: out: members of all filters
 * @memory_bytes: out: bytes of all filters, tables that await their release
 *	included
 * @max_bytes: out: the most there may be
 */
struct kcuckoo_ioc_stats {
	__u32 size;
	__u32 flags;
	__u32 filters;
	__u32 max_filters;
	__u32 rules;
	__u32 reserved;
	__aligned_u64 entries;
	__aligned_u64 memory_bytes;
	__aligned_u64 max_bytes;
};

#define KCUCKOO_IOC_MAGIC	0xcf

#define KCUCKOO_IOC_CREATE	_IO(KCUCKOO_IOC_MAGIC, 0x00)
#define KCUCKOO_IOC_DESTROY	_IO(KCUCKOO_IOC_MAGIC, 0x01)
#define KCUCKOO_IOC_RENAME	_IO(KCUCKOO_IOC_MAGIC, 0x02)
#define KCUCKOO_IOC_SWAP	_IO(KCUCKOO_IOC_MAGIC, 0x03)
#define KCUCKOO_IOC_REPLACE	_IO(KCUCKOO_IOC_MAGIC, 0x04)
#define KCUCKOO_IOC_FLUSH	_IO(KCUCKOO_IOC_MAGIC, 0x05)
#define KCUCKOO_IOC_RESERVE	_IO(KCUCKOO_IOC_MAGIC, 0x06)
#define KCUCKOO_IOC_COMPACT	_IO(KCUCKOO_IOC_MAGIC, 0x07)
#define KCUCKOO_IOC_ADD		_IO(KCUCKOO_IOC_MAGIC, 0x08)
#define KCUCKOO_IOC_DEL		_IO(KCUCKOO_IOC_MAGIC, 0x09)
#define KCUCKOO_IOC_TEST	_IO(KCUCKOO_IOC_MAGIC, 0x0a)
#define KCUCKOO_IOC_WALK	_IO(KCUCKOO_IOC_MAGIC, 0x0b)
#define KCUCKOO_IOC_INFO	_IO(KCUCKOO_IOC_MAGIC, 0x0c)
#define KCUCKOO_IOC_LIST	_IO(KCUCKOO_IOC_MAGIC, 0x0d)
#define KCUCKOO_IOC_ATTACH	_IO(KCUCKOO_IOC_MAGIC, 0x0e)
#define KCUCKOO_IOC_DETACH	_IO(KCUCKOO_IOC_MAGIC, 0x0f)
#define KCUCKOO_IOC_RULES	_IO(KCUCKOO_IOC_MAGIC, 0x10)
#define KCUCKOO_IOC_STATS	_IO(KCUCKOO_IOC_MAGIC, 0x11)

#endif /* _UAPI_LINUX_KCUCKOO_H */
