/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * kcuckoo: the interface of /dev/kcuckoo, for cuckoo filters in kernel memory
 *
 * Every operation is one ioctl on an open descriptor of /dev/kcuckoo. Its
 * argument is a structure that begins with its own size. A program that was
 * built with an older header passes a shorter structure: the missing tail
 * counts as zero. A program that was built with a newer header passes a longer
 * structure, which is accepted only if the unknown tail is zero. The request
 * numbers do not contain the size, so the numbers never change. The layout is
 * the same for 32-bit and 64-bit callers.
 *
 * A descriptor always works on the network namespace in which a process opened
 * it. The caller and the opener both need CAP_NET_ADMIN over the user namespace
 * that owns this network namespace. Without CAP_NET_ADMIN, open() fails.
 *
 * Batches: a call that processed at least one item returns 0, and @done is the
 * number of leading items that it processed. If @done is below @count, call
 * again with the remaining items: if the first of them fails again, the call
 * returns its errno. A call that returns an errno has processed no item, except
 * in the case that is described for EFAULT.
 *
 * Errors have the same meaning for all operations (errno):
 *
 *   ENOTTY      no such operation
 *   E2BIG       the structure has a non-zero tail unknown to this kernel, or is
 *               longer than a page
 *   EINVAL      a value is not valid: size too short, unknown flag, non-zero
 *               reserved field, malformed name, host bits in a prefix
 *   EOPNOTSUPP  a known field requests something that this filter cannot do
 *   ENOENT      no such filter, rule, or user of a name
 *   EEXIST      the name, or the same rule, exists already
 *   EBUSY       the name has users: rules, BPF programs or other modules
 *   ENOSPC      the filter is full: it has as many members as its capacity
 *               allows, or its table has no free entry and cannot, or must
 *               not, grow
 *   ENOMEM      out of memory; nothing was changed
 *   EDQUOT      the namespace has reached its limit on names, rules, bytes,
 *               hooks or subscriptions
 *   EPERM       the caller or the opener has no CAP_NET_ADMIN; open() also
 *               returns this error
 *   EFAULT      a pointer is not valid user memory; nothing was changed, unless
 *               user memory is unmapped during the call: the operation can then
 *               be complete although EFAULT is returned
 *   EINTR       a fatal signal ended the call, or any signal ended a read()
 *   ENODEV      the network namespace ended before or during the call
 *   ENXIO       the namespace has no such network device; open() returns ENXIO
 *               if the module is not loaded
 *   ESTALE      the filter that was to be replaced has changed, or the name has
 *               another filter
 *   EBADMSG     a snapshot is damaged, or has a format version that the module
 *               does not read
 *   EPROTONOSUPPORT  the kernel has no logger for a rule that logs
 */
#ifndef _UAPI_LINUX_KCUCKOO_H
#define _UAPI_LINUX_KCUCKOO_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define KCUCKOO_DEVICE		"/dev/kcuckoo"

/*
 * Device number: misc major 10 and a minor for local use (243-254), so that
 * udev creates the node before the module is loaded. If another driver has this
 * minor, the module gets a dynamic minor.
 */
#define KCUCKOO_MINOR		247

/*
 * A name: 1 to 31 characters of [A-Za-z0-9_.:-], padded with zeros. Rules and
 * other users refer to a name, not to the filter that has the name at present.
 * They can also refer to a name without a filter. Such a name waits: look-ups
 * find nothing until a filter that is created, restored or renamed gets the
 * name. A waiting name counts for the limit on filters. An operation that needs
 * a filter returns ENOENT for a waiting name.
 *
 * A descriptor can have one filter without a name, its staged filter. Where the
 * comment of a field says "or staged", a name that is all zero refers to the
 * staged filter (ENOENT: the descriptor has none). No packet can reach a staged
 * filter, and KCUCKOO_IOC_LIST does not list it. Its memory counts for the
 * limit of the namespace. KCUCKOO_IOC_RENAME and KCUCKOO_IOC_REPLACE give the
 * staged filter a name. A call that is working on the staged filter when it gets
 * the name continues on the same filter. The staged filter is destroyed by
 * KCUCKOO_IOC_DESTROY, or when the last copy of the descriptor is closed.
 *
 * The mark "managed" belongs to a name with a filter. A program that configures
 * the namespace can mark the names that it has created. The kernel stores the
 * mark and does not use it. KCUCKOO_IOC_RENAME moves the mark to the new name.
 * When the name is removed, its mark is removed, too.
 */
#define KCUCKOO_NAME_SIZE	32
#define KCUCKOO_DEV_SIZE	16	/* bytes of the name of a network device */

#define KCUCKOO_BATCH_MAX	(1U << 20)	/* items of a call; above: EINVAL */
#define KCUCKOO_CAPACITY_MAX	(1ULL << 34)	/* members of a filter */
#define KCUCKOO_RULES_MAX	(1U << 14)	/* rules of a namespace */

/* Address families, as bits of a set; a rule can have both. */
#define KCUCKOO_FAMILY_IPV4	1
#define KCUCKOO_FAMILY_IPV6	2
#define KCUCKOO_FAMILY_BOTH	(KCUCKOO_FAMILY_IPV4 | KCUCKOO_FAMILY_IPV6)

#define KCUCKOO_BYTES_MAX	4096		/* bytes of a byte string; above: EINVAL */
#define KCUCKOO_TIMEOUT_MAX	315360000U	/* seconds: ten years */

/* Types of filters. A fingerprint is a short hash, which keys can share. */
enum kcuckoo_type {
	KCUCKOO_TYPE_INET	= 1,	/* addresses and prefixes */
	KCUCKOO_TYPE_BYTES	= 2,	/* byte strings, stored as fingerprints */
};

/* Hash functions of a filter. */
enum kcuckoo_hash {
	KCUCKOO_HASH_JHASH	= 1,
	KCUCKOO_HASH_SIPHASH	= 2,
};

/* Result for one item; 0: not processed, or the result could not be written. */
enum kcuckoo_result {
	KCUCKOO_RESULT_NONE	= 0,
	KCUCKOO_RESULT_ADDED	= 1,	/* add: the key became a member */
	KCUCKOO_RESULT_EXISTS	= 2,	/* add: the key was a member already */
	KCUCKOO_RESULT_DELETED	= 3,	/* del: the key is deleted */
	KCUCKOO_RESULT_ABSENT	= 4,	/* del, update, test: not a member */
	KCUCKOO_RESULT_PRESENT	= 5,	/* test: the filter has the key */
	KCUCKOO_RESULT_UPDATED	= 6,	/* update: the key has its new value */
	KCUCKOO_RESULT_REFUSED	= 7,	/* add: equal fingerprints fill both buckets */
};

/* Where a rule applies. It never applies to packets that the host sends to itself. */
enum kcuckoo_hook {
	KCUCKOO_HOOK_PREROUTING	= 0,	/* before reassembly of fragments */
	KCUCKOO_HOOK_INPUT	= 1,	/* after reassembly of fragments */
	KCUCKOO_HOOK_FORWARD	= 2,	/* reassembled if conntrack is in use */
	KCUCKOO_HOOK_OUTPUT	= 3,
	KCUCKOO_HOOK_INGRESS	= 4,	/* on receipt, before reassembly */
};

/* Which address of a packet a rule looks up. */
enum kcuckoo_match {
	KCUCKOO_MATCH_SRC	= 0,
	KCUCKOO_MATCH_DST	= 1,
};

/* What a rule does with a packet whose address is in the filter. */
enum kcuckoo_action {
	KCUCKOO_ACTION_DROP	= 0,
	KCUCKOO_ACTION_COUNT	= 1,	/* count the packet, and let it pass */
	KCUCKOO_ACTION_MARK	= 2,	/* mark the packet, and let it pass */
	KCUCKOO_ACTION_VALUE	= 3,	/* mark with the value of the member */
};

/* Where a rule logs the packets that it matches. */
enum kcuckoo_log {
	KCUCKOO_LOG_NONE	= 0,
	KCUCKOO_LOG_SYSLOG	= 1,	/* the log of the kernel */
	KCUCKOO_LOG_NFLOG	= 2,	/* a group of nfnetlink_log */
};

#define KCUCKOO_LOG_LIMIT	10U	/* packets per second, the default */
#define KCUCKOO_LOG_LIMIT_MAX	10000U	/* packets per second; above: EINVAL */
#define KCUCKOO_LOG_BURST	5U	/* maximum of packets logged at once */

/**
 * struct kcuckoo_prefix - a key of an inet filter
 * @addr: address in network byte order. IPv4 uses the first four bytes, and the
 *	other twelve are zero. Bits after the first @plen are zero
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

/* Values of @flags in struct kcuckoo_ioc_create. */
/* Sort each bucket, to save one bit per entry; no values or timeouts. */
#define KCUCKOO_CREATE_SORTED		(1U << 0)
/* Keys cannot be deleted. Equal fingerprints share an entry if the values are equal. */
#define KCUCKOO_CREATE_INSERT_ONLY	(1U << 1)
/* Tables of fingerprints never grow. */
#define KCUCKOO_CREATE_FIXED		(1U << 2)
/* Keys can have a timeout. */
#define KCUCKOO_CREATE_TIMEOUT		(1U << 3)
/* Copy all parameters and the hash secret of the filter @like. */
#define KCUCKOO_CREATE_LIKE		(1U << 4)
/* Create the staged filter of the descriptor; EEXIST if it has one. */
#define KCUCKOO_CREATE_STAGED		(1U << 5)
/* Mark the name as managed; not with KCUCKOO_CREATE_STAGED. */
#define KCUCKOO_CREATE_MANAGED		(1U << 6)

/**
 * struct kcuckoo_ioc_create - create an empty filter
 * @size: sizeof(struct kcuckoo_ioc_create)
 * @flags: KCUCKOO_CREATE_*
 * @name: name of the new filter; all zero with KCUCKOO_CREATE_STAGED
 * @type: enum kcuckoo_type
 * @hash: enum kcuckoo_hash, or 0 for the default, KCUCKOO_HASH_JHASH
 * @bucket_size: entries per bucket: 1, 2, 4 or 8. 0 selects the default: 4
 *	without @fpr; with @fpr 2, 4 or 8, whichever takes the least memory
 * @tag_bits: bits of a fingerprint: 1..32, with KCUCKOO_CREATE_SORTED 5..32.
 *	Zero with @fpr: the kernel then computes the number. Without @fpr, 0
 *	makes a filter of addresses exact, and is invalid (EINVAL) for byte
 *	strings
 * @value_bits: bits of the value that each key has, 0..32
 * @reserved: zero
 * @capacity: 1..KCUCKOO_CAPACITY_MAX. Exact filters: the maximum number of
 *	members. Filters with fingerprints: the number of keys of each prefix
 *	length, or of distinct byte strings, that fit before the first growth.
 *	EINVAL: no table is large enough for the byte strings
 * @fpr: maximum rate of false positives, in units of 2^-32, per look-up and
 *	prefix length in use, or 0 for no maximum. With @fpr, tables of
 *	fingerprints never grow
 * @search_limit: maximum number of buckets that an add visits in search of a
 *	free entry: 2..1024, or 0 for the default, 1024
 * @timeout: default timeout of keys in seconds, up to KCUCKOO_TIMEOUT_MAX; 0:
 *	keys without a timeout of their own never expire. Zero without
 *	KCUCKOO_CREATE_TIMEOUT
 * @reserved2: zero
 * @like: with KCUCKOO_CREATE_LIKE the name of another filter, else zero
 *
 * With KCUCKOO_CREATE_LIKE all parameters other than @size, @flags, @name and
 * @like must be zero, and of the other flags only KCUCKOO_CREATE_STAGED and
 * KCUCKOO_CREATE_MANAGED are allowed.
 *
 * EOPNOTSUPP is returned for
 * - KCUCKOO_CREATE_SORTED with values, with timeouts, with a @bucket_size other
 *   than 4, or in an exact filter;
 * - timeouts in a filter with fingerprints that is not insert-only;
 * - an exact filter that is insert-only or fixed.
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
 * struct kcuckoo_ioc_destroy - destroy a filter; EBUSY while its name has users
 * @size: sizeof(struct kcuckoo_ioc_destroy)
 * @flags: zero
 * @name: name of the filter, or staged
 */
struct kcuckoo_ioc_destroy {
	__u32 size;
	__u32 flags;
	__u8 name[KCUCKOO_NAME_SIZE];
};

/* Mark @new_name as managed; only for the staged filter. */
#define KCUCKOO_RENAME_MANAGED		(1U << 0)

/**
 * struct kcuckoo_ioc_rename - give a filter another name
 * @size: sizeof(struct kcuckoo_ioc_rename)
 * @flags: KCUCKOO_RENAME_MANAGED or zero
 * @name: present name of the filter, or staged; EBUSY while this name has users
 * @new_name: new name of the filter; EEXIST if another filter has it
 */
struct kcuckoo_ioc_rename {
	__u32 size;
	__u32 flags;
	__u8 name[KCUCKOO_NAME_SIZE];
	__u8 new_name[KCUCKOO_NAME_SIZE];
};

/**
 * struct kcuckoo_ioc_swap - exchange the filters of two names at once
 * @size: sizeof(struct kcuckoo_ioc_swap)
 * @flags: zero
 * @name: one name
 * @other: the other name; EINVAL if the filters have different types
 *
 * Rules stay with the name: after the swap a rule of @name matches the members
 * of the filter that @other had before.
 */
struct kcuckoo_ioc_swap {
	__u32 size;
	__u32 flags;
	__u8 name[KCUCKOO_NAME_SIZE];
	__u8 other[KCUCKOO_NAME_SIZE];
};

/* Replace the filter only if it has the given @filter_id and @changes. */
#define KCUCKOO_REPLACE_IF_UNCHANGED	(1U << 0)

/**
 * struct kcuckoo_ioc_replace - replace the filter of a name by another filter
 * @size: sizeof(struct kcuckoo_ioc_replace)
 * @flags: KCUCKOO_REPLACE_IF_UNCHANGED or zero
 * @name: the name that stays; its present filter is destroyed
 * @other: present name of the new filter, or staged; the name @other is
 *	removed. EBUSY while @other has users; EINVAL if the filters have
 *	different types
 * @filter_id: with KCUCKOO_REPLACE_IF_UNCHANGED: @filter_id of struct
 *	kcuckoo_ioc_info, else zero. ESTALE: @name has another filter
 * @changes: with KCUCKOO_REPLACE_IF_UNCHANGED: @changes of struct
 *	kcuckoo_ioc_info, else zero. ESTALE: @changes of the filter differs
 *
 * With KCUCKOO_REPLACE_IF_UNCHANGED no change that a call or packet makes
 * through @name is lost. The call or packet changes either the present filter,
 * before the kernel compares @changes, or the new filter.
 */
struct kcuckoo_ioc_replace {
	__u32 size;
	__u32 flags;
	__u8 name[KCUCKOO_NAME_SIZE];
	__u8 other[KCUCKOO_NAME_SIZE];
	__aligned_u64 filter_id;
	__aligned_u64 changes;
};

/**
 * struct kcuckoo_ioc_flush - remove all members
 * @size: sizeof(struct kcuckoo_ioc_flush)
 * @flags: zero
 * @name: name of the filter, or staged
 */
struct kcuckoo_ioc_flush {
	__u32 size;
	__u32 flags;
	__u8 name[KCUCKOO_NAME_SIZE];
};

/**
 * struct kcuckoo_ioc_reserve - reserve entries for members of one prefix length
 * @size: sizeof(struct kcuckoo_ioc_reserve)
 * @flags: zero
 * @name: name of the filter, or staged
 * @family: KCUCKOO_FAMILY_IPV4 or KCUCKOO_FAMILY_IPV6
 * @plen: prefix length in bits. In an exact filter, the entries for IPv6 prefix
 *	lengths of 3..64 are reserved for prefixes in 2000::/3
 * @reserved: zero
 * @count: number of further members of that length, up to KCUCKOO_CAPACITY_MAX.
 *	Most filters grow without a reservation. But packets can add only to
 *	reserved entries. A table of fingerprints that has members does not
 *	change. So in a filter whose tables never grow, reserve entries before
 *	the first add. Otherwise the table is made for the capacity
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
 * struct kcuckoo_ioc_compact - free the memory that the members do not need
 * @size: sizeof(struct kcuckoo_ioc_compact)
 * @flags: zero
 * @name: name of the filter, or staged. After an error the members are
 *	unchanged, but a part of the memory can be free already
 */
struct kcuckoo_ioc_compact {
	__u32 size;
	__u32 flags;
	__u8 name[KCUCKOO_NAME_SIZE];
};

/* Do not change the values and timeouts of keys that are members already. */
#define KCUCKOO_ADD_ABSENT	(1U << 0)

/**
 * struct kcuckoo_ioc_add - add keys
 * @size: sizeof(struct kcuckoo_ioc_add)
 * @flags: KCUCKOO_ADD_ABSENT or zero. EOPNOTSUPP: the flag needs an exact
 *	filter, or an insert-only filter without values and timeouts
 * @name: name of the filter, or staged
 * @keys: user address of @count struct kcuckoo_prefix, or of @count byte
 *	strings without gaps between them
 * @results: user address of @count __u8 (enum kcuckoo_result), or 0
 * @count: number of keys, at most KCUCKOO_BATCH_MAX
 * @done: out: number of leading keys that were processed
 * @added: out: number of processed keys that became members
 * @existed: out: number of processed keys that were members already
 * @lengths: byte strings: user address of @count __u16, their lengths in bytes
 * @values: user address of @count __u32, the values of the keys, or 0;
 *	EOPNOTSUPP if the filter has no values. If @values is 0, members of an
 *	exact filter keep their value, and other keys get the value 0
 * @timeouts: user address of @count __u32, the timeouts of the keys in seconds,
 *	where 0 means never; EOPNOTSUPP if the filter has no timeouts. If
 *	@timeouts is 0, keys get the default timeout of the filter
 * @refused: out: number of keys that were not added, because entries with the
 *	same fingerprint fill both of their buckets
 * @reserved: zero
 *
 * If a key is a member of an exact filter already, an add gives it the new
 * value. If a key is a member of a filter with timeouts already, an add renews
 * its timeout, but never shortens it.
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
 * @name: name of the filter, or staged
 * @keys: as in struct kcuckoo_ioc_add
 * @results: user address of @count __u8 (enum kcuckoo_result), or 0
 * @count: number of keys, at most KCUCKOO_BATCH_MAX
 * @done: out: number of leading keys that were processed
 * @deleted: out: number of processed keys that were members and were deleted
 * @absent: out: number of processed keys that were not members
 * @lengths: as in struct kcuckoo_ioc_add
 * @values: user address of @count __u32, the present values of the keys, or 0.
 *	EINVAL: @values is 0, and the filter has fingerprints and values, so
 *	that only the values distinguish keys that share a fingerprint
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
 * struct kcuckoo_ioc_update - replace the values of keys in place
 * @size: sizeof(struct kcuckoo_ioc_update)
 * @flags: zero
 * @name: name of a filter with values, or staged; EOPNOTSUPP if the filter has
 *	no values, or is insert-only
 * @keys: as in struct kcuckoo_ioc_add
 * @results: user address of @count __u8 (enum kcuckoo_result), or 0
 * @count: number of keys, at most KCUCKOO_BATCH_MAX
 * @done: out: number of leading keys that were processed
 * @updated: out: number of processed keys that have their new value
 * @absent: out: number of processed keys that were not members, or did not have
 *	their value in @old_values
 * @lengths: as in struct kcuckoo_ioc_add
 * @old_values: like @values of struct kcuckoo_ioc_del
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

/* Maximum number of values of one key in a filter with fingerprints. */
#define KCUCKOO_VALUES_MAX	16

/*
 * Without a flag, a full address (/32 or /128) is present if any member covers
 * it, as in a look-up for a packet. A shorter prefix is present only if it is
 * itself a member.
 *
 *   KCUCKOO_TEST_MEMBER    a key is present only if it is a member
 *   KCUCKOO_TEST_COVERED   a key is present if one member covers it; EOPNOTSUPP
 *                          for byte strings
 */
#define KCUCKOO_TEST_MEMBER	(1U << 0)
#define KCUCKOO_TEST_COVERED	(1U << 1)

/**
 * struct kcuckoo_ioc_test - look up keys
 * @size: sizeof(struct kcuckoo_ioc_test)
 * @flags: one of KCUCKOO_TEST_*, or zero
 * @name: name of the filter, or staged
 * @keys: as in struct kcuckoo_ioc_add
 * @results: user address of @count __u8 (enum kcuckoo_result), or 0
 * @count: number of keys, at most KCUCKOO_BATCH_MAX
 * @done: out: number of leading keys that were processed
 * @present: out: number of processed keys that are in the filter
 * @max_values: maximum number of values to return per key,
 *	0..KCUCKOO_VALUES_MAX
 * @lengths: as in struct kcuckoo_ioc_add
 * @values: user address of an array of @count rows of @max_values __u32: each
 *	key's values. Or 0; then @max_values and @value_counts must be 0
 * @value_counts: user address of @count __u8, the number of values that each
 *	key has; the first @max_values were written; or 0
 * @plens: with KCUCKOO_TEST_COVERED, for an exact filter: user address of
 *	@count __u8, for each present key, the prefix length of the longest
 *	member that covers the key; or 0
 *
 * In a filter with fingerprints a look-up of a key returns the value of the key
 * and the values of all keys that share its fingerprint. The value of an
 * address is the value of the longest member that covers it.
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
 * struct kcuckoo_cursor - the position of a walk; all zero to begin
 * @move_seq: a number of the filter that changes when members move
 * @position: where the walk continues; opaque to programs
 */
struct kcuckoo_cursor {
	__aligned_u64 move_seq;
	__aligned_u64 position;
};

/* Values of @state in struct kcuckoo_ioc_walk. */
enum kcuckoo_walk_state {
	KCUCKOO_WALK_MORE	= 0,	/* call again with the same cursor */
	KCUCKOO_WALK_END	= 1,	/* all members were listed */
	KCUCKOO_WALK_RESTART	= 2,	/* members moved: begin again */
};

/**
 * struct kcuckoo_ioc_walk - list the members of an exact filter; EOPNOTSUPP for
 *	a filter with fingerprints, which does not store its keys
 * @size: sizeof(struct kcuckoo_ioc_walk)
 * @flags: zero
 * @name: name of the filter, or staged
 * @cursor: in and out
 * @keys: user address of an array of @count struct kcuckoo_prefix
 * @count: size of the arrays, in keys: 1..KCUCKOO_BATCH_MAX
 * @done: out: number of keys that were written
 * @state: out: enum kcuckoo_walk_state
 * @reserved: zero
 * @values: user address of an array of @count __u32 for the values of the keys;
 *	or 0
 * @timeouts: user address of an array of @count __u32 for the seconds until the
 *	keys expire, 0 for keys that never expire; or 0
 *
 * A key that is a member from the first call to the last is listed exactly
 * once. A key that is added or deleted during the walk can be missing, or can
 * be listed once for each period in which it was a member.
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

/* Recommended @count of a walk, with which the fixed cost per key is small. */
#define KCUCKOO_WALK_BATCH	4096

/* Values of @info_flags. */
#define KCUCKOO_INFO_MANAGED	(1U << 0)	/* the name is managed */
/*
 * Packets can add to the filter or delete from it: the filter is exact, and a
 * rule of iptables, or another module, changes the filter of this name.
 */
#define KCUCKOO_INFO_PACKETS	(1U << 1)

/**
 * struct kcuckoo_ioc_info - get the parameters and the state of a filter
 * @size: sizeof(struct kcuckoo_ioc_info)
 * @flags: zero
 * @name: name of the filter, or staged
 * @type: out: enum kcuckoo_type
 * @hash: out: enum kcuckoo_hash
 * @bucket_size: out: entries per bucket
 * @tag_bits: out: bits of a fingerprint, 0 in an exact filter
 * @rules: out: number of users of the name: rules, BPF programs, other modules
 * @members: out: number of members; an expired member counts until it is
 *	removed
 * @members_ipv4: out: number of IPv4 members
 * @members_ipv6: out: number of IPv6 members
 * @capacity: out: @capacity of struct kcuckoo_ioc_create
 * @table_entries: out: number of entries of all tables at their present size;
 *	bitmaps do not count
 * @table_entries_used: out: number of these entries that are in use;
 *	@table_entries_used / @table_entries is the load factor
 * @memory_bytes: out: all memory of the filter, in bytes
 * @plens_ipv4: out: bit n is set if IPv4 prefixes of n bits have a table or bitmap
 * @plens_ipv6: out: bit n % 64 of word n / 64 is set if IPv6 prefixes of n bits
 *	have a table or bitmap
 * @searches: out: number of adds that needed a search for a free entry
 * @moves: out: number of entries that searches moved
 * @growths: out: number of times that an add made a table larger
 * @refused: out: number of adds that were refused for lack of capacity or of
 *	memory, or because equal fingerprints fill both buckets of the key
 * @create_flags: out: KCUCKOO_CREATE_* of the filter: the flags of its
 *	parameters, from KCUCKOO_CREATE_SORTED to KCUCKOO_CREATE_TIMEOUT
 * @fpr: out: @fpr of struct kcuckoo_ioc_create
 * @search_limit: out: maximum number of buckets that an add visits in search of
 *	a free entry
 * @timeout: out: @timeout of struct kcuckoo_ioc_create
 * @value_bits: out: bits of a value
 * @doublings: out: number of times that the table of fingerprints was doubled.
 *	In a filter with several tables this is the maximum of all tables
 * @max_load: out: load factor, in percent, that a table always reaches at its
 *	present size before an add finds no free entry: the minimum of all
 *	tables that were doubled @doublings times; 0 in an exact filter
 * @reserved: out: zero
 * @fingerprints_compared: out: average number of fingerprints with which a
 *	look-up compares the fingerprint of a key, in units of 2^-16. A
 *	fingerprint of a table that was doubled k times counts 2^k times. A
 *	look-up of an absent key is a false positive with the probability 1 - (1
 *	- 1 / (2^@tag_bits - 1))^c, where c is this number. Element 0 is for
 *	byte strings or IPv4, element 1 for IPv6
 * @members_with_timeout: out: number of members that have a timeout; an expired
 *	member counts until it is removed
 * @packet_added: out: number of addresses that packets have added. All fields
 *	@packet_* count from the time when another module first used the name
 * @packet_deleted: out: number of addresses that packets deleted
 * @packet_full: out: number of addresses that were not added for lack of
 *	reserved entries or of capacity
 * @packet_limited: out: number of addresses that were not added because of the
 *	limit of their rule
 * @packet_refused: out: number of addresses that were not added or deleted
 *	because the name had no suitable filter
 * @filter_id: out: number of the filter, never 0; no other filter gets this
 *	number while the module is loaded
 * @changes: out: number of changes of members by adds, deletes, updates,
 *	merges, flushes and packets. An add that only changes a value or a
 *	timeout counts. The expiry of a member does not count
 * @info_flags: out: KCUCKOO_INFO_*
 * @reserved3: out: zero
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
	__aligned_u64 filter_id;
	__aligned_u64 changes;
	__u32 info_flags;
	__u32 reserved3;
};

/* Values of @flags in struct kcuckoo_list_entry. */
#define KCUCKOO_LIST_MANAGED	(1U << 0)	/* the name is managed */

/**
 * struct kcuckoo_list_entry - one filter in a list
 * @name: name of the filter
 * @type: enum kcuckoo_type
 * @flags: KCUCKOO_LIST_*
 * @reserved: zero
 */
struct kcuckoo_list_entry {
	__u8 name[KCUCKOO_NAME_SIZE];
	__u8 type;
	__u8 flags;
	__u8 reserved[6];
};

/**
 * struct kcuckoo_ioc_list - list the filters of the namespace, oldest name
 *	first
 * @size: sizeof(struct kcuckoo_ioc_list)
 * @flags: zero
 * @entries: user address of an array of @count struct kcuckoo_list_entry
 * @count: size of the array, in entries
 * @total: out: number of filters; if @total is above @count, only the first
 *	@count filters were written
 */
struct kcuckoo_ioc_list {
	__u32 size;
	__u32 flags;
	__aligned_u64 entries;
	__u32 count;
	__u32 total;
};

/* Values of @flags in struct kcuckoo_ioc_attach. */
/*
 * With KCUCKOO_HOOK_INGRESS: @dev is the name of a device, which need not
 * exist, or a pattern. A pattern ends in '*', and stands for all names that
 * begin with the text before the '*'. The rule applies to each device that has
 * such a name. It begins to apply when the device is registered, gets the name
 * or comes from another namespace, and ends when the device is unregistered,
 * gets another name or moves away. While no device has such a name, the rule
 * waits.
 */
#define KCUCKOO_ATTACH_WAIT	(1U << 0)
/*
 * If the same rule exists, with the same family: replace its action, mark,
 * allow filter, label and log in one step, so that either the old rule or the
 * new rule applies to each packet. The new rule keeps the counters and the
 * position. EEXIST if the families of the two rules overlap but are not equal.
 * If no such rule exists, add the rule.
 */
#define KCUCKOO_ATTACH_REPLACE	(1U << 1)

/**
 * struct kcuckoo_ioc_attach - add a rule: drop, count or mark packets by a
 *	filter
 * @size: sizeof(struct kcuckoo_ioc_attach)
 * @flags: KCUCKOO_ATTACH_*
 * @name: name of an inet filter (EOPNOTSUPP for another type), or a name that
 *	no filter has: the rule then waits for an inet filter of this name
 * @hook: enum kcuckoo_hook
 * @family: KCUCKOO_FAMILY_IPV4, KCUCKOO_FAMILY_IPV6 or both
 * @match: enum kcuckoo_match
 * @action: enum kcuckoo_action. KCUCKOO_ACTION_VALUE returns EOPNOTSUPP if the
 *	filter has no values; if the name gets a filter without values later,
 *	the rule sets the mark 0
 * @mark: the mark for KCUCKOO_ACTION_MARK, else zero
 * @allow: name of another inet filter, or all zero. The rule does not match
 *	addresses in this allow filter, and matches nothing while no inet filter
 *	has this name
 * @dev: with KCUCKOO_HOOK_INGRESS: name of a network device, else all zero.
 *	ENXIO: no such device; EINVAL: a loopback device or a VRF. The rule is
 *	removed when the device is unregistered or moves to another namespace.
 *	With KCUCKOO_ATTACH_WAIT: a name or pattern. A pattern never matches
 *	loopback devices and VRFs. Alternative names of devices (altname) never
 *	match
 * @label: name of the rule in a configuration, with the characters of a filter
 *	name; or all zero
 * @log: enum kcuckoo_log, for KCUCKOO_ACTION_DROP and KCUCKOO_ACTION_COUNT.
 *	EPROTONOSUPPORT: the kernel has no such logger, and could not load its
 *	module
 * @reserved: zero
 * @log_group: group of nfnetlink_log, with KCUCKOO_LOG_NFLOG, else zero
 * @log_limit: maximum number of packets that the rule logs per second, up to
 *	KCUCKOO_LOG_LIMIT_MAX; 0 for KCUCKOO_LOG_LIMIT. After a pause the rule
 *	logs up to KCUCKOO_LOG_BURST packets at once. With a pattern in @dev, the
 *	limit is for each device. Zero without @log
 *
 * A packet is logged with the prefix "kcuckoo RULE drop: " or "kcuckoo RULE
 * count: ", where RULE is the label of the rule, or the name of its filter if
 * the rule has no label.
 *
 * Two rules are the same (EEXIST) if name, hook, device and match are equal and
 * the families overlap. A rule with KCUCKOO_ATTACH_WAIT is never the same as a
 * rule without it. For two rules with KCUCKOO_ATTACH_WAIT, the names or
 * patterns in @dev are compared. So several rules of one filter can apply to a
 * device, and a packet can match each of them. A kernel without ingress hooks
 * returns EOPNOTSUPP for KCUCKOO_HOOK_INGRESS.
 *
 * A rule with a pattern counts once for each device that it applies to, or once
 * if it applies to no device. The limit on rules, the lists of rules, and the
 * field @removed of struct kcuckoo_ioc_detach count such a rule in this way. If
 * memory is short or the limit is reached when a device appears, the kernel
 * logs a warning, and tries again at the next change of the device.
 *
 * A rule, also a rule that waits, keeps the module loaded until the rule is
 * removed or its namespace ends.
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
	__u8 label[KCUCKOO_NAME_SIZE];
	__u8 log;
	__u8 reserved;
	__u16 log_group;
	__u32 log_limit;
};

/* Values of @flags in struct kcuckoo_ioc_detach: fields to compare. */
#define KCUCKOO_DETACH_NAME	(1U << 0)
#define KCUCKOO_DETACH_HOOK	(1U << 1)
#define KCUCKOO_DETACH_FAMILY	(1U << 2)
#define KCUCKOO_DETACH_MATCH	(1U << 3)
#define KCUCKOO_DETACH_DEV	(1U << 4)
#define KCUCKOO_DETACH_LABEL	(1U << 5)

/**
 * struct kcuckoo_ioc_detach - remove all rules that have the given fields
 * @size: sizeof(struct kcuckoo_ioc_detach)
 * @flags: KCUCKOO_DETACH_*: the fields that are compared; 0 removes all rules.
 *	An input field that is not compared is zero
 * @name: name of a filter
 * @hook: enum kcuckoo_hook
 * @family: compared with the family field of the rule, for equality
 * @match: enum kcuckoo_match
 * @reserved: zero
 * @removed: out: number of rules that were removed. ENOENT: there is no such
 *	rule
 * @dev: for rules that were added without KCUCKOO_ATTACH_WAIT: name of their
 *	device. For rules that were added with KCUCKOO_ATTACH_WAIT: their @dev.
 *	A rule with a pattern is removed by its pattern only, not by the name of
 *	a device that it applies to. ENXIO: no device has this name, and no rule
 *	was added with this @dev
 * @label: label of the rules, or all zero for rules without a label
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
	__u8 label[KCUCKOO_NAME_SIZE];
};

/* No inet filter has the name in @name. */
#define KCUCKOO_RULE_WAITING		(1U << 0)
/* No inet filter has the name in @allow. */
#define KCUCKOO_RULE_ALLOW_WAITING	(1U << 1)
/* No device has the name, or matches the pattern, in @pattern. */
#define KCUCKOO_RULE_DEV_WAITING	(1U << 2)

/**
 * struct kcuckoo_rule - one rule in a list
 * @name: name of the filter
 * @hook: enum kcuckoo_hook
 * @family: KCUCKOO_FAMILY_*
 * @match: enum kcuckoo_match
 * @action: enum kcuckoo_action
 * @mark: the mark for KCUCKOO_ACTION_MARK
 * @packets: number of packets, or fragments, that the rule has matched since it
 *	was added or its counters were zeroed
 * @bytes: sum of their lengths in bytes, from the network header on
 * @flags: KCUCKOO_RULE_*
 * @reserved: zero
 * @allow: name of the filter whose addresses the rule does not match, or all
 *	zero
 * @dev: with KCUCKOO_HOOK_INGRESS the present name of the device, else all
 *	zero; all zero with KCUCKOO_RULE_DEV_WAITING
 * @label: label of the rule, or all zero
 * @pattern: @dev of a rule that was added with KCUCKOO_ATTACH_WAIT, else all
 *	zero. Such a rule is listed once for each device that it applies to, or
 *	once with KCUCKOO_RULE_DEV_WAITING if it applies to no device. A rule
 *	with the name of a device keeps its counters while it waits. A rule with
 *	a pattern has separate counters for each device, which end with the
 *	device
 * @log: enum kcuckoo_log
 * @log_off: 1 if the rule logs nothing at present, else 0. With
 *	KCUCKOO_LOG_SYSLOG, the kernel logs packets of namespaces other than the
 *	initial one only if the sysctl net.netfilter.nf_log_all_netns is 1
 * @log_group: group of KCUCKOO_LOG_NFLOG
 * @log_limit: maximum number of packets that the rule logs per second
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
	__u8 label[KCUCKOO_NAME_SIZE];
	__u8 pattern[KCUCKOO_DEV_SIZE];
	__u8 log;
	__u8 log_off;
	__u16 log_group;
	__u32 log_limit;
};

/* Minimum (struct kcuckoo_rule in its first version) and maximum of @rule_size. */
#define KCUCKOO_RULE_SIZE_MIN	56
#define KCUCKOO_RULE_SIZE_MAX	1024

/*
 * Zero the counters of the rules that are listed. Each packet is counted in
 * this list or in a later list. If the array is too small, no counter is
 * zeroed.
 */
#define KCUCKOO_RULES_ZERO	(1U << 0)

/**
 * struct kcuckoo_ioc_rules - list the rules of the namespace, in the order in
 *	which they apply to packets
 * @size: sizeof(struct kcuckoo_ioc_rules)
 * @flags: KCUCKOO_RULES_ZERO or zero
 * @rules: user address of an array of @count struct kcuckoo_rule
 * @count: size of the array, in rules
 * @total: out: number of rules, as in struct kcuckoo_ioc_list
 * @rule_size: sizeof(struct kcuckoo_rule), a multiple of 8; 0 stands for
 *	KCUCKOO_RULE_SIZE_MIN. The kernel writes this number of bytes for each
 *	rule. If the structure of the kernel is longer, the kernel writes its
 *	first @rule_size bytes; if it is shorter, the kernel adds zeros
 * @reserved: zero
 * @name: list only the rules of the filter with this name; all zero: all rules
 */
struct kcuckoo_ioc_rules {
	__u32 size;
	__u32 flags;
	__aligned_u64 rules;
	__u32 count;
	__u32 total;
	__u32 rule_size;
	__u32 reserved;
	__u8 name[KCUCKOO_NAME_SIZE];
};

/* A version as a number; later versions are greater. */
#define KCUCKOO_VERSION(major, minor, patch)	\
	((major) << 16 | (minor) << 8 | (patch))

/*
 * Features that depend on the version of the module, the kernel or its build.
 * BPF programs can only call the module if the kernel's BTF describes it.
 */
enum kcuckoo_feature {
	KCUCKOO_FEATURE_RULES_PIN_MODULE = 1,	/* rules pin the module */
	KCUCKOO_FEATURE_INGRESS	= 2,	/* KCUCKOO_HOOK_INGRESS */
	KCUCKOO_FEATURE_XDP	= 4,	/* XDP programs can call the module */
	KCUCKOO_FEATURE_TC	= 8,	/* tc programs can call the module */
	KCUCKOO_FEATURE_STAGED	= 16,	/* staged filters and managed names */
	KCUCKOO_FEATURE_WAIT	= 32,	/* KCUCKOO_ATTACH_*, labels of rules */
	KCUCKOO_FEATURE_EVENTS	= 64,	/* KCUCKOO_IOC_SUBSCRIBE */
	KCUCKOO_FEATURE_LOG	= 128,	/* KCUCKOO_LOG_*, KCUCKOO_RULES_ZERO */
};

/**
 * struct kcuckoo_ioc_stats - get the statistics of the namespace
 * @size: sizeof(struct kcuckoo_ioc_stats)
 * @flags: zero
 * @filters: out: number of filters that have a name
 * @max_filters: out: maximum number of filters and waiting names
 * @rules: out: number of rules
 * @waiting: out: number of names that wait for a filter
 * @members: out: number of members of all filters that have a name
 * @memory_bytes: out: memory of all filters in bytes, including staged filters
 *	and tables that wait for their release
 * @max_bytes: out: the limit on @memory_bytes
 * @version: out: KCUCKOO_VERSION() of the module
 * @reserved: out: zero
 * @features: out: bits of enum kcuckoo_feature that the module has
 *
 * A module that does not know @version and @features leaves both 0. Modules
 * before 0.3.0 have other request numbers and return ENOTTY.
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
 * struct kcuckoo_ioc_merge - add all keys of a filter to another filter like it
 * @size: sizeof(struct kcuckoo_ioc_merge)
 * @flags: zero
 * @name: name of the filter that the keys are added to, or staged. After an
 *	error no key was added. A key that is deleted from @name during the
 *	merge can be missing afterwards, even if @from has the key
 * @from: name of the other filter, which does not change, or staged. EINVAL:
 *	@from is @name; or the filters have different secrets or parameters,
 *	which KCUCKOO_CREATE_LIKE would have copied; or they have fingerprints,
 *	and two corresponding tables had different sizes before they grew
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
 * @name: name of the filter, or staged; the same in each call, else EINVAL
 * @offset: position in the snapshot to read from, in bytes. A call with @offset
 *	0 takes the snapshot. The descriptor keeps the snapshot until a program
 *	has read it to its end (a read of 0 bytes at the end suffices) or takes
 *	another snapshot, or until the descriptor is closed. EINVAL: there is no
 *	snapshot, or @offset is beyond its end
 * @buffer: user address of @length bytes
 * @length: size of the buffer in bytes
 * @done: out: number of bytes that were written to the buffer
 * @total: out: size of the snapshot in bytes
 *
 * A snapshot has the state of the filter at one instant. It contains the secret
 * of the filter's hash, so it needs the same protection as the members.
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
 * struct kcuckoo_ioc_restore - create a filter from a snapshot
 * @size: sizeof(struct kcuckoo_ioc_restore)
 * @flags: zero
 * @name: name of the new filter, or staged (EEXIST: the descriptor has a staged
 *	filter already); the same in each call, else EINVAL
 * @offset: position of these bytes in the snapshot: 0, or where the previous
 *	call on the same descriptor ended; else EINVAL
 * @buffer: user address of @length bytes of the snapshot
 * @length: number of these bytes
 * @done: out: number of bytes that the kernel has read from the buffer
 * @total: size of the whole snapshot in bytes; the same in each call, else
 *	EINVAL
 *
 * The call with the last byte creates the filter. If the snapshot is damaged,
 * or has another format version, the call returns EBADMSG and creates no
 * filter. A call with a @total of 0 discards an incomplete snapshot of the same
 * descriptor, and also returns EBADMSG.
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

/* Values of @flags in struct kcuckoo_ioc_slot: at most one flag. */
/* Add a user to the name. A rule is a user, too. */
#define KCUCKOO_SLOT_GET	(1U << 0)
/* Remove a user that KCUCKOO_SLOT_GET with the same @ifindex added. */
#define KCUCKOO_SLOT_PUT	(1U << 1)

/**
 * struct kcuckoo_ioc_slot - get the slot id of a name, for BPF programs
 * @size: sizeof(struct kcuckoo_ioc_slot)
 * @flags: KCUCKOO_SLOT_GET or KCUCKOO_SLOT_PUT, or 0 to only read @id
 * @name: the name. With KCUCKOO_SLOT_GET a name without a filter waits for a
 *	filter
 * @ifindex: index of a network device, or 0. A user with a device is removed
 *	together with the device. ENXIO: no such device; EEXIST: the name has a
 *	user with this device already. A user without a device stays until a
 *	KCUCKOO_SLOT_PUT of its own or the end of the namespace. For the limit on
 *	rules, each user with a device counts as one rule; all users of one name
 *	that have no device together count as one rule. @ifindex is zero without
 *	a flag
 * @id: out: slot id of the name, the argument @slot_id of
 *	bpf_xdp_kcuckoo_contains() and bpf_skb_kcuckoo_contains(). No other name
 *	gets the same id before 2^32 other ids were assigned. Zero with
 *	KCUCKOO_SLOT_PUT
 *
 * A name without users can be destroyed: look-ups with its old id then find
 * nothing. A name without users can also be renamed: its id and its packet
 * statistics move to the new name, unless users wait for a filter of that name.
 * EDQUOT as for a new filter; ENOENT: no such name or user; EBUSY: no free id.
 */
struct kcuckoo_ioc_slot {
	__u32 size;
	__u32 flags;
	__u8 name[KCUCKOO_NAME_SIZE];
	__u32 ifindex;
	__u32 id;
};

/*
 * Events. A descriptor that has subscribed to events gets them by read(). The
 * comments below name the types without the prefix KCUCKOO_EVENT_.
 *
 * A descriptor gets the events of its namespace. Events report changes: a call
 * that failed and changed nothing emits no event, except for FULL and REFUSED.
 * The order of the events of two calls that overlap is not defined. A staged
 * filter emits no event until it has a name. The end of the namespace emits no
 * event.
 */
enum kcuckoo_event_type {
	KCUCKOO_EVENT_LOST	= 0,	/* the queue was full */
	KCUCKOO_EVENT_CREATED	= 1,	/* a name got a new filter */
	KCUCKOO_EVENT_DESTROYED	= 2,	/* a filter was removed with its name */
	KCUCKOO_EVENT_RENAMED	= 3,	/* a filter has another name */
	KCUCKOO_EVENT_REPLACED	= 4,	/* another filter has the name */
	KCUCKOO_EVENT_SWAPPED	= 5,	/* two names have exchanged filters */
	KCUCKOO_EVENT_RESIZED	= 6,	/* add, reserve or compact resized a table */
	KCUCKOO_EVENT_FULL	= 7,	/* adds failed: no space, or a limit */
	KCUCKOO_EVENT_REFUSED	= 8,	/* adds failed for another reason */
	KCUCKOO_EVENT_ATTACHED	= 9,	/* a rule was added or replaced */
	KCUCKOO_EVENT_DETACHED	= 10,	/* a rule was removed */
	KCUCKOO_EVENT_WAITING	= 11,	/* a rule has lost a device */
	KCUCKOO_EVENT_ACTIVE	= 12,	/* a rule applies to one more device */
};

/* @flags of struct kcuckoo_event; for the first three see KCUCKOO_RULE_*. */
#define KCUCKOO_EVENT_FILTER_WAITING	(1U << 0)
#define KCUCKOO_EVENT_ALLOW_WAITING	(1U << 1)
#define KCUCKOO_EVENT_DEV_WAITING	(1U << 2)
/* FULL, REFUSED: the adds or deletes that failed were made by packets. */
#define KCUCKOO_EVENT_BY_PACKETS	(1U << 3)
/* ATTACHED: the rule has replaced a rule (KCUCKOO_ATTACH_REPLACE). */
#define KCUCKOO_EVENT_SAME_RULE		(1U << 4)
/* DETACHED: the device was unregistered, or moved to another namespace. */
#define KCUCKOO_EVENT_DEV_GONE		(1U << 5)

/**
 * struct kcuckoo_event - an event; fields that its type does not set are zero
 * @type: enum kcuckoo_event_type; later versions can add types
 * @flags: KCUCKOO_EVENT_*
 * @seq: number of the event, counted from 1 on for each descriptor. Lost events
 *	have numbers, too: a LOST event has the number of the last lost event
 * @time: CLOCK_BOOTTIME when the event was emitted, in nanoseconds
 * @count: FULL, REFUSED: number of calls or packets that failed, or of keys
 *	that were not added because equal fingerprints fill their buckets. LOST:
 *	number of lost events. CREATED, RENAMED: number of rules and other users
 *	that waited for the filter. ATTACHED, DETACHED, WAITING, ACTIVE with
 *	@pattern: number of devices that the rule applies to, or for DETACHED
 *	applied to before
 * @name: name of the filter. RENAMED: its old name. Of a rule: the name of its
 *	filter
 * @other: RENAMED: the new name. SWAPPED: the other name. REPLACED: the name
 *	that the new filter had before, zero if it was staged. Of a rule: the
 *	name of its allow filter
 * @filter_id: number of the filter that @name has after the event, as in struct
 *	kcuckoo_ioc_info. DESTROYED, RENAMED: number of the filter that was
 *	destroyed or renamed. Zero for rules, and if the name has no filter
 * @other_id: SWAPPED: number of the filter that @other has after the event.
 *	REPLACED: number of the old filter
 * @members: number of members of the filter
 * @old_room: RESIZED: number of members that fit into the old table
 * @new_room: RESIZED: number of members that fit into the new table
 * @error: FULL: ENOSPC, or EDQUOT for the limit on memory. REFUSED: ENOMEM;
 *	EEXIST: equal fingerprints fill both buckets of the key; packets: EBUSY
 *	for a limit on their rate, ENOENT if the name had no filter, EOPNOTSUPP
 *	if packets cannot change its filter
 * @mark: as in struct kcuckoo_rule
 * @family: RESIZED of a filter of addresses: KCUCKOO_FAMILY_* of the table; of
 *	a rule as in struct kcuckoo_rule
 * @plen: RESIZED of a filter of addresses: prefix length of the table
 * @hook: of a rule: enum kcuckoo_hook
 * @match: of a rule: enum kcuckoo_match
 * @action: of a rule: enum kcuckoo_action
 * @reserved: zero
 * @dev: of a rule: the network device. WAITING, ACTIVE: the device that the
 *	rule has lost or got; if it was renamed, WAITING has the old name and
 *	ACTIVE the new one
 * @pattern: @dev of a rule that was added with KCUCKOO_ATTACH_WAIT
 * @label: label of a rule
 *
 * The kernel counts the failures of packets, and emits FULL or REFUSED at most
 * once per second for each name and reason. Failures that are not yet reported
 * are lost if the filter is destroyed, or if the name has no filter and loses
 * its last user. If the newest record of the queue has the
 * same type, name, filter and reason, the failures are added to its @count
 * instead of a new record.
 */
struct kcuckoo_event {
	__u32 type;
	__u32 flags;
	__aligned_u64 seq;
	__aligned_u64 time;
	__aligned_u64 count;
	__u8 name[KCUCKOO_NAME_SIZE];
	__u8 other[KCUCKOO_NAME_SIZE];
	__aligned_u64 filter_id;
	__aligned_u64 other_id;
	__aligned_u64 members;
	__aligned_u64 old_room;
	__aligned_u64 new_room;
	__u32 error;
	__u32 mark;
	__u8 family;
	__u8 plen;
	__u8 hook;
	__u8 match;
	__u8 action;
	__u8 reserved[3];
	__u8 dev[KCUCKOO_DEV_SIZE];
	__u8 pattern[KCUCKOO_DEV_SIZE];
	__u8 label[KCUCKOO_NAME_SIZE];
};

/* Minimum (struct kcuckoo_event in its first version) and maximum of @event_size. */
#define KCUCKOO_EVENT_SIZE_MIN	216
#define KCUCKOO_EVENT_SIZE_MAX	1024

#define KCUCKOO_QUEUE_MIN	2	/* events in the queue of a descriptor */
#define KCUCKOO_QUEUE_DEFAULT	256
#define KCUCKOO_QUEUE_MAX	16384
#define KCUCKOO_SUBSCRIBERS_MAX	64	/* descriptors of a namespace */

/**
 * struct kcuckoo_ioc_subscribe - subscribe to the events of the namespace
 * @size: sizeof(struct kcuckoo_ioc_subscribe)
 * @flags: zero
 * @types: set of bits 1 << enum kcuckoo_event_type; EINVAL for an unknown type.
 *	0 stands for all types, also of later versions. LOST is always included
 * @event_size: sizeof(struct kcuckoo_event), a multiple of 8. The kernel writes
 *	this number of bytes for each event. If the structure of the kernel is
 *	longer, the kernel writes its first @event_size bytes; if it is shorter,
 *	the kernel adds zeros
 * @length: maximum number of events in the queue of the descriptor,
 *	KCUCKOO_QUEUE_MIN..KCUCKOO_QUEUE_MAX, or 0 for KCUCKOO_QUEUE_DEFAULT
 *
 * EEXIST: the descriptor has subscribed already; EDQUOT: the namespace has
 * KCUCKOO_SUBSCRIBERS_MAX subscriptions. The subscription ends when the last
 * copy of the descriptor is closed. The memory of the queue is charged to the
 * control group of the caller.
 *
 * read() returns whole events, as many as are in the queue and fit into the
 * buffer. If the queue is empty, read() waits for an event; with O_NONBLOCK it
 * returns EAGAIN, also while another thread reads events. EINVAL: the descriptor
 * has not subscribed, or the buffer is smaller than one event; EPERM and ENODEV
 * as for an ioctl. poll() returns POLLIN if there are events, POLLHUP and
 * POLLERR once the namespace has ended, and POLLERR for a descriptor that has
 * not subscribed. Subscribe before the descriptor is added to an epoll instance:
 * otherwise events do not wake the epoll instance.
 *
 * While the queue is full, further events are lost. An event of type LOST
 * follows the last event of the queue. No call and no packet waits until events
 * are read.
 */
struct kcuckoo_ioc_subscribe {
	__u32 size;
	__u32 flags;
	__aligned_u64 types;
	__u32 event_size;
	__u32 length;
};

/*
 * Documentation/userspace-api/ioctl/ioctl-number.rst assigns this number to no
 * other driver. So a call that is made on the descriptor of another device by
 * mistake returns ENOTTY.
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
#define KCUCKOO_IOC_SUBSCRIBE	_IO(KCUCKOO_IOC_MAGIC, 0x17)

#endif /* _UAPI_LINUX_KCUCKOO_H */
