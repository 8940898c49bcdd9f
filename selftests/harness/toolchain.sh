#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# toolchain.sh FILE TOOL...
#
# Write into FILE which tools a build finds. FILE keeps its time of modification while
# they stay the same, so what depends on FILE is built again after a tool was installed,
# replaced or removed. A TOOL is a program, or pkg:NAME for a library that pkg-config
# knows.

set -eu
file=$1
shift

# identity PATH: which file a tool is. A package that is upgraded brings another one.
identity() {
	stat -L -c '%n %s %Y' "$(realpath "$1")"
}

# describe TOOL: one line.
describe() {
	case $1 in
	pkg:*)
		folder=$(pkg-config --variable=pcfiledir "${1#pkg:}" 2>/dev/null) || folder=
		path=$folder/${1#pkg:}.pc
		;;
	*)
		path=$(command -v "$1") || path=
		;;
	esac
	if [ -e "$path" ]; then
		echo "$1 $(identity "$path")"
	else
		echo "$1 absent"
	fi
}

mkdir -p "$(dirname "$file")"
new=$(mktemp "$file.XXXXXX")
trap 'rm -f "$new"' EXIT
for tool; do
	describe "$tool"
done >"$new"
cmp -s "$new" "$file" || mv "$new" "$file"
