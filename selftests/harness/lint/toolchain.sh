#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What is built depends on the tools it was built with: a tool that comes, changes or goes
# builds it again, and an unchanged one does not.

# shellcheck source=selftests/harness/lint/tree.sh
. "$(dirname "$0")/tree.sh"
need make gcc pkg-config

bin=$scratch/bin
file=$scratch/toolchain
mkdir "$bin"
PATH=$bin:$PATH

# fake NAME WORDS: a compiler of that name, which differs by the words in it.
fake() {
	printf '#!/bin/sh\n# %s\nexec gcc "$@"\n' "$2" >"$bin/$1"
	chmod +x "$bin/$1"
}

# same YES|NO WHAT: does FILE stay as it was?
same() {
	local before after

	before=$(stat -c %y "$file" 2>/dev/null)
	"$top/selftests/harness/toolchain.sh" "$file" somecc pkg:somelib || exit
	after=$(stat -c %y "$file")
	[ "$before" = "$after" ] && after=yes || after=no
	[ "$after" = "$1" ] || { echo "toolchain.sh, $2: unchanged is $after"; exit 1; }
}

same no 'no file'
same yes 'no tool'
fake somecc one
same no 'a tool that comes'
same yes 'the same tool'
fake somecc 'another one'
same no 'a tool that changes'
rm "$bin/somecc"
same no 'a tool that goes'
export PKG_CONFIG_PATH=$scratch
printf 'Name: x\nDescription: x\nVersion: 1\n' >"$scratch/somelib.pc"
same no 'a library that comes'

# compiled: how many objects make compiles with the compiler "somecc".
compiled() {
	make -C userspace O="$scratch/o" CC=somecc "$scratch/o/lib/rate.o" >"$scratch/log" 2>&1 ||
		{ tail -n 5 "$scratch/log"; exit 1; }
	grep -c '^somecc ' "$scratch/log"
}

fake somecc one
[ "$(compiled)" = 1 ] || { echo "userspace: nothing is compiled"; exit 1; }
[ "$(compiled)" = 0 ] || { echo "userspace: the same tools compile again"; exit 1; }
fake somecc 'another one'
[ "$(compiled)" = 1 ] || { echo "userspace: another compiler does not compile again"; exit 1; }
