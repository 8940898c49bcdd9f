// SPDX-License-Identifier: GPL-2.0-only
/*
 * Make a BPF map of the addresses or networks of LIST, and hook a function that
 * drops the packets whose sources it has into the network namespace (packet/ has
 * the function).
 *
 *	map hash|bloom|lpm4|lpm6 COUNT <LIST
 *
 * The map is sized for COUNT of them. It stays when this program ends: the hook
 * holds it.
 */
#include <arpa/inet.h>
#include <err.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/bpf.h>

#define PARAMETER	"/sys/module/kcuckoo_packet/parameters/map"
#define BATCH		4096
#define LINE_SIZE	64

/**
 * struct kind - a kind of map
 * @name: as it is asked for
 * @type: what BPF calls it
 * @flags: without which there is none
 * @family: of its members
 * @prefixes: keys begin with a length
 */
static const struct kind {
	const char *name;
	enum bpf_map_type type;
	unsigned int flags;
	int family;
	bool prefixes;
} kinds[] = {
	{ "hash", BPF_MAP_TYPE_HASH, 0, AF_INET, false },
	{ "bloom", BPF_MAP_TYPE_BLOOM_FILTER, 0, AF_INET, false },
	{ "lpm4", BPF_MAP_TYPE_LPM_TRIE, BPF_F_NO_PREALLOC, AF_INET, true },
	{ "lpm6", BPF_MAP_TYPE_LPM_TRIE, BPF_F_NO_PREALLOC, AF_INET6, true },
};

/* Of a key's value nothing but its presence is asked. */
static const char values[BATCH];
static char keys[BATCH * (sizeof(__u32) + sizeof(struct in6_addr))];

static const struct kind *kind_named(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (!strcmp(kinds[i].name, name))
			return &kinds[i];
	errx(2, "no kind of map is called '%s'", name);
}

static size_t address_size(const struct kind *kind)
{
	return kind->family == AF_INET ? sizeof(struct in_addr) :
					 sizeof(struct in6_addr);
}

static size_t key_size(const struct kind *kind)
{
	return address_size(kind) + (kind->prefixes ? sizeof(__u32) : 0);
}

static int bpf(enum bpf_cmd command, union bpf_attr *attr)
{
	return syscall(__NR_bpf, command, attr, sizeof(*attr));
}

/* A Bloom filter has values alone. */
static int create(const struct kind *kind, unsigned int count)
{
	bool bloom = kind->type == BPF_MAP_TYPE_BLOOM_FILTER;
	union bpf_attr attr = {
		.map_type = kind->type,
		.key_size = bloom ? 0 : key_size(kind),
		.value_size = bloom ? key_size(kind) : sizeof(*values),
		.max_entries = count,
		.map_flags = kind->flags,
	};
	int map = bpf(BPF_MAP_CREATE, &attr);

	if (map < 0)
		err(2, "BPF_MAP_CREATE");
	return map;
}

/* Without a slash it is an address: all bits count. */
static void read_key(const struct kind *kind, char *line, char *key)
{
	__u32 length = 8 * address_size(kind);
	char *slash;

	line[strcspn(line, "\n")] = '\0';
	slash = strchr(line, '/');
	if (slash) {
		*slash = '\0';
		length = strtoul(slash + 1, NULL, 10);
	}
	if (kind->prefixes) {
		memcpy(key, &length, sizeof(length));
		key += sizeof(length);
	}
	if (inet_pton(kind->family, line, key) != 1)
		errx(2, "'%s' is not of this family", line);
}

/* Returns how many keys were there. */
static unsigned int read_keys(const struct kind *kind)
{
	size_t size = key_size(kind);
	char line[LINE_SIZE];
	unsigned int count;

	for (count = 0; count < BATCH && fgets(line, sizeof(line), stdin); count++)
		read_key(kind, line, keys + count * size);
	return count;
}

static void add_batch(int map, unsigned int count)
{
	union bpf_attr attr = {
		.batch = {
			.map_fd = map,
			.keys = (uintptr_t)keys,
			.values = (uintptr_t)values,
			.count = count,
		},
	};

	if (bpf(BPF_MAP_UPDATE_BATCH, &attr))
		err(2, "BPF_MAP_UPDATE_BATCH");
}

/* Bloom filters have no batches. */
static void add_each(int map, const struct kind *kind, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++) {
		union bpf_attr attr = {
			.map_fd = map,
			.value = (uintptr_t)(keys + i * key_size(kind)),
		};

		if (bpf(BPF_MAP_UPDATE_ELEM, &attr))
			err(2, "BPF_MAP_UPDATE_ELEM");
	}
}

static void fill(int map, const struct kind *kind)
{
	unsigned int count;

	while ((count = read_keys(kind)))
		if (kind->type == BPF_MAP_TYPE_BLOOM_FILTER)
			add_each(map, kind, count);
		else
			add_batch(map, count);
}

static void hook(int map)
{
	int parameter = open(PARAMETER, O_WRONLY);

	if (parameter < 0 || dprintf(parameter, "%d", map) < 0)
		err(2, PARAMETER);
	close(parameter);
}

int main(int argc, char *argv[])
{
	const struct kind *kind;
	int map;

	if (argc != 3)
		errx(2, "usage: map hash|bloom|lpm4|lpm6 COUNT <LIST");
	kind = kind_named(argv[1]);
	map = create(kind, strtoul(argv[2], NULL, 10));
	fill(map, kind);
	hook(map);
	return 0;
}
