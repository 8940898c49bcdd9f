#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# run.sh [CHECK...]: run the checks of this folder, all unless some are named.
# TAP on standard output; exit 1 when a check failed. A check is a script that
# says what it found and exits non-zero; LINT_TREE names another tree.

here=$(cd "$(dirname "$0")" && pwd)
checks=(floors walks binary build checkpatch documentation layout header heads syzkaller
	shell manual length spelling words seeded symbols destdir packages btf toolchain compat options
	version ioctl library)
[ $# -gt 0 ] && checks=("$@")

renice -n 5 $$ >/dev/null 2>&1
# What has passed is kept by content (tree.sh); what is old is of other content.
find "${KCUCKOO_CACHE:-$HOME/.cache/kcuckoo}/lint" -type f -mtime +30 -delete 2>/dev/null

echo "TAP version 13"
echo "1..${#checks[@]}"

number=0
failed=0
for check in "${checks[@]}"; do
	number=$((number + 1))
	if output=$("$here/$check.sh" 2>&1); then
		echo "ok $number lint.$check"
	else
		[ -n "$output" ] && printf '%s\n' "$output" | sed 's/^/# /'
		echo "not ok $number lint.$check"
		failed=$((failed + 1))
	fi
done

echo "# Totals: pass:$((number - failed)) fail:$failed skip:0"
[ "$failed" -eq 0 ]
