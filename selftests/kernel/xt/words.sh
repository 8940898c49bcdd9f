#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The words of the match and the target: what is refused, printed and saved.

# shellcheck source=selftests/kernel/xt/packets.sh
. ./packets.sh

# no WORDS RULE...: the rule is refused, and the error says these words
no() {
	local words=$1

	shift
	logged=$(dmesg | wc -l)
	r -A INPUT "$@"
	[ "$status" != 0 ] || complain "$last: was taken"
	[[ $err == *"$words"* ]] || complain "$last: did not say '$words' but: $err"
}

test_words() { # wrong and missing words are refused, each with what is missing
	local name

	tool=iptables-nft
	no 'needs --match-filter NAME src|dst' -m kcuckoo
	no "needs 'src' or 'dst' after it" -m kcuckoo --match-filter bl
	no "needs 'src' or 'dst' after it" -m kcuckoo --match-filter bl -j DROP
	no "'scr' is neither 'src' nor 'dst'" -m kcuckoo --match-filter bl scr
	no 'given twice' -m kcuckoo --match-filter bl src --match-filter bl dst
	for name in 'b/l' 'ä' '' 0123456789012345678901234567890x; do
		no "'$name' is not a valid filter name" -m kcuckoo --match-filter "$name" src
	done
	no 'needs --add NAME src|dst or --del' -j KCUCKOO
	no 'one --add or one --del' -j KCUCKOO --add bl src --del bl src
	no "needs 'src' or 'dst' after it" -j KCUCKOO --add bl --timeout 3
	no "--timeout '10q': a time is" -j KCUCKOO --add bl src --timeout 10q
	no "--timeout '315360001': a time is at most ten years" \
		-j KCUCKOO --add bl src --timeout 315360001
	no "--timeout '-5': a time is not negative" -j KCUCKOO --add bl src --timeout -5
	no "--limit: '0' is not a number" -j KCUCKOO --add bl src --limit 0
	no 'are for --add' -j KCUCKOO --del bl src --timeout 3
	no 'are for --add' -j KCUCKOO --del bl src --limit 3
}

# told WORDS: the kernel's log tells why, since the last rule
told() {
	dmesg | tail -n "+$((logged + 1))" | grep -qF -- "$1" || complain "$last: the log has no '$1'"
}

# warned WORDS RULE...: the rule is taken, and the tool and the log tell what is wrong
warned() {
	logged=$(dmesg | wc -l)
	rule "${@:2}"
	[[ $err == *"Warning: packets cannot add to the filter $1"* ]] ||
		complain "$last: it said '$err'"
	told "xt_kcuckoo: packets cannot add to the filter $1"
}

test_filters() { # of a filter that packets may not add to the tool and the log warn
	tool=iptables-nft
	k create bl
	warned "'bl': it is not an exact filter" -A INPUT -j KCUCKOO --add bl src
	k create words type bytes capacity 100 hash siphash
	warned "'words'" -A INPUT -j KCUCKOO --add words src
	k create plain hash siphash
	warned "'plain' with a timeout" -A INPUT -j KCUCKOO --add plain src --timeout 60
	rule -A INPUT -j KCUCKOO --add plain src --timeout 0
	[ -z "$err" ] || complain "$last: it said '$err'"
	rule -A INPUT -j KCUCKOO --del bl src
	[ -z "$err" ] || complain "$last: it said '$err'"
	flush
}

rules='-A INPUT -m kcuckoo --match-filter bl src -j DROP
-A INPUT -m kcuckoo ! --match-filter a.long_name:of-31-letters.12345 dst
-A INPUT -j KCUCKOO --add bl src
-A INPUT -j KCUCKOO --add bl dst --timeout 0
-A INPUT -p tcp -m kcuckoo --match-filter bl dst -j KCUCKOO --add bl src --timeout 3600 --limit 20
-A INPUT -j KCUCKOO --del bl src'

# rules_are_kept: what was restored is saved again
rules_are_kept() {
	"$tool-restore" <"$scratch/rules" || complain "$tool-restore failed"
	"$tool-save" >"$scratch/saved" 2>"$scratch/err"
	[ "$(grep '^-A' "$scratch/saved")" = "$rules" ] ||
		complain "$tool-save: $(grep '^-A' "$scratch/saved")"
}

check_save() {
	k create bl hash siphash timeout 1h
	printf '*filter\n%s\nCOMMIT\n' "$rules" >"$scratch/rules"
	rules_are_kept
	mv "$scratch/saved" "$scratch/rules"
	rules_are_kept
	r -L -n
	[[ $out == *'match-filter bl src'* &&
		$out == *'KCUCKOO add bl src timeout 3600 limit 20'* ]] ||
		complain "$tool -L: $out"
	rule -D INPUT -p tcp -m kcuckoo --match-filter bl dst \
		-j KCUCKOO --add bl src --timeout 3600 --limit 20
}

test_save() { # what is saved is what was said, and can be restored
	each check_save "${tools[@]}"
}

test_help() { # both explain themselves
	tool=iptables-nft
	r -m kcuckoo --help
	[[ $out == *'--match-filter NAME src|dst'* ]] || complain "no help of the match"
	r -j KCUCKOO --help
	[[ $out == *'--add NAME src|dst'* && $out == *'--limit N'* ]] ||
		complain "no help of the target"
}

main "$0"
