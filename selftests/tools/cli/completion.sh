#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What bash offers behind the words of a line.

# shellcheck source=selftests/tools/cli/harness.sh
. "$(dirname "$0")/harness.sh"

# The part of bash-completion that ours is written for, which need not be installed.
_init_completion() {
	words=("${COMP_WORDS[@]}")
	cword=$((${#words[@]} - 1))
	cur=${words[cword]}
	prev=${words[cword - 1]}
}

_filedir() {
	COMPREPLY=(FILES)
}

__ltrim_colon_completions() {
	:
}

# shellcheck source=userspace/completion/kcuckoo
. "$(dirname "$0")/../../../userspace/completion/kcuckoo"

# offers LINE [WORD...]: at its end just these words, in any order. An equals sign is a
# word of its own for bash, even the last one, and behind a blank a new word begins. No process
# is started for the comparison, because that takes the machine longer than the completion.
offers() {
	local line=$1 word same=1
	local -A times=()

	shift
	read -ra COMP_WORDS <<<"${line//=/ = }"
	[[ $line != *\  ]] || COMP_WORDS+=('')
	COMPREPLY=()
	_kcuckoo
	for word; do
		times[.$word]=$((${times[.$word]:-0} + 1))
	done
	for word in "${COMPREPLY[@]}"; do
		[ "${times[.$word]:-0}" -gt 0 ] || same=0
		times[.$word]=$((${times[.$word]:-0} - 1))
	done
	[ "$same $#" = "1 ${#COMPREPLY[@]}" ] ||
		complain "'$line' offers '${COMPREPLY[*]}', not '$*'"
}

test_verbs() { # verbs, and verbs again behind help
	offers 'kcuckoo cr' create
	offers 'kcuckoo -j sw' swap
	offers 'kcuckoo --js' --json
	offers 'kcuckoo help he' help
	offers 'kcuckoo help in' info intersect
}

test_namespaces() { # each spelling of -n, and the filters of that namespace
	local option

	ip netns add cli-blue
	k create here
	k -n cli-blue create there
	for option in '-n ' '--netns ' '-n' '--netns=' '-jn ' '-jqn '; do
		[ "$option" = -n ] || offers "kcuckoo ${option}cli-b" cli-blue
		offers "kcuckoo ${option}cli-blue inf" info
		offers "kcuckoo ${option}cli-blue info " there
	done
	offers 'kcuckoo -j info ' here
	ip netns del cli-blue
}

test_options() { # neither an option nor its value is a word of the verb
	k create bl
	offers 'kcuckoo add ' bl
	offers 'kcuckoo add --value 5 ' bl
	offers 'kcuckoo add --value=5 ' bl
	offers 'kcuckoo add --value '
	offers 'kcuckoo add --value='
	offers 'kcuckoo add --strict --timeout 2h -f list ' bl
	offers 'kcuckoo update --old 1 --value 2 ' bl
	offers 'kcuckoo add -f ' FILES
	offers 'kcuckoo fetch --n' --now
	offers 'kcuckoo explain '
	offers 'kcuckoo explain 192.0.2.1 ' src dst dev
	offers 'kcuckoo explain --config ' FILES
	offers 'kcuckoo import --from-n' --from-nft
	offers 'kcuckoo import --from-ipset ' FILES
	offers 'kcuckoo import --to ' FILES
	offers 'kcuckoo accept --config ' FILES
	offers 'kcuckoo add bl '
	offers 'kcuckoo load --value 5 ' bl
	offers 'kcuckoo load bl --value 5 ' FILES
	offers 'kcuckoo load bl --format ' list hostport row csv dshield hosts ipfilter ipset p2p json mmdb
	offers 'kcuckoo load --format row bl ' FILES
	offers 'kcuckoo load --column 2 bl ' FILES
	offers 'kcuckoo formats ' FILES
	offers 'kcuckoo formats --c' --column
	offers 'kcuckoo load --f' --force --format
	offers 'kcuckoo apply --min 5 ' bl
	offers 'kcuckoo apply --confirm ' bl
	offers 'kcuckoo apply --confirm 5m ' bl
	offers 'kcuckoo apply --confirm=5m ' bl
	offers 'kcuckoo apply --confirm bl ' FILES
	offers 'kcuckoo apply bl ' FILES
	offers 'kcuckoo apply bl --exclude ' FILES
	offers 'kcuckoo apply --exclude x bl ' FILES
	offers 'kcuckoo apply --max' --max-shrink --max-grow
	offers 'kcuckoo load bl --member '
	offers 'kcuckoo load bl --member x ' FILES
	offers 'kcuckoo load bl --json-key '
	offers 'kcuckoo load --json-key x ' bl
	offers 'kcuckoo test bl --b' --binary
	offers 'kcuckoo detach --a' --all
	offers 'kcuckoo create --e' --exist
	offers 'kcuckoo attach bl --e' --exist
	offers 'kcuckoo attach bl --w' --wait
	offers 'kcuckoo detach bl l' label
	offers 'kcuckoo destroy --i' --if-exists
	offers 'kcuckoo detach ' bl
	offers 'kcuckoo detach --all '
	offers 'kcuckoo detach --all b'
}

test_fields() { # fields that are not there yet, and their words
	k create bl
	offers 'kcuckoo attach bl ' hook family match action log allow dev mode
	offers 'kcuckoo attach bl hook input ' family match action log allow dev mode
	offers 'kcuckoo attach bl log ' hook family match action group limit allow dev mode
	offers 'kcuckoo attach bl match ' src dst
	offers 'kcuckoo attach bl action ' drop count mark= mark=value
	offers 'kcuckoo attach bl action mark=' value
	offers 'kcuckoo attach bl action mark=v' value
	offers 'kcuckoo attach bl action mark=5'
	offers 'kcuckoo attach bl hook='
	offers 'kcuckoo attach bl allow ' bl
	offers 'kcuckoo create new type ' inet bytes
	offers 'kcuckoo create new like ' bl
	offers 'kcuckoo swap bl ' bl
	offers 'kcuckoo save bl ' FILES
	offers 'kcuckoo restore ' FILES
	offers 'kcuckoo restore file ' as
}

test_entries() { # names of devices and namespaces are no words of the shell
	# Words of the shell, though not of this script.
	# shellcheck disable=SC2016
	local name names=('$(>ran)' '`>ran`' '*' 'a;b' cli-a.b@1)

	k create bl
	mkdir "$scratch/here"
	cd "$scratch/here" || return
	printf 'link add %s type dummy\n' "${names[@]}" | ip -batch -
	printf 'netns add %s\n' "${names[@]}" | ip -batch -
	offers 'kcuckoo attach bl hook ingress dev c' cli-a.b@1
	offers 'kcuckoo attach bl hook ingress dev *'
	# shellcheck disable=SC2016
	offers 'kcuckoo attach bl hook ingress dev $'
	# shellcheck disable=SC2046
	offers 'kcuckoo attach bl hook ingress dev ' \
		$(find /sys/class/net -mindepth 1 -printf '%f\n' | grep -x '[A-Za-z0-9.@_-]*')
	offers 'kcuckoo -n cli-a.b@1 attach bl hook ingress dev '
	offers 'kcuckoo -n ' cli-a.b@1
	offers 'kcuckoo --netns=' cli-a.b@1
	[ ! -e ran ] || complain 'a name was run as a command'
	cd "$OLDPWD" || return
	printf 'link del %s\n' "${names[@]}" | ip -batch -
	printf 'netns del %s\n' "${names[@]}" | ip -batch -
}

main "$0"
