#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Limits that a command exceeds: the message says which limit it is, its value, the present use,
# and what raises it.

# shellcheck source=selftests/tools/cli/harness.sh
. "$(dirname "$0")/harness.sh"

: >"$scratch/nothing"
mount --bind "$scratch/nothing" /etc/resolv.conf
trap 'umount /etc/resolv.conf; rm -rf "$scratch"' EXIT

export KCUCKOO_STATE=$scratch/state KCUCKOO_RUN=$scratch/run
etc=$scratch/etc
parameters=/sys/module/kcuckoo/parameters
mkdir "$etc"

# with PARAMETER VALUE COMMAND...: run the command while a parameter of the module has the value
with() {
	local parameter=$parameters/$1 before

	before=$(<"$parameter")
	echo "$2" >"$parameter"
	"${@:3}"
	echo "$before" >"$parameter"
}

# used: memory of all filters, in bytes
used() {
	[[ $(kcuckoo -j stats) =~ \"memory_bytes\":\ ([0-9]+) ]]
	echo "${BASH_REMATCH[1]}"
}

test_names() { # filters, and names that rules wait for: max_filters
	local what="2 filters and names that rules wait for, and the limit max_filters is 2"
	local raise="'echo NUMBER >$parameters/max_filters' raises the limit"

	k -q create bl
	k -q attach later
	k save bl "$scratch/bl.kcf"
	with max_filters 2 k create more
	refused "cannot create 'more': there are $what" "$raise"
	with max_filters 2 k restore "$scratch/bl.kcf" as more
	refused "$what" "$raise"
	with max_filters 2 k -q attach more
	refused "cannot attach 'more': there are $what" "$raise"
	with max_filters 2 k -q attach bl allow more
	refused "cannot attach 'bl': there are $what" "$raise"
	printf '[filter more]\n[rule wan]\nfilter = even\n' >"$etc/a.conf"
	printf '[filter even]\n' >>"$etc/a.conf"
	with max_filters 2 k apply --config "$etc"
	status_is 2
	err_has "$what" "$raise"
	# A name that exists needs no other.
	with max_filters 2 k attach bl
	status_is 0
}

test_memory() { # memory of all filters: max_bytes
	local raise="'echo BYTES >$parameters/max_bytes' raises the limit" limit

	seq -f '45.0.%g.1' 0 255 >"$scratch/list"
	seq -f '45.1.%g.1' 0 255 >>"$scratch/list"
	k -q create bl
	k add bl 45.0.0.1
	limit=$(used)
	with max_bytes "$limit" k -q load bl "$scratch/list"
	status_is 2
	err_has "cannot add to 'bl': it needs more kernel memory than the limit max_bytes allows" \
		'the filters use ' "$raise"
	with max_bytes "$limit" k -q apply bl "$scratch/list"
	status_is 2
	err_has 'than the limit max_bytes allows' "$raise"
	# The number of names is another limit, and a filter with the name needs none.
	with max_filters 1 with max_bytes "$limit" k -q load bl "$scratch/list"
	err_has 'the limit max_bytes' "$raise"
	with max_bytes 1 k create more
	refused "cannot create 'more'" 'the limit max_bytes allows, 1 bytes' "$raise"
}

test_members() { # of a filter made by hand, and of one of a configuration: its capacity
	local configured="set a larger capacity in its section of the configuration"

	seq -f '192.0.2.%g' 1 5 >"$scratch/list"
	k -q create bl capacity 4
	k -q load bl "$scratch/list"
	status_is 2
	err_has "'bl' is full: it has 4 members and a capacity of 4" 'NAME2 capacity N' 'swap bl NAME2'
	k -q apply bl "$scratch/list"
	refused "'bl' holds at most 4 members, and the result would have more" 'swap bl NAME2'
	printf '%s\n' '[filter own]' 'capacity = 4' "list = $scratch/list" >"$etc/a.conf"
	k -q apply --config "$etc"
	status_is 1
	err_has "'own' holds at most 4 members" "$configured"
	printf '%s\n' '[filter own]' 'capacity = 4' >"$etc/a.conf"
	k -q apply --config "$etc"
	k -q load own "$scratch/list"
	status_is 2
	err_has "'own' is full" "$configured"
	err_has_not 'swap own'
}

test_fingerprints() { # of filters whose tables do not grow
	seq -f '192.0.2.%g' 1 200 >"$scratch/list"
	seq -f '198.51.100.%g' 1 200 >"$scratch/other"
	k -q create bl fpr 1% capacity 200
	k -q load bl "$scratch/list"
	k -q create other like bl
	k -q load other "$scratch/other"
	k merge bl other
	refused "the keys of 'other' do not fit into 'bl', which has a capacity of 200" \
		'larger capacity'
	cat "$scratch/list" "$scratch/other" "$scratch/list" | sed 's/^198/203/' >"$scratch/both"
	seq -f '203.0.113.%g' 1 200 >>"$scratch/both"
	k -q apply bl "$scratch/both"
	refused "the keys do not fit into 'bl', which has a capacity of 200" 'larger capacity'
}

test_rules() { # of a namespace: a rule with a pattern counts once for each of its devices
	local devices=512 rules=32 i
	local fixed='this limit is fixed; a rule with a pattern counts once for each'

	for ((i = 0; i < devices; i++)); do
		echo "link add kd$i type dummy"
	done | ip -batch -
	for ((i = 1; i < rules; i++)); do
		kcuckoo -q attach "f$i" hook ingress dev 'kd*' --wait 2>/dev/null
	done
	kcuckoo -q attach f0 hook ingress dev 'lo*' --wait 2>/dev/null
	k stats
	[[ $out == *"rules    $((devices * (rules - 1) + 1)) of at most 16384"* ]] || complain "$out"
	k -q attach last hook ingress dev 'kd*' --wait
	refused "cannot attach 'last': there are 15873 rules, this one counts as 512, and the limit is 16384" \
		"$fixed" "'kcuckoo rules' shows the rules"
	printf '%s\n' '[filter last]' '[rule wan]' 'filter = last' 'hook = ingress' 'dev = kd*' \
		>"$etc/a.conf"
	k apply --config "$etc"
	status_is 2
	err_has "rule wan: cannot attach 'last'" 'this one counts as 512' "$fixed"
	k doctor
	[[ $out == *'there are 15873 rules, and the limit is 16384'* ]] || complain "$out"
	k -q detach --all
	for ((i = 0; i < devices; i++)); do
		echo "link del kd$i"
	done | ip -batch -
}

test_hooks() { # functions of all programs at a hook
	local i

	{
		echo 'add table ip many'
		for ((i = 0; i < 1024; i++)); do
			echo "add chain ip many c$i { type filter hook forward priority 0; }"
		done
	} >"$scratch/many.nft"
	nft -f "$scratch/many.nft"
	k -q attach bl hook forward
	refused "cannot attach 'bl': the kernel calls at most 1024 functions of all programs at one hook" \
		"'nft list hooks'"
	nft delete table ip many
	k -q attach bl hook forward
	status_is 0
}

test_programs() { # that get events of a namespace
	local processes=() i

	for ((i = 0; i < 64; i++)); do
		kcuckoo -v monitor >/dev/null 2>"$scratch/monitor.$i" &
		processes+=($!)
	done
	for ((i = 0; i < 64; i++)); do
		until grep -q waiting "$scratch/monitor.$i"; do nap 0.1; done
	done
	k monitor
	refused '64 programs get events of this namespace, and the limit is 64'
	kill "${processes[@]}"
	wait "${processes[@]}"
}

main "$0"
