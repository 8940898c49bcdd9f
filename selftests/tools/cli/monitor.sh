#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# kcuckoo monitor: a line for each event, names, JSON, and how it ends.

# shellcheck source=selftests/tools/cli/harness.sh
. "$(dirname "$0")/harness.sh"

# Time limit, in tenths of a second.
PATIENCE=200

# watch WORD...: start a monitor, and wait until it has subscribed.
watch() {
	: >"$scratch/events"
	: >"$scratch/words"
	kcuckoo -v "$@" >"$scratch/events" 2>"$scratch/words" </dev/null &
	monitor=$!
	last="kcuckoo $*"
	ready
}

ready() {
	for ((i = 0; i < PATIENCE; i++)); do
		grep -q 'waiting for events' "$scratch/words" && return
		sleep 0.1
	done
	complain "$last: does not wait for events"
}

# printed N: it has printed N lines or more.
printed() {
	for ((i = 0; i < PATIENCE; i++)); do
		[ "$(wc -l <"$scratch/events")" -ge "$1" ] && return
		sleep 0.1
	done
	complain "$last: $(wc -l <"$scratch/events") lines, not $1"
}

# ends: it ends, with the status in $status.
ends() {
	wait "$monitor"
	status=$?
	err=$(grep -v 'waiting for events' "$scratch/words")
	err_is_empty
}

stop() {
	kill "$monitor"
	ends
	status_is 0
}

# lines_are LINE...: these were printed, without their times.
lines_are() {
	printed $#
	out=$(sed 's/^[^ ]* //' "$scratch/events")
	out_is "$(printf '%s\n' "$@")"
}

test_filters() { # a line for what happens to filters
	watch monitor
	k create bl capacity 2
	k add bl 192.0.2.1 192.0.2.2
	k add bl 192.0.2.3
	k create other capacity 5
	k swap bl other
	k rename other third
	k create other
	k destroy other
	k destroy third
	lines_are 'bl: created, 0 members' \
		'bl: full, 1 add: the capacity is used up, 2 members' \
		'other: created, 0 members' 'bl: swapped with other, 0 members' \
		'other: renamed to third, 2 members' 'other: created, 0 members' \
		'other: destroyed, 0 members' 'third: destroyed, 2 members'
	stop
}

test_times() { # the time of each event is the present one
	local now

	watch monitor
	now=$(date +%s)
	k create bl
	printed 1
	now=$(($(date -d "$(cut -d ' ' -f 1 "$scratch/events")" +%s) - now))
	((now >= -1 && now <= 60)) || complain "$now seconds apart"
	stop
}

test_apply() { # a list that is applied is one event
	echo 192.0.2.0/24 >"$scratch/list"
	watch monitor bl
	k apply bl "$scratch/list"
	status_is 0
	echo 198.51.100.0/24 >>"$scratch/list"
	k apply bl "$scratch/list"
	status_is 0
	lines_are 'bl: created, 1 member' 'bl: replaced by a new filter, 2 members'
	stop
}

test_growth() { # tables that grow and shrink
	watch monitor
	k create bl
	k add bl 192.0.2.1
	k reserve bl 10000 family ipv4
	k compact bl
	printed 3
	stop
	out=$(sed -E '1d; s/^[^ ]* //; s/[0-9]{2,} to/BEFORE to/; s/to [0-9]+/to AFTER/' \
		"$scratch/events")
	out_is 'bl: grown, ipv4 /32, table capacity from BEFORE to AFTER, 1 member
bl: shrunk, ipv4 /32, table capacity from BEFORE to AFTER, 1 member'
}

test_rules() { # a line for what happens to rules
	k create bl
	watch monitor
	k attach bl hook input action mark=7
	k attach bl hook ingress dev 'mon*' --wait
	ip link add mon0 type dummy
	ip link del mon0
	k attach later allow bl
	k create later
	k detach later
	k detach bl
	lines_are 'bl: attached: hook input family both match src action mark=7' \
		'bl: attached: hook ingress dev mon* family both match src action drop --wait, waits for a device' \
		'bl: active on device mon0: hook ingress dev mon* family both match src action drop --wait' \
		'bl: waiting, without device mon0: hook ingress dev mon* family both match src action drop --wait, waits for a device' \
		'later: attached: hook prerouting family both match src action drop allow bl, waits for the filter' \
		'later: created, 0 members, 1 user waited for the filter' \
		'later: detached: hook prerouting family both match src action drop allow bl' \
		'bl: detached: hook input family both match src action mark=7' \
		'bl: detached: hook ingress dev mon* family both match src action drop --wait'
	stop
}

test_escapes() { # control characters in the name of a device do not reach the terminal
	local name=$'x\e[1m'

	k create bl
	ip link add dummy8 type dummy
	ip link set dummy8 name "$name"
	watch monitor
	k attach bl hook ingress dev "$name"
	printed 1
	! grep -q $'\e' "$scratch/events" || complain "an escape: $(cat "$scratch/events")"
	stop
	ip link del "$name"
}

test_names() { # only the events of the filters that were named
	watch monitor bl later
	k create other
	k create bl
	k rename other later
	k attach later
	k create more
	k detach later
	lines_are 'bl: created, 0 members' 'other: renamed to later, 0 members' \
		'later: attached: hook prerouting family both match src action drop' \
		'later: detached: hook prerouting family both match src action drop'
	stop
	k monitor 'a b'
	refused "'a b'"
}

test_json() { # one document on each line
	watch -j monitor
	k create bl capacity 1
	k add bl 192.0.2.1
	k add bl 192.0.2.2
	k attach bl hook forward allow none
	printed 3
	stop
	out=$(python3 -c '
import json, sys
for line in sys.stdin:
    d = json.loads(line)
    print(*(d.get(key, "-") for key in ("event", "seq", "filter", "count", "entries",
        "reason", "packets", "hook", "label", "allow", "allow_waiting")), sep=", ")
' <"$scratch/events")
	out_is 'created, 1, bl, -, 0, -, -, -, -, -, -
full, 2, bl, 1, 1, the capacity is used up, False, -, -, -, -
attached, 3, bl, -, -, -, -, forward, -, none, True'
}

test_namespaces() { # another namespace has its own events
	ip netns add monitored
	watch -n monitored monitor
	k create bl
	k -n monitored create inner
	lines_are 'inner: created, 0 members'
	k -n monitored destroy inner
	printed 2
	stop
	ip netns del monitored
}

test_namespace_ends() { # it does not keep its namespace alive, and ends after it
	ip netns add monitored
	ip link add mon0 type veth peer name mon1 netns monitored
	watch -n monitored monitor
	k -n monitored create inner
	ip netns del monitored
	for ((i = 0; i < PATIENCE; i++)); do
		kill -0 "$monitor" 2>/dev/null || break
		sleep 0.1
	done
	! kill "$monitor" 2>/dev/null || complain "it does not end"
	wait "$monitor"
	status=$?
	err=$(<"$scratch/words")
	status_is 2
	err_has 'the network namespace is gone'
	lines_are 'inner: created, 0 members'
	! ip link show mon0 >/dev/null 2>&1 || complain "the namespace lives"
}

test_interrupt() { # SIGINT ends it without an error
	: >"$scratch/words"
	env --default-signal=INT kcuckoo -v monitor >"$scratch/events" 2>"$scratch/words" &
	monitor=$!
	ready
	kill -INT "$monitor"
	ends
	status_is 0
}

test_closed_pipe() { # it ends when its reader has gone, also without events
	: >"$scratch/words"
	mkfifo "$scratch/pipe"
	kcuckoo -v monitor >"$scratch/pipe" 2>"$scratch/words" &
	monitor=$!
	exec 5<"$scratch/pipe"
	ready
	exec 5<&-
	ends
	status_is 0
	rm "$scratch/pipe"
}

test_full_pipe() { # a signal ends it while nobody reads its output
	local i

	: >"$scratch/words"
	mkfifo "$scratch/pipe"
	exec 5<>"$scratch/pipe"
	kcuckoo -v monitor >"$scratch/pipe" 2>"$scratch/words" &
	monitor=$!
	ready
	# More lines than a pipe holds.
	head -c 65536 /dev/zero >&5
	k create bl
	# Whether it has come to the event or not, it ends.
	sleep 1
	kill "$monitor"
	for ((i = 0; i < PATIENCE; i++)); do
		kill -0 "$monitor" 2>/dev/null || break
		sleep 0.1
	done
	kill -KILL "$monitor" 2>/dev/null
	ends
	status_is 0
	exec 5<&-
	rm "$scratch/pipe"
}

test_old_module() { # a module of 0.5.0 is too old
	LD_PRELOAD=$PWD/old.so k monitor
	refused 'monitor needs version 0.6.0 of the module, but the loaded version is 0.5.0' \
		'install the same version'
}

main "$0"
