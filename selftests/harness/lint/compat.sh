#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# XDP programs may call the module on the kernels where each of them has a receive
# queue, and on no other.

# shellcheck source=selftests/harness/lint/tree.sh
. "$(dirname "$0")/tree.sh"
need gcc

mkdir -p "$scratch/linux"
cat >"$scratch/linux/btf.h" <<'END'
#include <stdbool.h>
END
for header in btf_ids log2 slab stddef string types vmalloc; do
	touch "$scratch/linux/$header.h"
done
cat >"$scratch/linux/version.h" <<'END'
#define KERNEL_VERSION(a, b, c) (((a) << 16) + ((b) << 8) + (c))
#define LINUX_VERSION_CODE KERNEL_VERSION(6, 1, 192)
END
cat >"$scratch/versions.c" <<'END'
#include <stdio.h>
#include "compat.h"

int main(void)
{
	int major, minor, patch;

	while (scanf("%d.%d.%d", &major, &minor, &patch) == 3)
		printf("%d.%d.%d %d\n", major, minor, patch,
		       kcuckoo_version_has_rxq(KERNEL_VERSION(major, minor, patch)));
	return !kcuckoo_xdp_has_rxq();
}
END
gcc -Wall -Werror -DKCUCKOO_HAS_{KFUNCS,KMALLOC_SIZE_ROUNDUP,VMALLOC_HUGE} -I"$scratch" -I"$top/kmod" -o "$scratch/versions" \
	"$scratch/versions.c" || exit 1

cat >"$scratch/expected" <<'END'
6.1.0 0
6.1.114 0
6.1.115 1
6.1.192 1
6.1.255 1
6.2.0 0
6.5.13 0
6.6.0 0
6.6.58 0
6.6.59 1
6.6.255 1
6.7.0 0
6.10.14 0
6.11.5 0
6.11.6 1
6.12.0 1
6.12.117 1
7.3.4 1
END
cut -d' ' -f1 "$scratch/expected" | "$scratch/versions" >"$scratch/found" ||
	{ echo "6.1.192 is refused"; exit 1; }
diff "$scratch/expected" "$scratch/found"
