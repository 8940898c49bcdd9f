#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The configuration on the command line: what is checked without the module, and the
# catalogue of feeds. Mistakes in files are tested by selftests/unit/parser/test_config.c.

# shellcheck source=selftests/tools/cli/harness.sh
. "$(dirname "$0")/harness.sh"

catalogue=$(dirname "$0")/../../../userspace/feeds

# configure: standard input is the only file of the configuration
configure() {
	rm -rf "${scratch:?}/etc"
	mkdir "$scratch/etc"
	cat >"$scratch/etc/a.conf"
}

example() {
	configure <<-'END'
		[list drop]
		url = https://192.0.2.1/drop.txt
		[filter bad]
		list = drop
		list = /etc/mine.txt
		exclude = /etc/never.txt
		[filter bans]
		timeout = 1h
		keep = yes
		[rule wan]
		filter = bad bans
		hook = ingress
		dev = eth0 ppp*
		mark = 7
	END
}

test_summary() { # a line for each filter and rule, and nothing is changed
	example
	k apply --check --config "$scratch/etc"
	status_is 0
	err_is_empty
	out_is 'filter bad: lists drop, /etc/mine.txt; exclude /etc/never.txt
filter bans: no list, members of other programs; timeout 3600 s; kept
rule wan: filter bad bans hook ingress dev eth0 ppp* family both match src action mark=7'
	k list
	out_is ''
}

test_json() { # the same as JSON, with the documented keys
	example
	k -j apply --check --config "$scratch/etc"
	status_is 0
	out_is '{"filters": [{"name": "bad", "lists": ["drop", "/etc/mine.txt"], "exclude": ["/etc/never.txt"], "keep": false}, {"name": "bans", "lists": [], "exclude": [], "keep": true}], "rules": [{"name": "wan", "filters": ["bad", "bans"], "hook": "ingress", "devs": ["eth0", "ppp*"], "family": "both", "match": "src", "action": "mark=7"}]}'
}

test_mistakes() { # each with its file and line, and exit status 2
	configure <<-'END'
		[filter bad]
		hash = md5
		[rule wan
		filter = bad
	END
	k apply --check --config "$scratch/etc"
	refused "$scratch/etc/a.conf:2: hash 'md5'" "$scratch/etc/a.conf:3: the section '[rule wan'"
	k -j apply --check --config "$scratch/etc"
	refused "$scratch/etc/a.conf:2:"
}

test_hidden() { # files that the services cannot read are a warning
	configure <<-'END'
		[list mine]
		file = /etc/mine.txt
		file = csv:/home/me/mine.txt
		[filter bad]
		list = mine
		exclude = /root/never.txt
	END
	k apply --check --config "$scratch/etc"
	status_is 0
	err_has "$scratch/etc/a.conf:3: the services of kcuckoo cannot read files below /home/" \
		"$scratch/etc/a.conf:6: the services of kcuckoo cannot read files below /root/"
	err_has_not '/etc/a.conf:2:'
}

test_folders() { # the folder of the machine, or of a namespace
	k apply --check
	refused 'cannot read the folder /etc/kcuckoo:' 'kcuckoo.conf(5)'
	k -n blue apply --check
	refused 'cannot read the folder /etc/kcuckoo/netns/blue:'
	k -n /run/netns/blue apply --check
	refused "the namespace '/run/netns/blue'" 'ip netns attach NAME PID' --config
	mkdir -p "$scratch/empty"
	k apply --check --config "$scratch/empty"
	refused "the folder $scratch/empty has no file"
	k apply --check --config
	refused '--config needs a value'
}

test_no_module() { # neither the device nor root is needed
	configure <<<'[filter bad]'
	chmod 755 "$scratch" "$scratch/etc"
	mv /dev/kcuckoo /dev/kcuckoo.away
	k apply --check --config "$scratch/etc"
	mv /dev/kcuckoo.away /dev/kcuckoo
	status_is 0
	out_is 'filter bad: no list, members of other programs'
}

test_feeds() { # names, servers and licences of the catalogue
	k feeds "$catalogue"
	status_is 0
	[[ $out == *$'\nspamhaus-drop '*' www.spamhaus.org '* ]] || complain "$last: $out"
	[ "$(wc -l <<<"$out")" -gt 20 ] || complain "$last: $out"
	k -j feeds "$catalogue"
	status_is 0
	[[ $out == *'{"name": "feodo", "about": "'*'", "licence": "CC0", "urls": ["https://'*'"], "refresh": 3600, "min": 0}'* ]] ||
		complain "$last: $out"
	k feeds "$scratch/none"
	refused "cannot read the folder $scratch/none"
}

main "$0"
