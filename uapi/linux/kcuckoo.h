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
 * namespace that owns it: open() fails without.
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
 *   EOPNOTSUPP  a known field asks for something that this filter cannot do
 *   ENOENT      no filter, or no rule, of that name
 *   EEXIST      the name, or the same rule, exists already
 *   EBUSY       rules or other users hold the filter's name
 *   ENOSPC      the filter is full: it holds as many members as its capacity
 *               allows, or its table has no room and may not or cannot grow
 *   ENOMEM      no memory; nothing was changed
 *   EDQUOT      the namespace may have no more names, rules, bytes or hooks
 *   EPERM       no CAP_NET_ADMIN, for the caller or for the opener; also of open()
 *   EFAULT      a pointer does not lead to memory of the caller; nothing was
 *               changed, unless the memory went away while the call was under
 *               way: then all may have been done, and not told
 *   EINTR       a fatal signal came before the first item was done
 *   ENODEV      the network namespace is gone, or went during the call
 *   ENXIO       the namespace has no such network device; of open(): no module
 *   EBADMSG     a snapshot is damaged, or another version's
 */
#ifndef _UAPI_LINUX_KCUCKOO_H
#define _UAPI_LINUX_KCUCKOO_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define KCUCKOO_DEVICE		"/dev/kcuckoo"

/*
 * Device number: misc major 10 and a minor for local use (243-254), so that udev
 * makes the node before the module is loaded; where it is taken, a dynamic one.
 */
#define KCUCKOO_MINOR		247

/*
 * A name: 1 to 31 characters of [A-Za-z0-9_.:-] and zeroes up to the end. Rules
 * and other users hold a name, not the filter behind it. They may hold one
 * that no filter has: it waits, nothing is in it, and a filter that is created,
 * restored or renamed to it is theirs at once. A name that waits counts for the
 * limit on filters, and is ENOENT wherever a filter is wanted.
 */
#define KCUCKOO_NAME_SIZE	32
#define KCUCKOO_DEV_SIZE	16	/* the same of a network device */

#define KCUCKOO_BATCH_MAX	(1U << 20)	/* largest @count; else EINVAL */
#define KCUCKOO_CAPACITY_MAX	(1ULL << 34)	/* members */
#define KCUCKOO_RULES_MAX	(1U << 14)	/* of a namespace */

/* Address families: a bit each; a rule may have both. */
#define KCUCKOO_FAMILY_IPV4	1
#define KCUCKOO_FAMILY_IPV6	2
#define KCUCKOO_FAMILY_BOTH	(KCUCKOO_FAMILY_IPV4 | KCUCKOO_FAMILY_IPV6)

#define KCUCKOO_BYTES_MAX	4096		/* longest byte string; else EINVAL */
#define KCUCKOO_TIMEOUT_MAX	315360000U	/* seconds: ten years */

/* Types of filters. */
enum kcuckoo_type {
	KCUCKOO_TYPE_INET	= 1,	/* addresses and prefixes */
	KCUCKOO_TYPE_BYTES	= 2,	/* byte strings, approximate */
};

/* Hash functions of a filter. */
enum kcuckoo_hash {
	KCUCKOO_HASH_JHASH	= 1,
	KCUCKOO_HASH_SIPHASH	= 2,
};

/* What became of one item of a batch; 0: not reached, or it cannot be told. */
enum kcuckoo_result {
	KCUCKOO_RESULT_NONE	= 0,
	KCUCKOO_RESULT_ADDED	= 1,	/* add: a member now */
	KCUCKOO_RESULT_EXISTS	= 2,	/* add: was a member already */
	KCUCKOO_RESULT_DELETED	= 3,	/* del: no member any more */
	KCUCKOO_RESULT_ABSENT	= 4,	/* del, test: is no member */
	KCUCKOO_RESULT_PRESENT	= 5,	/* test: is in the filter */
	KCUCKOO_RESULT_UPDATED	= 6,	/* update: has its new value */
	KCUCKOO_RESULT_REFUSED	= 7,	/* add: two buckets full of copies */
};

/* Where a rule sees packets, unless the host sends them to itself. */
enum kcuckoo_hook {
	KCUCKOO_HOOK_PREROUTING	= 0,	/* each fragment: before defragmentation */
	KCUCKOO_HOOK_INPUT	= 1,	/* reassembled; so in forward, with conntrack */
	KCUCKOO_HOOK_FORWARD	= 2,
	KCUCKOO_HOOK_OUTPUT	= 3,
	KCUCKOO_HOOK_INGRESS	= 4,	/* each fragment, as it comes from a device */
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
	KCUCKOO_ACTION_MARK	= 2,	/* give it a mark, and let it pass */
	KCUCKOO_ACTION_VALUE	= 3,	/* the member's value becomes its mark */
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

/* @flags of a filter. */
/* Four entries per bucket in four bits less; neither values nor timeouts. */
#define KCUCKOO_CREATE_SORTED		(1U << 0)
/* Keys are never deleted, and take one entry for each value they are given. */
#define KCUCKOO_CREATE_INSERT_ONLY	(1U << 1)
/* A table of fingerprints never grows. */
#define KCUCKOO_CREATE_FIXED		(1U << 2)
/* Keys can have a timeout. */
#define KCUCKOO_CREATE_TIMEOUT		(1U << 3)
/* All but @size, @flags and @name as in another filter, its secret included. */
#define KCUCKOO_CREATE_LIKE		(1U << 4)

/**
 * struct kcuckoo_ioc_create - make an empty filter
 * @size: sizeof(struct kcuckoo_ioc_create)
 * @flags: KCUCKOO_CREATE_*
 * @name: name of the new filter
 * @type: enum kcuckoo_type
 * @hash: enum kcuckoo_hash, or 0 for the default, KCUCKOO_HASH_JHASH
 * @bucket_size: entries per bucket, 1, 2, 4 or 8; or 0 for the default, which
 *	is 4, or with @fpr 2, 4 or 8, whichever takes the least memory
 * @tag_bits: bits of a fingerprint, 1..32, with KCUCKOO_CREATE_SORTED 5..32; or
 *	0: with @fpr as many as that takes; without, a filter of addresses is
 *	exact, and one of byte strings is EINVAL
 * @value_bits: bits of the value that each key has, 0..32
 * @reserved: zero
 * @capacity: 1..KCUCKOO_CAPACITY_MAX. The most members that an exact filter may
 *	have. With fingerprints so many of a prefix length fit before the first
 *	growth; or distinct byte strings, and EINVAL where no table has that room
 * @fpr: most false positives, in 2^-32 per look-up and prefix length in use, or
 *	0. Such a filter never grows where it has fingerprints
 * @search_limit: most buckets that an add visits in search of a free entry, 2..1024,
 *	or 0 for the default, 1024
 * @timeout: seconds that a key stays where an add does not say, up to
 *	KCUCKOO_TIMEOUT_MAX, or 0: for ever. Zero without KCUCKOO_CREATE_TIMEOUT
 * @reserved2: zero
 * @like: with KCUCKOO_CREATE_LIKE the name of another filter, else zero
 *
 * EOPNOTSUPP: semi-sorted buckets with values, timeouts, another @bucket_size
 * than 4 or exact; timeouts in a filter with fingerprints that is not
 * insert-only; an exact filter that is insert-only or fixed.
 */
struct kcuckoo_ioc_create {
	__u32 size;
	__u32 flags;
	__u8 name[KCUCKOO_NAME_SIZE];
	__u8 type;
	__u8 hash;
	__u8 bucket_size;
	__u8 tag_bits;
	__u8 value_bits;
	__u8 reserved[3];
	__aligned_u64 capacity;
	__u32 fpr;
	__u32 search_limit;
	__u32 timeout;
	__u32 reserved2;
	__u8 like[KCUCKOO_NAME_SIZE];
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
 * @new_name: its new name; EEXIST where that is taken by a filter
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
 * @other: the other; filters of different types are EINVAL
 *
 * Rules follow the name: after the swap a rule of @name matches what was
 * behind @other.
 */
struct kcuckoo_ioc_swap {
	__u32 size;
	__u32 flags;
	__u8 name[KCUCKOO_NAME_SIZE];
	__u8 other[KCUCKOO_NAME_SIZE];
};

/**
 * struct kcuckoo_ioc_replace - put a filter in the place of another
 * @size: sizeof(struct kcuckoo_ioc_replace)
 * @flags: zero
 * @name: the name to keep; the filter behind it is destroyed
 * @other: the name of the new filter, which ends; EBUSY while rules use it;
 *	filters of different types are EINVAL
 */
struct kcuckoo_ioc_replace {
	__u32 size;
	__u32 flags;
	__u8 name[KCUCKOO_NAME_SIZE];
	__u8 other[KCUCKOO_NAME_SIZE];
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
 * @plen: prefix length in bits; IPv6, 3..64: the room is for those in 2000::/3
 * @reserved: zero
 * @count: so many more of that length will come, up to KCUCKOO_CAPACITY_MAX; a
 *	hint, but for packets, and all the room there is where tables never grow
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
 * @name: name of the filter. After an error, too, its members are the same, and
 *	some of the memory may have been given back
 */
struct kcuckoo_ioc_compact {
	__u32 size;
	__u32 flags;
	__u8 name[KCUCKOO_NAME_SIZE];
};

/* Members stay as they are: neither value nor timeout is changed. */
#define KCUCKOO_ADD_ABSENT	(1U << 0)

/**
 * struct kcuckoo_ioc_add - add keys
 * @size: sizeof(struct kcuckoo_ioc_add)
 * @flags: KCUCKOO_ADD_ABSENT or zero; EOPNOTSUPP in a filter with fingerprints,
 *	unless it is insert-only and has neither values nor timeouts
 * @name: name of the filter
 * @keys: user address of @count struct kcuckoo_prefix; or of the byte strings,
 *	one behind the other
 * @results: user address of @count __u8 (enum kcuckoo_result), or 0
 * @count: number of keys, at most KCUCKOO_BATCH_MAX
 * @done: out: how many leading keys were done
 * @added: out: how many of these became members
 * @existed: out: how many were members already
 * @lengths: of byte strings: user address of @count __u16, their lengths
 * @values: user address of @count __u32, the keys' values, or 0: members of an
 *	exact filter keep theirs, and other keys get 0
 * @timeouts: user address of @count __u32, seconds until the key expires, 0 for
 *	never; or 0: the filter's timeout. EOPNOTSUPP where it has none
 * @refused: out: how many were not added because of as many copies
 * @reserved: zero
 *
 * Adding a member of an exact filter gives it the new value. Adding a member
 * again renews its timeout, and never shortens it.
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
	__aligned_u64 lengths;
	__aligned_u64 values;
	__aligned_u64 timeouts;
	__u32 refused;
	__u32 reserved;
};

/**
 * struct kcuckoo_ioc_del - delete keys; EOPNOTSUPP in an insert-only filter
 * @size: sizeof(struct kcuckoo_ioc_del)
 * @flags: zero
 * @name: name of the filter
 * @keys: as in struct kcuckoo_ioc_add
 * @results: user address of @count __u8 (enum kcuckoo_result), or 0
 * @count: number of keys, at most KCUCKOO_BATCH_MAX
 * @done: out: how many leading keys were done
 * @deleted: out: how many of these were members and are no more
 * @absent: out: how many were no members
 * @lengths: as in struct kcuckoo_ioc_add
 * @values: user address of @count __u32, the values that the keys have; or 0.
 *	A filter with fingerprints and values takes no 0 (EINVAL): keys that
 *	share a fingerprint can be told apart by their values alone
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
	__aligned_u64 lengths;
	__aligned_u64 values;
};

/**
 * struct kcuckoo_ioc_update - give keys another value, in place
 * @size: sizeof(struct kcuckoo_ioc_update)
 * @flags: zero
 * @name: name of a filter with values; EOPNOTSUPP for another, and for an
 *	insert-only one
 * @keys: as in struct kcuckoo_ioc_add
 * @results: user address of @count __u8 (enum kcuckoo_result), or 0
 * @count: number of keys, at most KCUCKOO_BATCH_MAX
 * @done: out: how many leading keys were done
 * @updated: out: how many of these have their new value
 * @absent: out: how many were no members, or had another value than the old one
 * @lengths: as in struct kcuckoo_ioc_add
 * @old_values: as @values of struct kcuckoo_ioc_del
 * @values: user address of @count __u32, the new values
 */
struct kcuckoo_ioc_update {
	__u32 size;
	__u32 flags;
	__u8 name[KCUCKOO_NAME_SIZE];
	__aligned_u64 keys;
	__aligned_u64 results;
	__u32 count;
	__u32 done;
	__u32 updated;
	__u32 absent;
	__aligned_u64 lengths;
	__aligned_u64 old_values;
	__aligned_u64 values;
};

/* Values that a key can have in a filter with fingerprints. */
#define KCUCKOO_VALUES_MAX	16

/*
 * Without a flag a full address (/32 or /128) is present when any member covers it, as a
 * packet would see it, and a shorter prefix only when it is a member.
 */
#define KCUCKOO_TEST_MEMBER	(1U << 0)	/* a key only when it is a member */
#define KCUCKOO_TEST_COVERED	(1U << 1)	/* any prefix that one member covers */

/**
 * struct kcuckoo_ioc_test - look keys up
 * @size: sizeof(struct kcuckoo_ioc_test)
 * @flags: one of KCUCKOO_TEST_*, or zero
 * @name: name of the filter
 * @keys: as in struct kcuckoo_ioc_add
 * @results: user address of @count __u8 (enum kcuckoo_result), or 0
 * @count: number of keys, at most KCUCKOO_BATCH_MAX
 * @done: out: how many leading keys were done
 * @present: out: how many of these are in the filter
 * @max_values: room for values, per key: 0..KCUCKOO_VALUES_MAX
 * @lengths: as in struct kcuckoo_ioc_add
 * @values: user address of room for @count times @max_values __u32, of each key; or 0
 * @value_counts: user address of @count __u8, how many values each key has; only
 *	the first @max_values of them were written. Or 0
 * @plens: with KCUCKOO_TEST_COVERED, of an exact filter: user address of room for
 *	@count __u8, the length of the longest member that covers each present key; or 0
 *
 * A key of a filter with fingerprints has its own value and those of all keys that
 * share its fingerprint; an address has that of the longest member that covers it.
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
	__u32 max_values;
	__aligned_u64 lengths;
	__aligned_u64 values;
	__aligned_u64 value_counts;
	__aligned_u64 plens;
};

/**
 * struct kcuckoo_cursor - the place of a walk; all zero to begin
 * @move_seq: number of the state of the tables that is walked
 * @position: opaque
 */
struct kcuckoo_cursor {
	__aligned_u64 move_seq;
	__aligned_u64 position;
};

/* @state of a walk after a call. */
enum kcuckoo_walk_state {
	KCUCKOO_WALK_MORE	= 0,	/* call again with the same cursor */
	KCUCKOO_WALK_END	= 1,	/* every member has been told */
	KCUCKOO_WALK_RESTART	= 2,	/* members were moved: begin again */
};

/**
 * struct kcuckoo_ioc_walk - list the members of an exact filter; EOPNOTSUPP for
 *	one with fingerprints, which does not know them
 * @size: sizeof(struct kcuckoo_ioc_walk)
 * @flags: zero
 * @name: name of the filter
 * @cursor: in and out
 * @keys: user address of room for @count struct kcuckoo_prefix
 * @count: room, in keys: 1..KCUCKOO_BATCH_MAX
 * @done: out: how many keys were written
 * @state: out: enum kcuckoo_walk_state
 * @reserved: zero
 * @values: user address of room for @count __u32, the values of the keys, or 0
 * @timeouts: user address of room for @count __u32, the seconds that the keys
 *	have left, 0 for those that never expire, or 0
 *
 * Members that are there from the first call to the last are told exactly once.
 * One that is added or deleted meanwhile may be told for each time it was there.
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
	__aligned_u64 values;
	__aligned_u64 timeouts;
};

/* Room with which a walk is quick. */
#define KCUCKOO_WALK_BATCH	4096

/**
 * struct kcuckoo_ioc_info - what a filter is and holds
 * @size: sizeof(struct kcuckoo_ioc_info)
 * @flags: zero
 * @name: name of the filter
 * @type: out: enum kcuckoo_type
 * @hash: out: enum kcuckoo_hash
 * @bucket_size: out: entries per bucket
 * @tag_bits: out: bits of a fingerprint, 0 in an exact filter
 * @rules: out: number of rules that use the name
 * @members: out: members
 * @members_ipv4: out: those of IPv4
 * @members_ipv6: out: those of IPv6
 * @capacity: out: as it was created
 * @table_entries: out: places for members in the tables as they are, bitmaps excluded
 * @table_entries_used: out: those taken; @table_entries_used / @table_entries is the load factor
 * @memory_bytes: out: everything the filter holds, in bytes
 * @plens_ipv4: out: bit n: there is a table for prefixes of n bits
 * @plens_ipv6: out: bit n % 64 of word n / 64: the same for IPv6
 * @searches: out: adds so far that needed a search for a free entry
 * @moves: out: entries moved so far
 * @growths: out: tables replaced by larger ones so far
 * @refused: out: adds refused so far: no capacity, no memory, or copies
 * @create_flags: out: KCUCKOO_CREATE_* of the filter, but KCUCKOO_CREATE_LIKE
 * @fpr: out: as it was created with
 * @search_limit: out: most buckets that an add visits in search of a free entry
 * @timeout: out: as it was created with
 * @value_bits: out: bits of a value
 * @doublings: out: how often the table of byte strings, or the one of prefixes
 *	that was doubled most often, has been doubled
 * @max_load: out: percent of a table's places that are surely taken before an add
 *	finds none, at its present size; of the table as above
 * @reserved: out: zero
 * @fingerprints_compared: out: of a filter with fingerprints: with how many fingerprints, in
 *	2^-16, a look-up compares on average; those of a table that has been
 *	doubled k times count 2^k times. A look-up of an absent key is a false
 *	positive with the probability 1 - (1 - 1 / (2^@tag_bits - 1))^@fingerprints_compared.
 *	One number for byte strings or IPv4 and one for IPv6
 * @members_with_timeout: out: entries that have a timeout, expired or not
 * @packet_added: out: addresses that packets added, since the name is used
 * @packet_deleted: out: addresses that packets deleted
 * @packet_full: out: those not added for want of reserved room, or of capacity
 * @packet_limited: out: those not added because of their rule's limit
 * @packet_refused: out: those for which the name had no filter that suits
 */
struct kcuckoo_ioc_info {
	__u32 size;
	__u32 flags;
	__u8 name[KCUCKOO_NAME_SIZE];
	__u8 type;
	__u8 hash;
	__u8 bucket_size;
	__u8 tag_bits;
	__u32 rules;
	__aligned_u64 members;
	__aligned_u64 members_ipv4;
	__aligned_u64 members_ipv6;
	__aligned_u64 capacity;
	__aligned_u64 table_entries;
	__aligned_u64 table_entries_used;
	__aligned_u64 memory_bytes;
	__aligned_u64 plens_ipv4;
	__aligned_u64 plens_ipv6[3];
	__aligned_u64 searches;
	__aligned_u64 moves;
	__aligned_u64 growths;
	__aligned_u64 refused;
	__u32 create_flags;
	__u32 fpr;
	__u32 search_limit;
	__u32 timeout;
	__u8 value_bits;
	__u8 doublings;
	__u8 max_load;
	__u8 reserved[5];
	__aligned_u64 fingerprints_compared[2];
	__aligned_u64 members_with_timeout;
	__aligned_u64 packet_added;
	__aligned_u64 packet_deleted;
	__aligned_u64 packet_full;
	__aligned_u64 packet_limited;
	__aligned_u64 packet_refused;
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
 * struct kcuckoo_ioc_attach - add a rule: drop, count or mark packets by a filter
 * @size: sizeof(struct kcuckoo_ioc_attach)
 * @flags: zero
 * @name: name of an inet filter (EOPNOTSUPP for another type), or one that no
 *	filter has: the rule waits, also while one of another type takes it
 * @hook: enum kcuckoo_hook
 * @family: KCUCKOO_FAMILY_IPV4, KCUCKOO_FAMILY_IPV6 or both
 * @match: enum kcuckoo_match
 * @action: enum kcuckoo_action; KCUCKOO_ACTION_VALUE is EOPNOTSUPP where the
 *	filter has no values; one that comes later without them marks with 0
 * @mark: the mark, with KCUCKOO_ACTION_MARK, else zero
 * @allow: name of another inet filter, or all zero: the rule does not match an
 *	address that is in it, and matches nothing at all while there is no
 *	inet filter of that name
 * @dev: with KCUCKOO_HOOK_INGRESS the name of a network device (ENXIO: none has
 *	it; EINVAL for a loopback device or a VRF), else all zero. The rule ends
 *	with the device, and when that goes to another namespace
 *
 * A rule is the same (EEXIST) where name, hook, device and match are equal and
 * the families overlap. A kernel may be without ingress hooks (EOPNOTSUPP).
 *
 * A rule holds the module, also while it waits, until it is detached or its device
 * or namespace ends.
 */
struct kcuckoo_ioc_attach {
	__u32 size;
	__u32 flags;
	__u8 name[KCUCKOO_NAME_SIZE];
	__u8 hook;
	__u8 family;
	__u8 match;
	__u8 action;
	__u32 mark;
	__u8 allow[KCUCKOO_NAME_SIZE];
	__u8 dev[KCUCKOO_DEV_SIZE];
};

/* Which fields of struct kcuckoo_ioc_detach a rule must agree with. */
#define KCUCKOO_DETACH_NAME	(1U << 0)
#define KCUCKOO_DETACH_HOOK	(1U << 1)
#define KCUCKOO_DETACH_FAMILY	(1U << 2)
#define KCUCKOO_DETACH_MATCH	(1U << 3)
#define KCUCKOO_DETACH_DEV	(1U << 4)

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
 * @dev: name of a network device (ENXIO: none has it)
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
	__u8 dev[KCUCKOO_DEV_SIZE];
};

/* No filter of addresses has a rule's name, or that of what it allows. */
#define KCUCKOO_RULE_WAITING		(1U << 0)
#define KCUCKOO_RULE_ALLOW_WAITING	(1U << 1)

/**
 * struct kcuckoo_rule - one rule in a list
 * @name: name of its filter
 * @hook: enum kcuckoo_hook
 * @family: KCUCKOO_FAMILY_*
 * @match: enum kcuckoo_match
 * @action: enum kcuckoo_action
 * @mark: the mark, with KCUCKOO_ACTION_MARK
 * @packets: packets, or fragments, whose address was in the filter
 * @bytes: the sum of their lengths, from the network header on
 * @flags: KCUCKOO_RULE_*
 * @reserved: zero
 * @allow: name of the filter of what it does not match, or all zero
 * @dev: the name that its device has now, with KCUCKOO_HOOK_INGRESS, else all zero
 */
struct kcuckoo_rule {
	__u8 name[KCUCKOO_NAME_SIZE];
	__u8 hook;
	__u8 family;
	__u8 match;
	__u8 action;
	__u32 mark;
	__aligned_u64 packets;
	__aligned_u64 bytes;
	__u32 flags;
	__u32 reserved;
	__u8 allow[KCUCKOO_NAME_SIZE];
	__u8 dev[KCUCKOO_DEV_SIZE];
};

/* Size of struct kcuckoo_rule up to @bytes, all that it was at first; the most. */
#define KCUCKOO_RULE_SIZE_MIN	56
#define KCUCKOO_RULE_SIZE_MAX	1024

/**
 * struct kcuckoo_ioc_rules - the rules of the namespace, in the order of packets
 * @size: sizeof(struct kcuckoo_ioc_rules)
 * @flags: zero
 * @rules: user address of room for @count struct kcuckoo_rule
 * @count: room, in rules
 * @total: out: as in struct kcuckoo_ioc_list
 * @rule_size: sizeof(struct kcuckoo_rule), a multiple of 8; 0 stands for
 *	KCUCKOO_RULE_SIZE_MIN. Of each rule so many bytes are written: its
 *	beginning, or all that this kernel knows and zeroes
 * @reserved: zero
 */
struct kcuckoo_ioc_rules {
	__u32 size;
	__u32 flags;
	__aligned_u64 rules;
	__u32 count;
	__u32 total;
	__u32 rule_size;
	__u32 reserved;
};

/* A version as a number; later ones are greater. */
#define KCUCKOO_VERSION(major, minor, patch)	\
	((major) << 16 | (minor) << 8 | (patch))

/* What a module has that not every version, kernel or build has. */
enum kcuckoo_feature {
	KCUCKOO_FEATURE_RULES_PIN_MODULE = 1,	/* rules hold the module */
	KCUCKOO_FEATURE_INGRESS	= 2,	/* KCUCKOO_HOOK_INGRESS */
	KCUCKOO_FEATURE_XDP	= 4,	/* XDP programs may call it, if BTF describes it */
	KCUCKOO_FEATURE_TC	= 8,	/* tc programs may call it, if BTF describes it */
};

/**
 * struct kcuckoo_ioc_stats - figures of the namespace
 * @size: sizeof(struct kcuckoo_ioc_stats)
 * @flags: zero
 * @filters: out: filters
 * @max_filters: out: the most there may be, names that wait for one included
 * @rules: out: rules
 * @waiting: out: names that wait for a filter
 * @members: out: members of all filters
 * @memory_bytes: out: bytes of all filters, tables that await their release
 *	included
 * @max_bytes: out: the most there may be
 * @version: out: KCUCKOO_VERSION() of the module
 * @reserved: out: zero
 * @features: out: the bits of enum kcuckoo_feature that the module has
 *
 * A module that does not know @version and @features leaves both 0. Modules before
 * 0.3.0 have other numbers for all calls: these are ENOTTY.
 */
struct kcuckoo_ioc_stats {
	__u32 size;
	__u32 flags;
	__u32 filters;
	__u32 max_filters;
	__u32 rules;
	__u32 waiting;
	__aligned_u64 members;
	__aligned_u64 memory_bytes;
	__aligned_u64 max_bytes;
	__u32 version;
	__u32 reserved;
	__aligned_u64 features;
};

/**
 * struct kcuckoo_ioc_merge - add all keys of a filter to another one like it
 * @size: sizeof(struct kcuckoo_ioc_merge)
 * @flags: zero
 * @name: name of the filter that gets them; changed at once, or not at all. A key
 *	that is deleted from it meanwhile may be missing afterwards, in @from or not
 * @from: name of the other; it stays as it is. One that was not created like the
 *	first, or the other way round, is EINVAL; @name itself, too; and filters of
 *	addresses with fingerprints whose tables were made for other numbers
 */
struct kcuckoo_ioc_merge {
	__u32 size;
	__u32 flags;
	__u8 name[KCUCKOO_NAME_SIZE];
	__u8 from[KCUCKOO_NAME_SIZE];
};

/**
 * struct kcuckoo_ioc_save - read a snapshot of a filter
 * @size: sizeof(struct kcuckoo_ioc_save)
 * @flags: zero
 * @name: name of the filter; the same in each call, else EINVAL
 * @offset: where in the snapshot to read; at 0 it is taken, and kept with the
 *	descriptor until it is read to its end (0 bytes there will do), another is
 *	taken or the descriptor is closed. EINVAL: there is none, or beyond its end
 * @buffer: user address of room for @length bytes
 * @length: room, in bytes
 * @done: out: bytes written there
 * @total: out: bytes of the snapshot
 *
 * A snapshot shows the filter as it was at one instant. It holds the filter's
 * secret, so it must be kept as safe as the filter's members.
 */
struct kcuckoo_ioc_save {
	__u32 size;
	__u32 flags;
	__u8 name[KCUCKOO_NAME_SIZE];
	__aligned_u64 offset;
	__aligned_u64 buffer;
	__u32 length;
	__u32 done;
	__aligned_u64 total;
};

/**
 * struct kcuckoo_ioc_restore - make a filter from a snapshot
 * @size: sizeof(struct kcuckoo_ioc_restore)
 * @flags: zero
 * @name: name of the new filter; the same in each call, else EINVAL
 * @offset: where in the snapshot these bytes belong: 0, or where the call before
 *	on the same descriptor ended; else EINVAL
 * @buffer: user address of @length bytes of the snapshot
 * @length: how many
 * @done: out: how many of them were taken
 * @total: bytes of the whole snapshot; the same in each call, else EINVAL
 *
 * With the last byte the filter appears under its name. None does, and it is
 * EBADMSG, with a damaged snapshot, and with one of 0 bytes: it ends the one before.
 */
struct kcuckoo_ioc_restore {
	__u32 size;
	__u32 flags;
	__u8 name[KCUCKOO_NAME_SIZE];
	__aligned_u64 offset;
	__aligned_u64 buffer;
	__u32 length;
	__u32 done;
	__aligned_u64 total;
};

/* @flags of a slot; one of them, or none. */
/* The name gets a user, as a rule is one. */
#define KCUCKOO_SLOT_GET	(1U << 0)
/* It loses the user that KCUCKOO_SLOT_GET with the same @ifindex gave it. */
#define KCUCKOO_SLOT_PUT	(1U << 1)

/**
 * struct kcuckoo_ioc_slot - number a name, for BPF programs
 * @size: sizeof(struct kcuckoo_ioc_slot)
 * @flags: KCUCKOO_SLOT_GET or KCUCKOO_SLOT_PUT, or 0 to learn @id alone
 * @name: the name. With KCUCKOO_SLOT_GET it need not have a filter: it waits
 * @ifindex: index of the network device that the hold ends with (ENXIO where there is
 *	none, EEXIST where it holds the name already); or 0: the hold ends with as many
 *	KCUCKOO_SLOT_PUT, or the namespace, and counts as one rule. Zero without a flag
 * @id: out: number of the name, the argument @slot_id of
 *	bpf_xdp_kcuckoo_contains() and bpf_skb_kcuckoo_contains(); no other name
 *	gets it before 2^32 others were given. Zero with KCUCKOO_SLOT_PUT
 *
 * Without a hold the name can be destroyed: a number that is gone contains nothing. Or
 * renamed: its number and what packets did go along, unless users wait for the new name.
 * EDQUOT as for a new filter; ENOENT: no such name, or no such hold.
 */
struct kcuckoo_ioc_slot {
	__u32 size;
	__u32 flags;
	__u8 name[KCUCKOO_NAME_SIZE];
	__u32 ifindex;
	__u32 id;
};

/*
 * No other driver has this number in Documentation/userspace-api/ioctl/ioctl-number.rst,
 * so a call that reaches a descriptor of another device by mistake is ENOTTY there.
 */
#define KCUCKOO_IOC_MAGIC	0xd6

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
#define KCUCKOO_IOC_UPDATE	_IO(KCUCKOO_IOC_MAGIC, 0x12)
#define KCUCKOO_IOC_MERGE	_IO(KCUCKOO_IOC_MAGIC, 0x13)
#define KCUCKOO_IOC_SAVE	_IO(KCUCKOO_IOC_MAGIC, 0x14)
#define KCUCKOO_IOC_RESTORE	_IO(KCUCKOO_IOC_MAGIC, 0x15)
#define KCUCKOO_IOC_SLOT	_IO(KCUCKOO_IOC_MAGIC, 0x16)

#endif /* _UAPI_LINUX_KCUCKOO_H */
