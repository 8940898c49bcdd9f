#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# branches.sh KERNEL...: list for each branch of the conditions in kmod/compat.h which of
# these kernels compile it. A branch that no kernel compiles is a failure: nothing
# shows that it is right. An #if without #else has two branches, the second one empty.
#
# BRANCHES_HEADER= is another file to check in place of kmod/compat.h.

set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd -P)
top=$(cd "$here/../.." && pwd -P)
# shellcheck source=selftests/harness/vm/kbuild.sh
. "$here/vm/kbuild.sh"
header=${BRANCHES_HEADER:-$top/kmod/compat.h}

unset MAKEFLAGS MFLAGS MAKELEVEL
[ $# -gt 0 ] || { echo "usage: branches.sh KERNEL..." >&2; exit 2; }
mkdir -p "$top/build"
work=$(mktemp -d "$top/build/branches.XXXXXX")
trap 'rm -rf "$work"' EXIT

# mark: write the header with a line kcuckoo_branch_LINE_yes or kcuckoo_branch_LINE_no in
# each branch. The include guard has no second branch.
mark() {
	awk '
	/^#[ \t]*if/ {
		print
		line[++depth] = NR
		branch = "yes"
		other[depth] = 0
		if (NR != guard && /_COMPAT_H/ && !guard)
			guard = NR
		else
			print "kcuckoo_branch_" NR "_yes"
		next
	}
	/^#[ \t]*elif/ {
		print FILENAME ": line " NR ": write #elif as #else and #if" >"/dev/stderr"
		exit 1
	}
	/^#[ \t]*else/ {
		print
		other[depth] = 1
		print "kcuckoo_branch_" line[depth] "_no"
		next
	}
	/^#[ \t]*endif/ {
		if (!other[depth] && line[depth] != guard)
			print "#else\nkcuckoo_branch_" line[depth] "_no"
		depth--
	}
	{ print }' "$1"
}

# compiled KERNEL: the branches that the preprocessor leaves for this kernel, a line each.
compiled() {
	local folder

	folder=$("$here/vm/kernel.sh" "$1") || return
	rm -rf "$work/module"
	mkdir "$work/module"
	cp -r "$top/Kbuild" "$top/kmod" "$top/uapi" "$work/module"
	cp "$work/marked.h" "$work/module/kmod/compat.h"
	kbuild -s M="$work/module" kmod/dev/ioctl_filter.i >"$work/log" 2>&1 || {
		cat "$work/log" >&2
		return 1
	}
	grep -oE 'kcuckoo_branch_[0-9]+_(yes|no)' "$work/module/kmod/dev/ioctl_filter.i" |
		sed "s/$/ $1/"
}

mark "$header" >"$work/marked.h"
grep -oE 'kcuckoo_branch_[0-9]+_(yes|no)' "$work/marked.h" >"$work/branches"
: >"$work/compiled"
for kernel; do
	compiled "$kernel" >>"$work/compiled" || {
		echo "branches: kmod/compat.h cannot be preprocessed for kernel $kernel" >&2
		exit 1
	}
done

awk -v header="$header" '
	FILENAME ~ /\/compiled$/ { kernels[$1] = kernels[$1] " " $2; next }
	FILENAME == header { text[FNR] = $0; next }
	{
		split($1, part, "_")
		printf "%s, %s:%s\n", text[part[3]], part[4] == "yes" ? "true" : "false",
			$1 in kernels ? kernels[$1] : " no kernel"
		if (!($1 in kernels))
			uncovered++
		branches++
	}
	END {
		if (!branches) {
			print "no branch was found in " header
			exit 1
		}
		printf "%d branches, %d that no kernel compiles\n", branches, uncovered
		exit uncovered > 0
	}' "$work/compiled" "$header" "$work/branches"
