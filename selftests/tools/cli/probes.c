// SPDX-License-Identifier: GPL-2.0-only
/*
 * probes FROM TO ADDRESS SOURCE...: send packets from one network namespace to another
 * until SIGTERM, one from each source in turn, and print how many of each arrived.
 *
 * The next round begins when the packet of the last source has arrived, which must be
 * one that nothing drops, or after a second. So no packet is lost for lack of memory.
 * Prints a line "SOURCE SENT ARRIVED" for each.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define PORT	4711
#define SOURCES	16

static volatile sig_atomic_t ended;

static void end(int signal)
{
	(void)signal;
	ended = 1;
}

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

/* A UDP socket in a namespace, bound to an address. */
static int open_socket(const char *netns, const char *text, int port)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_port = htons(port),
	};
	char path[64];
	int fd, sock;

	snprintf(path, sizeof(path), "/run/netns/%s", netns);
	fd = open(path, O_RDONLY);
	if (fd < 0 || setns(fd, CLONE_NEWNET))
		fail(path);
	close(fd);
	inet_pton(AF_INET, text, &address.sin_addr);
	sock = socket(AF_INET, SOCK_DGRAM, 0);
	if (sock < 0 || bind(sock, (struct sockaddr *)&address, sizeof(address)))
		fail(text);
	return sock;
}

/* Count the packets that are there. Return: did one of the last source arrive? */
static int receive(int sock, const in_addr_t *sources, int count,
		   unsigned long *arrived)
{
	struct sockaddr_in from;
	socklen_t length = sizeof(from);
	char byte;
	int i, last = 0;

	while (recvfrom(sock, &byte, 1, MSG_DONTWAIT, (struct sockaddr *)&from,
			&length) >= 0) {
		for (i = 0; i < count; i++)
			arrived[i] += from.sin_addr.s_addr == sources[i];
		last |= from.sin_addr.s_addr == sources[count - 1];
	}
	return last;
}

int main(int argc, char **argv)
{
	unsigned long sent = 0, arrived[SOURCES] = { 0 };
	struct sockaddr_in to = {
		.sin_family = AF_INET,
		.sin_port = htons(PORT),
	};
	in_addr_t sources[SOURCES];
	int socks[SOURCES], i, count = argc - 4;
	struct pollfd poller = { .events = POLLIN };

	if (count < 1 || count > SOURCES)
		return 2;
	signal(SIGTERM, end);
	inet_pton(AF_INET, argv[3], &to.sin_addr);
	poller.fd = open_socket(argv[2], argv[3], PORT);
	for (i = 0; i < count; i++) {
		inet_pton(AF_INET, argv[4 + i], &sources[i]);
		socks[i] = open_socket(argv[1], argv[4 + i], 0);
	}
	while (!ended) {
		for (i = 0; i < count; i++)
			if (sendto(socks[i], "x", 1, 0, (struct sockaddr *)&to,
				   sizeof(to)) != 1)
				fail("sendto");
		sent++;
		while (!receive(poller.fd, sources, count, arrived) &&
		       poll(&poller, 1, 1000) > 0)
			;
	}
	usleep(200000);
	receive(poller.fd, sources, count, arrived);
	for (i = 0; i < count; i++)
		printf("%s %lu %lu\n", argv[4 + i], sent, arrived[i]);
	return 0;
}
