// SPDX-License-Identifier: GPL-2.0-only
/*
 * A spool holds keys in a temporary file. The verb load moves keys to a spool if the
 * keys take too much memory.
 *
 * The file has, for each prefix, one byte for the family, one byte for the prefix
 * length, the address, and a struct note if the collection keeps notes (keyset.h). For
 * each byte string, the file has two bytes for the length of the string, and the bytes
 * of the string.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <unistd.h>

#include "keys/spool.h"
#include "message.h"
#include "tempfile.h"

/* Print an error for the errno of an operation on the temporary file. Return: -1. */
static int fail(int code)
{
	char why[256];

	tempfile_why(code, why, sizeof(why));
	return error("cannot keep the keys: %s", why);
}

static int begin(struct spool *spool)
{
	int fd = tempfile_open();

	if (fd < 0)
		return fail(-fd);
	spool->file = fdopen(fd, "w+");
	if (spool->file)
		return 0;
	close(fd);
	return fail(errno);
}

void spool_free(struct spool *spool)
{
	if (spool->file)
		fclose(spool->file);
}

static size_t address_size(const struct kcuckoo_prefix *key)
{
	return key->family == KCUCKOO_FAMILY_IPV4 ? 4 : 16;
}

static bool write_prefixes(FILE *file, const struct keyset *keys)
{
	bool noted = keyset_has_notes(keys), written = true;
	struct kcuckoo_prefix key;
	struct note note;
	size_t i;

	for (i = 0; written && keyset_read(keys, i, &key, 1); i++) {
		const uint8_t head[] = { key.family, key.plen };

		written = fwrite_unlocked(head, sizeof(head), 1, file) &&
			  fwrite_unlocked(key.addr, address_size(&key), 1, file);
		if (!noted)
			continue;
		keyset_read_notes(keys, i, &note, 1);
		written &= fwrite_unlocked(&note, sizeof(note), 1, file);
	}
	return written;
}

static bool write_strings(FILE *file, const struct byteset *strings)
{
	const uint8_t *bytes = strings->bytes;
	bool written = true;
	size_t i;

	for (i = 0; written && i < strings->count; i++) {
		uint16_t length = strings->lengths[i];

		written = fwrite_unlocked(&length, sizeof(length), 1, file) &&
			  fwrite_unlocked(bytes, 1, length, file) == length;
		bytes += length;
	}
	return written;
}

int spool_write(struct spool *spool, struct collection *collection)
{
	if (!spool->file && begin(spool))
		return -1;
	if (!write_prefixes(spool->file, &collection->keys) ||
	    !write_strings(spool->file, &collection->strings) ||
	    fflush(spool->file))
		return fail(errno);
	collection_clear(collection);
	spool->writes++;
	return 0;
}

void spool_rewind(struct spool *spool)
{
	rewind(spool->file);
}

/* Print an error for a failed read, or for a file that ends within a key. Return: -1. */
static int fail_read(FILE *file)
{
	return fail(ferror(file) ? errno : EIO);
}

/* Return: 1; 0 at the end of the file; or -1 after an error message. */
static int read_prefix(FILE *file, struct collection *collection)
{
	int family = getc_unlocked(file);
	struct kcuckoo_prefix key = { .family = family };
	struct note note = collection->note;

	if (family == EOF)
		return ferror(file) ? fail_read(file) : 0;
	key.plen = getc_unlocked(file);
	if (!fread_unlocked(key.addr, address_size(&key), 1, file))
		return fail_read(file);
	if (keyset_has_notes(&collection->keys) &&
	    !fread_unlocked(&note, sizeof(note), 1, file))
		return fail_read(file);
	return collection_add_prefix(collection, &key, &note) ? -1 : 1;
}

/* Return: as read_prefix(). */
static int read_string(FILE *file, struct collection *collection)
{
	static char bytes[UINT16_MAX];
	uint16_t length;

	if (!fread_unlocked(&length, sizeof(length), 1, file))
		return ferror(file) ? fail_read(file) : 0;
	if (fread_unlocked(bytes, 1, length, file) != length)
		return fail_read(file);
	return collection_add_string(collection, bytes, length) ? -1 : 1;
}

int spool_read(struct spool *spool, struct collection *collection, size_t limit)
{
	bool inet = collection->syntax.kind == SYNTAX_INET;
	int ret;

	do {
		ret = inet ? read_prefix(spool->file, collection) :
			     read_string(spool->file, collection);
	} while (ret > 0 && collection_bytes(collection) <= limit);
	return ret;
}
