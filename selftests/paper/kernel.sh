#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# kernel.sh PROGRAM quick|full - what paper.sh has the virtual machine do: fill
# filters in the kernel. PROGRAM is kernel.c, built.

set -eu
program=$1
runs=10
buckets=16384
lookups=300000
if [ "$2" = quick ]; then
	runs=3
	lookups=100000
fi
modprobe kcuckoo

# A capacity that leaves so many buckets: what surely fits into them.
capacity() {
	echo $((buckets * $1 * $2 / 100))
}

"$program" 4 12 0 "$(capacity 4 97)" $runs $lookups
"$program" 4 13 1 "$(capacity 4 97)" $runs $lookups
"$program" 2 11 0 "$(capacity 2 86)" $runs $lookups
"$program" 8 12 0 "$(capacity 8 99)" $runs $lookups
"$program" 4 6 0 "$(capacity 4 97)" $runs $lookups
"$program" doubling 16 "$(capacity 32 97)"
