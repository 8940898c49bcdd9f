// SPDX-License-Identifier: GPL-2.0-only
/*
 * These tests check where the XDP program of hook xdp finds the packet in a frame: behind
 * VLAN tags and in PPPoE sessions, in truncated frames, and in frames of several parts.
 */
#include "headers.h"
#include "pppoe.h"
#include "sources.h"

#include "bpf.h"
#include "command.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/if_link.h>

FIXTURE(frames)
{
	struct client client;
	int tap;
};

FIXTURE_VARIANT(frames)
{
	const char *mode;
};

FIXTURE_VARIANT_ADD(frames, native)
{
	.mode = "native",
};

FIXTURE_VARIANT_ADD(frames, generic)
{
	.mode = "generic",
};

/* Sees every frame that comes through. */
static int tap_open(void)
{
	struct sockaddr_ll address = {
		.sll_family = AF_PACKET,
		.sll_protocol = htons(ETH_P_ALL),
		.sll_ifindex = if_nametoindex("h0"),
	};
	int fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK,
			htons(ETH_P_ALL));

	return fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof(address)) ? -1 : fd;
}

FIXTURE_SETUP(frames)
{
	ASSERT_EQ(0, link_begin(&self->client));
	self->tap = tap_open();
	ASSERT_LE(0, self->tap);
}

FIXTURE_TEARDOWN(frames)
{
	close(self->tap);
	system("kcuckoo -q detach --all 2>/dev/null");
	EXPECT_EQ(0, link_end(&self->client));
}

/* How many frames since the last call carried the packet sent last? */
static int seen(int tap)
{
	__u8 bytes[FRAME_SIZE];
	ssize_t length;
	int count = 0;

	while ((length = recv(tap, bytes, sizeof(bytes), 0)) > 0)
		count += length > PAYLOAD &&
			 !memcmp(bytes + length - PAYLOAD, &net.id, sizeof(net.id));
	return count;
}

static long long count_matched(void *context)
{
	return matched(NULL);
}

/* As selftests/kernel/hook/ingress.c expects it of the other hook of devices. */
TEST_F(frames, tags_are_looked_behind)
{
	ASSERT_EQ(0, command("attach bad hook xdp dev h0 mode %s", variant->mode));
	tags_expect(_metadata, count_matched, NULL);
}

TEST_F(frames, pppoe_sessions_are_looked_into)
{
	ASSERT_EQ(0, command("attach bad hook xdp dev h0 mode %s", variant->mode));
	pppoe_expect(_metadata, count_matched, NULL);
}

/* What matches does not arrive, and what does not match does. */
TEST_F(frames, tagged_frames_are_dropped)
{
	int tags;

	/* Programs after the driver come after the tap, which sees all frames. */
	if (strcmp(variant->mode, "native"))
		return;
	ASSERT_EQ(0, command("attach bad hook xdp dev h0 mode %s", variant->mode));
	for (tags = 0; tags <= TAGS_MAX + 1; tags++) {
		send_tagged(BAD4, tags, TAGS_NAMED);
		EXPECT_EQ(tags > TAGS_MAX, seen(self->tap))
			TH_LOG("%d tags, listed", tags);
		send_tagged(GOOD4, tags, TAGS_NAMED);
		EXPECT_EQ(1, seen(self->tap))
			TH_LOG("%d tags, not listed", tags);
	}
}

/* What a tag carries and what fills up a frame are not counted as the packet's. */
TEST_F(frames, bytes_are_those_of_packets)
{
	long long bytes = 0;
	struct frame frame;

	ASSERT_EQ(0, command("attach bad hook xdp dev h0 mode %s", variant->mode));
	frame_tagged(&frame, BAD4, 2, TAGS_NAMED);
	frame_push(&frame, 20);
	frame_send(&frame);
	frame_tagged(&frame, BAD6, 1, TAGS_NAMED);
	frame_push(&frame, 20);
	frame_send(&frame);
	frame_pppoe(&frame, BAD4, 1);
	frame_push(&frame, 20);
	frame_send(&frame);
	settle();
	EXPECT_EQ(3, matched(&bytes));
	EXPECT_EQ(2 * IPV4_BYTES + sizeof(struct ip6_hdr) + IPV6_PAYLOAD, bytes);
}

/* Versions and lengths that lie, as at hook ingress. */
TEST_F(frames, false_headers)
{
	ASSERT_EQ(0, command("attach bad hook xdp dev h0 mode %s", variant->mode));
	send_invalid_headers();
	EXPECT_EQ(0, matched(NULL));
	EXPECT_EQ(send_valid_headers(), matched(NULL));
}

/* Cut short anywhere, a frame does no harm and is no match. */
TEST_F(frames, short_frames)
{
	struct frame frame;
	size_t length;

	ASSERT_EQ(0, command("attach bad hook xdp dev h0 mode %s", variant->mode));
	for (length = 15; length < 14 + 20; length++) {
		frame_plain(&frame, MAC_P0, MAC_H0, BAD4, HOST4, ++net.id, PAYLOAD);
		frame.length = length;
		frame_send(&frame);
		frame_plain(&frame, MAC_P0, MAC_H0, BAD6, HOST6, ++net.id, PAYLOAD);
		frame.length = length;
		frame_send(&frame);
	}
	settle();
	EXPECT_EQ(0, matched(NULL));
	EXPECT_FALSE(passes(BAD4, HOST4));
}

/* The program of the rule on h0. */
static int program_of(const char *mode)
{
	int flags = strcmp(mode, "native") ? XDP_FLAGS_SKB_MODE : XDP_FLAGS_DRV_MODE;
	__u32 id = 0;

	return bpf_xdp_query_id(if_nametoindex("h0"), flags, &id) ? -1 :
	       bpf_prog_get_fd_by_id(id);
}

/*
 * Runs the program on a frame of h0 of which it can read @linear bytes directly. The
 * rest is in pages of the frame. Returns what the program returns, or -errno.
 */
static int run_parts(int program, const struct frame *frame, __u32 linear)
{
	struct xdp_md context = {
		.data_end = linear,
		.ingress_ifindex = if_nametoindex("h0"),
	};
	struct bpf_test_run_opts options = {
		.sz = sizeof(options),
		.data_in = frame->bytes,
		.data_size_in = frame->length,
		.ctx_in = &context,
		.ctx_size_in = sizeof(context),
	};
	int ret = bpf_prog_test_run_opts(program, &options);

	return ret ? ret : (int)options.retval;
}

/* Whatever the length of the first part; returns how many lengths the kernel can make. */
static int expect_parts(struct __test_metadata *_metadata, int program,
			const struct frame *frame, int verdict)
{
	int ret, runs = 0;
	size_t linear;

	for (linear = 0; linear < frame->length; linear++) {
		ret = run_parts(program, frame, linear);
		if (ret == -EINVAL)
			continue;
		EXPECT_EQ(verdict, ret)
			TH_LOG("%zu of %zu bytes", linear, frame->length);
		runs++;
	}
	return runs;
}

/* Frames with @tags tags of sources that are listed, or not, in a session of PPPoE or not. */
enum part_frames { LISTED = 1, SESSION = 2, IPV6 = 4, PART_FRAMES = 8 };

static void frame_make(struct frame *frame, int kind, size_t tags)
{
	static const char * const sources[] = { GOOD4, BAD4, GOOD6, BAD6 };
	const char *src = sources[!!(kind & LISTED) + (kind & IPV6 ? 2 : 0)];

	if (kind & SESSION)
		frame_pppoe(frame, src, tags);
	else
		frame_tagged(frame, src, tags, TAGS_NAMED);
}

/* Some drivers end the part that a program can read directly before or within headers. */
TEST_F(frames, frames_in_parts)
{
	int program, kind, runs = 0, matches = 0;
	struct frame frame;
	size_t tags;

	ASSERT_EQ(0, command("attach bad hook xdp dev h0 mode %s", variant->mode));
	program = program_of(variant->mode);
	ASSERT_LE(0, program);
	for (tags = 0; tags <= TAGS_MAX + 1; tags++) {
		for (kind = 0; kind < PART_FRAMES; kind++) {
			bool match = kind & LISTED && tags <= TAGS_MAX;

			frame_make(&frame, kind, tags);
			runs = expect_parts(_metadata, program, &frame,
					    match ? XDP_DROP : XDP_PASS);
			matches += match ? runs : 0;
		}
	}
	close(program);
	EXPECT_EQ(matches, matched(NULL));
	if (!runs)
		SKIP(return, "the kernel runs programs only on frames of one part");
}

/* A frame in parts that ends within a header is no match. */
TEST_F(frames, short_frames_in_parts)
{
	struct frame whole, frame;
	int program, kind;
	size_t length;

	ASSERT_EQ(0, command("attach bad hook xdp dev h0 mode %s", variant->mode));
	program = program_of(variant->mode);
	ASSERT_LE(0, program);
	for (kind = LISTED; kind < PART_FRAMES; kind += 2) {
		frame_make(&whole, kind, 2);
		for (length = ETH_HLEN; length < whole.length - PAYLOAD; length++) {
			frame = whole;
			frame.length = length;
			expect_parts(_metadata, program, &frame, XDP_PASS);
		}
	}
	close(program);
	EXPECT_EQ(0, matched(NULL));
}

TEST_HARNESS_MAIN
