#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The contract's header stands alone, as C90, as C11 and as C++, and may be
# included twice; so does the library's.

# shellcheck source=selftests/harness/lint/tree.sh
. "$(dirname "$0")/tree.sh"
need gcc g++

failed=0

# alone HEADER COMPILER OPTION...
alone() {
	local header=$1

	shift
	"$@" -Wall -Wextra -Werror \
		-Iuapi -Iuserspace/include -fsyntax-only \
		-include "$header" -include "$header" /dev/null || failed=1
}

while read -r header; do
	alone "$header" gcc -std=c90 -x c
	alone "$header" gcc -std=c11 -x c
	alone "$header" g++ -std=c++98 -x c++
done < <(files 'uapi/*.h')
while read -r header; do
	alone "$header" gcc -std=c99 -x c
	alone "$header" g++ -std=c++11 -x c++
done < <(files 'userspace/include/*.h')
exit "$failed"
