#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# uml.sh MEGABYTES KERNEL ARGUMENT...
#
# Run user-mode Linux, its console on stderr. Its memory is a file; in huge pages
# where root may ask for them, as a kernel's own memory is on a real machine. None of
# root's processes outlives it, either.

set -eu
memory=$1
kernel=$2
shift 2
shm=/dev/shm

# It loses what only AVX has of a register, at every page fault; so the C library of
# its processes does without.
tunables=glibc.cpu.hwcaps=-AVX_Fast_Unaligned_Load,-AVX,-AVX2,-AVX512F,-AVX512VL,-AVX512BW,-AVX512CD,-AVX512DQ

set -- "$kernel" "mem=${memory}M" con=null con0=null,fd:2 ssl=null \
	"GLIBC_TUNABLES=$tunables" "$@"
if [ "$(id -u)" != 0 ]; then
	TMPDIR=$shm exec "$@"
fi
# The shell stays the first process, which no signal of its own ends: the kernel, in a
# panic, ends by one. What that leaves in its folder goes with the mount.
# shellcheck disable=SC2016 # for the inner shell to expand
exec unshare --mount --pid --fork --kill-child sh -euc '
	shm=$1 options=$2
	shift 2
	mount -t tmpfs -o "$options" shm "$shm"
	TMPDIR=$shm "$@" "uml_dir=$shm" || exit' sh "$shm" "size=${memory}M,huge=${HUGE:-always}" "$@"
