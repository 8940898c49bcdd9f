#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Proof that every check can fail: each fault below is put into a copy of the
# tree, and the check named before it must find it there. TAP.

# shellcheck source=selftests/lint/tree.sh
. "$(dirname "$0")/tree.sh"

number=0
failed=0

# place PART SUFFIX: a file of that part of floors.table
place() {
	awk -v part="$1" -v suffix="$2" '
		$3 == part && $1 ~ suffix "$" { print $1; exit }' \
		"$lint/floors.table"
}

# fault CHECK FILE TEXT WORDS WHAT: with TEXT at the end of FILE, CHECK must fail
# and say WORDS
fault() {
	local check=$1 file=$2 text=$3 words=$4 what=$5 tree=$scratch/tree

	number=$((number + 1))
	printf '%b\n' "$text" >>"$tree/$file"
	if ! LINT_TREE=$tree "$lint/$check.sh" >"$scratch/output" 2>&1 &&
	   grep -q "$words" "$scratch/output"; then
		echo "ok $number $check finds $what"
	else
		failed=$((failed + 1))
		sed 's/^/# /' "$scratch/output"
		echo "not ok $number $check finds $what"
	fi
	rm "$tree/$file"
	[ ! -e "$file" ] || cp -p "$file" "$tree/$file"
}

core=$(place core .c)
device=$(place device .c)
hook=$(place hook .c)

copy_tree
git -C "$scratch/tree" init -q

echo "TAP version 13"
fault floors kmod/stray.c '' 'stray.c: not listed' 'a file that is not listed'
fault floors selftests/lint/floors.table 'kmod/gone.c 1 core' 'does not exist' \
	'a listed file that is gone'
fault floors "$core" '#include <linux/slab.h>' 'the core includes <linux/slab.h>' \
	'a header that the core must not know'
fault floors "$core" 'void s(void) { kfree(0); }' 'kfree does not belong' \
	'allocation in the core'
fault floors "$core" 'spinlock_t stray;\nvoid s(void) { spin_lock(&stray); }' \
	'spin_lock does not belong' 'a lock in the core'
fault floors "$core" "#include \"$(basename "$(place filter .h)")\"" 'of floor 2' \
	'a file that includes from a higher floor'
fault floors "$(place core .h)" '#include "table.h"' 'in a circle' \
	'files that include each other'
fault floors "$hook" 'extern void __user *stray;' '__user does not belong' \
	'user memory in the hook'
fault floors "$device" 'struct sk_buff *stray;' 'sk_buff does not belong' \
	'a packet in the device'
fault floors "$hook" "#include \"$(basename "$(place device .h)")\"" 'another door' \
	'a door that includes another'
fault floors "$device" '#if LINUX_VERSION_CODE\n#endif' \
	'LINUX_VERSION_CODE does not belong' \
	'a test of the kernel version outside compat.h'
fault build "$device" 'int stray(void)\n{\n\treturn 0;\n}' 'no previous prototype' \
	'a missing prototype'
fault build "$device" \
	'int stray(int __user *p);\nint stray(int __user *p)\n{\n\treturn *p;\n}' \
	'noderef' 'a read of user memory'
fault checkpatch "$device" 'int  stray (int a){return a;}' 'SPACING' 'wrong style'
fault documentation "$device" \
	'/**\n * stray() - nothing\n * @b: no such parameter\n */\nint stray(int a);' \
	'not described' 'a parameter that is not described'
fault layout uapi/linux/kcuckoo.h \
	'struct kcuckoo_stray {\n\t__u8 one;\n\t__u64 two;\n};' 'has holes' 'a hole'
fault layout uapi/linux/kcuckoo.h '#define KCUCKOO_STRAY 1' '+VALUE(KCUCKOO_STRAY' \
	'a new constant'
fault layout uapi/linux/kcuckoo.h \
	'struct kcuckoo_stray {\n\tunsigned long one;\n};' '+SIZE(kcuckoo_stray' \
	'a new structure'
fault header uapi/linux/kcuckoo.h 'extern pid_t stray;' 'unknown type name' \
	'a type from nowhere'
fault syzkaller uapi/linux/kcuckoo.h \
	'#define KCUCKOO_IOC_STRAY _IO(KCUCKOO_IOC_MAGIC, 0x7f)' 'KCUCKOO_IOC_STRAY' \
	'a call that is not described'
fault syzkaller selftests/fuzz/kcuckoo.txt 'type kcuckoo_cursor array[int8, 15]' \
	'kcuckoo_cursor is not as long' 'a size that is wrong'
fault shell stray.sh "#!/bin/sh\nrm \$1" 'SC2086' 'a variable without quotes'
fault shell stray "#!/bin/bash\nrm \$1" 'SC2086' 'a script without a suffix'
fault manual stray.8 '.Sh STRAY' 'stray.8' 'a broken page'
fault length kmod/stray.h "$(printf '\\n%.0s' {1..901})" '902 lines' 'a long file'
fault spelling stray.txt 'rec''ieve' 'receive' 'a wrong word'
echo "1..$number"
[ "$failed" -eq 0 ]
