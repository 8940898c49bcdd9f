# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
#
# What the tests of the verb import share: they source this file after harness.sh.

export KCUCKOO_STATE=$scratch/state KCUCKOO_RUN=$scratch/run
folder=$scratch/folder
# The name servers of the host that runs the machine are none of ours.
: >"$scratch/nothing"
mount --bind "$scratch/nothing" /etc/resolv.conf
trap 'clean; umount /etc/resolv.conf; rm -rf "$scratch"' EXIT

clean() {
	iptables -F 2>/dev/null
	ip6tables -F 2>/dev/null
	ipset destroy 2>/dev/null
	nft flush ruleset 2>/dev/null
}

begin() {
	clean
	kcuckoo -q down
	rm -rf "$KCUCKOO_STATE" "$KCUCKOO_RUN" "$folder"
	mkdir "$folder"
}

# import OPTION...: and the configuration is accepted and applied.
import() {
	k import "$@" --to "$folder"
	status_is 0
	k apply --check --config "$folder"
	status_is 0
	k -q apply --config "$folder" --keep-own
	status_is 0
}

# same WHAT FILE FILE: both have the same lines.
same() {
	cmp -s "$2" "$3" && return
	complain "$1 differ"
	diff "$2" "$3" | head -n 10 | indent
}

# rule_is FILTER HOOK MATCH: a rule of the module.
rule_is() {
	k -j rules
	[[ $out =~ \"filter\":\ \"$1\",\ \"hook\":\ \"$2\",\ \"family\":\ \"both\",\ \"match\":\ \"$3\",\ \"action\":\ \"drop\" ]] ||
		complain "no rule $*: $out"
}

rules_are() { # COUNT
	k -j rules
	[ "$(grep -c '"filter"' <<<"$out")" = "$1" ] || complain "not $1 rules: $out"
}
