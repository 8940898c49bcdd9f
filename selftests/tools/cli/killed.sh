#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Commands that change several things are killed before each system call that changes one, and at
# random moments. Afterwards each filter, rule and file is the old or the new one; the same command
# ends the change, and leaves nothing else. STRIDE=N kills before each Nth of these calls only: 140
# for 'make test', 25 with KCUCKOO_SOAK=yes, 1 for 'make endurance'. KILLS= sets how often commands
# are killed at random moments.

# shellcheck source=selftests/tools/cli/harness.sh
. "$(dirname "$0")/harness.sh"

stride=140
[ "${KCUCKOO_SOAK:-}" != yes ] || stride=25
stride=${STRIDE:-$stride}
# For each of six tests.
kills=$(((${KILLS:-0} + 5) / 6))

: >"$scratch/nothing"
mount --bind "$scratch/nothing" /etc/resolv.conf
# The next program mounts a file there, too.
trap 'umount /etc/resolv.conf; rm -rf "$scratch"' EXIT

export KCUCKOO_STATE=$scratch/state KCUCKOO_RUN=$scratch/run KCUCKOO_CACHE=$scratch/cache
etc=$scratch/etc
pending=/run/kcuckoo/confirm

# record FOLDER: write a file there for each filter, rule and file of the state. Times and
# counters are left out: they differ each time.
record() {
	local path item

	rm -rf "$1"
	mkdir "$1"
	for item in $(kcuckoo list | cut -d ' ' -f 1); do
		echo "filter $item"
		kcuckoo list "$item"
	done | awk -v folder="$1" '$1 == "filter" { file = folder "/filter:" $2; printf "" >file; next }
		{ sub(/ timeout.*/, ""); print >file }'
	kcuckoo -j rules | awk -v folder="$1" -F ', "' '/filter/ {
		# The last object has no comma.
		sub(/,$/, "")
		gsub(/, "(packets|bytes)": [0-9]*/, "")
		key = $1 "," $2 "," $3 "," $4
		for (i = 5; i <= NF; i++)
			if ($i ~ /^(dev|wait_dev)"/)
				key = key "," $i
		gsub(/[^a-zA-Z0-9_,*]/, "", key)
		print >(folder "/rule:" key)
	}'
	for path in $(cd "$scratch" && find state run cache ! -type d ! -name .lock ! -name lock \
			! -path run/xdp ! -name '*.status' 2>/dev/null); do
		item=$1/file:${path//\//,}
		case $path in
		*.kcf) members_of "$scratch/$path" >"$item" ;;
		run/apply) sed 's/^time .*/time/' "$scratch/$path" >"$item" ;;
		*) cp "$scratch/$path" "$item" ;;
		esac
	done
	path=/run/kcuckoo/confirm.new
	[ ! -e $path ] || : >"$1/file:confirm.new"
}

# members_of SNAPSHOT
members_of() {
	kcuckoo -q restore "$1" as zz || return
	kcuckoo list zz | sed 's/ timeout.*//'
	kcuckoo destroy zz
}

# is_between: each thing of "now" is the one of "old" or of "new", or an unfinished file; and
# what both have is there.
is_between() {
	local path item

	for path in "$scratch"/now/*; do
		item=${path##*/}
		cmp -s "$path" "$scratch/old/$item" || cmp -s "$path" "$scratch/new/$item" && continue
		[[ $item == file:* && ! -e $scratch/old/$item && ! -e $scratch/new/$item ]] ||
			complain "killed before $n: $item is neither old nor new: $(head -c 300 "$path")"
	done
	for path in "$scratch"/old/*; do
		item=${path##*/}
		[ ! -e "$scratch/new/$item" ] || [ -e "$scratch/now/$item" ] ||
			complain "killed before $n: there is no $item"
	done
}

# is_exactly FOLDER
is_exactly() {
	record "$scratch/now"
	diff -r "$scratch/now" "$scratch/$1" >"$scratch/difference" ||
		complain "after $last: $(head -5 "$scratch/difference")"
}

# Memory of staged filters is released a little later.
no_staged_filter() {
	local all own

	for _ in {1..100}; do
		all=$(kcuckoo -j stats | grep -o '"memory_bytes": [0-9]*' | head -1 | grep -o '[0-9]*$')
		own=$(for name in $(kcuckoo list | cut -d ' ' -f 1); do kcuckoo -j info "$name"; done |
			grep -o '"memory_bytes": [0-9]*' | awk '{ sum += $2 } END { print sum + 0 }')
		[ "$all" != "$own" ] || return
		sleep 0.1
	done
	complain "$all bytes of memory after $count kills, the filters have $own"
}

# to old|new: the command that makes this state, in the array "command".
run_to() {
	to "$1"
	k "${command[@]}"
	status_is 0
}

# survives WHERE: the command that makes the state $aim was killed there. The next one makes
# the other state.
survives() {
	local n=$1

	count=$((count + 1))
	record "$scratch/now"
	is_between
	run_to "$aim"
	is_exactly "$aim"
	[ "$aim" = new ] && aim=old || aim=new
}

# kill_before CALL: if the command has that many that change something
kill_before() {
	to "$aim"
	./killer "$1" kcuckoo -q "${command[@]}" >"$scratch/out" 2>"$scratch/err" </dev/null
	status=$?
	[ "$status" = 137 ] && survives "call $1" && return
	err=$(<"$scratch/err")
	last="kcuckoo ${command[*]}"
	status_is 0
	is_exactly "$aim"
	[ "$aim" = new ] && aim=old || aim=new
	return 1
}

# kill_after SECONDS
kill_after() {
	local process

	to "$aim"
	kcuckoo -q "${command[@]}" >/dev/null 2>&1 </dev/null &
	process=$!
	sleep "$1"
	kill -KILL $process 2>/dev/null
	# It may still do its last system call: the next command begins afterwards.
	wait $process 2>/dev/null
	survives "$1 s"
}

# begin_at: number of the first call; runs with a stride then try different calls
begin_at() {
	echo $((1 + RANDOM % (stride < 8 ? stride : 8)))
}

# sweep: to() defines two states, and the commands between them. Kill each before one call
# after the other, and at random moments.
sweep() {
	local i count=0 aim=old more
	local -a command

	run_to old
	record "$scratch/old"
	run_to new
	record "$scratch/new"
	more=1
	for ((i = $(begin_at); more && failed == 0; i += stride)); do
		more=0
		for _ in old new; do
			! kill_before "$i" || more=1
		done
	done
	# Commands of a few calls end before a first number that is higher.
	[ "$count" -gt 0 ] || kill_before 1
	[ "$count" -gt 0 ] || complain "no kill"
	for ((i = 0; i < kills && failed == 0; i++)); do
		kill_after "0.$(printf %03d $((RANDOM % 200)))"
	done
	no_staged_filter
	echo "# $count kills, before each call number $stride"
}

# many COUNT: that many addresses that cannot be merged.
many() {
	awk -v count="$1" 'BEGIN { for (i = 0; i < count; i++)
		print "45." int(i / 100) "." 2 * (i % 100) ".1" }'
}

test_lists() { # apply NAME LIST
	many 300 >"$scratch/old.list"
	many 250 >"$scratch/new.list"
	to() {
		command=(apply bl "$scratch/$1.list")
	}
	sweep
}

test_confirm() { # apply NAME LIST --confirm TIME, which begins with no other change that waits
	many 300 >"$scratch/old.list"
	many 250 >"$scratch/new.list"
	to() {
		! [ -e $pending ] || kcuckoo -q confirm
		command=(apply bl "$scratch/$1.list" --confirm 1h)
	}
	sweep
	k -q confirm
	[ ! -e $pending ] || complain "$pending is left"
}

test_timer() { # apply --confirm: no change waits without a timer that ends it
	local n before

	many 300 >"$scratch/old.list"
	many 250 >"$scratch/new.list"
	kcuckoo -q apply bl "$scratch/old.list"
	before=$(kcuckoo list bl)
	for ((n = $(begin_at); failed == 0; n += stride)); do
		./killer "$n" kcuckoo -q apply bl "$scratch/new.list" --confirm 1 2>/dev/null
		status=$?
		for _ in {1..100}; do
			[ -e $pending ] || break
			sleep 0.1
		done
		[ ! -e $pending ] || complain "killed before call $n: a change waits for ever"
		k list bl
		out_is "$before"
		[ "$status" = 137 ] || break
	done
	[ "$status" = 0 ] || complain "exit status $status"
}

# configurations: two that differ in lists, parameters, filters and rules
configurations() {
	# A process that the test before has killed can have left it.
	rm -rf $pending.new
	ip link add kx0 type dummy
	ip link add kx1 type dummy
	mkdir -p "$scratch/etc.old" "$scratch/etc.new"
	many 300 >"$scratch/old.list"
	many 250 >"$scratch/new.list"
	cat >"$scratch/etc.old/a.conf" <<-END
		[filter bad]
		list = $scratch/old.list
		[filter bans]
		timeout = 1h
		keep = yes
		[filter first]
		list = $scratch/old.list
		[rule wan]
		filter = bad bans
		hook = ingress
		dev = kx0 kc*
		[rule in]
		filter = first
		hook = input
		[rule fast]
		filter = bad
		hook = xdp
		dev = kx0
	END
	cat >"$scratch/etc.new/a.conf" <<-END
		[filter bad]
		list = $scratch/new.list
		[filter bans]
		timeout = 2h
		keep = yes
		[filter second]
		list = $scratch/new.list
		[rule wan]
		filter = bad bans
		hook = ingress
		dev = kx0 kd*
		action = count
		[rule out]
		filter = second
		hook = output
		match = dst
		[rule fast]
		filter = second
		hook = xdp
		dev = kx*
	END
}

test_configuration() { # apply without operands: other lists, parameters, filters and rules
	configurations
	to() {
		command=(apply --config "$scratch/etc.$1" --max-shrink 100)
	}
	sweep
	k -q down
	[ ! -e "$KCUCKOO_RUN/xdp" ] || complain "the file xdp is left"
	k -j rules
	out_is '[]'
	ip link del kx0
	ip link del kx1
}

# apply_to old|new OPTION...: a configuration, which is not killed
apply_to() {
	kcuckoo -q apply --config "$scratch/etc.$1" --max-shrink 100 "${@:2}" 2>/dev/null ||
		complain "apply of $1 failed"
}

# remove_unconfirmed: what shows that the configuration was not confirmed, and what a killed
# process leaves before a change waits
remove_unconfirmed() {
	[ ! -e $pending ] || complain "after $last: a change waits"
	rm -rf "$KCUCKOO_STATE"/*.unconfirmed "$KCUCKOO_STATE"/*.new $pending.new
}

# is_old_or_new: completely
is_old_or_new() {
	record "$scratch/now"
	diff -r "$scratch/now" "$scratch/old" >/dev/null ||
		diff -r "$scratch/now" "$scratch/new" >"$scratch/difference" ||
		complain "after $last: neither old nor new: $(head -5 "$scratch/difference")"
}

test_unconfirmed() { # apply --confirm: whatever is killed, all is old, or all is new
	local n id count=0

	rm -rf "$KCUCKOO_STATE" "$KCUCKOO_RUN"
	configurations
	apply_to old
	apply_to new
	record "$scratch/new"
	apply_to old
	record "$scratch/old"
	for ((n = $(begin_at); failed == 0; n += stride)); do
		last="apply, killed before $n"
		./killer "$n" kcuckoo -q apply --config "$scratch/etc.new" --max-shrink 100 \
			--confirm 1h 2>/dev/null
		status=$?
		[ ! -e $pending ] || kcuckoo -q confirm undo
		remove_unconfirmed
		is_exactly old
		[ "$status" = 137 ] || break
		count=$((count + 1))
	done
	[ "$status" = 0 ] || complain "$last: exit status $status"
	for ((n = $(begin_at); failed == 0; n += 1 + stride / 10)); do
		last="confirm undo, killed before $n"
		apply_to new --confirm 1h
		./killer "$n" kcuckoo -q confirm undo 2>/dev/null
		status=$?
		[ ! -e $pending ] || kcuckoo -q confirm undo
		remove_unconfirmed
		is_exactly old
		[ "$status" = 137 ] || break
		count=$((count + 1))
	done
	[ "$status" = 0 ] || complain "$last: exit status $status"
	for ((n = $(begin_at); failed == 0; n += 1 + stride / 10)); do
		last="confirm, killed before $n"
		apply_to new --confirm 1h
		./killer "$n" kcuckoo -q confirm 2>/dev/null
		status=$?
		# The timer does this. It ends what was begun.
		id=$(cut -c 1-16 $pending/id 2>/dev/null)
		[ -z "$id" ] || kcuckoo -q confirm undo "$id"
		remove_unconfirmed
		[ "$status" != 137 ] || is_old_or_new
		[ "$status" = 137 ] || is_exactly new
		[ "$status" = 137 ] || break
		count=$((count + 1))
		apply_to old
	done
	[ "$status" = 0 ] || complain "$last: exit status $status"
	kcuckoo -q down
	ip link del kx0
	ip link del kx1
	echo "# $count kills"
}

# kept: a configuration with a filter whose members are kept
kept() {
	rm -rf "$KCUCKOO_STATE" "$KCUCKOO_RUN" "$etc"
	mkdir -p "$etc" "$KCUCKOO_STATE"
	printf '%s\n' '[filter bans]' 'timeout = 1h' 'keep = yes' \
		'[rule in]' 'filter = bans' 'hook = input' >"$etc/a.conf"
	kcuckoo -q apply --config "$etc"
}

test_save() { # save --all
	kept
	kcuckoo -q create other
	to() {
		local address=192.0.2.9

		[ "$1" = old ] || address=198.51.100.9
		for name in bans other; do
			kcuckoo -q flush "$name"
			kcuckoo -q add "$name" "$address"
		done
		command=(save --all "$KCUCKOO_STATE")
	}
	sweep
}

test_down() { # down --save, and apply --boot
	kept
	kcuckoo -q add bans 192.0.2.9
	kcuckoo -q down --save
	to() {
		command=(down --save)
		[ "$1" = new ] || command=(apply --boot --config "$etc")
	}
	sweep
}

# refused_copy NAME FILE: as if fetch had refused this list
refused_copy() {
	{
		echo "# kcuckoo-list 1 $1 members $(wc -l <"$2") bytes $(stat -c %s "$2")" \
			"sha256 $(sha256sum <"$2" | cut -d ' ' -f 1) refused it is a test"
		cat "$2"
	} >"$KCUCKOO_STATE/lists/$1.refused"
}

test_accept() { # accept LIST
	rm -rf "$KCUCKOO_STATE" "$etc"
	mkdir -p "$etc" "$KCUCKOO_STATE/lists"
	printf '%s\n' '[list drop]' 'url = https://192.0.2.1/list' '[filter bad]' 'list = drop' \
		>"$etc/a.conf"
	many 300 >"$scratch/old.list"
	many 250 >"$scratch/new.list"
	to() {
		refused_copy drop "$scratch/$1.list"
		command=(accept drop --config "$etc")
	}
	sweep
}

main "$0"
