#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# JSON output: documents that parse, with the documented keys.

# shellcheck source=selftests/tools/cli/harness.sh
. "$(dirname "$0")/harness.sh"

if ! command -v python3 >/dev/null; then
	echo "1..0 # SKIP needs python3"
	exit 4
fi

# Judges documents: reads the claims, each ended by a zero byte, an empty one last;
# prints those that are not true of the document d, and a verdict.
judge() {
	exec python3 -c '
import json, sys
text = b""
while chunk := sys.stdin.buffer.read1():
    text += chunk
    if not text.endswith(b"\0\0"):
        continue
    bad = claims = text.decode().split("\0")[:-2]
    text = b""
    try:
        d = json.load(open(sys.argv[1]))
        bad = [claim for claim in claims if not eval(claim)]
    except Exception as error:
        print("#", repr(error))
    for claim in bad:
        print("# not true:", " ".join(claim.split()))
    print("wrong" if bad else "right", flush=True)
' "$scratch/out"
}

# To start it takes longer than most tests: so there is one for all.
coproc JUDGE { judge; }

# The last output is one document d of which all these are true, in Python.
json_has() {
	local line

	printf '%s\0' "$@" '' >&"${JUDGE[1]}"
	while read -r line <&"${JUDGE[0]}"; do
		case $line in
		right) return ;;
		wrong) break ;;
		*) echo "$line" ;;
		esac
	done
	complain "$last: $out"
}

test_formats() { # how lists are read: texts, lines and counts
	printf 'ip,what\n192.0.2.1,x\n192.0.2.2,allow\nz,x\n' >"$scratch/list"
	k -j formats --column ip "$scratch/list"
	status_is 0
	json_has 'len(d) == 1' 'd[0]["list"].endswith("/list")' \
		'[t["format"] for t in d[0]["texts"]] == ["csv"]' \
		'd[0]["texts"][0]["recognized"] is False' 'd[0]["texts"][0]["packed"] == ""' \
		'd[0]["keys"] == 1' 'd[0]["exceptions"] == 1' 'd[0]["bad_lines"] == 1' \
		'd[0]["skipped_lines"] == 1' 'd[0]["lines"] == 3' \
		'[sorted(l) for l in d[0]["lines_shown"]] == [["line", "skipped", "text"],
			["key", "line", "text"], ["exception", "line", "text"],
			["bad", "line", "text"]]' \
		'd[0]["lines_shown"][1] == {"line": 2, "text": "192.0.2.1,x", "key": "192.0.2.1"}'
	k -j formats
	status_is 0
	json_has '[f["addresses"] for f in d if f["format"] == "ipset"] == [True]' \
		'[f["bytes"] for f in d if f["format"] == "hosts"] == [True]' \
		'{f["format"] for f in d if f["recognized"]} >= {"list", "dshield", "hosts"}'
}

test_info() { # one object with all documented keys
	k create bl capacity 1M
	k -q add bl 192.0.2.1 192.0.2.0/24 2001:db8::/32 2001:db8::1
	k attach bl
	k -j info bl
	status_is 0
	err_is_empty
	json_has 'd["name"] == "bl"' 'd["type"] == "inet"' \
		'd["entries"] == 4' 'd["entries_ipv4"] == 2' \
		'd["entries_ipv6"] == 2' 'd["capacity"] == 1000000' \
		'0 <= d["load_factor"] <= 1' 'd["memory_bytes"] > 0' \
		'd["expected_fpr"] == 0' 'd["hash"] == "jhash"' \
		'd["rules"] == 1' 'd["bucket_size"] == 4' \
		'd["managed"] is False' 'd["packets"] is False' 'd["changes"] >= 4' \
		'd["lengths_ipv4"] == [24, 32]' \
		'd["lengths_ipv6"] == [32, 128]' \
		'all(type(d[x]) == int for x in ("slots", "slots_used",
			"searches", "moves", "growths", "refused"))' \
		'd["bits"] == 0' 'd["fpr"] == 0' 'd["innocent_ipv4"] == 0' \
		'd["doublings"] == 0' 'd["traits"] == []' \
		'd["value_bits"] == 0' 'd["timeout"] is None' \
		'd["expiring"] == 0' 'd["steps"] == 1024'
}

test_info_fingerprints() { # the facts of an approximate filter
	k create bl type bytes capacity 10k bits 12 semisort insert-only \
		hash siphash steps 500
	seq 9000 >"$scratch/list"
	k -q load bl "$scratch/list"
	k -j info bl
	json_has 'd["type"] == "bytes"' 'd["bits"] == 12' \
		'd["traits"] == ["semisort", "insert-only"]' \
		'd["hash"] == "siphash"' 'd["steps"] == 500' \
		'd["capacity"] == 10000' 'd["innocent_ipv4"] is None' \
		'0.001 < d["expected_fpr"] < 0.002' \
		'0.8 < d["fill"] < 1' '0.5 < d["load_factor"] < 1' \
		'd["lengths_ipv4"] == []'
	k create inet fpr 0.001 capacity 1000
	k -q add inet 192.0.2.1
	k -j info inet
	json_has 'd["type"] == "inet"' '0.00099 < d["fpr"] <= 0.001' \
		'0 < d["expected_fpr"] < 0.001' \
		'abs(d["innocent_ipv4"] / 2**32 - d["expected_fpr"]) < 1e-9'
	k create v value 5 timeout 90
	k -j info v
	json_has 'd["value_bits"] == 5' 'd["timeout"] == 90' 'd["bits"] == 0'
}

test_create() { # the same object as info
	k -j create bl bucket 8
	status_is 0
	json_has 'd["name"] == "bl"' 'd["bucket_size"] == 8' \
		'd["entries"] == 0' 'd["load_factor"] == 0' \
		'd["lengths_ipv4"] == []'
}

test_list() { # arrays of strings, empty ones too
	k -j list
	json_has 'd == []'
	k create bl
	k create b2
	k -j list
	json_has 'd == ["bl", "b2"]'
	k -j list bl
	json_has 'd == []'
	k -q add bl 192.0.2.1 2001:db8::/32
	k -j list bl
	json_has 'd == ["192.0.2.1", "2001:db8::/32"]'
}

test_rules() { # an array of objects, dev null
	k -j rules
	json_has 'd == []'
	k create bl
	k attach bl hook input family ipv4 match dst action count
	k -j rules
	json_has 'd == [{"filter": "bl", "hook": "input", "family": "ipv4",
		"match": "dst", "action": "count", "log": None, "allow": None, "dev": None,
		"label": None, "wait_dev": None, "dev_waiting": False,
		"active": True, "waiting": False, "dead": False, "no_ethernet": False,
		"packets": 0, "bytes": 0}]'
	k detach bl
	k attach bl action mark=5
	k -j rules
	json_has 'd[0]["action"] == "mark=5"' 'd[0]["mark"] == 5'
}

test_rules_log() { # null, or group, limit, and whether the kernel logs nothing of the namespace
	k create bl
	k attach bl log
	k attach bl hook input action count log group 0 limit 100/s
	k attach bl hook output
	k -j rules
	json_has 'd[0]["log"] == {"group": None, "limit": 10, "off": False}' \
		'd[1]["log"] == {"group": 0, "limit": 100, "off": False}' \
		'd[1]["action"] == "count"' 'd[1]["active"]' 'd[2]["log"] is None'
	ip netns add other
	k -n other -q create bl
	k -n other -q attach bl log
	k -n other -j rules
	json_has 'd[0]["log"]["off"]' 'd[0]["active"]'
	k -j rules --zero bl
	json_has 'len(d) == 3' 'd[0]["packets"] == 0'
	ip netns del other
}

test_rules_wait() { # the device of a rule, and the name or pattern that it belongs to
	k create bl
	k -j attach bl hook ingress dev cli-later --wait
	json_has 'd["dev"] is None' 'd["wait_dev"] == "cli-later"' 'd["dev_waiting"]' \
		'not d["active"]' 'not d["waiting"]'
	k -j attach bl hook ingress dev 'cli-js*' --wait
	json_has 'd["wait_dev"] == "cli-js*"' 'd["dev_waiting"]'
	ip link add cli-js0 type dummy
	ip link add cli-js1 type dummy
	k -j rules
	json_has 'len(d) == 3' 'd[0]["dev"] == "cli-js0"' 'd[1]["dev"] == "cli-js1"' \
		'd[0]["wait_dev"] == d[1]["wait_dev"] == "cli-js*"' 'd[0]["active"]' \
		'd[2]["dev"] is None' 'd[2]["dev_waiting"]' 'd[2]["label"] is None'
	k -j detach bl dev 'cli-js*'
	json_has 'd == {"removed": 2}'
	ip link del cli-js0
	ip link del cli-js1
}

test_device() { # any name that a device may have
	ip link add cli-json type dummy
	ip link add $'d\xff' type dummy
	k create bl
	k -j attach bl hook ingress dev cli-json action count
	json_has 'd["dev"] == "cli-json"' '"dev_hex" not in d'
	k -j attach bl hook ingress dev $'d\xff' action count
	status_is 0
	json_has 'd["dev_hex"] == "64ff"' '"dev" not in d' 'd["hook"] == "ingress"'
	k -j rules
	status_is 0
	json_has 'len(d) == 2' 'd[0]["dev"] == "cli-json"' 'd[1]["dev_hex"] == "64ff"'
	ip link del cli-json
	ip link del $'d\xff'
}

test_test() { # keys as they were written, and booleans
	k create bl
	k -q add bl 192.0.2.0/24
	k -j test bl 192.0.2.1 2001:DB8::1 192.0.2.0/24
	status_is 1
	json_has 'd == [{"key": "192.0.2.1", "present": True,
			"member": "192.0.2.0/24"},
		{"key": "2001:DB8::1", "present": False},
		{"key": "192.0.2.0/24", "present": True,
			"member": "192.0.2.0/24"}]'
	k -j test bl 192.0.2.1 192.0.2.0/24 --exact
	json_has 'd == [{"key": "192.0.2.1", "present": False},
		{"key": "192.0.2.0/24", "present": True}]'
	printf '192.0.2.1\n' >"$scratch/list"
	k -j test bl -f "$scratch/list"
	status_is 0
	json_has 'd == [{"key": "192.0.2.1", "present": True,
		"member": "192.0.2.0/24"}]'
}

test_values() { # objects where members have more to tell
	k create bl value 8 timeout 0
	k -q add bl 192.0.2.0/24 --value 7
	k -j list bl
	json_has 'd == [{"key": "192.0.2.0/24", "value": 7, "timeout": 0}]'
	k -j test bl 192.0.2.1 192.0.3.1
	json_has 'd == [{"key": "192.0.2.1", "present": True,
			"member": "192.0.2.0/24", "values": [7]},
		{"key": "192.0.3.1", "present": False, "values": []}]'
	k -j update bl 192.0.2.0/24 192.0.2.9 --value 8
	json_has 'd["updated"] == 1' 'd["absent"] == 1' 'd["entries"] == 1'
}

test_byte_strings() { # any bytes as JSON
	# With few buckets a key now and then has those that the copies want.
	k create bl type bytes capacity 100k bits 32
	k -q add bl foo $'\xff' ''
	k -j test bl foo $'\xff' '' 'q"'
	json_has 'd == [{"key": "foo", "present": True},
		{"key_hex": "ff", "present": True}, {"key": "", "present": True},
		{"key": "q\"", "present": False}]'
	k -j add bl foo foo foo foo foo foo foo foo foo
	status_is 2
	json_has 'd["added"] == 7' 'd["refused"] == 2'
}

test_sets() { # of two filters
	k create bl
	k create b2
	k -q add bl 192.0.2.1 192.0.2.2
	k -q add b2 192.0.2.2
	k -j compare bl b2
	status_is 1
	json_has 'd == {"name": "bl", "with": "b2", "equal": False,
		"only_name": 1, "only_with": 0, "both": 1, "other_value": 0}'
	k -j merge b2 bl
	json_has 'd == {"name": "b2", "from": "bl", "entries_before": 1,
		"entries": 2}'
	k -j intersect bl b2
	json_has 'd["with"] == "b2"' 'd["entries"] == 2'
	k save bl "$scratch/snapshot"
	k -j restore "$scratch/snapshot" as b3
	json_has 'd["name"] == "b3"' 'd["entries"] == 2'
}

test_compact() { # the memory before and after
	k create bl
	seq -f '10.0.%g.1' 0 255 >"$scratch/list"
	k load bl "$scratch/list"
	k flush bl
	k -j compact bl
	json_has 'set(d) == {"name", "memory_bytes_before", "memory_bytes"}' \
		'd["name"] == "bl"' 'd["memory_bytes_before"] >= d["memory_bytes"] > 0'
}

test_load() { # a summary
	printf '192.0.2.1\n192.0.2.1\nbad\n192.0.2.9/24\n10.0.0.1-10.0.0.2\n' \
		>"$scratch/list"
	k create bl
	k -j load bl "$scratch/list"
	status_is 0
	json_has 'd["name"] == "bl"' 'd["read"] == 4' 'd["ranges"] == 1' \
		'd["keys"] == 5' 'd["added"] == 4' 'd["existed"] == 1' \
		'd["bad_lines"] == 1' 'd["host_bits"] == 1' \
		'0 <= d["seconds"] < 60' 'd["entries"] == 4' \
		'd["memory_bytes"] > 0'
}

test_add_del() { # summaries
	k create bl
	k -j add bl 192.0.2.1 192.0.2.1 192.0.2.9/24 10.0.0.1-10.0.0.2
	json_has 'd == {"name": "bl", "read": 4, "ranges": 1, "keys": 5,
		"added": 4, "existed": 1, "host_bits": 1, "entries": 4}'
	k -j del bl 192.0.2.1 192.0.2.3
	json_has 'd == {"name": "bl", "read": 2, "ranges": 0, "keys": 2,
		"deleted": 1, "absent": 1, "host_bits": 0, "entries": 3,
		"covered": 2, "covering": [
			{"key": "192.0.2.1", "member": "192.0.2.0/24"},
			{"key": "192.0.2.3", "member": "192.0.2.0/24"}]}'
	k -j del bl 10.0.0.1-10.0.0.9 --covered
	json_has 'd == {"name": "bl", "read": 1, "ranges": 1, "keys": 2,
		"deleted": 2, "absent": 0, "host_bits": 0, "entries": 1,
		"covered": 0, "covering": []}'
}

test_attach_detach() { # the rule, and how many were removed
	k create bl
	k -j attach bl family ipv6
	json_has 'd["filter"] == "bl"' 'd["family"] == "ipv6"' \
		'd["action"] == "drop"' 'd["dev"] is None' 'not d["waiting"]'
	k -j detach bl
	json_has 'd == {"removed": 1}'
	k -j attach later
	json_has 'd["waiting"] is True' 'd["active"] is False'
	k -j rules
	json_has 'd[0]["filter"] == "later"' 'd[0]["waiting"] is True' \
		'd[0]["active"] is False' 'd[0]["allow"] is None'
	k detach later
	k -j attach bl allow good
	json_has 'd["allow"] == "good"' 'd["active"] is False' 'd["waiting"] is False'
	k create good
	k -j rules
	json_has 'd[0]["allow"] == "good"' 'd[0]["active"] is True' \
		'd[0]["waiting"] is False'
}

test_stats() { # figures of the namespace
	k create bl
	k create b2
	k -q add bl 192.0.2.1 192.0.2.2
	k -q add b2 192.0.2.1
	k attach bl
	k -j stats
	status_is 0
	json_has 'd["filters"] == 2' 'd["waiting"] == 0' 'd["rules"] == 1' 'd["entries"] == 3' \
		'd["max_filters"] >= 2' 'd["max_bytes"] > d["memory_bytes"] > 0'
}

test_module() { # stats names the version and the features of the module
	local version

	version=$(modinfo -F version kcuckoo)
	[ "$version" = "$(cat /sys/module/kcuckoo/version)" ] ||
		complain "another version is loaded"
	k -j stats
	json_has "d['version'] == '$version'" '"rules-hold" in d["features"]' \
		'"ingress" in d["features"]' '"staged" in d["features"]' '"wait" in d["features"]'
	k stats
	[[ $out == *$'\n'"module   $version"$'\n''features rules-hold ingress'* ]] ||
		complain "stats: $out"
}

test_largest() { # a limit that JSON has no number for
	local limit=/sys/module/kcuckoo/parameters/max_bytes before

	before=$(<$limit)
	echo 18446744073709551615 >$limit
	k -j stats
	echo "$before" >$limit
	status_is 0
	json_has 'd["max_bytes"] == 2 ** 63 - 1'
}

# configured: a configuration with a list, a rule that waits and a list with a url
configured() {
	export KCUCKOO_STATE=$scratch/state KCUCKOO_RUN=$scratch/run KCUCKOO_CACHE=$scratch/cache
	rm -rf "${scratch:?}"/{state,run,cache,etc}
	mkdir "$scratch/etc"
	printf '192.0.2.0/24\n198.51.100.1\n' >"$scratch/list"
	cat >"$scratch/etc/a.conf" <<-END
		[list far]
		url = https://192.0.2.1:1/far.txt
		[filter bad]
		list = $scratch/list
		[filter more]
		list = far
		[rule wan]
		filter = bad
		hook = ingress
		dev = cli-json
	END
}

test_apply() { # the outcome and the difference of one filter
	printf '192.0.2.1\n192.0.2.2\n10.0.0.1\nbad\n' >"$scratch/list"
	k create bl
	k -j apply bl "$scratch/list" --dry-run
	status_is 1
	json_has 'd["outcome"] == "different"' 'd["added"] == 2'
	k -j apply bl "$scratch/list"
	status_is 0
	json_has 'd["name"] == "bl"' 'd["outcome"] == "replaced"' 'd["keys"] == 2' 'd["read"] == 3' \
		'd["bad_lines"] == 1' 'd["bogons"] == 1' 'd["excluded"] == d["own"] == 0' \
		'0 <= d["seconds"] < 60' 'd["added"] == 2' \
		'd["removed"] == d["changed"] == d["unchanged"] == d["renewed"] == 0'
	k -j apply bl "$scratch/list"
	status_is 0
	json_has 'd["outcome"] == "nothing"' 'd["unchanged"] == 2'
	printf '192.0.2.2\n192.0.2.3\n' >"$scratch/list"
	k -j apply new "$scratch/list"
	json_has 'd["outcome"] == "created"' 'd["added"] == 2'
	k -j apply bl "$scratch/list" --diff
	json_has 'd["added"] == 1' 'd["removed"] == 1' 'd["unchanged"] == 1'
}

test_configured() { # apply and down of a configuration
	configured
	k -j apply --config "$scratch/etc" --dry-run
	status_is 1
	json_has 'set(d) == {"changed", "failed", "errors", "waiting"}' 'd["changed"] is True'
	k -j apply --config "$scratch/etc"
	status_is 1
	json_has 'd["changed"] is True' 'd["failed"] == 1' 'd["errors"] == 0' 'd["waiting"] == 1'
	k -j down
	status_is 0
	json_has 'd == {"changed": True}'
	k -j down
	json_has 'd == {"changed": False}'
}

test_status() { # lists, filters and rules of a configuration
	configured
	k -j status --config "$scratch/etc"
	status_is 1
	json_has 'set(d) == {"lists", "filters", "rules", "last_apply", "unconfirmed", "in_sync"}' \
		'd["unconfirmed"] is None' 'd["in_sync"] is False' \
		'd["lists"] == [{"name": "far", "state": "missing", "members": 0, "age": -1}]' \
		'd["filters"] == d["rules"] == []'
	kcuckoo -q apply --config "$scratch/etc" 2>/dev/null
	k create by-hand
	k -j status --config "$scratch/etc"
	status_is 1
	json_has 'd["in_sync"] is True' 'd["last_apply"]["success"] is False' \
		'd["last_apply"]["time"] > 10 ** 9' \
		'{"name": "bad", "members": 2, "managed": True} in d["filters"]' \
		'{"name": "by-hand", "members": 0, "managed": False} in d["filters"]' \
		'len(d["rules"]) == 1' 'd["rules"][0]["label"] == "wan"' 'd["rules"][0]["dev_waiting"]'
	kcuckoo -q down
}

test_fetch() { # what became of each list, and a list that is accepted
	local digest

	configured
	k -j fetch far --config "$scratch/etc"
	status_is 1
	json_has 'len(d) == 1' 'd[0]["name"] == "far"' 'd[0]["outcome"] == "failed"' \
		'len(d[0]["reason"]) > 9' 'set(d[0]) == {"name", "outcome", "reason"}'
	digest=$(printf '192.0.2.1\n' | sha256sum | cut -d ' ' -f 1)
	printf '# kcuckoo-list 1 far members 1 bytes 10 sha256 %s refused fewer\n192.0.2.1\n' \
		"$digest" >"$scratch/state/lists/far.refused"
	k -j accept far --config "$scratch/etc"
	status_is 0
	out_is ''
	k -j status --config "$scratch/etc"
	json_has 'd["lists"][0]["state"] == "ok"' 'd["lists"][0]["members"] == 1' \
		'0 <= d["lists"][0]["age"] < 600'
}

test_feeds() { # the catalogue
	local feeds

	feeds=$(cat ../../../userspace/feeds/*.conf | grep -c '^\[feed ')
	[ "$feeds" -gt 0 ] || complain 'there are no files of the catalogue'
	k -j feeds
	status_is 0
	json_has "len(d) == $feeds" 'all(set(f) == {"name", "about", "licence", "urls", "refresh", "min"}
		for f in d)' 'all(f["urls"] and f["refresh"] >= 3600 for f in d)'
}

test_error() { # an error prints no document
	k -j info nope
	refused "no filter 'nope'"
	k -j create 'a b'
	refused 'not a valid filter name'
	k create bl
	k -j add bl bad
	refused "key 'bad'"
}

test_memory() { # each lack of memory is an error: a printed document has all its keys
	local all at verb step=${KCUCKOO_SOAK:+1}

	k create bl value 8 timeout 0
	k add bl 192.0.2.0/24 --value 7
	status_is 0
	k attach bl hook input family ipv4 match dst action count
	status_is 0
	printf '192.0.2.1\n' >"$scratch/list"
	for verb in 'list bl' 'list' 'info bl' 'rules' 'test bl 192.0.2.1' formats \
		"formats $scratch/list"; do
		# shellcheck disable=SC2086 # words
		k -j $verb
		status_is 0
		all=$out
		for ((at = 1; at < 1000; at += ${step:-5})); do
			# shellcheck disable=SC2086
			SHORT_AT=$at SHORT_SEEN=$scratch/seen LD_PRELOAD=$PWD/short.so k -j $verb
			[ -e "$scratch/seen" ] || break
			rm "$scratch/seen"
			[ "$status" = 2 ] || [ "$status$out" = "0$all" ] ||
				complain "$last: call $at of malloc() failed: status $status, printed $out"
		done
		if [ $at -le 5 ] || [ $at -ge 1000 ]; then
			complain "$last: $at calls"
		fi
	done
}

main "$0"
