#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The layout of the contract is what layout.h records: sizes and offsets of
# every structure and every constant, the same for 32-bit and 64-bit callers,
# without holes. After a change that is meant, layout.sh --write records it.

# shellcheck source=selftests/harness/lint/tree.sh
. "$(dirname "$0")/tree.sh"
need gcc clang pahole awk

headers='uapi/linux/kcuckoo.h uapi/linux/netfilter/xt_kcuckoo.h'
record=$top/selftests/harness/lint/layout.h

# record: the sizes and offsets of a 64-bit compilation, and the constants
record() {
	# shellcheck disable=SC2086 # several words
	mapfile -t structs < <(sed -nE 's/^struct ((xt_)?kcuckoo_[a-z_]*) \{$/\1/p' $headers)
	{
		# The second one includes the first.
		echo '#include <linux/netfilter/xt_kcuckoo.h>'
		for name in "${structs[@]}"; do
			echo "struct $name of_$name;"
		done
	} >"$scratch/all.c"
	gcc -m64 -g -Iuapi -c -o "$scratch/all.o" "$scratch/all.c" || exit 1

	echo '/* SPDX-License-Identifier: GPL-2.0-only */'
	echo '/* The layout of the contract; recorded by layout.sh --write. */'
	for name in "${structs[@]}"; do
		pahole -C "$name" "$scratch/all.o" | awk -v name="$name" '
			/XXX|holes:|padding:|bit_padding/ {
				print "#error " name " has holes"
			}
			/;[ \t]*\/\*/ {
				member = $0
				sub(/ +__attribute__.*/, ";", member)
				sub(/(\[[0-9]+\])?[ \t]*;.*/, "", member)
				sub(/.*[ \t*]/, "", member)
				place = $0
				sub(/.*\/\*[ \t]*/, "", place)
				split(place, at, /[ \t]+/)
				# A pointer has the size of those in the program.
				declared = $0
				sub(/\/\*.*/, "", declared)
				if (declared ~ /\*/)
					print "PLACE(" name ", " member ", " at[1] ")"
				else
					print "OFFSET(" name ", " member ", " at[1] ", " at[2] ")"
			}
			/\/\* size:/ {
				match($0, /size: [0-9]+/)
				print "SIZE(" name ", " substr($0, RSTART + 6, RLENGTH - 6) ")"
			}'
	done
	constants
}

# constants: the value of every enumerator and of every macro that is a number
constants() {
	local name names

	# shellcheck disable=SC2086 # several words
	names=$(sed -nE -e 's/^[[:space:]]+(KCUCKOO_[A-Z0-9_]+)[[:space:]]*=.*/\1/p' \
		-e 's/^#define ((XT_)?KCUCKOO_[A-Z0-9_]+)[[:space:]]+[^"]*$/\1/p' $headers)
	{
		echo '#include <stdio.h>'
		echo '#include <linux/netfilter/xt_kcuckoo.h>'
		echo 'int main(void) {'
		for name in $names; do
			printf 'printf("VALUE(%%s, 0x%%llx)\\n", "%s", (unsigned long long)%s);' \
			       "$name" "$name"
		done
		echo 'return 0; }'
	} >"$scratch/constants.c"
	gcc -Iuapi -o "$scratch/constants" "$scratch/constants.c" || exit 1
	"$scratch/constants"
}

if [ "$1" = --write ]; then
	record >"$scratch/layout.h"
	cp "$scratch/layout.h" "$record"
	exit
fi

failed=0
record >"$scratch/layout.h"
grep '^#error' "$scratch/layout.h" && failed=1
diff -u --label recorded --label now "$record" "$scratch/layout.h" || failed=1

cat >"$scratch/layout.c" <<'END'
#include <linux/netfilter/xt_kcuckoo.h>
#define OF(s, m) __builtin_offsetof(struct s, m)
#define PLACE(s, m, o) _Static_assert(OF(s, m) == o, #s "." #m);
#define SIZE(s, n) _Static_assert(sizeof(struct s) == n, #s);
#define OFFSET(s, m, o, n) \
	_Static_assert(OF(s, m) == o && sizeof(((struct s *)0)->m) == n, #s "." #m);
#define VALUE(v, n) _Static_assert((unsigned long long)(v) == n, #v);
#include "layout.h"
END
for mode in -m32 -m64; do
	clang "$mode" -std=gnu11 -Iuapi -I"$top/selftests/harness/lint" \
		-idirafter /usr/include/x86_64-linux-gnu \
		-fsyntax-only "$scratch/layout.c" || failed=1
done
exit "$failed"
