#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Proof that every check can fail. Each has a small tree that it passes; each fault below is
# put into such a tree, and the check must find it there, although it has just passed and
# that is kept. TAP.

# shellcheck source=selftests/harness/lint/tree.sh
. "$(dirname "$0")/tree.sh"

number=0
failed=0
tree=$scratch/tree
contract=(uapi/linux/kcuckoo.h uapi/linux/netfilter/xt_kcuckoo.h)

# The module and the command in small: files of some of their floors.
core=kmod/core/core.c
device=kmod/dev/device.c
hook=kmod/net/nf_hook.c
input=userspace/cli/input/input.c

# write FILE: stdin, in the tree.
write() {
	mkdir -p "$(dirname "$tree/$1")"
	cat >"$tree/$1"
}

# take FILE...: from the tree under check, as they are.
take() {
	cp --parents "$@" "$tree"
}

# sources FILE...: with a line each that all checks of style pass.
sources() {
	local file comment

	for file; do
		case $file in
		*.h) comment='/* SPDX-License-Identifier: GPL-2.0-only */' ;;
		*) comment='// SPDX-License-Identifier: GPL-2.0-only' ;;
		esac
		printf '%s\n' "$comment" | write "$file"
	done
}

sound_floors() {
	sources $core kmod/core/core.h kmod/core/table.h kmod/filter/filter.h kmod/net/nf_hook.h \
		$device kmod/dev/device.h kmod/main.c $hook $input userspace/cli/keys/keys.h
	echo '#include "core/core.h"' >>"$tree/kmod/core/table.h"
	echo '#include "core/core.h"' >>"$tree/$hook"
	echo '#include "dev/device.h"' >>"$tree/kmod/main.c"
}

sound_walks() {
	write $core <<-'END'
		int core_number(int key) { return key; }
		static inline int core_key(int key) { return core_number(key); }
		int (*const core_call)(int key) = core_key;
	END
	write kmod/README.md <<-'END'
		# A walk

		    the kernel => core_key() -> core_number()
	END
}

sound_build() {
	write Kbuild <<-END
		obj-m := stray.o
		stray-y := ${device%.c}.o ${core%.c}.o
	END
	write $core <<-'END'
		// SPDX-License-Identifier: GPL-2.0-only
		int core_number(void);
		int core_number(void)
		{
			return 0;
		}
	END
	write $device <<-'END'
		// SPDX-License-Identifier: GPL-2.0-only
		#include <linux/module.h>
		int core_number(void);
		int device_number(void);
		int device_number(void)
		{
			return core_number();
		}
		MODULE_LICENSE("GPL");
		MODULE_DESCRIPTION("nothing");
	END
}

sound_compat() {
	take kmod/compat.h
}

sound_checkpatch() {
	sources $device
	take selftests/harness/lint/checkpatch.exceptions
}

sound_documentation() {
	sources $device
}

sound_layout() {
	take "${contract[@]}" selftests/harness/lint/layout.h
}

sound_header() {
	take "${contract[@]}"
}

sound_heads() {
	write $device <<-'END'
		// SPDX-License-Identifier: GPL-2.0-only
		/*
		 * Operations: each checks its argument, and works on a filter.
		 */
	END
	write userspace/sound.sh <<-'END'
		#!/bin/sh
		# SPDX-License-Identifier: GPL-2.0-only
		#
		# sound.sh FILE: print how many lines a list has.
	END
}

sound_ioctl() {
	take "${contract[@]}"
}

sound_syzkaller() {
	take "${contract[@]}" selftests/harness/lint/layout.h selftests/soak/fuzz/kcuckoo.txt kmod/filter/snapshot.h
}

sound_shell() {
	# shellcheck disable=SC2016 # the script's
	printf '#!/bin/sh\necho "$1"\n' | write sound.sh
}

sound_manual() {
	write sound.8 <<-'END'
		.Dd January 1, 2026
		.Dt SOUND 8
		.Os
		.Sh NAME
		.Nm sound
		.Nd nothing
	END
}

sound_binary() {
	sources $device
}

sound_length() {
	sources $device
	echo '# kcuckoo' | write README.md
	printf '## Nouns\n\n| term | meaning |\n|---|---|\n' | write kmod/README.md
}

sound_spelling() {
	echo nothing | write sound.txt
}

sound_words() {
	write $device <<-'END'
		// SPDX-License-Identifier: GPL-2.0-only
		/* At least one, at most two: intelligible, and no identifier. */
		static const char text[] = "at most one";
		int almost(void) { return text[0] ? so : many; }
	END
}

# result NAME COMMAND...: with what the check said if the command fails.
result() {
	local name=$1

	shift
	number=$((number + 1))
	if "$@"; then
		echo "ok $number $name"
	else
		failed=$((failed + 1))
		sed 's/^/# /' "$scratch/output"
		echo "not ok $number $name"
	fi
}

# run CHECK: on the small tree, with passes kept for the time of this proof.
run() {
	LINT_TREE=$tree LINT_KEPT=$scratch/kept "$lint/$1.sh" >"$scratch/output" 2>&1
}

# finds CHECK WORDS: does it fail, and say WORDS?
finds() {
	! run "$1" && grep -q -e "$2" "$scratch/output"
}

# fault CHECK FILE TEXT WORDS WHAT: with TEXT at the end of FILE, in its small tree, CHECK
# must fail and say WORDS.
last_check=
fault() {
	local check=$1 file=$2 text=$3 words=$4 what=$5

	if [ "$check" != "$last_check" ]; then
		rm -rf "$tree"
		mkdir "$tree"
		"sound_$check"
		git -C "$tree" init -q
		result "$check passes without a fault" run "$check"
		last_check=$check
	fi
	cp -a "$tree" "$scratch/sound"
	mkdir -p "$(dirname "$tree/$file")"
	printf '%b\n' "$text" >>"$tree/$file"
	result "$check finds $what" finds "$check" "$words"
	rm -rf "$tree"
	mv "$scratch/sound" "$tree"
}

echo "TAP version 13"
fault floors kmod/odd/stray.c '' 'odd/ is not a floor' 'a folder that is not a floor'
fault floors "$core" '#include <linux/slab.h>' 'the core includes <linux/slab.h>' \
	'a header that the core must not know'
fault floors "$core" 'void s(void) { kfree(0); }' 'kfree does not belong' \
	'allocation in the core'
fault floors "$core" 'spinlock_t stray;\nvoid s(void) { spin_lock(&stray); }' \
	'spin_lock does not belong' 'a lock in the core'
fault floors "$core" '#include "filter/filter.h"' 'of the higher floor filter' \
	'a file of the module that includes from a higher floor'
fault floors "$input" '#include "keys/keys.h"' 'of the higher floor keys' \
	'a file of the command that includes from a higher floor'
fault floors "$input" '#include "stray.h"' 'in no folder' 'a header that no folder has'
fault floors kmod/core/core.h '#include "core/table.h"' 'in a circle' \
	'files that include each other'
fault floors "$hook" 'extern void __user *stray;' '__user does not belong' \
	'user memory in the hook'
fault floors "$device" 'struct sk_buff *stray;' 'sk_buff does not belong' \
	'a packet in the device'
fault floors "$device" '#include "net/nf_hook.h"' 'another door' \
	'a door that includes another'
fault floors kmod/xt_kcuckoo.c '#include "core/core.h"' 'not kmod/kcuckoo.h alone' \
	'what is inside kcuckoo.ko in xt_kcuckoo.ko'
fault floors "$device" '#if LINUX_VERSION_CODE\n#endif' \
	'LINUX_VERSION_CODE does not belong' \
	'a test of the kernel version outside compat.h'
fault walks kmod/README.md '    core_key() -> core_stray()' \
	'core_stray() is no function' 'a walk with an unknown function'
fault walks kmod/README.md '    core_number() -> core_key()' \
	'core_number() does not call core_key()' 'a walk with a call that is none'
fault walks kmod/README.md '    core_key() => core_number()' \
	'nothing takes the address of core_number()' 'a pointer that does not exist'
fault build "$device" 'int stray(void)\n{\n\treturn 0;\n}' 'no previous prototype' \
	'a missing prototype'
fault build "$device" \
	'int stray(int __user *p);\nint stray(int __user *p)\n{\n\treturn *p;\n}' \
	'noderef' 'a read of user memory'
fault build "$core" \
	'int device_number(void);\nint core_other(void);\nint core_other(void)\n{\n\treturn device_number();\n}' \
	'in a circle' 'files that call each other'
fault compat kmod/compat.h \
	'#define kcuckoo_version_has_rxq(version) ((version) > 0)' \
	'6.1.114' 'kernels on which XDP programs would crash'
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
fault heads kmod/stray.c '// SPDX-License-Identifier: GPL-2.0-only\n#include <linux/bits.h>' \
	'stray.c: does not begin with a comment' 'a file without a comment at its head'
fault heads kmod/stray.h '/**\n * struct stray - a structure without any member\n */' \
	'stray.h: does not begin with a comment' 'a comment that is that of a structure'
fault heads userspace/cli/cmd/load.c '/*\n * kcuckoo: load\n */' 'load.c: the head adds' \
	'a label alone'
fault heads kmod/filter/snapshot_save.c '/*\n * Saving the snapshots of a filter.\n */' \
	'save.c: the head adds' 'a sentence that repeats the name of its file'
fault heads userspace/stray.sh '#!/bin/sh\n#\n# stray.sh FILE' 'stray.sh: the head adds' \
	'a script that says only how it is called'
fault heads kmod/stray.c '// Which packets does a rule drop before others see them?' \
	'begins with a question' 'a question at the head'
fault heads kmod/stray.c "/*\n *$(printf ' word%s' {1..30})\n */" 'characters, at most 160' \
	'a long first sentence'
fault ioctl uapi/linux/kcuckoo.h \
	'#undef KCUCKOO_IOC_MAGIC\n#define KCUCKOO_IOC_MAGIC 0xcf' 'fs/cifs' \
	'a number of calls that another driver has'
fault syzkaller uapi/linux/kcuckoo.h \
	'#define KCUCKOO_IOC_STRAY _IO(KCUCKOO_IOC_MAGIC, 0x7f)' 'KCUCKOO_IOC_STRAY' \
	'a call that is not described'
fault syzkaller selftests/soak/fuzz/kcuckoo.txt 'type kcuckoo_cursor array[int8, 15]' \
	'kcuckoo_cursor is not as long' 'a size that is wrong'
fault shell stray.sh "#!/bin/sh\nrm \$1" 'SC2086' 'a variable without quotes'
fault shell stray "#!/bin/bash\nrm \$1" 'SC2086' 'a script without a suffix'
fault manual stray.8 '.Sh STRAY' 'stray.8' 'a broken page'
fault binary kmod/stray '\0ELF' 'kmod/stray: empty, or not text' 'a program'
fault length kmod/stray.h "$(printf '\\n%.0s' {1..901})" '902 lines' 'a long file'
fault length README.md "$(printf 'x%.0s' {1..101})" 'README.md:2: 101 columns' \
	'a long line of the README'
fault length README.md "$(printf '\\n%.0s' {1..150})" '152 lines' 'a long README'
fault length kmod/README.md "$(printf '| %s | noun |\\n' {1..41})" '41 nouns' \
	'more nouns than a reader keeps in mind'
fault spelling stray.txt 'rec''ieve' 'receive' 'a wrong word'
fault words "$device" '/* The caller is told. */' 'device.c:5: "told"' \
	'a word in a comment that readers do not know'
fault words "$device" '/*\n * There are so\n * many.\n */' 'device.c:6: "so many"' \
	'two words in two lines of a comment'
fault words "$device" 'int kcuckoo_tell(void);' '"tell"' 'a word in an identifier'
fault words "$device" 'int stray_most;' '"most": max' 'an identifier with most for max'
fault words README.md 'whoever' 'README.md:1: "whoever"' 'a word in the README'
fault words sound.8 'beside' 'sound.8:1: "beside"' 'a word in a manual page'

# What a check that passed depends on besides its files.
rm -rf "$tree"
mkdir "$tree" "$scratch/bin"
sound_shell
git -C "$tree" init -q
# A tool that counts how often it is used, and passes or fails.
tool() {
	printf '#!/bin/bash\necho used >>%q\nexit %s\n' "$scratch/used" "$1" \
		>"$scratch/bin/shellcheck"
	chmod +x "$scratch/bin/shellcheck"
}
used() {
	PATH=$scratch/bin:$PATH run shell
	[ "$(wc -l <"$scratch/used")" = "$1" ]
}
tool 0
result "a check runs where nothing is kept" used 1
result "... and not again where nothing changed" used 1
tool 1
result "another tool has it run" used 2
result "... and that it failed is not kept" used 3
tool 0
result "the first one again needs no run" used 3
mkdir "$scratch/lint"
cp "$lint"/*.sh "$scratch/lint"
echo '# another rule' >>"$scratch/lint/shell.sh"
lint=$scratch/lint
result "another rule has it run" used 4
# shellcheck disable=SC2016 # the script's
printf '#!/bin/sh\necho "$2"\n' | write sound.sh
result "another file has it run" used 5
echo "1..$number"
[ "$failed" -eq 0 ]
