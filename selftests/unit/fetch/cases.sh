# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
#
# cases.sh: 'kcuckoo fetch' with servers that misbehave, several lists and credentials.
# Sourced by run.sh.

# --- what works -------------------------------------------------------------------------

canonical() {
	local header members

	members=$(sort -t. -n -k3,3 -k4,4 www/list | uniq)
	header="# kcuckoo-list 1 drop members $(wc -l <<<"$members") bytes $(wc -c <<<"$members") sha256 $(sha256sum <<<"$members" | cut -c1-64)"
	output=$(head -n 2 "$good")
	cmp -s "$good" <(printf '%s\n%s\n' "$header" "$members")
}

begin
check "a list is written in its canonical form, with size and digest" canonical

unchanged() {
	local inode

	inode=$(stat -c %i "$good")
	exits 0 fetch drop && says "unchanged, 400 members" &&
		[ "$(stat -c %i "$good")" = "$inode" ] && cmp -s before "$good"
}
check "an unchanged list is not written again" unchanged

conditional() {
	configure good "$1"
	exits 0 fetch drop && exits 0 fetch drop && says unchanged || return
	output=$(grep "^$1 " log)
	[ "$output" = "$1 list False
$1 list True" ]
}
check "the second request has the entity tag of the first" conditional etag
check "the second request has the date of the first" conditional date

cache_gone() {
	rm -rf cache
	mkdir cache
	exits 0 fetch drop && says unchanged && cmp -s before "$good"
}
check "the cache can be emptied at any time" cache_gone

damaged_body() {
	configure good etag
	exits 0 fetch drop || return
	for file in cache/*.body; do
		echo 192.0.2.99 >>"$file"
	done
	exits 0 fetch drop && says unchanged && cmp -s before "$good"
}
check "a damaged copy in the cache is fetched again" damaged_body

works() {
	configure good "$@"
	exits 0 fetch drop --now && says unchanged && cmp -s before "$good"
}
check "a body with content encoding gzip is read" works gzip
check "a redirection to https is followed" works moved

several() {
	addresses 300 >www/list
	addresses 400 | tail -n 150 | gzip >www/second
	configure good good "url = https://localhost:$(port good)/good/second"
	exits 0 fetch drop --now && says unchanged && cmp -s before "$good"
}
check "a list of several urls is one list" several

due() {
	begin || return
	: >log
	exits 0 fetch && [ ! -s log ] || return
	touch -d '2 days ago' "$good"
	sed -i 's/^complete .*/complete 0/; s/^attempt .*/attempt 0/' cache/drop.status
	exits 0 fetch && [ -s log ] || return
	: >log
	exits 0 fetch && [ ! -s log ] && exits 0 fetch --now && [ -s log ]
}
check "without names a list is fetched when its time has come" due

other_source() {
	begin || return
	configure good good "column = 1"
	: >log
	exits 0 fetch && [ -s log ] || return
	: >log
	exits 0 fetch && [ ! -s log ] || return
	configure good etag "column = 1"
	exits 0 fetch && [ -s log ] || return
	: >log
	exits 0 fetch && [ ! -s log ] || return
	# A status of version 0.5.0 has no source.
	sed -i '/^source/d' cache/drop.status
	configure good good
	exits 0 fetch && [ ! -s log ]
}
check "without names a list is fetched when its url or its format is another one" other_source

counted() {
	begin || return
	configure good absent
	exits 1 fetch drop && exits 1 fetch drop && grep -qx 'failures 2' cache/drop.status || return
	configure good good
	exits 0 fetch drop && grep -qx 'failures 2' cache/drop.status
}
check "failures are counted, and a success does not reset their number" counted

unwritable() {
	begin || return
	sed -i 's/^complete .*/complete 5/' cache/drop.status
	rm "$good"
	mkdir "$good"
	exits 1 fetch drop --now && says "list drop: its state cannot be written" || return
	rmdir "$good"
	grep -qx 'failures 1' cache/drop.status && grep -qx 'complete 5' cache/drop.status &&
		exits 0 fetch drop && cmp -s before "$good"
}
check "a copy that cannot be written is a failure, and the list stays due" unwritable

file_limit() {
	output=$(trap '' XFSZ; ulimit -f 2; exec timeout 60 "$build/kcuckoo" fetch drop --now \
		--config conf 2>&1)
	[ $? = 1 ] && says "the copy in the cache cannot be written: File too large" && unharmed
}
begin
check "a limit on the size of files is not the limit on an answer" file_limit

# make_due MODE AGE: the next fetch is for /MODE/list, and the good copy is so old.
make_due() {
	configure good "$1"
	touch -d "$2 ago" "$good"
	sed -i 's/^complete .*/complete 0/; s/^attempt .*/attempt 0/' cache/drop.status
}

timer_fails() {
	begin || return
	make_due absent '2 days'
	exits 0 fetch && says "HTTP status 404" && says "with 400 members, stays" || return
	exits 1 fetch drop && says "HTTP status 404" || return
	# The last attempt was just now, and the next one is later.
	touch -d '8 days ago' "$good"
	exits 1 fetch && says "list drop: there is no newer copy since" && ! says 404 || return
	make_due absent '8 days'
	exits 1 fetch && says "HTTP status 404" || return
	rm "$good"
	exits 1 fetch && says "list drop has no good copy" &&
		says "the last attempt failed: the server answers with HTTP status 404"
}
check "without names a failure counts only when the copy is missing or 8 days old" timer_fails

# fetches_lost MODE COMMAND...: a list from /MODE/list whose copy was lost is fetched at once.
fetches_lost() {
	begin && configure good "$1" && exits 0 fetch drop && "${@:2}" || return
	: >log
	exits 0 fetch && [ -s log ] && cmp -s before "$good" || return
	: >log
	exits 0 fetch && [ -z "$output" ] && [ ! -s log ]
}

damage() {
	sed -i '$s/150$/151/' "$good"
}

check "without names a list is fetched at once when its copy is missing" \
	fetches_lost good rm "$good"
check "without names a list is fetched at once when its copy is damaged" fetches_lost good damage
check "without names a list is fetched at once when its copy is empty" \
	fetches_lost good truncate -s 0 "$good"
check "a lost copy is restored even if the server answers that the list has not changed" \
	fetches_lost etag damage
check "max-age does not delay the fetch of a list whose copy was lost" fetches_lost fresh damage

lost_waits() {
	begin || return
	configure good "$1"
	run fetch drop --now
	damage
	: >log
	exits 1 fetch && [ ! -s log ] && says "list drop has no good copy" &&
		says "the last attempt failed: the server answers with HTTP status $2" || return
	rm "$good"
	exits 1 fetch && [ ! -s log ] && says "list drop has no good copy"
}
check "after a failure a list waits, even if its copy was lost" lost_waits absent 404
check "Retry-After counts even for a list whose copy was lost" lost_waits busy 429

timer_refused() {
	begin || return
	make_due good '2 days'
	addresses 20 >www/list
	exits 1 fetch && says "list drop is refused" || return
	exits 1 fetch && says "list drop: a newer copy was refused; 'kcuckoo accept drop' accepts it" || return
	exits 0 accept drop && exits 0 fetch && [ -z "$output" ]
}
check "without names a list that is refused counts until it is accepted" timer_refused

# failed_before_success SECONDS: an attempt failed so long ago, by a clock that was set back
# after the success
failed_before_success() {
	sed -i "s/^complete .*/complete $(($(date +%s) + 86400))/;
		s/^attempt .*/attempt $(($(date +%s) - $1))/" cache/drop.status
}

set_back() {
	begin || return
	: >log
	failed_before_success 60
	exits 0 fetch && [ ! -s log ] || return
	failed_before_success 3700
	exits 0 fetch && [ -s log ]
}
check "after a failure a list waits, even if the clock was set back" set_back

json() {
	output=$("$build/kcuckoo" -j fetch --now --config conf 2>/dev/null)
	[[ $output == *'"name": "drop", "outcome": "unchanged", "members": 400'* ]]
}
check "-j prints the results" json

# --- servers that misbehave -------------------------------------------------------------

bad "a body that is cut off" good cut "the answer is cut off before its end"
bad "a body that is shorter than announced" good long "the answer is cut off before its end"
bad "chunks without an end" good chunks "the answer is cut off before its end"
bad "a body whose end is not part of TLS" good closed "the connection broke"
bad "a connection that is reset" good reset "the connection broke"
bad "a server that accepts and does not answer" good silent "the server "
bad "one byte after the other" good drip "the server sends less than 100 bytes per second"
bad "a body that takes too long" good steady "the server does not answer, or its answer takes more than 40 s"
bad "a body without an end" good endless "the answer has more than 1 MiB"
bad "a body of a terabyte" good announced "the answer has more than 1 MiB"
bad "a gzip bomb" good bomb "the list unpacks to more than 8 MiB"
bad "a web page with status 200" good html "the server sent a web page (HTML)"
bad "a program" good binary ""
bad "a text that is no list" good words "the server did not send a list"
bad "an empty body" good empty "what the server sent is empty"
bad "a body of comments" good comments "what the server sent has no address"
bad "404" good absent "the server answers with HTTP status 404 (not found)"
bad "500" good broken "the server answers with HTTP status 500"
bad "206 without a request for a part" good part "the server answers with HTTP status 206"
bad "304 without a condition" good never "the server answers with HTTP status 304 (not modified) to a request without a condition"
bad "a redirection without a location" good nowhere "the server answers with HTTP status 302 (no list)"
bad "a redirection to itself" good loop "the server redirects too often"
bad "a redirection to http" good plain "the URL, or a URL that the server redirects to, is not of https"
check "the server without TLS got no request" eval '! grep -q ^http log'
bad "a redirection to a file" good file "the URL, or a URL that the server redirects to, is not of https"
bad "no HTTP" good garbage "the server does not answer with HTTP"
bad "no TLS" mail good "the TLS handshake with the server failed"
bad "a certificate that expired" expired good \
	"the certificate of the server expired on $(date -u -d '3 days ago' +%F)"
bad "a certificate that is not valid yet" future good \
	"the certificate of the server is not valid before $(date -u -d '3 days' +%F)"
bad "a certificate for another host" elsewhere good \
	"the certificate of the server is for another host name"
bad "an unknown authority" unknown good \
	"the certificate of the server is not signed by an authority that this machine trusts"

begin
configure good good
sed -i "s/localhost:[0-9]*/localhost:1/" conf/a.conf
check "no server" fails_with "the server cannot be reached"
sed -i "s/localhost:[0-9]*/no-such-host.invalid/" conf/a.conf
check "no such host" fails_with "the name of the server cannot be resolved"

old_clock() {
	output=$(CLOCK=86400 ASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0 \
		LD_PRELOAD=$build/clock.so "$build/kcuckoo" fetch drop --now --config conf 2>&1)
	[ $? = 1 ] && says "the clock of this machine is wrong" && unharmed
}
begin
check "a clock that shows 1970 has another message than a certificate that expired" old_clock

wait_after() {
	exits 1 fetch drop && says "HTTP status 429 (too many requests)" && unharmed || return
	: >log
	exits 1 fetch drop && says "the server asks to wait until" && [ ! -s log ] &&
		says "list drop: the last attempt failed: the server answers with HTTP status 429" &&
		exits 1 -j fetch drop && [ ! -s log ] &&
		says '{"name": "drop", "outcome": "waiting", "until": 1' &&
		says '"reason": "the server answers with HTTP status 429' &&
		exits 0 fetch && [ ! -s log ] || return
	configure good good
	exits 0 fetch drop --now && says unchanged
}
begin
configure good busy
check "429 with Retry-After: the next request is later" wait_after

# fetch_twice MODE: fetch /MODE/list, and again when it is due. "log" has the second request.
fetch_twice() {
	configure good "$1" "refresh = 1h"
	exits 0 fetch drop --now || return
	: >log
	touch -d '90 minutes ago' "$good"
	sed -i "s/^complete .*/complete 0/; s/^attempt .*/attempt 0/" cache/drop.status
	exits 0 fetch
}

fresh() {
	fetch_twice "$1" && [ ! -s log ]
}

outdated() {
	fetch_twice "$1" && [ -s log ]
}

begin
check "max-age is a lower bound for the time between two requests" fresh fresh
check "of max-age in two headers the first one counts" fresh ages
check "no-store counts if a later header has max-age" outdated nostore
check "a negative max-age counts as none" outdated negative

same_tag() {
	configure good same
	exits 0 fetch drop || return
	addresses 390 >www/list
	exits 0 fetch drop && says "390 members, 400 before"
}
begin
check "a tag that never changes does not hide a new body" same_tag

control() {
	configure good control
	exits 0 fetch drop && exits 0 fetch drop && says unchanged &&
		[ "$(tail -n 1 log)" = "control list False" ]
}
begin
check "a tag with control characters is not sent back" control

# --- lists that a check refuses -----------------------------------------------------------

addresses 3 >three
refused "a list of 3 lines after one of 400" three \
	"it has 3 members, the last good copy has 400: more than 50 % fewer"
addresses 390 >some
refused "a list with less than min" some "it has 390 members, fewer than min = 395" "min = 395"
{ addresses 400; echo 128.0.0.0/2; } >wide
refused "a member that is too wide" wide ""
{ printf '# Entries         : 500 unique IPs\n'; addresses 400; } >claim
refused "a list with fewer entries than its header says" claim \
	"it is cut off or damaged: it claims 500 entries and has 400"

agrees() {
	{ printf '# Entries         : 400 unique IPs\n'; addresses 400; } >www/list
	exits 0 fetch drop --now && says unchanged
}
begin
check "a list with the entries that its header says" agrees

accepts() {
	cp three www/list
	run fetch drop --now
	exits 0 accept drop && says "drop: 3 members accepted, 400 before" &&
		[ ! -e state/lists/drop.refused ] && grep -q ' members 3 ' "$good" || return
	exits 2 accept drop && says "no copy of it was refused" &&
		exits 0 fetch drop --now && says "unchanged, 3 members"
}
begin
check "accept takes a copy that was refused" accepts

accepts_fresh() {
	configure good fresh
	cp three www/list
	run fetch drop --now
	exits 1 fetch drop && says "the last attempt failed: it has 3 members" || return
	exits 0 accept drop && exits 0 fetch drop && ! says failed
}
begin
check "a list that was accepted does not count as failed" accepts_fresh

# A server whose answer is refused gets one request in refresh, not one in an hour.
refused_waits() {
	cp three www/list
	rm "$good"
	configure good good "min = 395" "refresh = 12h"
	run fetch drop --now
	[ -e state/lists/drop.refused ] || return
	sed -i "s/^complete .*/complete $(date -d '2 hours ago' +%s)/" cache/drop.status
	sed -i "s/^attempt .*/attempt $(date -d '2 hours ago' +%s)/" cache/drop.status
	: >log
	exits 1 fetch && [ ! -s log ]
}
begin
check "a new list that is refused is not fetched before refresh" refused_waits

accepts_other() {
	local other="copy of list drop was read with another url, format or setting of bogons"

	cp three www/list
	run fetch drop --now
	[ -e state/lists/drop.refused ] || return
	configure good etag
	exits 2 accept drop && says "$other" &&
		[ -e state/lists/drop.refused ] && cmp -s before "$good" || return
	configure good good "bogons = yes"
	exits 2 accept drop && says "$other" || return
	configure good absent
	exits 1 fetch drop && exits 2 accept drop && says "no copy of it was refused" &&
		cmp -s before "$good"
}
begin
check "accept takes no copy of a url that the list no longer has" accepts_other

recovers() {
	cp three www/list
	run fetch drop --now
	[ -e state/lists/drop.refused ] || return
	addresses 400 >www/list
	exits 0 fetch drop --now && [ ! -e state/lists/drop.refused ] && cmp -s before "$good"
}
begin
check "a good copy ends the refusal" recovers

damaged_good() {
	sed -i '$s/150$/151/' "$good"
	! cmp -s before "$good" || return
	exits 0 fetch drop --now && says "the last good copy is damaged" && cmp -s before "$good"
}
begin
check "a damaged last good copy is found and replaced" damaged_good

linked_good() {
	mv "$good" elsewhere
	ln -s "$work/elsewhere" "$good"
	exits 0 fetch drop --now && says "the last good copy cannot be opened: it is a symbolic link" &&
		[ ! -L "$good" ] && cmp -s before elsewhere
}
check "a symbolic link is not followed" linked_good

# --- several lists, credentials, names ------------------------------------------------------

others_go_on() {
	{
		printf '[list first]\nurl = https://localhost:%s/cut/list\n' "$(port good)"
		printf '[list drop]\nurl = https://localhost:%s/good/list\n' "$(port good)"
		printf '[filter bad]\nlist = first\nlist = drop\n'
	} >conf/a.conf
	addresses 420 >www/list
	exits 1 fetch --now && says "list first: the answer is cut" &&
		says "has no good copy" && says "drop: 420 members, 400 before"
}
begin
check "a list that fails does not stop the others" others_go_on

# credential TEXT: the credential "token" of the list drop.
credential() {
	mkdir -p credentials
	printf '%s\n' "$1" >credentials/kcuckoo_token
	chmod 600 credentials/kcuckoo_token
	configure good "$2" "credential = token"
}

with_credential() {
	credential "$1" private
	exits 0 fetch drop --now && says unchanged
}
check "a credential that is a header" with_credential "X-Key: letmein"
check "a credential for basic authentication" with_credential user:word
check "a password with a colon and a blank is no header" with_credential "user:wo: rd"

begin
credential "X-Key: wrong" private
check "a credential that is wrong" fails_with "the server answers with HTTP status 401 (a credential is needed)"

stays_here() {
	credential "X-Key: letmein" leak
	: >log
	exits 1 fetch drop --now && says "no redirection is followed if the credential is a header" && ! grep -q private log || return
	credential user:word leak
	exits 1 fetch drop --now && says "status 401" && grep -q private log
}
check "no credential goes to a server of another name or port" stays_here

secret_mode() {
	chmod 644 credentials/kcuckoo_token
	exits 1 -j fetch drop --now && says "list drop: its credential can be read by other users" &&
		says '{"name": "drop", "outcome": "failed", "reason": "its credential can be read'
}
check "a credential that others can read is not used" secret_mode
systemd_mode() {
	credential "X-Key: letmein" private
	chmod 440 credentials/kcuckoo_token
	exits 0 fetch drop --now
}
check "a credential of systemd may have the mask of an access control list" systemd_mode

names() {
	exits 2 fetch drops && says "there is no list 'drops': did you mean 'drop'?" &&
		exits 2 accept nothing && says "the configuration has no list 'nothing'"
}
check "a list that the configuration does not have" names

locked() {
	exec 9>>state/lists/.lock
	flock 9
	exits 2 fetch drop && says "another kcuckoo fetches or accepts lists"
	local status=$?
	exec 9>&-
	return $status
}
begin
check "two processes do not write the same lists" locked

namespaces() {
	output=$("$build/kcuckoo" -n blue fetch drop --config conf 2>&1) || return
	cmp -s before state/lists/netns/blue/drop.list && [ -e cache/netns/blue/drop.status ]
}
check "-n keeps the lists of a namespace apart" namespaces

# as_user: with the user _kcuckoo, in a mount namespace with another /etc/passwd.
as_user() {
	cp /etc/passwd passwd
	echo '_kcuckoo:x:64999:64999::/nonexistent:/usr/sbin/nologin' >>passwd
	rm -rf state cache
	output=$(unshare -m sh -c "mount --bind passwd /etc/passwd &&
		exec '$build/kcuckoo' fetch drop --config conf" 2>&1) || return
	[ "$(stat -c %u "$good" cache/drop.status state/lists)" = "64999
64999
64999" ] && [ "$(stat -c %u state)" = 0 ]
}
if [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null; then
	begin
	check "root fetches as the user _kcuckoo" as_user
fi
