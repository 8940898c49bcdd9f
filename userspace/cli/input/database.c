// SPDX-License-Identifier: GPL-2.0-only
/*
 * database_read() reads networks of countries or autonomous systems from a MaxMind DB
 * database.
 *
 * A database is untrusted input. So a child process parses the database with mmdb_read(), and
 * sends the networks to the parent.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/database.h"
#include "input/extract.h"
#include "input/key.h"
#include "input/mmdb.h"
#include "input/reader.h"
#include "number.h"

const char * const database_options[] = { "country", "asn", "value", NULL };

/**
 * struct search - a search in a database
 * @reader: reader to which the networks are passed
 * @job: the search that the child does
 * @systems: numbers of the wanted autonomous systems, to which @job.systems points;
 *	NULL for a search for countries
 * @seen: true for each wanted autonomous system or country that has a network in the
 *	database. The index is the index in @systems or, for countries, mmdb_index()
 * @valued: the value of each key is the number of its country
 * @unknown: with @valued, number of networks that were left out, because their country
 *	has no number
 * @unknown_code: code of such a country
 */
struct search {
	struct reader *reader;
	struct mmdb_job job;
	__u32 *systems;
	bool *seen;
	bool valued;
	__u64 unknown;
	char unknown_code[COUNTRY_CODE + 1];
};

static const char *word_end(const char *at)
{
	return at + strcspn(at, ",");
}

static int set_country(struct search *search, const char *at, size_t length)
{
	char code[COUNTRY_CODE + 1];

	if (!country_code(at, length, code) || !country_number(code))
		return error("%s: '%.*s' is no country code of ISO 3166-1, such as DE or GB",
			     search->reader->place.file, (int)length, at);
	search->job.codes[mmdb_index(code)] = true;
	return 0;
}

static int compare_systems(const void *a, const void *b)
{
	const __u32 *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static int set_system(struct search *search, const char *at, size_t length)
{
	size_t skip = length > 2 && (at[0] | 0x20) == 'a' && (at[1] | 0x20) == 's' ? 2 : 0;
	__u64 number;

	if (!number_scan(at + skip, length - skip, UINT32_MAX, &number) || !number)
		return error("%s: '%.*s' is no number of an autonomous system, such as 64500 or AS64500",
			     search->reader->place.file, (int)length, at);
	search->systems[search->job.system_count++] = number;
	return 0;
}

/* Call @set for each word of @list, words with commas between them. */
static int each_word(struct search *search, const char *list,
		     int (*set)(struct search *search, const char *at, size_t length))
{
	const char *end;

	for (;; list = end + 1) {
		end = word_end(list);
		if (set(search, list, end - list))
			return -1;
		if (!*end)
			return 0;
	}
}

static int set_systems(struct search *search, const char *list)
{
	size_t count = 1;
	const char *at;

	for (at = list; *at; at++)
		count += *at == ',';
	search->systems = calloc(count, sizeof(*search->systems));
	if (!search->systems)
		return error("not enough memory");
	search->job.systems = search->systems;
	if (each_word(search, list, set_system))
		return -1;
	qsort(search->systems, search->job.system_count,
	      sizeof(*search->systems), compare_systems);
	return 0;
}

/* The values of the filter must be large enough for the number of a country. */
static int set_value(struct search *search, const char *value)
{
	const struct reader *reader = search->reader;

	if (strcmp(value, "country"))
		return error("%s: the value can be the number of the country (value=country), and not '%s'",
			     reader->place.file, value);
	if (reader->syntax.max_value < COUNTRY_MAX)
		return error("%s: numbers of countries need a filter with values of 10 bits: 'create NAME value 10'",
			     reader->place.file);
	search->valued = true;
	return 0;
}

static int set_options(struct search *search)
{
	const struct spec *spec = search->reader->spec;
	const char *country = spec_option(spec, "country");
	const char *asn = spec_option(spec, "asn");
	const char *value = spec_option(spec, "value");

	if (asn && (country || value))
		return error("%s: a database is searched either for countries or for autonomous systems",
			     spec->path);
	if (!asn && !country && !value)
		return error("%s: a database has nearly all addresses: name a country (mmdb:FILE?country=DE) or an autonomous system (mmdb:FILE?asn=64500)",
			     spec->path);
	if (value && set_value(search, value))
		return -1;
	search->job.all = !asn && !country;
	if (country && each_word(search, country, set_country))
		return -1;
	if (asn && set_systems(search, asn))
		return -1;
	search->seen = calloc(asn ? search->job.system_count : MMDB_CODES, sizeof(bool));
	return search->seen ? 0 : error("not enough memory");
}

/* Check that the file is a regular file and has no other known format, and set @job.size. */
static int check_file(struct search *search)
{
	const char *path = search->job.path, *name;
	unsigned char magic[FORMAT_MAGIC];
	enum format format;
	struct stat st;
	ssize_t done;
	int fd;

	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0 || fstat(fd, &st)) {
		error("cannot read %s: %s", path, strerror(errno));
		if (fd >= 0)
			close(fd);
		return -1;
	}
	done = pread(fd, magic, sizeof(magic), 0);
	close(fd);
	if (!S_ISREG(st.st_mode))
		return error("cannot read %s: a database is a regular file, and not a pipe, a device or a folder",
			     path);
	format = done >= 0 ? format_of(magic, done, &name) : FORMAT_TEXT;
	if (format != FORMAT_TEXT)
		return error("cannot read %s: it is %s%s", path, name,
			     format_is_packed(format) ? ": unpack it first" :
							", not a MaxMind DB database");
	search->job.size = st.st_size;
	return 0;
}

static void set_seen(struct search *search, const struct mmdb_network *network)
{
	__u32 *system;

	if (!search->systems) {
		search->seen[mmdb_index(network->code)] = true;
		return;
	}
	system = bsearch(&network->asn, search->systems, search->job.system_count,
			 sizeof(*search->systems), compare_systems);
	if (system)
		search->seen[system - search->systems] = true;
}

static int take_network(struct search *search, const struct mmdb_network *network,
			struct line *line)
{
	struct reader *reader = search->reader;
	int number;

	line->has = 0;
	if (!mmdb_is_valid(network, !search->systems))
		return error("cannot read %s: the process that reads it sent invalid data",
			     reader->place.file);
	set_seen(search, network);
	if (search->valued) {
		number = country_number(network->code);
		if (!number) {
			memcpy(search->unknown_code, network->code,
			       sizeof(network->code));
			search->unknown++;
			return 0;
		}
		line->has = LINE_VALUE;
		line->value = number;
	}
	line->kind = LINE_KEY;
	line->key = network->key;
	key_rewrite(line);
	reader->place.number++;
	reader->place.text = line->text;
	reader->place.length = line->length;
	reader->input->lines++;
	line_check_needed(line, &reader->syntax);
	return reader_take(reader, line);
}

static int read_error(const struct search *search, const struct extractor *child)
{
	if (search->reader->input->progress)
		progress_clear(search->reader->input->progress);
	return error("cannot read %s: %s", search->job.path, extract_why(child));
}

/*
 * Read networks from the child to @buffer, until the last network in @buffer is complete.
 * Return: the number of bytes; 0 at the end; or -1 after an error message.
 */
static ssize_t read_networks(struct search *search, struct extractor *child,
			     char *buffer, size_t size)
{
	size_t have = 0;
	ssize_t done;

	do {
		done = extract_read(child, buffer + have, size - have);
		if (done < 0)
			return read_error(search, child);
		have += done;
	} while (done && have % sizeof(struct mmdb_network));
	if (have % sizeof(struct mmdb_network))
		return error("cannot read %s: the process that reads it sent invalid data",
			     search->job.path);
	return have;
}

static int take_networks(struct search *search, struct extractor *child)
{
	static struct mmdb_network networks[256];
	static struct line line;
	const char *name;
	ssize_t done, i;
	int ret;

	ret = extract_next(child, &name);
	if (ret < 0)
		return read_error(search, child);
	while ((done = read_networks(search, child, (char *)networks,
				     sizeof(networks))) > 0)
		for (i = 0; i < done / (ssize_t)sizeof(networks[0]); i++) {
			ret = take_network(search, &networks[i], &line);
			if (ret < 0)
				return ret;
		}
	return done;
}

static void warn_missing(const struct search *search)
{
	const char *path = search->job.path;
	size_t i;

	for (i = 0; i < search->job.system_count; i++)
		if (!search->seen[i])
			warn("%s has no network of AS%u", path, search->systems[i]);
	for (i = 0; i < MMDB_CODES; i++)
		if (search->job.codes[i] && !search->seen[i])
			warn("%s has no network of the country %c%c", path,
			     'A' + (int)i / 26, 'A' + (int)i % 26);
	if (search->unknown)
		warn("%s: %llu %s left out, because ISO 3166-1 has no number of the country, for example %s",
		     path, search->unknown,
		     plural(search->unknown, "network is", "networks are"),
		     search->unknown_code);
}

static int search_file(struct search *search)
{
	struct extractor *child;
	int ret;

	if (set_options(search) || check_file(search))
		return -1;
	child = extract_start(mmdb_read, &search->job, NULL, NULL);
	if (!child)
		return error("cannot read %s: %s", search->job.path, strerror(errno));
	ret = take_networks(search, child);
	extract_end(child);
	if (!ret)
		warn_missing(search);
	return ret;
}

int database_read(struct reader *reader, const char *path)
{
	struct search search = { .reader = reader, .job.path = path };
	int ret = search_file(&search);

	free(search.systems);
	free(search.seen);
	return ret;
}
