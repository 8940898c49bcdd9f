#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Verbs, options and words of the command line; what is refused, and how.

# shellcheck source=selftests/tools/cli/harness.sh
. "$(dirname "$0")/harness.sh"

test_nothing() { # no verb is an error that shows the usage
	k
	refused usage: create 'kcuckoo help'
}

test_help() { # help and the version go to standard output
	local verb option

	k help
	status_is 0
	err_is_empty
	for verb in create load apply add del update test list info attach detach \
			rules flush compact swap merge intersect compare save \
			restore rename destroy stats formats down status explain import; do
		[[ $out == *"  $verb"* ]] || complain "help does not list $verb"
	done
	for option in '-j, --json' '-q, --quiet' '-v, --verbose' '-n, --netns NETNS' \
			'-h, --help' '-V, --version'; do
		[[ $out == *"  $option  "* ]] || complain "help does not list $option"
	done
	k --help
	status_is 0
	k help load
	status_is 0
	[[ $out == *--strict* ]] || complain "help load: $out"
	k load --help
	status_is 0
	k help help
	status_is 0
	[[ $out == *"  create"* ]] || complain "help help: $out"
	k help add load
	refused "'help' does not take 'load'"
	k --version
	status_is 0
	[[ $out == "kcuckoo "* ]] || complain "--version: $out"
}

test_unknown_verb() { # an unknown verb is refused, a near one suggested
	k lost
	refused "there is no verb 'lost'" "did you mean 'list'"
	k frobnicate
	refused "there is no verb 'frobnicate'" 'kcuckoo help'
	k crate bl
	refused "did you mean 'create'"
}

test_options() { # options of a verb stand anywhere, -- ends them
	printf '192.0.2.1\n' >"$scratch/list"
	k create bl
	k add -f "$scratch/list" bl
	status_is 0
	k add bl --strict 192.0.2.2
	status_is 0
	k add --strict bl 192.0.2.3
	status_is 0
	k add --strict -- bl 192.0.2.4
	status_is 0
	k add bl -- --strict
	refused "key '--strict'"
	k add bl -f
	refused '-f needs a file'
	k add bl --timeout
	refused '--timeout needs'
	k info bl --strict
	refused "'info' has no option --strict"
	k add bl --nonsense
	refused "unknown option '--nonsense'"
	k add bl -x
	refused "unknown option '-x'"
	members_are 192.0.2.1 192.0.2.2 192.0.2.3 192.0.2.4
}

test_file_options() { # what says how files are read needs a file
	local option verb

	printf '192.0.2.1\n' >"$scratch/list"
	k create bl
	k create bytes type bytes capacity 100 bits 32
	for verb in add del update test; do
		for option in '--member x' '--json-key x' '--format row' '--column 1' --ranges \
				--allow-empty --binary; do
			[[ $verb:$option != @(test:--ranges|[!a]*:--allow-empty) ]] || continue
			# shellcheck disable=SC2086
			k $verb bl 192.0.2.1 $option
			refused "${option%% *} needs a file of keys" '-f FILE'
		done
	done
	members_are
	k add bl 192.0.2.2 --format row -f "$scratch/list"
	status_is 0
	members_are 192.0.2.1 192.0.2.2
	k add bl --format hostport 192.0.2.3:80 -f "$scratch/list"
	refused 'a port follows the address'
	err_has_not '--format hostport'
	k add bl --ranges --format row -f "$scratch/list"
	refused 'cannot be combined'
	# The lines and the word are byte strings.
	k add bytes zz --binary -f "$scratch/list"
	err_has '2 added'
	k test bytes zz --binary -f "$scratch/list"
	status_is 0
	out_is $'1 zz\n1 192.0.2.1'
}

test_posixly_correct() { # the environment does not make keys of options
	k create bl
	export POSIXLY_CORRECT=1
	k add bl 192.0.2.1 --strict
	status_is 0
	k add bl 192.0.2.1 --strict
	refused 'already a member'
	unset POSIXLY_CORRECT
}

test_global_options() { # global options stand before the verb only
	k create bl
	k -j -q -v info bl
	status_is 0
	k -jq info bl
	status_is 0
	k --json --quiet info bl
	status_is 0
	k info -j bl
	refused '-j belongs before the verb'
	k info bl -n x
	refused '-n belongs before the verb'
	k -z info bl
	refused "unknown option '-z'"
	k -n
	refused '-n needs a network namespace'
}

test_no_value() { # options that take none are not called unknown
	k --json=x list
	refused "option '--json' takes no value"
	k --netns=/proc/self/ns/net --version=2
	refused "option '--version' takes no value"
	k list --help=x
	refused "option '--help' takes no value" 'kcuckoo help list'
	k add bl --strict=yes 192.0.2.1
	refused "option '--strict' takes no value"
	k list --json=x
	refused "option '--json' takes no value"
	k --nonsense=x list
	refused "unknown option '--nonsense=x'"
}

test_ambiguous() { # the beginning of several options is not called unknown
	k create bl
	k add bl --v=1 192.0.2.1
	refused "option '--v=1' is ambiguous" 'kcuckoo help add'
	k add bl --val=1 192.0.2.1
	refused 'have no values'
	k --ver list
	refused "option '--ver' is ambiguous"
	k --q list
	status_is 0
	k add bl -- --v
	refused "key '--v'"
}

test_word_count() { # too few and too many words are refused
	local words

	k create bl
	for words in create 'apply bl' add 'add bl' del 'del bl' 'test' 'test bl' load \
			'load bl' info attach detach flush swap 'swap bl' rename \
			'rename bl' destroy; do
		# shellcheck disable=SC2086 # words, split
		k $words
		status_is 2
		out_is ''
	done
	for words in 'list bl more' 'info bl more' 'stats more less' \
			'flush bl more' 'destroy bl more' 'swap bl b c'; do
		# shellcheck disable=SC2086 # words, split
		k $words
		refused "does not take"
	done
	k list
	out_is bl
}

test_names() { # names that no filter may have are refused with the rule
	local name

	for name in '' 'a b' a/b 'ä' "$(printf 'a%.0s' {1..32})"; do
		k create "$name"
		refused 'is not a valid filter name' '1 to 31'
		k info "$name"
		status_is 2
		# Where the kernel's EINVAL has another meaning, too.
		k swap bl "$name"
		refused 'is not a valid filter name'
		k swap "$name" bl
		refused 'is not a valid filter name'
		k detach "$name"
		refused 'is not a valid filter name'
		k detach "$name" hook ingress dev eth0
		refused 'is not a valid filter name'
		k detach "$name" hook xdp dev eth0
		refused 'is not a valid filter name'
	done
	for name in a A_z.0:9- "$(printf 'a%.0s' {1..31})"; do
		k create "$name"
		status_is 0
		k info "$name"
		status_is 0
	done
}

test_create() { # says what it chose, refuses what is there
	k create bl
	status_is 0
	out_is ''
	err_has 'created bl' 'no limit'
	k create bl
	refused "there is a filter 'bl' already"
	k -q create quiet
	status_is 0
	err_is_empty
	k create c8 bucket 8 type inet hash jhash capacity 1000
	status_is 0
	err_has '1000 members' '8 entries per bucket'
	k create bl2 bucket 3
	refused '1, 2, 4 or 8'
	k create bl2 capacity 5 capacity 6
	refused "'capacity' was given twice"
	k create bl2 capacity
	refused "'capacity' needs a value"
	k create bl2 capcity 5
	refused "did you mean 'capacity'"
}

test_exist() { # create --exist is quiet about what it asks for, and names all that differs
	local asked

	k --quiet create --exist bl
	status_is 0
	for asked in '' 'type inet' 'type inet hash jhash bucket 4 steps 1024'; do
		# shellcheck disable=SC2086 # several words
		k create bl $asked --exist
		status_is 0
		out_is ''
		err_is_empty
	done
	k -j create --exist bl
	status_is 0
	[[ $out == *'"name": "bl"'* ]] || complain "as JSON: $out"
	k create bl hash siphash capacity 5 value 8 timeout 1h bits 9 insert-only --exist
	refused "'bl' exists with other parameters" 'capacity: requested 5, is 17179869184' \
		'bits: requested 9, is exact' 'insert-only: requested yes, is no' \
		'hash: requested siphash, is jhash' 'value: requested 8, is 0' \
		'timeout: requested 3600, is none' 'kcuckoo info bl'
	err_has_not 'type:'
	err_has_not 'fpr:'
	k create bl timeout 0 --exist
	refused 'timeout: requested 0, is none'
	k create bl like missing --exist
	refused "no filter 'missing'"
	k create bl --exist capacity
	refused "'capacity' needs a value"
	k add bl 192.0.2.1
	k create bl --exist
	members_are 192.0.2.1
}

test_exist_kinds() { # what decides which keys are found counts though it is not named
	local asked

	k -q create b type bytes capacity 1000 insert-only
	k create b --exist
	refused 'type: requested inet, is bytes'
	k create b type bytes capacity 1000 --exist
	status_is 0
	k create b type bytes capacity 1001 fpr 0.001 --exist
	refused 'capacity: requested 1001, is 1000' 'fpr: requested 0.001, is none' \
		'bits: requested by fpr, is 16'
	k -q create f fpr 0.001
	k create f --exist
	refused 'fpr: requested none, is 0.001'
	k create f fpr 0.001 --exist
	status_is 0
	k -q create t timeout 1h value 8 capacity 9
	k create t --exist
	refused 'timeout: requested none, is 3600'
	err_has_not value
	for asked in 'timeout 3600' 'timeout 1h value 8' 'capacity 9 timeout 60m'; do
		# shellcheck disable=SC2086 # several words
		k create t $asked --exist
		status_is 0
		err_is_empty
	done
	k -q create u timeout 0
	k create u --exist
	status_is 0
	k create u timeout never --exist
	status_is 0
	k -q create v like t
	k create v like t --exist
	status_is 0
	err_is_empty
	k create v like u --exist
	refused 'capacity: requested 17179869184, is 9' 'value: requested 0, is 8' \
		'timeout: requested 0, is 3600'
}

test_exist_large() { # a filter of which there cannot be two is found, and not made again
	local limit

	limit=$(kcuckoo -j stats | sed -n 's/.*"max_bytes": \([0-9]*\).*/\1/p')
	# 16 bits for each member: more than half of all that there may be.
	k -q create large type bytes capacity $((limit / 4)) bits 16
	status_is 0
	k create large2 type bytes capacity $((limit / 4)) bits 16
	status_is 2
	k create large type bytes capacity $((limit / 4)) bits 16 --exist
	status_is 0
	err_is_empty
}

test_exist_races() { # of many at once none fails, and there is one filter
	local jobs=()

	for _ in {1..12}; do
		kcuckoo -q create --exist bl &
		jobs+=($!)
		kcuckoo -q destroy --if-exists bl &
		jobs+=($!)
	done
	all_succeed "${jobs[@]}"
	k create --exist bl
	status_is 0
}

# fails NUMBER VERB...: the command, which cannot read the state of a filter from this time on
fails() {
	local number=$1

	shift
	LD_PRELOAD=$PWD/failing.so INFO_FAILS=$number k "$@"
	status_is 2
}

test_unread() { # a filter whose state cannot be read has not failed, and is not missing
	fails 1 create bl
	err_has "'bl' was created, but its state cannot be read: the kernel does not have enough memory"
	fails 2 create more --exist
	err_has "'more' was created, but its state cannot be read"
	fails 2 compact bl
	err_has "'bl' was compacted, but its state cannot be read"
	k list
	out_is $'bl\nmore'
	fails 1 detach bl
	err_has "cannot read the state of 'bl': the kernel does not have enough memory"
	k detach bl
	refused "'bl' has no such rule"
	k detach none
	refused "there is no filter 'none'"
	echo 192.0.2.1 >"$scratch/list"
	fails 1 apply bl "$scratch/list"
	err_has "'bl': the kernel does not have enough memory"
	k -q destroy more
}

test_exist_destroyed() { # create while another process destroys the new filter
	LD_PRELOAD=$PWD/destroyed.so k create bl
	refused "'bl' was created, but another process has destroyed it"
	LD_PRELOAD=$PWD/destroyed.so k create --exist bl
	status_is 0
	err_has 'created bl'
	k list
	[[ $out == bl* ]] || complain "list: $out"
}

test_if_exists() { # destroy --if-exists takes what is not there for destroyed
	k destroy bl
	refused "no filter 'bl'"
	k destroy bl --if-exists
	status_is 0
	out_is ''
	err_is_empty
	k -q create bl
	k destroy --if-exists bl
	status_is 0
	k list
	out_is ''
	k destroy 'no name' --if-exists
	refused 'is not a valid filter name'
	k -q create bl
	k -q attach bl
	k destroy bl --if-exists
	refused 'while rules use it'
	# A name that rules wait for has no filter.
	k -q detach bl
	k -q destroy bl
	k -q attach bl
	k destroy bl --if-exists
	status_is 0
}

test_times() { # every verb takes the times of others, and says what is none
	local time

	k create bl timeout -1
	status_is 0
	err_has 'keys expire only if added with a timeout'
	k -q create --exist bl timeout never
	status_is 0
	for time in 1y 3h59m57s 2629800.0 3h59m56.205431304s 250ms 12µs 1m2.3s; do
		k -q add bl 192.0.2.1 --timeout "$time"
		status_is 0
	done
	k list bl
	[[ $out =~ ^192.0.2.1\ timeout\ 3153[56][0-9]{3}[0-9]?$ ]] || complain "list: $out"
	for time in -1 never 0 0.0; do
		k -q flush bl
		k -q add bl 192.0.2.1 --timeout 5
		k -q add bl 192.0.2.1 --timeout "$time"
		members_are '192.0.2.1 timeout 0'
	done
	printf '192.0.2.2 timeout -1\n192.0.2.3 timeout 3h59m56.2s\n192.0.2.4 timeout -1s\n' \
		>"$scratch/list"
	k load bl "$scratch/list"
	status_is 0
	err_has 'list:3: a time is not negative'
	k list bl
	[[ $out =~ 192.0.2.2\ timeout\ 0$'\n'192.0.2.3\ timeout\ 1439[0-9]$ ]] ||
		complain "list: $out"
	k add bl 192.0.2.5 --timeout -1m2.3s
	refused "--timeout '-1m2.3s': a time is not negative"
	k add bl 192.0.2.5 --timeout 10y1s
	refused 'ten years'
	k create other timeout -5
	refused "timeout '-5': a time is not negative"
	k create other timeout soon
	refused "timeout 'soon'" 'never'
	# Options where no time is meant.
	k create other -1
	refused "unknown option '-1'"
	k create timeout --exist
	status_is 0
}

test_never() { # never is what keys do that cannot expire; with a time of the filter they say it
	k -q create bl
	k add bl 192.0.2.1 --timeout never
	status_is 0
	k add bl 192.0.2.2 --timeout 5
	refused '--timeout: the keys of' 'never expire'
	printf '192.0.2.3\n' >"$scratch/list"
	k load bl "$scratch/list" --timeout -1
	status_is 0
	members_are 192.0.2.1 192.0.2.3
	k -q destroy bl
	k -q create bl timeout 1h
	k -q add bl 192.0.2.1 --timeout never
	k -q load bl "$scratch/list" --timeout -1
	members_are '192.0.2.1 timeout 0' '192.0.2.3 timeout 0'
}

test_capacity() { # numbers with K, M and G; nothing else
	local pair value

	for pair in 1:1 64:64 2k:2000 3K:3000 5M:5000000 1G:1000000000 \
			17179869184:17179869184; do
		k -q create bl capacity "${pair%:*}"
		status_is 0
		k -j info bl
		[[ $out == *"\"capacity\": ${pair#*:},"* ]] ||
			complain "capacity ${pair%:*}: $out"
		k destroy bl
	done
	for value in 0 +1 x 1x 1T 1KB 1.5M ' 1' 17179869185 18G \
			99999999999999999999 9223372036854775808 ''; do
		k create bl capacity "$value"
		refused "capacity '$value'"
	done
	k create bl -- capacity -1
	refused "capacity '-1'"
	k list
	out_is ''
}

test_missing_filter() { # the name, what to do, a near name
	local verb

	k create blocklist
	for verb in info list flush compact destroy detach 'add' 'del' 'test' load \
			update save merge intersect compare; do
		case $verb in
		add | del | test) k "$verb" nope 192.0.2.1 ;;
		update) k update nope 192.0.2.1 --value 1 ;;
		save) k save nope - ;;
		merge | intersect | compare) k "$verb" nope nope ;;
		load) k load nope /dev/null ;;
		*) k "$verb" nope ;;
		esac
		status_is 2
		err_has "there is no filter 'nope'" 'kcuckoo list'
	done
	k info bloklist
	refused "did you mean 'blocklist'"
	k swap blocklist nope
	refused "no filter 'nope'"
	k swap nope blocklist
	refused "no filter 'nope'"
	k rename nope other
	refused "no filter 'nope'"
}

test_netns() { # -n works on that namespace alone
	ip netns add cli-a || complain 'no namespace'
	k -n cli-a create inside
	status_is 0
	k list
	out_is ''
	k -n cli-a list
	out_is inside
	k -n /run/netns/cli-a list
	out_is inside
	k -n nope list
	refused "no network namespace 'nope'"
	k -n /dev/null list
	refused /dev/null
	mknod /dev/nothing c 255 0
	k -n /dev/nothing list
	refused "cannot enter network namespace '/dev/nothing': No such device or address"
	rm /dev/nothing
	ip netns del cli-a
}

test_privilege() { # without CAP_NET_ADMIN: says so
	setpriv --reuid 65534 --clear-groups kcuckoo list \
		>"$scratch/out" 2>"$scratch/err"
	status=$?
	out=$(<"$scratch/out")
	err=$(<"$scratch/err")
	last='kcuckoo list without privileges'
	refused CAP_NET_ADMIN
	setpriv --bounding-set -net_admin --inh-caps -net_admin kcuckoo list \
		>"$scratch/out" 2>"$scratch/err"
	status=$?
	out=$(<"$scratch/out")
	err=$(<"$scratch/err")
	last='kcuckoo list without CAP_NET_ADMIN'
	refused CAP_NET_ADMIN
}

test_autoload() { # the module is loaded where it is not
	unloads kcuckoo
	k list
	status_is 0
	[ -d /sys/module/kcuckoo ] || complain "the module is not loaded"
	unloads kcuckoo
	# With a node that was there before the module, the kernel itself loads it.
	rm -f /dev/kcuckoo
	# Where nobody waits for processes, how modprobe ended is not told.
	kcuckoo() { env --ignore-signal=CHLD kcuckoo "$@"; }
	k list
	unset -f kcuckoo
	status_is 0
	err_is_empty
	unloads kcuckoo
	rm -f /dev/kcuckoo
	mount --bind /dev/null "$(readlink -f /sbin/modprobe)"
	k list
	umount "$(readlink -f /sbin/modprobe)"
	refused 'modprobe could not load it'
	modprobe kcuckoo
}

test_no_node() { # the module is loaded, and the device is not there
	k list
	mv /dev/kcuckoo /dev/kcuckoo.away
	k list
	refused '/dev/kcuckoo is missing though the module is loaded' 'container' mknod
	err_has_not modprobe
	# What it says helps.
	bash -c "$(grep -o 'mknod.*' <<<"$err")" ||
		complain "does not help: $err"
	k list
	status_is 0
	mv /dev/kcuckoo.away /dev/kcuckoo
}

test_full_disk() { # data that cannot be written is an error
	k create bl
	kcuckoo list >/dev/full 2>"$scratch/err"
	status=$?
	err=$(<"$scratch/err")
	last='kcuckoo list >/dev/full'
	status_is 2
	err_has 'standard output'
}

main "$0"
