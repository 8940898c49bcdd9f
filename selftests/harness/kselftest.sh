#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# kselftest.sh KERNEL FOLDER:PROGRAM...
#
# Run kselftest programs, each in its FOLDER, a path below selftests/, inside the virtual
# machine, and mark where the output of each begins and ends (collect.awk reads it): with
# exit status 99 if the kernel complained, and with "late" if the time limit ended the
# program.

cd "$(dirname "$0")/.." || exit 1
# Tests may do less where everything is slower.
export KCUCKOO_KERNEL=$1
kernel=$1
shift

# Seconds a program may take: "timeout=N" in the folder's file "settings"; a kernel
# with checks is that much slower than those that Debian ships.
limit() {
	local seconds

	seconds=$(sed -n 's/^timeout=//p' "$1/settings" 2>/dev/null)
	seconds=${seconds:-60}
	case $kernel in
	stock | rt | 5.10 | 6.12 | newest | gcov) ;;
	*) seconds=$((seconds * 5)) ;;
	esac
	echo "$seconds"
}

# complaints: how many lines of the kernel's log tell of a fault so far.
complaints() {
	dmesg | grep -cEf <(grep -vE '^(#|$)' harness/vm/splats)
}

# save_coverage: on a kernel that counts how often each line ran, pass the counts on.
save_coverage() {
	local counts=/sys/kernel/debug/gcov folder file

	[ -d $counts ] || return 0
	folder=$(mktemp -d)
	find $counts -name '*.gcda' | while read -r file; do
		mkdir -p "$folder/$(dirname "${file#*/module/}")"
		cat "$file" >"$folder/${file#*/module/}"
	done
	tar -cf - -C "$folder" kmod | cat >/dev/saved
}

before=$(complaints)
for test; do
	folder=${test%%:*}
	program=${test#*:}
	name=${folder##*/}/$program
	seconds=$(limit "$folder")
	start=${EPOCHREALTIME/[.,]/}
	echo "# >>> $name"
	(cd "$folder" && exec timeout -k 5 "$seconds" "./$program" </dev/null 2>&1)
	status=$?
	took=$(((${EPOCHREALTIME/[.,]/} - start) / 1000000))
	late=
	# A program may well have such a status of its own, or be killed by others.
	if [ "$took" -ge "$seconds" ] && [[ $status = 124 || $status = 137 ]]; then
		late=" late"
		echo "# timeout after $seconds s"
	fi
	echo
	echo "# $program took $took s of $seconds"
	after=$(complaints)
	if [ "$after" != "$before" ]; then
		echo "# the kernel complained:"
		dmesg | grep -A 40 -m "$after" -Ef <(grep -vE '^(#|$)' harness/vm/splats) |
			tail -n 60 | sed 's/^/#   /'
		before=$after
		status=99
		late=
	fi
	echo "# <<< $name $status$late"
done
save_coverage
exit 0
