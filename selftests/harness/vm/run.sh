#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Run a command as root in a virtual machine with the module installed. See usage.

set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd -P)
top=$(cd "$here/../../.." && pwd -P)

usage() {
	cat <<'USAGE'
usage: run.sh [--kernel NAME] [--mem MB] [--timeout S] [--cpus N] [--parallel]
              [--save FILE] [--] COMMAND...

Run COMMAND as root in a virtual machine that sees this host's whole root file
system, read-only, with the module, the command and the library installed. What is
missing or older than its sources is built first.

  --kernel NAME   stock   Debian's own (the default)
                  rt      Debian's own with PREEMPT_RT
                  5.10    that of Debian 11
                  6.12    that of Debian's backports
                  newest  Debian's newest, as selftests/harness/vm/newest pins it
                  debug   Debian's own source with KASAN, lockdep, ...
                  kcsan   the same source with KCSAN, which looks for data races
                  gcov    the same source, counting how often each line ran
                  uml-debug  the same source as a process of this host, with checks:
                          at its speed, on one processor, without preemption
  --mem MB        memory of the machine (2048)
  --timeout S     seconds from boot until the machine is stopped (600)
  --cpus N        its processors (2)
  --parallel      emulated processors run at the same time, not in turns
  --save FILE     keep what the command writes to /dev/saved

Exit status: that of COMMAND; 123 when the emulator failed, which says nothing about
COMMAND; 124 after a timeout; 125 after a kernel splat, panic or leak, or when the
machine ended without a verdict; 2 for a wrong option.
USAGE
}

kernel=stock
mem=2048
timeout=600
cpus=2
parallel=
save=/dev/null
command=()

# Seconds in which a machine whose time is over may say where it is.
last_words=60
# The kernel's words about an interrupt that inquire() sent.
asked='NMI received for unknown reason'

run=		# the folder of this run: fifos, console log, its part of the initramfs
folder=		# the kernel's, in the cache
builder=	# process groups to end when this script is ended
machine=	# the process that is the machine
inquirer=	# waits for the end of the machine's time

say() {
	echo "vm: $*" >&2
}

refuse() {
	say "$*"
	exit 2
}

# number OPTION VALUE: refuse what is no positive number.
number() {
	case $2 in
	'' | *[!0-9]* | 0*) refuse "$1 wants a positive number, not '$2'" ;;
	esac
}

parse() {
	local option value

	while [ $# -gt 0 ]; do
		case $1 in
		--kernel=* | --mem=* | --timeout=* | --cpus=* | --save=*)
			option=${1%%=*} value=${1#*=}
			shift
			set -- "$option" "$value" "$@"
			;;
		--kernel | --mem | --timeout | --cpus | --save)
			[ $# -ge 2 ] || refuse "$1 wants a value"
			case $1 in --kernel | --save) ;; *) number "$1" "$2" ;; esac
			printf -v "${1#--}" %s "$2"
			shift 2
			;;
		--parallel)
			parallel=yes
			shift
			;;
		-h | --help)
			usage
			exit 0
			;;
		--)
			shift
			break
			;;
		-*) refuse "unknown option '$1' (run.sh --help lists them)" ;;
		*) break ;;
		esac
	done
	command=("$@")

	case $kernel in
	stock | rt | 5.10 | 6.12 | newest | debug | kcsan | gcov | uml-debug) ;;
	*) refuse "unknown kernel '$kernel' (stock, rt, 5.10, 6.12, newest, debug, kcsan, gcov, uml-debug)" ;;
	esac
	[ $# -gt 0 ] || refuse "no command given (run.sh --help)"
}

finish() {
	trap - EXIT INT TERM HUP
	if [ -n "$builder" ]; then
		kill -- "-$builder" 2>/dev/null || :
	fi
	if [ -n "$machine" ]; then
		kill "$machine" 2>/dev/null || :
		wait "$machine" 2>/dev/null || :
	fi
	if [ -n "$inquirer" ]; then
		kill "$inquirer" 2>/dev/null || :
	fi
	rm -rf "$run"
	exit "$1"
}

# Prepare the boot. Status 125 means that this script, not COMMAND, failed.
prepare() {
	local part=$run/initramfs/run cwd

	mkdir -p "$part"
	cwd=$(pwd -P)
	printf '%s' "$cwd" >"$part/cwd"
	case $cwd/ in
	"$top"/*) echo "$top" ;;
	*) printf '%s\n' "$top" "$cwd" ;;
	esac >"$part/shown"
	printf '%s\0' "${command[@]}" >"$part/argv"

	# In a process group of its own and waited for, so that a signal ends it at once.
	setsid "$here/prepare.sh" "$kernel" "$run" >"$run/prepared" &
	builder=$!
	wait "$builder" || finish 125
	builder=
	folder=$(cat "$run/prepared")
}

# boots ACCELERATOR: a small machine comes up as far as our init.
boots() {
	timeout 20 qemu-system-x86_64 -machine q35 -accel "$1" -cpu max -m 512 \
		-nodefaults -no-user-config -display none -no-reboot -serial stdio \
		-kernel "$folder/vmlinuz" -initrd "$run/initrd" -append \
		'console=ttyS0 quiet rdinit=/init reboot=t panic=-1 kcuckoo.probe' \
		</dev/null 2>/dev/null | grep -q 'init: probed'
}

# accelerator: KVM where it really works. A processor without vmx or svm may well
# offer /dev/kvm, and a machine in it hangs: so one has to boot, quickly.
#
# Emulated processors that run at the same time do not bear that one of them patches
# the kernel's code, as a first tracepoint, netfilter hook or queue does: one time in
# some hundreds the other one stops for ever or dies of a breakpoint. In turns they
# take less of the host's time, too.
accelerator() {
	if grep -qwE 'vmx|svm' /proc/cpuinfo && [ -w /dev/kvm ] && boots kvm; then
		echo kvm
	elif [ -n "$parallel" ]; then
		echo tcg,thread=multi
	else
		echo tcg,thread=single
	fi
}

# kernel_arguments: those of the kernel's command line that every machine has.
kernel_arguments() {
	echo quiet loglevel=5 printk.devkmsg=on rdinit=/init
	# An oops, a hang or a stall ends the machine.
	echo oops=panic
	echo watchdog_thresh=60 rcupdate.rcu_cpu_stall_timeout=120
	echo workqueue.watchdog_thresh=120
	# Do not clear memory, so that tests detect memory that the kernel leaks to users.
	echo init_on_alloc=0
	# QEMU does not translate a program again if it starts at the same addresses. This
	# makes shell scripts four times as fast.
	echo norandmaps
	case $kernel in
	debug | uml-debug) echo panic_on_warn=1 kmemleak=on ;;
	esac
}

# emulated_arguments ACCELERATOR: those of QEMU's.
emulated_arguments() {
	echo console=ttyS0 reboot=t panic=-1
	# The emulated processor needs no protection, and time to do its work.
	echo random.trust_cpu=on mitigations=off no_timer_check
	# What inquire() sends: all processors say where they are.
	echo unknown_nmi_panic panic_print=0x40
	# Its counter of cycles is the same on all processors; the kernel, in doubt,
	# would ask a device for the time, with a turn out of the machine each time.
	echo tsc=reliable
	# The kernel would measure the speed of this counter with a device's timer. On a busy
	# host, the result, and so all time in the machine, is wrong by any factor. An emulated
	# counter has the speed of the host's counter.
	case $1 in
	tcg*) echo "tsc_early_khz=$("$top/build/cycles")" ;;
	esac
	# A stall of RCU ends the machine, too; with one processor it knows none.
	echo sysctl.kernel.panic_on_rcu_stall=1
}

# inquire: a machine whose time is over has to say what it is doing, by an interrupt
# that no processor can keep out. read waits without a process to leave behind.
inquire() {
	read -rt "$timeout" <>"$run/never" || :
	touch "$run/expired"
	if [ -p "$run/monitor.in" ]; then
		echo nmi >"$run/monitor.in"
	fi
}

# limited COMMAND...: run the command with a time limit. The command also ends when this
# script ends, even by SIGKILL.
limited() {
	exec setpriv --pdeathsig TERM timeout --foreground -k 5 \
		$((timeout + last_words)) "$@" </dev/null
}

# emulate ACCELERATOR: QEMU.
emulate() {
	local share=security_model=none,readonly=on,multidevs=remap

	# Without erms and fsrm a kernel copies by words and not by bytes, without la57
	# page tables have a level less: an emulated processor is twice as fast so.
	# q35: the other machine's interrupt tables take a debug kernel minutes.
	limited \
		qemu-system-x86_64 -machine q35 -accel "$1" -cpu max,-erms,-fsrm,-la57 \
		-smp "$cpus" -m "$mem" -nodefaults -no-user-config -display none \
		-no-reboot -kernel "$folder/vmlinuz" -initrd "$run/initrd" \
		-append "$({ kernel_arguments; emulated_arguments "$1"; } | tr '\n' ' ')" \
		-chardev "file,id=console,path=$run/console" -serial chardev:console \
		-chardev "pipe,id=monitor,path=$run/monitor" -mon chardev=monitor \
		-device virtio-serial-pci \
		-chardev "file,id=status,path=$run/status" \
		-device virtserialport,chardev=status,name=status \
		-chardev "file,id=stdout,path=$run/stdout" \
		-device virtserialport,chardev=stdout,name=stdout \
		-chardev "file,id=stderr,path=$run/stderr" \
		-device virtserialport,chardev=stderr,name=stderr \
		-chardev "file,id=saved,path=$save" \
		-device virtserialport,chardev=saved,name=saved \
		-fsdev "local,id=host,path=/,$share" \
		-device virtio-9p-pci,fsdev=host,mount_tag=host \
		-fsdev "local,id=kernel,path=$folder/root,$share" \
		-device virtio-9p-pci,fsdev=kernel,mount_tag=kernel >"$run/qemu" 2>&1
}

# boot ACCELERATOR: one machine from start to end. Returns QEMU's status.
boot() {
	local out err ended=0

	rm -f "$run"/{stdout,stderr,never,monitor.in,monitor.out,expired}
	mkfifo "$run"/{stdout,stderr,never,monitor.in,monitor.out}
	cat "$run/stdout" &
	out=$!
	cat "$run/stderr" >&2 &
	err=$!
	: >"$run/status"
	: >"$run/console"
	inquire &
	inquirer=$!
	emulate "$1" &
	machine=$!
	await_end || ended=$?
	# If QEMU ended before it opened the pipes, open them, so that their readers end.
	: <>"$run/stdout" <>"$run/stderr"
	wait "$out" "$err" || :
	return "$ended"
}

# await_end: of the machine. Returns its status.
await_end() {
	local ended=0

	# The shell's own words about a job that died of a signal say nothing new.
	wait "$machine" 2>/dev/null || ended=$?
	machine=
	kill "$inquirer" 2>/dev/null || :
	wait "$inquirer" 2>/dev/null || :
	inquirer=
	return "$ended"
}

# follow FILE: print it while the machine writes it.
follow() {
	exec tail -s 0.1 --pid="$machine" -c +1 -f "$1"
}

# boot_process: a process of this host as the machine, which writes into files what
# others write to ports. A kernel that panics ends its group of processes.
boot_process() {
	local out err ended=0

	mkdir "$run/ports"
	touch "$run"/ports/{status,stdout,stderr,saved} "$run/qemu"
	ln -s ports/status "$run/status"
	mkfifo "$run/never"
	inquire &
	inquirer=$!
	# shellcheck disable=SC2046 # words
	limited setsid "$here/uml.sh" "$mem" "$folder/vmlinuz" "initrd=$run/initrd" \
		"PORTS=$run/ports" $(kernel_arguments) >"$run/console" 2>&1 &
	machine=$!
	follow "$run/ports/stdout" &
	out=$!
	follow "$run/ports/stderr" >&2 &
	err=$!
	await_end || ended=$?
	wait "$out" "$err" || :
	cat "$run/ports/saved" >"$save"
	return "$ended"
}

# gave_up STATUS: print why the machine ended before the command began. Return 1 if the
# command has begun, or the machine ended for another reason.
gave_up() {
	if [ -e "$run/expired" ] || grep -q '^started$' "$run/status"; then
		return 1
	fi
	case $1 in
	134 | 139) grep -m 1 -i assert "$run/qemu" || head -n 1 "$run/qemu" ;;
	*) grep -m 1 'Kernel panic' "$run/console" ;;
	esac
}

# boot_patiently: QEMU 7.2 now and then stops at an assertion of its own while the
# kernel sets up PCI on one processor and another one is running; and an emulated
# processor can stand still while the kernel brings it up, until the other one's
# watchdog ends that. The module is loaded by commands alone, so as long as none has
# begun, nothing under test can be the cause: boot again.
boot_patiently() {
	local accel ended reason again

	accel=$(accelerator)
	for again in 2 1 0; do
		ended=0
		boot "$accel" || ended=$?
		reason=$(gave_up "$ended") || break
		[ $again != 0 ] || break
		say "the machine gave up before the command began, trying again: $reason"
	done
	return "$ended"
}

# complain WORDS: print the error and the end of the console, and exit.
complain() {
	say "$*"
	sed 's/\r$//' "$run/console" | tail -n 40 | sed 's/^/vm: | /' >&2
	cat "$run/qemu" >&2
	finish 125
}

# fact WORD: print the rest of the line in which init wrote this word first.
fact() {
	sed -n "s/^$1 //p" "$run/status"
}

# show FOUND: the console, from a little before the first of the lines that were found.
show() {
	local first

	first=$(head -n 1 "$1" | cut -d: -f1)
	# Not head: it would end before tail, whose status would then be that of SIGPIPE.
	tail -n "+$((first > 3 ? first - 3 : 1))" "$run/console" |
		sed -n '1,80 { s/\r$//; s/^/vm: | /; p }' >&2
}

# complaints FILE: print the lines that match a pattern of the file splats, with numbers.
complaints() {
	grep -vE '^(#|$)' "$here/splats" | grep -nEf - "$1"
}

# timer_lost FOUND: return 0 if QEMU has stopped to send timer interrupts to a processor.
# This happens in one of some thousands of runs, mostly while the processor is idle. Tasks
# that wait for this processor then hang, and RCU reports the cause. Return 1 if another
# complaint came before, or if the module is in a trace, because code that disables
# interrupts for too long causes the same report.
timer_lost() {
	grep -nE "rcu: .*(timer wakeup didn't happen|Possible timer handling issue)" \
		"$run/before" >"$1" || return
	sed '/rcu: INFO: .* detected stalls/,$d' "$run/before" >"$run/sound"
	! complaints "$run/sound" >/dev/null &&
		! grep -qE '\[(xt_)?kcuckoo(_[a-z]+)?\]' "$run/before"
}

# judge STATUS: the verdict, on positive evidence only. STATUS is the machine's process'.
judge() {
	local ended=$1 taint verdict

	# The output after the interrupt of inquire() is not a complaint.
	sed "/$asked/,\$d" "$run/console" >"$run/before"
	if timer_lost "$run/found"; then
		say "an emulated processor lost its timer:"
		show "$run/found"
		finish 123
	fi
	if complaints "$run/before" >"$run/found"; then
		say "the kernel complained ($(wc -l <"$run/found") lines match selftests/harness/vm/splats):"
		show "$run/found"
		finish 125
	fi
	if [ -e "$run/expired" ]; then
		say "timeout after $timeout s; what the machine was doing:"
		sed -n "/$asked/,\$p" "$run/console" |
			sed -n '1,120 { s/\r$//; s/^/vm: | /; p }' >&2
		finish 124
	fi
	[ -z "$(fact fault)" ] || complain "$(fact fault)"
	verdict=$(fact exit)
	if [ -z "$verdict" ] || ! grep -q '^started$' "$run/status"; then
		complain "the machine ended without a verdict (its process': $ended)"
	fi
	# Bits of a machine check, bad page, oops, warning and soft lockup.
	taint=$(fact taint)
	if [ -z "$taint" ] || [ $((taint & (16 | 32 | 128 | 512 | 16384))) != 0 ]; then
		complain "the kernel is tainted by an error (${taint:-unknown})"
	fi
	finish "$verdict"
}

main() {
	local ended=0

	parse "$@"
	run=$(mktemp -d "${TMPDIR:-/tmp}/kcuckoo-vm.XXXXXX")
	trap 'finish $?' EXIT
	trap 'finish 130' INT
	trap 'finish 143' TERM
	trap 'finish 129' HUP
	prepare
	case $kernel in
	uml-debug) boot_process || ended=$? ;;
	*) boot_patiently || ended=$? ;;
	esac
	judge "$ended"
}

# A shell starts its background jobs with SIGINT ignored, and bash cannot take that
# back for itself; yet an interrupt has to end the machine.
if grep -q '^SigIgn:.*[2367abef]$' /proc/self/status; then
	exec env --default-signal=INT "$0" "$@"
fi

main "$@"
