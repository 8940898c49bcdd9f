#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A folder is a floor. A file of the module includes only from its own folder, from a
# lower one, and from compat.h, kcuckoo.h and uapi/, which are below all; a file of the
# command only from its own or a lower folder and from the headers next to them. Doors do
# not include each other. User memory, packets, allocation and locks stay where they belong.

# shellcheck source=selftests/harness/lint/tree.sh
. "$(dirname "$0")/tree.sh"
need gcc tsort cpio git

reads 'kmod/*.c' 'kmod/*.h' 'uapi/*.h' 'userspace/cli/*.[ch]'
mapfile -t list < <(files '*')
known "${list[@]}" && exit

# The folders of the module and of the command, from the lowest to the highest. Files of
# the command outside these folders are for all of them.
module_floors=(core filter net dev)
command_floors=(input keys fetch rules conf doctor cmd)

# What the pure core may include, besides its own floor and the contract.
core_headers="asm/byteorder.h linux/bitops.h linux/bits.h linux/build_bug.h
linux/byteorder/generic.h linux/cache.h linux/compiler.h linux/errno.h linux/jhash.h linux/siphash.h
linux/kernel.h linux/limits.h linux/log2.h linux/math64.h
linux/minmax.h linux/overflow.h linux/prefetch.h linux/stddef.h
linux/string.h linux/types.h asm/unaligned.h"

# What lock_budget.h counts with, on kernels that prove locking.
lock_budget_headers="linux/bug.h linux/irqflags.h linux/percpu.h"

# Words that a part may not say; each begins a word of the code.
core_words='k[mzcv]*alloc|kfree|kvfree|vfree|vmalloc|alloc_percpu|GFP_'
core_words+='|spin_|mutex_|rcu_|seqcount|read_seq|write_seq|schedule|cond_resched'
core_words+='|printk|pr_[a-z]+|current\b|jiffies|EXPORT_SYMBOL'
user_words='__user\b|copy_(from|to|struct_from)_user|_copy_(from|to)_user|get_user\b'
user_words+='|put_user\b|clear_user|u64_to_user_ptr|user_access|access_ok|strncpy_from_user'
packet_words='sk_buff|skb_|skb\b|xdp_buff|ip_hdr|ipv6_hdr|nf_hook_state|NF_DROP|NF_ACCEPT'
version_words='LINUX_VERSION_CODE|KERNEL_VERSION'

failed=0

complain() {
	echo "$*"
	failed=1
}

# floor FILE: set floor_name and floor_number. 0 is below all; 9 is above all.
floor() {
	local folders=("${module_floors[@]}") folder

	case $1 in
	uapi/* | kmod/compat.h | kmod/kcuckoo.h) floor_name=contract floor_number=0; return ;;
	kmod/*/*) ;;
	kmod/*) floor_name=kmod floor_number=9; return ;;
	userspace/cli/*/*) folders=("${command_floors[@]}") ;;
	userspace/cli/*.h) floor_name=cli floor_number=0; return ;;
	*) floor_name=cli floor_number=9; return ;;
	esac
	floor_name=${1%/*}
	floor_name=${floor_name##*/}
	floor_number=0
	for folder in "${folders[@]}"; do
		floor_number=$((floor_number + 1))
		[ "$folder" != "$floor_name" ] || return 0
	done
	complain "$1: $floor_name/ is not a floor; these are: ${folders[*]}"
}

# says FILE WORDS: complain if the file "code", which is FILE without comments and includes,
# has one of WORDS
says() {
	local word

	word=$(grep -oEw -m 1 "($2)[A-Za-z0-9_]*" "$scratch/code" | head -n 1)
	[ -z "$word" ] || complain "$1: $word does not belong in ${1%/*}/"
}

# reaches FILE HEADER: may FILE include HEADER?
reaches() {
	local file=$1 header=$2 own=$floor_name number=$floor_number

	floor "$header"
	[ "$floor_number" -le "$number" ] ||
		complain "$file: includes $header of the higher floor $floor_name"
	case $header in
	kmod/net/nf_hook.h | kmod/dev/device.h | kmod/bpf.h)
		# The start of the module knows all doors.
		[ "$file" = kmod/main.c ] || [ "${file%.c}" = "${header%.h}" ] ||
		[ "${file%/*}" = "${header%/*}" ] ||
			complain "$file: includes $header of another door"
		;;
	kmod/kcuckoo.h | uapi/*) ;;
	*)
		# A module of its own: what kcuckoo.ko keeps inside is not for it.
		[ "$file" != kmod/xt_kcuckoo.c ] ||
			complain "$file: includes $header, not kmod/kcuckoo.h alone"
		;;
	esac
	floor_name=$own
	floor_number=$number
	echo "$file $header" >>"$scratch/graph"
}

# header FILE NAME: set path to the path of what FILE includes as NAME in quotes, or to
# nothing for a header of another part of the project.
header() {
	local root=kmod

	path=
	[[ $1 != userspace/* ]] || root=userspace/cli
	if [ -e "$root/$2" ]; then
		path=$root/$2
	elif [ $root = kmod ] || [[ $2 != ../* && $2 != kcuckoo.h ]]; then
		path=missing
	fi
}

# core_includes FILE NAME: may a file of the core include <NAME>?
core_includes() {
	local allowed=${core_headers//$'\n'/ }

	[ "$1" != kmod/core/lock_budget.h ] || allowed+=" $lock_budget_headers"
	[[ " $allowed " = *" $2 "* ]] || complain "$1: the core includes <$2>"
}

includes() {
	local file=$1 name path

	while read -r name; do
		case $name in
		\"*\")
			name=${name//\"/}
			header "$file" "$name"
			if [ "$path" = missing ]; then
				complain "$file: includes \"$name\", which is in no folder"
			elif [ -n "$path" ]; then
				reaches "$file" "$path"
			fi
			;;
		*linux/kcuckoo.h* | *linux/netfilter/xt_kcuckoo.h*)
			name=${name//[<>]/}
			reaches "$file" "uapi/$name"
			;;
		*)
			[ "$floor_name" != core ] || core_includes "$file" "${name//[<>]/}"
			;;
		esac
	done < <(sed -n 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*\([<"][^>"]*[>"]\).*/\1/p' \
		 "$file")
}

: >"$scratch/graph"
while read -r file; do
	floor "$file"
	includes "$file"
	[[ $file != userspace/* ]] || continue
	code "$file" | grep -v '^#include' >"$scratch/code"
	[ "$floor_name" != core ] || says "$file" "$core_words"
	[ "$floor_name" = dev ] || says "$file" "$user_words"
	case $floor_name in core | filter | dev) says "$file" "$packet_words" ;; esac
	[ "$file" = kmod/compat.h ] || says "$file" "$version_words"
done < <(files 'kmod/*.c' 'kmod/*.h' 'uapi/*.h' 'userspace/cli/*.[ch]')

tsort <"$scratch/graph" >/dev/null 2>"$scratch/cycles" ||
	complain "the files include each other in a circle:" \
		 "$(tr '\n' ' ' <"$scratch/cycles")"
[ "$failed" = 1 ] || keep
exit "$failed"
