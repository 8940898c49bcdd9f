// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module is loaded, into several network namespaces, and the device opened
 * while allocations and user copies fail: it works, or leaves nothing behind.
 */

#include "fault.h"

#include <sys/syscall.h>

/*
 * The module's own part of loading is at its end: so many of the last are taken,
 * every day, and where there are rounds. Of those before, the memory for the module,
 * its jump labels and the fields of its trace events are left out: the kernel warns,
 * with a trace of calls, where it has none for them.
 */
#define OWN		150
#define OWN_MORE	300

static void *module_image;
static size_t module_size;

FIXTURE(life)
{
	int log;
};

static int module_read(void)
{
	FILE *pipe = popen("modinfo -n kcuckoo", "r");
	char path[200];
	struct stat st;
	int fd;

	if (!pipe || fscanf(pipe, "%199s", path) != 1 || pclose(pipe))
		return -ENOENT;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st))
		return -errno;
	module_size = st.st_size;
	module_image = malloc(module_size);
	if (read(fd, module_image, module_size) != (ssize_t)module_size)
		return -EIO;
	return close(fd);
}

static int module_load(void)
{
	int error;

	fault_arm();
	error = syscall(SYS_init_module, module_image, module_size, "") ? -errno : 0;
	fault_disarm();
	return error;
}

static int module_unload(void)
{
	return syscall(SYS_delete_module, "kcuckoo", O_NONBLOCK) ? -errno : 0;
}

static bool module_loaded(void)
{
	return !access("/sys/module/kcuckoo", F_OK);
}

FIXTURE_SETUP(life)
{
	if (!fault_available())
		return;
	ASSERT_EQ(0, module_read());
	ASSERT_EQ(0, unshare(CLONE_NEWNET));
	self->log = log_open();
	ASSERT_EQ(0, works());
	ASSERT_EQ(0, fault_begin());
}

FIXTURE_TEARDOWN(life)
{
	if (fault_available()) {
		if (!module_loaded()) {
			EXPECT_EQ(0, module_load());
		}
		EXPECT_EQ(0, works());
		close(self->log);
	}
}

/* How many faults there could be: the last one that the kernel asks for. */
static unsigned int faults_of(int (*act)(void))
{
	char text[20] = "";

	if (pwrite(fault.nth, "1000000", 7, 0) != 7 || act() ||
	    pread(fault.nth, text, sizeof(text) - 1, 0) <= 0)
		return 0;
	while (pwrite(fault.nth, "0", 1, 0) != 1)
		;
	return 1000000 - atoi(text);
}

TEST_F(life, load)
{
	const unsigned int own = fault_rounds() > 1 ? OWN_MORE : OWN;
	unsigned int last, nth;
	int error;

	if (!fault_available())
		SKIP(return, "no fault injection in this kernel");
	ASSERT_EQ(0, module_unload());
	last = faults_of(module_load);
	ASSERT_GT(last, 0);
	fprintf(stderr, "# load: up to %u faults\n", last);
	for (nth = last > own ? last - own : 1;; nth++) {
		if (module_loaded()) {
			ASSERT_EQ(0, works());
			ASSERT_EQ(0, module_unload());
		}
		fault.target = nth;
		error = module_load();
		fault.target = 0;
		if (!fault.hit)
			break;
		ASSERT_TRUE(!error || error == -ENOMEM || error == -EFAULT) {
			TH_LOG("fault %u (%s): %s", nth, fault_names[fault.kind],
			       strerror(-error));
		}
		ASSERT_EQ(!error, module_loaded());
	}
	ASSERT_EQ(0, error);
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
			fault.target = nth;
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
