#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# No C file is longer than 900 lines.

# shellcheck source=selftests/lint/tree.sh
. "$(dirname "$0")/tree.sh"

limit=900
failed=0
while read -r file; do
	lines=$(wc -l <"$file")
	[ "$lines" -le $limit ] && continue
	echo "$file: $lines lines, at most $limit"
	failed=1
done < <(files '*.c' '*.h')
exit "$failed"
