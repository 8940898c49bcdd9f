# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# What every check shares: the tree under check, its files, the kernel's
# headers and a folder that ends with the check. Sourced, not run.

LC_ALL=C
export LC_ALL
lint=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=${LINT_TREE:-$(cd "$lint/../.." && pwd)}
cd "$top" || exit 1

# What a check needs and does not find is a failed check, not a passed one.
need() {
	local tool

	for tool; do
		command -v "$tool" >/dev/null && continue
		echo "$tool: not installed"
		exit 1
	done
}

# files PATTERN...: the files of the tree that fit, tracked or new, without
# those that are ignored or deleted
files() {
	local file

	git ls-files --cached --others --exclude-standard -- "$@" | sort -u |
	while read -r file; do
		[ -e "$file" ] && echo "$file"
	done
	return 0
}

# Headers to build against: those of the running kernel, else the newest.
kernel_headers() {
	local folder

	folder=${KDIR:-/lib/modules/$(uname -r)/build}
	if [ ! -e "$folder/Makefile" ]; then
		folder=$(printf '%s\n' /lib/modules/*/build/Makefile |
			 sort -V | tail -n 1)
		folder=${folder%/Makefile}
	fi
	[ -e "$folder/Makefile" ] || { echo "no kernel headers" >&2; return 1; }
	echo "$folder"
}

# kernel_source FILE: the place of a file of the kernel's source
kernel_source() {
	local folder

	folder=$("$lint/../ksource.sh") || return 1
	[ -e "$folder/$1" ] || { echo "$1: not in $folder" >&2; return 1; }
	echo "$folder/$1"
}

# The tree's files without comments, so that a word counts only in code.
code() {
	gcc -fpreprocessed -dD -E -P -x c "$1" 2>/dev/null
}

# Builds happen in a copy: the tree stays as it is.
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

copy_tree() {
	files '*' | cpio -pdm --quiet "$scratch/tree" 2>/dev/null ||
		{ echo "the tree cannot be copied"; exit 1; }
}
