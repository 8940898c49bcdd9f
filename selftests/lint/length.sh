#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# No C file is longer than 900 lines; the contract of the device, which programs
# include as one file, may have 1000.

# shellcheck source=selftests/lint/tree.sh
. "$(dirname "$0")/tree.sh"

failed=0
while read -r file; do
	case $file in
	uapi/linux/kcuckoo.h) limit=1000 ;;
	*) limit=900 ;;
	esac
	lines=$(wc -l <"$file")
	[ "$lines" -le "$limit" ] && continue
	echo "$file: $lines lines, at most $limit"
	failed=1
done < <(files '*.c' '*.h')
exit "$failed"
