# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Named tests of the command that report by the Test Anything Protocol. A test
# is a function test_NAME with a comment behind it that says what it shows; it
# begins without any filter or rule, and fails when a claim in it is not true.

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset SSH_CONNECTION
input=

# since VERSION: the kernel is of this version or newer
since() {
	[ "$(printf '%s\n' "$1" "$(uname -r)" | sort -V | head -n 1)" = "$1" ]
}

# Hook xdp works only on kernels where a BPF program can call a module.
has_xdp=
! since 6.0 || has_xdp=1

# Run the command. Its output is in $out, its words in $err, both without the
# last newline, its exit status in $status.
k() {
	kcuckoo "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
	status=$?
	out=$(<"$scratch/out")
	err=$(<"$scratch/err")
	last="kcuckoo $*"
}

# The same with $input on standard input.
k_input() {
	printf '%s' "$input" >"$scratch/in"
	kcuckoo "$@" >"$scratch/out" 2>"$scratch/err" <"$scratch/in"
	status=$?
	out=$(<"$scratch/out")
	err=$(<"$scratch/err")
	last="kcuckoo $*"
}

# A pipe into which nobody writes, for nap.
exec {silent}<> <(:)

# nap SECONDS: sleep without a process.
nap() {
	read -rt "$1" -u "$silent"
}

indent() {
	sed 's/^/#   /'
}

complain() {
	failed=1
	echo "# ${BASH_SOURCE[2]##*/}:${BASH_LINENO[1]}: $*"
}

# all_succeed PROCESS...: wait for them; each exits with 0.
all_succeed() {
	local process failures=0

	for process; do
		wait "$process" || failures=$((failures + 1))
	done
	[ $failures = 0 ] || complain "$failures of $# failed"
}

# unloads MODULE: it can be unloaded, at once or a little later.
unloads() {
	for _ in {1..600}; do
		rmmod "$1" 2>/dev/null && return
		sleep 0.1
	done
	complain "$1 cannot be unloaded"
}

# The last run ended with this status ...
status_is() {
	[ "$status" = "$1" ] && return
	complain "$last: exit status $status, not $1"
	indent <<<"$err"
}

# ... printed exactly this ...
out_is() {
	[ "$out" = "$1" ] && return
	complain "$last: printed"
	indent <<<"$out"
	echo "# instead of"
	indent <<<"$1"
}

# ... said nothing, or all of these things.
err_is_empty() {
	[ -z "$err" ] || complain "$last: said $err"
}

err_has() {
	local words

	for words; do
		[[ $err == *"$words"* ]] ||
			complain "$last: did not say '$words' but: $err"
	done
}

err_has_not() {
	[[ $err != *"$1"* ]] || complain "$last: said '$1': $err"
}

# An error with these words, and nothing on standard output.
refused() {
	status_is 2
	out_is ''
	err_has "$@"
}

members_are() {
	k list bl
	status_is 0
	out_is "$(printf '%s\n' "$@")"
}

# needs_xdp: skip the test where hook xdp does not work. selftests/harness/skips has the
# tests for which this is expected.
needs_xdp() {
	[ -n "$has_xdp" ] && return
	skipped='hook xdp needs Linux 6.0'
	return 1
}

reset() {
	local name names

	kcuckoo -q detach --all 2>/dev/null
	mapfile -t names < <(kcuckoo list)
	for name in "${names[@]%% *}"; do
		kcuckoo destroy "$name"
	done
}

# main "$0": run all tests of the file. What a test writes into $remark follows its name.
main() {
	local name says number=0 failures=0 start remark tests test

	mapfile -t tests < <(sed -n 's/^test_\([a-z0-9_]*\)() { *# /\1 /p' "$1")
	echo "TAP version 13"
	if [ "$(id -u)" != 0 ] || ! command -v kcuckoo >/dev/null; then
		echo "1..0 # SKIP needs root and the kcuckoo command"
		exit 4
	fi
	echo "1..${#tests[@]}"
	for test in "${tests[@]}"; do
		name=${test%% *}
		says=${test#* }
		failed=0
		remark=''
		skipped=''
		reset
		start=$SECONDS
		"test_$name"
		number=$((number + 1))
		says+=${remark:+ ($remark)}
		if [ "$failed" = 0 ]; then
			echo "ok $number $name: $says${skipped:+ # SKIP $skipped}"
		else
			echo "not ok $number $name: $says"
			failures=$((failures + 1))
		fi
		echo "# $((SECONDS - start)) s"
	done
	reset
	[ "$failures" = 0 ]
}
