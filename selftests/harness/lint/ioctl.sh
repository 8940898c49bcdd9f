#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# No other driver has the number that all calls of the device begin with: the kernel's
# table of these numbers has no line with it, not even for calls that the device lacks.
# A driver may have calls that the table does not list.

# shellcheck source=selftests/harness/lint/tree.sh
. "$(dirname "$0")/tree.sh"
need gcc awk

table=$(kernel_source Documentation/userspace-api/ioctl/ioctl-number.rst) || exit 1
magic=$(printf '#include <linux/kcuckoo.h>\nKCUCKOO_IOC_MAGIC\n' |
	gcc -E -P -I"$top/uapi" - | tail -n 1)
[[ $magic =~ ^0x[0-9a-f]{2}$ ]] ||
	{ echo "KCUCKOO_IOC_MAGIC is '$magic', not a number such as 0xd6"; exit 1; }

# A line begins with a number, such as 0xDB, or with a character in quotes.
awk '/^0x[0-9A-F][0-9A-F] / { print tolower($1), $0 }' "$table" >"$scratch/numbers"
[ "$(wc -l <"$scratch/numbers")" -ge 50 ] ||
	{ echo "$table: $(wc -l <"$scratch/numbers") numbers found"; exit 1; }
if [ $((magic)) -lt 128 ]; then
	echo "KCUCKOO_IOC_MAGIC $magic is a character, of which nearly all are taken"
	exit 1
fi
if grep "^$magic " "$scratch/numbers" >"$scratch/others"; then
	sed "s/^[^ ]* /KCUCKOO_IOC_MAGIC is also that of /" "$scratch/others"
	exit 1
fi
