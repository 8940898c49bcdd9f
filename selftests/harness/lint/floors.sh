#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The floors of the module: every file is listed in floors.table, includes
# only from its own floor or a lower one, doors do not know each other, and
# user memory, packets, allocation and locks stay where they belong.

# shellcheck source=selftests/harness/lint/tree.sh
. "$(dirname "$0")/tree.sh"
need gcc tsort cpio git

reads 'kmod/*.c' 'kmod/*.h' 'uapi/*.h' README.md selftests/harness/lint/floors.table
mapfile -t list < <(files '*')
known "${list[@]}" && exit

# What the pure core may include, besides its own floor and the contract.
core_includes="asm/byteorder.h linux/bitops.h linux/bits.h linux/build_bug.h
linux/byteorder/generic.h linux/cache.h linux/compiler.h linux/errno.h linux/jhash.h linux/siphash.h
linux/kernel.h linux/limits.h linux/log2.h linux/math.h linux/math64.h
linux/minmax.h linux/overflow.h linux/prefetch.h linux/stddef.h
linux/string.h linux/types.h asm/unaligned.h"

# What fields.h counts with, on kernels that prove locking.
fields_includes="linux/bug.h linux/irqflags.h linux/percpu.h"

# Words that a part may not say; each begins a word of the code.
core_words='k[mzcv]*alloc|kfree|kvfree|vfree|vmalloc|alloc_percpu|GFP_'
core_words+='|spin_|mutex_|rcu_|seqcount|read_seq|write_seq|schedule|cond_resched'
core_words+='|printk|pr_[a-z]+|current\b|jiffies|EXPORT_SYMBOL'
user_words='__user\b|copy_(from|to|struct_from)_user|_copy_(from|to)_user|get_user\b'
user_words+='|put_user\b|clear_user|u64_to_user_ptr|user_access|access_ok|strncpy_from_user'
packet_words='sk_buff|skb_|skb\b|xdp_buff|ip_hdr|ipv6_hdr|nf_hook_state|NF_DROP|NF_ACCEPT'
version_words='LINUX_VERSION_CODE|KERNEL_VERSION'

declare -A floor part
failed=0

complain() {
	echo "$*"
	failed=1
}

# says FILE WORDS: complain where the code of FILE has one of WORDS
says() {
	local word

	word=$(code "$1" | grep -v '^#include' |
	       grep -oEw -m 1 "($2)[A-Za-z0-9_]*" | head -n 1)
	[ -n "$word" ] && complain "$1: $word does not belong to floor" \
				    "${floor[$1]} (${part[$1]})"
}

# reaches FILE HEADER: may FILE include HEADER?
reaches() {
	local file=$1 header=$2

	if [ -z "${floor[$header]}" ]; then
		complain "$file: includes $header, which floors.table does not list"
	elif [ "${floor[$header]}" -gt "${floor[$file]}" ]; then
		complain "$file: floor ${floor[$file]} includes $header of floor" \
			 "${floor[$header]}"
	elif [ "${floor[$header]}" = 4 ] && [ "${floor[$file]}" = 4 ] &&
	     [ "${part[$header]}" != "${part[$file]}" ]; then
		complain "$file: the door ${part[$file]} includes $header of" \
			 "another door"
	fi
	# A module of its own: what kcuckoo.ko keeps inside is not for it.
	if [ "${part[$file]}" = xtables ] && [ "${part[$header]}" != contract ] &&
	   [ "$header" != kmod/kcuckoo.h ]; then
		complain "$file: includes $header, not kmod/kcuckoo.h alone"
	fi
	echo "$file $header" >>"$scratch/graph"
}

includes() {
	local file=$1 name header allowed

	while read -r name; do
		case $name in
		\"*\")
			name=${name//\"/}
			header=$(realpath -m --relative-to=. \
				 "$(dirname "$file")/$name")
			reaches "$file" "$header"
			;;
		*linux/kcuckoo.h*)
			reaches "$file" uapi/linux/kcuckoo.h
			;;
		*linux/netfilter/xt_kcuckoo.h*)
			reaches "$file" uapi/linux/netfilter/xt_kcuckoo.h
			;;
		*)
			[ "${floor[$file]}" = 1 ] || continue
			name=${name//[<>]/}
			allowed=${core_includes//$'\n'/ }
			[ "$file" != kmod/fields.h ] || allowed+=" $fields_includes"
			grep -qw "$name" <<<"$allowed" ||
				complain "$file: the core includes <$name>"
			;;
		esac
	done < <(sed -n 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*\([<"][^>"]*[>"]\).*/\1/p' \
		 "$file")
}

while read -r file number name; do
	case $file in
	''|\#*) continue ;;
	esac
	[ -e "$file" ] || complain "floors.table: $file does not exist"
	[[ $number =~ ^[0-5]$ && -n $name ]] ||
		complain "floors.table: $file: no floor or no part"
	floor[$file]=$number
	part[$file]=$name
done <"$top/selftests/harness/lint/floors.table"

: >"$scratch/graph"
while read -r file; do
	if [ -z "${floor[$file]}" ]; then
		complain "$file: not listed in selftests/harness/lint/floors.table"
		continue
	fi
	includes "$file"
	[ "${floor[$file]}" -le 1 ] && says "$file" "$core_words"
	[ "${part[$file]}" = device ] || says "$file" "$user_words"
	case ${part[$file]} in
	hook | bpf | xtables) ;;
	*) says "$file" "$packet_words" ;;
	esac
	[ "${part[$file]}" = compat ] || says "$file" "$version_words"
done < <(files 'kmod/*.c' 'kmod/*.h' 'uapi/*.h')

# README.md shows the floors to people: all files, and no others.
sed -n '/^| floor | files/,/^$/p' "$top/README.md" | sed 1,2d | cut -d'|' -f3 |
	grep -o '[a-z_.]*' | sed 's/\.h$//' | sort -u >"$scratch/shown"
files 'kmod/*.c' 'kmod/*.h' | sed 's,^kmod/,,; s/\.[ch]$//' | sort -u >"$scratch/there"
differences=$(diff "$scratch/there" "$scratch/shown") ||
	complain "README.md: the files of the floors are others:" $'\n'"$differences"

tsort <"$scratch/graph" >/dev/null 2>"$scratch/cycles" ||
	complain "the files include each other in a circle:" \
		 "$(tr '\n' ' ' <"$scratch/cycles")"
[ "$failed" = 1 ] || keep
exit "$failed"
