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
 * use one handle at once, as long as none of them closes it.
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
 * struct kcuckoo_count - what a batch did
 * @done: how many leading keys were done
 * @added: of these, by kcuckoo_add(): are members now
 * @existed: by kcuckoo_add(): were members already
 * @deleted: by kcuckoo_del(): are members no more
 * @absent: by kcuckoo_del(): were no members
 * @present: by kcuckoo_test(): are in the filter
 */
struct kcuckoo_count {
	__u64 done;
	__u64 added;
	__u64 existed;
	__u64 deleted;
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
 * -ENOENT (there is no such namespace), -EACCES, -EPERM, -ENOMEM and whatever
 * else open() and setns() return.
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
 * @with: the other
 *
 * Return: 0, or -ENOENT, or -EINVAL for different types.
 */
int kcuckoo_swap(struct kcuckoo *handle, const char *name, const char *with);

/**
 * kcuckoo_replace - put a filter in the place of another, which is destroyed
 * @handle: from kcuckoo_open()
 * @name: the name that stays
 * @with: the name of the new filter, which ends
 *
 * Return: 0, or -ENOENT, -EBUSY while rules use @with, or -EINVAL for
 * different types.
 */
int kcuckoo_replace(struct kcuckoo *handle, const char *name,
		    const char *with);

/**
 * kcuckoo_flush - remove all members
 * @handle: from kcuckoo_open()
 * @name: name of the filter
 *
 * Return: 0, or -ENOENT.
 */
int kcuckoo_flush(struct kcuckoo *handle, const char *name);

/**
 * kcuckoo_reserve - make room ahead for members of one prefix length
 * @handle: from kcuckoo_open()
 * @name: name of the filter
 * @family: KCUCKOO_FAMILY_IPV4 or KCUCKOO_FAMILY_IPV6
 * @plen: prefix length in bits
 * @count: how many further members are to come
 *
 * Never needed, as filters grow by themselves; it saves the growing.
 *
 * Return: 0, or -ENOENT, -ENOMEM, -EDQUOT.
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
 * @keys: @count keys
 * @count: any number; more than KCUCKOO_BATCH_MAX take several calls of the
 *	kernel
 * @results: room for @count enum kcuckoo_result, or NULL
 * @sum: what was done, also when the call fails; or NULL
 *
 * Return: 0 when all keys were done, otherwise the reason why the key behind
 * the first @sum->done ones was not: -ENOSPC, -ENOMEM, -EDQUOT, -ENOENT,
 * -EINVAL, -EINTR.
 */
int kcuckoo_add(struct kcuckoo *handle, const char *name,
		const struct kcuckoo_prefix *keys, size_t count,
		uint8_t *results, struct kcuckoo_count *sum);

/**
 * kcuckoo_del - delete keys
 * @handle: from kcuckoo_open()
 * @name: name of the filter
 * @keys: @count keys
 * @count: any number
 * @results: room for @count enum kcuckoo_result, or NULL
 * @sum: what was done, also when the call fails; or NULL
 *
 * Return: as kcuckoo_add().
 */
int kcuckoo_del(struct kcuckoo *handle, const char *name,
		const struct kcuckoo_prefix *keys, size_t count,
		uint8_t *results, struct kcuckoo_count *sum);

/**
 * kcuckoo_test - look keys up
 * @handle: from kcuckoo_open()
 * @name: name of the filter
 * @flags: KCUCKOO_TEST_MEMBER, or 0 to see full addresses as a packet would
 * @keys: @count keys
 * @count: any number
 * @results: room for @count enum kcuckoo_result, or NULL
 * @sum: what was done, also when the call fails; or NULL
 *
 * Return: as kcuckoo_add().
 */
int kcuckoo_test(struct kcuckoo *handle, const char *name, unsigned int flags,
		 const struct kcuckoo_prefix *keys, size_t count,
		 uint8_t *results, struct kcuckoo_count *sum);

/**
 * kcuckoo_walk - list some members
 * @handle: from kcuckoo_open()
 * @name: name of the filter
 * @cursor: place of the walk, all zero to begin
 * @keys: room for @room keys
 * @room: KCUCKOO_WALK_MIN at least
 * @done: how many keys were written
 *
 * Return: enum kcuckoo_walk_state: KCUCKOO_WALK_MORE (go on),
 * KCUCKOO_WALK_END, KCUCKOO_WALK_RESTART (forget all keys of this walk: it
 * begins again); or -ENOENT, -EINVAL.
 */
int kcuckoo_walk(struct kcuckoo *handle, const char *name,
		 struct kcuckoo_cursor *cursor, struct kcuckoo_prefix *keys,
		 size_t room, size_t *done);

/* kcuckoo_members() gives up after so many walks that had to begin again. */
#define KCUCKOO_MEMBERS_RESTARTS	64

/**
 * kcuckoo_members - list all members, in no particular order
 * @handle: from kcuckoo_open()
 * @name: name of the filter
 * @keys: where the array of members goes; end it with free()
 * @count: how many there are
 *
 * Return: 0, or -ENOENT, -ENOMEM, or -EAGAIN when the filter changed so fast
 * that KCUCKOO_MEMBERS_RESTARTS walks had to begin again.
 */
int kcuckoo_members(struct kcuckoo *handle, const char *name,
		    struct kcuckoo_prefix **keys, size_t *count);

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
 * kcuckoo_list - the filters of the namespace, oldest name first
 * @handle: from kcuckoo_open()
 * @entries: where the array goes; end it with free(); NULL when there are none
 *
 * Return: how many there are, or -ENOMEM.
 */
int kcuckoo_list(struct kcuckoo *handle, struct kcuckoo_list_entry **entries);

/**
 * kcuckoo_attach - add a rule: drop or count packets by a filter
 * @handle: from kcuckoo_open()
 * @name: name of the filter
 * @rule: hook, family, match and action
 *
 * Return: 0, or -ENOENT, -EEXIST, -EOPNOTSUPP, -ENOMEM, -EDQUOT, -EINVAL.
 */
int kcuckoo_attach(struct kcuckoo *handle, const char *name,
		   struct kcuckoo_ioc_attach *rule);

/**
 * kcuckoo_detach - remove rules
 * @handle: from kcuckoo_open()
 * @name: only those of this filter; NULL for any
 * @pattern: only those that agree with the fields its flags name; NULL for any
 *
 * Return: how many were removed, or -ENOENT for none.
 */
int kcuckoo_detach(struct kcuckoo *handle, const char *name,
		   struct kcuckoo_ioc_detach *pattern);

/**
 * kcuckoo_rules - the rules of the namespace, in the order of packets
 * @handle: from kcuckoo_open()
 * @rules: where the array goes; end it with free(); NULL when there are none
 *
 * Return: how many there are, or -ENOMEM.
 */
int kcuckoo_rules(struct kcuckoo *handle, struct kcuckoo_rule **rules);

/**
 * kcuckoo_stats - figures of the namespace
 * @handle: from kcuckoo_open()
 * @stats: where they go; @stats->size is set, all else is overwritten
 *
 * Return: 0, or -EINVAL for a size that is none.
 */
int kcuckoo_stats(struct kcuckoo *handle, struct kcuckoo_ioc_stats *stats);

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
 * IPv4 is four decimal numbers without leading zeros, IPv6 what RFC 4291
 * allows; either may be followed by a slash and a decimal prefix length. An
 * IPv4 address mapped into IPv6 (::ffff:192.0.2.1) stays an IPv6 address. No
 * names are resolved.
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
