# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
#
# feeds.sh: a small sample of each feed of the catalogue, in the format of its publisher, gives
# the members that it lists. Sourced by run.sh.

# keys NAME: how the catalogue says that the feed is read.
keys() {
	awk -v section="[feed $1]" '/^\[/ { found = $0 == section }
		found && /^(format|column|ranges|member|json-key|where) = /' \
		"$top"/userspace/feeds/*.conf
}

gives() {
	exits 0 fetch drop --now || return
	output+=$'\n'$(tail -n +2 "$good")
	[ "$(tail -n +2 "$good" | tr '\n' ' ')" = "${1:+$1 }" ]
}

# feed NAME "MEMBER ..." [LINE...]: what the server sends is the standard input, or the files
# www/1 and www/2 if there is no other.
feed() {
	local lines

	rm -rf state cache
	mapfile -t lines < <(keys "$1")
	[ -e www/1 ] || cat >www/1
	cp www/1 www/list
	configure good good "${lines[@]}" "${@:3}"
	if [ -e www/2 ]; then
		sed -i "/^url/p; 0,/^url/s/list?/2?/" conf/a.conf
	fi
	check "feed $1" gives "$2"
	rm -f www/1 www/2
	tried+=("$1")
}

# plain NAME: a feed with an address on each line.
plain() {
	feed "$1" "192.0.2.1 198.51.100.0/24" <<-'EOF'
		192.0.2.1
		198.51.100.0/24
	EOF
}

rm -f www/*
tried=()
for name in cins-army greensnow ipsum stopforumspam tor-exit; do
	plain "$name"
done
for name in blocklist-de blocklist-de-ssh; do
	feed "$name" "192.0.2.1 2001:db8::1" <<-'EOF'
		2001:db8::1
		192.0.2.1
	EOF
done

feed feodo 192.0.2.10 < <(sed 's/$/\r/' <<'EOF'
################################################################
# abuse.ch Feodo Tracker Botnet C2 IP Blocklist (IPs only)     #
# Last updated: 2026-11-26 12:00:00 UTC                        #
################################################################
#
# DstIP
192.0.2.10
# END 1 entries
EOF
)
feed feodo "" "min = 0" < <(printf '# DstIP\r\n# END 0 entries\r\n')
# A list of bogons has no member, either.
feed feodo "" "min = 0" < <(printf '# DstIP\r\n192.168.7.1\r\n# END 1 entries\r\n')

feed emerging-threats "192.0.2.7 198.51.100.0/24" <<'EOF'
#
# $Id: emerging-Block-IPs.txt $
# Rules to block Russian Business Network and others

#Spamhaus DROP Nets
198.51.100.0/24

#Dshield Top Attackers
192.0.2.7
EOF

cat >www/1 <<'EOF'
{"cidr":"192.0.2.0/24","sblid":"SBL256894","rir":"apnic"}
{"cidr":"198.51.100.0/24","sblid":"SBL434604","rir":"ripencc"}
{"type":"metadata","timestamp":1795694400,"size":94312,"records":2,"copyright":"(c) 2026 The Spamhaus Project SLU","terms":"https://www.spamhaus.org/drop/terms/"}
EOF
cat >www/2 <<'EOF'
{"cidr":"2001:db8:4000::/36","sblid":"SBL575143","rir":"ripencc"}
{"type":"metadata","timestamp":1795694400,"size":5120,"records":1,"copyright":"(c) 2026 The Spamhaus Project SLU","terms":"https://www.spamhaus.org/drop/terms/"}
EOF
feed spamhaus-drop "192.0.2.0/24 198.51.100.0/24 2001:db8:4000::/36"

feed dshield "192.0.2.0/24 203.0.113.0/24" <<'EOF'
#
#    DShield.org Recommended Block List
#    (c) 2026 DShield.org
#    some rights reserved.
#    comments: info@dshield.org
#    updated: Thu Nov 26 12:00:00 2026 UTC
#
#    This list summarizes the top 20 attacking class C (/24) subnets
#
# Columns (tab delimited):
#  (1) start of netblock
#
Start	End	Netmask	Attacks	Name	Country	email
192.0.2.0	192.0.2.255	24	4230	EXAMPLE-NET	US	abuse@example.com
203.0.113.0	203.0.113.255	24	3984			
EOF

feed firehol-level1 "192.0.2.0/24 203.0.113.0/25" <<'EOF'
#
# firehol_level1
#
# ipv4 hash:net ipset
#
# Maintainer      : FireHOL
# Source File Date: Thu Nov 26 12:00:00 UTC 2026
# Category        : attacks
# Version         : 12345
#
# Entries         : 7 subnets, 611787265 unique IPs
#
0.0.0.0/8
10.0.0.0/8
127.0.0.0/8
192.0.2.0/24
192.168.0.0/16
203.0.113.0/25
224.0.0.0/3
EOF
for name in firehol-level2 firehol-level3; do
	feed "$name" "192.0.2.1 203.0.113.0/25" <<-'EOF'
		# Entries         : 2 subnets, 129 unique IPs
		192.0.2.1
		203.0.113.0/25
	EOF
done

printf '# last updated 1795694400 (Thu Nov 26 12:00:00 2026 GMT)\n0.0.0.0/8\n10.0.0.0/8\n192.0.2.0/24\n224.0.0.0/4\n240.0.0.0/4\n' >www/1
printf '# last updated 1795694400 (Thu Nov 26 12:00:00 2026 GMT)\n2001:db8::/32\n4000::/2\nfc00::/7\n' >www/2
feed fullbogons "192.0.2.0/24 2001:db8::/32 4000::/2" "wide = yes"

aws='{
  "syncToken": "1795694400",
  "createDate": "2026-11-26-12-00-00",
  "prefixes": [
    {
      "ip_prefix": "192.0.2.0/26",
      "region": "eu-west-1",
      "service": "AMAZON",
      "network_border_group": "eu-west-1"
    },
    {
      "ip_prefix": "198.51.100.0/24",
      "region": "GLOBAL",
      "service": "CLOUDFRONT",
      "network_border_group": "GLOBAL"
    }
  ],
  "ipv6_prefixes": [
    {
      "ipv6_prefix": "2001:db8:40::/48",
      "region": "GLOBAL",
      "service": "CLOUDFRONT",
      "network_border_group": "GLOBAL"
    },
    {
      "ipv6_prefix": "2001:db8:50::/48",
      "region": "eu-west-1",
      "service": "EC2",
      "network_border_group": "eu-west-1"
    }
  ]
}'
feed aws "192.0.2.0/26 198.51.100.0/24 2001:db8:40::/48 2001:db8:50::/48" <<<"$aws"
feed aws-cloudfront "198.51.100.0/24 2001:db8:40::/48" <<<"$aws"

for name in google-cloud google googlebot bingbot; do
	feed "$name" "192.0.2.0/27 2001:db8:10::/64" <<-'EOF'
		{
		  "syncToken": "1795694400000",
		  "creationTime": "2026-11-26T12:00:00.000000",
		  "prefixes": [{
		    "ipv6Prefix": "2001:db8:10::/64",
		    "service": "Google Cloud",
		    "scope": "africa-south1"
		  }, {
		    "ipv4Prefix": "192.0.2.0/27"
		  }]
		}
	EOF
done

printf '192.0.2.0/24\n198.51.100.0/24' >www/1
printf '2001:db8::/32' >www/2
feed cloudflare "192.0.2.0/24 198.51.100.0/24 2001:db8::/32"

feed fastly "192.0.2.0/24 198.51.100.0/24 2001:db8:40::/48" \
	<<<'{"addresses":["192.0.2.0/24","198.51.100.0/24"],"ipv6_addresses":["2001:db8:40::/48"]}'

feed oracle-cloud "192.0.2.0/25 198.51.100.0/24" <<'EOF'
{
  "last_updated_timestamp": "2026-11-26T12:00:00.000000",
  "regions": [
    {
      "region": "us-phoenix-1",
      "cidrs": [
        { "cidr": "192.0.2.0/25", "tags": [ "OCI" ] },
        { "cidr": "198.51.100.0/24", "tags": [ "OSN", "OBJECT_STORAGE" ] }
      ]
    }
  ]
}
EOF

feed digitalocean "192.0.2.0/24 2001:db8:7::/48" <<'EOF'
192.0.2.0/24,NL,NL-NH,Amsterdam,1098 XH
2001:db8:7::/48,US,US-NY,New York City,10011
EOF

feed github-hooks "192.0.2.0/24 2001:db8:30::/44" <<'EOF'
{
  "verifiable_password_authentication": false,
  "ssh_key_fingerprints": { "SHA256_ED25519": "+DiY3wvvV6TuJJhbpZisF/zLDA0zPMSvHdkr4UvCOqU" },
  "ssh_keys": [ "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5" ],
  "hooks": [ "192.0.2.0/24", "2001:db8:30::/44" ],
  "web": [ "192.0.2.0/24", "198.51.100.36/32" ],
  "actions": [ "203.0.113.0/27", "2001:db8:99::/48" ],
  "domains": { "website": [ "*.example.com" ] }
}
EOF

feed private-relay "192.0.2.0/31 2001:db8:b3c0:4000::/64" <<'EOF'
192.0.2.0/31,GB,GB-EN,London,
2001:db8:b3c0:4000::/64,US,US-AL,BIRMINGHAM,
EOF

all_tried() {
	output=$(comm -3 <(printf '%s\n' "${tried[@]}" | sort -u) \
		<(sed -n 's/^\[feed \(.*\)\]$/\1/p' "$top"/userspace/feeds/*.conf | sort))
	[ -z "$output" ]
}
check "the catalogue has no other feed" all_tried
