# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# What every check shares: the tree under check, its files, the kernel's
# headers and a folder that ends with the check. Sourced, not run.
#
# A check that takes long keeps that it passed, under a key of all that the result
# depends on: "reads PATTERN..." has it work on a copy of these files alone, "known FILE..."
# asks whether it has passed with them, and "keep" remembers that. Only passes are kept.

LC_ALL=C
export LC_ALL
lint=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
check_script=$(realpath "$0")
check_name=$(basename "$0" .sh)
top=$(cd "${LINT_TREE:-$lint/../../..}" && pwd -P) || exit 1
cd "$top" || exit 1

# Where passes are kept: in the cache, as a key holds for every checkout. LINT_KEPT= is
# another folder.
store=${LINT_KEPT:-${KCUCKOO_CACHE:-~/.cache/kcuckoo}/lint}

# A result must not depend on any other variable. Those of the network are for what may
# have to be fetched first.
while read -r name; do
	case $name in
	PATH | HOME | LC_ALL | TMPDIR | KDIR | KCUCKOO_CACHE | JOBS | PWD) ;;
	*_proxy | *_PROXY | APT_CONFIG | SSL_CERT_* | DEBIAN_FRONTEND) ;;
	*) unset "$name" 2>/dev/null ;;
	esac
done < <(compgen -e)
unset name

tools=(bash)

# What a check needs and does not find is a failed check, not a passed one.
need() {
	local tool

	tools+=("$@")
	for tool; do
		command -v "$tool" >/dev/null && continue
		echo "$tool: not installed"
		exit 1
	done
}

# files PATTERN...: the files of the tree that fit, tracked or new, without
# those that are ignored or deleted
excluded=--exclude-standard
files() {
	local file

	git ls-files --cached --others $excluded -- "$@" | sort -u |
	while read -r file; do
		[ -e "$file" ] && echo "$file"
	done
	return 0
}

# tool_versions: of the tools that the check needs, by content, and of the packages that
# they use in their turn; without a list of these, what the tools say themselves.
tool_versions() {
	local tool

	for tool in "${tools[@]}"; do
		sha256sum <"$(command -v "$tool")"
		[ "$tool" != gcc ] || sha256sum <"$(gcc -print-prog-name=cc1)"
	done
	dpkg-query -W 2>/dev/null && return
	for tool in "${tools[@]}"; do
		"$tool" --version 2>&1
	done
}

# reads PATTERN...: from here on the tree is a copy of the files that fit. Whatever else
# the check looked at would be missing, so a key of these files is one of all it reads.
reads() {
	files "$@" | cpio -pdm --quiet "$scratch/read" 2>/dev/null || :
	if ! cd "$scratch/read" || ! git init -q; then
		echo "the tree cannot be copied"
		exit 1
	fi
	top=$scratch/read
	# Files that are tracked although they are ignored were copied, too.
	excluded=
	rules=$({ cat "$check_script" "$lint/tree.sh"; tool_versions; } | sha256sum)
}

# known FILE...: has the check passed with these files, by the same rules and tools?
known() {
	[ $# -gt 0 ] || { echo "no file to check"; exit 1; }
	key=$({ echo "$rules"; sha256sum -- "$@"; } | sha256sum | cut -c1-64)
	[ -e "$store/$check_name/$key" ]
}

# keep: that it has, with those that known() was asked about last.
keep() {
	mkdir -p "$store/$check_name" && : >"$store/$check_name/$key"
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

# header_files FOLDER: those of the kernel's headers that a build reads.
header_files() {
	local folder common

	# Debian has what is common to its kernels elsewhere.
	common=$(sed -n 's,^include \(/.*\)/Makefile$,\1,p' "$1/Makefile")
	for folder in "$1" ${common:+"$common"}; do
		find -L "$folder"/{Makefile,.config,.kernelvariables,Module.symvers,include} \
			"$folder"/{scripts,tools} "$folder"/arch/*/{include,Makefile*} \
			-type f 2>/dev/null
	done | sort
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
