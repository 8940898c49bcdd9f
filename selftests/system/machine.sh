# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The functions of the tests of this folder: a machine with systemd, scripts that run in it,
# and results as TAP. A test sources this file; run.sh sets RUN, KERNEL and TEST.

disk=$RUN/$TEST.disk		# of this test, changed by it
console=$RUN/$TEST.console	# what the kernel and systemd printed
port=$((20000 + $$ % 20000))	# where the network device takes frames, by UDP
machine=			# process of the emulator
flood=				# process that sends frames
listed=10.77.0.66		# an address in the list of the machine
serial=0
count=0
boot_limit=400			# seconds until the next line of a machine that boots
script_limit=200		# seconds until a script in the machine has ended

cleanup() {
	stop_flood
	power_cut
	rm -f "$disk" "$RUN/agent.in" "$RUN/agent.out"
}
trap cleanup EXIT

# result OK NAME: print a line of TAP.
result() {
	count=$((count + 1))
	[ "$1" = ok ] || printf 'not '
	echo "ok $count $TEST.$2"
}

# check NAME COMMAND...: a result, by the exit status of a command on the host. It is returned.
check() {
	local name=$1 output status=0

	shift
	output=$("$@" 2>&1) || status=$?
	if [ $status = 0 ]; then
		result ok "$name"
	else
		printf '%s\n' "failed: $*" "$output" | sed 's/^/# /'
		result failed "$name"
	fi
	return $status
}

# inside NAME SCRIPT: a result, by the exit status of a script in the machine.
inside() {
	check "$1" guest "$2"
}

bail_out() {
	echo "Bail out! $TEST: $*"
	tail -n 30 "$console" | sed 's/\r$//; s/^/# | /'
	exit 1
}

# install_disk: a new disk for this test.
install_disk() {
	cp --sparse=always "$RUN/disk" "$disk"
}

# More arguments of the kernel, for power_on.
arguments=()

# power_on: start the machine; the agent answers when systemd has started its units.
power_on() {
	rm -f "$RUN"/agent.{in,out}
	mkfifo "$RUN"/agent.{in,out}
	exec {to}<>"$RUN/agent.in" {from}<>"$RUN/agent.out"
	setpriv --pdeathsig KILL qemu-system-x86_64 -machine q35 -accel tcg,thread=single \
		-cpu max,-erms,-fsrm,-la57 -m 1024 -nodefaults -no-user-config \
		-display none -kernel "$KERNEL/vmlinuz" -initrd "$RUN/initrd" \
		-append "console=ttyS0 panic=-1 oops=panic reboot=t root=/dev/vda net.ifnames=0 \
random.trust_cpu=on mitigations=off no_timer_check tsc=reliable \
tsc_early_khz=$("$TOP/build/cycles") loglevel=5 systemd.show_status=error ${arguments[*]}" \
		-drive "file=$disk,if=virtio,format=raw,cache=unsafe" \
		-chardev "file,id=console,path=$console,append=on" -serial chardev:console \
		-device virtio-serial-pci -chardev "pipe,id=agent,path=$RUN/agent" \
		-device virtserialport,chardev=agent,name=agent \
		-netdev "socket,id=net,udp=127.0.0.1:$((port + 1)),localaddr=127.0.0.1:$port" \
		-device virtio-net-pci,netdev=net,mac=52:54:00:12:34:56 \
		>"$RUN/qemu" 2>&1 </dev/null &
	machine=$!
	await_agent
}

# receive SECONDS: set line to the next line of the agent. Fails if none comes, or the
# machine ends.
receive() {
	local end=$((SECONDS + $1))

	while [ $SECONDS -lt $end ]; do
		! read -r -t 2 -u "$from" line || return 0
		kill -0 "$machine" 2>/dev/null || return 1
	done
	return 1
}

# await_agent: a boot ends with the line "ready".
await_agent() {
	local line

	while receive "$boot_limit"; do
		[[ $line != ready\ * ]] || return 0
	done
	bail_out "no answer from the machine; the emulator: $(<"$RUN/qemu")"
}

# guest SCRIPT: run a script in the machine, with its output and exit status.
guest() {
	local line word number status output

	serial=$((serial + 1))
	printf '%s %s\n' "$serial" "$(base64 -w 0 <<<"$1")" >&"$to"
	while receive "$script_limit"; do
		read -r word number status output <<<"$line"
		[ "$word $number" = "done $serial" ] || continue
		base64 -d <<<"$output"
		return "$status"
	done
	echo "no answer from the machine"
	return 125
}

# settle: until no unit is starting any more; the state of the system is not judged.
settle() {
	guest 'systemctl is-system-running --wait' >/dev/null || :
}

# reboot_machine: a clean reboot.
reboot_machine() {
	printf '0 %s\n' "$(base64 -w 0 <<<'systemctl --no-block reboot')" >&"$to"
	await_agent
	settle
}

# power_off: a clean end of the machine.
power_off() {
	printf '0 %s\n' "$(base64 -w 0 <<<'systemctl --no-block poweroff')" >&"$to"
	for _ in {1..1200}; do
		kill -0 "$machine" 2>/dev/null || break
		sleep 0.1
	done
	kill -0 "$machine" 2>/dev/null && bail_out "the machine does not end"
	wait "$machine"
	machine=
}

# power_cut: the machine ends at once.
power_cut() {
	[ -n "$machine" ] || return 0
	kill -9 "$machine" 2>/dev/null
	wait "$machine" 2>/dev/null
	machine=
}

# frame SOURCE PROTOCOL PAYLOAD: an IPv4 packet from an address to the machine. Its checksum
# makes the sum of its words zero.
frame() {
	local words word source sum=0 hex length=$((20 + ${#3} / 2))

	# shellcheck disable=SC2086 # four numbers
	source=$(printf %02x ${1//./ })
	words=(4500 "$(printf %04x $length)" 0000 0000 "40$2" "${source:0:4}" "${source:4}" 0a4d 0002)
	for word in "${words[@]}"; do
		sum=$((sum + 0x$word))
	done
	sum=$((0xffff - (sum % 0x10000 + sum / 0x10000)))
	hex=5254001234560200000000010800$(printf %s "${words[@]:0:5}")
	hex+=$(printf '%04x' $sum)$(printf %s "${words[@]:5}")$3
	# shellcheck disable=SC2001,SC2059 # each byte; the format is the packet
	printf "$(sed 's/../\\x&/g' <<<"$hex")"
}

# start_flood: send a UDP packet from the listed address to a port that nobody has opened, and an
# ICMP echo request from 10.77.0.99, over and over. The machine counts the former as NoPorts and
# the latter as InEchos when they have passed all filters. At its end it writes to RUN/sent how
# many echo requests the emulator took.
start_flood() {
	frame "$listed" 11 0400000900080000 >"$RUN/listed"
	frame 10.77.0.99 01 0800f7ff00000000 >"$RUN/allowed"
	# cat writes a packet at once; the shell would end one after each byte 0x0a.
	{
		sent=0
		stopped=
		trap 'stopped=yes' TERM
		while [ -z "$stopped" ]; do
			cat "$RUN/listed"
			sleep 0.05
			! cat "$RUN/allowed" || sent=$((sent + 1))
			sleep 0.05
		done
		echo $sent >"$RUN/sent"
	} >"/dev/udp/127.0.0.1/$port" 2>/dev/null &
	flood=$!
}

stop_flood() {
	[ -n "$flood" ] || return 0
	kill "$flood" 2>/dev/null
	wait "$flood" 2>/dev/null
	flood=
}

# no_splat: the kernel did not complain.
no_splat() {
	! grep -vE '^(#|$)' "$TOP/selftests/harness/vm/splats" | grep -nEf - "$console"
}

# no_cycle: systemd found no circle in the order of units in this boot.
no_cycle() {
	guest '! journalctl -b | grep -iE "ordering cycle|break cycle|deleted to break"'
}

# finish: the last result, and the plan.
finish() {
	check 'the kernel has no complaint' no_splat
	echo "1..$count"
}
