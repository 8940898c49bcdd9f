/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * This header declares libkcuckoo, a library for programs that use cuckoo
 * filters in the kernel.
 *
 * Each operation of /dev/kcuckoo is one function with the name of the
 * operation. A function that returns an int or a long returns 0 or a positive
 * result, or a negative errno; the variable errno has no meaning afterwards.
 * The library prints nothing, keeps no global state, and never ends the process;
 * but see @fd of kcuckoo_save() for SIGPIPE.
 *
 * The comment at the top of <linux/kcuckoo.h> has the meaning of each errno,
 * except EAGAIN, EACCES and errors of files, which the functions below explain.
 * kcuckoo_strerror() returns the meaning as text. The comments below name the
 * errors that callers may want to distinguish. Each function that calls
 * the kernel can also return -EINVAL for an invalid name, -EINTR for a fatal
 * signal, and -ENODEV if the network namespace has ended.
 *
 * An exact filter stores its keys, which are addresses and prefixes, so that its
 * members can be listed. A filter with fingerprints stores a short hash of each
 * key, its fingerprint. Keys with the same fingerprint cannot be distinguished,
 * so such a filter has false positives. Filters of byte strings always have
 * fingerprints.
 *
 * Structures named kcuckoo_ioc_* are the arguments of the ioctls. Before a
 * call, set the first field, @size, to the sizeof of the structure, and all
 * unused fields to zero. If a function has an argument @name, it writes this
 * name to the structure. The caller sets all other names, such as @allow and
 * @dev of a rule.
 *
 * A handle can have one staged filter: a filter without a name, which
 * kcuckoo_create_staged() creates, and which is destroyed when the handle is
 * closed. For functions that work on one existing filter, and for both filters
 * of kcuckoo_merge(), a @name of NULL or "" means the staged filter. The
 * functions then return -ENOENT if the handle has no staged filter.
 *
 * Threads: a handle has no state but its descriptor. Any number of threads can
 * use one handle at the same time, if none of them closes it. All of them use
 * the same staged filter, so a program needs a handle for each filter that it
 * stages. For a descriptor, the kernel keeps at most one snapshot that is being
 * saved, and one that is being restored. So at any time only one thread is
 * allowed to save with a handle, and one to restore; other threads that save or
 * restore need their own handles.
 */
#ifndef KCUCKOO_H
#define KCUCKOO_H

#include <stddef.h>
#include <stdint.h>

#include <linux/kcuckoo.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A handle: an open /dev/kcuckoo. A handle belongs to one network namespace
 * until kcuckoo_close().
 */
struct kcuckoo;

/**
 * struct kcuckoo_batch - keys and their attributes
 * @prefixes: @count keys, for a filter of addresses
 * @bytes: @count byte strings without gaps between them, for a filter of byte
 *	strings
 * @lengths: the length of each byte string in bytes, 0..KCUCKOO_BYTES_MAX; NULL
 *	for a filter of addresses
 * @count: number of keys, without a limit: the library splits the batch into
 *	calls
 * @values: kcuckoo_add() and kcuckoo_update(): the new value of each key;
 *	kcuckoo_del(): the present value of each key. Must be NULL in a filter
 *	without values. In a filter with values, it can be NULL in two cases.
 *	For kcuckoo_add(): members of an exact filter then keep their values,
 *	and other keys get the value 0. For kcuckoo_del() in an exact filter:
 *	keys are then deleted regardless of their values
 * @old_values: kcuckoo_update(): the present value of each key. Can be NULL in
 *	an exact filter: keys are then updated regardless of their values
 * @timeouts: kcuckoo_add(): the seconds until each key expires, 0 for never; if
 *	NULL, keys get the default timeout of the filter
 * @results: out: array of @count bytes: the enum kcuckoo_result of each key; or
 *	NULL
 * @max_values: kcuckoo_test(): maximum number of values to return per key,
 *	0..KCUCKOO_VALUES_MAX; 0 if @found is NULL
 * @found: kcuckoo_test(): out: array of @count rows of @max_values values, one
 *	row per key; or NULL. Must be NULL in a filter without values
 * @found_counts: kcuckoo_test(): out: array of @count bytes: the number of
 *	values of each key; @found has the first @max_values of them. NULL if
 *	@found is NULL, or if the numbers are not needed
 * @plens: kcuckoo_test() with KCUCKOO_TEST_COVERED, in an exact filter: out:
 *	array of @count bytes: for each present key, the prefix length of the
 *	longest member that covers the key; or NULL
 *
 * All functions need the keys and @count. The descriptions of @values and
 * @old_values name the functions that need these fields. All other fields can be
 * zero. A function ignores the fields whose description names only other
 * functions.
 */
struct kcuckoo_batch {
	const struct kcuckoo_prefix *prefixes;
	const void *bytes;
	const uint16_t *lengths;
	size_t count;
	const uint32_t *values;
	const uint32_t *old_values;
	const uint32_t *timeouts;
	uint8_t *results;
	uint32_t max_values;
	uint32_t *found;
	uint8_t *found_counts;
	uint8_t *plens;
};

/**
 * struct kcuckoo_counts - results of a batch
 * @done: number of leading keys that were processed. The sum of the other
 *	counts is @done; after kcuckoo_test() the sum can be smaller, because no
 *	field counts the keys that are not present
 * @added: kcuckoo_add(): keys that became members
 * @existed: kcuckoo_add(): keys that were members already
 * @refused: kcuckoo_add(): keys that were not added, because entries with the
 *	same fingerprint fill both of their buckets
 * @deleted: kcuckoo_del(): keys that were deleted
 * @updated: kcuckoo_update(): keys that have their new value
 * @absent: kcuckoo_del() and kcuckoo_update(): keys that were not members, or
 *	had another value
 * @present: kcuckoo_test(): keys that are in the filter
 */
struct kcuckoo_counts {
	__u64 done;
	__u64 added;
	__u64 existed;
	__u64 refused;
	__u64 deleted;
	__u64 updated;
	__u64 absent;
	__u64 present;
};

/**
 * kcuckoo_open - open the device
 * @handle: out: the new handle; release the handle with kcuckoo_close()
 * @netns: network namespace to work on: a name from ip-netns(8), or a path if
 *	it contains a slash; NULL for the namespace of the calling thread
 *
 * The caller stays in its namespace: a temporary thread enters @netns and opens
 * the device.
 *
 * Return: 0, -ENXIO (no device: the module is not loaded), -ENOENT (no such
 * namespace), -EACCES (the mode of the device file does not allow it), -EPERM
 * (no CAP_NET_ADMIN over the namespace), -ENOMEM (also if no thread can be
 * created), or another error of open() and setns(). After an error @handle is
 * NULL.
 */
int kcuckoo_open(struct kcuckoo **handle, const char *netns);

/**
 * kcuckoo_close - close the device
 * @handle: from kcuckoo_open(), or NULL
 *
 * The function also destroys the staged filter of the handle, and ends the
 * subscription of the handle to events. Filters with a name and rules stay.
 */
void kcuckoo_close(struct kcuckoo *handle);

/**
 * kcuckoo_fd - get the descriptor of a handle
 * @handle: from kcuckoo_open(). The handle still owns the descriptor
 *
 * The descriptor is for poll(), for fcntl(), or for an ioctl that is newer than
 * the library.
 *
 * Return: the descriptor.
 */
int kcuckoo_fd(const struct kcuckoo *handle);

/**
 * kcuckoo_netns_enter - move the calling thread into a network namespace
 * @netns: as in kcuckoo_open(), but not NULL
 *
 * Return: 0, -ENOENT, -EPERM, -ENOMEM, or another error of open() and setns().
 */
int kcuckoo_netns_enter(const char *netns);

/**
 * kcuckoo_create - create an empty filter
 * @handle: from kcuckoo_open()
 * @name: name of the new filter
 * @options: parameters of the filter; or NULL for an exact filter of addresses
 *	with the largest capacity
 *
 * Return: 0, -EEXIST, -EDQUOT, -ENOMEM, -EINVAL or -EOPNOTSUPP.
 */
int kcuckoo_create(struct kcuckoo *handle, const char *name,
		   struct kcuckoo_ioc_create *options);

/**
 * kcuckoo_create_like - create an empty filter with the parameters of another
 *	filter
 * @handle: from kcuckoo_open()
 * @name: name of the new filter
 * @like: name of the other filter. Both have the same secret, so that either
 *	can be merged into the other
 *
 * Return: 0, -EEXIST, -ENOENT, -EDQUOT or -ENOMEM.
 */
int kcuckoo_create_like(struct kcuckoo *handle, const char *name,
			const char *like);

/**
 * kcuckoo_create_staged - create the staged filter of a handle, empty
 * @handle: from kcuckoo_open()
 * @options: parameters of the filter, as for kcuckoo_create(); the function
 *	adds KCUCKOO_CREATE_STAGED to its flags
 *
 * Modules before 0.5.0 cannot do this (-EINVAL): see KCUCKOO_FEATURE_STAGED.
 *
 * Return: 0, -EEXIST if the handle has a staged filter, -EDQUOT, -ENOMEM,
 * -EINVAL or -EOPNOTSUPP.
 */
int kcuckoo_create_staged(struct kcuckoo *handle,
			  struct kcuckoo_ioc_create *options);

/**
 * kcuckoo_create_staged_like - create the staged filter of a handle with the
 *	parameters of another filter
 * @handle: from kcuckoo_open()
 * @like: name of the other filter, as for kcuckoo_create_like()
 *
 * Return: 0, -EEXIST, -ENOENT, -EDQUOT or -ENOMEM.
 */
int kcuckoo_create_staged_like(struct kcuckoo *handle, const char *like);

/**
 * kcuckoo_publish - give the staged filter a name that no filter has
 * @handle: from kcuckoo_open()
 * @name: the name
 * @flags: KCUCKOO_RENAME_MANAGED, to mark the name as managed (see
 *	<linux/kcuckoo.h>), or 0
 *
 * Return: 0, -EEXIST, -EDQUOT, -ENOMEM, or -ENOENT if the handle has no staged
 * filter. After an error the filter is still staged.
 */
int kcuckoo_publish(struct kcuckoo *handle, const char *name,
		    unsigned int flags);

/**
 * kcuckoo_replace_staged - give the name of a filter to the staged filter, and
 *	destroy the filter that had the name
 * @handle: from kcuckoo_open()
 * @name: the name; if it is managed, it stays managed
 * @expected: the result of an earlier kcuckoo_info(): replace only this filter,
 *	and only if its members have not changed since then; NULL to replace any
 *	filter
 *
 * With @expected, no change of members of the filter @name is lost. For
 * example, a kcuckoo_add() that runs at the same time either makes this
 * function fail, or adds its keys to the new filter. The expiry of a member
 * does not count as a change.
 *
 * Return: 0, -ESTALE if the filter is not as expected, -ENOENT if no filter has
 * the name or the handle has no staged filter, or -EINVAL for different types.
 * After an error the filter is still staged.
 */
int kcuckoo_replace_staged(struct kcuckoo *handle, const char *name,
			   const struct kcuckoo_ioc_info *expected);

/**
 * kcuckoo_destroy - destroy a filter
 * @handle: from kcuckoo_open()
 * @name: name of the filter
 *
 * Return: 0, -ENOENT, or -EBUSY while rules, BPF programs or other modules use
 * the name.
 */
int kcuckoo_destroy(struct kcuckoo *handle, const char *name);

/**
 * kcuckoo_rename - give a filter another name
 * @handle: from kcuckoo_open()
 * @name: present name
 * @new_name: new name
 *
 * Return: 0, -ENOENT, -EEXIST, or -EBUSY while rules, BPF programs or other
 * modules use @name.
 */
int kcuckoo_rename(struct kcuckoo *handle, const char *name,
		   const char *new_name);

/**
 * kcuckoo_swap - exchange the filters of two names in one step; packets always
 *	find a filter under both names
 * @handle: from kcuckoo_open()
 * @name: one name
 * @other: the other name
 *
 * Return: 0, -ENOENT, or -EINVAL for different types.
 */
int kcuckoo_swap(struct kcuckoo *handle, const char *name, const char *other);

/**
 * kcuckoo_replace - give the name of a filter to another filter, and destroy
 *	the filter that had the name
 * @handle: from kcuckoo_open()
 * @name: name of the filter to destroy; afterwards name of the other filter
 * @other: present name of the other filter; afterwards no filter has this name
 *
 * Return: 0, -ENOENT, -EBUSY while rules, BPF programs or other modules use
 * @other, or -EINVAL for different types.
 */
int kcuckoo_replace(struct kcuckoo *handle, const char *name,
		    const char *other);

/**
 * kcuckoo_flush - remove all members
 * @handle: from kcuckoo_open()
 * @name: name of the filter
 *
 * Return: 0 or -ENOENT.
 */
int kcuckoo_flush(struct kcuckoo *handle, const char *name);

/**
 * kcuckoo_merge - add all keys of a filter to another filter with the same
 *	secret
 * @handle: from kcuckoo_open()
 * @name: name of the filter that the keys are added to
 * @from: name of the other filter, which does not change
 *
 * Both filters must have the same secret and parameters, as after
 * kcuckoo_create_like(). If a key is deleted from the filter @name during the
 * merge, the key can be missing afterwards, even if the filter @from has the
 * key, as if the key had been deleted after the merge.
 *
 * Return: 0, -ENOENT, -EINVAL for filters that cannot be merged (see struct
 * kcuckoo_ioc_merge), -ENOSPC, -EDQUOT or -ENOMEM. After an error no key was
 * added.
 */
int kcuckoo_merge(struct kcuckoo *handle, const char *name, const char *from);

/**
 * kcuckoo_reserve - reserve entries for members of one prefix length
 * @handle: from kcuckoo_open()
 * @name: name of the filter
 * @family: KCUCKOO_FAMILY_IPV4 or KCUCKOO_FAMILY_IPV6
 * @plen: prefix length in bits
 * @count: number of members that will be added
 *
 * In a filter with fingerprints, the function has no effect and returns 0 if the
 * table of this prefix length has members already.
 *
 * Addresses that packets add, through iptables or another module, need reserved
 * entries, because packets never make a table grow. Adds by programs make a
 * table grow if needed, so for them a reservation only saves time. But adds
 * never make the tables grow in a filter that was created with
 * KCUCKOO_CREATE_FIXED or @fpr. Its tables are made for its capacity. For other
 * numbers of members, reserve entries before the first add.
 *
 * Return: 0, -ENOENT, -ENOMEM, -EDQUOT, -EINTR, -EINVAL for an invalid family,
 * length or count, or -EOPNOTSUPP for a filter of byte strings.
 */
int kcuckoo_reserve(struct kcuckoo *handle, const char *name,
		    unsigned int family, unsigned int plen, __u64 count);

/**
 * kcuckoo_compact - free the memory that the members do not need
 * @handle: from kcuckoo_open()
 * @name: name of the filter
 *
 * After an error the members are unchanged, but some memory can be free already.
 *
 * Return: 0, -ENOENT, -ENOMEM, -EDQUOT, or -ENOSPC if adds at the same time fill
 * a table that cannot grow.
 */
int kcuckoo_compact(struct kcuckoo *handle, const char *name);

/**
 * kcuckoo_add - add keys
 * @handle: from kcuckoo_open()
 * @name: name of the filter
 * @flags: KCUCKOO_ADD_ABSENT, to keep the values and timeouts of keys that are
 *	members, or 0
 * @batch: the keys, their values and timeouts
 * @counts: out: the results, also after an error; or NULL
 *
 * Return: 0 if all keys were processed. Otherwise @counts->done keys were
 * processed, and the function returns the error of the next key: -ENOSPC,
 * -ENOMEM, -EDQUOT, -ENOENT, -EINVAL, -EOPNOTSUPP or -EINTR.
 */
int kcuckoo_add(struct kcuckoo *handle, const char *name, unsigned int flags,
		const struct kcuckoo_batch *batch,
		struct kcuckoo_counts *counts);

/**
 * kcuckoo_del - delete keys
 * @handle: from kcuckoo_open()
 * @name: name of the filter
 * @batch: the keys; in a filter with fingerprints and values also their present
 *	values
 * @counts: out: the results, also after an error; or NULL
 *
 * Return: the same as kcuckoo_add(); -EOPNOTSUPP for an insert-only filter.
 */
int kcuckoo_del(struct kcuckoo *handle, const char *name,
		const struct kcuckoo_batch *batch,
		struct kcuckoo_counts *counts);

/**
 * kcuckoo_update - replace the values of keys in place
 * @handle: from kcuckoo_open()
 * @name: name of a filter with values
 * @batch: the keys and their new values; in a filter with fingerprints also
 *	their present values
 * @counts: out: the results, also after an error; or NULL
 *
 * Return: the same as kcuckoo_add().
 */
int kcuckoo_update(struct kcuckoo *handle, const char *name,
		   const struct kcuckoo_batch *batch,
		   struct kcuckoo_counts *counts);

/**
 * kcuckoo_test - look up keys
 * @handle: from kcuckoo_open()
 * @name: name of the filter
 * @flags: KCUCKOO_TEST_MEMBER: a key is present only if it is a member;
 *	KCUCKOO_TEST_COVERED: a prefix is present if at least one member covers
 *	all of it; or 0: a full address is present if at least one member covers
 *	it, as for a packet, and other keys are present only if they are members
 * @batch: the keys, and arrays for their values
 * @counts: out: the results, also after an error; or NULL
 *
 * Return: the same as kcuckoo_add().
 */
int kcuckoo_test(struct kcuckoo *handle, const char *name, unsigned int flags,
		 const struct kcuckoo_batch *batch,
		 struct kcuckoo_counts *counts);

/**
 * struct kcuckoo_members - arrays for members of an exact filter
 * @keys: @count keys
 * @values: the value of each key, or NULL
 * @timeouts: the seconds until each key expires, 0 for keys that never expire;
 *	or NULL
 * @count: kcuckoo_walk(): size of the arrays, in members; the function uses at
 *	most KCUCKOO_BATCH_MAX elements. kcuckoo_members(): number of members
 */
struct kcuckoo_members {
	struct kcuckoo_prefix *keys;
	uint32_t *values;
	uint32_t *timeouts;
	size_t count;
};

/**
 * kcuckoo_walk - list the next members of an exact filter
 * @handle: from kcuckoo_open()
 * @name: name of the filter
 * @cursor: in, out: position of the walk, all zero to begin
 * @members: the arrays to write to
 * @done: out: number of members that were written, 0 after an error
 *
 * Return: enum kcuckoo_walk_state: KCUCKOO_WALK_MORE (call again),
 * KCUCKOO_WALK_END, or KCUCKOO_WALK_RESTART (discard all members that the walk
 * has returned, and call again: @cursor is zero, so that a new walk begins); or
 * -ENOENT, -EINVAL, or -EOPNOTSUPP for a filter with fingerprints, which does
 * not store its keys.
 */
int kcuckoo_walk(struct kcuckoo *handle, const char *name,
		 struct kcuckoo_cursor *cursor,
		 const struct kcuckoo_members *members, size_t *done);

/*
 * Maximum number of times that kcuckoo_members() begins a walk. If adds move
 * members of the filter during the walk, the function must begin again.
 */
#define KCUCKOO_MEMBERS_RESTARTS	64

/**
 * kcuckoo_members - list all members, in no particular order
 * @handle: from kcuckoo_open()
 * @name: name of the filter
 * @members: out: the members, with values and timeouts if the filter has them;
 *	release the arrays with kcuckoo_members_free()
 *
 * Return: 0, -ENOENT, -ENOMEM, -EOPNOTSUPP as kcuckoo_walk(), or -EAGAIN if the
 * filter changed so fast that KCUCKOO_MEMBERS_RESTARTS walks had to begin again.
 * After an error @members has no arrays to free.
 */
int kcuckoo_members(struct kcuckoo *handle, const char *name,
		    struct kcuckoo_members *members);

/**
 * kcuckoo_members_free - free the arrays of kcuckoo_members()
 * @members: the arrays; all NULL afterwards
 */
void kcuckoo_members_free(struct kcuckoo_members *members);

/**
 * kcuckoo_info - get the parameters and the state of a filter
 * @handle: from kcuckoo_open()
 * @name: name of the filter
 * @info: in: @info->size; out: all other fields, which the caller need not
 *	clear
 *
 * Return: 0, -ENOENT, or -EINVAL for an invalid size.
 */
int kcuckoo_info(struct kcuckoo *handle, const char *name,
		 struct kcuckoo_ioc_info *info);

/**
 * kcuckoo_fpr - compute the probability that an absent key is a false positive
 * @tag_bits: bits of a fingerprint; 0 for an exact filter
 * @compared: average number of fingerprints with which a look-up compares the
 *	fingerprint of the key
 *
 * A fingerprint has one of 2^f - 1 values, where f is @tag_bits, because one
 * value marks an empty entry. With @compared = c, the rate is
 * 1 - (1 - 1 / (2^f - 1))^c. This is slightly more than the rate of Fan et al.,
 * section 5.1, which is 1 - (1 - 2^-f)^c.
 *
 * Return: the rate, 0..1.
 */
double kcuckoo_fpr(unsigned int tag_bits, double compared);

/**
 * kcuckoo_expected_fpr - compute the present rate of false positives of a
 *	filter
 * @info: from kcuckoo_info()
 * @family: KCUCKOO_FAMILY_IPV4 or KCUCKOO_FAMILY_IPV6; 0 for byte strings, or
 *	for the larger rate of both families
 *
 * Return: the rate, 0..1.
 */
double kcuckoo_expected_fpr(const struct kcuckoo_ioc_info *info,
			    unsigned int family);

/**
 * kcuckoo_false_positives_ipv4 - compute the expected number of IPv4 addresses
 *	that are false positives
 * @info: from kcuckoo_info()
 *
 * Return: the number among all 2^32 addresses.
 */
double kcuckoo_false_positives_ipv4(const struct kcuckoo_ioc_info *info);

/**
 * kcuckoo_list - list the filters of the namespace, oldest name first
 * @handle: from kcuckoo_open()
 * @entries: out: an array, which the caller releases with free(). The array
 *	can be NULL if the namespace has no filters, and is NULL after an error
 *
 * Return: number of filters, or -ENOMEM.
 */
int kcuckoo_list(struct kcuckoo *handle, struct kcuckoo_list_entry **entries);

/**
 * kcuckoo_attach - add a rule: drop, count or mark packets whose address is in a
 *	filter
 * @handle: from kcuckoo_open()
 * @name: name of the filter. If no filter has this name, the rule matches
 *	nothing until a filter gets the name
 * @rule: in: all fields but @rule->name, which the function sets. With
 *	KCUCKOO_ATTACH_WAIT in @rule->flags, @rule->dev is the name of a device
 *	that need not exist, or a pattern. With KCUCKOO_ATTACH_REPLACE, if a rule
 *	with the same name, hook, device, match and family exists, the function
 *	replaces the other fields of this rule. Modules without
 *	KCUCKOO_FEATURE_WAIT support neither @rule->flags nor @rule->label
 *
 * Return: 0, -EEXIST, -EOPNOTSUPP, -ENOMEM, -EDQUOT, -EINVAL, -EPROTONOSUPPORT for
 * a missing logger of the kernel, or -ENXIO for a missing device.
 */
int kcuckoo_attach(struct kcuckoo *handle, const char *name,
		   struct kcuckoo_ioc_attach *rule);

/**
 * kcuckoo_detach - remove rules
 * @handle: from kcuckoo_open()
 * @name: remove only rules of this filter; NULL for all filters
 * @pattern: remove only rules that are equal to @pattern in the fields that
 *	@pattern->flags selects; NULL for all rules. The function sets
 *	@pattern->name and KCUCKOO_DETACH_NAME from @name
 *
 * Return: number of removed rules, -ENOENT if no rule matches, or -ENXIO for a
 * missing device.
 */
int kcuckoo_detach(struct kcuckoo *handle, const char *name,
		   struct kcuckoo_ioc_detach *pattern);

/**
 * kcuckoo_slot - get the slot id of a name for BPF programs, and add or remove
 *	a user of the name
 * @handle: from kcuckoo_open()
 * @name: the name. With KCUCKOO_SLOT_GET, no filter needs to have this name
 * @slot: in: @slot->flags: KCUCKOO_SLOT_GET to add a user, KCUCKOO_SLOT_PUT to
 *	remove a user, or 0; and @slot->ifindex: 0, or the index of the network
 *	device that the user belongs to: the kernel removes the user together
 *	with the device. Out: @slot->id
 *
 * A slot is the object of the kernel for a name. A user is a rule, a BPF program
 * or another module that refers to the name. kcuckoo_destroy() and
 * kcuckoo_rename() return -EBUSY while the name has users.
 *
 * Return: 0, -ENOENT, -EEXIST, -EDQUOT, -ENOMEM, -EINVAL, -EBUSY if no id is
 * free, or -ENXIO for a missing device.
 */
int kcuckoo_slot(struct kcuckoo *handle, const char *name,
		 struct kcuckoo_ioc_slot *slot);

/**
 * kcuckoo_rules - list the rules of the namespace, in the order in which
 *	the kernel applies them to a packet
 * @handle: from kcuckoo_open()
 * @rules: out: an array, which the caller releases with free(). The array can
 *	be NULL if the namespace has no rules, and is NULL after an error
 *
 * Return: number of rules, or -ENOMEM.
 */
int kcuckoo_rules(struct kcuckoo *handle, struct kcuckoo_rule **rules);

/**
 * kcuckoo_rules_zero - list rules, and zero their counters
 * @handle: from kcuckoo_open()
 * @name: name of the filter whose rules are listed, or NULL for all rules
 * @rules: out: as for kcuckoo_rules()
 *
 * The kernel counts each packet either in this list or in a later list.
 *
 * Return: number of rules, -ENOMEM, -EINVAL for an invalid name, or -E2BIG or
 * -EINVAL if the module is older than 0.6.0, see KCUCKOO_FEATURE_LOG.
 */
int kcuckoo_rules_zero(struct kcuckoo *handle, const char *name,
		       struct kcuckoo_rule **rules);

/**
 * kcuckoo_stats - get the statistics of the namespace and the module's version
 * @handle: from kcuckoo_open()
 * @stats: in: @stats->size; out: all other fields, which the caller need not
 *	clear. Fields that an older module does not support are zero.
 *	@stats->version can be such a field
 *
 * Return: 0, or -EINVAL for an invalid size.
 */
int kcuckoo_stats(struct kcuckoo *handle, struct kcuckoo_ioc_stats *stats);

/**
 * kcuckoo_subscribe - subscribe to the events of the namespace
 * @handle: from kcuckoo_open(). A handle can subscribe once
 * @types: set of bits 1 << enum kcuckoo_event_type, or 0 for all types
 * @length: number of events that the kernel keeps for this handle until they
 *	are read, KCUCKOO_QUEUE_MIN..KCUCKOO_QUEUE_MAX, or 0 for the default.
 *	Further events are lost, and KCUCKOO_EVENT_LOST reports their number
 *
 * The subscription ends with kcuckoo_close(). poll() with kcuckoo_fd() reports
 * POLLIN if there are events, and POLLHUP once the namespace has ended.
 *
 * Return: 0, -EEXIST (the handle has subscribed already), -EDQUOT (the namespace
 * has KCUCKOO_SUBSCRIBERS_MAX subscriptions), -EINVAL, -ENOMEM, or -ENOTTY (the
 * module is older than 0.6.0, see KCUCKOO_FEATURE_EVENTS).
 */
int kcuckoo_subscribe(struct kcuckoo *handle, __u64 types, unsigned int length);

/**
 * kcuckoo_read_event - read the next event
 * @handle: from kcuckoo_open(), with a subscription
 * @event: out: the event. Programs must ignore events of unknown types
 *
 * Waits for an event, unless the program has set O_NONBLOCK for the descriptor
 * of kcuckoo_fd(). Several threads can read events from one handle: the kernel
 * returns each event once.
 *
 * Return: 0; -EAGAIN (with O_NONBLOCK: no event, or another thread is reading);
 * -EINTR (a signal arrived); -EINVAL (the handle has not subscribed); or -ENODEV.
 */
int kcuckoo_read_event(struct kcuckoo *handle, struct kcuckoo_event *event);

/**
 * kcuckoo_save - write a snapshot of a filter, as it is at one instant
 * @handle: from kcuckoo_open(). A handle can save one snapshot at a time
 * @name: name of the filter
 * @fd: descriptor of a file, pipe or socket; the snapshot is written from the
 *	present position of the file on. If a pipe or socket has no reader,
 *	write() raises SIGPIPE, which ends the process by default; if the program
 *	ignores this signal, the function returns -EPIPE
 * @why: out: if the file is the cause of an error, a constant text that
 *	describes the error to people, otherwise NULL. The argument itself can
 *	be NULL
 *
 * The snapshot contains the secret of the filter's hash and all members, so
 * only its owner should be able to read the file. The command kcuckoo uses the
 * same format, see kcuckoo(8).
 *
 * Return: 0, -ENOENT, -ENOMEM, -EDQUOT, an error of write(), or -EINVAL if the
 * name is invalid or another thread used the handle for another snapshot. After
 * an error the kernel keeps no part of the snapshot.
 */
int kcuckoo_save(struct kcuckoo *handle, const char *name, int fd,
		 const char **why);

/* Flags of kcuckoo_restore(). */
#define KCUCKOO_RESTORE_REPLACE	1	/* replace a filter that has the name */
#define KCUCKOO_RESTORE_STAGED	2	/* create the staged filter */

/**
 * kcuckoo_restore - create a filter from a snapshot
 * @handle: from kcuckoo_open(). A handle can restore one snapshot at a time
 * @name: in, out: name of the new filter. If @name is empty, the function sets
 *	it to the name that the filter had when it was saved. If the filter was
 *	staged, this name is empty, and without KCUCKOO_RESTORE_STAGED the
 *	function returns -EINVAL
 * @flags: KCUCKOO_RESTORE_REPLACE, KCUCKOO_RESTORE_STAGED or 0
 * @fd: descriptor of a file, pipe or socket with the snapshot and nothing after
 *	it
 * @why: as for kcuckoo_save()
 *
 * With KCUCKOO_RESTORE_STAGED the filter gets no name.
 *
 * With KCUCKOO_RESTORE_REPLACE the snapshot first becomes the staged filter,
 * which then replaces the filter @name, or gets the name if no filter has it.
 *
 * If the library does not read the format version of the file, the text at @why
 * names the version that it reads. If the module does not read the version, @why
 * is set to NULL. The function returns -EBADMSG in both cases.
 *
 * Return: 0; -EBADMSG, also if the file is damaged, incomplete or no snapshot;
 * -EINVAL for an unknown flag, both flags, an invalid or missing name or a filter
 * of another type to replace; -EEXIST if a filter has the name (without a flag),
 * or the handle has a staged filter (with a flag); -EDQUOT, -ENOMEM; or an error
 * of read(). After an error no filter has changed, and the kernel keeps no part
 * of the snapshot.
 */
int kcuckoo_restore(struct kcuckoo *handle, char name[KCUCKOO_NAME_SIZE],
		    unsigned int flags, int fd, const char **why);

/* Size of a buffer for any prefix as text, including the final zero. */
#define KCUCKOO_PREFIX_TEXT	48

/**
 * kcuckoo_prefix_scan - parse the address or prefix at the beginning of a text
 * @text: the text, which needs no final zero
 * @length: length of @text in bytes
 * @prefix: out: the key, with host bits cleared
 * @host_bits: out: 1 if host bits were set, else 0; or NULL
 * @why: out: after an error a constant text that describes the error to people;
 *	or NULL
 *
 * IPv4 is four decimal numbers without leading zeros, or all four padded with
 * zeros to three digits. IPv6 is as in RFC 4291. A slash and a decimal prefix
 * length can follow; for IPv4 also a slash and a mask (192.0.2.0/255.255.255.0).
 * The function does not resolve names.
 *
 * An IPv4 address that is mapped into IPv6 becomes IPv4, because no packet has
 * the mapped form: ::ffff:192.0.2.1 is 192.0.2.1, ::ffff:192.0.2.0/120 is
 * 192.0.2.0/24. Mapped prefixes shorter than /104 stay IPv6. A length up to /32
 * after a mapped address is an error: the writer of ::ffff:192.0.2.0/24 means
 * 192.0.2.0/24, and not ::/24.
 * Only text is translated: for all functions, a struct kcuckoo_prefix with a
 * mapped address is IPv6, and kcuckoo_prefix_format() writes it as IPv6.
 *
 * Return: number of bytes that were parsed, or -EINVAL. The caller decides
 * whether the rest of the text is valid.
 */
long kcuckoo_prefix_scan(const char *text, size_t length,
			 struct kcuckoo_prefix *prefix, int *host_bits,
			 const char **why);

/**
 * kcuckoo_prefix_parse - parse a text that consists of one key
 * @text: an address or prefix, with a final zero
 * @prefix: out: the key, with host bits cleared
 * @why: out: after an error a constant text that describes the error to people;
 *	or NULL
 *
 * Return: 0, 1 if host bits were cleared, or -EINVAL.
 */
int kcuckoo_prefix_parse(const char *text, struct kcuckoo_prefix *prefix,
			 const char **why);

/**
 * kcuckoo_prefix_format - write a key in its canonical form
 * @prefix: the key
 * @text: buffer of KCUCKOO_PREFIX_TEXT bytes
 *
 * IPv6 is as in RFC 5952, but the last 32 bits of a mapped address are two
 * hexadecimal groups instead of a dotted IPv4 address. A full address has no
 * prefix length.
 *
 * Return: length of the text, or -EINVAL for an invalid key.
 */
int kcuckoo_prefix_format(const struct kcuckoo_prefix *prefix, char *text);

/**
 * kcuckoo_strerror - get the meaning of an error for kcuckoo
 * @error: an errno, negative or positive
 *
 * Return: a constant text for people.
 */
const char *kcuckoo_strerror(int error);

#ifdef __cplusplus
}
#endif

#endif /* KCUCKOO_H */
