/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libkcuckoo: cuckoo filters in kernel memory, from a program
 *
 * Every operation of /dev/kcuckoo is one function here, named after it. All
 * of them return 0 or a positive result, or a negative errno; errno itself is
 * not part of the contract. Nothing is printed, no global state is kept, and
 * the process is never ended. The meaning of each errno stands at the top of
 * <linux/kcuckoo.h>; kcuckoo_strerror() says it in words.
 *
 * Structures named kcuckoo_ioc_* belong to the kernel's contract and begin
 * with their own size: set it to sizeof before the call, as for the ioctl
 * itself, and zero what is not used. The library fills in the names.
 *
 * Threads: a handle has no state but its descriptor. Any number of threads may
 * use one handle at once, as long as none of them closes it, and one at a time
 * saves and one restores: with the descriptor the kernel keeps what is under way
 * of a snapshot. Threads that save or restore at once need a handle each.
 */
#ifndef KCUCKOO_H
#define KCUCKOO_H

#include <stddef.h>
#include <stdint.h>

#include <linux/kcuckoo.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An open /dev/kcuckoo, bound to one network namespace for good. */
struct kcuckoo;

/**
 * struct kcuckoo_batch - keys, and what belongs to each of them
 * @prefixes: @count keys of a filter of addresses; or
 * @bytes: @count byte strings, one behind the other, and
 * @lengths: the length of each, 0..KCUCKOO_BYTES_MAX
 * @count: how many keys, any number: the library cuts them as the kernel wants
 * @values: for kcuckoo_add() and kcuckoo_update() the value that each key gets,
 *	for kcuckoo_del() the one that it has; or NULL: an add then leaves members
 *	theirs and gives others 0
 * @old_values: for kcuckoo_update() the value that each key has; or NULL
 * @timeouts: for kcuckoo_add() the seconds until each key expires, 0 for never;
 *	or NULL, for the filter's own timeout
 * @results: room for @count enum kcuckoo_result, or NULL
 * @max_values: for kcuckoo_test() how many values of a key are wanted,
 *	0..KCUCKOO_VALUES_MAX
 * @found: room for @count times @max_values values, those of the first key first
 * @found_counts: room for @count numbers: how many values each key has, of which
 *	the first @max_values are in @found; or NULL
 * @plens: for kcuckoo_test() with KCUCKOO_TEST_COVERED, and read with no other flag:
 *	room for @count prefix lengths, of the longest member that covers each key
 *	that is present; or NULL
 *
 * What a function does not read it ignores. All zero but the keys and @count is
 * a batch without anything else.
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
 * struct kcuckoo_counts - what became of a batch
 * @done: how many leading keys were done
 * @added: of these, by kcuckoo_add(): are members now
 * @existed: by kcuckoo_add(): were members already
 * @refused: by kcuckoo_add(): were not added, as there are as many copies in the
 *	filter as it can have
 * @deleted: by kcuckoo_del(): are members no more
 * @updated: by kcuckoo_update(): have their new value
 * @absent: by kcuckoo_del() and kcuckoo_update(): were no members, or had
 *	another value
 * @present: by kcuckoo_test(): are in the filter
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
 * @handle: where the new handle goes; end it with kcuckoo_close()
 * @netns: network namespace to work on: a name that ip-netns(8) knows, or a
 *	path if it contains a slash; NULL for that of the calling thread
 *
 * The namespace of the caller never changes: a named one is entered on a
 * thread that lives no longer than this call.
 *
 * Return: 0, or -ENXIO (there is no device: the module is not loaded),
 * -ENOENT (there is no such namespace), -EACCES (the mode of the device file does
 * not allow it), -EPERM (no CAP_NET_ADMIN over the namespace), -ENOMEM (also where
 * no thread can be made) and whatever else open() and setns() return.
 */
int kcuckoo_open(struct kcuckoo **handle, const char *netns);

/**
 * kcuckoo_close - close the device; filters and rules stay
 * @handle: from kcuckoo_open(), or NULL
 */
void kcuckoo_close(struct kcuckoo *handle);

/**
 * kcuckoo_fd - the descriptor of a handle, for an ioctl that is not here yet
 * @handle: from kcuckoo_open(), which keeps the descriptor
 *
 * Return: the descriptor.
 */
int kcuckoo_fd(const struct kcuckoo *handle);

/**
 * kcuckoo_netns_enter - move the calling thread into a network namespace
 * @netns: as in kcuckoo_open(), but not NULL
 *
 * Return: 0, or -ENOENT, -EPERM and whatever else open() and setns() return.
 */
int kcuckoo_netns_enter(const char *netns);

/**
 * kcuckoo_create - make an empty filter
 * @handle: from kcuckoo_open()
 * @name: name of the new filter
 * @options: its shape, or NULL for an inet filter without a limit
 *
 * Return: 0, or -EEXIST, -EDQUOT, -ENOMEM, -EINVAL, -EOPNOTSUPP.
 */
int kcuckoo_create(struct kcuckoo *handle, const char *name,
		   struct kcuckoo_ioc_create *options);

/**
 * kcuckoo_create_like - make an empty filter like another
 * @handle: from kcuckoo_open()
 * @name: name of the new filter
 * @like: name of the other, whose secret it shares, so that one can be merged
 *	into the other
 *
 * Return: 0, or -EEXIST, -ENOENT, -EDQUOT, -ENOMEM.
 */
int kcuckoo_create_like(struct kcuckoo *handle, const char *name,
			const char *like);

/**
 * kcuckoo_temporary_name - make up a name for a filter that is built aside
 * @name: where it goes
 *
 * It is long and random: no other filter has it.
 */
void kcuckoo_temporary_name(char name[KCUCKOO_NAME_SIZE]);

/**
 * kcuckoo_destroy - destroy a filter
 * @handle: from kcuckoo_open()
 * @name: name of the filter
 *
 * Return: 0, or -ENOENT, or -EBUSY while rules use it.
 */
int kcuckoo_destroy(struct kcuckoo *handle, const char *name);

/**
 * kcuckoo_rename - give a filter another name
 * @handle: from kcuckoo_open()
 * @name: its name now
 * @new_name: its name afterwards
 *
 * Return: 0, or -ENOENT, -EEXIST, or -EBUSY while rules use @name.
 */
int kcuckoo_rename(struct kcuckoo *handle, const char *name,
		   const char *new_name);

/**
 * kcuckoo_swap - exchange the filters behind two names, at once for packets
 * @handle: from kcuckoo_open()
 * @name: one name
 * @other: the other
 *
 * Return: 0, or -ENOENT, or -EINVAL for different types.
 */
int kcuckoo_swap(struct kcuckoo *handle, const char *name, const char *other);

/**
 * kcuckoo_replace - put a filter in the place of another, which is destroyed
 * @handle: from kcuckoo_open()
 * @name: the name that stays
 * @other: the name of the new filter, which ends
 *
 * Return: 0, or -ENOENT, -EBUSY while rules use @other, or -EINVAL for
 * different types.
 */
int kcuckoo_replace(struct kcuckoo *handle, const char *name,
		    const char *other);

/**
 * kcuckoo_flush - remove all members
 * @handle: from kcuckoo_open()
 * @name: name of the filter
 *
 * Return: 0, or -ENOENT.
 */
int kcuckoo_flush(struct kcuckoo *handle, const char *name);

/**
 * kcuckoo_merge - add all keys of a filter to another one like it
 * @handle: from kcuckoo_open()
 * @name: name of the filter that gets them
 * @from: name of the other, which stays as it is
 *
 * Of two filters with fingerprints one must have been created like the other. A key
 * that somebody deletes from the first meanwhile may be missing afterwards, also
 * where the other has it, as if it had been deleted after the merge.
 *
 * Return: 0, or -ENOENT, -EINVAL for filters that are not alike, -EOPNOTSUPP,
 * -ENOSPC, -ENOMEM. After an error the filter is as it was.
 */
int kcuckoo_merge(struct kcuckoo *handle, const char *name, const char *from);

/**
 * kcuckoo_reserve - make room ahead for members of one prefix length
 * @handle: from kcuckoo_open()
 * @name: name of the filter
 * @family: KCUCKOO_FAMILY_IPV4 or KCUCKOO_FAMILY_IPV6
 * @plen: prefix length in bits
 * @count: how many further members are to come
 *
 * What packets add, through iptables or another module, needs such room: they
 * never make a table larger. Members that are added otherwise do not, as filters
 * grow for them; it saves the growing.
 *
 * Return: 0, or -ENOENT, -ENOMEM, -EDQUOT, -EINTR, -EINVAL for a family, length
 * or count that is none, or -EOPNOTSUPP for a filter of byte strings.
 */
int kcuckoo_reserve(struct kcuckoo *handle, const char *name,
		    unsigned int family, unsigned int plen, __u64 count);

/**
 * kcuckoo_compact - give back the memory that the members do not need
 * @handle: from kcuckoo_open()
 * @name: name of the filter
 *
 * Return: 0, or -ENOENT, -ENOMEM.
 */
int kcuckoo_compact(struct kcuckoo *handle, const char *name);

/**
 * kcuckoo_add - add keys
 * @handle: from kcuckoo_open()
 * @name: name of the filter
 * @flags: KCUCKOO_ADD_ABSENT, to leave members as they are, or 0
 * @batch: the keys, their values and timeouts
 * @counts: what was done, also when the call fails; or NULL
 *
 * Return: 0 when all keys were done, otherwise the reason why the key behind
 * the first @counts->done ones was not: -ENOSPC, -ENOMEM, -EDQUOT, -ENOENT,
 * -EINVAL, -EOPNOTSUPP, -EINTR.
 */
int kcuckoo_add(struct kcuckoo *handle, const char *name, unsigned int flags,
		const struct kcuckoo_batch *batch,
		struct kcuckoo_counts *counts);

/**
 * kcuckoo_del - delete keys
 * @handle: from kcuckoo_open()
 * @name: name of the filter
 * @batch: the keys; in a filter with fingerprints and values also the values
 *	that they have
 * @counts: what was done, also when the call fails; or NULL
 *
 * Return: as kcuckoo_add(); -EOPNOTSUPP for an insert-only filter.
 */
int kcuckoo_del(struct kcuckoo *handle, const char *name,
		const struct kcuckoo_batch *batch,
		struct kcuckoo_counts *counts);

/**
 * kcuckoo_update - give keys another value, in place
 * @handle: from kcuckoo_open()
 * @name: name of a filter with values
 * @batch: the keys and their new values; in a filter with fingerprints also the
 *	old ones
 * @counts: what was done, also when the call fails; or NULL
 *
 * Return: as kcuckoo_add().
 */
int kcuckoo_update(struct kcuckoo *handle, const char *name,
		   const struct kcuckoo_batch *batch,
		   struct kcuckoo_counts *counts);

/**
 * kcuckoo_test - look keys up
 * @handle: from kcuckoo_open()
 * @name: name of the filter
 * @flags: KCUCKOO_TEST_MEMBER, or KCUCKOO_TEST_COVERED, or 0 to see full addresses as
 *	a packet would
 * @batch: the keys, and room for their values
 * @counts: what was done, also when the call fails; or NULL
 *
 * Return: as kcuckoo_add().
 */
int kcuckoo_test(struct kcuckoo *handle, const char *name, unsigned int flags,
		 const struct kcuckoo_batch *batch,
		 struct kcuckoo_counts *counts);

/**
 * struct kcuckoo_members - members of an exact filter, or room for some
 * @keys: @count keys
 * @values: the value of each, or NULL
 * @timeouts: the seconds that each has left, 0 for those that never expire; or
 *	NULL
 * @count: how many, or for how many there is room
 */
struct kcuckoo_members {
	struct kcuckoo_prefix *keys;
	uint32_t *values;
	uint32_t *timeouts;
	size_t count;
};

/**
 * kcuckoo_walk - list some members
 * @handle: from kcuckoo_open()
 * @name: name of the filter
 * @cursor: place of the walk, all zero to begin
 * @members: where they go
 * @done: how many were written
 *
 * Return: enum kcuckoo_walk_state: KCUCKOO_WALK_MORE (go on),
 * KCUCKOO_WALK_END, KCUCKOO_WALK_RESTART (forget all keys of this walk: it
 * begins again); or -ENOENT, -EINVAL, or -EOPNOTSUPP for a filter with
 * fingerprints, which does not know its members.
 */
int kcuckoo_walk(struct kcuckoo *handle, const char *name,
		 struct kcuckoo_cursor *cursor,
		 const struct kcuckoo_members *members, size_t *done);

/* kcuckoo_members() gives up after so many walks that had to begin again. */
#define KCUCKOO_MEMBERS_RESTARTS	64

/**
 * kcuckoo_members - list all members, in no particular order
 * @handle: from kcuckoo_open()
 * @name: name of the filter
 * @members: where they go, with values and timeouts where the filter has these;
 *	end it with kcuckoo_members_free()
 *
 * Return: 0, or -ENOENT, -ENOMEM, -EOPNOTSUPP as kcuckoo_walk(), or -EAGAIN
 * when the filter changed so fast that KCUCKOO_MEMBERS_RESTARTS walks had to
 * begin again.
 */
int kcuckoo_members(struct kcuckoo *handle, const char *name,
		    struct kcuckoo_members *members);

/**
 * kcuckoo_members_free - free what kcuckoo_members() has made
 * @members: all NULL afterwards
 */
void kcuckoo_members_free(struct kcuckoo_members *members);

/**
 * kcuckoo_info - what a filter is and holds
 * @handle: from kcuckoo_open()
 * @name: name of the filter
 * @info: where it goes; @info->size is set, all else is overwritten
 *
 * Return: 0, or -ENOENT, or -EINVAL for a size that is none.
 */
int kcuckoo_info(struct kcuckoo *handle, const char *name,
		 struct kcuckoo_ioc_info *info);

/**
 * kcuckoo_fpr - probability that an absent key is taken for a member
 * @tag_bits: bits of a fingerprint; 0 for an exact filter
 * @compared: with how many fingerprints a look-up compares on average
 *
 * A fingerprint is one of 2^f - 1, as an empty entry is told from all: the rate
 * is 1 - (1 - 1 / (2^f - 1))^c, which is a bit more than the 1 - (1 - 2^-f)^c
 * of Fan et al., section 5.1.
 *
 * Return: the rate, 0..1.
 */
double kcuckoo_fpr(unsigned int tag_bits, double compared);

/**
 * kcuckoo_expected_fpr - rate of false positives of a filter as it is now
 * @info: from kcuckoo_info()
 * @family: KCUCKOO_FAMILY_IPV4 or KCUCKOO_FAMILY_IPV6; 0 for byte strings, and
 *	for the larger one of both families
 *
 * Return: the rate, 0..1.
 */
double kcuckoo_expected_fpr(const struct kcuckoo_ioc_info *info,
			    unsigned int family);

/**
 * kcuckoo_false_positives_ipv4 - IPv4 addresses that are taken for members, and are none
 * @info: from kcuckoo_info()
 *
 * Return: their expected number, of all 2^32.
 */
double kcuckoo_false_positives_ipv4(const struct kcuckoo_ioc_info *info);

/**
 * kcuckoo_list - the filters of the namespace, oldest name first
 * @handle: from kcuckoo_open()
 * @entries: where the array goes; end it with free(); NULL when there are none
 *
 * Return: how many there are, or -ENOMEM.
 */
int kcuckoo_list(struct kcuckoo *handle, struct kcuckoo_list_entry **entries);

/**
 * kcuckoo_attach - add a rule: drop, count or mark packets by a filter
 * @handle: from kcuckoo_open()
 * @name: name of the filter; without one of that name the rule waits for it, and
 *	matches nothing
 * @rule: hook, family, match, action, mark, what it allows and its device
 *
 * Return: 0, or -EEXIST, -EOPNOTSUPP, -ENOMEM, -EDQUOT, -EINVAL, or -ENXIO for a
 * missing device.
 */
int kcuckoo_attach(struct kcuckoo *handle, const char *name,
		   struct kcuckoo_ioc_attach *rule);

/**
 * kcuckoo_detach - remove rules
 * @handle: from kcuckoo_open()
 * @name: only those of this filter; NULL for any
 * @pattern: only those that agree with the fields its flags name; NULL for any.
 *	Its name and KCUCKOO_DETACH_NAME are set after @name
 *
 * Return: how many were removed, -ENOENT for none, or -ENXIO for a missing device.
 */
int kcuckoo_detach(struct kcuckoo *handle, const char *name,
		   struct kcuckoo_ioc_detach *pattern);

/**
 * kcuckoo_slot - the number that BPF programs know a filter's name by
 * @handle: from kcuckoo_open()
 * @name: the name; to be held it need not have a filter
 * @slot: flags KCUCKOO_SLOT_GET or KCUCKOO_SLOT_PUT, or none, and the
 *	device; id is set
 *
 * Return: 0, or -ENOENT, -EEXIST, -EDQUOT, -ENOMEM, -EINVAL, or -ENXIO for a
 * missing device.
 */
int kcuckoo_slot(struct kcuckoo *handle, const char *name,
		 struct kcuckoo_ioc_slot *slot);

/**
 * kcuckoo_rules - the rules of the namespace, in the order of packets
 * @handle: from kcuckoo_open()
 * @rules: where the array goes; end it with free(); NULL when there are none
 *
 * Return: how many there are, or -ENOMEM.
 */
int kcuckoo_rules(struct kcuckoo *handle, struct kcuckoo_rule **rules);

/**
 * kcuckoo_stats - figures of the namespace, and what the module is
 * @handle: from kcuckoo_open()
 * @stats: where they go; @stats->size is set, all else is overwritten. A module
 *	that is older leaves what it does not know zero: @stats->version too, then
 *
 * Return: 0, or -EINVAL for a size that is none.
 */
int kcuckoo_stats(struct kcuckoo *handle, struct kcuckoo_ioc_stats *stats);

/**
 * kcuckoo_save - write a snapshot of a filter, as it is at one instant
 * @handle: from kcuckoo_open(); one snapshot at a time is saved through it
 * @name: name of the filter
 * @fd: descriptor of a file or pipe, of any kind; the snapshot begins where that
 *	stands now
 * @why: on failure, what is wrong with the file, a constant text for a person,
 *	or NULL if it was not the file; or NULL
 *
 * The snapshot holds the secret of the filter's hash and all that it holds, so
 * a file must be readable for nobody else. Its format is that of the command
 * kcuckoo, and described in kcuckoo(8).
 *
 * Return: 0, or -ENOENT, -ENOMEM, -EDQUOT, -EINVAL for a name that no filter may
 * have or where another thread took the handle for another snapshot, and whatever
 * else write() returns. After an error nothing is kept in the kernel.
 */
int kcuckoo_save(struct kcuckoo *handle, const char *name, int fd,
		 const char **why);

/* kcuckoo_restore(): take the place of a filter that has the name already. */
#define KCUCKOO_RESTORE_REPLACE	1

/**
 * kcuckoo_restore - make a filter from a snapshot
 * @handle: from kcuckoo_open(); one snapshot at a time is restored through it
 * @name: name of the new filter; an empty one becomes the one that the filter
 *	had when it was saved
 * @flags: KCUCKOO_RESTORE_REPLACE or 0
 * @fd: descriptor of a file or pipe with the snapshot and nothing behind it
 * @why: as for kcuckoo_save()
 *
 * Return: 0, or -EBADMSG for what is damaged, cut short or no snapshot;
 * -EEXIST, -EDQUOT, -ENOMEM, -EINVAL for an unknown flag, a name that no filter
 * may have or a filter of another type in its place; and whatever else read()
 * returns. After an error nothing has changed, and nothing is kept in the kernel.
 *
 * With KCUCKOO_RESTORE_REPLACE the snapshot becomes a filter of its own, of a name
 * as kcuckoo_temporary_name() makes it, before that takes the other one's place. From
 * when the whole file was read until then all signals wait that are meant for the
 * calling thread. What ends the process all the same, as SIGKILL, or a signal to
 * another thread that has it end, may leave it behind: kcuckoo_destroy() removes it.
 */
int kcuckoo_restore(struct kcuckoo *handle, char name[KCUCKOO_NAME_SIZE],
		    unsigned int flags, int fd, const char **why);

/* Room for any prefix as text, its final zero included. */
#define KCUCKOO_PREFIX_TEXT	48

/**
 * kcuckoo_prefix_scan - read the address or prefix that a text begins with
 * @text: the text; no final zero is needed
 * @length: its length in bytes
 * @prefix: where the key goes, host bits cleared
 * @host_bits: set to 1 if there were host bits, to 0 otherwise; or NULL
 * @why: on failure, what is wrong, a constant text for a person; or NULL
 *
 * IPv4 is four decimal numbers without leading zeros, or with all four padded
 * to three digits; IPv6 what RFC 4291 allows. Either may be followed by a slash
 * and a decimal prefix length, IPv4 also by a slash and a mask
 * (192.0.2.0/255.255.255.0). No names are resolved.
 *
 * An IPv4 address mapped into IPv6 becomes IPv4, because no packet has the
 * mapped form: ::ffff:192.0.2.1 is 192.0.2.1, ::ffff:192.0.2.0/120 is
 * 192.0.2.0/24. Mapped prefixes shorter than /104 stay IPv6. Only text is
 * translated: a mapped struct kcuckoo_prefix stays what it is in every call,
 * and kcuckoo_prefix_format() writes it as IPv6.
 *
 * Return: how many bytes were read, or -EINVAL. What follows is the caller's
 * to judge.
 */
long kcuckoo_prefix_scan(const char *text, size_t length,
			 struct kcuckoo_prefix *prefix, int *host_bits,
			 const char **why);

/**
 * kcuckoo_prefix_parse - turn a whole text into a key
 * @text: an address or prefix and nothing else, ended by zero
 * @prefix: where the key goes, host bits cleared
 * @why: on failure, what is wrong, a constant text for a person; or NULL
 *
 * Return: 0, or 1 if host bits were cleared, or -EINVAL.
 */
int kcuckoo_prefix_parse(const char *text, struct kcuckoo_prefix *prefix,
			 const char **why);

/**
 * kcuckoo_prefix_format - write a key in its one canonical form
 * @prefix: the key
 * @text: room for KCUCKOO_PREFIX_TEXT bytes
 *
 * IPv6 as RFC 5952 says, in hexadecimal groups throughout; a full address has
 * no prefix length.
 *
 * Return: the length of the text, or -EINVAL for a key that is none.
 */
int kcuckoo_prefix_format(const struct kcuckoo_prefix *prefix, char *text);

/**
 * kcuckoo_strerror - what an error means here
 * @error: an errno, negative or positive
 *
 * Return: a constant text for a person.
 */
const char *kcuckoo_strerror(int error);

#ifdef __cplusplus
}
#endif

#endif /* KCUCKOO_H */
