#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The match: which packets it drops, and which not.

# shellcheck source=selftests/kernel/xt/packets.sh
. ./packets.sh

check_source() {
	k create bl
	k add bl "$(address "$1" 2)"
	rule -A INPUT -m kcuckoo --match-filter bl src -j DROP
	drops "$1" 2
	passes "$1" 3
	rule -D INPUT -m kcuckoo --match-filter bl src -j DROP
	passes "$1" 2
}

test_source() { # drops exactly what comes from a listed address
	each check_source "${tools[@]}"
}

check_inverted() {
	k create bl
	k add bl "$(address "$1" 2)"
	rule -A INPUT -m kcuckoo ! --match-filter bl src -j DROP
	passes "$1" 2
	drops "$1" 3
	r -D INPUT -m kcuckoo --match-filter bl src -j DROP
	[ "$status" != 0 ] || complain "$tool: removed another rule"
}

test_inverted() { # drops exactly what comes from an unlisted one
	each check_inverted "${two_tools[@]}"
}

check_destination() {
	k create bl
	k add bl "$(address "$1" 2)"
	rule -A OUTPUT -m kcuckoo --match-filter bl dst -j DROP
	is_dropped ping_to "$1" 2 0.3 || complain "$tool: a packet to number 2 passed"
	ping_to "$1" 3 $patience || complain "$tool: a packet to number 3 was dropped"
}

test_destination() { # drops exactly what goes to a listed address
	each check_destination "${two_tools[@]}"
}

check_waiting() {
	rule -A INPUT -m kcuckoo --match-filter bl src -j DROP
	rule -A INPUT -m kcuckoo ! --match-filter nobody src -j DROP
	passes "$1" 2
	k create bl type bytes capacity 100
	k create nobody type bytes capacity 100
	k add bl "$(address "$1" 2)"
	passes "$1" 2
	flush

	rule -A INPUT -m kcuckoo --match-filter bl src -j DROP
	k create bl
	k add bl "$(address "$1" 2)"
	drops "$1" 2
	passes "$1" 3
}

test_waiting() { # without a filter of addresses nothing matches, inverted or not
	each check_waiting "${two_tools[@]}"
}

wire
main "$0"
