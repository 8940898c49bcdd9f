// SPDX-License-Identifier: GPL-2.0-only
/*
 * user NAME DEVICE: make a network device a user of the name of a filter, as a command does
 * that is killed while it attaches a rule of hook xdp.
 */
#include <fcntl.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>

#include <linux/kcuckoo.h>

int main(int argc, char **argv)
{
	struct kcuckoo_ioc_slot slot = { .size = sizeof(slot), .flags = KCUCKOO_SLOT_GET };
	int fd = open("/dev/kcuckoo", O_RDWR | O_CLOEXEC);

	if (argc != 3 || strlen(argv[1]) >= sizeof(slot.name))
		return 2;
	strcpy((char *)slot.name, argv[1]);
	slot.ifindex = if_nametoindex(argv[2]);
	if (!slot.ifindex || ioctl(fd, KCUCKOO_IOC_SLOT, &slot)) {
		perror(argv[2]);
		return 1;
	}
	return 0;
}
