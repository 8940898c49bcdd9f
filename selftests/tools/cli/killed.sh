#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Commands that change several things are killed before each system call that changes one, and at
# random moments. Afterwards each filter, rule and file is the old or the new one; the same command
# ends the change, and leaves nothing else. In 'make test' each command is killed before two of
# these calls, one of each half, at random. STRIDE=N kills before each Nth of them: 25 with
# KCUCKOO_SOAK=yes, 1 for 'make endurance'. KILLS= sets how often commands are killed at random
# moments: 12 with KCUCKOO_SOAK=yes, none in 'make test'.

# shellcheck source=selftests/tools/cli/harness.sh
. "$(dirname "$0")/harness.sh"

shopt -s extglob globstar dotglob nullglob

places=2
stride=0
lines_old=60
lines_new=50
kills=0
if [ "${KCUCKOO_SOAK:-}" = yes ] || [ -n "${STRIDE:-}" ]; then
	stride=25
	lines_old=300
	lines_new=250
	kills=12
fi
stride=${STRIDE:-$stride}
# For each of six tests.
kills=$(((${KILLS:-$kills} + 5) / 6))

# What the state holds, by record(); and members of a snapshot by its checksum.
declare -A old new now members

: >"$scratch/nothing"
mount --bind "$scratch/nothing" /etc/resolv.conf
# The next program mounts a file there, too.
trap 'umount /etc/resolv.conf; rm -rf "$scratch"' EXIT

export KCUCKOO_STATE=$scratch/state KCUCKOO_RUN=$scratch/run KCUCKOO_CACHE=$scratch/cache
etc=$scratch/etc
pending=/run/kcuckoo/confirm

# record ARRAY: what each filter, rule and file of the state holds, as elements of ARRAY. Times and
# counters are left out: they differ each time. Most of it is done by the shell itself, because a
# process takes long to start in the machine.
record() {
	local -n state=$1
	local name path item sum text rest key
	local -a lines paths=() fields
	local -A sums

	state=()
	kcuckoo list >"$scratch/text"
	mapfile -t lines <"$scratch/text"
	for name in "${lines[@]%% *}"; do
		kcuckoo list "$name" >"$scratch/text"
		text=$(<"$scratch/text")
		state["filter:$name"]=${text// timeout*([^$'\n'])/}
	done
	kcuckoo -j rules >"$scratch/text"
	mapfile -t lines <"$scratch/text"
	for text in "${lines[@]}"; do
		[[ $text == *filter* ]] || continue
		# The last object has no comma.
		text=${text%,}
		text=${text//', "'@(packets|bytes)'": '*([0-9])/}
		fields=()
		for ((rest = 1; rest; )); do
			fields+=("${text%%', "'*}")
			[[ $text == *', "'* ]] || rest=0
			text=${text#*', "'}
		done
		key="${fields[*]:0:4}"
		for item in "${fields[@]:4}"; do
			[[ $item != @(dev|wait_dev)'"'* ]] || key+=",$item"
		done
		state["rule:${key//[^a-zA-Z0-9_,*]/}"]+="${fields[*]}"$'\n'
	done
	for path in "$scratch"/{state,run,cache}/**; do
		case $path in
		*/.lock | */lock | "$scratch/run/xdp" | *.status) ;;
		*) [ -d "$path" ] && [ ! -L "$path" ] || paths+=("$path") ;;
		esac
	done
	[ ${#paths[@]} = 0 ] || while read -r sum path; do
		sums[$path]=$sum
	done < <(sha256sum "${paths[@]}")
	for path in "${paths[@]}"; do
		case $path in
		*.kcf)
			# Most snapshots are as they were.
			sum=${sums[$path]}
			[ -n "${members[$sum]+known}" ] || members[$sum]=$(members_of "$path")
			text=${members[$sum]}
			;;
		"$scratch/run/apply")
			text=$'\n'$(<"$path")
			text=${text//$'\n'time *([^$'\n'])/$'\n'time}
			;;
		# What a killed command left can have zero bytes, which the shell warns of.
		*) { text="${sums[$path]} $(<"$path")"; } 2>/dev/null ;;
		esac
		item=${path#"$scratch/"}
		state["file:${item//\//,}"]=$text
	done
	path=/run/kcuckoo/confirm.new
	[ ! -e $path ] || state["file:confirm.new"]=
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
	local item

	for item in "${!now[@]}"; do
		if [ -n "${old[$item]+has}" ] && [ "${now[$item]}" = "${old[$item]}" ]; then continue; fi
		if [ -n "${new[$item]+has}" ] && [ "${now[$item]}" = "${new[$item]}" ]; then continue; fi
		[[ $item == file:* && -z ${old[$item]+has} && -z ${new[$item]+has} ]] ||
			complain "killed before $n: $item is neither old nor new: ${now[$item]:0:300}"
	done
	for item in "${!old[@]}"; do
		[ -z "${new[$item]+has}" ] || [ -n "${now[$item]+has}" ] ||
			complain "killed before $n: there is no $item"
	done
}

# differs ARRAY: print what differs between this one and "now"; false if nothing does.
differs() {
	local -n other=$1
	local item result=1

	for item in "${!now[@]}" "${!other[@]}"; do
		[ "${now[$item]+has}${now[$item]-}" != "${other[$item]+has}${other[$item]-}" ] || continue
		echo "$item is '${now[$item]-missing}', and not '${other[$item]-missing}'"
		result=0
	done
	return $result
}

# is_exactly ARRAY
is_exactly() {
	record now
	! differs "$1" >"$scratch/difference" ||
		complain "after $last: $(head -5 "$scratch/difference")"
}

# Memory of staged filters is released a little later.
no_staged_filter() {
	local all own name
	local -a lines

	for _ in {1..100}; do
		kcuckoo -j stats >"$scratch/text"
		text=$(<"$scratch/text")
		text=${text#*'"memory_bytes": '}
		all=${text%%[^0-9]*}
		own=0
		kcuckoo list >"$scratch/text"
		mapfile -t lines <"$scratch/text"
		for name in "${lines[@]%% *}"; do
			kcuckoo -j info "$name" >"$scratch/text"
			text=$(<"$scratch/text")
			text=${text#*'"memory_bytes": '}
			own=$((own + ${text%%[^0-9]*}))
		done
		[ "$all" != "$own" ] || return
		nap 0.1
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
	record now
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

# count_calls COMMAND...: run it; $calls is how many calls it makes that change something.
count_calls() {
	last=$*
	calls=$(./killer 0 "$@" 2>"$scratch/err" </dev/null)
	status=$?
	err=$(<"$scratch/err")
	status_is 0
	[[ $calls =~ ([0-9]+)$ && ${BASH_REMATCH[1]} -gt 0 ]] || complain "$last: $calls calls"
	calls=${BASH_REMATCH[1]:-1}
}

# choose CALLS [STRIDE]: $places numbers of calls, one of each part, at random; or each that is
# STRIDE after the one before. They are in the array "chosen".
choose() {
	local i step=${2:-0} first

	chosen=()
	if [ "$step" = 0 ]; then
		for ((i = 0; i < places; i++)); do
			first=$(($1 * i / places))
			step=$(($1 * (i + 1) / places - first))
			[ $step = 0 ] || chosen+=($((first + 1 + RANDOM % step)))
		done
		return
	fi
	first=$((1 + RANDOM % ($1 < step ? $1 : step)))
	for ((i = first; i <= $1; i += step)); do
		chosen+=("$i")
	done
}

# sweep: to() defines two states, and the commands between them. Kill each before one call
# after the other, and at random moments.
sweep() {
	local i calls most count=0 aim=old
	local -a command chosen

	run_to old
	record old
	to new
	count_calls kcuckoo -q "${command[@]}"
	record new
	if [ "$stride" -gt 0 ]; then
		# The other command may make more calls.
		most=$calls
		to old
		count_calls kcuckoo -q "${command[@]}"
		[ "$calls" -ge "$most" ] || calls=$most
		is_exactly old
		aim=new
	fi
	choose "$calls" "$stride"
	for i in "${chosen[@]}"; do
		for _ in old new; do
			[ "$failed" = 0 ] || break 2
			kill_before "$i"
		done
	done
	# The other command may make fewer calls.
	[ "$count" -gt 0 ] || kill_before 1
	[ "$count" -gt 0 ] || complain "no kill"
	for ((i = 0; i < kills && failed == 0; i++)); do
		kill_after "0.$(printf %03d $((RANDOM % 200)))"
	done
	no_staged_filter
	echo "# $count kills, before calls number ${chosen[*]:0:10} of $calls"
}

# many COUNT: that many addresses that cannot be merged.
many() {
	awk -v count="$1" 'BEGIN { for (i = 0; i < count; i++)
		print "45." int(i / 100) "." 2 * (i % 100) ".1" }'
}

test_lists() { # apply NAME LIST
	many $lines_old >"$scratch/old.list"
	many $lines_new >"$scratch/new.list"
	to() {
		command=(apply bl "$scratch/$1.list")
	}
	sweep
}

test_confirm() { # apply NAME LIST --confirm TIME, which begins with no other change that waits
	many $lines_old >"$scratch/old.list"
	many $lines_new >"$scratch/new.list"
	to() {
		! [ -e $pending ] || kcuckoo -q confirm
		command=(apply bl "$scratch/$1.list" --confirm 1h)
	}
	sweep
	k -q confirm
	[ ! -e $pending ] || complain "$pending is left"
}

# killed_or_ended: the command was killed, or has made fewer calls than the one that was counted.
killed_or_ended() {
	err=$(<"$scratch/err")
	[ "$status" = 137 ] && count=$((count + 1)) && return
	status_is 0
}

test_timer() { # apply --confirm: no change waits without a timer that ends it
	local n before calls count=0
	local -a chosen

	many $lines_old >"$scratch/old.list"
	many $lines_new >"$scratch/new.list"
	kcuckoo -q apply bl "$scratch/old.list"
	before=$(kcuckoo list bl)
	count_calls kcuckoo -q apply bl "$scratch/new.list" --confirm 1
	ends_and_is "$before"
	choose "$calls" "$stride"
	for n in "${chosen[@]}"; do
		[ "$failed" = 0 ] || break
		last="apply, killed before $n"
		./killer "$n" kcuckoo -q apply bl "$scratch/new.list" --confirm 1 2>"$scratch/err"
		status=$?
		killed_or_ended
		ends_and_is "$before"
	done
	echo "# $count kills, before calls number ${chosen[*]:0:10} of $calls"
}

# ends_and_is MEMBERS: the change that waits is undone
ends_and_is() {
	for _ in {1..100}; do
		[ -e $pending ] || break
		nap 0.1
	done
	[ ! -e $pending ] || complain "$last: a change waits for ever"
	k list bl
	out_is "$1"
}

# fast FILTER DEV: print a rule of hook xdp
fast() {
	printf '%s\n' '[rule fast]' "filter = $1" 'hook = xdp' "dev = $2"
}

# configurations: two that differ in lists, parameters, filters and rules
configurations() {
	# A process that the test before has killed can have left it.
	rm -rf $pending.new
	ip link add kx0 type dummy
	ip link add kx1 type dummy
	mkdir -p "$scratch/etc.old" "$scratch/etc.new"
	many $lines_old >"$scratch/old.list"
	many $lines_new >"$scratch/new.list"
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
	END
	if [ -n "$has_xdp" ]; then
		fast bad kx0 >>"$scratch/etc.old/a.conf"
		fast second 'kx*' >>"$scratch/etc.new/a.conf"
	fi
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
	# The next command that writes the file xdp replaces its temporary file.
	rm -f "$KCUCKOO_RUN/.xdp.tmp"
}

# is_old_or_new: completely
is_old_or_new() {
	record now
	! differs old >/dev/null || ! differs new >"$scratch/difference" ||
		complain "after $last: neither old nor new: $(head -5 "$scratch/difference")"
}

test_unconfirmed() { # apply --confirm: whatever is killed, all is old, or all is new
	local n id calls count=0 step=$((stride > 0 ? 1 + stride / 10 : 0))
	local -a chosen
	local -a apply=(kcuckoo -q apply --config "$scratch/etc.new" --max-shrink 100 --confirm 1h)

	rm -rf "$KCUCKOO_STATE" "$KCUCKOO_RUN"
	configurations
	apply_to old
	apply_to new
	record new
	apply_to old
	record old
	count_calls "${apply[@]}"
	choose "$calls" "$stride"
	count_calls kcuckoo -q confirm undo
	remove_unconfirmed
	is_exactly old
	for n in "${chosen[@]}"; do
		[ "$failed" = 0 ] || break
		last="apply, killed before $n"
		./killer "$n" "${apply[@]}" 2>"$scratch/err"
		status=$?
		killed_or_ended
		[ ! -e $pending ] || kcuckoo -q confirm undo
		remove_unconfirmed
		is_exactly old
	done
	choose "$calls" "$step"
	for n in "${chosen[@]}"; do
		[ "$failed" = 0 ] || break
		last="confirm undo, killed before $n"
		apply_to new --confirm 1h
		./killer "$n" kcuckoo -q confirm undo 2>"$scratch/err"
		status=$?
		killed_or_ended
		[ ! -e $pending ] || kcuckoo -q confirm undo
		remove_unconfirmed
		is_exactly old
	done
	apply_to new --confirm 1h
	count_calls kcuckoo -q confirm
	remove_unconfirmed
	is_exactly new
	choose "$calls" "$step"
	for n in "${chosen[@]}"; do
		[ "$failed" = 0 ] || break
		last="confirm, killed before $n"
		apply_to old
		apply_to new --confirm 1h
		./killer "$n" kcuckoo -q confirm 2>"$scratch/err"
		status=$?
		killed_or_ended
		# The timer does this. It ends what was begun.
		id=
		[ ! -e $pending/id ] || read -rn 16 id <$pending/id
		[ -z "$id" ] || kcuckoo -q confirm undo "$id"
		remove_unconfirmed
		[ "$status" = 0 ] || is_old_or_new
		[ "$status" != 0 ] || is_exactly new
	done
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

test_user() { # a device that a killed attach left as a user of a filter does not keep the filter
	rm -rf "$KCUCKOO_STATE" "$KCUCKOO_RUN"
	configurations
	apply_to new
	ip link add kx2 type dummy
	./user second kx2 || complain 'no user'
	k destroy second
	status_is 2
	k apply --config "$scratch/etc.old" --max-shrink 100
	status_is 0
	k list
	[[ $out != *second* ]] || complain "filters: $out"
	kcuckoo -q down
	ip link del kx0
	ip link del kx1
	ip link del kx2
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

# refused_copy NAME FILE: print it as if fetch had refused this list
refused_copy() {
	echo "# kcuckoo-list 1 $1 members $(wc -l <"$2") bytes $(stat -c %s "$2")" \
		"sha256 $(sha256sum <"$2" | cut -d ' ' -f 1) refused it is a test"
	cat "$2"
}

test_accept() { # accept LIST
	local -A copies

	rm -rf "$KCUCKOO_STATE" "$etc"
	mkdir -p "$etc" "$KCUCKOO_STATE/lists"
	printf '%s\n' '[list drop]' 'url = https://192.0.2.1/list' '[filter bad]' 'list = drop' \
		>"$etc/a.conf"
	many $lines_old >"$scratch/old.list"
	many $lines_new >"$scratch/new.list"
	copies=([old]=$(refused_copy drop "$scratch/old.list")
		[new]=$(refused_copy drop "$scratch/new.list"))
	to() {
		printf '%s\n' "${copies[$1]}" >"$KCUCKOO_STATE/lists/drop.refused"
		command=(accept drop --config "$etc")
	}
	sweep
}

main "$0"
