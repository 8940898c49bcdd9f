#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# soak.sh [TARGET...]: the long programme, all of it or the targets that are named: what
# `make test` does once is done often, on all kernels. A target that fails stops none of the
# others. The last lines say of each whether it passed; what it printed is in build/soak.

set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd -P)
top=$(cd "$here/../.." && pwd -P)
result=$top/build/soak

# A target, and its variables.
targets() {
	cat <<'TABLE'
test
test-debug
test-races    RACES=
test-kernels
fault-sweep
seeded-bugs
coverage
fuzz          TIME=7200
endurance
TABLE
}

# Called from a makefile or not: what is made below is the same.
unset MAKEFLAGS MFLAGS MAKELEVEL
export KCUCKOO_SOAK=yes

chosen=("$@")
[ $# -gt 0 ] || mapfile -t chosen < <(targets | awk '{ print $1 }')
for target in "${chosen[@]}"; do
	targets | grep -qE "^$target( |$)" ||
		{ echo "soak: no target '$target'" >&2; exit 2; }
done

mkdir -p "$result"
failed=0
summary=()
for target in "${chosen[@]}"; do
	read -ra words < <(targets | grep -E "^$target( |$)")
	echo "# make ${words[*]}"
	start=$SECONDS
	verdict=passed
	if ! make --no-print-directory -C "$top" "${words[@]}" 2>&1 |
		tee "$result/$target.log"; then
		verdict=FAILED
		failed=1
	fi
	last=$(grep -v '^make' "$result/$target.log" | tail -n 1)
	summary+=("$verdict: $target, $((SECONDS - start)) s: $last")
	mapfile -t -O ${#summary[@]} summary < <(grep -h '^unstable: ' "$result/$target.log")
done
printf '%s\n' "${summary[@]}"
exit $failed
