# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# What the tests of the backends have in common: senders, which are processes that start a
# backend and send lines to its standard input, as crowdsec-custom-bouncer and sshguard do.

# shellcheck source=selftests/tools/cli/harness.sh
. "$(dirname "$0")/../cli/harness.sh"

# shellcheck disable=SC2034 # for the tests
libexec=/usr/local/libexec/kcuckoo
export TMPDIR=$scratch

# The process of a sender. It obeys the orders in its standard input: start the backend; send a
# file; send a file in parts of so many lines, with a pause after each; close the pipe and wait
# for the end of the backend; kill the backend, and start another one.
sender_process() {
	local backend=$1 name=$2 order file lines child=

	while read -r order file lines; do
		case $order in
		start)
			rm -f "$name.pipe"
			mkfifo "$name.pipe"
			"$backend" <"$name.pipe" >"$name.out" 2>>"$name.err" 4>&- &
			child=$!
			echo "$child" >"$name.child"
			exec 4>"$name.pipe"
			;;
		send) cat "$file" >&4 ;;
		parts)
			split -l "$lines" "$file" "$name.part."
			for file in "$name".part.*; do
				cat "$file" >&4
				sleep 0.02
			done
			rm "$name".part.*
			;;
		close)
			exec 4>&-
			wait "$child"
			echo $? >"$name.status"
			;;
		kill)
			kill -KILL "$child"
			wait "$child" 2>/dev/null
			exec 4>&-
			;;
		esac
		echo "$order" >>"$name.done"
	done
}

# sender NAME BACKEND: a sender, which starts the backend.
sender() {
	declare -gA orders
	local fd

	rm -f "$scratch/$1."*
	mkfifo "$scratch/$1.orders"
	# Not the process of a test: each sender is another process, and ends on its own.
	sender_process "$2" "$scratch/$1" <"$scratch/$1.orders" &
	echo $! >"$scratch/$1.pid"
	exec {fd}>"$scratch/$1.orders"
	orders[$1]=$fd
	order "$1" start
}

# begin NAME ORDER...: give an order to the sender ...
begin() {
	[ -e "$scratch/$1.done" ] || : >"$scratch/$1.done"
	echo "${*:2}" >&"${orders[$1]}"
	given[$1]=$((${given[$1]:-0} + 1))
}
declare -A given

# ... and wait until it has obeyed.
obeyed() {
	for _ in {1..600}; do
		[ "$(wc -l <"$scratch/$1.done")" -lt "${given[$1]}" ] || return
		sleep 0.1
	done
	complain "$1 does not obey"
}

order() {
	begin "$@"
	obeyed "$1"
}

# lines NAME LINE...: the sender sends these lines.
lines() {
	printf '%s\n' "${@:2}" >"$scratch/lines"
	order "$1" send "$scratch/lines"
}

# dismiss NAME: end the sender, and with it the input of the backend.
dismiss() {
	local fd=${orders[$1]}

	order "$1" close
	exec {fd}>&-
	wait "$(<"$scratch/$1.pid")"
	given[$1]=0
	err=$(<"$scratch/$1.err")
	last=$1
}

# abandon NAME: the sender is killed.
abandon() {
	local fd=${orders[$1]}

	kill -KILL "$(<"$scratch/$1.pid")"
	wait "$(<"$scratch/$1.pid")" 2>/dev/null
	exec {fd}>&-
	given[$1]=0
}

# becomes FILTER MEMBER...: the filter has these members soon.
becomes() {
	local want

	want=$(printf '%s\n' "${@:2}" | sort)
	for _ in {1..100}; do
		[ "$(kcuckoo list "$1" 2>/dev/null | sed 's/ timeout.*//' | sort)" != "$want" ] || return
		sleep 0.1
	done
	complain "the members of $1 are not $want but:"
	kcuckoo list "$1" 2>&1 | indent
}

# says NAME WORDS: the backend reports this soon.
says() {
	for _ in {1..100}; do
		[[ $(<"$scratch/$1.err") != *"$2"* ]] || return
		sleep 0.1
	done
	complain "$1 does not say '$2' but: $(<"$scratch/$1.err")"
}

# Tests see the host's files read-only: what they write to these folders is gone after them.
own_folders() {
	mkdir "$scratch/etc" "$scratch/etc.work"
	mount -t overlay -o "lowerdir=/etc,upperdir=$scratch/etc,workdir=$scratch/etc.work" none /etc
	mkdir -p /etc/kcuckoo
	mount -t tmpfs none /var/lib
	trap 'umount -l /etc /var/lib; rm -rf "$scratch"' EXIT
}

here=$(cd "$(dirname "$0")" && pwd)
page=$here/../../../userspace/man/kcuckoo-integration.7

# block NAME: the literal block of this name in kcuckoo-integration(7).
block() {
	awk -v name="$1" '
		$2 == "integration:" && $3 == name { found = 1 }
		found && /^\.Ed/ { exit }
		inside { gsub(/\\e/, "\\"); print }
		found && /^\.Bd -literal/ { inside = 1 }' "$page"
}
