#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# crowdsec-bouncer, with a pretended crowdsec-custom-bouncer.

# shellcheck source=selftests/tools/daemons/daemons.sh
. "$(dirname "$0")/daemons.sh"

backend=$libexec/crowdsec-bouncer

# decision ACTION VALUE [DURATION [SCOPE [TYPE [MORE]]]]: a line as CrowdSec writes it.
decision() {
	local scope=Ip

	[[ $2 != */* ]] || scope=Range
	printf '{"duration":"%s","id":7,"origin":"cscli","scenario":"manual \\"ban\\"","scope":"%s",' \
		"${3:-3h59m56.205431304s}" "${4:-$scope}"
	printf '"type":"%s","value":"%s"%s,"action":"%s"}' "${5:-ban}" "$2" "${6:-}" "$1"
}

# decisions FIRST COUNT: decisions to ban so many addresses from this number on.
decisions() {
	awk -v first="$1" -v count="$2" 'BEGIN {
		for (i = first; i < first + count; i++)
			printf "{\"duration\":\"4h\",\"id\":%d,\"origin\":\"CAPI\",\"scenario\":\"crowdsecurity/ssh-bf\"," \
				"\"scope\":\"Ip\",\"type\":\"ban\",\"value\":\"198.%d.%d.%d\",\"action\":\"add\"}\n",
				i, 18 + i / 65536, i / 256 % 256, i % 256
	}'
}

# keys FIRST COUNT: the addresses of these decisions.
keys() {
	awk -v first="$1" -v count="$2" 'BEGIN {
		for (i = first; i < first + count; i++)
			printf "198.%d.%d.%d\n", 18 + i / 65536, i / 256 % 256, i % 256
	}'
}

fresh() {
	rm -rf /run/kcuckoo
	rm -f /etc/kcuckoo/*
}

# Members and their order, without timeouts.
listed() {
	kcuckoo list "$1" | sed 's/ timeout.*//'
}

test_bans() { # addresses and networks of both families are banned and unbanned
	fresh
	sender one "$backend"
	lines one "$(decision add 192.0.2.1)" "$(decision add 192.0.2.0/25)" \
		"$(decision add 2001:db8::1)" "$(decision add 2001:db8:1::/48)" \
		"$(decision add 203.0.113.9)" "$(decision del 203.0.113.9 -1m2.3s)"
	becomes crowdsec 192.0.2.0/25 192.0.2.1 2001:db8::1 2001:db8:1::/48
	k rules
	[[ $out == *"crowdsec "*prerouting*both*src*drop* ]] || complain "no rule: $out"
	lines one "$(decision del 192.0.2.1 -1m2.3s)" "$(decision del 2001:db8:1::/48 -5s)"
	becomes crowdsec 192.0.2.0/25 2001:db8::1
	dismiss one
	err_is_empty
	[ "$(<"$scratch/one.status")" = 0 ] || complain "exit status $(<"$scratch/one.status")"
	becomes crowdsec 192.0.2.0/25 2001:db8::1
}

test_other() { # what is no ban of an address, and bans that have ended, are no members
	fresh
	sender one "$backend"
	lines one "$(decision add 192.0.2.1 4h ip)" "$(decision add 192.0.2.2 4h IP)" \
		"$(decision add 198.51.100.0/24 4h rANGE)" \
		"$(decision add 192.0.2.3 4h Ip captcha)" "$(decision add DE 4h Country)" \
		"$(decision add 64500 4h AS)" \
		"$(decision add 192.0.2.4 4h Ip ban ',"simulated":true')" \
		"$(decision add 192.0.2.5 4h Ip ban ',"simulated":false,"until":"x","uuid":"y"')" \
		"$(decision add 192.0.2.6 -3s)" "$(decision add 192.0.2.7 0s)" \
		"$(decision del 192.0.2.1 -3s Ip captcha)" \
		"$(decision del 192.0.2.2 -3s Ip ban ',"simulated":true')"
	becomes crowdsec 192.0.2.1 192.0.2.2 192.0.2.5 198.51.100.0/24
	dismiss one
	err_is_empty
}

test_durations() { # durations as Go writes them
	fresh
	sender one "$backend"
	lines one "$(decision add 192.0.2.1 250ms)" "$(decision add 192.0.2.2 12µs)" \
		"$(decision add 192.0.2.3 3h59m56.205431304s)" "$(decision add 192.0.2.4 262800h0m0s)" \
		"$(decision add 192.0.2.5 59.5s)" "$(decision add 192.0.2.6 87600h0m0s)"
	sleep 2.5
	k list crowdsec
	[[ $out =~ ^192\.0\.2\.3\ timeout\ 143[0-9][0-9]$'\n'192\.0\.2\.4\ timeout\ 0$'\n'192\.0\.2\.5\ timeout\ [45][0-9]$'\n'192\.0\.2\.6\ timeout\ 3153[0-9]*$ ]] ||
		complain "timeouts: $out"
	dismiss one
	err_is_empty
}

test_bad() { # each bad line is reported with its number, and none ends the backend
	fresh
	sender one "$backend"
	lines one 'no JSON' '' "$(decision add 192.0.2.1)" '{"a":1' \
		"$(decision add 192.0.2.300)" "$(decision add '192.0.2.4 x')" "$(decision grow 192.0.2.5)" \
		"$(decision add 192.0.2.6 4hours)" "$(decision add 192.0.2.7)$(decision add 192.0.2.7)" \
		'{"action":"add","type":"ban","scope":"Ip","value":"192.0.2.8"}' \
		"$(decision add 192.0.2.9 4h Ip ban ',"value":"192.0.2.10"')" \
		"$(decision add 192.0.2.11 4h Ip ban ',"simulated":"no"')" \
		"$(decision add 2001:db8::2)"
	head -c 300000 /dev/zero | tr '\0' x >"$scratch/long"
	order one send "$scratch/long"
	lines one '' "$(decision add 192.0.2.12)" "$(printf 'a\001b')"
	printf '{"a' >"$scratch/long"
	order one send "$scratch/long"
	becomes crowdsec 192.0.2.1 192.0.2.12 2001:db8::2
	dismiss one
	err_has 'line 1: it is not valid JSON: no JSON' 'line 2: it is not a JSON object' \
		'line 4: it is not valid JSON: {"a":1' 'line 5: ' 'line 6: text follows the address' \
		'line 7: "action" is neither add nor del' 'line 8: "duration" is not a duration' \
		'line 9: text follows the object' 'line 10: it has no "duration"' \
		'line 11: a field occurs twice' '4 more bad lines were not reported'
	[ "$(wc -l <<<"$err")" = 11 ] || complain "$(wc -l <<<"$err") lines: $err"
}

test_settings() { # the filter is the one that bouncer.conf names
	fresh
	printf '[filter bans]\ntimeout = 0\n[rule bans]\nfilter = bans\n' >/etc/kcuckoo/bouncer.conf
	sender one "$backend"
	lines one "$(decision add 192.0.2.1)"
	# The configuration makes the filter and the rule.
	says one "the filter 'bans' does not exist"
	k list
	out_is ''
	k apply
	status_is 0
	becomes bans 192.0.2.1
	k rules
	[[ $out == *"bans "*prerouting*drop* && $out != *drop*drop* ]] || complain "rules: $out"
	dismiss one
	k down
}

test_bad_settings() { # errors in bouncer.conf are reported with file and line
	fresh
	printf '[filter a]\n[filter b]\n' >/etc/kcuckoo/bouncer.conf
	sender one "$backend"
	dismiss one
	err_has '/etc/kcuckoo/bouncer.conf:2: [filter b]: this file has a [filter] already'
	[ "$(<"$scratch/one.status")" = 1 ] || complain "exit status $(<"$scratch/one.status")"
	# Each error keeps the backend for some seconds, so that it is not started all the time.
	[ -n "${KCUCKOO_SOAK:-}" ] || return
	printf '[rule a]\nfilter = a\n' >/etc/kcuckoo/bouncer.conf
	sender one "$backend"
	dismiss one
	err_has '/etc/kcuckoo/bouncer.conf: it has no section [filter NAME]'
	fresh
	k create crowdsec type bytes capacity 100
	sender one "$backend"
	dismiss one
	err_has "the filter 'crowdsec' cannot be used: it has byte strings and no addresses"
}

test_same_sender() { # with the same sender a backend continues where the last one was
	fresh
	k create crowdsec timeout 0
	k add crowdsec 203.0.113.1 203.0.113.2 --timeout 0
	sender one "$backend"
	lines one "$(decision add 192.0.2.1)"
	becomes crowdsec 192.0.2.1 203.0.113.1 203.0.113.2
	# Killed before the first decisions were complete: what was named is not forgotten.
	order one kill
	order one start
	lines one "$(decision add 192.0.2.2)" "$(decision del 203.0.113.1)"
	becomes crowdsec 192.0.2.1 192.0.2.2 203.0.113.2
	becomes crowdsec 192.0.2.1 192.0.2.2
	says one '1 older members were removed'
	# From then on nothing is removed that is not named.
	order one kill
	k add crowdsec 203.0.113.3 --timeout 0
	order one start
	lines one "$(decision add 192.0.2.3)"
	becomes crowdsec 192.0.2.1 192.0.2.2 192.0.2.3 203.0.113.3
	sleep 6
	becomes crowdsec 192.0.2.1 192.0.2.2 192.0.2.3 203.0.113.3
	dismiss one
}

test_part() { # after a key that was written in part, later keys are still named
	fresh
	sender one "$backend"
	lines one "$(decision add 192.0.2.1)"
	becomes crowdsec 192.0.2.1
	order one kill
	# The worker of the killed process ends at the end of its input.
	flock /run/kcuckoo/crowdsec-bouncer.lock true
	printf part >>/run/kcuckoo/crowdsec-bouncer.named
	order one start
	lines one "$(decision add 192.0.2.2)" "$(decision add 192.0.2.3)"
	becomes crowdsec 192.0.2.1 192.0.2.2 192.0.2.3
	says one ': 0 older members were removed'
	becomes crowdsec 192.0.2.1 192.0.2.2 192.0.2.3
	dismiss one
}

test_new_sender() { # with a new sender, what it does not name is removed after a silence
	fresh
	sender one "$backend"
	lines one "$(decision add 192.0.2.1)" "$(decision add 192.0.2.2)"
	becomes crowdsec 192.0.2.1 192.0.2.2
	abandon one
	# Without a decision there is nothing to compare with.
	sender two "$backend"
	sleep 6
	becomes crowdsec 192.0.2.1 192.0.2.2
	lines two "$(decision del 192.0.2.9)" "$(decision add 192.0.2.2)" "$(decision add 192.0.2.3)"
	becomes crowdsec 192.0.2.1 192.0.2.2 192.0.2.3
	becomes crowdsec 192.0.2.2 192.0.2.3
	# At the end of the input nothing is removed.
	dismiss two
	sender three "$backend"
	lines three "$(decision add 192.0.2.4)"
	dismiss three
	becomes crowdsec 192.0.2.2 192.0.2.3 192.0.2.4
}

test_killed() { # killed while decisions arrive, worker or first process: no decision is lost
	local first worker kills=0

	fresh
	decisions 0 20000 >"$scratch/decisions"
	keys 0 20000 | sort >"$scratch/keys"
	sender one "$backend"
	first=$(<"$scratch/one.child")
	begin one parts "$scratch/decisions" 500
	while [ "$(wc -l <"$scratch/one.done")" -lt "${given[one]}" ]; do
		worker=$(cat "/proc/$first/task/$first/children")
		[ -z "$worker" ] || { kill -KILL "${worker% }" && kills=$((kills + 1)); }
		sleep 0.15
	done
	[ $kills -ge 3 ] || complain "only $kills workers were killed"
	# The first process leaves a worker, which has the rest of the input.
	decisions 20000 3000 >"$scratch/decisions"
	keys 20000 3000 >>"$scratch/keys"
	order one send "$scratch/decisions"
	order one kill
	order one start
	lines one "$(decision add 192.0.2.1)"
	echo 192.0.2.1 >>"$scratch/keys"
	for _ in {1..200}; do
		listed crowdsec >"$scratch/listed"
		[ "$(wc -l <"$scratch/listed")" -lt 23001 ] || break
		sleep 0.1
	done
	sort "$scratch/keys" | cmp - <(sort "$scratch/listed") ||
		complain "$(wc -l <"$scratch/listed") members of 23001"
	dismiss one
	echo "# $kills workers were killed"
}

test_no_module() { # without the module, the end of the input or a signal ends all processes
	local first worker modprobe

	fresh
	[ ! -d /sys/module/xt_kcuckoo ] || unloads xt_kcuckoo
	unloads kcuckoo
	# To open the device would load the module. rmmod is the same program.
	modprobe=$(readlink -f /sbin/modprobe)
	mount --bind /dev/null "$modprobe"
	sender one "$backend"
	says one 'waiting for the kernel module'
	# Nothing waits after the end of an input without decisions.
	dismiss one
	[ "$(<"$scratch/one.status")" = 0 ] || complain "exit status $(<"$scratch/one.status")"
	flock -w 60 /run/kcuckoo/crowdsec-bouncer.lock true || complain 'a worker remains'
	sender one "$backend"
	says one 'waiting for the kernel module'
	lines one "$(decision add 192.0.2.1)"
	first=$(<"$scratch/one.child")
	worker=$(<"/proc/$first/task/$first/children")
	kill -TERM "${worker% }"
	flock -w 60 /run/kcuckoo/crowdsec-bouncer.lock true || complain 'a signal does not end a worker'
	dismiss one
	[ "$(<"$scratch/one.status")" = 0 ] || complain "exit status $(<"$scratch/one.status")"
	# Decisions that were sent are made when the module is loaded.
	sender one "$backend"
	says one 'waiting for the kernel module'
	lines one "$(decision add 192.0.2.1)"
	begin one close
	umount "$modprobe"
	modprobe kcuckoo
	becomes crowdsec 192.0.2.1
	obeyed one
	dismiss one
}

test_destroyed() { # a filter that was destroyed is created again
	fresh
	sender one "$backend"
	lines one "$(decision add 192.0.2.1)"
	becomes crowdsec 192.0.2.1
	k -q detach crowdsec
	k destroy crowdsec
	lines one "$(decision add 192.0.2.2)"
	becomes crowdsec 192.0.2.2
	k rules
	[[ $out == *"crowdsec "* ]] || complain "no rule: $out"
	dismiss one
	err_has "the filter 'crowdsec' was destroyed and created again"
}

test_lost() { # after decisions were lost with their backend, no member is removed
	fresh
	k create a timeout 0
	keys 0 100 | kcuckoo -q add a -f - --timeout 0
	printf '[filter a]\n[filter b]\n' >/etc/kcuckoo/bouncer.conf
	sender one "$backend"
	decisions 0 100 >"$scratch/decisions"
	order one send "$scratch/decisions"
	order one close
	[ "$(<"$scratch/one.status")" = 1 ] || complain "exit status $(<"$scratch/one.status")"
	printf '[filter a]\n' >/etc/kcuckoo/bouncer.conf
	order one start
	lines one "$(decision add 192.0.2.1)"
	says one 'restart crowdsec-custom-bouncer'
	sleep 7
	[ "$(listed a | wc -l)" = 101 ] || complain "$(listed a | wc -l) members of 101"
	# Another filter under the same sender has none of the earlier decisions.
	order one kill
	flock /run/kcuckoo/crowdsec-bouncer.lock true
	k create b timeout 0
	k add b 203.0.113.1
	printf '[filter b]\n' >/etc/kcuckoo/bouncer.conf
	order one start
	lines one "$(decision add 192.0.2.2)"
	becomes b 192.0.2.2 203.0.113.1
	sleep 6
	becomes b 192.0.2.2 203.0.113.1
	# A new sender sends all of them.
	abandon one
	sender two "$backend"
	lines two "$(decision add 192.0.2.3)"
	becomes b 192.0.2.3
	dismiss two
}

test_timeouts() { # the configuration may give the filter timeouts, and take them away
	fresh
	printf '[filter bans]\n' >/etc/kcuckoo/bouncer.conf
	k apply
	status_is 0
	sender one "$backend"
	lines one "$(decision add 192.0.2.1)"
	becomes bans 192.0.2.1
	printf '[filter bans]\ntimeout = 0\n' >/etc/kcuckoo/bouncer.conf
	k apply
	status_is 0
	lines one "$(decision add 192.0.2.2)"
	becomes bans 192.0.2.1 192.0.2.2
	k list bans
	[[ $out == *'192.0.2.2 timeout 143'* ]] || complain "no timeout: $out"
	printf '[filter bans]\n' >/etc/kcuckoo/bouncer.conf
	k apply
	status_is 0
	lines one "$(decision add 192.0.2.3)"
	becomes bans 192.0.2.1 192.0.2.2 192.0.2.3
	dismiss one
	err_has_not 'were not made'
	k down
}

test_existing() { # a filter that exists gets no rule
	fresh
	k create crowdsec timeout 0
	k attach crowdsec action count
	sender one "$backend"
	lines one "$(decision add 192.0.2.1)"
	becomes crowdsec 192.0.2.1
	k rules
	[[ $out == *count* && $out != *drop* ]] || complain "rules: $out"
	dismiss one
	err_is_empty
	# Without any rule its members have no effect.
	k -q detach crowdsec
	sender one "$backend"
	says one "no rule uses the filter 'crowdsec'"
	dismiss one
	k rules
	out_is ''
}

test_destroyed_first() { # destroyed before the first decisions are complete
	fresh
	sender one "$backend"
	lines one "$(decision add 192.0.2.1)" "$(decision add 192.0.2.3)"
	becomes crowdsec 192.0.2.1 192.0.2.3
	k -q detach crowdsec
	k destroy crowdsec
	says one "the filter 'crowdsec' was destroyed and created again"
	k rules
	[[ $out == *"crowdsec "* ]] || complain "no rule: $out"
	lines one "$(decision add 192.0.2.2)"
	becomes crowdsec 192.0.2.2
	dismiss one
	[ "$(<"$scratch/one.status")" = 0 ] || complain "exit status $(<"$scratch/one.status")"
}

test_memory() { # without memory decisions wait for some time, and later ones still count
	local limit=/sys/module/kcuckoo/parameters/max_bytes before used

	fresh
	before=$(<$limit)
	sender one "$backend"
	lines one "$(decision add 192.0.2.1)"
	becomes crowdsec 192.0.2.1
	used=$(kcuckoo -j stats | sed -n 's/.*"memory_bytes": \([0-9]*\).*/\1/p')
	echo $((used + 20000)) >$limit
	decisions 0 20000 >"$scratch/decisions"
	begin one send "$scratch/decisions"
	says one 'changes of '"'crowdsec'"' are tried again'
	sleep 2
	echo "$before" >$limit
	obeyed one
	for _ in {1..100}; do
		[ "$(listed crowdsec | wc -l)" -lt 20001 ] || break
		sleep 0.1
	done
	[ "$(listed crowdsec | wc -l)" = 20001 ] || complain "$(listed crowdsec | wc -l) members of 20001"
	err=$(<"$scratch/one.err")
	err_has_not 'were not made'
	# Without end they would block the decisions that delete members.
	used=$(kcuckoo -j stats | sed -n 's/.*"memory_bytes": \([0-9]*\).*/\1/p')
	echo "$used" >$limit
	{
		decisions 20000 60000
		decision del 192.0.2.1 -1s
		echo
	} >"$scratch/decisions"
	begin one send "$scratch/decisions"
	for _ in {1..120}; do
		k test crowdsec 192.0.2.1
		[ "$status" = 0 ] || break
		sleep 0.5
	done
	status_is 1
	says one 'were not made'
	echo "$before" >$limit
	obeyed one
	dismiss one
}

test_wide() { # networks that drop the traffic of a continent are no members, but can be deleted
	fresh
	k create crowdsec timeout 0
	k add crowdsec 0.0.0.0/1 --timeout 0
	sender one "$backend"
	lines one "$(decision add 0.0.0.0/0)" "$(decision add 64.0.0.0/5)" "$(decision add 64.0.0.0/6)" \
		"$(decision add ::/0)" "$(decision add 2000::/11)" "$(decision add 2000::/12)" \
		"$(decision del 0.0.0.0/1 -1s)"
	becomes crowdsec 2000::/12 64.0.0.0/6
	dismiss one
	err_has 'line 1: the network is too wide' 'line 2: the network is too wide' \
		'line 4: the network is too wide' 'line 5: the network is too wide'
}

test_waits() { # decisions wait until the configuration is applied, and kept members are restored
	fresh
	printf '[filter bans]\ntimeout = 0\nkeep = yes\n' >/etc/kcuckoo/bouncer.conf
	k apply
	status_is 0
	sender one "$backend"
	lines one "$(decision add 192.0.2.1)"
	becomes bans 192.0.2.1
	k down --save
	status_is 0
	lines one "$(decision add 192.0.2.2)"
	says one "the filter 'bans' does not exist: is kcuckoo.service stopped?"
	k list
	out_is ''
	k apply --boot
	status_is 0
	becomes bans 192.0.2.1 192.0.2.2
	# The end of the input ends the wait.
	k down --save
	lines one "$(decision add 192.0.2.3)"
	dismiss one
	# So it does at the start, if nothing was sent.
	sender two "$backend"
	dismiss two
	[ "$(<"$scratch/two.status")" = 0 ] || complain "exit status $(<"$scratch/two.status")"
	k list
	out_is ''
}

test_taken_over() { # the configuration takes a filter over that the backend has created
	fresh
	sender one "$backend"
	lines one "$(decision add 192.0.2.1)"
	becomes crowdsec 192.0.2.1
	dismiss one
	block bouncer.conf >/etc/kcuckoo/bouncer.conf
	k apply
	status_is 2
	err_has "'crowdsec'"
	k detach crowdsec
	status_is 0
	k destroy crowdsec
	status_is 0
	k apply
	status_is 0
	sender two "$backend"
	lines two "$(decision add 192.0.2.1)"
	becomes crowdsec 192.0.2.1
	dismiss two
	err_is_empty
	k down
}

# cost PROGRAM [ARGUMENT]...: user and system time of the program and its children, in ticks.
cost() {
	local stat=/proc/$BASHPID/stat before after

	before=$(awk '{ print $16 + $17 }' "$stat")
	"$@" >/dev/null 2>"$scratch/cost.err" || complain "$*: $(<"$scratch/cost.err")"
	after=$(awk '{ print $16 + $17 }' "$stat")
	echo $((after - before))
}

test_cost() { # 20,000 decisions take at most three times the processor time of 'add -f'
	local control=0 bouncer=0 start took=0

	fresh
	decisions 0 20000 >"$scratch/decisions"
	keys 0 20000 >"$scratch/keys"
	for _ in {1..2}; do
		reset
		kcuckoo -q create crowdsec timeout 0 2>/dev/null
		control=$((control + $(cost kcuckoo -q add crowdsec -f "$scratch/keys")))
		reset
		rm -rf /run/kcuckoo
		start=${EPOCHREALTIME/./}
		bouncer=$((bouncer + $(cost "$backend" < <(cat "$scratch/decisions"))))
		took=$((took + ${EPOCHREALTIME/./} - start))
		[ "$(listed crowdsec | wc -l)" = 20000 ] || complain 'not 20,000 members'
	done
	echo "# ticks of 10 ms in 2 rounds: add -f $control, crowdsec-bouncer $bouncer; $((took / 2000)) ms a round"
	if [ $control = 0 ] || [ $bouncer -gt $((3 * control)) ]; then
		complain "crowdsec-bouncer takes $bouncer ticks, add -f $control"
	fi
}

own_folders
main "$0"
