# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# memory.sh: measure the memory of filters and sets by that of the kernel. Sourced by
# scripts that run in a machine of their own.

# kernel_memory: prints the bytes of all memory that tables of any kind can consist of.
# Memory is freed with some delay, so this waits until the value stays the same.
kernel_memory() {
	local now last=0 same=0 tries

	for ((tries = 0; tries < 60 && same < 4; tries++)); do
		now=$(awk '/^(SUnreclaim|VmallocUsed|Percpu):/ { kb += $2 }
			END { print kb * 1024 }' /proc/meminfo)
		if ((now - last < 32768 && last - now < 32768)); then
			same=$((same + 1))
		else
			same=0
		fi
		last=$now
		sleep 0.2
	done
	echo "$last"
}
