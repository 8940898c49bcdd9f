#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# confirm: a change that is not confirmed in time is undone, whatever becomes of the command.

# shellcheck source=selftests/tools/cli/harness.sh
. "$(dirname "$0")/harness.sh"

pending=/run/kcuckoo/confirm

# A filter with a rule, and a change of both that waits for T.
changed() {
	k confirm 2>/dev/null
	k -q create bl timeout 1d
	k -q add bl 192.0.2.0/24
	k -q attach bl hook input
	k confirm within "$1" bl new
	status_is 0
	err_has "unless 'kcuckoo confirm' follows"
	k -q add bl 198.51.100.1
	k -q del bl 192.0.2.0/24
	k -q detach bl
	k -q attach bl hook forward action count
	k -q create new
	k -q attach new
}

undone() {
	k -q test bl 192.0.2.0/24
	status_is 0
	k -q test bl 198.51.100.1
	status_is 1
	k list
	out_is bl
	k -j rules
	[ "$(grep -c '"hook"' "$scratch/out")" = 1 ] || complain "rules: $out"
	[[ $out == *'"input"'*'"drop"'* ]] || complain "rules: $out"
	[ ! -e $pending ] || complain "$pending is left"
}

not_undone() {
	k -q test bl 198.51.100.1
	status_is 0
	k list
	out_is $'bl\nnew'
	[ ! -e $pending ] || complain "$pending is left"
}

# await_end: until no change waits.
await_end() {
	for _ in {1..300}; do
		[ -e $pending ] || break
		sleep 0.1
	done
}

test_expired() { # after the time all is as before, without a command that waits
	changed 3
	await_end
	undone
}

test_session() { # the end of the session, with kill -9 for all of it, changes nothing
	changed 1h
	k confirm undo
	undone
	reset
	k -q create bl timeout 1d
	k -q add bl 192.0.2.0/24
	k -q attach bl hook input
	setsid bash -c 'kcuckoo -q confirm within 6 bl new; kcuckoo -q add bl 198.51.100.1
		kcuckoo -q create new; kill -9 0'
	k -q test bl 198.51.100.1
	status_is 0
	await_end
	undone
}

test_confirmed() { # what is confirmed stays
	changed 4
	k confirm
	status_is 0
	err_has confirmed
	sleep 6
	not_undone
	k confirm
	refused 'no change waits'
	k confirm undo
	refused 'no change waits'
	k confirm undo 0123456789abcdef
	status_is 0
}

test_later() { # the timer of a confirmed change does not undo the next one
	changed 3
	k confirm
	k confirm within 1h bl new
	status_is 0
	sleep 5
	[ -d $pending ] || complain "the second change does not wait any more"
	k confirm
	status_is 0
	not_undone
}

test_one() { # only one change waits
	changed 1h
	k confirm within 1h bl
	refused 'another change waits' 'kcuckoo confirm'
	[ "$(stat -c %a $pending)" = 700 ] || complain "mode of $pending"
	k confirm undo
	status_is 0
	undone
}

# apply_from ADDRESS OPTION...: make bl equal to a list of one address.
apply_from() {
	echo "$1" >"$scratch/list"
	shift
	k apply bl "$scratch/list" --keep-own --bogons "$@"
}

test_apply() { # apply --confirm: what is not confirmed is undone, what is confirmed stays
	k -q create bl
	k -q add bl 192.0.2.1
	apply_from 192.0.2.2 --confirm 2
	status_is 0
	err_has "unless 'kcuckoo confirm' follows within 2 s, the change of 'bl' will be undone"
	k list bl
	out_is 192.0.2.2
	await_end
	k list bl
	out_is 192.0.2.1
	apply_from 192.0.2.2 --confirm 2
	k confirm
	status_is 0
	sleep 4
	k list bl
	out_is 192.0.2.2
	reset
	apply_from 192.0.2.3 --confirm 1h
	status_is 0
	k confirm undo
	k list
	out_is ''
}

test_apply_nothing() { # apply --confirm that fails or changes nothing leaves nothing to undo
	apply_from 192.0.2.2
	apply_from 192.0.2.2 --confirm 1h
	status_is 0
	[ ! -e $pending ] || complain "$pending is left"
	apply_from 192.0.2.3 --confirm 1h --min 2
	status_is 2
	[ ! -e $pending ] || complain "$pending is left"
	apply_from 192.0.2.3 --confirm 0
	refused 'at least one second'
	apply_from 192.0.2.3 --confirm 1h --dry-run
	refused '--confirm and --dry-run cannot be combined'
	k confirm within 1h bl
	apply_from 192.0.2.3 --confirm 1h
	refused 'another change waits' 'kcuckoo confirm'
	k list bl
	out_is 192.0.2.2
	[ -d $pending ] || complain "the change that waits was forgotten"
	k confirm
	status_is 0
}

test_apply_default() { # apply --confirm without a time gives two minutes, wherever it stands
	apply_from 192.0.2.2 --confirm
	status_is 0
	err_has "within 120 s, the change of 'bl' will be undone"
	k confirm
	k apply --confirm bl "$scratch/list" --keep-own --bogons
	status_is 0
	echo 192.0.2.3 >"$scratch/list"
	k apply --confirm=5m bl "$scratch/list" --keep-own --bogons
	status_is 0
	err_has 'within 300 s'
	k confirm
	echo 192.0.2.4 >"$scratch/list"
	k apply --confirm 6m bl "$scratch/list" --keep-own --bogons
	status_is 0
	err_has 'within 360 s'
	k confirm
	apply_from 192.0.2.5 --confirm=
	refused confirm
	apply_from 192.0.2.5 --confirm 5x
	refused confirm
	k list bl
	out_is 192.0.2.4
}

test_apply_killed() { # kill -9 of apply after the exchange: the old members are back in time
	local pipe process

	k -q create bl
	k -q add bl 192.0.2.1
	echo 192.0.2.2 >"$scratch/list"
	# A full pipe stops the command at its first message, which follows the exchange.
	mkfifo "$scratch/pipe"
	exec {pipe}<>"$scratch/pipe"
	dd if=/dev/zero of="$scratch/pipe" oflag=nonblock bs=4096 count=16 2>/dev/null
	kcuckoo apply bl "$scratch/list" --keep-own --bogons --confirm 6 2>&"$pipe" &
	process=$!
	for _ in {1..300}; do
		kcuckoo -q test bl 192.0.2.2 && break
		sleep 0.1
	done
	kill -9 $process
	status=0
	wait $process || status=$?
	[ $status = 137 ] || complain "apply ended with $status before it was killed"
	exec {pipe}>&-
	k list bl
	out_is 192.0.2.2
	await_end
	k list bl
	out_is 192.0.2.1
}

test_rules() { # a rule that was changed is replaced: no packet passes in between
	ip link add cf0 type dummy
	k -q create bl
	k -q attach bl hook ingress dev 'cf*' --wait
	k -q attach bl hook input
	k confirm within 1h bl
	k -q detach bl hook ingress
	k -q detach bl hook input
	k -q attach bl hook ingress dev cf0
	k -q attach bl hook input action count
	k confirm undo
	status_is 0
	k -j rules
	[ "$(grep -c '"hook"' "$scratch/out")" = 2 ] || complain "rules: $out"
	[[ $out == *'"cf*"'* && $out != *'"count"'* ]] || complain "rules: $out"
	ip link add cf1 type dummy
	k -j rules
	[[ $out == *'"cf1"'* ]] || complain "rules: $out"
	ip link del cf0
	ip link del cf1
}

test_gone() { # a rule whose device is gone stays away, and all else is as before
	local early=(hook xdp dev cf0 mode generic)

	[ -n "$has_xdp" ] || early=(hook ingress dev cf0)
	ip link add cf0 type dummy
	k -q create bl
	k -q attach bl "${early[@]}"
	status_is 0
	k -q attach bl hook input
	k confirm within 1h bl
	k -q detach bl hook input
	ip link del cf0
	k confirm undo
	status_is 0
	err_has 'there is no device cf0 any more'
	k -j rules
	[ "$(grep -c '"hook"' "$scratch/out")" = 1 ] || complain "rules: $out"
	[[ $out == *'"input"'* ]] || complain "rules: $out"
	[ ! -e $pending ] || complain "$pending is left"
}

test_managed() { # a filter that a configuration made belongs to the configuration again
	printf '[filter bans]\ntimeout = 1h\n' >"$scratch/a.conf"
	KCUCKOO_STATE=$scratch KCUCKOO_RUN=$scratch k apply --config "$scratch"
	status_is 0
	k -q add bans 192.0.2.1
	k confirm within 1h bans
	k -q destroy bans
	k confirm undo
	status_is 0
	k list
	out_is 'bans managed'
	k -q test bans 192.0.2.1
	status_is 0
}

test_namespaces() { # a change of one network namespace is undone there, and in no other one
	local name

	ip netns add cf-a
	k -q create bl
	k -q add bl 192.0.2.5
	k -q -n cf-a create bl
	k -q -n cf-a add bl 192.0.2.6
	k -n cf-a confirm within 1h bl
	status_is 0
	k -q -n cf-a add bl 192.0.2.7
	k confirm undo
	refused 'the change was made in namespace cf-a' "'kcuckoo -n cf-a confirm undo'"
	members_are 192.0.2.5
	k -n cf-a list bl
	out_is $'192.0.2.6\n192.0.2.7'
	k confirm within 1h bl
	refused 'another change waits' "'kcuckoo -n cf-a confirm undo'"
	# The same namespace by another way.
	k -n /run/netns/cf-a confirm undo
	status_is 0
	k -n cf-a list bl
	out_is 192.0.2.6
	# The timer, with -n as a path, and in the namespace without -n.
	for name in "-n ../run/netns/cf-a" ''; do
		k -q -n cf-a add bl 192.0.2.7
		# shellcheck disable=SC2086 # two words or none
		(cd /tmp && ip netns exec cf-a kcuckoo -q $name confirm within 3 bl) ||
			complain "no change waits: $name"
		k -q -n cf-a add bl 192.0.2.8
		k confirm undo
		[[ $name ]] || refused 'in another network namespace' "'kcuckoo confirm undo' in that namespace"
		[[ ! $name ]] || refused "'kcuckoo -n /run/netns/cf-a confirm undo'"
		await_end
		k -n cf-a list bl
		out_is $'192.0.2.6\n192.0.2.7'
		members_are 192.0.2.5
	done
	# A change of the first namespace.
	k confirm within 1h bl
	k -q add bl 192.0.2.9
	k -n cf-a confirm undo
	refused 'in another network namespace'
	k confirm undo
	status_is 0
	members_are 192.0.2.5
	# To keep a change changes no filter.
	k -n cf-a confirm within 1h bl
	k confirm
	status_is 0
	[ ! -e $pending ] || complain "$pending is left"
	ip netns del cf-a
}

test_fails() { # where the state cannot be kept, nothing waits; what fails can be repeated
	changed 1h
	mv $pending/bl.kcf $pending/aside
	k confirm undo
	refused "$pending/bl.kcf"
	k list
	out_is bl
	mv $pending/aside $pending/bl.kcf
	k confirm undo
	status_is 0
	undone
}

test_damaged() { # a saved state that is damaged changes nothing
	local file

	changed 1h
	for file in names rules; do
		cp $pending/$file "$scratch/$file"
		printf x >>$pending/$file
		k confirm undo
		refused "$pending/$file is damaged"
		k list
		out_is $'bl\nnew'
		k -q test bl 198.51.100.1
		status_is 0
		cp "$scratch/$file" $pending/$file
	done
	printf '+\n' >$pending/names
	k confirm undo
	refused "$pending/names is damaged"
	cp "$scratch/names" $pending/names
	k confirm undo
	status_is 0
	undone
}

test_decided() { # a confirm or undo that was killed is finished, and not turned into the other
	changed 1h
	: >$pending/kept
	k confirm undo
	refused 'no change waits'
	not_undone
	reset
	changed 1h
	: >$pending/undone
	k confirm
	refused 'killed while it undid the change' "'kcuckoo confirm undo'"
	k confirm undo
	status_is 0
	undone
}

test_words() { # confirm [within T NAME... | undo]
	k confirm within
	refused "'within' needs a time and filters"
	k confirm within 9
	refused "'within' needs a time and filters"
	k confirm within x bl
	refused within
	k confirm within 0 bl
	refused 'at least one second'
	k confirm within 9 'a b'
	refused 'not a valid filter name'
	k confirm maybe
	refused "unknown argument 'maybe' for 'confirm'"
	k confirm undo a b
	refused "unknown argument 'b' for 'confirm'"
	[ ! -e $pending ] || complain "$pending is left"
}

main "$0"
