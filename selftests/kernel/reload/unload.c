// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module comes and goes: with filters, under traffic, while namespaces end and
 * others open the device, not while a descriptor is open or a rule is attached, and
 * nothing stays behind.
 */

#include "link.h"
#include "slab.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>

#define CYCLES		20
#define WARM		2
#define MEMBERS		4000

/* Rules that furnish() attaches to hooks that need no device. */
#define HOOKS_RULES	8

/* Room that takes longer to collect than all else that unloading waits for. */
#define SLOW		client_scale(8 << 20)
#define COLLECTIONS	3

/* Frames that meet the rules each time. */
#define FRAMES	200

FIXTURE(unload)
{
	int log;
};

static char module_path[200];

/* The path is asked for once, because modprobe takes its time. */
static int module_load(void)
{
	FILE *pipe;
	int fd, error;

	if (!*module_path) {
		pipe = popen("modinfo -n kcuckoo", "r");
		if (!pipe || fscanf(pipe, "%199s", module_path) != 1 || pclose(pipe))
			return -ENOENT;
	}
	fd = open(module_path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	error = syscall(SYS_finit_module, fd, "", 0) ? -errno : 0;
	close(fd);
	return error == -EEXIST ? 0 : error;
}

static int module_unload(void)
{
	return syscall(SYS_delete_module, "kcuckoo", O_NONBLOCK) ? -errno : 0;
}

static bool module_loaded(void)
{
	return !access("/sys/module/kcuckoo", F_OK);
}

FIXTURE_SETUP(unload)
{
	ASSERT_EQ(0, hooks_hold());
	ASSERT_EQ(0, module_load());
	self->log = log_open();
}

FIXTURE_TEARDOWN(unload)
{
	EXPECT_EQ(0, log_complaints(self->log));
	EXPECT_EQ(0, module_load());
}

/* A device of the caller's namespace, where it has one that packets come from. */
static const char *device(void)
{
	if (if_nametoindex("h0"))
		return "h0";
	return if_nametoindex("f0") ? "f0" : NULL;
}

/* Filters with members, and a rule for every hook, in the caller's namespace. */
static int furnish(void)
{
	struct kcuckoo_prefix *keys = calloc(MEMBERS, sizeof(*keys));
	int fd = client_open(), hook, error;
	size_t i;

	for (i = 0; i < MEMBERS; i++)
		keys[i] = ipv4(0xcb000000 + i * 77, 32);
	error = fd < 0 ? fd : list_bad(fd) ?: filter_create(fd, "large", 1 << 20);
	if (!error && keys_add(fd, "large", keys, MEMBERS) != MEMBERS)
		error = -EPROTO;
	for (hook = KCUCKOO_HOOK_PREROUTING; !error && hook <= KCUCKOO_HOOK_OUTPUT; hook++)
		error = rule_attach(fd, "bad", hook, KCUCKOO_FAMILY_BOTH,
				    KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_DROP) ?:
			rule_attach(fd, "large", hook, KCUCKOO_FAMILY_IPV4,
				    KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_COUNT);
	if (!error && device())
		error = rule_attach_dev(fd, "large", device(), KCUCKOO_MATCH_SRC,
					KCUCKOO_ACTION_COUNT) ?:
			rule_attach_dev(fd, "missing", device(), KCUCKOO_MATCH_DST,
					KCUCKOO_ACTION_DROP);
	free(keys);
	close(fd);
	return error;
}

/* Detaches all rules of the caller's namespace. Returns how many, or an errno. */
static int detach_all(void)
{
	int fd = client_open(), count;

	count = fd < 0 ? fd : rule_detach(fd, NULL);
	close(fd);
	return count;
}

/* Loaded and furnished in two namespaces; unloaded once the last rule is detached. */
static void cycle(struct __test_metadata *_metadata)
{
	int place;

	if (!module_loaded()) {
		ASSERT_EQ(0, module_load());
	}
	for (place = HOST; place < PLACES; place += FAR) {
		enter(place);
		EXPECT_EQ(0, furnish());
	}
	enter(HOST);
	EXPECT_FALSE(passes(BAD4, HOST4));
	EXPECT_TRUE(passes(GOOD6, FAR6));
	EXPECT_EQ(HOOKS_RULES + 2, detach_all());
	EXPECT_EQ(-EWOULDBLOCK, module_unload());
	enter(FAR);
	EXPECT_EQ(HOOKS_RULES + 2, detach_all());
	enter(HOST);
	ASSERT_EQ(0, module_unload());
	EXPECT_FALSE(module_loaded());
	EXPECT_TRUE(passes(BAD4, HOST4));
	EXPECT_TRUE(passes(BAD6, FAR6));
}

static void cycles(struct __test_metadata *_metadata, int count)
{
	int i;

	for (i = 0; i < count; i++)
		cycle(_metadata);
}

TEST_F(unload, with_filters_and_detached_rules)
{
	const int count = client_count("RELOADS", client_slow() ? CYCLES / 3 : CYCLES);
	struct holding middle;
	struct memory before;
	bool back = false;
	int tries;

	cycles(_metadata, WARM);
	before = memory_rest();
	cycles(_metadata, count - count / 2);
	for (tries = 0; tries < SLAB_TRIES && !back; tries++) {
		holding_rest(&middle);
		cycles(_metadata, count / 2);
		back = holding_back(&middle, count / 2);
	}
	TH_LOG("%d reloads", WARM + count - count / 2 + tries * (count / 2));
	EXPECT_EQ(0, before.vmalloc);
	EXPECT_TRUE(back);
	EXPECT_TRUE(memory_back(before));
}

static atomic_bool flooding;
static atomic_ullong frames_sent;

static void *flood(void *argument)
{
	struct frame listed, other;

	frame_plain(&listed, MAC_P0, MAC_H0, BAD4, HOST4, 0, PAYLOAD);
	frame_plain(&other, MAC_P0, MAC_H0, GOOD6, FAR6, 0, PAYLOAD);
	while (atomic_load(&flooding)) {
		frame_send(&listed);
		frame_send(&other);
		atomic_fetch_add(&frames_sent, 2);
	}
	return NULL;
}

TEST_F(unload, under_traffic)
{
	unsigned long long before;
	cpu_set_t cpus;
	pthread_t thread;
	int i, tries;

	atomic_store(&flooding, true);
	pthread_create(&thread, NULL, flood, NULL);
	CPU_ZERO(&cpus);
	CPU_SET(1, &cpus);
	ASSERT_EQ(0, sched_setaffinity(0, sizeof(cpus), &cpus));
	for (i = 0; i < CYCLES / 4; i++) {
		if (!module_loaded()) {
			ASSERT_EQ(0, module_load());
		}
		EXPECT_EQ(0, furnish());
		before = atomic_load(&frames_sent);
		client_sleep(0.05);
		for (tries = 0; tries < 3000 &&
		     atomic_load(&frames_sent) < before + FRAMES; tries++)
			client_sleep(0.02);
		EXPECT_LE(before + FRAMES, atomic_load(&frames_sent));
		EXPECT_EQ(-EWOULDBLOCK, module_unload());
		EXPECT_EQ(HOOKS_RULES + 2, detach_all());
		EXPECT_EQ(0, module_unload());
	}
	atomic_store(&flooding, false);
	pthread_join(thread, NULL);
}

/* Filters alone do not hold the module. */
TEST_F(unload, with_filters_and_no_rules)
{
	struct kcuckoo_prefix key = key_of(BAD4);
	int fd = client_open();

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, filter_create(fd, "a", 10));
	ASSERT_EQ(1, keys_add(fd, "a", &key, 1));
	close(fd);
	EXPECT_EQ(0, module_unload());
	EXPECT_FALSE(module_loaded());
}

/* What rmmod says is what the manual says. */
TEST_F(unload, refused_while_a_rule_is_active)
{
	int fd = client_open();

	ASSERT_EQ(0, list_bad(fd));
	ASSERT_EQ(0, rule_attach(fd, "bad", KCUCKOO_HOOK_PREROUTING, KCUCKOO_FAMILY_BOTH,
				 KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_DROP));
	close(fd);
	EXPECT_EQ(-EWOULDBLOCK, module_unload());
	EXPECT_EQ(0, system("rmmod kcuckoo 2>&1 | grep -q 'Module kcuckoo is in use'"));
	EXPECT_TRUE(module_loaded());
	EXPECT_FALSE(passes(BAD4, HOST4));
	EXPECT_EQ(0, system("kcuckoo -q detach --all"));
	EXPECT_EQ(0, module_unload());
}

/* Its own filter is missing, or the one of what it allows. */
TEST_F(unload, refused_while_a_rule_waits)
{
	int fd = client_open();

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, rule_attach(fd, "missing", KCUCKOO_HOOK_INPUT, KCUCKOO_FAMILY_IPV6,
				 KCUCKOO_MATCH_DST, KCUCKOO_ACTION_DROP));
	ASSERT_EQ(0, filter_create(fd, "a", 10));
	ASSERT_EQ(0, rule_attach_allow(fd, "a", "gone"));
	close(fd);
	EXPECT_EQ(-EWOULDBLOCK, module_unload());
	fd = client_open();
	EXPECT_EQ(1, rule_detach(fd, "missing"));
	close(fd);
	EXPECT_EQ(-EWOULDBLOCK, module_unload());
	EXPECT_EQ(1, detach_all());
	EXPECT_EQ(0, module_unload());
}

/* A rule that waits for devices, with a device and without; a device's end is not its own. */
TEST_F(unload, refused_while_a_rule_waits_for_a_device)
{
	static const char * const devices[] = { "passing", "pass*", "passing" };
	struct kcuckoo_ioc_attach attach = {
		.size = sizeof(attach),
		.name = "missing",
		.hook = KCUCKOO_HOOK_INGRESS,
		.family = KCUCKOO_FAMILY_BOTH,
	};
	size_t i;
	int fd;

	for (i = 0; i < ARRAY_SIZE(devices); i++) {
		ASSERT_EQ(0, module_load());
		fd = client_open();
		ASSERT_LE(0, fd);
		memset(attach.dev, 0, sizeof(attach.dev));
		strcpy((char *)attach.dev, devices[i]);
		attach.flags = KCUCKOO_ATTACH_WAIT;
		ASSERT_EQ(0, call(fd, KCUCKOO_IOC_ATTACH, &attach));
		EXPECT_EQ(-EEXIST, call(fd, KCUCKOO_IOC_ATTACH, &attach));
		attach.flags |= KCUCKOO_ATTACH_REPLACE;
		ASSERT_EQ(0, call(fd, KCUCKOO_IOC_ATTACH, &attach));
		close(fd);
		EXPECT_EQ(-EWOULDBLOCK, module_unload());
		ip_run(HOST, "link add passing type dummy\nlink add pass2 type dummy\n");
		EXPECT_EQ(-EWOULDBLOCK, module_unload());
		ip_run(HOST, "link del passing\nlink del pass2\n");
		EXPECT_EQ(-EWOULDBLOCK, module_unload());
		EXPECT_EQ(1, detach_all());
		EXPECT_EQ(0, module_unload());
	}
}

/* One reference for each rule, and none for an attach that failed. */
TEST_F(unload, refused_attaches_hold_nothing)
{
	int fd = client_open();

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, rule_attach(fd, "a", KCUCKOO_HOOK_INPUT, KCUCKOO_FAMILY_IPV4,
				 KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_DROP));
	EXPECT_EQ(-EEXIST, rule_attach(fd, "a", KCUCKOO_HOOK_INPUT, KCUCKOO_FAMILY_IPV4,
				       KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_COUNT));
	EXPECT_EQ(-ENXIO, rule_attach_dev(fd, "a", "nothing", KCUCKOO_MATCH_SRC,
					  KCUCKOO_ACTION_DROP));
	EXPECT_EQ(-EINVAL, rule_attach_dev(fd, "a", "lo", KCUCKOO_MATCH_SRC,
					   KCUCKOO_ACTION_DROP));
	EXPECT_EQ(0, rule_attach(fd, "a", KCUCKOO_HOOK_INPUT, KCUCKOO_FAMILY_IPV6,
				 KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_DROP));
	EXPECT_EQ(2, rule_detach(fd, "a"));
	EXPECT_EQ(-ENOENT, rule_detach(fd, NULL));
	close(fd);
	EXPECT_EQ(0, module_unload());
}

/* A device that is deleted, or leaves its namespace, takes its rules with it. */
TEST_F(unload, after_the_device_of_a_rule_went)
{
	static const char * const goes[] = {
		"link del passing\n",
		"link set passing netns 1\n",
	};
	size_t i;
	int fd;

	for (i = 0; i < ARRAY_SIZE(goes); i++) {
		ASSERT_EQ(0, module_load());
		ip_run(HOST, "link add passing type dummy\n");
		fd = client_open();
		ASSERT_LE(0, fd);
		ASSERT_EQ(0, rule_attach_dev(fd, "missing", "passing", KCUCKOO_MATCH_SRC,
					     KCUCKOO_ACTION_DROP));
		ASSERT_EQ(0, rule_attach_dev(fd, "missing", "passing", KCUCKOO_MATCH_DST,
					     KCUCKOO_ACTION_DROP));
		close(fd);
		EXPECT_EQ(-EWOULDBLOCK, module_unload());
		ip_run(HOST, goes[i]);
		EXPECT_EQ(0, module_unload());
	}
	EXPECT_EQ(0, system("nsenter -t 1 -n ip link del passing"));
}

#define ENDING	4	/* namespaces that end at a time */
#define ROUNDS	4

/**
 * struct ending - a namespace that is to end
 * @child: the process in it
 * @fd: a descriptor of it
 * @wire: the end of its link that is here
 */
struct ending {
	pid_t child;
	int fd;
	int wire;
};

/* A link to the host, where it is called like the namespace's number. */
static int link_to(pid_t host, int number)
{
	char command[200];

	snprintf(command, sizeof(command),
		 "ip -batch - <<END\n"
		 "link add f0 address 02:00:00:00:00:04 type veth peer end%d netns %d\n"
		 "link set f0 up\n"
		 "addr add " FAR4 "/24 dev f0\nEND\n", number, host);
	return system(command);
}

/* In a namespace of its own, with filters and rules; then wait to be killed. */
static int inhabit(int socket, pid_t host, int number)
{
	int fd;

	if (unshare(CLONE_NEWNET) || link_to(host, number) || furnish())
		return 1;
	fd = client_open();
	if (fd < 0 || fd_send(socket, fd))
		return 2;
	close(fd);
	pause();
	return 3;
}

static int wire_to(int number)
{
	struct ifreq up = { .ifr_flags = IFF_UP };
	int fd;

	snprintf(up.ifr_name, sizeof(up.ifr_name), "end%d", number);
	fd = wire_open(HOST, up.ifr_name);
	return ioctl(fd, SIOCSIFFLAGS, &up) ? -errno : fd;
}

static int end_begin(struct ending *ending, int number)
{
	pid_t host = getpid();
	int sockets[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets))
		return -errno;
	ending->child = fork();
	if (!ending->child)
		_exit(inhabit(sockets[1], host, number));
	close(sockets[1]);
	ending->fd = fd_receive(sockets[0]);
	close(sockets[0]);
	if (ending->fd < 0)
		return ending->fd;
	ending->wire = wire_to(number);
	return ending->wire < 0 ? ending->wire : 0;
}

/* Frames to all of them, also when there is nobody any more. */
static void *flood_all(void *argument)
{
	const struct ending *endings = argument;
	struct frame listed, other;
	int i;

	frame_plain(&listed, MAC_H1, MAC_F0, BAD4, FAR4, 0, PAYLOAD);
	frame_plain(&other, MAC_H1, MAC_F0, GOOD4, FAR4, 0, PAYLOAD);
	while (atomic_load(&flooding)) {
		for (i = 0; i < ENDING; i++) {
			if (send(endings[i].wire, listed.bytes, listed.length, 0) > 0 &&
			    send(endings[i].wire, other.bytes, other.length, 0) > 0)
				atomic_fetch_add(&frames_sent, 2);
		}
	}
	return NULL;
}

/* The descriptors of what is ending go one by one. */
static void *close_all(void *argument)
{
	struct ending *endings = argument;
	int i;

	for (i = 0; i < ENDING; i++) {
		client_sleep(0.01);
		close(endings[i].fd);
	}
	return NULL;
}

/*
 * The last rules go with their namespaces; the module is asked to go all the while, so
 * that it goes as soon as the last reference is given back.
 */
static void unload_in_the_end(struct __test_metadata *_metadata)
{
	double end = client_clock() + 60;
	int error;

	do {
		error = module_unload();
	} while (error == -EWOULDBLOCK && client_clock() < end);
	EXPECT_EQ(0, error);
}

/* With descriptors of them that are closed meanwhile, or none any more. */
static void end_round(struct __test_metadata *_metadata, bool descriptors)
{
	struct ending endings[ENDING];
	pthread_t sender, closer;
	int i, status, tries;

	ASSERT_EQ(0, module_load());
	ASSERT_EQ(0, furnish());
	for (i = 0; i < ENDING; i++)
		ASSERT_EQ(0, end_begin(&endings[i], i));
	atomic_store(&flooding, true);
	atomic_store(&frames_sent, 0);
	pthread_create(&sender, NULL, flood_all, endings);
	for (tries = 0; tries < 3000 && atomic_load(&frames_sent) < FRAMES; tries++)
		client_sleep(0.02);
	EXPECT_LE(FRAMES, atomic_load(&frames_sent));
	EXPECT_EQ(-EWOULDBLOCK, module_unload());
	EXPECT_FALSE(passes(BAD4, HOST4));
	EXPECT_EQ(HOOKS_RULES + 2, detach_all());
	if (!descriptors)
		close_all(endings);
	EXPECT_EQ(-EWOULDBLOCK, module_unload());
	for (i = 0; i < ENDING; i++)
		kill(endings[i].child, SIGKILL);
	if (descriptors)
		pthread_create(&closer, NULL, close_all, endings);
	unload_in_the_end(_metadata);
	EXPECT_FALSE(module_loaded());
	EXPECT_TRUE(passes(BAD4, HOST4));
	if (descriptors)
		pthread_join(closer, NULL);
	atomic_store(&flooding, false);
	pthread_join(sender, NULL);
	for (i = 0; i < ENDING; i++) {
		EXPECT_EQ(endings[i].child, waitpid(endings[i].child, &status, 0));
		EXPECT_TRUE(WIFSIGNALED(status));
		close(endings[i].wire);
	}
	for (tries = 0; tries < 3000 && system("! ip -o link | grep -q end[0-9]"); tries++)
		client_sleep(0.02);
	EXPECT_GT(3000, tries);
}

TEST_F(unload, while_namespaces_end)
{
	struct memory before;
	int i;

	end_round(_metadata, true);
	before = memory_rest();
	for (i = 0; i < (client_slow() ? 2 : ROUNDS); i++)
		end_round(_metadata, i % 2);
	EXPECT_EQ(0, before.vmalloc);
	EXPECT_TRUE(memory_back(before));
}

static atomic_bool opening;
static atomic_ullong opened, strange;

/* What a descriptor is for. */
static int descriptor_use(int fd)
{
	struct kcuckoo_prefix key = key_of(BAD4);

	return filter_create(fd, "brief", 10) ?:
	       (keys_add(fd, "brief", &key, 1) == 1 ? 0 : -EPROTO) ?:
	       (keys_covered(fd, "brief", &key, 1) == 1 ? 0 : -EPROTO) ?:
	       filter_destroy(fd, "brief");
}

/* There is a device or there is none; and if there is, it works. */
static void *open_and_close(void *argument)
{
	int fd, error;

	while (atomic_load(&opening)) {
		fd = open(KCUCKOO_DEVICE, O_RDWR | O_CLOEXEC);
		if (fd < 0) {
			error = errno == ENOENT || errno == ENODEV || errno == ENXIO ?
				0 : -errno;
			client_sleep(0.0002);
		} else {
			error = descriptor_use(fd);
			close(fd);
			/*
			 * Both share a processor. Unless this turn ends just here, whoever
			 * unloads never finds it closed; so let it end here now and then.
			 */
			if (atomic_fetch_add(&opened, 1) % 64 == 63)
				client_sleep(0.0002);
		}
		if (!error)
			continue;
		fprintf(stderr, "# open or use: %d\n", error);
		atomic_fetch_add(&strange, 1);
	}
	return NULL;
}

/* Loaded, and unloaded as soon as nobody has a descriptor; how often that was refused. */
static int come_and_go(struct __test_metadata *_metadata)
{
	unsigned long long before = atomic_load(&opened);
	double end = client_clock() + 60;
	int error, refused = 0;

	EXPECT_EQ(0, module_load());
	while (atomic_load(&opened) < before + 2 && client_clock() < end)
		client_sleep(0.0002);
	EXPECT_LE(before + 2, atomic_load(&opened));
	do {
		error = module_unload();
		refused += error == -EWOULDBLOCK;
	} while (error == -EWOULDBLOCK && client_clock() < end);
	EXPECT_EQ(0, error);
	return refused;
}

TEST_F(unload, while_others_open)
{
	const int least = client_slow() ? 3 : 10;
	double end = client_clock() + 120;
	struct memory before;
	pthread_t thread;
	int rounds, refused = 0;

	ASSERT_EQ(0, module_unload());
	before = memory_rest();
	atomic_store(&opening, true);
	pthread_create(&thread, NULL, open_and_close, NULL);
	for (rounds = 0; (rounds < least || !refused) && client_clock() < end; rounds++)
		refused += come_and_go(_metadata);
	atomic_store(&opening, false);
	pthread_join(thread, NULL);
	TH_LOG("%d reloads, %d refused, %llu times opened", rounds, refused,
	       atomic_load(&opened));
	EXPECT_LE(least, rounds);
	EXPECT_LT(0, refused);
	EXPECT_EQ(0, atomic_load(&strange));
	EXPECT_EQ(0, module_load());
	EXPECT_EQ(0, module_unload());
	EXPECT_FALSE(module_loaded());
	EXPECT_NE(0, access("/sys/class/misc/kcuckoo", F_OK));
	EXPECT_EQ(0, before.vmalloc);
	EXPECT_TRUE(memory_back(before));
}

/*
 * A filter that collects what has expired: few hosts, whose index is made anew when all
 * has been read, and a table of which that takes a while. The descriptor is closed when
 * that has begun.
 */
static int collect(void)
{
	struct kcuckoo_prefix keys[] = { ipv4(0x0a000001, 32), ipv6(1, 0, 64) };
	struct kcuckoo_ioc_create create = {
		.size = sizeof(create),
		.flags = KCUCKOO_CREATE_TIMEOUT,
		.type = KCUCKOO_TYPE_INET,
		.timeout = 1,
		.capacity = 2 * SLOW,
	};
	int fd = client_open(), error, tries;
	long long entries = 2;

	set_name(create.name, "passing");
	error = fd < 0 ? fd : call(fd, KCUCKOO_IOC_CREATE, &create) ?:
		filter_reserve(fd, "passing", KCUCKOO_FAMILY_IPV4, 32, 1000) ?:
		filter_reserve(fd, "passing", KCUCKOO_FAMILY_IPV6, 64, SLOW);
	if (!error && keys_add(fd, "passing", keys, 2) != 2)
		error = -EPROTO;
	for (tries = 0; !error && entries == 2 && tries < 60000; tries++) {
		entries = filter_entries(fd, "passing");
		client_sleep(0.001);
	}
	close(fd);
	return error ?: entries == 2 ? -ETIMEDOUT : 0;
}

TEST_F(unload, while_members_are_collected)
{
	int i;

	for (i = 0; i < COLLECTIONS; i++) {
		if (!module_loaded()) {
			ASSERT_EQ(0, module_load());
		}
		EXPECT_EQ(0, collect());
		EXPECT_EQ(0, module_unload());
		client_sleep(0.2);
	}
}

TEST_F(unload, refused_while_a_descriptor_is_open)
{
	int fd = client_open();
	int other = dup(fd);

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, filter_create(fd, "a", 10));
	EXPECT_EQ(-EWOULDBLOCK, module_unload());
	EXPECT_NE(0, system("modprobe -r kcuckoo 2>/dev/null"));
	EXPECT_EQ(0, filter_entries(fd, "a"));
	close(fd);
	EXPECT_EQ(-EWOULDBLOCK, module_unload());
	EXPECT_EQ(0, filter_entries(other, "a"));
	close(other);
	EXPECT_EQ(0, module_unload());
}

/* Also while the namespace of the descriptor has gone. */
TEST_F(unload, refused_while_a_stale_descriptor_is_open)
{
	struct kcuckoo_ioc_stats stats;
	int sockets[2], fd, status, i;
	pid_t child;

	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
	child = fork();
	if (!child) {
		fd = unshare(CLONE_NEWNET) || furnish() || detach_all() < 0 ?
		     -1 : client_open();
		_exit(fd < 0 || fd_send(sockets[1], fd));
	}
	fd = fd_receive(sockets[0]);
	ASSERT_LE(0, fd);
	ASSERT_EQ(child, waitpid(child, &status, 0));
	for (i = 0; i < 3000 && client_stats(fd, &stats) != -ENODEV; i++)
		client_sleep(0.02);
	EXPECT_EQ(-ENODEV, client_stats(fd, &stats));
	EXPECT_EQ(-EWOULDBLOCK, module_unload());
	close(fd);
	EXPECT_EQ(0, module_unload());
}

TEST_F(unload, nothing_in_sight_afterwards)
{
	ASSERT_EQ(0, furnish());
	ASSERT_LT(0, detach_all());
	ASSERT_EQ(0, access("/sys/class/misc/kcuckoo", F_OK));
	ASSERT_EQ(0, module_unload());
	EXPECT_NE(0, access("/sys/class/misc/kcuckoo", F_OK));
	EXPECT_NE(0, system("grep -q kcuckoo /proc/misc /proc/modules /proc/kallsyms"));
}

/* Whoever opens the node has the kernel load the module. */
TEST_F(unload, opening_the_node_loads)
{
	const char *node = "/dev/kcuckoo-by-hand";
	int fd;

	ASSERT_EQ(0, module_unload());
	ASSERT_EQ(0, mknod(node, S_IFCHR | 0600, makedev(10, KCUCKOO_MINOR)));
	fd = open(node, O_RDWR);
	EXPECT_LE(0, fd);
	EXPECT_TRUE(module_loaded());
	EXPECT_EQ(0, filter_create(fd, "a", 10));
	close(fd);
	EXPECT_EQ(0, unlink(node));
}

TEST_F(unload, aliases_of_the_node)
{
	EXPECT_EQ(0, system("modinfo -F alias kcuckoo | grep -qx devname:kcuckoo"));
	EXPECT_EQ(0, system("modinfo -F alias kcuckoo | grep -qx char-major-10-247"));
}

TEST_HARNESS_MAIN
