#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# mandoc finds nothing in any manual page.

# shellcheck source=selftests/harness/lint/tree.sh
. "$(dirname "$0")/tree.sh"
need mandoc

mapfile -t list < <(files '*.[1-9]' | grep -v '^LICENSE')
[ ${#list[@]} -gt 0 ] || { echo "no manual page found"; exit 1; }
output=$(mandoc -T lint -W warning "${list[@]}" 2>&1)
status=$?
printf '%s' "$output"
[ $status -eq 0 ] && [ -z "$output" ]
