#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# sweep.sh [PROGRAM...]: what the folder's programs do every day, thoroughly: every
# fault, and ROUNDS= rounds (8) with tables of several sizes. KERNEL= is the one to do
# that on (harness/vm/run.sh --help), by default uml-debug; on debug it takes hours. The last
# line counts the faults, and what limits refused. Exit 0 if there was no harm in any.

set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd -P)
kernel=${KERNEL:-uml-debug}
rounds=${ROUNDS:-8}
least=10000
programs=("$@")
output=$(mktemp "${TMPDIR:-/tmp}/kcuckoo-sweep.XXXXXX")
trap 'rm -f "$output"' EXIT

[ ${#programs[@]} -gt 0 ] || programs=(filter staged batch rule module table namespace)
make -s -C "$here/../.." all TARGETS=fault

status=0
# shellcheck disable=SC2016 # for the machine's shell
(cd "$here" && "$here/../../harness/vm/run.sh" --kernel "$kernel" --timeout 7200 -- \
	env KCUCKOO_FAULT_ROUNDS="$rounds" KCUCKOO_KERNEL="$kernel" sh -c '
		status=0
		for program; do
			"./$program" || status=1
		done
		exit $status' sh "${programs[@]}") 2>&1 | tee "$output" || status=$?

# count WORD: the sum of what the programs say at their ends.
count() {
	awk -v word="$1:" '$1 == "#" && $2 == word { sum += $3 } END { print sum + 0 }' "$output"
}

faults=$(count faults)
refusals=$(count refusals)
if [ "$status" = 0 ] && [ $# = 0 ] && [ "$faults" -lt "$least" ]; then
	echo "sweep: $faults faults are less than $least" >&2
	status=1
fi
if [ "$status" = 0 ]; then
	echo "$faults faults, $refusals refusals by limits, nothing lost"
else
	echo "$faults faults, $refusals refusals by limits, and something went wrong"
fi
exit "$status"
