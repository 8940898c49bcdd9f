#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Lists in JSON as their publishers write them, sets that nft prints, and databases.

# shellcheck source=selftests/tools/cli/harness.sh
. "$(dirname "$0")/harness.sh"

list=$scratch/list

test_known_keys() { # the keys of six publishers, and an array of addresses
	k create bl
	cat >"$list" <<-'END'
		{"createDate": "2026-11-26", "prefixes": [
		  {"ip_prefix": "192.0.2.0/28", "service": "EC2"},
		  {"ipv4Prefix": "192.0.2.16/28"}, {"ipv6Prefix": "2001:db8:1::/48"}],
		 "ipv6_prefixes": [{"ipv6_prefix": "2001:db8:2::/48"}],
		 "values": [{"properties": {"addressPrefixes": ["192.0.2.32/28"]}}],
		 "result": {"ipv4_cidrs": ["192.0.2.48/28"], "ipv6_cidrs": []},
		 "data": [{"ipAddress": "192.0.2.64"}, {"ip_address": "192.0.2.65"}],
		 "syncToken": "198.51.100.1"}
	END
	echo '["192.0.2.66", "192.0.2.68-192.0.2.71"]' | gzip >"$scratch/array"
	k load bl "$list" "$scratch/array"
	status_is 0
	err_has '10 read' '10 added' '0 bad lines' \
		'1 address under other keys of JSON was left out: syncToken (1)'
	members_are 192.0.2.0/28 192.0.2.16/28 192.0.2.32/28 192.0.2.48/28 192.0.2.64 \
		192.0.2.65 192.0.2.66 192.0.2.68/30 2001:db8:1::/48 2001:db8:2::/48
	k -j load bl "$list"
	[[ $out == *'"other_addresses": 1'* ]] || complain "$out"
}

test_other_keys() { # more addresses under unknown keys: refused, unless the user names the key
	echo '{"cidr": "192.0.2.1", "hosts": ["192.0.2.2", "192.0.2.3"]}' >"$list"
	k create bl
	k load bl "$list"
	refused "$list:1: " 'hosts (2)' '--json-key' 'nothing was added'
	k load bl "$list" --json-key hosts
	status_is 0
	members_are 192.0.2.2 192.0.2.3
	k flush bl
	k add bl -f "$list?key=cidr,hosts"
	status_is 0
	members_are 192.0.2.1 192.0.2.2 192.0.2.3
	k load bl "json:$list?from=a:b"
	refused "no option 'from'"
}

test_where() { # a condition selects a part
	cat >"$list" <<-'END'
		{"prefixes": [
		  {"ip_prefix": "192.0.2.0/28", "service": "EC2"},
		  {"ip_prefix": "192.0.2.16/28", "service": "CLOUDFRONT"}]}
	END
	k create bl
	k load bl "$list?where=service:CLOUDFRONT"
	status_is 0
	members_are 192.0.2.16/28
	k load bl "$list?where=service:S3"
	refused 'no JSON object has service:S3'
	cp "$list" "$list?where=service:EC2"
	k load bl "$list?where=service:EC2"
	status_is 0
	members_are 192.0.2.0/28 192.0.2.16/28
}

test_cut_off() { # a list of Spamhaus that is not complete is refused
	cat >"$list" <<-'END'
		{"cidr":"192.0.2.0/28","sblid":"SBL1","rir":"apnic"}
		{"cidr":"192.0.2.16/28","sblid":"SBL2","rir":"ripencc"}
		{"type":"metadata","timestamp":1764200000,"size":100,"records":2}
	END
	k create bl
	head -n 2 "$list" | kcuckoo load bl - 2>"$scratch/err" && complain "cut off: loaded"
	err=$(<"$scratch/err")
	err_has 'cut off'
	sed 2d "$list" >"$scratch/short"
	k load bl "$scratch/short"
	refused "$scratch/short:2: " '1 entries' '2 records'
	members_are
	k load bl "$list"
	status_is 0
	members_are 192.0.2.0/28 192.0.2.16/28
}

test_damaged() { # a transfer that was cut, and other damage: nothing is added
	echo '["192.0.2.1", "192.0.2.2"]' >"$list"
	k create bl
	head -c 20 "$list" >"$scratch/short"
	k load bl "$scratch/short" "$list"
	refused "$scratch/short:1: " 'nothing was added'
	printf '["192.0.2.1",\n"192.0.2.2"]\n]' >"$scratch/short"
	k load bl "$list" "$scratch/short"
	refused "$scratch/short:3: "
	members_are
}

test_nft() { # elements of a set that nft prints, with their remaining time
	nft -f - <<-'END' || complain "nft"
		table inet t {
			set bad {
				type ipv4_addr
				flags interval, timeout
				elements = { 192.0.2.0/28, 192.0.2.20-192.0.2.23, 192.0.2.40 timeout 1h }
			}
			set six {
				type ipv6_addr
				elements = { 2001:db8::1 }
			}
			set ports {
				type ipv4_addr . inet_service
				elements = { 192.0.2.9 . 80 }
			}
		}
	END
	k create bl timeout 0
	nft -j list set inet t bad >"$list"
	k load bl "$list"
	status_is 0
	k list bl
	[[ $out == "192.0.2.0/28 "*"192.0.2.20/30 "*"192.0.2.40 timeout 3"[56]* ]] || complain "$out"
	nft -j list set inet t ports >"$list"
	k load bl "$list"
	refused "'ports' are concatenations"
	nft -j list ruleset >"$list"
	k load bl "$list"
	refused 'inet t bad' 'inet t six' '?set=NAME'
	k flush bl
	k load bl "$list?set=six"
	status_is 0
	members_are '2001:db8::1 timeout 0'
	nft delete table inet t
}

# countries CODE...: networks of these countries as the source of the database has them
countries() {
	local code

	for code; do
		grep -h ",$code\$" /usr/share/tor/geoip /usr/share/tor/geoip6
	done
}

test_countries() { # networks of countries from a database, the same as its source has
	k create bl
	k load bl "mmdb:$PWD/geo.mmdb"
	refused 'name a country'
	k load bl "mmdb:$PWD/geo.mmdb?country=LI,MC"
	status_is 0
	k create other
	# The source has IPv4 addresses as numbers.
	countries LI MC | awk -F, '
		function dotted(n) {
			return int(n / 2^24) "." int(n / 2^16) % 256 "." int(n / 2^8) % 256 "." n % 256
		}
		$1 ~ /:/ { print $1 "-" $2; next }
		{ print dotted($1) "-" dotted($2) }' >"$list"
	k load other "$list"
	status_is 0
	k compare bl other
	status_is 0
	k flush bl
	k load bl "mmdb:$PWD/flat.mmdb?country=li,mc"
	status_is 0
	k compare bl other
	status_is 0
}

test_country_values() { # the number of its country is the value of a network
	k create bl value 9
	k load bl "mmdb:$PWD/geo.mmdb?value=country"
	refused 'values of 10 bits' 'nothing was added'
	k destroy bl
	k create bl value 10
	k load bl "mmdb:$PWD/geo.mmdb?value=country"
	status_is 0
	err_has 'left out' 'EU'
	k list bl
	[ "$(awk '{ print $2, $3 }' <<<"$out" | sort -u)" = $'value 438\nvalue 492' ] ||
		complain "$out"
}

test_systems() { # networks of autonomous systems
	k create bl
	k load bl "mmdb:$PWD/asn.mmdb?asn=AS64500,64501,64503"
	status_is 0
	err_has 'no network of AS64503'
	members_are 192.0.2.0/24 2001:db8::/112
	k load bl "mmdb:$PWD/asn.mmdb?country=DE"
	refused 'no network in it has a country'
}

test_database_library() { # only databases need libmaxminddb, and an error names its package
	local library

	library=$(ldconfig -p | sed -n 's/.*libmaxminddb\.so\.0 .* => //p' | head -n 1)
	k create bl
	mount --bind /dev/null "$(realpath "$library")" || complain "mount"
	k load bl "mmdb:$PWD/geo.mmdb?country=LI"
	refused 'apt-get install -y libmaxminddb0' 'nothing was added'
	umount "$(realpath "$library")"
	k load bl "mmdb:$PWD/geo.mmdb?country=LI"
	status_is 0
}

main "$0"
