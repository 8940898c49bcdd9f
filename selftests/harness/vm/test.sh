#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# test.sh [KERNEL]: test on the host that run.sh works as documented, with the stock kernel
# or another kernel. Print TAP.

kernel=${1:-stock}
here=$(cd "$(dirname "$0")" && pwd -P)
top=$(cd "$here/../../.." && pwd -P)
work=$(mktemp -d)
seen=$(mktemp -d "$top/build.test.XXXXXX")
trap 'rm -rf "$work" "$seen"' EXIT

count=0
failures=0

# check NAME CONDITION...: run the condition, and print its result as the test NAME.
check() {
	local name=$1

	shift
	count=$((count + 1))
	if "$@"; then
		echo "ok $count $name"
	else
		failures=$((failures + 1))
		echo "not ok $count $name"
		echo "# failed: $*"
	fi
}

# run NAME ARGUMENT...: run run.sh, and store its output and status in files.
run() {
	local name=$1

	shift
	"$here/run.sh" --kernel "$kernel" "$@" >"$work/$name.out" 2>"$work/$name.err"
	echo $? >"$work/$name.status"
}

# start NAME ARGUMENT...: call run in the background. If the emulator failed, call run once
# more, except for the test "timer", which causes this failure.
start() {
	{
		run "$@"
		if [ "$1" != timer ] && [ "$(cat "$work/$1.status")" = 123 ]; then
			rm -rf "$work/booted"
			run "$@"
		fi
	} &
}

status() {
	[ "$(cat "$work/$1.status")" = "$2" ] && return
	sed "s/^/# $1: /" "$work/$1.err"
	return 1
}

says() {
	grep -q -e "$2" "$work/$1.err"
}

# refused WORDS ARGUMENT...: return 0 if run.sh exits with status 2, WORDS are on stderr and
# stdout is empty.
refused() {
	local words=$1 code

	shift
	"$here/run.sh" "$@" >"$work/refused.out" 2>"$work/refused.err"
	code=$?
	[ $code = 2 ] && [ ! -s "$work/refused.out" ] && says refused "$words"
}

# What a command finds, as "word value" lines on stderr; stdout carries bytes alone.
# shellcheck disable=SC2016 # expanded in the machine
probe='
exec 3>&2
say() { echo "$*" >&3; }
say folder "$(pwd)"
say user "$(id -u)"
say seen "$(cat mark)"
# A tree below /tmp is the exception: it stays visible.
way=${PWD#/tmp/}
say empty "$(ls -A /tmp /var/tmp | grep -v -e "^/" -e "^$" -e "^${way%%/*}$" | wc -l)"
touch /tmp/x /run/x /var/tmp/x && say writable
touch "$PWD/x" 2>/dev/null || say read-only
[ "$(cat /dev/fd/0 </etc/hostname)" = "$(cat /etc/hostname)" ] && say descriptors
case :$PATH: in *:/usr/sbin:*) say path ;; esac
modprobe kcuckoo && say loaded "$(modinfo -F filename kcuckoo)"
modprobe dummy && say own-modules
[ -d /sys/class/net/lo ] && [ "$(cat /sys/class/net/lo/flags)" = 0x9 ] && say loopback
grep -q "^kcuckoo " /lib/modules/"$(uname -r)"/modules.devname && [ ! -c /dev/kcuckoo ] ||
	say node
yes | head -c 4000000 >&2
cat bytes
exit 3
'

head -c 1000000 /dev/urandom >"$seen/bytes"
printf 'a\r\nb\0\r' >>"$seen/bytes"
echo here >"$seen/mark"

# Bring everything up to date first, so that no test's time includes a build.
mkdir -p "$work/prepared/initramfs/run"
"$here/prepare.sh" "$kernel" "$work/prepared" >/dev/null

# Compare the seconds in a machine with the seconds on the host. The folder is below /tmp, and
# the command leaves rules.
# shellcheck disable=SC2016 # expanded in the machine
first='cat mark >&2
	read -r began rest </proc/uptime
	kcuckoo -q attach missing && ip netns add other &&
		ip netns exec other kcuckoo -q attach missing || exit
	sleep 2
	read -r ended rest </proc/uptime
	echo "${began%.*} ${ended%.*}"'
began=$SECONDS
(cd "$work" && echo there >mark && start first sh -c "$first" && wait)
elapsed=$((SECONDS - began + 1))
read -r clock_began clock_ended <"$work/first.out"
check "a first machine boots" status first 0
check "the clock is no faster than the host's" [ "$clock_ended" -le $elapsed ]
check "... and goes" [ $((clock_ended - clock_began)) -ge 2 ]

# Two machines at a time: as many as a small host has processors. Two more sleep meanwhile,
# until the time of one is over, and the other no longer waits for its module.
start slow --timeout $((2 * elapsed + 10)) sleep 1000
slow=$!
start held sh -c 'modprobe kcuckoo_client name=missing'
held=$!

# The kernel of the probe's first machine finds no init. Whether there is KVM was asked before.
mkdir "$work/bin"
cat >"$work/bin/qemu-system-x86_64" <<END
#!/bin/bash
if [[ \$* != *kcuckoo.probe* ]] && mkdir "$work/booted" 2>/dev/null; then
	set -- "\${@//rdinit=\/init/rdinit=/nowhere}"
fi
exec "$(command -v qemu-system-x86_64)" "\$@"
END
chmod +x "$work/bin/qemu-system-x86_64"
(cd "$seen" && PATH=$work/bin:$PATH start probe sh -c "$probe" && wait) &
probing=$!
start panic sh -c 'echo c >/proc/sysrq-trigger'
wait $probing $!

facts() {
	grep -qx -e "$1" "$work/probe.err"
}
same_bytes() {
	cmp -s "$work/probe.out" "$seen/bytes"
}
long_stderr() {
	[ "$(grep -cx y "$work/probe.err")" = 2000000 ]
}
release=$(cat "$("$here/kernel.sh" "$kernel")/release")

check "the command's exit status is the runner's" status probe 3
check "stdout comes byte for byte" same_bytes
check "stderr comes apart from it, complete" long_stderr
check "the caller's folder is the command's" facts "folder $seen"
check "untracked files are there" facts 'seen here'
check "the command is root" facts 'user 0'
check "/tmp and /var/tmp are empty" facts 'empty 0'
check "/tmp, /run and /var/tmp are writable" facts writable
check "the host's files are not" facts read-only
check "/dev/fd is there" facts descriptors
check "PATH has the sbin folders" facts path
check "modprobe finds the module" \
	facts "loaded /lib/modules/$release/updates/kcuckoo.ko"
check "modprobe finds the kernel's own modules" facts own-modules
check "the loopback device is up" facts loopback
check "the device node waits for its module" facts node
check "a folder below /tmp is there too" status first 0
check "... with what it holds" grep -qx there "$work/first.err"
check "rules that a command leaves are none" status first 0

# The command prints each byte once, and exits with 3.
check "a machine that panics before the command boots again" status probe 3
check "... and says so" says probe 'before the command began, trying again'
check "... and the command runs once" same_bytes

start splat sh -c 'echo "BUG: not really" >/dev/kmsg'
splat=$!
start reboot sh -c 'echo b >/proc/sysrq-trigger'
wait $splat $!
check "a panic is exit 125" status panic 125
check "... and shows the console" says panic 'Kernel panic'
check "a splat is exit 125" status splat 125
check "... and shows the line" says splat 'BUG: not really'

# What RCU says of a processor without a timer, and the panic that follows.
stall='{
	echo "rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:"
	echo "rcu: Possible timer handling issue on cpu=1 timer-softirq=7"
} >/dev/kmsg
echo c >/proc/sysrq-trigger'
start timer sh -c "$stall"
timer=$!
start module sh -c "echo ' kcuckoo_search_find+0x7/0x70 [kcuckoo]' >/dev/kmsg; $stall"
wait $timer $!
start before sh -c "echo 'BUG: before' >/dev/kmsg; $stall"
before=$!
start killed --mem 512 --cpus 1 -- sh -c 'kill -9 $$'
wait $before $!
check "a timer that the emulator lost is exit 123" status timer 123
check "... and shows what the kernel said" says timer 'Possible timer handling issue'
check "... though not with the module in a trace" status module 125
check "... nor after a complaint" status before 125
check "... which is shown" says before 'BUG: before'

# Impatient, so that it does not take two minutes.
start lockup sh -c 'echo 1 >/proc/sys/kernel/watchdog_thresh; modprobe kcuckoo_spin seconds=5'
lockup=$!
# Processes that end ask for grace periods.
start stalled sh -c 'echo 3 >/sys/module/rcupdate/parameters/rcu_cpu_stall_timeout
	while :; do (:); done &
	modprobe kcuckoo_spin seconds=60
	echo survived'
wait $lockup $!
check "a processor that does not schedule is exit 125" status lockup 125
check "... and shows where it was" says lockup 'soft lockup.*modprobe'
check "a stall of RCU is exit 125" status stalled 125
check "... and ends the machine" [ ! -s "$work/stalled.out" ]
check "an end without a verdict is exit 125" status reboot 125
check "a command killed by signal 9 is exit 137" status killed 137
wait $held
check "what holds the module in the end is exit 125" status held 125
check "... and says so" says held 'kcuckoo cannot be unloaded'

case $kernel in
debug | uml-debug)
	start blind sh -c 'echo off >/sys/kernel/debug/kmemleak'
	wait $!
	check "no search for leaks is exit 125" status blind 125
	check "... and says so" says blind 'kmemleak did not look for leaks'
	;;
esac

"$here/run.sh" --kernel "$kernel" -- sh -c 'echo up; sleep 1000' \
	>"$work/stopped.out" 2>"$work/stopped.err" &
runner=$!
for _ in $(seq 1200); do
	grep -q up "$work/stopped.out" && break
	sleep 0.1
done
machine=$(pgrep -P "$(pgrep -P $runner timeout)")
kill -TERM $runner
wait $runner
stopped=$?
check "a terminated runner says so" [ $stopped = 143 ]
check "... and its machine is gone" [ ! -e "/proc/${machine:-none}" ]
wait $slow
check "a timeout is exit 124" status slow 124
# A process that runs on the host's kernel has no such interrupt.
[ "$kernel" = uml-debug ] ||
	check "... and tells what the machine was doing" says slow 'NMI: Not continuing'

check "an unknown option is refused" refused 'unknown option' --wrong true
check "an unknown kernel is refused" refused 'unknown kernel' --kernel wrong true
# A host whose apt knows no archive, and a cache without kernels.
unreachable() {
	local code

	printf 'Dir::Etc::%s "/dev/null";\n' sourcelist sourceparts >"$work/apt.conf"
	APT_CONFIG=$work/apt.conf KCUCKOO_CACHE=$work/cache \
		"$here/run.sh" --kernel "$1" true >"$work/suite.out" 2>"$work/suite.err"
	code=$?
	[ $code = 125 ] && [ ! -s "$work/suite.out" ] && says suite "no suite $2"
}

check "a suite out of reach is named" unreachable newest "$(cut -d' ' -f1 "$here/newest")"
check "... and that of Debian 11" unreachable 5.10 bullseye

# An archive that has gone on to a later version than the one that is pinned.
gone() {
	local suite version

	read -r suite version <"$here/newest"
	mkdir "$work/apt"
	cat >"$work/apt/apt-get" <<-'END'
		#!/bin/sh
		. /etc/os-release
		case $* in *indextargets*)
			echo "Packages Debian main x $VERSION_CODENAME http://nowhere.invalid/" ;;
		esac
	END
	printf '#!/bin/sh\necho "  Candidate: 99.1-1"\n' >"$work/apt/apt-cache"
	chmod +x "$work"/apt/*
	! PATH=$work/apt:$PATH KCUCKOO_CACHE=$work/gone "$here/kernel.sh" newest \
		>"$work/gone.out" 2>"$work/gone.err" && [ ! -s "$work/gone.out" ] &&
		says gone "pins linux-image-amd64 $version, but the suite $suite has 99.1-1 now" &&
		says gone 'selftests/harness/vm/newest.sh'
}

check "a pinned kernel that the archive has no more is named" gone
# An archive with a signed image that is older than the linux-kbuild of its headers.
signed_later() {
	mkdir "$work/signed"
	cat >"$work/signed/apt-cache" <<-'END'
		#!/bin/sh
		for package; do :; done
		case $*,$package in
		*policy*,linux-kbuild-*) echo '  Candidate: 6.1.9-3' ;;
		*policy*) echo '  Candidate: 6.1.9-2' ;;
		*depends*,linux-image-amd64) echo '  Depends: linux-image-6.1.0-9-amd64' ;;
		*depends*,linux-headers-*)
			echo '  Depends: linux-headers-6.1.0-9-common'
			echo '  Depends: linux-kbuild-6.1'
			;;
		esac
	END
	printf '#!/bin/sh\necho "$*" >>%s\nexit 1\n' "$work/signed/asked" >"$work/signed/apt-get"
	chmod +x "$work"/signed/apt-*
	! PATH=$work/signed:$PATH KCUCKOO_CACHE=$work/unsigned "$here/kernel.sh" stock \
		>"$work/signed.out" 2>"$work/signed.err" &&
		grep -q ' linux-image-6.1.0-9-amd64=6.1.9-2 .* linux-kbuild-6.1=6.1.9-3$' \
			"$work/signed/asked"
}

check "a linux-kbuild that is newer than the image is fetched" signed_later
# A header with a condition that is false on every kernel.
uncovered() {
	printf '#ifndef _COMPAT_H\n%s\n#endif\n#endif\n' '#ifdef KCUCKOO_HAS_NOTHING' \
		>"$work/compat.h"
	! BRANCHES_HEADER=$work/compat.h "$here/../branches.sh" stock \
		>"$work/branch.out" 2>"$work/branch.err" &&
		grep -qx '#ifdef KCUCKOO_HAS_NOTHING, true: no kernel' "$work/branch.out" &&
		grep -qx '#ifdef KCUCKOO_HAS_NOTHING, false: stock' "$work/branch.out"
}

check "a branch of compat.h that no kernel compiles is named" uncovered
check "no command is refused" refused 'no command' --kernel stock
check "a wrong number is refused" refused 'positive number' --timeout=soon true

echo "1..$count"
[ $failures = 0 ]
