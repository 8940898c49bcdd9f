#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# No C file is longer than 900 lines; the contract of the device, which programs
# include as one file, may have 1350. README.md has at most 150 lines of at most 100
# columns, and kmod/README.md defines at most 40 nouns.

# shellcheck source=selftests/harness/lint/tree.sh
. "$(dirname "$0")/tree.sh"

mapfile -t list < <(files '*.c' '*.h')
[ ${#list[@]} -gt 0 ] || { echo "no C file found"; exit 1; }
failed=0
wc -l "${list[@]}" | awk '
	{ limit = $2 == "uapi/linux/kcuckoo.h" ? 1350 : 900 }
	$1 > limit && $2 != "total" {
		print $2 ": " $1 " lines, at most " limit
		found = 1
	}
	END { exit found }' || failed=1

awk '
	length($0) > 100 { print FILENAME ":" FNR ": " length($0) " columns, at most 100"; found = 1 }
	END {
		if (NR > 150) {
			print FILENAME ": " NR " lines, at most 150"
			found = 1
		}
		exit found
	}' README.md || failed=1

# The table begins with two lines that define no noun.
awk '
	/^## / { nouns = /^## Nouns$/ }
	nouns && /^\|/ { count++ }
	END {
		if (count - 2 > 40) {
			print FILENAME ": " count - 2 " nouns, at most 40"
			exit 1
		}
	}' kmod/README.md || failed=1
exit $failed
