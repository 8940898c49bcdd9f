#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# No C file is longer than 900 lines; the contract of the device, which programs
# include as one file, may have 1350.

# shellcheck source=selftests/harness/lint/tree.sh
. "$(dirname "$0")/tree.sh"

mapfile -t list < <(files '*.c' '*.h')
[ ${#list[@]} -gt 0 ] || { echo "no C file found"; exit 1; }
! wc -l "${list[@]}" | awk '
	{ limit = $2 == "uapi/linux/kcuckoo.h" ? 1350 : 900 }
	$1 > limit && $2 != "total" {
		print $2 ": " $1 " lines, at most " limit
		found = 1
	}
	END { exit !found }'
