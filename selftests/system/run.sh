#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# run.sh [TEST...]: boot a Debian system with systemd and this project installed, and run
# the tests of this folder in it, all unless some are named.
# TAP on standard output. Exit status: 0 if each test printed its whole plan and nothing
# failed, otherwise 1. The consoles of machines are kept in build/system/.

set -u
here=$(cd "$(dirname "$0")" && pwd -P)
TOP=$(cd "$here/../.." && pwd -P)
all=(ifupdown networkd networkmanager unprotected state power module units fetch device confirm)
[ $# -gt 0 ] || set -- "${all[@]}"
for TEST; do
	[ -e "$here/test_$TEST.sh" ] || { echo "run.sh: no test '$TEST': ${all[*]}" >&2; exit 2; }
done

RUN=$(mktemp -d "${TMPDIR:-/tmp}/kcuckoo-system.XXXXXX")
trap 'rm -rf "$RUN"' EXIT
trap 'exit 130' INT TERM HUP
KERNEL=$("$here/image.sh" "$RUN") || exit 1
export TOP RUN KERNEL TEST
mkdir -p "$TOP/build/system"

# whole FILE: the plan is there, and as many results.
whole() {
	local plan

	plan=$(sed -n 's/^1\.\.\([0-9]*\)$/\1/p' "$1")
	[ -n "$plan" ] && [ "$plan" -gt 0 ] && [ "$(grep -cE '^(not )?ok ' "$1")" = "$plan" ]
}

failed=0
for TEST; do
	echo "# $TEST" >&2
	"$here/test_$TEST.sh" | tee "$RUN/$TEST.tap"
	cp "$RUN/$TEST.console" "$TOP/build/system/" 2>/dev/null
	if ! whole "$RUN/$TEST.tap"; then
		echo "# $TEST: ended before its plan"
		failed=$((failed + 1))
	fi
done
passed=$(cat "$RUN"/*.tap | grep -c '^ok ')
failed=$((failed + $(cat "$RUN"/*.tap | grep -c '^not ok ')))
echo "# $passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
