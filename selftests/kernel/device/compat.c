// SPDX-License-Identifier: GPL-2.0-only
/*
 * 32-bit callers: the same requests through the 32-bit system call of x86 give
 * the same answers.
 */

#include "operation.h"

#define IOCTL_32	54

FIXTURE(compat)
{
	struct client client;
	union argument *argument;
};

FIXTURE_SETUP(compat)
{
	ASSERT_EQ(0, client_begin(&self->client));
	ASSERT_EQ(0, world_make(self->client.fd));
	self->argument = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	ASSERT_NE(MAP_FAILED, self->argument);
}

FIXTURE_TEARDOWN(compat)
{
	EXPECT_EQ(0, client_end(&self->client));
}

/* The system call of a 32-bit program: 0 or a negative errno. */
static int call_32(int fd, unsigned long request, union argument *argument)
{
	int result;

	asm volatile("int $0x80"
		     : "=a" (result)
		     : "a" (IOCTL_32), "b" (fd), "c" ((__u32)request),
		       "d" ((__u32)(uintptr_t)argument)
		     : "memory", "r8", "r9", "r10", "r11");
	return result;
}

TEST_F(compat, every_operation)
{
	const struct operation *op;

	for (op = operations; op < operations_end; op++) {
		ASSERT_EQ(0, world_make(self->client.fd));
		operation_fill(op, self->argument);
		EXPECT_EQ(0, call_32(self->client.fd, op->request, self->argument))
			TH_LOG("%s", op->name);
	}
}

TEST_F(compat, same_answers)
{
	const struct operation *op;
	union argument argument;

	for (op = operations; op < operations_end; op++) {
		ASSERT_EQ(0, world_make(self->client.fd));
		operation_fill(op, &argument);
		EXPECT_EQ(0, call(self->client.fd, op->request, &argument));
		ASSERT_EQ(0, world_make(self->client.fd));
		operation_fill(op, self->argument);
		EXPECT_EQ(0, call_32(self->client.fd, op->request, self->argument));
		if (op->request == KCUCKOO_IOC_WALK)
			argument.walk.cursor = self->argument->walk.cursor;
		else if (op->request == KCUCKOO_IOC_INFO)
			argument.info.filter_id = self->argument->info.filter_id;
		else if (op->request == KCUCKOO_IOC_STATS)
			argument.stats.memory_bytes = self->argument->stats.memory_bytes;
		else if (op->request == KCUCKOO_IOC_SLOT)
			argument.slot.id = self->argument->slot.id;
		EXPECT_EQ(0, memcmp(&argument, self->argument, op->size))
			TH_LOG("%s", op->name);
	}
}

TEST_F(compat, same_refusals)
{
	const struct operation *op;
	int fd = self->client.fd;

	for (op = operations; op < operations_end; op++) {
		operation_fill(op, self->argument);
		self->argument->size = operation_first(op) - 1;
		EXPECT_EQ(-EINVAL, call_32(fd, op->request, self->argument))
			TH_LOG("%s, short", op->name);
		operation_fill(op, self->argument);
		self->argument->size = op->size + 8;
		self->argument->bytes[op->size] = 1;
		EXPECT_EQ(-E2BIG, call_32(fd, op->request, self->argument))
			TH_LOG("%s, long", op->name);
		operation_fill(op, self->argument);
		self->argument->head.flags |= 1U << 31;
		EXPECT_EQ(-EINVAL, call_32(fd, op->request, self->argument))
			TH_LOG("%s, unknown flag", op->name);
		EXPECT_EQ(-EFAULT, call_32(fd, op->request, NULL))
			TH_LOG("%s, nowhere", op->name);
	}
	EXPECT_EQ(-ENOTTY, call_32(fd, _IO(KCUCKOO_IOC_MAGIC, 0xff), self->argument));
	EXPECT_TRUE(world_same(fd));
}

TEST_HARNESS_MAIN
