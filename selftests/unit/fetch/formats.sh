# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
#
# formats.sh: each format that a fetched list can have, what is left out of a list, and what a
# check refuses. Sourced by run.sh.

# members "MEMBER ...": fetch succeeds, and these are the members of the list.
members() {
	exits 0 fetch drop --now || return
	output+=$'\n'$(tail -n +2 "$good")
	[ "$(tail -n +2 "$good" | tr '\n' ' ')" = "${1:+$1 }" ]
}

# takes NAME "MEMBER ..." [LINE...]: the list on standard input has these members.
takes() {
	rm -rf state cache
	cat >www/list
	configure good good "${@:3}"
	check "$1" members "$2"
}

# fails NAME MESSAGE [LINE...]: the list on standard input is no list.
fails() {
	begin || return
	cat >www/list
	configure good good "${@:3}"
	check "$1" fails_with "$2"
}

# --- formats ----------------------------------------------------------------------------

takes "format csv, with the column that has the addresses" "192.0.2.1 198.51.100.0/24" \
	"column = 3" <<'EOF'
2026-11-26,high,192.0.2.1,DE
2026-11-26,low,198.51.100.0/24,FR
EOF
takes "ranges in columns" "192.0.2.1 192.0.2.2/31 203.0.113.0/30" "ranges = yes" <<'EOF'
192.0.2.1,192.0.2.3
203.0.113.0 - 203.0.113.3
EOF
takes "format row" "192.0.2.1 198.51.100.2" "format = row" <<<'host 192.0.2.1 and 198.51.100.2'
takes "format hostport" 192.0.2.1 "format = hostport" <<<192.0.2.1:8080
takes "format ipfilter is recognized" 192.0.2.0/24 <<'EOF'
192.000.002.000 - 192.000.002.255 , 000 , bad
198.051.100.000 - 198.051.100.255 , 200 , good
EOF
check "an allowed range of ipfilter is counted" \
	says "drop: 1 range of level 127 or above, which ipfilter.dat allows, was skipped"
takes "format p2p is recognized" 198.51.100.0/25 <<'EOF'
Some name, with words:198.51.100.0-198.51.100.127
EOF
takes "format ipset is recognized" 192.0.2.0/25 <<'EOF'
create bad hash:net family inet hashsize 1024 maxelem 65536 timeout 600
add bad 192.0.2.0/24 timeout 300
add bad 192.0.2.128/25 nomatch timeout 300
EOF
check "timeouts of ipset are ignored and counted" \
	says "drop: 1 key has a value or a timeout, which is ignored"

archive() {
	printf '192.0.2.1\n' >one.txt
	printf '198.51.100.1\n' >two.netset
	tar -czf www/list one.txt two.netset
	configure good good "member = *.netset"
	members 198.51.100.1
}
rm -rf state cache
check "the files of an archive that member names" archive

# --- JSON -------------------------------------------------------------------------------

# spamhaus COUNT [RECORDS]: the list of Spamhaus, with the line that has the number.
spamhaus() {
	addresses "$1" | sed 's|.*|{"cidr":"&/32","sblid":"SBL1","rir":"arin"}|'
	[ -z "${2-}" ] || printf '{"type":"metadata","timestamp":1795694400,"size":1,"records":%d}\n' "$2"
}

takes "the records of Spamhaus agree" "203.0.113.1 203.0.113.2" < <(spamhaus 2 2)
fails "fewer entries than the records of Spamhaus" \
	"the answer:400: it has 399 entries, and its metadata has 400 records: the list is cut off" \
	< <(spamhaus 399 400)
fails "more entries than the records of Spamhaus" \
	"the answer:402: it has 401 entries, and its metadata has 400 records: the list is cut off" \
	< <(spamhaus 401 400)
fails "a list of Spamhaus that is cut off after a line" \
	"the answer:399: 399 entries follow without metadata: the list is cut off" < <(spamhaus 399)
fails "a list of Spamhaus that is cut off within a line" "the answer:" \
	< <(spamhaus 400 400 | head -c 15000)
fails "a JSON document that is cut off" "the answer:" < <(
	printf '{"prefixes": ['
	addresses 400 | sed 's|.*|{"ip_prefix": "&/32", "service": "EC2"},|'
)
check "the message names the error of JSON" says "']' expected"
fails "no object meets the condition" "the answer:1: no JSON object has service:CLOUDFRONT" \
	"where = service:CLOUDFRONT" <<<'{"prefixes": [{"ip_prefix": "192.0.2.0/24", "service": "EC2"}]}'
fails "a list of lines where JSON is expected" "the answer:1:" "json-key = hooks" <<<192.0.2.1
fails "addresses under keys that are not known" \
	"the answer:1: more addresses are under unknown JSON keys than under known JSON keys: hooks (1); 'json-key = KEY' reads the addresses under KEY" \
	<<<'{"hooks": ["192.0.2.1"]}'

# --- what is left out -------------------------------------------------------------------

takes "exceptions are cut out" "192.0.2.0/26 192.0.2.64/27 192.0.2.112/28 198.51.100.1" <<'EOF'
192.0.2.0/25
!192.0.2.96/28
198.51.100.1
198.51.100.2
198.51.100.2 nomatch
203.0.113.9,allow
EOF
check "exceptions are counted" says "drop: 3 exceptions"
check "the keys that lost addresses are counted" \
	says "drop: 1 key was left out, and parts of 1: they are exceptions or bogons"
check "a list of exceptions has no address" eval \
	'echo "!192.0.2.1" >www/list; ! run fetch drop --now && says "what the server sent has no address"'
fails "all addresses are exceptions" "all of its addresses are exceptions" <<'EOF'
192.0.2.1
!192.0.2.0/24
EOF
takes "values and timeouts are ignored" "192.0.2.1 192.0.2.2" <<'EOF'
192.0.2.1 timeout 600
192.0.2.2 value 7
EOF
check "values and timeouts are counted" \
	says "drop: 2 keys have a value or a timeout, which is ignored"
takes "bogons are left out" "192.0.2.1" < <(printf '192.0.2.1\n10.0.0.0/8\n127.0.0.1\nfe80::/10\n224.0.0.0/3\n')
takes "bogons = yes keeps them" "10.0.0.0/8 192.0.2.1" "bogons = yes" \
	< <(printf '192.0.2.1\n10.0.0.0/8\n')
takes "a list of a filter that a rule allows has bogons" "10.0.0.0/8 192.0.2.1" \
	'[filter never]' 'list = drop' '[filter bans]' '[rule wan]' 'filter = bans' 'allow = never' \
	< <(printf '192.0.2.1\n10.0.0.0/8\n')
takes "a list that a filter excludes has bogons" "10.0.0.0/8 192.0.2.1" \
	'[filter other]' 'list = /etc/mine.txt' 'exclude = drop' \
	< <(printf '192.0.2.1\n10.0.0.0/8\n')
fails "too many bad lines" "100 of 400 lines are bad: is it a list of another format? line 301: " \
	< <(addresses 300; printf 'bad line\n%.0s' {1..100})

# --- what is refused --------------------------------------------------------------------

# everything: a list of all addresses of IPv4.
echo 0.0.0.0/0 >everything
refused "a list of 0.0.0.0/0" everything "its member 0.0.0.0/0 is too wide; wide = yes permits it"
echo ::/0 >everything
refused "a list of ::/0" everything "its member ::/0 is too wide; wide = yes permits it"
takes "wide = yes permits it" "2000::/3" "wide = yes" <<<2000::/3
tenth() {
	rm -rf state cache
	seq 11 34 | sed 's|.*|&.0.0.0/8|' >www/list
	configure good good
	exits 1 fetch drop --now && [ ! -e "$good" ] && says "has no good copy" &&
		says "list drop is refused: it covers 402653184 IPv4 addresses, more than a tenth of all: is it a database?"
}
check "more than a tenth of IPv4, also without a last good copy" tenth
{ addresses 400; echo 8.0.0.0/9; } >large
refused "a list that covers many more addresses" large \
	"it has 401 members and covers 8389008 IPv4 addresses, the last good copy 400 and 400: the growth is above the limit"
accepts_wide() {
	configure good good "wide = yes"
	exits 0 fetch drop --now && says "drop: 401 members, 400 before"
}
check "wide = yes permits it" accepts_wide

fails "a GeoLite file of countries" \
	"the answer: it is a CSV file of GeoIP with nearly all addresses, and not a list" <<'EOF'
network,geoname_id,registered_country_geoname_id,represented_country_geoname_id,is_anonymous_proxy,is_satellite_provider
1.0.0.0/24,2077456,2077456,,0,0
1.0.1.0/24,1814991,1814991,,0,0
EOF
fails "a GeoLite file of autonomous systems" \
	"the answer: it is a CSV file of GeoIP with nearly all addresses, and not a list" <<'EOF'
network,autonomous_system_number,autonomous_system_organization
1.0.0.0/24,13335,CLOUDFLARENET
EOF
fails "a database" "" < <(
	head -c 20000 /dev/zero
	printf '\xab\xcd\xefMaxMind.com\xe9\x5bbinary_format_major_version\xa1\x02'
)
fails "rules of an ad blocker" "the answer: it has rules of an ad blocker" <<<'||ads.example.com^'
fails "a hosts file" "the server did not send a list: all 2 lines are bad; line 1: " <<'EOF'
0.0.0.0 ads.example.com
0.0.0.0 track.example.com
EOF
