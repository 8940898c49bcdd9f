#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The kernel's own detectors are awake while the other programs run, and no more
# patient than the runner made them: it fails for what they say (harness/vm/splats).

failed=0
number=0

# at_most FILE LIMIT: the number there is one of 1 to LIMIT.
at_most() {
	local value

	read -r value <"$1" && [ "$value" -ge 1 ] && [ "$value" -le "$2" ]
}

is_zero() {
	[ "$(cat "$1")" = 0 ]
}

# is WORDS COMMAND...
is() {
	number=$((number + 1))
	if "${@:2}"; then
		echo "ok $number $1"
	else
		echo "not ok $number $1"
		failed=$((failed + 1))
	fi
}

echo TAP version 13
echo 1..6
is "processors that do not schedule are noticed" at_most /proc/sys/kernel/watchdog 1
is "... by the detector of soft lockups" at_most /proc/sys/kernel/soft_watchdog 1
is "... after two minutes at most" at_most /proc/sys/kernel/watchdog_thresh 60
is "processors that hold up grace periods are, too" \
	is_zero /sys/module/rcupdate/parameters/rcu_cpu_stall_suppress
is "... after two minutes at most" \
	at_most /sys/module/rcupdate/parameters/rcu_cpu_stall_timeout 120
is "and tasks that wait for as long" at_most /proc/sys/kernel/hung_task_timeout_secs 120
echo "# Totals: pass:$((number - failed)) fail:$failed skip:0"
[ $failed = 0 ]
