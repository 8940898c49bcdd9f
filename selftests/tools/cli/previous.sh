#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The command with the module of the previous release, KCUCKOO_PREVIOUS: each verb works, or
# says in a sentence that the module is too old, and changes nothing. 'make test-previous'
# builds this module and runs this program.

# shellcheck source=selftests/tools/cli/harness.sh
. "$(dirname "$0")/harness.sh"

: >"$scratch/nothing"
mount --bind "$scratch/nothing" /etc/resolv.conf
trap 'umount /etc/resolv.conf; rm -rf "$scratch"' EXIT
export KCUCKOO_STATE=$scratch/state KCUCKOO_RUN=$scratch/run
etc=$scratch/etc

# too_old WORDS...: the last run was refused for the module, and changed nothing
too_old() {
	refused "$@"
	[[ $err == *module* ]] || complain "$last: no word of the module: $err"
	[ "$(kcuckoo -j list; kcuckoo -j rules)" = "$before" ] || complain "$last: changed something"
}

works() {
	k "$@"
	status_is 0
}

note() {
	before=$(kcuckoo -j list; kcuckoo -j rules)
}

test_loaded() { # the module of the previous release, which doctor reports
	[ "$(</sys/module/kcuckoo/version)" = "${previous:?}" ] ||
		complain "version $(</sys/module/kcuckoo/version)"
	k doctor --config "$scratch"
	status_is 1
	[[ $out == *"the loaded module is of version $previous"* ]] || complain "doctor: $out"
	k stats
	status_is 0
	[[ $out == *"module   $previous"* ]] || complain "stats: $out"
}

test_members() { # verbs that change and show members
	printf '192.0.2.0/24\n198.51.100.1\n2001:db8::/32\n' >"$scratch/list"
	works create bl value 8 timeout 1h
	works load bl "$scratch/list"
	works add bl 203.0.113.7 --value 3 --timeout 90
	works update bl 203.0.113.7 --value 4
	works test bl 192.0.2.1
	works del bl 203.0.113.7
	works list bl
	[ "$(wc -l <<<"$out")" = 3 ] || complain "members: $out"
	works info bl
	works -j info bl
	works reserve bl 1000
	works compact bl
	works flush bl
	works create urls type bytes capacity 1k fpr 0.1%
	works add urls http://example.com/
	works test urls http://example.com/
	works list
	out_is $'bl\nurls'
}

test_filters() { # verbs of whole filters and of two, and snapshots
	works create bl
	works create b2
	works add bl 192.0.2.1 192.0.2.2
	works add b2 192.0.2.2
	k compare bl b2
	status_is 1
	works swap bl b2
	works merge bl b2
	works intersect bl b2
	works rename b2 b3
	works save bl "$scratch/bl.kcf"
	works restore "$scratch/bl.kcf" as b4
	works restore "$scratch/bl.kcf" --replace
	works destroy b4
	works list bl
	out_is $'192.0.2.1\n192.0.2.2'
}

test_rules() { # rules of hooks that the module has
	local hook

	works create bl
	ip link add kc0 type dummy
	for hook in prerouting input forward output; do
		works attach bl hook $hook action count
	done
	works attach bl hook ingress dev kc0
	works attach bl hook ingress dev kc0 --exist
	works -j rules
	[ "$(jq length <<<"$out")" = 5 ] || complain "rules: $out"
	works detach bl hook input
	note
	k attach bl hook ingress dev later --wait
	too_old 'device'
	k attach bl hook ingress dev 'kc*' --wait
	too_old 'device'
	works detach --all
	ip link del kc0
}

test_apply() { # what needs staged filters and labels
	printf '192.0.2.0/24\n198.51.100.1\n' >"$scratch/list"
	works create bl
	works add bl 203.0.113.7
	note
	k apply bl "$scratch/list"
	too_old
	k list bl
	out_is 203.0.113.7
	k apply new "$scratch/list"
	too_old
	mkdir "$etc"
	printf '[filter bad]\nlist = %s\n[rule wan]\nfilter = bad\n' "$scratch/list" >"$etc/a.conf"
	k apply --config "$etc"
	too_old 'a configuration'
	k apply --check --config "$etc"
	status_is 0
	k status --config "$etc"
	[ "$status" = 1 ] || complain "status: $status $out $err"
	k doctor --config "$etc"
	status_is 1
	k down
	[ "$status" != 0 ] || err_is_empty
	[ "$(kcuckoo -j list; kcuckoo -j rules)" = "$before" ] || complain "down changed something"
}

test_confirm() { # a change that is undone
	works create bl
	works confirm within 2m bl
	works add bl 192.0.2.1
	works confirm undo
	works list bl
}

previous=
if [ -n "${KCUCKOO_PREVIOUS:-}" ]; then
	previous=$(modinfo -F version "$KCUCKOO_PREVIOUS")
	[ ! -d /sys/module/xt_kcuckoo ] || unloads xt_kcuckoo
	unloads kcuckoo
	insmod "$KCUCKOO_PREVIOUS" || exit
fi
main "$0"
