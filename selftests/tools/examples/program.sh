# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Named tests of programs that were built here: see ../cli/harness.sh.

# shellcheck source=selftests/tools/cli/harness.sh
. ../cli/harness.sh

build=$PWD/build

# slow: has this kernel checks?
slow() {
	case ${KCUCKOO_KERNEL:-stock} in
	debug | kcsan) return 0 ;;
	*) return 1 ;;
	esac
}

# choose LONG SHORT: print LONG in `make soak`, where the kernel has no checks, and SHORT
# otherwise.
choose() {
	if [ -n "$KCUCKOO_SOAK" ] && ! slow; then
		echo "$1"
	else
		echo "$2"
	fi
}

# Run a program. Standard input is the caller's. Its output is in $scratch/out and,
# without zero bytes, in $out, its words are in $err, its exit status in $status.
run() {
	local program=$1

	shift
	"$build/$program" "$@" >"$scratch/out" 2>"$scratch/err"
	status=$?
	out=$(tr -d '\0' <"$scratch/out")
	err=$(<"$scratch/err")
	last="$program $*"
}

# The last run printed the bytes of this file.
out_is_file() {
	cmp "$1" "$scratch/out" || complain "$last: printed something else than $1"
}
