// SPDX-License-Identifier: GPL-2.0-only
/*
 * hold NAME DEVICE: make a device hold a name, as kcuckoo(8) shows it for loaders
 * of programs, and print the name's number.
 */
#include <errno.h>
#include <kcuckoo.h>
#include <net/if.h>
#include <stdio.h>

static int hold(struct kcuckoo *handle, const char *name, unsigned int ifindex)
{
	struct kcuckoo_ioc_slot arg = { .size = sizeof(arg), .flags = KCUCKOO_SLOT_GET,
					.ifindex = ifindex };
	int ret = kcuckoo_slot(handle, name, &arg);

	if (ret == -EEXIST) {
		arg.flags = 0;
		arg.ifindex = 0;
		ret = kcuckoo_slot(handle, name, &arg);
	}
	if (!ret)
		printf("%u\n", arg.id);
	return ret;
}

int main(int argc, char **argv)
{
	struct kcuckoo *handle;
	int ret;

	if (argc != 3)
		return 2;
	ret = kcuckoo_open(&handle, NULL);
	if (ret)
		return 1;
	ret = hold(handle, argv[1], if_nametoindex(argv[2]));
	kcuckoo_close(handle);
	return ret ? 1 : 0;
}
