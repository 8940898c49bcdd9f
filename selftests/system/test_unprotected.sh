#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Without kcuckoo.service the flood of the tests of the order comes in: their results could
# be otherwise.

# shellcheck disable=SC2016 # scripts for the machine to expand
# shellcheck source=selftests/system/order.sh
. "$(dirname "$0")/order.sh"

boot_with networking.service systemd.mask=kcuckoo.service
inside 'listed packets come in' '
	for i in {1..100}; do
		awk "/^Udp: [0-9]/ { exit !(\$3 > 0) }" /proc/net/snmp && exit
		sleep 0.2
	done
	grep Udp: /proc/net/snmp; exit 1'
inside 'there is no rule' '[ -z "$(kcuckoo rules)" ]'
finish
