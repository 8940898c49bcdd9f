#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Filters and rules are there before systemd-networkd configures the network: no listed packet
# passes during the boot.

# shellcheck source=selftests/system/order.sh
. "$(dirname "$0")/order.sh"

ordered systemd-networkd.service
finish
