#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Each file is text and not empty, except pictures and the corpus of the fuzzers: what
# builds and tools leave behind is named in .gitignore.

# shellcheck source=selftests/harness/lint/tree.sh
. "$(dirname "$0")/tree.sh"

found=0
while read -r file; do
	case $file in
	*.png | selftests/soak/fuzz/corpus/*) continue ;;
	esac
	if ! grep -qI '' "$file"; then
		echo "$file: empty, or not text"
		found=1
	fi
done < <(files '*')
exit $found
