// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sequences of calls on the device, made of those that reached something new in
 * the module before: two processes that live long, each in a namespace of its own
 * and with a descriptor of the other's. What must not happen the kernel tells, and
 * the machine's runner; here every errno has to be one of the contract's, and in
 * the end nothing may be left.
 *
 * ioctl [FILE...]: without files, fuzz; an input in a file is run, and each step
 * told. In the environment:
 *	FUZZ_CALLS=N	end after so many calls (200000)
 *	FUZZ_SECONDS=N	or after so long (however long they take); not before all inputs of
 *			files have been run, nor before there were FUZZ_LEAST calls
 *	FUZZ_LEAST=N	to have made fewer calls is a failure (FUZZ_CALLS)
 *	FUZZ_SEED=N	of the random numbers (the time)
 *	FUZZ_CORPUS=DIR... where inputs are (corpus/ioctl)
 *	FUZZ_KEEP=1	print the inputs that reach all that is reached
 *	FUZZ_PLACES=1	print the places in the module that are reached
 *	FUZZ_RECORD=FILE every input is written there before it is run; a file keeps
 *			the last RECORDS
 */
#include "../../kernel/device/client.h"

#include <dirent.h>
#include <poll.h>
#include <sys/prctl.h>

#include "packet.h"
#include "picture.h"

#define WORKERS		2
#define STEPS		24
#define INPUTS		8192

/* Inputs that a file has room for. */
#define RECORDS		64

/* Inputs that are run one after the other, each with what those before it left. */
#define INPUTS_TOGETHER	4

/* So many calls are made where nothing else is asked for. */
#define CALLS		200000

/**
 * struct input - a sequence of calls
 * @count: of its steps
 * @steps: what they are
 */
struct input {
	unsigned int count;
	struct step steps[STEPS];
};

/**
 * struct shared - what the processes share
 * @hole: no memory. On user-mode Linux what is mapped first is at 0x40000000, which is
 *	NULL with one byte changed, and a call writes where it is told to
 * @count: of the inputs, those included that are still being written; more than INPUTS
 *	once there is no room
 * @committed: so many of them were in files
 * @inputs: those that reached something new; one that is being written has no steps
 * @coverage: what they reached
 * @stop: end
 * @ended: so many workers have
 * @seed: of the random numbers
 * @record: where inputs are written before they are run, or -1
 * @recorded: how many of them were
 * @calls: how many calls there were, of each worker
 * @faults: how many of them had a failure injected
 * @executed: how many inputs were run, of each worker
 * @errnos: how often each was returned
 * @broken: what a worker found wrong
 */
static struct shared {
	__u8 hole[4096];
	unsigned int count;
	unsigned int committed;
	struct input inputs[INPUTS];
	struct coverage coverage;
	bool stop;
	unsigned int ended;
	__u64 seed;
	int record;
	unsigned long recorded;
	unsigned long calls[WORKERS];
	unsigned long faults[WORKERS];
	unsigned long executed[WORKERS];
	unsigned long errnos[ERRNOS];
	bool broken[WORKERS];
} *shared;

static double started;

static unsigned long setting(const char *name, unsigned long other)
{
	const char *value = getenv(name);

	return value && *value ? strtoul(value, NULL, 0) : other;
}

static unsigned int below(__u64 *random, unsigned int range)
{
	return (random_next(random) >> 16) % range;
}

/* Mostly plain: few calls get far with two things wrong. */
static __u8 random_byte(__u64 *random, unsigned int hostility)
{
	if (!below(random, hostility))
		return STEP_HOSTILE + below(random, 256 - STEP_HOSTILE);
	return below(random, 2) ? below(random, 8) : below(random, STEP_HOSTILE);
}

static struct step random_step(__u64 *random)
{
	struct step step = {};
	unsigned int i;

	step.operation = below(random, 256);
	step.descriptor = below(random, 24) ? below(random, 2) : 255;
	step.place = random_byte(random, 40);
	if (step.place < STEP_HOSTILE)
		step.place = below(random, 32) ? 0 : STEP_CHANGING;
	step.fault = below(random, 8) ? 0 : 192 + below(random, 64);
	step.size = below(random, 40) ? 0 : random_byte(random, 2);
	step.names[0] = below(random, 2) ? 0 : random_byte(random, 40);
	step.names[1] = below(random, 2) ? 1 : random_byte(random, 40);
	step.keys = below(random, 256);
	for (i = 0; i < STEP_VALUES; i++)
		step.values[i] = below(random, 3) ? 0 : random_byte(random, 16);
	return step;
}

static void input_insert(struct input *input, unsigned int place, struct step step)
{
	if (input->count == STEPS)
		input->count--;
	if (place > input->count)
		place = input->count;
	memmove(&input->steps[place + 1], &input->steps[place],
		(input->count - place) * sizeof(step));
	input->steps[place] = step;
	input->count++;
}

static void input_delete(struct input *input, unsigned int place)
{
	input->count--;
	memmove(&input->steps[place], &input->steps[place + 1],
		(input->count - place) * sizeof(struct step));
}

/* One change of an input that has a step. */
static void input_change(struct input *input, const struct input *other, __u64 *random)
{
	unsigned int place = below(random, input->count);
	struct step *step = &input->steps[place];
	__u8 *bytes = (__u8 *)step;

	switch (below(random, 10)) {
	case 0:
		input_insert(input, place + 1, random_step(random));
		break;
	case 1:
		input_insert(input, below(random, input->count + 1), *step);
		break;
	case 2:
		if (input->count > 1)
			input_delete(input, place);
		break;
	case 3:
		input_insert(input, place, other->steps[below(random, other->count)]);
		break;
	case 4:
		step->names[below(random, 2)] =
			input->steps[below(random, input->count)].names[0];
		break;
	case 5:
		step->fault = below(random, 2) ? 0 : 192 + below(random, 64);
		break;
	case 6:
		step->operation = below(random, 256);
		break;
	default:
		bytes[below(random, sizeof(*step))] = random_byte(random, 8);
	}
}

/* How many inputs there are. */
static unsigned int corpus_count(void)
{
	unsigned int count = __atomic_load_n(&shared->count, __ATOMIC_RELAXED);

	return count < INPUTS ? count : INPUTS;
}

/* A copy of one of them, if it has been written. */
static bool corpus_get(struct input *input, unsigned int number)
{
	const struct input *from = &shared->inputs[number];
	unsigned int count = __atomic_load_n(&from->count, __ATOMIC_ACQUIRE);

	*input = *from;
	input->count = count;
	return count;
}

/*
 * Without a lock: once, after 15 million calls on user-mode Linux, both workers waited for
 * one that neither of them knew it had taken. It was the first byte of what is shared,
 * where the hole is now.
 */
static void corpus_add(const struct input *input)
{
	unsigned int number = __atomic_fetch_add(&shared->count, 1, __ATOMIC_RELAXED);

	if (number >= INPUTS) {
		__atomic_fetch_sub(&shared->count, 1, __ATOMIC_RELAXED);
		return;
	}
	memcpy(shared->inputs[number].steps, input->steps,
	       input->count * sizeof(struct step));
	__atomic_store_n(&shared->inputs[number].count, input->count, __ATOMIC_RELEASE);
}

/* One with a few random steps. */
static void input_begin(struct input *input, __u64 *random)
{
	input->count = 0;
	do
		input_insert(input, input->count, random_step(random));
	while (below(random, 8));
	input->steps[0].operation = 0;	/* create */
}

/* An input that is new, or made of one or two others. */
static void input_make(struct input *input, __u64 *random)
{
	unsigned int count = corpus_count();
	unsigned int changes = 1 + below(random, 6);
	struct input other;

	/* Newer ones more often. */
	if (!count || !below(random, 16) ||
	    !corpus_get(input, below(random, 2) ? below(random, count) :
			       count - 1 - below(random, count / 4 + 1)) ||
	    !corpus_get(&other, below(random, count))) {
		input_begin(input, random);
		return;
	}
	while (changes--)
		input_change(input, &other, random);
}

/* Lets go of all holds of a name: of no device, lo and tap0. */
static void release_name(int fd, struct kcuckoo_ioc_slot *slot)
{
	for (slot->ifindex = 0; slot->ifindex < 3; slot->ifindex++)
		while (!call(fd, KCUCKOO_IOC_SLOT, slot))
			;
}

/*
 * Names that wait because somebody holds them have to be let go of, and those of
 * filters, which what changes arguments may have made any.
 */
static void release_holds(int fd)
{
	static struct kcuckoo_list_entry entries[256];
	struct kcuckoo_ioc_slot slot = {
		.size = sizeof(slot),
		.flags = KCUCKOO_SLOT_PUT,
	};
	unsigned int byte;
	int i, filters;

	for (byte = 0; byte < 256; byte++) {
		/* What lies between stands for the same names. */
		if (byte > 15 && byte < STEP_HOSTILE)
			continue;
		step_name(slot.name, byte);
		release_name(fd, &slot);
	}
	filters = filter_list(fd, entries, ARRAY_SIZE(entries));
	for (i = 0; i < filters && i < (int)ARRAY_SIZE(entries); i++) {
		memcpy(slot.name, entries[i].name, sizeof(slot.name));
		release_name(fd, &slot);
	}
}

static void worker_clear(struct worker *worker)
{
	struct kcuckoo_ioc_stats stats;
	int fd = worker->descriptors[0];

	if (!client_stats(fd, &stats) && (stats.filters || stats.rules || stats.waiting))
		client_clear(fd);
	if (!client_stats(fd, &stats) && (stats.filters || stats.waiting)) {
		release_holds(fd);
		client_clear(fd);
	}
	memset(&worker->cursor, 0, sizeof(worker->cursor));
	worker->offset = 0;
	worker->image_size = 0;
}

static int worker_reopen(struct worker *worker, const struct step *step)
{
	int *fd = &worker->descriptors[step->descriptor & 1];

	close(*fd);
	*fd = client_open();
	return *fd < 0 ? -*fd : 0;
}

static int worker_step(struct worker *worker, const struct step *step)
{
	unsigned int operation = step_operation(step);

	switch (operation) {
	case STEP_RESTORE:
		return picture_step(worker, step);
	case STEP_REOPEN:
		return worker_reopen(worker, step);
	case STEP_PACKET:
		return packet_step(worker, step);
	case STEP_UNKNOWN:
		return worker_call(worker, step, step->values[0] << 8 | step->values[1] |
				   (step->values[2] & 1 ? 1UL << 30 : 0),
				   worker->rooms[ROOM_ARGUMENT]);
	default:
		return step_call(worker, step, &operations[operation]);
	}
}

/* Runs an input; returns how many steps it takes to reach what is new. */
static unsigned int worker_run(struct worker *worker, const struct input *input,
			       struct coverage *coverage, bool edges)
{
	unsigned int new = 0;
	unsigned int i;
	int error;

	for (i = 0; i < input->count; i++) {
		const struct step *step = &input->steps[i];

		if (step->operation >= STEP_NOTHING) {
			if (step->operation == STEP_CLEAR)
				worker_clear(worker);
			continue;
		}
		coverage_reset();
		error = worker_step(worker, step);
		if (coverage_add(coverage, edges))
			new = i + 1;
		if (worker->verbose)
			printf("# operation %u: %s\n", step_operation(step),
			       error ? strerror(error) : "done");
	}
	return new;
}

/* Of what has no places all is passed on as it comes, when it can be. */
static int record_write(const void *data, size_t size, off_t place)
{
	struct pollfd port = { .fd = shared->record, .events = POLLOUT };

	if (pwrite(port.fd, data, size, place) >= 0)
		return 0;
	return errno != ESPIPE || poll(&port, 1, -1) < 0 || write(port.fd, data, size) < 0;
}

/* Whatever ends the machine, somebody else has seen the inputs up to then. */
static void record(const struct input *input, bool clear)
{
	struct step steps[STEPS + 1];
	unsigned long number;

	if (shared->record < 0)
		return;
	memset(steps, STEP_NOTHING, sizeof(steps));
	if (clear)
		steps[0].operation = STEP_CLEAR;
	memcpy(steps + 1, input->steps, input->count * sizeof(struct step));
	number = __atomic_fetch_add(&shared->recorded, 1, __ATOMIC_RELAXED);
	if (record_write(steps, sizeof(steps), number % RECORDS * sizeof(steps)))
		perror("# recording");
}

/* The committed ones first, each worker its share; then what becomes of them. */
static void worker_fuzz(struct worker *worker, unsigned int number)
{
	struct input input;
	unsigned long i;

	for (i = number; !__atomic_load_n(&shared->stop, __ATOMIC_RELAXED);
	     i += WORKERS) {
		__u64 random = (shared->seed << 32 | i) * 0x9e3779b97f4a7c15ULL | 1;
		bool clear = !(shared->executed[number] % INPUTS_TOGETHER);
		unsigned int new;

		random_next(&random);
		if (i < shared->committed)
			input = shared->inputs[i];
		else
			input_make(&input, &random);
		record(&input, clear);
		if (clear)
			worker_clear(worker);
		new = worker_run(worker, &input, &shared->coverage, true);
		shared->executed[number]++;
		shared->broken[number] = worker->broken;
		if (new && i >= shared->committed) {
			input.count = new;
			corpus_add(&input);
		}
	}
}

static int input_compare(const void *a, const void *b)
{
	const struct input *first = a, *second = b;

	return (int)first->count - (int)second->count;
}

/* As few inputs as reach each place; short ones first. */
static void worker_keep(struct worker *worker)
{
	struct coverage *coverage = calloc(1, sizeof(*coverage));
	unsigned int i, j;

	qsort(shared->inputs, corpus_count(), sizeof(struct input), input_compare);
	for (i = 0; i < corpus_count(); i++) {
		struct input *input = &shared->inputs[i];

		worker_clear(worker);
		input->count = worker_run(worker, input, coverage, false);
		if (!input->count)
			continue;
		printf("# keep ");
		for (j = 0; j < input->count * sizeof(struct step); j++)
			printf("%02x", ((__u8 *)input->steps)[j]);
		printf("\n");
	}
	free(coverage);
}

static bool worker_empty(struct worker *worker)
{
	char name[KCUCKOO_NAME_SIZE + 1] = "";
	struct kcuckoo_list_entry entry;
	struct kcuckoo_ioc_stats stats;
	unsigned int tries;

	for (tries = 0; tries < 1500; tries++) {
		worker_clear(worker);
		if (!client_stats(worker->descriptors[0], &stats) && !stats.filters &&
		    !stats.rules && !stats.waiting && !stats.memory_bytes)
			return true;
		client_sleep(0.01);
	}
	printf("# left: %u filters, %u rules, %u names, %llu bytes\n", stats.filters,
	       stats.rules, stats.waiting, stats.memory_bytes);
	if (filter_list(worker->descriptors[0], &entry, 1) > 0) {
		memcpy(name, entry.name, KCUCKOO_NAME_SIZE);
		printf("# '%s' cannot be destroyed: %s\n", name,
		       strerror(-filter_destroy(worker->descriptors[0], name)));
	}
	return false;
}

static void worker_enter(struct worker *worker, unsigned int number)
{
	const struct worker *other = number ? worker - 1 : worker + 1;
	unsigned int i;

	worker->calls = &shared->calls[number];
	worker->faults = &shared->faults[number];
	worker->errnos = shared->errnos;
	if (setns(other->space, CLONE_NEWNET))
		_exit(2);
	worker->descriptors[2] = client_open();
	if (setns(worker->space, CLONE_NEWNET) || coverage_begin())
		_exit(2);
	worker->descriptors[0] = client_open();
	worker->descriptors[1] = client_open();
	for (i = 0; i < DESCRIPTORS; i++)
		if (worker->descriptors[i] < 0)
			_exit(2);
	worker_begin(worker);
}

/* A descriptor holds the memory of a snapshot that has been restored in part. */
static void worker_leave(struct worker *worker)
{
	unsigned int i;

	for (i = 0; i < DESCRIPTORS; i++)
		close(worker->descriptors[i]);
	worker->descriptors[0] = client_open();
}

static int worker_main(struct worker *worker, unsigned int number)
{
	unsigned int tries;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	worker_enter(worker, number);
	worker_fuzz(worker, number);
	worker_leave(worker);
	/* Until it has ended, too, the other one may do something here. */
	__atomic_fetch_add(&shared->ended, 1, __ATOMIC_ACQ_REL);
	for (tries = 0; tries < 6000; tries++) {
		if (__atomic_load_n(&shared->ended, __ATOMIC_ACQUIRE) == WORKERS)
			break;
		client_sleep(0.01);
	}
	return worker->broken || !worker_empty(worker);
}

/* Inputs of a folder. */
static void corpus_read(const char *folder)
{
	DIR *dir = opendir(folder);
	const struct dirent *entry;

	while (dir && (entry = readdir(dir)) && shared->count < INPUTS) {
		struct input *input = &shared->inputs[shared->count];
		char path[4096];
		ssize_t length;
		int fd;

		snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
		fd = entry->d_name[0] == '.' ? -1 : open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			continue;
		length = read(fd, input->steps, sizeof(input->steps));
		close(fd);
		if (length < (ssize_t)sizeof(struct step))
			continue;
		input->count = length / sizeof(struct step);
		shared->count++;
	}
	if (dir)
		closedir(dir);
	shared->committed = shared->count;
}

/* Namespaces, a device in each. */
static int workers_make(struct worker *workers)
{
	unsigned int i;

	for (i = 0; i < WORKERS; i++) {
		struct worker *worker = &workers[i];

		if (unshare(CLONE_NEWNET))
			return -errno;
		worker->tap = packet_device();
		worker->space = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
		if (worker->tap < 0 || worker->space < 0)
			return -ENODEV;
	}
	return 0;
}

static unsigned long sum(const unsigned long *numbers)
{
	unsigned long result = 0;
	unsigned int i;

	for (i = 0; i < WORKERS; i++)
		result += numbers[i];
	return result;
}

/**
 * struct growth - when something new was last reached
 * @count: how much had been reached then
 * @seconds: how long after the start
 * @calls: after how many calls
 */
struct growth {
	unsigned int count;
	double seconds;
	unsigned long calls;
};

static struct growth places, edges;

static void growth_note(struct growth *growth, unsigned int count)
{
	if (count == growth->count)
		return;
	growth->count = count;
	growth->seconds = client_clock() - started;
	growth->calls = sum(shared->calls);
}

static void tell_growth(const char *what, const struct growth *growth)
{
	printf(", %u %s (last at %.0f s, %lu calls)", growth->count, what,
	       growth->seconds, growth->calls);
}

/* Each worker's share of the inputs of files. */
static bool committed_run(void)
{
	unsigned int i;

	for (i = 0; i < WORKERS; i++)
		if (shared->executed[i] * WORKERS < shared->committed)
			return false;
	return true;
}

/* Relative to the module's code. */
static unsigned long place_address(unsigned int place)
{
	static unsigned long base;
	FILE *file;

	if (!base) {
		file = fopen("/sys/module/kcuckoo/sections/.text", "r");
		if (!file || fscanf(file, "%lx", &base) != 1)
			base = 0;
		if (file)
			fclose(file);
	}
	return (place - base) % COVERAGE_PLACES;
}

/* What no input of a file reaches. */
static void tell_new_places(void)
{
	static __u64 told[COVERAGE_PLACES / 64];
	static bool telling;
	unsigned int i;

	for (i = 0; i < COVERAGE_PLACES; i++) {
		__u64 bit = shared->coverage.places[i / 64] & ~told[i / 64] & 1ULL << (i % 64);

		told[i / 64] |= bit;
		if (bit && telling)
			printf("# new place %lx after %lu calls\n", place_address(i),
			       sum(shared->calls));
	}
	telling = committed_run();
}

static void tell_progress(void)
{
	tell_new_places();
	growth_note(&places, shared->coverage.place_count);
	growth_note(&edges, shared->coverage.edge_count);
	printf("# %.0f s: %lu calls, %lu inputs run, %u kept", client_clock() - started,
	       sum(shared->calls), sum(shared->executed), corpus_count());
	tell_growth("places", &places);
	tell_growth("edges", &edges);
	printf("\n");
	fflush(stdout);
}

/* What was done has to be enough, or nothing was found out. */
static unsigned long least_calls(void)
{
	return setting("FUZZ_LEAST", setting("FUZZ_CALLS", CALLS));
}

/* Have there been enough calls, or is the time over and were there as many as must be? */
static bool workers_done(void)
{
	const unsigned long calls = sum(shared->calls);

	if (!committed_run())
		return false;
	return calls >= setting("FUZZ_CALLS", CALLS) ||
	       (calls >= least_calls() &&
		client_clock() - started >= setting("FUZZ_SECONDS", ULONG_MAX));
}

static bool workers_watch(pid_t *pids)
{
	bool good = true;
	unsigned int i;
	double told = 0;
	int status;

	while (!workers_done()) {
		client_sleep(0.5);
		growth_note(&places, shared->coverage.place_count);
		growth_note(&edges, shared->coverage.edge_count);
		for (i = 0; i < WORKERS; i++)
			if (waitpid(pids[i], &status, WNOHANG) == pids[i]) {
				printf("# worker %u ended: %x\n", i, status);
				pids[i] = 0;
				good = false;
			}
		if (!good)
			break;
		if (client_clock() - told < 10)
			continue;
		told = client_clock();
		tell_progress();
	}
	__atomic_store_n(&shared->stop, true, __ATOMIC_RELAXED);
	for (i = 0; i < WORKERS; i++)
		if (pids[i] && (waitpid(pids[i], &status, 0) != pids[i] || status))
			good = false;
	tell_progress();
	return good;
}

static void tell_errnos(void)
{
	unsigned int i;

	printf("# results:");
	for (i = 0; i < ERRNOS; i++)
		if (shared->errnos[i])
			printf(" %s %lu", i ? strerrorname_np(i) : "done",
			       shared->errnos[i]);
	printf("\n# %lu injected failures\n", sum(shared->faults));
}

/* What is still found at the end says whether more calls would find more. */
static void tell_end(unsigned long calls)
{
	printf("# last new place after %lu %% of the calls, last new edge after %lu %%\n",
	       places.calls * 100 / (calls ?: 1), edges.calls * 100 / (calls ?: 1));
	printf("# %lu calls in %.0f s, %lu at least\n", calls, client_clock() - started,
	       least_calls());
}

/* Where the calls return to that told of them. */
static void tell_places(void)
{
	unsigned int i;

	for (i = 0; i < COVERAGE_PLACES; i++)
		if (shared->coverage.places[i / 64] & 1ULL << (i % 64))
			printf("# place %lx\n", place_address(i));
}

/* Steps in files, inputs that were recorded among them. */
static int replay(struct worker *worker, char **paths)
{
	struct input input = { .count = 1 };
	int fd;

	worker_enter(worker, 0);
	worker->verbose = true;
	for (; *paths; paths++) {
		printf("# %s\n", *paths);
		fd = open(*paths, O_RDONLY | O_CLOEXEC);
		while (read(fd, input.steps, sizeof(struct step)) == sizeof(struct step))
			worker_run(worker, &input, &shared->coverage, true);
		worker_clear(worker);
		close(fd);
	}
	worker_leave(worker);
	return worker->broken || !worker_empty(worker);
}

static int keep(struct worker *worker)
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		worker_enter(worker, 0);
		worker_keep(worker);
		fflush(stdout);
		_exit(0);
	}
	return waitpid(pid, &status, 0) == pid && !status ? 0 : 1;
}

static bool tell_result(unsigned int number, bool good, const char *what)
{
	printf("%sok %u %s\n", good ? "" : "not ", number, what);
	return good;
}

static bool tell_results(bool good, unsigned long calls, unsigned long faults)
{
	good = tell_result(1, good, "each errno is documented, and nothing is left");
	good &= tell_result(2, calls >= least_calls(), "as many calls as there have to be");
	return tell_result(3, faults, "allocations and user copies failed") && good;
}

static int fuzz(struct worker *workers)
{
	unsigned long calls, faults;
	pid_t pids[WORKERS];
	unsigned int i;
	bool good;

	printf("TAP version 13\n1..3\n# seed %llu, %u inputs\n", shared->seed, shared->count);
	fflush(stdout);
	for (i = 0; i < WORKERS; i++) {
		pids[i] = fork();
		if (!pids[i])
			_exit(worker_main(&workers[i], i));
	}
	good = workers_watch(pids);
	/* What is kept is run once more. */
	calls = sum(shared->calls);
	faults = sum(shared->faults);
	tell_errnos();
	tell_end(calls);
	if (setting("FUZZ_PLACES", 0))
		tell_places();
	if (good && setting("FUZZ_KEEP", 0) && keep(&workers[0]))
		good = false;
	return !tell_results(good, calls, faults);
}

int main(int argc, char **argv)
{
	struct worker workers[WORKERS] = {};
	const char *folders = getenv("FUZZ_CORPUS") ?: "corpus/ioctl";
	char *copy = strdup(folders), *folder, *rest;

	/* Of several processes, whole lines. */
	setlinebuf(stdout);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	/* Little memory, so that its limit is reached. */
	if (shared == MAP_FAILED || mprotect(shared->hole, sizeof(shared->hole), PROT_NONE) ||
	    system("modprobe kcuckoo max_bytes=4194304") || hooks_hold() ||
	    workers_make(workers)) {
		printf("1..0 # SKIP the device cannot be used here\n");
		return 4;
	}
	if (access("/sys/kernel/debug/kcov", F_OK)) {
		printf("1..0 # SKIP this kernel does not tell what calls reach\n");
		return 4;
	}
	started = client_clock();
	shared->seed = setting("FUZZ_SEED", time(NULL));
	shared->record = open(getenv("FUZZ_RECORD") ?: "", O_WRONLY | O_NONBLOCK | O_CLOEXEC);
	faults_allow();
	if (argc > 1)
		return replay(&workers[0], argv + 1);
	for (folder = strtok_r(copy, " ", &rest); folder; folder = strtok_r(NULL, " ", &rest))
		corpus_read(folder);
	return fuzz(workers);
}
