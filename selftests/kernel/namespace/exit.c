// SPDX-License-Identifier: GPL-2.0-only
/*
 * Network namespaces that end with filters, rules, traffic and descriptors, while
 * each operation of the device is under way and packets add their sources: the
 * descriptors say so, packets are dropped as long as there is a rule for it, and all
 * memory comes back.
 */

#include "client.h"
#include "deed.h"
#include "frame.h"
#include "slab.h"

#include <netinet/ip_icmp.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#define NAMESPACES	20
#define WARM		3
#define FILTERS		20
#define MEMBERS		20000

/* Seconds until a namespace has ended, while users of all of them keep a machine busy. */
#define PATIENCE	(client_slow() ? 1000 : 400)

static struct kcuckoo_prefix keys[MEMBERS];

/* How many end one after the other, or all at once. */
static int namespaces(void)
{
	return client_slow() ? NAMESPACES / 3 : NAMESPACES;
}

FIXTURE(exit)
{
	struct client client;
};

FIXTURE_SETUP(exit)
{
	size_t i;

	ASSERT_EQ(0, hooks_hold());
	ASSERT_EQ(0, client_begin(&self->client));
	for (i = 0; i < MEMBERS; i++)
		keys[i] = i % 2 ? ipv4(0xcb000000 + i * 77, 32) :
				  ipv6(0x20010db800000000 + i, 0, 64);
}

FIXTURE_TEARDOWN(exit)
{
	EXPECT_EQ(0, client_end(&self->client));
}

/* The rest of these addresses is a number. */
#define STRANGER	"96.0.0.0"

/*
 * A link between the caller's namespace and that of @parent, where it is s0. What
 * comes from there, from wherever it says, is answered, but for strangers, whom a rule
 * adds to a filter.
 */
static int link_to(pid_t parent)
{
	char command[700];

	snprintf(command, sizeof(command),
		 "ip -batch - <<END\n"
		 "link set lo up\n"
		 "link add e0 address 02:00:00:00:00:01 type veth peer s0 netns %d\n"
		 "link set e0 up\n"
		 "addr add 10.9.0.1/24 dev e0\n"
		 "neigh add 10.9.0.2 lladdr 02:00:00:00:00:02 dev e0\n"
		 "route add default via 10.9.0.2\nEND\n"
		 "iptables-legacy-restore -w <<END\n"
		 "*raw\n"
		 "-A PREROUTING -s " STRANGER "/8 -j KCUCKOO --add bans src --limit 1000000\n"
		 "-A PREROUTING -s " STRANGER "/8 -j DROP\n"
		 "COMMIT\nEND\n", parent);
	return system(command);
}

/* A filter that packets add to. */
static int bans_make(int fd)
{
	struct kcuckoo_ioc_create create = {
		.size = sizeof(create),
		.type = KCUCKOO_TYPE_INET,
		.hash = KCUCKOO_HASH_SIPHASH,
		.capacity = 1 << 20,
	};

	set_name(create.name, "bans");
	return call(fd, KCUCKOO_IOC_CREATE, &create) ?:
	       filter_reserve(fd, "bans", KCUCKOO_FAMILY_IPV4, 32, 1 << 16);
}

/* In a namespace of its own: everything there is to have; then wait to be killed. */
static int inhabit(int socket, pid_t parent)
{
	char name[16];
	int fd, i, hook, error = 0;

	if (unshare(CLONE_NEWNET) || (parent && link_to(parent)))
		return 1;
	fd = client_open();
	if (fd < 0)
		return 2;
	for (i = 0; i < FILTERS && !error; i++) {
		snprintf(name, sizeof(name), "f%d", i);
		error = filter_create(fd, name, 1 << 20);
		if (!error && keys_add(fd, name, keys, 300) != 300)
			error = -EPROTO;
	}
	if (error || keys_add(fd, "f0", keys, MEMBERS) != MEMBERS - 300)
		return 3;
	for (hook = KCUCKOO_HOOK_PREROUTING; hook <= KCUCKOO_HOOK_OUTPUT; hook++) {
		if (rule_attach(fd, "f0", hook, KCUCKOO_FAMILY_BOTH, KCUCKOO_MATCH_SRC,
				KCUCKOO_ACTION_DROP) ||
		    rule_attach(fd, "f1", hook, KCUCKOO_FAMILY_IPV4, KCUCKOO_MATCH_DST,
				KCUCKOO_ACTION_COUNT) ||
		    rule_attach(fd, "later", hook, KCUCKOO_FAMILY_BOTH, KCUCKOO_MATCH_SRC,
				KCUCKOO_ACTION_DROP))
			return 4;
	}
	if (parent && (rule_attach_dev(fd, "f0", "e0", KCUCKOO_MATCH_SRC,
				       KCUCKOO_ACTION_COUNT) ||
		       rule_attach_dev(fd, "later", "e0", KCUCKOO_MATCH_SRC,
				       KCUCKOO_ACTION_DROP)))
		return 8;
	if (rule_attach_allow(fd, "f2", "f3") || rule_attach_allow(fd, "f4", "missing") ||
	    rule_attach_allow(fd, "neither", "nor"))
		return 7;
	if (parent && bans_make(fd))
		return 9;
	if (fd_send(socket, fd))
		return 5;
	pause();
	return 6;
}

/* Answers that come from each namespace before its end. */
#define ANSWERS		client_scale(25)

#define LISTED		"203.0.0.77"
#define OTHER		"192.0.2.1"

static atomic_bool flooding;
static atomic_int wire = -1;

/* Those to what is not listed, and to what is. */
static atomic_ullong answered, passed;

/* A request for an answer. */
static void frame_echo(struct frame *frame, const char *src)
{
	struct icmphdr *echo;
	struct iphdr *header;

	frame_begin(frame, ETH_P_IP, 2, 1);
	header = frame_ipv4(frame, src, "10.9.0.1", 0);
	header->protocol = IPPROTO_ICMP;
	echo = frame_push(frame, sizeof(*echo));
	echo->type = ICMP_ECHO;
	echo->checksum = sum_fold(sum_add(0, echo, sizeof(*echo)));
	frame_ipv4_end(frame, header);
}

/* One from a stranger whom nobody has seen. */
static void frame_stranger(struct frame *frame)
{
	static __u32 count;
	struct iphdr *header = (struct iphdr *)(frame->bytes + frame->network);

	header->saddr = htonl(ntohl(inet_addr(STRANGER)) + (++count & 0xffffff));
	frame_ipv4_end(frame, header);
}

/* Counts the answers that have come, by whom they are for. */
static void answers(int fd)
{
	const size_t least = sizeof(struct ethhdr) + sizeof(struct iphdr) +
			     sizeof(struct icmphdr);
	struct icmphdr echo;
	struct iphdr header;
	__u8 bytes[200];

	while (recv(fd, bytes, sizeof(bytes), MSG_DONTWAIT) >= (int)least) {
		memcpy(&header, bytes + sizeof(struct ethhdr), sizeof(header));
		memcpy(&echo, bytes + least - sizeof(echo), sizeof(echo));
		if (header.protocol != IPPROTO_ICMP || echo.type != ICMP_ECHOREPLY)
			continue;
		if (header.daddr == inet_addr(LISTED))
			atomic_fetch_add(&passed, 1);
		if (header.daddr == inet_addr(OTHER))
			atomic_fetch_add(&answered, 1);
	}
}

/* Puts frames on the wire there is, listed, strangers and others; minds no error. */
static void *flood(void *argument)
{
	struct frame listed, other, stranger;
	int fd;

	frame_echo(&listed, LISTED);
	frame_echo(&other, OTHER);
	frame_echo(&stranger, STRANGER);
	while (atomic_load(&flooding)) {
		fd = atomic_load(&wire);
		if (fd < 0) {
			client_sleep(0.001);
			continue;
		}
		frame_stranger(&stranger);
		if (send(fd, listed.bytes, listed.length, 0) > 0 &&
		    send(fd, stranger.bytes, stranger.length, 0) > 0 &&
		    send(fd, other.bytes, other.length, 0) > 0)
			answers(fd);
	}
	return NULL;
}

static int wire_open(void)
{
	struct sockaddr_ll address = {
		.sll_family = AF_PACKET,
		.sll_protocol = htons(ETH_P_IP),
	};
	struct ifreq up = { .ifr_name = "s0", .ifr_flags = IFF_UP };
	int fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);

	address.sll_ifindex = if_nametoindex("s0");
	if (fd < 0 || ioctl(fd, SIOCSIFFLAGS, &up) ||
	    bind(fd, (struct sockaddr *)&address, sizeof(address)))
		return -errno;
	return fd;
}

/**
 * struct user - who uses a descriptor until its namespace is gone, and then some
 * @thread: its thread
 * @hand: what it does things with
 * @deed: what it does most of the time
 * @wrong: what had a result that it should not have, or NULL
 * @result: this result
 */
struct user {
	pthread_t thread;
	struct hand hand;
	size_t deed;
	const char *wrong;
	long long result;
};

static void use_check(struct user *user, const char *what, long long result, bool fits)
{
	if (fits || user->wrong)
		return;
	user->wrong = what;
	user->result = result;
}

/* The filter that nobody else changes has all members. */
static long long use_look(struct user *user)
{
	const size_t place = hand_draw(&user->hand, MEMBERS - 500);
	long long result = keys_covered(user->hand.fd, "f0", keys + place, 500);

	use_check(user, "looking", result, result == 500 || result == -ENODEV);
	return result;
}

static void *use(void *argument)
{
	struct user *user = argument;
	double end = client_clock() + PATIENCE;
	const struct deed *deed;
	long long result = 0;
	size_t i;

	while (result != -ENODEV && client_clock() < end) {
		deed = &deeds[user->deed];
		if (!hand_draw(&user->hand, 4))
			deed = &deeds[hand_draw(&user->hand, DEEDS)];
		result = deed->run(&user->hand);
		use_check(user, deed->name, result,
			  result == -ENODEV || deed_fits(deed, result));
		if (result != -ENODEV && !hand_draw(&user->hand, 4))
			result = use_look(user);
	}
	for (i = 0; i < DEEDS; i++) {
		result = deeds[i].run(&user->hand);
		use_check(user, deeds[i].name, result, result == -ENODEV);
	}
	hand_free(&user->hand);
	return NULL;
}

/* A descriptor of the namespace of @child, opened by one who is at @home again. */
static int open_in(pid_t child, int home)
{
	char path[32];
	int space, fd;

	snprintf(path, sizeof(path), "/proc/%d/ns/net", child);
	space = open(path, O_RDONLY | O_CLOEXEC);
	if (space < 0 || setns(space, CLONE_NEWNET))
		return -errno;
	fd = client_open();
	close(space);
	return setns(home, CLONE_NEWNET) ? -errno : fd;
}

/* The user with @number does what comes next. */
static int user_begin(struct user *user, size_t number, pid_t child, int home)
{
	memset(user, 0, sizeof(*user));
	user->deed = number % DEEDS;
	user->hand.fd = open_in(child, home);
	user->hand.random = number + 1;
	/* Nothing that a frame comes from. */
	user->hand.keys = keys + 2;
	user->hand.count = MEMBERS - 2;
	user->hand.device = "e0";
	if (user->hand.fd < 0)
		return user->hand.fd;
	return -pthread_create(&user->thread, NULL, use, user);
}

static void user_end(struct __test_metadata *_metadata, struct user *user)
{
	EXPECT_EQ(0, pthread_join(user->thread, NULL));
	EXPECT_EQ(NULL, user->wrong) {
		TH_LOG("%s: %lld, mostly %s", user->wrong, user->result,
		       deeds[user->deed].name);
	}
	close(user->hand.fd);
}

/* As long as there are rules nothing listed gets through. */
static void watch(struct __test_metadata *_metadata, int fd)
{
	double end = client_clock() + PATIENCE;
	unsigned long long through;
	int rules;

	do {
		through = atomic_load(&passed);
		rules = rule_list(fd, NULL, 0);
		if (rules >= 0)
			EXPECT_EQ(0, through);
	} while (rules >= 0 && !through && client_clock() < end);
	EXPECT_EQ(-ENODEV, rules);
}

#define USERS	2

/* One namespace from its beginning to its end; its descriptor, or < 0. */
static int one(struct __test_metadata *_metadata, int home)
{
	static size_t number;
	struct user users[USERS];
	struct kcuckoo_ioc_info info;
	pid_t parent = getpid();
	int sockets[2], fd, status, i;
	pid_t child;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets))
		return -errno;
	child = fork();
	if (!child)
		_exit(inhabit(sockets[1], parent));
	/* Its end closed, a child that has failed is not waited for. */
	close(sockets[1]);
	fd = fd_receive(sockets[0]);
	close(sockets[0]);
	if (fd < 0) {
		kill(child, SIGKILL);
		waitpid(child, &status, 0);
		return fd;
	}
	for (i = 0; i < USERS; i++)
		EXPECT_EQ(0, user_begin(&users[i], number++, child, home));
	atomic_store(&passed, 0);
	atomic_store(&answered, 0);
	status = wire_open();
	EXPECT_LE(0, status);
	atomic_store(&wire, status);
	client_sleep(0.05);
	for (status = 0; status < 3000 && atomic_load(&answered) < ANSWERS; status++)
		client_sleep(0.02);
	EXPECT_LE(ANSWERS, atomic_load(&answered));
	EXPECT_EQ(0, filter_info(fd, "bans", &info));
	EXPECT_LT(0, info.packet_added);

	kill(child, SIGKILL);
	watch(_metadata, fd);
	EXPECT_EQ(child, waitpid(child, &status, 0));
	EXPECT_TRUE(WIFSIGNALED(status))
		TH_LOG("the namespace's process ended with %d", WEXITSTATUS(status));
	for (i = 0; i < USERS; i++)
		user_end(_metadata, &users[i]);
	close(atomic_exchange(&wire, -1));
	/* The other end of the link goes after descriptors have noticed. */
	for (status = 0; status < 3000 && if_nametoindex("s0"); status++)
		client_sleep(0.02);
	EXPECT_EQ(0, if_nametoindex("s0"));
	return fd;
}

/* As many one after the other as there may be descriptors of at a time. */
static void end_some(struct __test_metadata *_metadata, int home, int count)
{
	struct kcuckoo_ioc_stats stats;
	int fds[NAMESPACES], i;

	for (i = 0; i < count; i++) {
		fds[i] = one(_metadata, home);
		ASSERT_LE(0, fds[i]);
	}
	for (i = 0; i < count; i++) {
		EXPECT_EQ(-ENODEV, client_stats(fds[i], &stats));
		EXPECT_EQ(-ENODEV, filter_create(fds[i], "late", 10));
		EXPECT_EQ(-ENODEV, rule_detach(fds[i], NULL));
		close(fds[i]);
	}
}

static void end_namespaces(struct __test_metadata *_metadata, int home, int count)
{
	for (; count > NAMESPACES; count -= NAMESPACES)
		end_some(_metadata, home, NAMESPACES);
	end_some(_metadata, home, count);
}

TEST_F(exit, under_traffic)
{
	const int count = client_count("NAMESPACES", namespaces());
	const int home = self->client.space;
	struct holding middle;
	struct memory before;
	bool back = false;
	pthread_t thread;
	int tries;

	atomic_store(&flooding, true);
	pthread_create(&thread, NULL, flood, NULL);
	end_namespaces(_metadata, home, WARM);
	before = memory_rest();
	end_namespaces(_metadata, home, count - count / 2);
	for (tries = 0; tries < SLAB_TRIES && !back; tries++) {
		holding_rest(&middle);
		end_namespaces(_metadata, home, count / 2);
		back = holding_back(&middle, count / 2);
	}
	atomic_store(&flooding, false);
	pthread_join(thread, NULL);
	TH_LOG("%d namespaces", WARM + count - count / 2 + tries * (count / 2));
	EXPECT_EQ(0, before.vmalloc);
	EXPECT_TRUE(back);
	EXPECT_TRUE(memory_back(before));
}

/*
 * Many that live together and end at the same moment, in one go, and somebody for
 * each operation who does it just then.
 */
static void together(struct __test_metadata *_metadata, int home)
{
	int sockets[NAMESPACES][2], fds[NAMESPACES], i, status;
	const int count = namespaces();
	struct kcuckoo_ioc_stats stats;
	pid_t children[NAMESPACES];
	struct user users[DEEDS];
	double end;

	for (i = 0; i < count; i++) {
		ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0,
					sockets[i]));
		children[i] = fork();
		if (!children[i])
			_exit(inhabit(sockets[i][1], 0));
	}
	for (i = 0; i < count; i++) {
		fds[i] = fd_receive(sockets[i][0]);
		close(sockets[i][0]);
		close(sockets[i][1]);
		ASSERT_LE(0, fds[i]);
		EXPECT_EQ(MEMBERS, filter_entries(fds[i], "f0"));
	}
	EXPECT_LT(count, memory_now().vmalloc);
	for (i = 0; i < DEEDS; i++)
		ASSERT_EQ(0, user_begin(&users[i], i, children[i % count], home));
	client_sleep(0.5);
	for (i = 0; i < count; i++)
		kill(children[i], SIGKILL);
	for (i = 0; i < count; i++)
		waitpid(children[i], &status, 0);
	for (i = 0; i < DEEDS; i++)
		user_end(_metadata, &users[i]);
	end = client_clock() + PATIENCE;
	for (i = 0; i < count; i++) {
		while (client_stats(fds[i], &stats) != -ENODEV && client_clock() < end)
			client_sleep(0.01);
		EXPECT_EQ(-ENODEV, client_stats(fds[i], &stats));
		close(fds[i]);
	}
}

TEST_F(exit, all_at_once)
{
	const int home = self->client.space;
	struct memory before;

	together(_metadata, home);
	before = memory_rest();
	together(_metadata, home);
	EXPECT_EQ(0, before.vmalloc);
	EXPECT_TRUE(memory_back(before));
}

/* A descriptor alone does not keep a namespace alive, nor what was in it. */
/* Not even a snapshot that is under way. */
TEST_F(exit, descriptor_keeps_no_memory)
{
	__u8 byte;
	struct kcuckoo_ioc_save save = {
		.size = sizeof(save),
		.buffer = (uintptr_t)&byte,
		.length = 1,
	};
	struct memory before = memory_now();
	struct kcuckoo_ioc_stats stats;
	int sockets[2], fd, status, i;
	pid_t child;

	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
	child = fork();
	if (!child)
		_exit(inhabit(sockets[1], 0));
	close(sockets[1]);
	fd = fd_receive(sockets[0]);
	ASSERT_LE(0, fd);
	EXPECT_LT(before.vmalloc, memory_now().vmalloc);
	set_name(save.name, "f0");
	EXPECT_EQ(0, call(fd, KCUCKOO_IOC_SAVE, &save));
	EXPECT_EQ(1, save.done);
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	for (i = 0; i < 3000 && client_stats(fd, &stats) != -ENODEV; i++)
		client_sleep(0.02);
	EXPECT_TRUE(memory_back(before));
	EXPECT_EQ(-ENODEV, client_stats(fd, &stats));
	save.offset = 1;
	EXPECT_EQ(-ENODEV, call(fd, KCUCKOO_IOC_SAVE, &save));
	close(fd);
}

TEST_HARNESS_MAIN
