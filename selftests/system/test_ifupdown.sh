#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Filters and rules are there before ifupdown configures the network: no listed packet
# passes during the boot.

# shellcheck source=selftests/system/order.sh
. "$(dirname "$0")/order.sh"

ordered networking.service
inside 'units are correct' 'systemd-analyze verify --man=no kcuckoo.service kcuckoo-apply.service \
	kcuckoo-save.service kcuckoo-save@x.service kcuckoo-apply@x.service kcuckoo-fetch@x.service kcuckoo-fetch@x.timer \
	kcuckoo-fetch.service kcuckoo-fetch.timer kcuckoo@x.service kcuckoo-device@eth0.service'
finish
