// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who may: the caller and the opener both need CAP_NET_ADMIN over the owner of
 * the descriptor's network namespace. And which namespace a descriptor means.
 */

#include "operation.h"

#include <grp.h>
#include <linux/capability.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>

FIXTURE(privilege)
{
	struct client client;
};

FIXTURE_SETUP(privilege)
{
	ASSERT_EQ(0, client_begin(&self->client));
	ASSERT_EQ(0, world_make(self->client.fd));
}

FIXTURE_TEARDOWN(privilege)
{
	EXPECT_EQ(0, client_end(&self->client));
}

static int drop_net_admin(void)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2];

	if (syscall(SYS_capget, &header, data))
		return -errno;
	data[0].effective &= ~(1U << CAP_NET_ADMIN);
	data[0].permitted &= ~(1U << CAP_NET_ADMIN);
	return syscall(SYS_capset, &header, data) ? -errno : 0;
}

static int become_nobody(void)
{
	return setgroups(0, NULL) || setresgid(65534, 65534, 65534) ||
	       setresuid(65534, 65534, 65534) ? -errno : 0;
}

/* How many operations do not answer a valid request with @expected. */
static int disagree(int fd, int expected)
{
	const struct operation *op;
	union argument argument;
	int error, wrong = 0;

	for (op = operations; op < operations_end; op++) {
		operation_fill(op, &argument);
		error = call(fd, op->request, &argument);
		if (error == expected)
			continue;
		fprintf(stderr, "# %s: %d, not %d\n", op->name, error, expected);
		wrong++;
	}
	return wrong;
}

/* @work in a child of its own: its value, or -1 when it did not come to an end. */
static int child_run(int (*work)(int fd), int fd)
{
	pid_t child = fork();
	int status;

	if (!child)
		_exit(work(fd));
	if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

TEST_F(privilege, device_node)
{
	struct stat st;

	ASSERT_EQ(0, stat(KCUCKOO_DEVICE, &st));
	EXPECT_TRUE(S_ISCHR(st.st_mode));
	EXPECT_EQ(0600, st.st_mode & 07777);
	EXPECT_EQ(0, st.st_uid);
	EXPECT_EQ(0, st.st_gid);
	EXPECT_EQ(10, major(st.st_rdev));
	EXPECT_EQ(KCUCKOO_MINOR, minor(st.st_rdev));
}

static int caller_is_weak(int fd)
{
	return drop_net_admin() ? 100 : disagree(fd, -EPERM);
}

TEST_F(privilege, caller_without_capability)
{
	EXPECT_EQ(0, child_run(caller_is_weak, self->client.fd));
	EXPECT_TRUE(world_same(self->client.fd));
}

static int caller_is_nobody(int fd)
{
	return become_nobody() ? 100 : disagree(fd, -EPERM);
}

TEST_F(privilege, descriptor_passed_to_nobody)
{
	EXPECT_EQ(0, child_run(caller_is_nobody, self->client.fd));
	EXPECT_TRUE(world_same(self->client.fd));
}

static int nobody_opens(int fd)
{
	if (become_nobody())
		return 100;
	return open(KCUCKOO_DEVICE, O_RDWR) >= 0 || errno != EACCES;
}

TEST_F(privilege, nobody_opens)
{
	EXPECT_EQ(0, child_run(nobody_opens, -1));
}

static int weak_opener(int socket)
{
	int fd;

	if (drop_net_admin())
		return 100;
	fd = open(KCUCKOO_DEVICE, O_RDWR);
	if (fd < 0)
		return 101;
	if (disagree(fd, -EPERM))
		return 102;
	return fd_send(socket, fd) ? 103 : 0;
}

TEST_F(privilege, opener_without_capability)
{
	int sockets[2], fd;

	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
	ASSERT_EQ(0, child_run(weak_opener, sockets[1]));
	fd = fd_receive(sockets[0]);
	ASSERT_LE(0, fd);
	EXPECT_EQ(0, disagree(fd, -EPERM));
	EXPECT_TRUE(world_same(self->client.fd));
	close(fd);
}

/* Root of another user namespace is nobody here. */
static int root_elsewhere(int fd)
{
	int own;

	if (unshare(CLONE_NEWUSER))
		return 100;
	own = open(KCUCKOO_DEVICE, O_RDWR);
	if (own >= 0 && disagree(own, -EPERM))
		return 101;
	return disagree(fd, -EPERM);
}

TEST_F(privilege, root_of_another_user_namespace)
{
	EXPECT_EQ(0, child_run(root_elsewhere, self->client.fd));
	EXPECT_TRUE(world_same(self->client.fd));
}

/* It is root over a network namespace that it owns, if it gets the node. */
static int root_at_home(int fd)
{
	int own;

	if (unshare(CLONE_NEWUSER | CLONE_NEWNET))
		return 100;
	own = open(KCUCKOO_DEVICE, O_RDWR);
	if (own < 0)
		return 101;
	if (world_make(own) || !world_same(own))
		return 102;
	return disagree(fd, -EPERM);
}

TEST_F(privilege, root_of_an_own_network_namespace)
{
	EXPECT_EQ(0, child_run(root_at_home, self->client.fd));
	EXPECT_TRUE(world_same(self->client.fd));
}

/* A descriptor stays with the namespace in which it was opened. */
TEST_F(privilege, descriptor_keeps_its_namespace)
{
	int home = self->client.fd, away;

	ASSERT_EQ(0, unshare(CLONE_NEWNET));
	EXPECT_TRUE(world_same(home));
	EXPECT_EQ(0, filter_create(home, "late", 10));
	EXPECT_EQ(4, filter_list(home, NULL, 0));
	away = client_open();
	ASSERT_LE(0, away);
	EXPECT_EQ(0, filter_list(away, NULL, 0));
	EXPECT_EQ(0, rule_list(away, NULL, 0));
	close(away);
}

/* Neither names nor rules of one namespace are seen in another. */
TEST_F(privilege, names_of_a_foreign_namespace)
{
	static const unsigned long own[] = {
		KCUCKOO_IOC_CREATE, KCUCKOO_IOC_LIST, KCUCKOO_IOC_ATTACH,
		KCUCKOO_IOC_RULES, KCUCKOO_IOC_STATS, KCUCKOO_IOC_RESTORE,
	};
	const struct operation *op;
	union argument argument;
	struct kcuckoo_ioc_stats stats;
	int away;
	size_t i;

	ASSERT_EQ(0, unshare(CLONE_NEWNET));
	away = client_open();
	ASSERT_LE(0, away);
	for (op = operations; op < operations_end; op++) {
		for (i = 0; i < ARRAY_SIZE(own) && own[i] != op->request; i++)
			;
		if (i < ARRAY_SIZE(own))
			continue;
		operation_fill(op, &argument);
		EXPECT_EQ(-ENOENT, call(away, op->request, &argument))
			TH_LOG("%s", op->name);
	}
	ASSERT_EQ(0, client_stats(away, &stats));
	EXPECT_EQ(0, stats.filters);
	EXPECT_EQ(0, stats.rules);
	EXPECT_EQ(0, stats.entries);
	EXPECT_EQ(0, filter_create(away, "a", 77));
	EXPECT_EQ(0, filter_entries(away, "a"));
	EXPECT_TRUE(world_same(self->client.fd));
	close(away);
}

static int leave_world(int socket)
{
	int fd;

	if (unshare(CLONE_NEWNET))
		return 100;
	fd = client_open();
	if (fd < 0 || world_make(fd))
		return 101;
	return fd_send(socket, fd) ? 102 : 0;
}

TEST_F(privilege, namespace_gone)
{
	struct kcuckoo_ioc_stats stats;
	int sockets[2], fd, error = 0;
	double start = client_clock();

	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
	ASSERT_EQ(0, child_run(leave_world, sockets[1]));
	fd = fd_receive(sockets[0]);
	ASSERT_LE(0, fd);
	while (!error && client_clock() - start < 60) {
		error = client_stats(fd, &stats);
		client_sleep(0.01);
	}
	EXPECT_EQ(-ENODEV, error);
	EXPECT_EQ(0, disagree(fd, -ENODEV));
	EXPECT_TRUE(world_same(self->client.fd));
	close(fd);
}

TEST_HARNESS_MAIN
