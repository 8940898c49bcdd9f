#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# run.sh [PART...]: 'kcuckoo fetch' and 'kcuckoo accept' with servers that misbehave
# (server.py), on 127.0.0.1: the tests of PART.sh, or all. After each failure the last good copy
# of the list is the same byte for byte, and the message is a sentence without the URL. TAP on
# standard output; exit 1 when a test failed.
# CRASHES= sets how often fetch is killed at a random moment.

here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../../.." && pwd)
build=${FETCH_BUILD:-$top/build/fetch}

number=0
failed=0
output=

# report RESULT NAME: a test; what the command printed last explains a failure.
report() {
	number=$((number + 1))
	echo "$1 $number $2"
	[ "$1" = ok ] && return
	failed=$((failed + 1))
	printf '%s\n' "$output" | sed 's/^/# /'
}

# check NAME COMMAND...: the test passes if the command does.
check() {
	local name=$1

	shift
	if "$@"; then report ok "$name"; else report "not ok" "$name"; fi
}

bail_out() {
	echo "Bail out! $*"
	exit 1
}

# The limits are small, so that tests of them take seconds, and large enough for a machine that
# is busy with other tests.
limits='-DDOWNLOAD_BYTES_MAX="(1ULL << 20)" -DCLAIMS_UNPACKED_MAX="(8ULL << 20)"'
limits+=' -DDOWNLOAD_SLOW=8 -DDOWNLOAD_SECONDS=40'

build_command() {
	local library

	# make does not notice other limits.
	[ "$(cat "$build/limits" 2>/dev/null)" = "$limits" ] || rm -rf "$build"
	mkdir -p "$build"
	echo "$limits" >"$build/limits"
	make -s -j"$(nproc)" -C "$top/userspace" O="$build" SANITIZE=1 CFLAGS='-O1 -g' \
		CPPFLAGS="$limits" "$build/kcuckoo" >&2 || return
	for library in clock crash; do
		"${CC:-gcc}" -shared -fPIC -O1 -Wall -Werror -o "$build/$library.so" \
			"$here/$library.c" -ldl >&2 || return
	done
}

# begin_server: in a folder of its own, which is the present one afterwards.
begin_server() {
	work=$(mktemp -d)
	chmod 755 "$work"
	server=
	trap '[ -z "$server" ] || kill "$server"; rm -rf --one-file-system "$work"' EXIT
	cd "$work" || exit 1
	mkdir www conf
	"$here/certificates.sh" "$work" >certificates.log 2>&1 ||
		bail_out "the certificates cannot be made: $(tail -n 1 certificates.log)"
	"$here/server.py" "$work" 2>server.log &
	server=$!
	for ((i = 0; i < 100; i++)); do
		[ ! -e ports ] || break
		sleep 0.1
	done
	[ -e ports ] || bail_out "the server does not start"
	export SSL_CERT_FILE=$work/ca.crt KCUCKOO_STATE=$work/state KCUCKOO_CACHE=$work/cache
	export CREDENTIALS_DIRECTORY=$work/credentials
}

export ASAN_OPTIONS=detect_leaks=1:abort_on_error=0 UBSAN_OPTIONS=print_stacktrace=1
export TZ=UTC
unset https_proxy HTTPS_PROXY ALL_PROXY all_proxy
good=state/lists/drop.list

# port NAME: of the server with this certificate.
port() {
	awk -v name="$1" '$1 == name { print $2 }' ports
}

# addresses COUNT: a list.
addresses() {
	awk -v count="$1" 'BEGIN { for (i = 0; i < count; i++)
		printf "203.0.%d.%d\n", 113 + i / 250, i % 250 + 1 }'
}

# configure SERVER MODE LINE...: the list drop comes from /MODE/list, with further lines.
configure() {
	local port

	port=$(port "$1")
	{
		echo '[list drop]'
		echo "url = https://localhost:$port/$2/list?key=SECRET"
		printf '%s\n' "${@:3}"
		printf '[filter bad]\nlist = drop\n'
	} >conf/a.conf
}

# run VERB ARGUMENT...: the command; its messages are in $output, its status is returned.
run() {
	output=$(timeout 60 "$build/kcuckoo" "$@" --config conf 2>&1)
}

# exits STATUS ARGUMENT...
exits() {
	local status=0 expected=$1

	shift
	run "$@" || status=$?
	[ "$status" = "$expected" ] || { output+=" (exit $status)"; return 1; }
}

says() {
	[[ $output == *"$1"* ]]
}

# begin: the list is good, and has 400 members. The cache is empty.
begin() {
	rm -rf state cache
	mkdir -p cache
	addresses 400 >www/list
	configure good good
	run fetch drop || { report "not ok" "begin"; return 1; }
	cp "$good" before
}

# unharmed: the last good copy is as it was, and no message has a part of the URL.
unharmed() {
	cmp -s before "$good" && ! says SECRET && ! says localhost && ! says https: &&
		! says Sanitizer
}

fails_with() {
	exits 1 fetch drop --now && says "list drop: $1" && unharmed &&
		says "with 400 members, stays"
}

# bad NAME SERVER MODE MESSAGE [LINE...]: fetch fails with that message.
bad() {
	begin || return
	configure "$2" "$3" "${@:5}"
	check "$1" fails_with "$4"
}

refused_with() {
	exits 1 fetch drop --now && says "list drop is refused: $1" && unharmed &&
		[ -e state/lists/drop.refused ] && says "'kcuckoo accept drop' accepts the new copy"
}

# refused NAME FILE MESSAGE [LINE...]: a check refuses a list of this content.
refused() {
	begin || return
	cp "$2" www/list
	configure good good "${@:4}"
	check "$1" refused_with "$3"
}

# run_part PART: its tests, with a server of their own.
run_part() {
	begin_server
	# shellcheck source=/dev/null
	. "$here/$1.sh"
}

build_command || bail_out "the command does not build"
results=$(mktemp -d)
trap 'rm -rf --one-file-system "$results"' EXIT
[ $# -gt 0 ] || set -- feeds formats cases crashes
# Most tests wait for a server, so all parts run at the same time.
for part; do
	(run_part "$part") >"$results/$part" &
done
wait
echo "TAP version 13"
for part; do
	cat "$results/$part"
	[ -s "$results/$part" ] || echo "Bail out! $part.sh reports no test"
done | awk '
	/^Bail out!/ { bad++ }
	/^(not )?ok / { number++; failed += /^not/; sub(/ok [0-9]+/, "ok " number) }
	{ print }
	END {
		print "1.." number
		print "# Totals: pass:" number - failed " fail:" failed + 0 " skip:0"
		exit (failed + bad > 0)
	}'
