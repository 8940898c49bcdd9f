#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The URL blocklist: what the filter takes for listed is confirmed by the list.

cd "$(dirname "$0")" || exit 1
# shellcheck source=selftests/tools/examples/program.sh
. ./program.sh

list=$scratch/list
sorted=$scratch/sorted

urlblock() {
	run urlblock "$@"
}

# load LINE...: as the list.
load() {
	printf '%s\n' "$@" >"$list"
	urlblock load "$sorted" "$list"
	status_is 0
}

blocked() {
	local url

	for url; do
		urlblock check "$sorted" "$url"
		status_is 1
		[[ $out == "blocked $url "* ]] || complain "$last: printed $out"
	done
}

allowed() {
	local url

	for url; do
		urlblock check "$sorted" "$url"
		status_is 0
		out_is "allowed $url"
	done
}

# hosts FIRST LAST: so many, in no order. Those above them differ, too: one that
# all share would be a false positive always, or never.
hosts() {
	seq -f 'www.host%.0f.example' "$1" "$2" | sort -R
}

test_many() { # all that are listed are blocked, none that are not
	local count vain rate

	count=$(choose 20000 5000)
	hosts 1 "$count" >"$list"
	urlblock load "$sorted" "$list"
	status_is 0
	err_has "$count URLs, 0 invalid lines"
	urlblock check "$sorted" - <"$list"
	status_is 1
	err_has "$count blocked, 0 allowed"
	[ "$(grep -c '^blocked' "$scratch/out")" = "$count" ] ||
		complain "not every line says blocked"

	hosts $((count + 1)) $((4 * count)) >"$scratch/others"
	urlblock check "$sorted" - <"$scratch/others"
	status_is 0
	err_has "0 blocked, $((3 * count)) allowed"
	# For each the filter is asked twice: for itself, and for the host above.
	err_has "$((6 * count)) look-ups in the filter"
	vain=$(sed -n 's/.*filter; \([0-9]*\) in the list, of which \1 found no match/\1/p' "$scratch/err")
	rate=$(sed -n 's/.*: \([0-9.]*\) measured, .*/\1/p' "$scratch/err")
	# One in a thousand is the most; of so few it may be a bit more.
	echo "# $(grep 'false positives' "$scratch/err")"
	[ "${vain:-0}" -gt 0 ] || complain "no look-up in the list was without a match: $err"
	awk -v rate="${rate:-1}" 'BEGIN { exit !(rate > 0 && rate < 0.002) }' ||
		complain "a rate of $rate"
}

test_forms() { # hosts, those below, folders, exact pages
	load example.com 'https://Shop.Example.NET:8443/bad/' '//example.org/a/page' \
		'example.org/find?q=evil' 192.0.2.1 '# comment' ''
	err_has '5 URLs, 0 invalid lines'
	blocked example.com http://example.com/ EXAMPLE.com. \
		https://user:pass@www.example.com:8080/x?y#z a.b.c.d.e.f.example.com \
		shop.example.net/bad/ http://shop.example.net/bad/a/b/c/d/e/f.html?q \
		x.shop.example.net/bad/y example.org/a/page 'example.org/a/page?q=1#x' \
		'example.org/find?q=evil' http://192.0.2.1/x
	allowed notexample.com example.com.net com example.net shop.example.net/ \
		shop.example.net/bad shop.example.net/badly/ example.org/a/ \
		example.org/a/page/ example.org/a/pages 'example.org/find?q=good' \
		2.1 http://0.2.1/ 192.0.2.10
	urlblock check "$sorted" example.com
	out_is 'blocked example.com example.com/'
}

test_other_list() { # a filter that is not that of the list: an error, not an answer
	local other=$scratch/other

	load one.example both.example
	cp "$sorted" "$other"
	load two.example both.example three.example
	urlblock check "$other" one.example
	refused "filter 'urlblock' does not match $other" "'urlblock load' creates both"
	urlblock check "$other" two.example
	refused "does not match $other"
	blocked two.example
	allowed one.example

	# As after a load that was ended between the file and the filter.
	printf 'four.example\n' >"$list"
	urlblock -n other load "$sorted" "$list"
	status_is 0
	urlblock check "$sorted" four.example
	refused "does not match $sorted"
	load four.example
	blocked four.example

	# A file that was changed.
	: >"$sorted"
	urlblock check "$sorted" four.example
	refused "does not match $sorted"
}

test_failed_load() { # leaves both the list and the filter as they were
	local most=/sys/module/kcuckoo/parameters/max_bytes before

	load old.example
	cp "$sorted" "$scratch/before"
	before=$(<$most)
	echo 1 >$most
	printf 'new.example\n' >"$list"
	urlblock load "$sorted" "$list"
	echo "$before" >$most
	refused "the filter 'urlblock'" 'a limit of the namespace is reached'
	cmp "$sorted" "$scratch/before" || complain "the list was replaced"
	blocked old.example
	allowed new.example
	k list
	out_is urlblock
}

test_reload() { # beneath a check that goes on: an error, as its list is the old one
	local pid

	load old.example
	mkfifo "$scratch/pipe"
	"$build/urlblock" check "$sorted" - <"$scratch/pipe" >"$scratch/answers" 2>&1 &
	pid=$!
	exec 7>"$scratch/pipe"
	echo old.example >&7
	until grep -qF "$sorted" "/proc/$pid/maps"; do
		kill -0 "$pid" || break
		sleep 0.1
	done
	load new.example
	echo new.example >&7
	exec 7>&-
	wait "$pid"
	status=$?
	last='urlblock check -'
	status_is 2
	grep -q 'allowed new.example' "$scratch/answers" &&
		complain "$last: said allowed of what is listed"
}

test_edges() { # of the list: the first, the last, none, one twice
	load b.example/ d.example c.example d.example/
	err_has '3 URLs'
	blocked b.example c.example d.example
	allowed a.example e.example
	load
	err_has '0 URLs'
	allowed b.example
}

test_new_list() { # takes the place of the old one
	load old.example both.example
	load new.example both.example
	blocked new.example both.example
	allowed old.example
	k list
	out_is urlblock
}

test_names() { # two lists under two names
	load one.example
	printf 'two.example\n' >"$list"
	urlblock -n other load "$scratch/second" "$list"
	status_is 0
	urlblock -n other check "$scratch/second" two.example one.example
	status_is 1
	out_is 'blocked two.example two.example/
allowed one.example'
	blocked one.example
}

test_bad() { # what is no URL is told, and exit 2
	load good.example 'two words' '/path' $'\x01'
	err_has '1 URLs, 3 invalid lines' "$list:2: neither a URL nor a domain"
	[[ $err != *"$list:3: "* ]] || complain "a second invalid line was printed: $err"
	urlblock check "$sorted" good.example 'two words' $'\x1b[2J'
	status_is 2
	out_is 'blocked good.example good.example/
bad
bad'
	urlblock check "$sorted" "$(printf 'x%.0s' {1..4096})"
	status_is 2
	urlblock check "$scratch/none" x.example
	refused 'No such file'
	urlblock check "$sorted"
	refused 'usage:'
}

test_lost_filter() { # not there: an error, not an answer
	load one.example
	k destroy urlblock
	urlblock check "$sorted" one.example
	refused "filter 'urlblock'" "'urlblock load' creates it"
}

main "$0"
