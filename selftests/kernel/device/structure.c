// SPDX-License-Identifier: GPL-2.0-only
/*
 * The structures of all operations: size, flags, reserved bytes and pointers.
 * Every refusal leaves the filters and rules as they were.
 */

#include "operation.h"

FIXTURE(structure)
{
	struct client client;
	union argument *argument;
	__u8 *wall;
};

/* A page that the caller may use, and behind it one that it may not. */
FIXTURE_SETUP(structure)
{
	__u8 *pages;

	ASSERT_EQ(0, client_begin(&self->client));
	pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		     -1, 0);
	ASSERT_NE(MAP_FAILED, pages);
	ASSERT_EQ(0, mprotect(pages + 4096, 4096, PROT_NONE));
	self->argument = (union argument *)pages;
	self->wall = pages + 4096;
	ASSERT_EQ(0, world_make(self->client.fd));
}

FIXTURE_TEARDOWN(structure)
{
	EXPECT_EQ(0, client_end(&self->client));
}

TEST_F(structure, every_operation_works_as_filled)
{
	const struct operation *op;

	for (op = operations; op < operations_end; op++) {
		EXPECT_EQ(0, operation_valid(self->client.fd, op))
			TH_LOG("%s", op->name);
	}
}

TEST_F(structure, size_too_short)
{
	const struct operation *op;
	size_t i;

	for (op = operations; op < operations_end; op++) {
		const size_t first = operation_first(op);
		const size_t sizes[] = { 0, 1, 4, 7, 8, first - 8, first - 1 };

		for (i = 0; i < ARRAY_SIZE(sizes); i++) {
			operation_fill(op, self->argument);
			self->argument->size = sizes[i];
			if (sizes[i] == first)
				continue;
			EXPECT_EQ(-EINVAL, call(self->client.fd, op->request,
						self->argument))
				TH_LOG("%s, size %zu", op->name, sizes[i]);
		}
	}
	EXPECT_TRUE(world_same(self->client.fd));
}

TEST_F(structure, longer_with_zero_tail)
{
	const struct operation *op;
	size_t more;

	for (op = operations; op < operations_end; op++) {
		for (more = 1; more <= 1024; more *= 8) {
			ASSERT_EQ(0, world_make(self->client.fd));
			operation_fill(op, self->argument);
			self->argument->size = op->size + more;
			EXPECT_EQ(0, call(self->client.fd, op->request,
					  self->argument))
				TH_LOG("%s, %zu more", op->name, more);
		}
	}
}

TEST_F(structure, longer_with_non_zero_tail)
{
	const struct operation *op;
	size_t more;

	for (op = operations; op < operations_end; op++) {
		for (more = 1; more <= 1024; more *= 8) {
			operation_fill(op, self->argument);
			self->argument->size = op->size + more;
			self->argument->bytes[op->size + more - 1] = 1;
			EXPECT_EQ(-E2BIG, call(self->client.fd, op->request,
					       self->argument))
				TH_LOG("%s, %zu more", op->name, more);
		}
	}
	EXPECT_TRUE(world_same(self->client.fd));
}

TEST_F(structure, size_without_end)
{
	const struct operation *op;
	const __u32 sizes[] = { 8192, 1U << 20, 1U << 31, ~0U };
	size_t i;
	int error;

	for (op = operations; op < operations_end; op++) {
		for (i = 0; i < ARRAY_SIZE(sizes); i++) {
			operation_fill(op, self->argument);
			self->argument->size = sizes[i];
			error = call(self->client.fd, op->request, self->argument);
			EXPECT_TRUE(error == -E2BIG || error == -EFAULT)
				TH_LOG("%s, size %u: %d", op->name, sizes[i], error);
		}
	}
	EXPECT_TRUE(world_same(self->client.fd));
}

TEST_F(structure, unknown_flags)
{
	const struct operation *op;
	int bit;

	for (op = operations; op < operations_end; op++) {
		for (bit = 0; bit < 32; bit++) {
			if (op->flags & 1U << bit)
				continue;
			operation_fill(op, self->argument);
			self->argument->head.flags |= 1U << bit;
			EXPECT_EQ(-EINVAL, call(self->client.fd, op->request,
						self->argument))
				TH_LOG("%s, bit %d", op->name, bit);
		}
	}
	EXPECT_TRUE(world_same(self->client.fd));
}

TEST_F(structure, reserved_bytes)
{
	const struct operation *op;
	size_t i;

	for (op = operations; op < operations_end; op++) {
		for (i = 0; i < op->reserved[1]; i++) {
			operation_fill(op, self->argument);
			self->argument->bytes[op->reserved[0] + i] = 1;
			EXPECT_EQ(-EINVAL, call(self->client.fd, op->request,
						self->argument))
				TH_LOG("%s, byte %zu", op->name, i);
		}
	}
	EXPECT_TRUE(world_same(self->client.fd));
}

TEST_F(structure, argument_nowhere)
{
	const struct operation *op;
	union argument *places[] = {
		NULL,
		(union argument *)8,
		(union argument *)self->wall,
		(union argument *)(self->wall - 2),
		(union argument *)~0xfffUL,
		(union argument *)0xffff888000000000UL,
		(union argument *)0x8000000000000000UL,
	};
	size_t i;

	for (op = operations; op < operations_end; op++) {
		for (i = 0; i < ARRAY_SIZE(places); i++) {
			EXPECT_EQ(-EFAULT, call(self->client.fd, op->request,
						places[i]))
				TH_LOG("%s, place %zu", op->name, i);
		}
	}
	EXPECT_TRUE(world_same(self->client.fd));
}

TEST_F(structure, argument_ends_at_wall)
{
	const struct operation *op;
	union argument *argument;

	for (op = operations; op < operations_end; op++) {
		argument = (union argument *)(self->wall - op->size + 1);
		memset(self->argument, 0, 4096);
		argument->size = op->size;
		EXPECT_EQ(-EFAULT, call(self->client.fd, op->request, argument))
			TH_LOG("%s, one byte missing", op->name);
	}
	EXPECT_TRUE(world_same(self->client.fd));

	for (op = operations; op < operations_end; op++) {
		union argument whole;

		ASSERT_EQ(0, world_make(self->client.fd));
		operation_fill(op, &whole);
		argument = (union argument *)(self->wall - op->size);
		memcpy(argument, &whole, op->size);
		EXPECT_EQ(0, call(self->client.fd, op->request, argument))
			TH_LOG("%s, ends where the page does", op->name);
	}
}

TEST_F(structure, nothing_written_behind)
{
	const struct operation *op;
	size_t i;

	for (op = operations; op < operations_end; op++) {
		ASSERT_EQ(0, world_make(self->client.fd));
		operation_fill(op, self->argument);
		memset(self->argument->bytes + op->size, POISON, 64);
		EXPECT_EQ(0, call(self->client.fd, op->request, self->argument))
			TH_LOG("%s", op->name);
		for (i = 0; i < 64; i++) {
			EXPECT_EQ(POISON, self->argument->bytes[op->size + i])
				TH_LOG("%s, byte %zu behind", op->name, i);
		}
		EXPECT_EQ(op->size, self->argument->size)
			TH_LOG("%s changed the size", op->name);
	}
}

TEST_F(structure, unknown_operations)
{
	unsigned int number;

	operation_fill(&operations[0], self->argument);
	/* The last one, KCUCKOO_IOC_SUBSCRIBE, is in queue.c: each descriptor calls it once. */
	for (number = ARRAY_SIZE(operations) + 1; number < 256; number++) {
		EXPECT_EQ(-ENOTTY, call(self->client.fd,
					_IO(KCUCKOO_IOC_MAGIC, number),
					self->argument))
			TH_LOG("number %u", number);
	}
	EXPECT_EQ(-ENOTTY, call(self->client.fd, _IO(KCUCKOO_IOC_MAGIC + 1, 0),
				self->argument));
	EXPECT_EQ(-ENOTTY, call(self->client.fd,
				_IOWR(KCUCKOO_IOC_MAGIC, 0, struct kcuckoo_ioc_create),
				self->argument));
	EXPECT_EQ(-ENOTTY, call(self->client.fd, 0, self->argument));
	EXPECT_EQ(-ENOTTY, call(self->client.fd, ~0U, self->argument));
	EXPECT_TRUE(world_same(self->client.fd));
}

TEST_F(structure, not_readable_nor_writable)
{
	char buffer[64] = "";

	EXPECT_EQ(-1, read(self->client.fd, buffer, sizeof(buffer)));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-1, write(self->client.fd, buffer, sizeof(buffer)));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(MAP_FAILED, mmap(NULL, 4096, PROT_READ, MAP_SHARED,
				   self->client.fd, 0));
}

TEST_HARNESS_MAIN
