// SPDX-License-Identifier: GPL-2.0-only
/*
 * Nothing of the kernel's memory gets out. Every operation is asked twice, with
 * all that it may write to, and memory that the kernel is likely to take, full of
 * one pattern and then of another: what it says it wrote has to be the same both
 * times, and all else has to be the pattern. The same where what it writes to ends in
 * the middle.
 */

#include "operation.h"

#include <fcntl.h>
#include <sys/ipc.h>
#include <sys/msg.h>

#define ROOM		16384
#define ARRAYS		3
#define KEYS		40	/* keys of a batch; half of them are members */
#define KEYS_MOST	300
#define LOOKS		client_soak(1, 2)	/* as a leak may depend on chance */
#define TRIES		20	/* of what is given back late */
#define LONGEST		3600	/* seconds between two looks, at most */

/* What a batch may have written zeroes to that it did not come to. */
#define CHUNK		128

/* Blocks of several pages, as datagrams have them. */
static void spread_blocks(int pattern)
{
	static __u8 bytes[65536];
	int sockets[2], room = 4 << 20, i;

	if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, sockets))
		return;
	setsockopt(sockets[0], SOL_SOCKET, SO_SNDBUFFORCE, &room, sizeof(room));
	memset(bytes, pattern, sizeof(bytes));
	for (i = 0; i < 10; i++)
		send(sockets[0], bytes, sizeof(bytes), 0);
	close(sockets[0]);
	close(sockets[1]);
}

/*
 * Blocks of each order, up to the largest that an answer is made in: what a sysctl
 * is given is copied to one piece of memory, whatever its length, and refused. The
 * one that was freed last is the next that is taken, so each time it is the same.
 */
static void spread_orders(int pattern)
{
	static __u8 bytes[256 << 10];
	int fd = open("/proc/sys/net/ipv4/ip_forward", O_WRONLY | O_CLOEXEC);
	size_t size;

	memset(bytes, pattern, sizeof(bytes));
	for (size = sizeof(bytes); size >= 64; size /= 2)
		pwrite(fd, bytes, size - 1, 0);
	close(fd);
}

/* Pages and slab objects that are freed full of @pattern, for the next to get. */
static void spread(int pattern)
{
	static const size_t sizes[] = { 16, 80, 200, 460, 900, 1900, 3900, 4040 };
	/* One huge page is in it wherever it begins. */
	const size_t length = client_sample(4 << 20, 8 << 20);
	struct {
		long type;
		__u8 bytes[8192];
	} message = { .type = 1 };
	struct msqid_ds limit;
	void *pages = mmap(NULL, length, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int queue = msgget(IPC_PRIVATE, 0600);
	size_t i, j;

	memset(message.bytes, pattern, sizeof(message.bytes));
	if (!msgctl(queue, IPC_STAT, &limit)) {
		limit.msg_qbytes = 1 << 20;
		msgctl(queue, IPC_SET, &limit);
	}
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		for (j = 0; j < 32; j++)
			msgsnd(queue, &message, sizes[i], IPC_NOWAIT);
	}
	msgctl(queue, IPC_RMID, NULL);
	if (pages != MAP_FAILED) {
		/* Huge ones, where there are any: the kernel takes blocks of them. */
		madvise(pages, length, MADV_HUGEPAGE);
		memset(pages, pattern, length);
		munmap(pages, length);
	}
	spread_blocks(pattern);
	spread_orders(pattern);
}

/**
 * struct place - an array that an operation writes
 * @request: the operation
 * @pointer: where its structure has the array's address
 * @count: where it says afterwards how many elements it wrote
 * @size: bytes of an element
 * @optional: the array is not there unless the filter has what it is for
 */
static const struct place {
	unsigned long request;
	size_t pointer;
	size_t count;
	size_t size;
	enum { ALWAYS, VALUES, TIMEOUTS } optional;
} places[] = {
#define PLACE(request_, type_, pointer_, count_, size_, optional_)		\
	{ KCUCKOO_IOC_##request_, offsetof(struct kcuckoo_ioc_##type_, pointer_),	\
	  offsetof(struct kcuckoo_ioc_##type_, count_), size_, optional_ }
	PLACE(ADD, add, results, done, 1, ALWAYS),
	PLACE(DEL, del, results, done, 1, ALWAYS),
	PLACE(UPDATE, update, results, done, 1, ALWAYS),
	PLACE(TEST, test, results, done, 1, ALWAYS),
	PLACE(TEST, test, values, done, KCUCKOO_VALUES_MAX * sizeof(__u32), VALUES),
	PLACE(TEST, test, value_counts, done, 1, VALUES),
	PLACE(WALK, walk, keys, done, sizeof(struct kcuckoo_prefix), ALWAYS),
	PLACE(WALK, walk, values, done, sizeof(__u32), VALUES),
	PLACE(WALK, walk, timeouts, done, sizeof(__u32), TIMEOUTS),
	PLACE(LIST, list, entries, total, sizeof(struct kcuckoo_list_entry), ALWAYS),
	PLACE(RULES, rules, rules, total, sizeof(struct kcuckoo_rule), ALWAYS),
	PLACE(SAVE, save, buffer, done, 1, ALWAYS),
};

/* Fields that are output and nothing else: from where to where. */
static const struct {
	unsigned long request;
	size_t from;
	size_t to;
} outputs[] = {
#define OUTPUT(request_, type_, first_, last_)					\
	{ KCUCKOO_IOC_##request_, offsetof(struct kcuckoo_ioc_##type_, first_),	\
	  offsetof(struct kcuckoo_ioc_##type_, last_) +				\
	  sizeof(((struct kcuckoo_ioc_##type_ *)NULL)->last_) }
	OUTPUT(ADD, add, done, existed),
	OUTPUT(ADD, add, refused, refused),
	OUTPUT(DEL, del, done, absent),
	OUTPUT(UPDATE, update, done, absent),
	OUTPUT(TEST, test, done, present),
	OUTPUT(WALK, walk, done, state),
	OUTPUT(INFO, info, type, packet_refused),
	OUTPUT(LIST, list, total, total),
	OUTPUT(DETACH, detach, removed, removed),
	OUTPUT(RULES, rules, total, total),
	OUTPUT(STATS, stats, filters, features),
	OUTPUT(SAVE, save, done, total),
	OUTPUT(RESTORE, restore, done, done),
	OUTPUT(SLOT, slot, id, id),
};

/*
 * Of these, what depends on when others give back what was freed before, which counts
 * until then.
 */
static const struct {
	unsigned long request;
	size_t from;
	size_t to;
} late_outputs[] = {
	OUTPUT(STATS, stats, memory_bytes, memory_bytes),
};

/* Forms of the filter "a" that is asked, one after the other. */
static const struct form {
	const char *name;
	__u8 type;
	__u8 bits;
	__u8 values;
	__u32 flags;
} forms[] = {
	{ "addresses, all there is", KCUCKOO_TYPE_INET, 0, 9, KCUCKOO_CREATE_TIMEOUT },
	{ "addresses", KCUCKOO_TYPE_INET, 0, 0, 0 },
	{ "fingerprints of addresses", KCUCKOO_TYPE_INET, 30, 0, 0 },
	{ "strings", KCUCKOO_TYPE_BYTES, 30, 0, 0 },
	{ "strings with values", KCUCKOO_TYPE_BYTES, 30, 5, 0 },
	{ "sorted strings", KCUCKOO_TYPE_BYTES, 30, 0, KCUCKOO_CREATE_SORTED },
	{ "strings that expire", KCUCKOO_TYPE_BYTES, 30, 0,
	  KCUCKOO_CREATE_TIMEOUT | KCUCKOO_CREATE_INSERT_ONLY },
};

/* Keys of either type, all members of "a" up to half of them. */
static struct kcuckoo_prefix prefixes[KEYS_MOST];
static __u8 strings[KEYS_MOST * 8];
static __u16 lengths[KEYS_MOST];
static __u32 numbers[KEYS_MOST];

/* How many of them there are now, and room for values of each. */
static __u32 keys_count = KEYS;
static __u32 max_values = KCUCKOO_VALUES_MAX;

static void keys_make(void)
{
	int i;

	for (i = 0; i < KEYS_MOST; i++) {
		if (i % 3)
			prefixes[i] = ipv6(0x20010db800000000 + i, i, 128 - i % 40);
		else
			prefixes[i] = ipv4(0xc0000200 + i * 256, 32 - i / 6 % 7);
		lengths[i] = 8;
		memcpy(strings + 8 * i, &prefixes[i], 6);
		strings[8 * i + 6] = i >> 8;
		strings[8 * i + 7] = i;
		numbers[i] = i % 3;
	}
}

static __u64 keys_of(const struct form *form)
{
	return form->type == KCUCKOO_TYPE_BYTES ? (uintptr_t)strings : (uintptr_t)prefixes;
}

static int form_make(int fd, const struct form *form)
{
	struct kcuckoo_ioc_create create = {
		.size = sizeof(create),
		.type = form->type,
		.tag_bits = form->bits,
		.value_bits = form->values,
		.flags = form->flags,
		.timeout = form->flags & KCUCKOO_CREATE_TIMEOUT ? 1000000 : 0,
		.capacity = 1000,
	};
	struct kcuckoo_ioc_add add = {
		.size = sizeof(add),
		.keys = keys_of(form),
		.lengths = (uintptr_t)lengths,
		.values = form->values ? (uintptr_t)numbers : 0,
		.count = keys_count / 2,
	};
	int error;

	client_clear(fd);
	set_name(create.name, "a");
	set_name(add.name, "a");
	error = call(fd, KCUCKOO_IOC_CREATE, &create) ?:
		filter_create_like(fd, "b", "a") ?: filter_create(fd, "used", 10) ?:
		rule_attach(fd, "used", KCUCKOO_HOOK_INPUT, KCUCKOO_FAMILY_IPV6,
			    KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_COUNT) ?:
		rule_attach_allow(fd, "used", "later") ?: call(fd, KCUCKOO_IOC_ADD, &add);
	return error ? error : add.added == add.count ? 0 : -EPROTO;
}

/**
 * struct look - what one call left behind
 * @argument: its structure
 * @arrays: what its arrays are
 * @error: what it returned
 */
struct look {
	union argument argument;
	__u8 arrays[ARRAYS][ROOM];
	int error;
};

static struct look looks[2];

/* The two looks are at the same memory, so that pointers are equal, too. */
static struct look present;

/**
 * struct edge - an array that ends where there is no more memory
 * @place: which array, or NULL
 * @cut: so many bytes of it are there
 * @wall: behind these
 */
static struct edge {
	const struct place *place;
	size_t cut;
	__u8 *wall;
} edge;

/* Bytes of an element. */
static size_t place_size(const struct place *place)
{
	return place->optional == VALUES && place->request == KCUCKOO_IOC_TEST &&
	       place->size > 1 ? max_values * sizeof(__u32) : place->size;
}

static bool place_fits(const struct place *place, const struct form *form)
{
	return place->optional == ALWAYS ||
	       (place->optional == VALUES ? form->values :
		form->flags & KCUCKOO_CREATE_TIMEOUT);
}

static void request_keys(union argument *argument, unsigned long request,
			 const struct form *form)
{
	struct kcuckoo_ioc_add *add = &argument->add;

	if (request != KCUCKOO_IOC_ADD && request != KCUCKOO_IOC_DEL &&
	    request != KCUCKOO_IOC_TEST && request != KCUCKOO_IOC_UPDATE)
		return;
	add->count = keys_count;
	add->keys = keys_of(form);
	add->lengths = (uintptr_t)lengths;
	if (request == KCUCKOO_IOC_TEST) {
		argument->test.max_values = form->values ? max_values : 0;
		return;
	}
	add->values = form->values ? (uintptr_t)numbers : 0;
	if (request == KCUCKOO_IOC_UPDATE)
		argument->update.values = (uintptr_t)numbers;
}

/* Where the array of a place is, which is number @array of its operation. */
static __u8 *place_address(const struct place *place, size_t array)
{
	return place == edge.place ? edge.wall - edge.cut : present.arrays[array];
}

/* Makes the request of @op with @pattern wherever an answer may be. */
static void request_make(const struct operation *op, const struct form *form, int pattern)
{
	__u8 *bytes = present.argument.bytes;
	size_t i, array = 0;
	__u64 address;

	operation_fill(op, &present.argument);
	request_keys(&present.argument, op->request, form);
	memset(present.arrays, pattern, sizeof(present.arrays));
	if (edge.place)
		memset(edge.wall - edge.cut, pattern, edge.cut);
	memset(bytes + op->size, pattern, sizeof(present.argument) - op->size);
	for (i = 0; i < ARRAY_SIZE(outputs); i++) {
		if (outputs[i].request == op->request)
			memset(bytes + outputs[i].from, pattern,
			       outputs[i].to - outputs[i].from);
	}
	for (i = 0; i < ARRAY_SIZE(places); i++) {
		if (places[i].request != op->request)
			continue;
		address = place_fits(&places[i], form) ?
			  (uintptr_t)place_address(&places[i], array) : 0;
		memcpy(bytes + places[i].pointer, &address, sizeof(address));
		array++;
	}
	if (op->request == KCUCKOO_IOC_WALK)
		present.argument.walk.count = ROOM / sizeof(struct kcuckoo_prefix);
	if (op->request == KCUCKOO_IOC_RULES)
		present.argument.rules.rule_size = sizeof(struct kcuckoo_rule);
	if (op->request == KCUCKOO_IOC_SAVE)
		present.argument.save.length = ROOM;
}

/* Does @op answer with what a filter's secret decides? Then of the same filter. */
static bool op_reads(const struct operation *op)
{
	return op->request == KCUCKOO_IOC_TEST || op->request == KCUCKOO_IOC_WALK ||
	       op->request == KCUCKOO_IOC_INFO || op->request == KCUCKOO_IOC_LIST ||
	       op->request == KCUCKOO_IOC_RULES || op->request == KCUCKOO_IOC_STATS ||
	       op->request == KCUCKOO_IOC_SAVE || op->request == KCUCKOO_IOC_SLOT;
}

static const __u8 patterns[] = { 0xa5, 0x5a };

/* What was written to an array that ends early; the rest of it is the pattern. */
static void edge_copy(void)
{
	size_t i, array = 0;

	for (i = 0; edge.place && &places[i] != edge.place; i++)
		array += places[i].request == edge.place->request;
	if (edge.place)
		memcpy(present.arrays[array], edge.wall - edge.cut, edge.cut);
}

/* Asks twice: 0, or what went wrong before. */
static int look_twice(int fd, const struct operation *op, const struct form *form)
{
	int i, error = 0;

	for (i = 0; i < 2; i++) {
		if (!i || !op_reads(op))
			error = form_make(fd, form);
		if (error)
			return error;
		/* What was there before is given back a moment later. */
		if (!i && op->request == KCUCKOO_IOC_STATS)
			client_sleep(client_slow() ? 2 : 0.3);
		request_make(op, form, patterns[i]);
		spread(patterns[i]);
		present.error = call(fd, op->request, &present.argument);
		edge_copy();
		looks[i] = present;
	}
	return 0;
}

/* Bytes of an array that a look says it wrote. */
static size_t written(const struct look *look, const struct operation *op,
		      const struct place *place)
{
	__u64 address;
	__u32 count;

	memcpy(&address, look->argument.bytes + place->pointer, sizeof(address));
	memcpy(&count, look->argument.bytes + place->count, sizeof(count));
	return look->error || !address ? 0 : count * place_size(place);
}

/* Values of one key end where their number says. */
static bool value_is_told(const struct look *look, size_t byte)
{
	size_t size = max_values * sizeof(__u32);

	return byte % size < look->arrays[2][byte / size] * sizeof(__u32);
}

/* Where a snapshot tells when it was taken, and, from its end, its checksum. */
#define SNAPSHOT_NOW		44
#define SNAPSHOT_CHECKSUM	8

/* Numbers of arrays that tell the time in seconds: from which byte to which. */
static const struct {
	unsigned long request;
	size_t pointer;
	size_t from;
	size_t to;
} clocks[] = {
	{ KCUCKOO_IOC_WALK, offsetof(struct kcuckoo_ioc_walk, timeouts), 0, ROOM },
	{ KCUCKOO_IOC_SAVE, offsetof(struct kcuckoo_ioc_save, buffer), SNAPSHOT_NOW,
	  SNAPSHOT_NOW + sizeof(__u32) },
};

/* Is a byte of the checksum of a snapshot that was taken in another second? */
static bool checksum_went_on(const struct place *place, size_t array, size_t byte)
{
	__u64 sum = looks[0].argument.save.total - SNAPSHOT_CHECKSUM;

	return place->request == KCUCKOO_IOC_SAVE && byte >= sum &&
	       byte < sum + sizeof(__u32) &&
	       memcmp(looks[0].arrays[array] + SNAPSHOT_NOW,
		      looks[1].arrays[array] + SNAPSHOT_NOW, sizeof(__u32));
}

/*
 * Is a byte of a number that tells the time, and differs by no more than passed? The
 * patterns are further apart than that.
 */
static bool clock_went_on(const struct place *place, size_t array, size_t byte)
{
	__s32 a, b;
	bool cut;
	size_t i;

	if (checksum_went_on(place, array, byte))
		return true;
	/* Of a number that memory ends in, only what is there can be told. */
	cut = place == edge.place && byte / sizeof(a) * sizeof(a) + sizeof(a) > edge.cut;
	for (i = 0; i < ARRAY_SIZE(clocks); i++) {
		if (clocks[i].request != place->request ||
		    clocks[i].pointer != place->pointer || byte < clocks[i].from ||
		    byte >= clocks[i].to)
			continue;
		memcpy(&a, looks[0].arrays[array] + byte / sizeof(a) * sizeof(a),
		       sizeof(a));
		memcpy(&b, looks[1].arrays[array] + byte / sizeof(b) * sizeof(b),
		       sizeof(b));
		return cut || llabs((long long)a - b) <= LONGEST;
	}
	return false;
}

/* May a byte that an answer does not tell of be anything but the pattern? */
static bool may_be_written(const struct place *place, size_t array, size_t byte)
{
	const __u8 a = looks[0].arrays[array][byte];
	const __u8 b = looks[1].arrays[array][byte];

	/*
	 * Where an array ended early, that was found after others had been written, and
	 * part of itself; only results are taken back.
	 */
	if (edge.place && (looks[0].error || place->optional == VALUES))
		return a == b || clock_went_on(place, array, byte);
	return place->size == 1 && place->request != KCUCKOO_IOC_SAVE && !a && !b &&
	       byte < (edge.place ? keys_count : CHUNK);
}

/* How many bytes of an array are not what they have to be. */
static int array_wrong(const struct operation *op, const struct place *place, size_t array)
{
	bool values = place->pointer == offsetof(struct kcuckoo_ioc_test, values) &&
		      place->request == KCUCKOO_IOC_TEST;
	size_t end = written(&looks[0], op, place), byte;
	int wrong = 0;

	for (byte = 0; byte < ROOM; byte++) {
		const __u8 a = looks[0].arrays[array][byte];
		const __u8 b = looks[1].arrays[array][byte];

		if (byte < end && (!values || value_is_told(&looks[0], byte)))
			wrong += a != b && !clock_went_on(place, array, byte);
		else if (a != patterns[0] || b != patterns[1])
			wrong += !may_be_written(place, array, byte);
	}
	return wrong;
}

/* Is a byte of an answer one that is told late? */
static bool output_is_late(const struct operation *op, size_t byte)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(late_outputs); i++) {
		if (late_outputs[i].request == op->request &&
		    byte >= late_outputs[i].from && byte < late_outputs[i].to)
			return true;
	}
	return false;
}

/*
 * The same of the structure, of what is told late or of all else; after an error it is
 * what it was.
 */
static int structure_wrong(const struct operation *op, bool late)
{
	size_t byte, i;
	int wrong = 0;

	for (byte = 0; byte < sizeof(union argument); byte++) {
		bool poisoned = byte >= op->size;

		if (output_is_late(op, byte) != late)
			continue;
		for (i = 0; i < ARRAY_SIZE(outputs); i++)
			poisoned |= looks[0].error && outputs[i].request == op->request &&
				    byte >= outputs[i].from && byte < outputs[i].to;
		if (poisoned)
			wrong += looks[0].argument.bytes[byte] != patterns[0] ||
				 looks[1].argument.bytes[byte] != patterns[1];
		else
			wrong += looks[0].argument.bytes[byte] !=
				 looks[1].argument.bytes[byte];
	}
	return wrong;
}

static int looks_wrong(const struct operation *op)
{
	int wrong = structure_wrong(op, false) + (looks[0].error != looks[1].error);
	size_t i, array = 0;

	for (i = 0; i < ARRAY_SIZE(places); i++) {
		if (places[i].request == op->request)
			wrong += array_wrong(op, &places[i], array++);
	}
	return wrong;
}

FIXTURE(leak)
{
	struct client client;
};

FIXTURE_SETUP(leak)
{
	cpu_set_t first;

	/* What is freed here is taken again here. */
	CPU_ZERO(&first);
	CPU_SET(0, &first);
	ASSERT_EQ(0, sched_setaffinity(0, sizeof(first), &first));
	ASSERT_EQ(0, client_begin(&self->client));
	ASSERT_EQ(0, world_make(self->client.fd));
	keys_make();
}

FIXTURE_TEARDOWN(leak)
{
	EXPECT_EQ(0, client_end(&self->client));
}

/* An operation with output has rows above, or what it writes is not looked at. */
TEST_F(leak, every_output_is_looked_at)
{
	const struct operation *op;
	union argument before, after;
	size_t i;

	for (op = operations; op < operations_end; op++) {
		ASSERT_EQ(0, world_make(self->client.fd));
		operation_fill(op, &before);
		after = before;
		EXPECT_EQ(0, call(self->client.fd, op->request, &after));
		for (i = 0; i < ARRAY_SIZE(outputs) && outputs[i].request != op->request;
		     i++)
			;
		if (i == ARRAY_SIZE(outputs))
			EXPECT_EQ(0, memcmp(&before, &after, sizeof(before)))
				TH_LOG("%s writes, and no row says where", op->name);
	}
}

/* Looks some times, and has every one of them clean; again for what is told late. */
static void look_often(struct __test_metadata *_metadata, int fd,
		       const struct operation *op, const struct form *form)
{
	int late = 0, try;

	for (try = 0; try < LOOKS || (late && try < TRIES); try++) {
		if (late)
			client_sleep(0.5);
		ASSERT_EQ(0, look_twice(fd, op, form))
			TH_LOG("%s", form->name);
		EXPECT_EQ(0, looks_wrong(op))
			TH_LOG("%s of %s, look %d: %d bytes", op->name, form->name, try,
			       looks_wrong(op));
		late = structure_wrong(op, true);
	}
	EXPECT_EQ(0, late)
		TH_LOG("%s of %s: %d bytes", op->name, form->name, late);
}

TEST_F(leak, both_patterns)
{
	const struct operation *op;
	int asked = 0, done = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(forms); i++) {
		for (op = operations; op < operations_end; op++) {
			look_often(_metadata, self->client.fd, op, &forms[i]);
			asked++;
			done += !looks[0].error;
		}
	}
	TH_LOG("%d requests, %d of them done", asked, done);
	EXPECT_LT(asked * 3 / 4, done);
}

/* How many elements a look says were done. */
static __u32 elements(const struct look *look, const struct place *place)
{
	__u32 count;

	memcpy(&count, look->argument.bytes + place->count, sizeof(count));
	return look->error ? 0 : count;
}

/*
 * An array ends early: in its first byte, in an element, at the end of a chunk and behind
 * it. Nothing is written behind what was told, but results that say that nothing was
 * done; where there is an error, all that was written is what was found.
 */
TEST_F(leak, arrays_that_end_early)
{
	static const struct { size_t elements, bytes; } cuts[] = {
		{ 0, 0 }, { 0, 1 }, { 2, 3 }, { CHUNK, 0 }, { CHUNK + 70, 1 },
	};
	int refused = 0, part = 0;
	const struct operation *op;
	size_t i, j, form;
	__u8 *pages;

	pages = mmap(NULL, 2 * ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		     -1, 0);
	ASSERT_NE(MAP_FAILED, pages);
	edge.wall = pages + ROOM;
	ASSERT_EQ(0, mprotect(edge.wall, ROOM, PROT_NONE));
	keys_count = KEYS_MOST;
	max_values = 8;
	for (i = 0; i < ARRAY_SIZE(places); i++) {
		for (op = operations; op->request != places[i].request; op++)
			;
		for (j = 0; j < ARRAY_SIZE(cuts) * 2; j += client_slow() ? 2 : 1) {
			/* The first has all that addresses can have; strings have values. */
			form = j % 2 ? 4 : 0;
			edge.place = &places[i];
			edge.cut = cuts[j / 2].elements * place_size(&places[i]) +
				   cuts[j / 2].bytes;
			if (!place_fits(&places[i], &forms[form]) || edge.cut > ROOM)
				continue;
			ASSERT_EQ(0, look_twice(self->client.fd, op, &forms[form]));
			EXPECT_EQ(0, looks_wrong(op))
				TH_LOG("%s of %s, %zu bytes of array %zu: %d, %d bytes",
				       op->name, forms[form].name, edge.cut, i,
				       looks[0].error, looks_wrong(op));
			refused += looks[0].error == -EFAULT;
			part += elements(&looks[0], &places[i]) == CHUNK;
		}
	}
	TH_LOG("%d requests refused, %d done in part", refused, part);
	EXPECT_LT(client_scale(20), refused);
	EXPECT_LT(client_scale(15), part);
}

TEST_HARNESS_MAIN
