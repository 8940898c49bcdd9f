// SPDX-License-Identifier: GPL-2.0-only
/*
 * bans NAME MILLISECONDS: add addresses to a filter until SIGTERM, after random times that
 * last so long on average, and print each that was added.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/kcuckoo.h>

#define FIRST	0x64010000	/* 100.1.0.0 */

static volatile sig_atomic_t ended;

static void end(int signal)
{
	(void)signal;
	ended = 1;
}

/* Add an address. Return: was it added? */
static int add(int device, const char *name, uint32_t number)
{
	struct kcuckoo_prefix key = { .family = KCUCKOO_FAMILY_IPV4, .plen = 32 };
	struct kcuckoo_ioc_add arg = {
		.size = sizeof(arg),
		.keys = (uintptr_t)&key,
		.count = 1,
	};

	strncpy((char *)arg.name, name, sizeof(arg.name) - 1);
	number = htonl(number);
	memcpy(key.addr, &number, sizeof(number));
	return !ioctl(device, KCUCKOO_IOC_ADD, &arg) && arg.added == 1;
}

int main(int argc, char **argv)
{
	int device = open("/dev/kcuckoo", O_RDWR);
	long mean = argc == 3 ? atol(argv[2]) * 1000 : 0;
	uint32_t number;
	char text[INET_ADDRSTRLEN];

	if (device < 0 || !mean)
		return 2;
	signal(SIGTERM, end);
	for (number = FIRST; !ended; number++) {
		const uint32_t address = htonl(number);

		inet_ntop(AF_INET, &address, text, sizeof(text));
		if (!add(device, argv[1], number)) {
			perror(text);
			return 1;
		}
		puts(text);
		usleep(random() % (2 * mean));
	}
	return 0;
}
