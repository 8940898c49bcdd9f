# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
#
# crashes.sh: 'kcuckoo fetch' is killed. Sourced by run.sh.

crashes=${CRASHES:-50}
[ -z "${KCUCKOO_SOAK:-}" ] || crashes=200

# Fetch is killed before each call that changes a file, one call after the other. Afterwards
# the list is the old or the new one, and the next fetch makes it the new one.
survives_each_step() {
	local i

	for ((i = 1; ; i++)); do
		cp before "$good"
		addresses 399 >www/list
		output=$(CRASH=$i ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0 \
			LD_PRELOAD=$build/crash.so "$build/kcuckoo" fetch drop --now --config conf 2>&1) &&
			break
		output+=" (step $i)"
		cmp -s before "$good" || grep -q '^# kcuckoo-list 1 drop members 399 ' "$good" || return
		run fetch drop --now || return
		[ "$(wc -l <"$good")" = 400 ] && ! says damaged || return
	done
	[ $i -gt 15 ]
}
begin
check "a kill before each change of a file leaves the old or the new list" survives_each_step

# Each time the list is the other one of two, and fetch is killed after a random time.
survives_kills() {
	local i pid

	configure good good
	for i in 20000 19000; do
		many $i >www/list
		run fetch drop --now || return
		cp "$good" "of$i"
	done
	for ((i = 0; i < crashes; i++)); do
		many $((i % 2 ? 19000 : 20000)) >www/list
		"$build/kcuckoo" fetch drop --now --config conf 2>/dev/null &
		pid=$!
		sleep "0.$(printf %03d $((RANDOM % 400)))"
		kill -KILL $pid 2>/dev/null
		wait $pid 2>/dev/null
		cmp -s of20000 "$good" || cmp -s of19000 "$good" || return
	done
	run fetch drop --now && cmp -s "$good" "of$((crashes % 2 ? 20000 : 19000))"
}

# many COUNT: a list.
many() {
	awk -v count="$1" 'BEGIN { for (i = 0; i < count; i++)
		printf "203.%d.%d.%d\n", i / 62500, i / 250 % 250, i % 250 + 1 }'
}
begin
check "$crashes kills at random moments leave the old or the new list" survives_kills
