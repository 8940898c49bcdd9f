#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# sshg-fw-kcuckoo, with a pretended sshguard.

# shellcheck source=selftests/tools/daemons/daemons.sh
. "$(dirname "$0")/daemons.sh"

backend=$libexec/sshg-fw-kcuckoo

test_blocks() { # addresses and networks of both families are blocked and released
	rm -f /etc/kcuckoo/*
	sender one "$backend"
	lines one 'block 192.0.2.1 4 32' 'block 198.51.100.77 4 24' 'block 2001:db8::1 6 128' \
		'block 2001:db8:1::1 6 64'
	becomes sshguard 192.0.2.1 198.51.100.0/24 2001:db8::1 2001:db8:1::/64
	k rules
	[[ $out == *"sshguard "*prerouting*both*src*drop* ]] || complain "no rule: $out"
	lines one 'release 198.51.100.1 4 24' 'release 2001:db8::1 6 128' 'block 192.0.2.1 4 32'
	becomes sshguard 192.0.2.1 2001:db8:1::/64
	lines one 'block 192.0.2.2 4 32' flush 'block 192.0.2.3 4 32'
	becomes sshguard 192.0.2.3
	dismiss one
	err_is_empty
	becomes sshguard 192.0.2.3
}

test_start() { # the start empties the filter, as sshguard blocks all again
	sender one "$backend"
	lines one 'block 192.0.2.1 4 32'
	becomes sshguard 192.0.2.1
	dismiss one
	sender two "$backend"
	becomes sshguard ''
	lines two 'block 192.0.2.2 4 32'
	becomes sshguard 192.0.2.2
	dismiss two
}

test_exit() { # after 'flushonexit' the end empties the filter, by a signal, too
	local signal

	for signal in TERM INT HUP; do
		sender one "$backend"
		lines one flushonexit 'block 192.0.2.1 4 32'
		becomes sshguard 192.0.2.1
		kill -$signal "$(<"$scratch/one.child")"
		becomes sshguard ''
		dismiss one
		[ "$(<"$scratch/one.status")" = 0 ] || complain "$signal: exit status $(<"$scratch/one.status")"
	done
	sender one "$backend"
	lines one 'block 192.0.2.1 4 32' flushonexit
	becomes sshguard 192.0.2.1
	dismiss one
	becomes sshguard ''
	sender one "$backend"
	lines one 'block 192.0.2.1 4 32'
	becomes sshguard 192.0.2.1
	kill -TERM "$(<"$scratch/one.child")"
	dismiss one
	becomes sshguard 192.0.2.1
}

test_bad() { # each bad line is reported with its number, and none ends the backend
	sender one "$backend"
	lines one 'block 192.0.2.1 4 32' 'block 192.0.2.300 4 32' 'block 192.0.2.2 6 32' \
		'block 2001:db8::1 4 128' 'block 192.0.2.3 4 33' 'block 192.0.2.4 4' \
		'block 192.0.2.5 4 32 x' 'block 192.0.2.6/24 4 32' 'drop 192.0.2.7 4 32' '' \
		'Block 192.0.2.8 4 32' 'flush 4' 'block 192.0.2.9 4 32'
	becomes sshguard 192.0.2.1 192.0.2.9
	head -c 100000 /dev/zero | tr '\0' x >"$scratch/long"
	order one send "$scratch/long"
	lines one '' 'block 192.0.2.10 4 32'
	becomes sshguard 192.0.2.1 192.0.2.10 192.0.2.9
	dismiss one
	err_has 'line 2: ' 'line 3: the address is not of the named family: block 192.0.2.2 6 32' \
		'line 4: the address is not of' 'line 5: ' \
		'line 6: the operands are not ADDRESS 4|6 LENGTH' \
		'line 7: the operands' 'line 8: the operands' 'line 9: it is not a command of sshguard' \
		'line 10: it is not a command' '2 more bad lines were not reported'
}

test_destroyed() { # 'flush' creates a filter that was destroyed again, with its rule
	sender one "$backend"
	lines one 'block 192.0.2.1 4 32'
	becomes sshguard 192.0.2.1
	k -q detach sshguard
	k destroy sshguard
	lines one flush 'block 192.0.2.2 4 32'
	becomes sshguard 192.0.2.2
	k rules
	[[ $out == *"sshguard "*prerouting*drop* ]] || complain "no rule: $out"
	dismiss one
	err_has "the filter 'sshguard' was destroyed and created again"
}

test_rest() { # the rest of a line that is too long is no command
	sender one "$backend"
	head -c 300000 /dev/zero | tr '\0' x >"$scratch/long"
	order one send "$scratch/long"
	# The backend reads the line up to here.
	sleep 1
	lines one 'block 192.0.2.66 4 32' 'block 192.0.2.1 4 32'
	becomes sshguard 192.0.2.1
	dismiss one
	err_has 'line 1: the line is too long'
}

test_wide() { # networks that drop the traffic of a continent are not blocked
	sender one "$backend"
	lines one 'block 0.0.0.0 4 0' 'block 64.0.0.0 4 5' 'block 2000:: 6 11' 'block 64.0.0.0 4 6'
	becomes sshguard 64.0.0.0/6
	dismiss one
	err_has 'line 1: the network is too wide' 'line 2: the network' 'line 3: the network'
}

test_timeouts() { # the configuration may give the filter timeouts, and blocks still have none
	printf '[filter guarded]\n' >/etc/kcuckoo/sshguard.conf
	k apply
	sender one "$backend"
	lines one 'block 192.0.2.1 4 32'
	becomes guarded 192.0.2.1
	printf '[filter guarded]\ntimeout = 1h\n' >/etc/kcuckoo/sshguard.conf
	k apply
	status_is 0
	lines one 'block 192.0.2.2 4 32'
	becomes guarded 192.0.2.1 192.0.2.2
	k list guarded
	[[ $out == *'192.0.2.2 timeout 0'* ]] || complain "a timeout: $out"
	dismiss one
	k down
	rm /etc/kcuckoo/sshguard.conf
}

test_settings() { # the filter is the one that sshguard.conf names
	printf '[filter guarded]\n[rule guarded]\nfilter = guarded\n' >/etc/kcuckoo/sshguard.conf
	sender one "$backend"
	lines one 'block 192.0.2.1 4 32'
	says one "the filter 'guarded' does not exist"
	k apply
	status_is 0
	becomes guarded 192.0.2.1
	k rules
	[[ $out == *"guarded "*prerouting*drop* && $out != *drop*drop* ]] || complain "rules: $out"
	# A signal ends the backend while a change waits.
	k down
	lines one 'block 192.0.2.2 4 32'
	sleep 2
	kill -TERM "$(<"$scratch/one.child")"
	dismiss one
	[ "$(<"$scratch/one.status")" = 0 ] || complain "exit status $(<"$scratch/one.status")"
	k list
	out_is ''
	rm /etc/kcuckoo/sshguard.conf
}

own_folders
main "$0"
