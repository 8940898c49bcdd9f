/* SPDX-License-Identifier: GPL-2.0-only */
/* These functions parse the key or range at the start of a line. */
#ifndef KCUCKOO_CLI_KEY_H
#define KCUCKOO_CLI_KEY_H

#include <string.h>

#include "input/line.h"

/*
 * Parse the key or range at @at into @line, and set @line->rest to its end. If no key begins at
 * @at, mark @line as bad, and set @line->rest to @at.
 */
void key_parse(const char *at, const char *end, const struct syntax *syntax,
	       struct line *line);

/*
 * Parse the prefix length or mask from @at to @end, and apply it to the key of
 * @line. Mark the line as bad if the prefix length or mask is invalid.
 */
void key_set_length(struct line *line, const char *at, const char *end,
		    const struct syntax *syntax);

/*
 * Set @line to the range from @line->key to @line->last, or mark the line as bad if this range
 * is invalid. @first: text of @line->key, @line->length bytes. @second: text of @line->last,
 * @length bytes. The texts show whether an address has a prefix length, even /32, and whether it
 * is written as IPv6.
 */
void key_set_range(struct line *line, const char *first, const char *second,
		   size_t length);

/*
 * Write the key of @line to @canonical in canonical form, and set @text and @length of
 * @line to the result.
 */
void key_rewrite(struct line *line);

/*
 * Convert an IPv4 key to an IPv4-mapped IPv6 key. This undoes a translation of the library,
 * which parses IPv4-mapped keys as IPv4. An IPv6 key does not change.
 */
void key_map(struct kcuckoo_prefix *key);

/*
 * Return: the key of a line in the address family of its text: an IPv4-mapped IPv6 address,
 * which the library translated to IPv4, becomes IPv6 again.
 */
struct kcuckoo_prefix key_as_written(const struct line *line);

/* Return: the number of bytes of an address of the family of @key. */
int key_bytes(const struct kcuckoo_prefix *key);

/* Set @last to the last address of @key. */
void key_set_last(const struct kcuckoo_prefix *key, struct kcuckoo_prefix *last);

/*
 * Return: true if @address is @bound, the first or last address of @key; or, of a network,
 * the address of a host next to it, such as 192.0.2.1 and 192.0.2.254.
 */
bool key_is_bound(const struct kcuckoo_prefix *key, const struct kcuckoo_prefix *bound,
		  const struct kcuckoo_prefix *address);

/* Return: true if all bits of @key after the first @plen equal @ones. */
bool key_has_tail(const struct kcuckoo_prefix *key, int plen, bool ones);

/*
 * Return: true if @number addresses that begin at @key can be a block: @number is a power of two
 * from 8 on, and the block is a network; or @number is a multiple of 256, and the last 8 bits of
 * @key are 0. Smaller numbers are often counts of something else.
 */
bool key_is_block(const struct kcuckoo_prefix *key, __u64 number);

/* Return: true if all bits of the address @key are set. */
bool key_is_ones(const struct kcuckoo_prefix *key);

/*
 * Return: the prefix length of the mask @second; or -1 if @second is not a mask,
 * or if the address @first has host bits under this mask. With @wildcard,
 * @second is an inverted mask.
 */
int key_mask_length(const struct kcuckoo_prefix *first,
		    const struct kcuckoo_prefix *second, bool wildcard);

/*
 * Return: the length of the prefix whose first address is @first and whose last address
 * is @last; or -1 if the two addresses are not the ends of a prefix.
 */
int key_common_length(const struct kcuckoo_prefix *first,
		      const struct kcuckoo_prefix *last);

/* Set @line->bare: the key is an address, and its text has no prefix length. */
void key_check_bare(struct line *line);

/*
 * Parse an address or prefix with kcuckoo_prefix_scan(). If @syntax->exact is set, keep
 * an IPv4-mapped IPv6 address as IPv6. Return: the number of bytes that were parsed, or
 * -EINVAL and an error text in @why.
 */
static inline long key_scan(const char *at, const char *end,
			    const struct syntax *syntax,
			    struct kcuckoo_prefix *key,
			    int *host_bits, const char **why)
{
	long length = kcuckoo_prefix_scan(at, end - at, key, host_bits, why);

	if (syntax->exact && length > 0 && memchr(at, ':', length))
		key_map(key);
	return length;
}

#endif /* KCUCKOO_CLI_KEY_H */
