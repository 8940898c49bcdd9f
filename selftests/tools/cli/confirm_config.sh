#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# apply --confirm without operands: a configuration that is not confirmed in time is undone, with its
# filters, rules and files, and neither a reboot nor a timer applies it again.

# shellcheck source=selftests/tools/cli/harness.sh
. "$(dirname "$0")/harness.sh"

shopt -s extglob globstar dotglob nullglob

: >"$scratch/nothing"
mount --bind "$scratch/nothing" /etc/resolv.conf
# The next program mounts a file there, too.
trap 'umount /etc/resolv.conf; ip link del kf0 2>/dev/null; rm -rf "$scratch"' EXIT

export KCUCKOO_STATE=$scratch/state KCUCKOO_RUN=$scratch/run
pending=/run/kcuckoo/confirm

# apply old|new OPTION...
apply() {
	k apply --config "$scratch/etc.$1" --max-shrink 100 "${@:2}"
}

# fast FILTER DEV: print a rule of hook xdp
fast() {
	printf '%s\n' '[rule fast]' "filter = $1" 'hook = xdp' "dev = $2" 'mode = generic'
}

# begin: the configuration "old" is applied, and "new" differs in all kinds of things. In $seconds a
# change can be applied and looked at, however busy the host is: this takes about as long.
begin() {
	local start=${EPOCHREALTIME/[.,]/}

	k -q confirm 2>/dev/null
	rm -rf "${KCUCKOO_STATE:?}" "${KCUCKOO_RUN:?}"
	mkdir -p "$scratch/etc.old" "$scratch/etc.new"
	ip link del kf0 2>/dev/null
	ip link add kf0 type dummy
	printf '%s\n' 45.0.0.1 45.0.0.2 >"$scratch/old.list"
	printf '%s\n' 45.0.0.2 45.0.0.3 >"$scratch/new.list"
	printf '%s\n' 45.0.1.1 >"$scratch/same.list"
	cat >"$scratch/etc.old/a.conf" <<-END
		[filter bad]
		list = $scratch/same.list
		[filter bans]
		timeout = 1h
		keep = yes
		[filter first]
		list = $scratch/old.list
		[filter grows]
		timeout = 1h
		[rule wan]
		filter = bad bans
		hook = ingress
		dev = kf0 kc*
		[rule in]
		filter = first
		hook = input
	END
	cat >"$scratch/etc.new/a.conf" <<-END
		[filter bad]
		list = $scratch/new.list
		[filter bans]
		timeout = 1h
		keep = yes
		[filter grows]
		timeout = 2h
		[filter second]
		list = $scratch/new.list
		[rule wan]
		filter = bad bans
		hook = ingress
		dev = kf0 kd*
		action = count
		[rule out]
		filter = second
		hook = output
		match = dst
	END
	if [ -n "$has_xdp" ]; then
		fast bad kf0 >>"$scratch/etc.old/a.conf"
		fast second 'kf*' >>"$scratch/etc.new/a.conf"
	fi
	apply old
	status_is 0
	k -q add bans 192.0.2.1
	k -q add grows 192.0.2.2
	seconds=$((3 + 2 * (${EPOCHREALTIME/[.,]/} - start) / 1000000))
}

# record NAME: all filters with their members, all rules, and all files of the state. The shell
# itself does most of it, because a process takes long to start in the machine.
record() {
	local item text path
	local -a lines

	{
		mapfile -t lines < <(kcuckoo list | sort)
		printf '%s\n' "${lines[@]}"
		for item in "${lines[@]%% *}"; do
			kcuckoo -j info "$item" >"$scratch/text"
			text=$(<"$scratch/text")
			text=${text#*'"timeout": '}
			echo "filter $item timeout ${text%%[^0-9]*}"
			kcuckoo list "$item" >"$scratch/text"
			text=$(<"$scratch/text")
			printf '%s\n' "${text// timeout*([^$'\n'])/}"
		done
		mapfile -t lines < <(kcuckoo -j rules | grep -o '{.*}' | sort)
		printf '%s\n' "${lines[@]//', "'@(packets|bytes)'": '*([0-9])/}"
		# The addresses that the host needed are no part of the configuration. The device
		# gets another number each time.
		for path in "$scratch"/{state,run}/**; do
			[[ -f $path && ${path##*/} != @(lock|needed) ]] || continue
			mapfile -t lines <"$path"
			path=${path#"$scratch/"}
			[ "$path" != run/xdp ] || lines=("${lines[@]% *([0-9])}")
			[ ${#lines[@]} = 0 ] || printf '%s\n' "${lines[@]/#/"$path:"}"
		done
	} >"$scratch/$1.record"
}

# is OLD [WORDS]: all is as recorded
is() {
	record now
	diff "$scratch/$1.record" "$scratch/now.record" >"$scratch/difference" ||
		complain "${2:-$last}: not as $1: $(head -20 "$scratch/difference")"
}

# The new configuration is in effect, and waits.
waits() {
	[ -d $pending ] || complain "no change waits"
	k list
	out_is $'bad managed\nbans managed\ngrows managed\nsecond managed'
	k list second
	out_is $'45.0.0.2\n45.0.0.3'
	k -j rules
	[[ $out == *'"out"'* && $out != *'"in"'* ]] || complain "rules: $out"
	cmp -s "$KCUCKOO_STATE/applied/a.conf" "$scratch/etc.old/a.conf" ||
		complain "the copy of the applied configuration is not the old one"
}

# Nothing waits; the mark of a configuration that was not confirmed is left, and no more.
undone() {
	[ ! -e $pending ] || complain "$pending is left"
	[ ! -e "$KCUCKOO_STATE/files.unconfirmed" ] || complain "the copies of lists are left"
	cmp -s "$KCUCKOO_STATE/applied.unconfirmed/a.conf" "$scratch/etc.new/a.conf" ||
		complain "it is forgotten that the configuration was not confirmed"
	rm -r "$KCUCKOO_STATE/applied.unconfirmed"
	is old "${1:-}"
}

await_end() {
	for _ in {1..600}; do
		[ -e $pending ] || break
		nap 0.1
	done
}

test_undone() { # filters, rules, marks, copies and the time of the last apply are as before
	begin
	record old
	apply new --confirm 1h
	status_is 0
	err_has "unless 'kcuckoo confirm' follows within 3600 s" 'its changes will be undone'
	waits
	# A program adds members meanwhile: a filter that the change leaves alone keeps them.
	k -q add bans 192.0.2.9
	k confirm undo
	status_is 0
	err_has 'the previous filters and rules were restored'
	k -q test bans 192.0.2.9
	status_is 0
	k -q del bans 192.0.2.9
	undone
	apply old
	status_is 0
	err_has_not attached
}

test_unchanged() { # an undo leaves filters alone whose members are as before
	begin
	echo 45.0.0.9 >>"$scratch/old.list"
	apply old --confirm 1h
	status_is 0
	k list first
	out_is $'45.0.0.1\n45.0.0.2\n45.0.0.9'
	# With such a snapshot, no filter can be restored.
	: >$pending/bad.kcf
	k confirm undo
	status_is 0
	k list first
	out_is $'45.0.0.1\n45.0.0.2'
	k list bad
	out_is 45.0.1.1
}

test_overdue() { # an apply undoes what the timer did not undo, and succeeds
	begin
	apply new --confirm 1h
	apply new
	refused 'a configuration waits'
	sed -i "s/ [0-9]*$/ $(($(date +%s) - 700))/" $pending/id
	apply old
	status_is 0
	err_has 'was not confirmed in time'
	[ ! -e $pending ] || complain "$pending is left"
	rm -rf "$KCUCKOO_STATE/applied.unconfirmed" "$KCUCKOO_STATE/needed"
	[ "$(kcuckoo list | sort)" = $'bad managed\nbans managed\nfirst managed\ngrows managed' ] ||
		complain "filters: $(kcuckoo list)"
	k list first
	out_is $'45.0.0.1\n45.0.0.2'
}

test_later() { # the timer ends it, also after kill -9 of the command
	begin
	record old
	apply new --confirm "$seconds"
	status_is 0
	waits
	await_end
	undone "the timer"
	setsid bash -c "kcuckoo -q apply --config $scratch/etc.new --max-shrink 100 --confirm $seconds
		kill -9 0" 2>/dev/null
	waits
	await_end
	undone "the timer after kill -9"
}

test_confirmed() { # what is confirmed is as if it was applied without --confirm
	local file

	begin
	apply new
	status_is 0
	record new
	begin
	apply new --confirm 1h
	waits
	# Another user has another environment.
	last="confirm" err=$(env -u KCUCKOO_STATE -u KCUCKOO_RUN kcuckoo confirm 2>&1) ||
		complain "confirm failed: $err"
	err_has confirmed
	record now
	for file in new now; do
		sed -i '/run\/apply:time/d' "$scratch/$file.record"
	done
	diff "$scratch/new.record" "$scratch/now.record" >"$scratch/difference" ||
		complain "not as after apply: $(head -20 "$scratch/difference")"
	[ ! -e "$KCUCKOO_STATE/applied.unconfirmed" ] || complain "applied.unconfirmed is left"
	[ ! -e $pending ] || complain "$pending is left"
	apply new
	status_is 0
	err_has_not attached
}

test_copies() { # the last good copies of lists are those from before, until the confirmation
	begin
	record old
	apply new --confirm 1h
	(cd "$scratch" && grep -rH '' state/files | sort) >"$scratch/copies"
	grep '^state/files/' "$scratch/old.record" | cmp - "$scratch/copies" ||
		complain "the copies changed"
	grep -q 45.0.0.3 -r "$KCUCKOO_STATE/files.unconfirmed" || complain "the new copies are missing"
	[ "$(stat -c %a "$KCUCKOO_STATE/files.unconfirmed")" = 700 ] || complain "mode of the copies"
	k confirm
	status_is 0
	grep -q 45.0.0.3 -r "$KCUCKOO_STATE/files" || complain "the new copies were not kept"
	! grep -q 45.0.0.1 -r "$KCUCKOO_STATE/files" || complain "a copy is left that no filter needs"
	[ "$(stat -c %a "$KCUCKOO_STATE/files")" = 700 ] || complain "mode of the copies"
}

test_nothing() { # where apply changes nothing or fails, nothing waits
	begin
	apply old --confirm 1h
	status_is 0
	[ ! -e $pending ] || complain "$pending is left"
	echo '# a comment' >>"$scratch/etc.old/a.conf"
	apply old --confirm 1h
	status_is 0
	[ ! -e $pending ] || complain "$pending is left"
	cmp "$scratch/etc.old/a.conf" "$KCUCKOO_STATE/applied/a.conf" || complain "the copy differs"
	k -q create second
	apply new --confirm 1h
	status_is 2
	err_has 'that no configuration made' 'nothing was changed'
	[ ! -e $pending ] || complain "$pending is left"
	k apply --config "$scratch/etc.new" --confirm 1h --boot
	refused 'cannot be combined'
	k apply --config "$scratch/etc.new" --confirm 1h --device kf0
	refused 'cannot be combined'
}

test_device() { # rules on devices: one that is gone stays away, one that comes gets the new rule
	begin
	apply new --confirm 1h
	ip link add kf1 type dummy
	k apply --device kf1
	status_is 0
	k -j rules
	[[ -z $has_xdp || $out == *'"kf1"'*'"xdp"'* || $out == *'"xdp"'*'"kf1"'* ]] ||
		complain "rules: $out"
	ip link del kf0
	k confirm undo
	status_is 0
	# A rule of another hook waits for its device.
	[ -z "$has_xdp" ] || err_has 'there is no device kf0 any more'
	k -j rules
	[[ $out != *'"xdp"'* && $out == *'"kc*"'* ]] || complain "rules: $out"
	[[ -z $has_xdp || -e $KCUCKOO_RUN/xdp ]] || complain "the file xdp is gone"
	ip link del kf1
}

test_broken() { # a state file that is damaged changes nothing, and the state can be repaired
	local file

	begin
	record old
	apply new --confirm 1h
	for file in names rules configuration; do
		cp $pending/$file "$scratch/file"
		echo x >>$pending/$file
		k confirm undo
		refused "$file is damaged"
		cp "$scratch/file" $pending/$file
	done
	k list
	out_is $'bad managed\nbans managed\ngrows managed\nsecond managed'
	k confirm undo
	status_is 0
	undone
}

test_first() { # before the first configuration there was nothing, and a reboot starts nothing
	begin
	k -q down
	rm -rf "${KCUCKOO_STATE:?}" "${KCUCKOO_RUN:?}"
	apply new --confirm 1h
	status_is 0
	k list second
	out_is $'45.0.0.2\n45.0.0.3'
	[ ! -e "$KCUCKOO_STATE/applied" ] || complain "the configuration counts as applied"
	k confirm undo
	status_is 0
	k list
	out_is ''
	k -j rules
	out_is '[]'
	[ ! -e "$KCUCKOO_RUN/xdp" ] || complain "the file xdp is left"
	[ ! -e "$KCUCKOO_RUN/apply" ] || complain "the time of the last apply is left"
	apply new --boot
	refused 'was not confirmed' 'no earlier configuration'
	k list
	out_is ''
	apply new --confirm 1h
	k confirm
	status_is 0
	cmp "$scratch/etc.new/a.conf" "$KCUCKOO_STATE/applied/a.conf" || complain "the copy differs"
	rm -rf "${KCUCKOO_RUN:?}"
	k -q detach --all
	apply new --boot
	status_is 0
}

test_earlier() { # while a change waits, another one is refused; down ends the wait
	local option

	begin
	k confirm within 1h bans
	apply new --confirm 1h
	refused 'another change waits' 'kcuckoo confirm'
	k confirm undo
	apply new
	apply old
	record old
	apply new --confirm 1h
	for option in '' --boot '--confirm 1h'; do
		# shellcheck disable=SC2086 # words or none
		apply old $option
		refused 'a configuration waits for its confirmation' "'kcuckoo confirm'"
	done
	k apply --config "$scratch/etc.new" --dry-run
	[ "$status" = 0 ] || [ "$status" = 1 ] || complain "a dry run is refused: $err"
	echo 45.0.0.9 >"$scratch/list"
	k apply other "$scratch/list" --confirm 1h
	refused 'another change waits'
	waits
	k confirm undo
	undone
	apply new --confirm 1h
	k down
	status_is 0
	[ ! -e $pending ] || complain "$pending is left after down"
	[ ! -e "$KCUCKOO_STATE/files.unconfirmed" ] || complain "the copies of lists are left"
	k list
	out_is ''
	k confirm
	refused 'no change waits'
}

test_status() { # status says until when a change waits, and that a configuration was not confirmed
	local until

	begin
	k status --config "$scratch/etc.old"
	[[ $out != *CONFIRMED* ]] || complain "status: $out"
	apply new --confirm 1h
	until=$(($(date +%s) + 3600))
	k status --config "$scratch/etc.new"
	status_is 1
	[[ $out == *"NOT CONFIRMED: a change is undone at $(date -d "@$until" '+%F %H:')"* ]] ||
		[[ $out == *"NOT CONFIRMED: a change is undone at "* && $(date +%M) = 59 ]] ||
		complain "status: $out"
	[[ $out == *'configuration: applied'* ]] || complain "status: $out"
	k -j status --config "$scratch/etc.new"
	out=$(grep -o '"unconfirmed": {"until": [0-9]*}' "$scratch/out" | grep -o '[0-9]*')
	[[ ${out:-0} -ge $((until - 60)) && ${out:-0} -le $until ]] || complain "until: $out"
	k confirm undo
	k status --config "$scratch/etc.new"
	status_is 1
	[[ $out != *'NOT CONFIRMED'* && $out == *'configuration: was not confirmed'* ]] ||
		complain "status: $out"
	k doctor --config "$scratch/etc.new"
	[[ $out == *'configuration: the configuration was not confirmed'*'apply --confirm'* ]] ||
		complain "doctor: $out"
	k -j status --config "$scratch/etc.old"
	[[ $out == *'"unconfirmed": null'* ]] || complain "status: $out"
}

test_reboot() { # a reboot before the confirmation starts the old configuration
	local filter

	begin
	apply new --confirm 1h
	waits
	# The folder /run is empty afterwards, and the kernel has no filter. The timer is gone.
	rm -rf $pending "${KCUCKOO_RUN:?}"
	k -q detach --all
	for filter in bad bans grows second; do
		k -q destroy $filter
	done
	apply new --boot
	status_is 2
	err_has 'was not confirmed' "'kcuckoo apply --confirm"
	k list
	out_is $'bad managed\nbans managed\nfirst managed\ngrows managed'
	k list first
	out_is $'45.0.0.1\n45.0.0.2'
	# A configuration that was edited since is another one.
	echo '# a comment' >>"$scratch/etc.new/a.conf"
	apply new --boot
	status_is 0
	k list second
	out_is $'45.0.0.2\n45.0.0.3'
	[ ! -e "$KCUCKOO_STATE/applied.unconfirmed" ] || complain "applied.unconfirmed is left"
	[ ! -e "$KCUCKOO_STATE/files.unconfirmed" ] || complain "files.unconfirmed is left"
}

test_unattended() { # a timer does not apply again what was undone; a user at a terminal does
	begin
	apply new --confirm 1h
	k confirm undo
	echo 45.0.0.7 >>"$scratch/old.list"
	apply new
	status_is 2
	err_has 'was not confirmed'
	k list first
	out_is $'45.0.0.1\n45.0.0.2\n45.0.0.7'
	k list
	[[ $out != *second* ]] || complain "the configuration was applied"
	script -qec "kcuckoo apply --config $scratch/etc.new --max-shrink 100" /dev/null \
		>"$scratch/out" </dev/null
	k list second
	out_is $'45.0.0.2\n45.0.0.3'
	apply new
	status_is 0
	err_has_not attached
}

test_stuck() { # an apply whose terminal takes no more output does not hold up the way back
	local pipe process

	begin
	record old
	mkfifo "$scratch/pipe"
	exec {pipe}<>"$scratch/pipe"
	dd if=/dev/zero of="$scratch/pipe" oflag=nonblock bs=4096 count=16 2>/dev/null
	kcuckoo apply --config "$scratch/etc.new" --max-shrink 100 \
		--confirm "$seconds" 2>&"$pipe" &
	process=$!
	for _ in {1..300}; do
		[ ! -e $pending ] || break
		nap 0.1
	done
	[ -e $pending ] || complain "no change waits"
	await_end
	status=0
	wait $process || status=$?
	[ $status = 142 ] || complain "apply ended with $status, and not by the alarm"
	exec {pipe}>&-
	rm "$scratch/pipe"
	undone "the timer"
}

test_namespace() { # a configuration of another namespace is kept from here, and undone there
	ip netns add cf-b
	rm -rf "${KCUCKOO_STATE:?}" "${KCUCKOO_RUN:?}" "$scratch/etc.one"
	mkdir "$scratch/etc.one"
	printf '%s\n' '[filter bans]' 'timeout = 1h' '[rule in]' 'filter = bans' 'hook = input' \
		>"$scratch/etc.one/a.conf"
	k -n cf-b apply --config "$scratch/etc.one" --confirm 1h
	status_is 0
	# The configuration of this namespace is another one.
	k apply --config "$scratch/etc.one"
	status_is 0
	k -n cf-b apply --config "$scratch/etc.one"
	refused 'a configuration waits' "'kcuckoo -n cf-b confirm undo'"
	k confirm undo
	refused 'the change was made in namespace cf-b'
	k -n cf-b confirm undo
	status_is 0
	k -n cf-b list
	out_is ''
	k list
	out_is 'bans managed'
	k -n cf-b apply --config "$scratch/etc.one" --confirm 1h
	k confirm
	status_is 0
	[ -e "$KCUCKOO_STATE/netns/cf-b/applied/a.conf" ] || complain "the configuration was not kept"
	# The process that waits for an hour does not keep the namespace, and with it the module.
	ip netns del cf-b
	kcuckoo -q down
	! grep -q ^xt_kcuckoo /proc/modules || unloads xt_kcuckoo
	unloads kcuckoo
	modprobe kcuckoo
}

main "$0"
