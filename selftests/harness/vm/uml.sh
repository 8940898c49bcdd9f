#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# uml.sh MEGABYTES KERNEL ARGUMENT...
#
# Run user-mode Linux, with its console on stderr. Its memory is a file. If the caller is
# root, the file is in huge pages, like the memory of a kernel on a real machine, and all
# processes of user-mode Linux end with it.

set -eu
memory=$1
kernel=$2
shift 2
shm=/dev/shm

# User-mode Linux loses the AVX part of registers at each page fault, so the C library of
# its processes must not use AVX.
tunables=glibc.cpu.hwcaps=-AVX_Fast_Unaligned_Load,-AVX,-AVX2,-AVX512F,-AVX512VL,-AVX512BW,-AVX512CD,-AVX512DQ

set -- "$kernel" "mem=${memory}M" con=null con0=null,fd:2 ssl=null \
	"GLIBC_TUNABLES=$tunables" "$@"
if [ "$(id -u)" != 0 ]; then
	TMPDIR=$shm exec "$@"
fi
# The shell is the first process of the namespace, because the first process ignores its own
# signals, but user-mode Linux ends itself by a signal after a panic. The files that it then
# leaves in its folder disappear with the mount.
# shellcheck disable=SC2016 # for the inner shell to expand
exec unshare --mount --pid --fork --kill-child sh -euc '
	shm=$1 options=$2
	shift 2
	mount -t tmpfs -o "$options" shm "$shm"
	TMPDIR=$shm "$@" "uml_dir=$shm" || exit' sh "$shm" "size=${memory}M,huge=${HUGE:-always}" "$@"
