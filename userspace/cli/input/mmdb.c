// SPDX-License-Identifier: GPL-2.0-only
/*
 * mmdb_read() reads a MaxMind DB database with libmaxminddb. database.c runs the function
 * in a child process, because the database is untrusted input.
 *
 * A database is a binary tree. The path from the root to a leaf is a network, one bit
 * for each branch, and the leaf has the data of this network. The child loads the
 * library with dlopen(), so that the command also works on a host without the library.
 */
#include <dlfcn.h>
#include <maxminddb.h>
#include <string.h>

#include "input/mmdb.h"
#include "input/sandbox.h"

/* The name of the library since version 1.0. */
#define LIBRARY		"libmaxminddb.so.0"

/* Maximum memory of the library in bytes, in addition to the size of the database. */
#define MEMORY		(64ULL << 20)

/* Number of results in the cache. Many networks refer to the same data. */
#define CACHED		4096

/*
 * Maximum number of visits of nodes in a search, as a multiple of the number of nodes of
 * the database. A search with more visits fails. Several branches of the tree can lead to
 * one subtree, so the paths to a node of a damaged database can be exponentially many.
 */
#define VISITS		8

/*
 * Length in bits of the path to the IPv4 addresses in a tree of IPv6 addresses. All
 * bits of this path are zero.
 */
#define MAPPED		96

/* The functions of libmaxminddb that this file uses. */
#define FUNCTIONS(X)		\
	X(MMDB_open)		\
	X(MMDB_read_node)	\
	X(MMDB_aget_value)	\
	X(MMDB_strerror)

#define DECLARE(name) static __typeof__(name) *lib_##name;
FUNCTIONS(DECLARE)

/**
 * struct result - the country or autonomous system in the data of one or more networks
 * @offset: position of the data in the database
 * @used: this element of the cache has a result
 * @wanted: networks with this data are wanted
 * @code: country code, or ""
 * @asn: number of the autonomous system, or 0
 */
struct result {
	__u32 offset;
	bool used;
	bool wanted;
	char code[COUNTRY_CODE + 1];
	__u32 asn;
};

/* The job of this process, which reads one database. */
static const struct mmdb_job *job;
static MMDB_s database;
static struct result cache[CACHED];

static __u64 visits;

/*
 * At least one network that was read has a country code or, in a search for autonomous
 * systems, the number of a system.
 */
static bool has_field;

/* Networks that are wanted and were not sent to the parent yet, and their number. */
static struct mmdb_network networks[256];
static size_t network_count;

/* The path from the root of the tree to the current node: the first bits of an address. */
static uint8_t path[16];

static void load_library(void)
{
	void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);

	if (!library)
		sandbox_fail("a database needs libmaxminddb; as root: apt-get install -y libmaxminddb0 (%s)",
			     dlerror());
#define LOAD(name)							\
	lib_##name = dlsym(library, #name);				\
	if (!lib_##name)						\
		sandbox_fail("a database needs a newer libmaxminddb: "		\
			     "the installed version lacks %s()", #name);
	FUNCTIONS(LOAD)
#undef LOAD
}

static void __attribute__((noreturn)) fail_damaged(const char *why)
{
	sandbox_fail("the database is damaged (%s)", why);
}

/*
 * Find a value in the data of a network. @keys: keys of the nested maps that contain the value,
 * from the outermost, and then NULL.
 */
static bool get_value(MMDB_entry_s *entry, const char *const *keys,
		      MMDB_entry_data_s *value)
{
	int ret = lib_MMDB_aget_value(entry, value, keys);

	if (ret == MMDB_SUCCESS)
		return value->has_data;
	if (ret == MMDB_LOOKUP_PATH_DOES_NOT_MATCH_DATA_ERROR)
		return false;
	fail_damaged(lib_MMDB_strerror(ret));
}

/* Without a country code in the data, @code does not change. */
static void get_country(MMDB_entry_s *entry, char *code)
{
	static const char *const fields[][3] = {
		{ "country", "iso_code" },
		{ "registered_country", "iso_code" },
		{ "country_code" },
		{ "country" },
	};
	MMDB_entry_data_s value;
	size_t i;

	for (i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		if (get_value(entry, fields[i], &value) &&
		    value.type == MMDB_DATA_TYPE_UTF8_STRING &&
		    country_code(value.utf8_string, value.data_size, code))
			return;
}

/* Return: the number in a text such as "AS64500" or "64500", or 0. */
static __u32 parse_asn(const char *text, size_t length)
{
	__u64 number = 0;
	size_t i = 0;

	if (length > 2 && (text[0] | 0x20) == 'a' && (text[1] | 0x20) == 's')
		i = 2;
	for (; i < length; i++) {
		if (text[i] < '0' || text[i] > '9')
			return 0;
		number = 10 * number + text[i] - '0';
		if (number > UINT32_MAX)
			return 0;
	}
	return number;
}

static __u32 get_asn(MMDB_entry_s *entry)
{
	static const char *const fields[][2] = {
		{ "autonomous_system_number" },
		{ "asn" },
	};
	MMDB_entry_data_s value;
	size_t i;

	for (i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		if (!get_value(entry, fields[i], &value))
			continue;
		if (value.type == MMDB_DATA_TYPE_UINT32)
			return value.uint32;
		if (value.type == MMDB_DATA_TYPE_UINT16)
			return value.uint16;
		if (value.type == MMDB_DATA_TYPE_UTF8_STRING)
			return parse_asn(value.utf8_string, value.data_size);
	}
	return 0;
}

static bool is_wanted_system(__u32 asn)
{
	size_t low = 0, high = job->system_count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (job->systems[middle] == asn)
			return true;
		if (job->systems[middle] < asn)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

static const struct result *result_of(MMDB_entry_s *entry)
{
	struct result *result = &cache[entry->offset % CACHED];

	if (result->used && result->offset == entry->offset)
		return result;
	memset(result, 0, sizeof(*result));
	result->used = true;
	result->offset = entry->offset;
	if (job->systems) {
		result->asn = get_asn(entry);
		result->wanted = is_wanted_system(result->asn);
		has_field |= result->asn;
		return result;
	}
	get_country(entry, result->code);
	has_field |= *result->code;
	result->wanted = *result->code &&
			 (job->all || job->codes[mmdb_index(result->code)]);
	return result;
}

static void send_networks(void)
{
	if (network_count)
		sandbox_send(FRAME_DATA, networks,
			     network_count * sizeof(networks[0]));
	network_count = 0;
}

/* Return: true if the current path, of @depth bits, is an IPv4 network. */
static bool is_ipv4(int depth)
{
	static const uint8_t zeros[MAPPED / 8];

	return database.depth == 32 ||
	       (depth >= MAPPED && !memcmp(path, zeros, sizeof(zeros)));
}

/*
 * Append the network at the end of the path to @networks, if the network is wanted. @entry: data
 * of the network. @depth: length of the path in bits.
 */
static void take_data(MMDB_entry_s *entry, int depth)
{
	struct mmdb_network *network = &networks[network_count];
	const struct result *result = result_of(entry);
	int skipped = database.depth == 32 ? 0 : MAPPED;

	if (!result->wanted)
		return;
	memset(network, 0, sizeof(*network));
	memcpy(network->code, result->code, sizeof(network->code));
	network->asn = result->asn;
	if (is_ipv4(depth)) {
		network->key.family = KCUCKOO_FAMILY_IPV4;
		network->key.plen = depth - skipped;
		memcpy(network->key.addr, path + skipped / 8, 4);
	} else {
		network->key.family = KCUCKOO_FAMILY_IPV6;
		network->key.plen = depth;
		memcpy(network->key.addr, path, 16);
	}
	if (++network_count == sizeof(networks) / sizeof(networks[0]))
		send_networks();
}

/*
 * Return: true if @node is the root of the IPv4 addresses, but the current path is another path.
 * Databases can have such aliases of the IPv4 addresses at 2002::/16, 2001::/32 or
 * ::ffff:0:0/96.
 */
static bool is_alias(uint64_t node, int depth)
{
	return database.depth == 128 && database.ipv4_start_node.netmask == MAPPED &&
	       node == database.ipv4_start_node.node_value && !is_ipv4(depth);
}

static void take_node(uint32_t number, int depth);

/* Follow a branch of a node. @depth: length in bits of the path to the end of the branch. */
static void take_branch(uint8_t type, uint64_t record, MMDB_entry_s *entry,
			int depth)
{
	switch (type) {
	case MMDB_RECORD_TYPE_EMPTY:
		return;
	case MMDB_RECORD_TYPE_DATA:
		take_data(entry, depth);
		return;
	case MMDB_RECORD_TYPE_SEARCH_NODE:
		if (depth >= database.depth)
			fail_damaged("a path in it is too long");
		if (!is_alias(record, depth))
			take_node(record, depth);
		return;
	default:
		fail_damaged("a node in it is invalid");
	}
}

static void take_node(uint32_t number, int depth)
{
	uint8_t bit = 0x80 >> depth % 8;
	MMDB_search_node_s node;
	int ret;

	if (++visits > VISITS * (__u64)database.metadata.node_count)
		fail_damaged("it has a subtree in too many places");
	ret = lib_MMDB_read_node(&database, number, &node);
	if (ret != MMDB_SUCCESS)
		fail_damaged(lib_MMDB_strerror(ret));
	take_branch(node.left_record_type, node.left_record,
		    &node.left_record_entry, depth + 1);
	path[depth / 8] |= bit;
	take_branch(node.right_record_type, node.right_record,
		    &node.right_record_entry, depth + 1);
	path[depth / 8] &= ~bit;
}

static void open_database(void)
{
	int ret = lib_MMDB_open(job->path, MMDB_MODE_MMAP, &database);

	if (ret == MMDB_INVALID_METADATA_ERROR)
		sandbox_fail("it is no MaxMind DB database, or it is damaged or truncated");
	if (ret != MMDB_SUCCESS)
		sandbox_fail("it cannot be opened as a database: %s",
			     lib_MMDB_strerror(ret));
	if (database.depth != 32 && database.depth != 128)
		fail_damaged("its addresses have an unknown length");
}

void mmdb_read(const void *given, int socket)
{
	job = given;
	sandbox_begin(socket, -1);
	sandbox_limit(MEMORY + job->size);
	load_library();
	/* After sandbox_enter(), the library cannot open a file. */
	open_database();
	sandbox_enter();
	sandbox_send(FRAME_MEMBER, NULL, 0);
	take_node(0, 0);
	if (!has_field)
		sandbox_fail("no network in it has %s; it is of the type %.60s",
			     job->systems ? "the number of an autonomous system" : "a country",
			     database.metadata.database_type);
	send_networks();
	sandbox_end();
}

bool mmdb_is_valid(const struct mmdb_network *network, bool has_code)
{
	char text[KCUCKOO_PREFIX_TEXT], code[COUNTRY_CODE + 1];

	if (kcuckoo_prefix_format(&network->key, text) < 0)
		return false;
	return !has_code || (country_code(network->code, COUNTRY_CODE, code) &&
			     !memcmp(network->code, code, sizeof(code)));
}
