// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module is loaded, into several network namespaces, and the device opened
 * while allocations and user copies fail: it works, or leaves nothing behind.
 */

#include "own.h"

#include <sys/syscall.h>

/*
 * The module's own part of loading is at its end: so many of the last are taken,
 * every day, and where there are rounds. Of those before, the memory for the module,
 * its jump labels and the fields of its trace events are left out: the kernel warns,
 * with a trace of calls, where it has none for them.
 */
#define LAST		50
#define LAST_MORE	300

/* Loading xt_kcuckoo is the kernel's own part, almost all of it. */
#define LAST_XT		40
#define LAST_XT_MORE	150

/* How often its own are looked for, in all. */
#define STEPS	2000

/* What the module asks for is charged to its caller (__GFP_ACCOUNT). */
#define CHARGED	"gfp_flags & 0x400000"

/**
 * struct image - a module that can be loaded
 * @name: its name
 * @bytes: its file
 * @size: bytes of that
 */
struct image {
	const char *name;
	void *bytes;
	size_t size;
};

static struct image kcuckoo = { "kcuckoo" }, xt_kcuckoo = { "xt_kcuckoo" };

FIXTURE(life)
{
	int log;
};

static int module_read(struct image *module)
{
	char path[200], command[100];
	struct stat st;
	FILE *pipe;
	int fd;

	snprintf(command, sizeof(command), "modinfo -n %s", module->name);
	pipe = popen(command, "r");
	if (!pipe || fscanf(pipe, "%199s", path) != 1 || pclose(pipe))
		return -ENOENT;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st))
		return -errno;
	module->size = st.st_size;
	module->bytes = malloc(module->size);
	if (read(fd, module->bytes, module->size) != (ssize_t)module->size)
		return -EIO;
	return close(fd);
}

static int module_load(const struct image *module)
{
	int error;

	fault_arm();
	error = syscall(SYS_init_module, module->bytes, module->size, "") ? -errno : 0;
	fault_disarm();
	return error;
}

/* Rules hold the module until their namespace has ended, which is a little later. */
static int module_unload(const struct image *module)
{
	int tries, error = 0;

	for (tries = 0; tries < 600; tries++) {
		error = syscall(SYS_delete_module, module->name, O_NONBLOCK) ? -errno : 0;
		if (error != -EWOULDBLOCK)
			break;
		client_sleep(0.1);
	}
	return error;
}

static bool module_loaded(const struct image *module)
{
	char path[100];

	snprintf(path, sizeof(path), "/sys/module/%s", module->name);
	return !access(path, F_OK);
}

/* Is this a line of a file? */
static bool file_names(const char *path, const char *name)
{
	FILE *file = fopen(path, "r");
	char line[100];
	bool found = false;

	while (file && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		found |= !strcmp(line, name);
	}
	if (file)
		fclose(file);
	return found;
}

/* Does the module do what it is for? */
static int module_works(const struct image *module)
{
	static const char * const families[] = { "ip", "ip6" };
	char path[100];
	size_t i;

	if (module == &kcuckoo)
		return works();
	for (i = 0; i < ARRAY_SIZE(families); i++) {
		snprintf(path, sizeof(path), "/proc/net/%s_tables_matches", families[i]);
		if (!file_names(path, "kcuckoo"))
			return -ENOENT;
		snprintf(path, sizeof(path), "/proc/net/%s_tables_targets", families[i]);
		if (!file_names(path, "KCUCKOO"))
			return -ENOENT;
	}
	return works();
}

FIXTURE_SETUP(life)
{
	if (!fault_available())
		return;
	ASSERT_EQ(0, module_read(&kcuckoo));
	ASSERT_EQ(0, module_read(&xt_kcuckoo));
	ASSERT_EQ(0, unshare(CLONE_NEWNET));
	self->log = log_open();
	ASSERT_EQ(0, works());
	ASSERT_EQ(0, own_begin(CHARGED));
	ASSERT_EQ(0, fault_begin());
}

FIXTURE_TEARDOWN(life)
{
	if (fault_available()) {
		if (!module_loaded(&kcuckoo)) {
			EXPECT_EQ(0, module_load(&kcuckoo));
		}
		EXPECT_EQ(0, works());
		own_end();
		close(self->log);
	}
}

/* How many faults there could be: the last one that the kernel asks for. */
static unsigned int faults_of(const struct image *module)
{
	char text[20] = "";

	if (own_forget() || pwrite(fault.nth, "1000000", 7, 0) != 7 || module_load(module) ||
	    pread(fault.nth, text, sizeof(text) - 1, 0) <= 0)
		return 0;
	while (pwrite(fault.nth, "0", 1, 0) != 1)
		;
	own_read(NULL);
	return 1000000 - atoi(text);
}

/* Without the module, once it has been seen to work if it was there. */
static int module_gone(const struct image *module)
{
	return module_loaded(module) ? module_works(module) ?: module_unload(module) : 0;
}

/* With one fault: it works then, or is not there. */
static int load_fault(const struct image *module, unsigned int nth)
{
	int error = module_gone(module) ?: own_forget();

	if (error)
		return -EPROTO;
	fault_aim(nth);
	error = module_load(module);
	fault.target = 0;
	own_read(NULL);
	if (!error != module_loaded(module))
		error = -EPROTO;
	if (error && error != -ENOMEM && error != -EFAULT)
		fprintf(stderr, "# load %s: fault %u (%s): %s\n", module->name, nth,
			fault.hit ? fault_names[fault.kind] : "none", strerror(-error));
	return error;
}

/* Was it no harm, and did the kernel come to the fault unless the module was loaded? */
static bool load_harmless(const struct image *module, unsigned int nth)
{
	int error = load_fault(module, nth);

	return !error || (fault.hit && (error == -ENOMEM || error == -EFAULT));
}

/* So many of the last faults of loading. Returns how many, 0 if one did harm. */
static unsigned int load_last(const struct image *module, unsigned int last,
			      unsigned int most)
{
	unsigned int nth = last > most ? last - most : 1, count = 0;

	do {
		if (!load_harmless(module, nth++))
			return 0;
		count += fault.hit;
	} while (fault.hit);
	return count;
}

/*
 * Each allocation that the module makes itself, from behind. How many come before the
 * first varies least where a page is never missing, and it is all the same to the
 * module; those that were missed all the same are looked for again.
 */
static bool load_own(const struct image *module)
{
	unsigned int seen = 0, all, steps, last, nth;

	if (fault_set("fail_page_alloc", "min-order", "20") || module_gone(module))
		return false;
	last = faults_of(module);
	all = own_all(own.count);
	nth = last;
	for (steps = 0; seen != all && nth && steps < STEPS; steps++) {
		if (!load_harmless(module, nth))
			return false;
		own_seen(&seen);
		nth = own.count ? nth - 1 : last;
	}
	fprintf(stderr, "# load %s: %x of its own allocations %x, in %u steps\n",
		module->name, seen, all, steps);
	return !fault_set("fail_page_alloc", "min-order", "0") && seen == all;
}

/* Returns the number of faults, 0 if one did harm. */
static unsigned int load_run(const struct image *module, unsigned int most)
{
	double begin = client_clock();
	unsigned int last, count;

	last = faults_of(module);
	count = last ? load_last(module, last, most) : 0;
	fprintf(stderr, "# load %s: the last %u of %u faults, %.1f s\n", module->name, count,
		last, client_clock() - begin);
	return count && load_own(module) && !load_fault(module, 0) ? count : 0;
}

TEST_F(life, load)
{
	if (!fault_available())
		SKIP(return, "no fault injection in this kernel");
	ASSERT_EQ(0, module_unload(&kcuckoo));
	ASSERT_GT(load_run(&kcuckoo, fault_rounds() > 1 ? LAST_MORE : LAST), 0);
	ASSERT_GT(own.count, 0);
}

/* The kernel's lists of what iptables has tell whether it is there. */
TEST_F(life, load_xt)
{
	if (!fault_available())
		SKIP(return, "no fault injection in this kernel");
	ASSERT_EQ(0, system("modprobe -a ip_tables ip6_tables x_tables"));
	ASSERT_EQ(0, module_gone(&xt_kcuckoo));
	ASSERT_GT(load_run(&xt_kcuckoo, fault_rounds() > 1 ? LAST_XT_MORE : LAST_XT), 0);
}

static int device_open(void)
{
	int fd;

	fault_arm();
	fd = open(KCUCKOO_DEVICE, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		fd = -errno;
	fault_disarm();
	return fd;
}

TEST_F(life, open)
{
	unsigned int nth, round;
	int fd;

	if (!fault_available())
		SKIP(return, "no fault injection in this kernel");
	for (round = 0; round < fault_rounds(); round++) {
		for (nth = 1;; nth++) {
			fault_aim(nth);
			fd = device_open();
			fault.target = 0;
			if (fd >= 0)
				close(fd);
			if (!fault.hit)
				break;
			ASSERT_TRUE(fd >= 0 || fd == -ENOMEM || fd == -EFAULT) {
				TH_LOG("fault %u (%s): %s", nth, fault_names[fault.kind],
				       strerror(-fd));
			}
			ASSERT_EQ(0, works());
		}
		ASSERT_GE(fd, 0);
	}
}

TEST_HARNESS_MAIN
