#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# This program runs in the machine of the system test, as a unit of systemd. It executes
# the scripts that the host sends over a virtio port.
#
# Each line from the host is a number and a script in base64. The answer is a line:
# "done", the number, the exit status of the script, and its output in base64.

exec <>/dev/virtio-ports/agent >&0
echo "ready $(</proc/sys/kernel/random/boot_id)"
while read -r number script; do
	output=$(bash -c "$(base64 -d <<<"$script")" 2>&1 </dev/null)
	echo "done $number $? $(printf %s "$output" | base64 -w 0)"
done
