#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Metrics for Prometheus: stats --prometheus, and the alerts for them. exposition.py checks
# the format in any case; where promtool is installed, it checks the format and the alerts, too.

# shellcheck source=selftests/tools/cli/harness.sh
. "$(dirname "$0")/harness.sh"

here=$(cd "$(dirname "$0")" && pwd)
export KCUCKOO_STATE=$scratch/state KCUCKOO_RUN=$scratch/run KCUCKOO_CACHE=$scratch/cache
etc=$scratch/etc

# The options with which metrics() calls the command, before the verb.
at=()

# metrics ARGUMENT...: the values are in $out
metrics() {
	k "${at[@]}" stats --prometheus "$@"
	status_is 0
	err_is_empty
	if command -v promtool >/dev/null; then
		promtool check metrics <"$scratch/out" >"$scratch/promtool" 2>&1 ||
			complain "promtool: $(<"$scratch/promtool")"
	else
		echo "# promtool is not installed: exposition.py alone has checked the format"
	fi
	out=$("$here/exposition.py" <"$scratch/out" 2>&1) || complain "format: $out"
}

has() {
	local line

	for line; do
		grep -qxF "kcuckoo_$line" <<<"$out" || complain "no $line in: $out"
	done
}

has_not() {
	! grep -q "$1" <<<"$out" || complain "$1 in: $out"
}

test_empty() { # without filters, rules and a configuration: totals and limits
	metrics
	has 'filters{} 0' 'rules{} 0'
	grep -q '^kcuckoo_memory_limit_bytes{} [1-9]' <<<"$out" || complain "no limit: $out"
	grep -qE '^kcuckoo_build_info\{module=[0-9.]+,version=[0-9.]+\} 1$' <<<"$out" ||
		complain "no versions: $out"
	has_not 'kcuckoo_list_\|kcuckoo_config_\|kcuckoo_rule_\|kcuckoo_filter_'
}

test_empty_folder() { # an empty folder, as packages create it, is no configuration
	mkdir "$scratch/upper" "$scratch/work"
	mount -t overlay -o "lowerdir=/etc,upperdir=$scratch/upper,workdir=$scratch/work" none /etc ||
		complain 'mount'
	mkdir -p /etc/kcuckoo
	metrics
	has_not config_in_sync
	echo '# nothing' >/etc/kcuckoo/a.conf
	metrics
	has 'config_in_sync{} 1'
	k apply
	rm /etc/kcuckoo/a.conf
	# One that was applied and has gone is reported.
	k stats --prometheus
	grep -qx 'kcuckoo_config_in_sync 0' <<<"$out" || complain "printed: $out"
	umount -l /etc
	rm -rf "$KCUCKOO_STATE" "$KCUCKOO_RUN"
}

test_filters_and_rules() { # members, refusals, counters, and rules that wait
	k create bl capacity 3
	k create words type bytes bits 8 capacity 100
	k add bl 192.0.2.1 192.0.2.2 2001:db8::1
	k add words x
	k add bl 192.0.2.3
	k attach bl hook input action count
	k attach none
	ip link set lo up
	metrics
	has 'filters{} 2' 'rules{} 2' 'filters_waiting{} 1' \
		'filter_members{family=ipv4,filter=bl} 2' 'filter_members{family=ipv6,filter=bl} 1' \
		'filter_members{family=bytes,filter=words} 1' \
		'filter_refused_total{filter=bl,reason=add} 1' \
		'filter_refused_total{filter=bl,reason=packet_full} 0'
	has 'rule_active{action=count,dev=,family=both,filter=bl,hook=input,match=src,rule=,wait=} 1' \
		'rule_active{action=drop,dev=,family=both,filter=none,hook=prerouting,match=src,rule=,wait=} 0' \
		'rule_packets_total{action=count,dev=,family=both,filter=bl,hook=input,match=src,rule=,wait=} 0'
	has_not '192\.0\|2001:'
}

test_escapes() { # names of devices may have any character
	local name=$'d"\\0'

	ip link add "$name" type dummy
	k create bl
	k attach bl hook ingress dev "$name"
	k attach bl hook ingress dev "$name" --wait
	k attach bl hook ingress dev 'd*' --wait
	metrics
	# A backslash in the name of a device is doubled, as in all output; exposition.py
	# undoes the doubling of the format.
	has 'rule_active{action=drop,dev=d"\\0,family=both,filter=bl,hook=ingress,match=src,rule=,wait=} 1' \
		'rule_active{action=drop,dev=d"\\0,family=both,filter=bl,hook=ingress,match=src,rule=,wait=d*} 1'
	ip link del "$name"
}

test_configuration() { # whether it is applied; the state of its lists
	mkdir -p "$etc"
	cat >"$etc/a.conf" <<-END
		[list drop]
		url = https://example.org/drop.txt
		[filter bad]
		list = drop
		[filter bans]
		timeout = 1h
		[rule wan]
		filter = bans
	END
	metrics --config "$etc"
	has 'config_in_sync{} 0' 'list_entries{list=drop} 0' 'list_stale{list=drop} 1' \
		'list_last_success_timestamp_seconds{list=drop} 0'
	has_not 'example\|last_apply'
	# The list is missing: apply fails, but for the rest.
	k apply --config "$etc"
	metrics --config "$etc"
	has 'config_last_apply_success{} 0'
	mkdir -p "$KCUCKOO_STATE/lists" "$KCUCKOO_CACHE"
	printf 'attempt 5\ncomplete 4\nnot-before 0\nfailures 3\nwhy none\nbad 7\n' \
		>"$KCUCKOO_CACHE/drop.status"
	list drop 198.51.100.1 198.51.100.2
	k apply --config "$etc"
	status_is 0
	metrics --config "$etc"
	has 'config_in_sync{} 1' 'config_last_apply_success{} 1' 'list_entries{list=drop} 2' \
		'list_stale{list=drop} 0' 'list_bad_lines{list=drop} 7' \
		'list_fetch_failures_total{list=drop} 3' \
		'rule_active{action=drop,dev=,family=both,filter=bans,hook=prerouting,match=src,rule=wan,wait=} 1'
	grep -qE '^kcuckoo_config_last_apply_timestamp_seconds\{\} [0-9]{10}$' <<<"$out" ||
		complain "no time of apply: $out"
	has_not 'list_refused{'
	k -q detach bans
	metrics --config "$etc"
	has 'config_in_sync{} 0'
	# An older version wrote no bad lines.
	sed -i '/^bad/d' "$KCUCKOO_CACHE/drop.status"
	metrics --config "$etc"
	has 'list_bad_lines{list=drop} 0' 'list_fetch_failures_total{list=drop} 3'
}

# list NAME KEY...: the last good copy of a list, as fetch writes it
list() {
	local name=$1

	shift
	write_copy "$name" list '' "$@"
}

# write_copy NAME SUFFIX END KEY...: a copy of a list; END is the end of its first line
write_copy() {
	local name=$1 suffix=$2 end=$3 body=$scratch/body

	shift 3
	printf '%s\n' "$@" >"$body"
	{
		printf '# kcuckoo-list 1 %s members %d bytes %d sha256 %s%s\n' "$name" $# \
			"$(wc -c <"$body")" "$(sha256sum <"$body" | cut -d ' ' -f 1)" "$end"
		cat "$body"
	} >"$KCUCKOO_STATE/lists/$name.$suffix"
}

# has_refused REASON WORD: WORD stands for REASON, with which fetch refuses a copy
has_refused() {
	write_copy drop refused " refused $1" 198.51.100.1
	metrics --config "$etc"
	has "list_refused{list=drop,reason=$2} 1"
	[ "$(grep -c '^kcuckoo_list_refused{' <<<"$out")" = 1 ] || complain "refused: $out"
}

# apply_refused WORD: apply refuses the list mine, with the same reasons as fetch
apply_refused() {
	local reason

	k apply --config "$etc"
	status_is 1
	err_has 'list mine is refused: it '
	reason=${err#*list mine is refused: }
	has_refused "${reason%%$'\n'*}" "$1"
}

test_refused_lists() { # a word stands for each reason why a copy of a list is refused
	rm -rf "$KCUCKOO_STATE" "$KCUCKOO_RUN" "${etc:?}"
	mkdir -p "$etc" "$KCUCKOO_STATE/lists"
	cat >"$etc/a.conf" <<-END
		[list mine]
		file = $scratch/mine
		[list drop]
		url = https://example.org/drop.txt
		[filter bad]
		list = mine
		list = drop
	END
	list drop 198.51.100.1 198.51.100.2
	seq 16 79 | sed 's,$,.0.0.0/8,' >"$scratch/mine"
	apply_refused database
	# The limits for a list that shrinks or grows need a last good copy of it.
	seq 200 | sed 's,^,45.0.0.,' >"$scratch/mine"
	k apply --config "$etc"
	status_is 0
	echo 45.0.0.1 >"$scratch/mine"
	apply_refused shrink
	echo 45.0.0.0/9 >"$scratch/mine"
	apply_refused grow
	has_refused 'it has 390 members, fewer than min = 395' min
	has_refused 'it is cut off or damaged: it claims 4 entries and has 3' damaged
	has_refused 'its member 0.0.0.0/0 is too wide; wide = yes permits it' wide
	has_refused 'it smells' other
	rm "$KCUCKOO_STATE/lists/drop.refused"
	metrics --config "$etc"
	has_not 'list_refused{'
}

test_file() { # a file is replaced at once, readable for all; errors leave it
	k stats --prometheus "$scratch/k.prom"
	status_is 0
	out_is ''
	[ "$(stat -c %a "$scratch/k.prom")" = 644 ] || complain "the file is not readable"
	"$here/exposition.py" <"$scratch/k.prom" >/dev/null || complain "its format is wrong"
	k stats --prometheus "$scratch/none/k.prom"
	refused "cannot write $scratch/none/k.prom"
	k stats --prometheus "$scratch/"
	refused 'cannot write'
	k stats "$scratch/k.prom"
	refused 'belong to --prometheus'
	k -j stats --prometheus
	refused 'cannot be combined'
}

test_other_files() { # devices, pipes, links and folders are refused, and remain
	local file type

	mkdir "$scratch/other"
	mknod "$scratch/other/null" c 1 3
	mkfifo "$scratch/other/pipe"
	echo old >"$scratch/regular"
	ln -s ../regular "$scratch/other/link"
	ln -s /proc/self/fd/1 "$scratch/other/stdout"
	ln -s nowhere "$scratch/other/dangling"
	mkdir "$scratch/other/folder"
	for file in "$scratch/other"/*; do
		type=$(stat -c %F "$file")
		k stats --prometheus "$file"
		refused "cannot write $file: it exists, and is not a regular file" \
			'write to standard output: kcuckoo stats --prometheus > FILE'
		[ "$(stat -c %F "$file")" = "$type" ] || complain "$file was a $type"
	done
	[ "$(ls -A "$scratch/other")" = "$(printf '%s\n' dangling folder link null pipe stdout)" ] ||
		complain "files: $(ls -A "$scratch/other")"
	[ "$(<"$scratch/regular")" = old ] || complain "the file of the link has changed"
	type=$(readlink /dev/stdout)
	k stats --prometheus /dev/stdout
	refused 'cannot write /dev/stdout' 'standard output: kcuckoo stats'
	[ "$(readlink /dev/stdout)" = "$type" ] || ln -sf "$type" /dev/stdout
	# A regular file is replaced. If that fails, no temporary file remains.
	mount --bind "$scratch/regular" "$scratch/regular"
	k stats --prometheus "$scratch/regular"
	refused "cannot write $scratch/regular: Device or resource busy"
	[ ! -e "$scratch/.regular.tmp" ] || complain 'a temporary file remains'
	umount "$scratch/regular"
	k stats --prometheus "$scratch/regular"
	status_is 0
	grep -q '^kcuckoo_filters 0$' "$scratch/regular" || complain "$(<"$scratch/regular")"
}

test_namespace() { # with -n each value has the label netns: files of two namespaces differ
	local name

	rm -rf "$KCUCKOO_STATE" "$KCUCKOO_RUN"
	ip netns add prom-n
	for name in '' prom-n; do
		k ${name:+-n "$name"} create bl
		k ${name:+-n "$name"} attach bl
		k ${name:+-n "$name"} stats --prometheus
		cp "$scratch/out" "$scratch/metrics.$name"
	done
	! sed 's/ [0-9]*$//' "$scratch/metrics." "$scratch/metrics.prom-n" | grep -v '^#' | sort |
		uniq -d | grep . || complain 'two namespaces have the same series'
	at=(-n prom-n)
	metrics
	has 'filters{netns=prom-n} 1' 'filter_members{family=ipv4,filter=bl,netns=prom-n} 0' \
		'rule_active{action=drop,dev=,family=both,filter=bl,hook=prerouting,match=src,netns=prom-n,rule=,wait=} 1'
	! grep -v netns=prom-n <<<"$out" || complain 'without the namespace'
	at=(-n /run/netns/prom-n)
	metrics
	has 'filters{netns=/run/netns/prom-n} 1'
	at=()
	metrics
	has_not netns
	k -n prom-n detach --all
	ip netns del prom-n
}

test_alerts() { # each alert fires for its series, and not for others
	local rules

	if ! command -v promtool >/dev/null; then
		echo "# promtool is not installed: 'make test-daemons' checks the alerts"
		return
	fi
	cp "$here/../../../userspace/packaging/prometheus/kcuckoo.rules.yml" "$here/alerts.yml" \
		"$scratch"
	rules=$(cd "$scratch" && promtool check rules kcuckoo.rules.yml 2>&1 &&
		promtool test rules alerts.yml 2>&1) || complain "$rules"
}

main "$0"
