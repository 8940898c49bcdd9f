#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The power is cut: the folder of the state is on a file system whose writes are logged, and after
# each write the device as it is then is mounted. What a command has written before it ended is
# there; what the next one writes is there as a whole, or not at all. IMAGES= sets how many are
# mounted at least.

# shellcheck source=selftests/tools/cli/harness.sh
. "$(dirname "$0")/harness.sh"

images=${IMAGES:-12}

trap 'end_log; rm -rf "$scratch"' EXIT

etc=$scratch/etc
versions=$scratch/versions
mapped=kcuckoo-log

end_log() {
	umount "$scratch/state" 2>/dev/null
	dmsetup remove $mapped 2>/dev/null
	losetup -D
}

# step N: one command of three that changes one file; its content is kept as version N.
step() {
	local file

	echo "198.51.100.$1" >"$scratch/list"
	case $(($1 % 3)) in
	0)
		file=bans.kcf
		kcuckoo -q add bans "198.51.100.$1"
		kcuckoo -q save --all "$KCUCKOO_STATE"
		;;
	1)
		file=applied/a.conf
		printf '[filter bans]\n# %s\n[list drop]\nurl = https://192.0.2.1/list\n[filter bad]\nlist = drop\n' \
			"$1" >"$etc/a.conf"
		kcuckoo -q apply --config "$etc" 2>/dev/null
		;;
	2)
		file=lists/drop.list
		{
			echo "# kcuckoo-list 1 drop members 1 bytes $(stat -c %s "$scratch/list")" \
				"sha256 $(sha256sum <"$scratch/list" | cut -d ' ' -f 1) refused it is a test"
			cat "$scratch/list"
		} >"$KCUCKOO_STATE/lists/drop.refused"
		kcuckoo -q accept drop --config "$etc"
		;;
	esac
	cp "$KCUCKOO_STATE/$file" "$versions/$1" || complain "there is no $file"
}

# check: mount a copy of the image, and compare the files with the versions. $MARK commands had
# ended. A process of its own.
check() {
	local n file failed=0

	cp --sparse=always "$scratch/image" "$scratch/copy"
	mount -o loop "$scratch/copy" "$scratch/copied" || return
	for n in $((MARK)) $((MARK - 1)) $((MARK - 2)); do
		case $((n % 3)) in
		0) file=bans.kcf ;;
		1) file=applied/a.conf ;;
		2) file=lists/drop.list ;;
		esac
		cmp -s "$scratch/copied/$file" "$versions/$n" && continue
		# The next command writes the file of the oldest of the three.
		[ "$n" = $((MARK - 2)) ] && cmp -s "$scratch/copied/$file" "$versions/$((n + 3))" &&
			continue
		echo "# after $MARK commands: $file is not version $n:" \
			"$(ls -l "$scratch/copied/$file" 2>&1)"
		failed=1
	done
	[ "$(ls "$scratch/copied/applied")" = a.conf ] || {
		echo "# after $MARK commands: applied has $(ls -A "$scratch/copied/applied")"
		failed=1
	}
	umount "$scratch/copied"
	return $failed
}

# begin_log: the first three commands are done, and the writes of all others are logged.
begin_log() {
	local device log n

	# The machine has no udev.
	export DM_DISABLE_UDEV=1
	modprobe -a loop ext4 dm-log-writes || return
	truncate -s 16M "$scratch/disk"
	truncate -s 512M "$scratch/log"
	mkfs.ext4 -q -b 1024 -J size=1 -E lazy_itable_init=0 "$scratch/disk" || return
	mkdir -p "$scratch/state" "$scratch/copied" "$versions" "$etc"
	export KCUCKOO_STATE=$scratch/state KCUCKOO_RUN=$scratch/run KCUCKOO_CACHE=$scratch/cache
	mount -o loop "$scratch/disk" "$scratch/state" || return
	mkdir "$scratch/state/lists"
	for n in 1 2 3; do
		step $n
	done
	umount "$scratch/state"
	cp --sparse=always "$scratch/disk" "$scratch/image"
	device=$(losetup -f --show "$scratch/disk") && log=$(losetup -f --show "$scratch/log") || return
	dmsetup create $mapped --table \
		"0 $(blockdev --getsz "$device") log-writes $device $log" || return
	mount -o noatime "/dev/mapper/$mapped" "$scratch/state" || return
	dmsetup message $mapped 0 mark 3
}

test_power() { # save, apply and accept: old or new, and new once the command has ended
	local n mounted

	export CHECKED=$scratch
	begin_log || complain "no file system with a log"
	# Each command makes more than eight writes, and each second one is looked at.
	for ((n = 4; failed == 0 && n < 8 + images / 4; n++)); do
		step $n
		dmsetup message $mapped 0 mark $n
	done
	end_log
	if ! mounted=$(MARK=3 ./replay "$scratch/log" "$scratch/image" 2 "$BASH" "$0" check); then
		complain "$mounted"
		return
	fi
	echo "# $((n - 4)) commands, $mounted images"
	[ "$mounted" -ge "$images" ] || complain "only $mounted images"
}

if [ "${1:-}" = check ]; then
	trap - EXIT
	rm -rf "$scratch"
	scratch=$CHECKED versions=$CHECKED/versions
	check
else
	main "$0"
fi
