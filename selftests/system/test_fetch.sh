#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# kcuckoo-fetch.service fetches lists in its sandbox, over HTTPS, from a server in the machine.
# The lists are applied, and packets from their addresses are dropped. A failure keeps the last
# good copies. With an empty /var/cache, a boot restores filter and rule before the network is
# up, and the next fetch works.

# shellcheck disable=SC2016,SC2154 # scripts for the machine to expand; $times of order.sh
# shellcheck source=selftests/system/order.sh
. "$(dirname "$0")/order.sh"

# certificates FOLDER: an authority, and a certificate of lists.test, made on the host, which is
# faster.
certificates() {
	local key=(-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes)

	mkdir -p "$1"
	openssl req -x509 "${key[@]}" -keyout "$1/ca.key" -out "$1/ca.crt" -days 2 \
		-subj "/CN=An authority" -addext basicConstraints=critical,CA:true &&
	openssl req -new "${key[@]}" -keyout "$1/key" -out "$1/request" -subj /CN=lists.test &&
	openssl x509 -req -in "$1/request" -CA "$1/ca.crt" -CAkey "$1/ca.key" -CAcreateserial \
		-days 2 -out "$1/crt" -extfile <(echo subjectAltName=DNS:lists.test)
}

# server FOLDER: the server is s_server of OpenSSL, which sends a file as it is, so a file begins
# with the header of the answer. The machine trusts the authority by the file that
# update-ca-certificates writes. The timer is masked, because it starts a fetch at a random time.
server() {
	printf 'cat >/root/server.pem <<"END"\n%s\nEND\n' "$(cat "$1/key" "$1/crt")"
	printf 'cat >>/etc/ssl/certs/ca-certificates.crt <<"END"\n%s\nEND\n' "$(<"$1/ca.crt")"
	cat <<'SCRIPT'
cat >/usr/local/sbin/publish <<"END"
#!/bin/bash
# publish NAME: the server sends standard input for /NAME.
cat >/root/body
{
	printf "HTTP/1.1 200 OK\r\nContent-Length: %s\r\n\r\n" "$(stat -c %s /root/body)"
	cat /root/body
} >"/srv/$1"
END
chmod 755 /usr/local/sbin/publish
echo 127.0.0.1 lists.test >>/etc/hosts
cat >/etc/systemd/system/lists.service <<"END"
[Service]
WorkingDirectory=/srv
ExecStart=/usr/bin/openssl s_server -accept 127.0.0.1:443 -cert /root/server.pem -HTTP
[Install]
WantedBy=multi-user.target
END
systemctl mask --now kcuckoo-fetch.timer && systemctl enable --now lists.service
SCRIPT
}

# Two lists: lines in no order, with a credential, and an archive with many addresses.
lists='
set -e
printf "%s\r\n" "# a list" 198.51.100.7 10.77.0.66 192.0.2.0/25 192.0.2.128/25 198.51.100.7 |
	publish far
awk "BEGIN { for (i = 0; i < 20000; i++)
	printf \"100.0.%d.%d\n\", i / 256, i % 256 }" >/root/many.netset
tar -czf - -C /root many.netset | publish many
(umask 077; echo "X-Key: secret" >/etc/kcuckoo/credentials/feed)
cat >/etc/kcuckoo/machine.conf <<"END"
[list far]
url = https://lists.test/far
credential = feed
bogons = yes
[list many]
url = https://lists.test/many
member = *.netset
[filter far]
list = far
[filter many]
list = many
[rule far]
filter = far
hook = ingress
dev = eth0
END'

# Functions in the machine.
# listed_packets: the number of packets from the listed address that came in.
# until_true COMMAND: try for 40 seconds.
# dropped: five other packets come in, and none from the listed address.
# fetch: the exit status is that of the unit. applies: the unit of apply has run after it.
functions='
	listed_packets() { awk "/^Udp: [0-9]/ { print \$3 }" /proc/net/snmp; }
	other_packets() { awk "/^Icmp: [0-9]/ { print \$10 }" /proc/net/snmp; }
	until_true() { for i in {1..200}; do eval "$1" && return; sleep 0.2; done; false; }
	dropped() {
		local listed other
		listed=$(listed_packets) other=$(other_packets)
		until_true "[ \$(other_packets) -ge $((other + 5)) ]" &&
		[ "$(listed_packets)" = "$listed" ] ||
			{ kcuckoo rules; cat /proc/net/snmp; false; }
	}
	messages() { journalctl -b -o cat -u kcuckoo-fetch.service; }
	times_applied() { journalctl -b -o cat -u kcuckoo-apply.service | grep -c ^Finished; }
	fetch() { applied=$(times_applied); systemctl start kcuckoo-fetch.service; }
	applies() { until_true "[ \$(times_applied) -gt $applied ]" ||
		{ journalctl -b -n 30 --no-pager; false; }; }
	good=/var/lib/kcuckoo/lists
	'

# aged DAYS: the last good copy of "far" is of DAYS ago, and nothing is known of later attempts.
aged() {
	echo "touch -d '$1 days ago' /var/lib/kcuckoo/lists/far.list; rm /var/cache/kcuckoo/far.status
	"
}

install_disk
power_on
settle
check 'certificates are made' certificates "$RUN/certificates"
inside 'the server starts' "$(server "$RUN/certificates")"
start_flood
inside 'lists that were never fetched make kcuckoo.service fail' "$lists
	! systemctl restart kcuckoo.service"
inside 'without a list, packets from its addresses come in' "$functions"'
	before=$(listed_packets); until_true "[ \$(listed_packets) -gt $before ]"'

inside 'the unit of a fetch succeeds' "$functions"'fetch && applies'
inside 'the server has sent both lists' '
	[ "$(journalctl -b -o cat -u lists.service | grep ^FILE: | sort)" = "FILE:far
FILE:many" ] || { journalctl -b -u lists.service; exit 1; }'
inside 'copies and cache belong to _kcuckoo' "$functions"'
	[ "$(stat -c "%n %U %G %a %F" $good/far.list $good/many.list)" = \
"$good/far.list _kcuckoo _kcuckoo 644 regular file
$good/many.list _kcuckoo _kcuckoo 644 regular file" ] &&
	[ -z "$(find /var/cache/kcuckoo ! -user _kcuckoo)" ] && [ -e /var/cache/kcuckoo/far.status ] ||
		{ ls -la $good /var/cache/kcuckoo; exit 1; }'
inside 'a copy is canonical' "$functions"'
	tail -n +2 $good/far.list >/root/members
	printf "%s\n" 10.77.0.66 192.0.2.0/25 192.0.2.128/25 198.51.100.7 | cmp - /root/members &&
	[ "$(head -n 1 $good/far.list)" = "# kcuckoo-list 1 far members 4 bytes $(stat -c %s \
		/root/members) sha256 $(sha256sum </root/members | cut -d " " -f 1)" ] ||
		{ cat $good/far.list; exit 1; }'
inside 'the lists are applied' "$functions"'
	kcuckoo -q test far 10.77.0.66 && kcuckoo -q test many 100.0.78.31 &&
	[ "$(kcuckoo list far | sort)" = "$(sort /root/members)" ] &&
	[ "$(kcuckoo list many | wc -l)" = 20000 ] ||
		{ journalctl -b -n 30 --no-pager; exit 1; }'
inside 'packets from the listed address are dropped, others are not' "$functions"'dropped'
inside 'kcuckoo.service starts with the copies' 'systemctl start kcuckoo.service'

guest 'systemctl stop lists.service; cp -p /var/lib/kcuckoo/lists/far.list /root/' >/dev/null
inside 'without the server, a fetch of a list that is two days old succeeds' "$functions$(aged 2)
	fetch && applies"
inside 'the journal has a sentence about the server' "$functions"'
	messages | grep -F "list far: the server cannot be reached" || { messages; exit 1; }'
inside 'without the server, the unit fails for a list that is eight days old' "$functions$(aged 8)
	! fetch && [ \"\$(systemctl is-failed kcuckoo-fetch.service)\" = failed ] && applies"
inside 'the journal says what stays' "$functions"'
	[ "$(messages | grep -cF "list far: the server cannot be reached")" = 2 ] &&
	[ "$(messages | grep -cE "the last good copy, of .* with 4 members, stays")" = 2 ] ||
		{ messages; exit 1; }'
inside 'no message has the URL or the credential' "$functions"'
	messages | grep -E "lists\.test|secret" && exit 1; true'
inside 'the old list stays' "$functions"'
	cmp /root/far.list $good/far.list && [ "$(stat -c %U $good/far.list)" = _kcuckoo ] &&
	[ "$(kcuckoo list far | sort)" = "$(sort /root/members)" ]'
inside 'and its packets are dropped' "$functions"'dropped'

guest 'find /var/cache -mindepth 1 -delete; sync' >/dev/null
reboot_machine
inside 'the cache is empty after a reboot' '[ -z "$(ls -A /var/cache/kcuckoo)" ]'
inside 'the filters are there before the network' "$times"'
	before "$(monotonic kcuckoo.service ExecMainExitTimestamp)" \
		"$(monotonic network-pre.target ActiveEnterTimestamp)" &&
	before "$(monotonic network-pre.target ActiveEnterTimestamp)" \
		"$(monotonic networking.service ExecMainStartTimestamp)"'
inside 'the unit has not failed, and the rule is there' '
	systemctl is-active kcuckoo.service && kcuckoo rules | grep -w far'
inside 'the members are the same' '[ "$(kcuckoo list far | sort)" = "$(sort /root/members)" ] &&
	[ "$(kcuckoo list many | wc -l)" = 20000 ]'
inside 'listed packets were seen during the boot, and none came in' "$functions"'
	until_true "kcuckoo -j rules | grep -E \"\\\"packets\\\": *[1-9]\"" &&
	until_true "[ \$(other_packets) -gt 0 ]" && [ "$(listed_packets)" = 0 ] ||
		{ kcuckoo rules; cat /proc/net/snmp; exit 1; }'
inside 'the next fetch works' "$functions"'
	printf "%s\n" 10.77.0.66 203.0.113.9 198.51.100.0/24 | publish far
	fetch && applies'
inside 'its list is applied' "$functions"'
	[ "$(kcuckoo list far | sort)" = "$(printf "%s\n" 10.77.0.66 198.51.100.0/24 203.0.113.9)" ] &&
	kcuckoo -q test many 100.0.0.1 || { kcuckoo list far; messages; exit 1; }'
inside 'the cache is there again, and belongs to _kcuckoo' '
	[ "$(stat -c "%U %a" /var/cache/kcuckoo)" = "_kcuckoo 755" ] &&
	[ "$(stat -c %U /var/cache/kcuckoo/far.status)" = _kcuckoo ] ||
		{ ls -la /var/cache/kcuckoo; exit 1; }'
inside 'no unit failed' '
	[ -z "$(systemctl --failed --no-legend)" ] || { systemctl --failed; exit 1; }'
finish
