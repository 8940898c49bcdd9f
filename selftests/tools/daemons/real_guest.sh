#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# real_guest.sh PROGRAM FOLDER
#
# In the machine: the tests of PROGRAM, which is in FOLDER as its package has it.

# The functions of the tests have the names of the programs.
# shellcheck disable=SC2317
# shellcheck source=selftests/tools/daemons/daemons.sh
. "$(dirname "$0")/daemons.sh"

program=$1
folder=$2

# The files of the package, where it installs them, and those of kcuckoo's package.
install_package() {
	local name

	for name in usr etc; do
		mkdir "$scratch/$name" "$scratch/$name.work"
		mount -t overlay none "/$name" -o \
			"lowerdir=$folder/$name:/$name,upperdir=$scratch/$name,workdir=$scratch/$name.work"
	done
	mount -t tmpfs none /var/lib
	mount -t tmpfs none /var/log
	mkdir -p /usr/libexec/kcuckoo /etc/kcuckoo
	[ ! -d "$libexec" ] || cp "$libexec"/* /usr/libexec/kcuckoo
}

# await SECONDS COMMAND...: it succeeds in this time.
await() {
	local end=$((SECONDS + $1))

	while ! "${@:2}" >/dev/null 2>&1; do
		if [ "$SECONDS" -ge "$end" ]; then
			complain "not in $1 seconds: ${*:2}"
			return 1
		fi
		sleep 0.3
	done
}

# members FILTER: without timeouts.
members() {
	kcuckoo list "$1" 2>/dev/null | sed 's/ timeout.*//' | sort
}

# has FILTER MEMBER...: exactly these.
has() {
	[ "$(members "$1")" = "$(printf '%s\n' "${@:2}" | sed '/^$/d' | sort)" ]
}

# reaches FILTER MEMBER...: it has exactly these in two minutes.
reaches() {
	await 120 has "$@" || kcuckoo list "$1" 2>&1 | indent
}

#### fail2ban

f2b() {
	fail2ban-client "$@" >"$scratch/f2b.out" 2>&1 || {
		complain "fail2ban-client $*: $(<"$scratch/f2b.out")"
	}
}

begin_fail2ban() {
	rm -f /etc/fail2ban/jail.d/*
	mkdir -p /run/fail2ban
	printf '[Definition]\ndbfile = /var/lib/bans.sqlite3\nlogtarget = /var/log/fail2ban.log\n' >/etc/fail2ban/fail2ban.local
	printf '[Definition]\nfailregex = ^bad <HOST>$\ndatepattern = {NONE}\n' >/etc/fail2ban/filter.d/words.conf
	block fail2ban >/etc/fail2ban/jail.local
	# The section of a jail, with another name.
	block fail2ban-options | sed 's/^\[sshd\]/[options]/; s/hook input/hook forward/' >"$scratch/options"
	cat >>/etc/fail2ban/jail.local <<-'END'
		bantime = 600
		maxretry = 2
		usedns = no
		filter = words
		logpath = /var/log/words
		backend = polling
		[one]
		enabled = yes
		[years]
		enabled = yes
		bantime = 11y
		[longer]
		enabled = yes
		bantime = 12
		bantime.increment = true
		bantime.multipliers = 10
		[this-name-of-a-jail-is-too-long]
		enabled = yes
	END
	{
		sed '1a enabled = yes' "$scratch/options"
		# It has a filter of the configuration.
		block fail2ban-configured | sed 's/^\[sshd\]/[configured]/'
		echo 'enabled = yes'
	} >>/etc/fail2ban/jail.local
	printf '[filter bans]\ntimeout = 1h\n[rule bans]\nfilter = bans\n' >/etc/kcuckoo/bans.conf
	: >/var/log/words
	fail2ban-server -b -s /run/fail2ban/fail2ban.sock -p /run/fail2ban/fail2ban.pid start \
		>"$scratch/server" 2>&1 || complain "fail2ban-server: $(<"$scratch/server")"
	await 120 fail2ban-client ping
}

fail2ban_bans() { # hosts and networks of both families are banned and unbanned
	f2b set one banip 192.0.2.66 2001:db8::66 198.51.100.0/24
	reaches f2b-one 192.0.2.66 198.51.100.0/24 2001:db8::66
	k list f2b-one
	[[ $out =~ 192\.0\.2\.66\ timeout\ (600|5[0-9][0-9]|4[0-9][0-9]) ]] || complain "timeouts: $out"
	k rules
	[[ $out == *"f2b-one "*prerouting*both*src*drop* ]] || complain "no rule: $out"
	printf 'bad 192.0.2.77\nbad 192.0.2.77\nbad 192.0.2.77\n' >>/var/log/words
	reaches f2b-one 192.0.2.66 192.0.2.77 198.51.100.0/24 2001:db8::66
	f2b set one unbanip 192.0.2.66 198.51.100.0/24 2001:db8::66
	reaches f2b-one 192.0.2.77
}

fail2ban_flushes() { # all is flushed, for both families, a second time, too
	local round

	for round in 1 2; do
		f2b set one banip 192.0.2.1 2001:db8::1
		await 60 eval 'members f2b-one | grep -q 2001:db8::1 && members f2b-one | grep -qx 192.0.2.1'
		f2b unban --all
		reaches f2b-one ''
		[ "$(kcuckoo list | grep -c '^f2b-one')" = 1 ] || complain "round $round: the filter is gone"
	done
}

fail2ban_destroyed() { # a filter that was destroyed comes back, a second time, too
	local round

	for round in 1 2; do
		f2b set one banip "192.0.2.1$round" "2001:db8::1$round"
		await 60 eval "members f2b-one | grep -q 2001:db8::1$round"
		k -q detach f2b-one
		k destroy f2b-one
		status_is 0
		f2b set one banip "192.0.2.2$round" "2001:db8::2$round"
		await 60 eval "members f2b-one | grep -qx 192.0.2.2$round"
		await 60 eval "members f2b-one | grep -qx 2001:db8::2$round"
		k rules
		[[ $out == *"f2b-one "*drop* ]] || complain "round $round: no rule: $out"
	done
	# Destroyed, and an unban: nothing is left to do.
	k -q detach f2b-one
	k destroy f2b-one
	f2b set one unbanip 192.0.2.22
	f2b unban --all
}

fail2ban_restarts() { # after a restart of the jails, a filter that was destroyed has all bans
	local before

	f2b set one banip 192.0.2.31 2001:db8::31
	await 60 eval 'members f2b-one | grep -q 2001:db8::31'
	mapfile -t before < <(members f2b-one)
	k -q detach f2b-one
	k destroy f2b-one
	f2b reload --restart
	reaches f2b-one "${before[@]}"
	f2b unban --all
}

fail2ban_options() { # other names, rules and times
	f2b set options banip 192.0.2.5
	reaches f2b-ssh 192.0.2.5
	k rules
	[[ $out == *"f2b-ssh "*forward* ]] || complain "rules: $out"
	f2b set years banip 192.0.2.6
	reaches f2b-years 192.0.2.6
	k list f2b-years
	out_is '192.0.2.6 timeout 0'
	fail2ban-client set this-name-of-a-jail-is-too-long banip 192.0.2.7 >/dev/null
	await 60 grep -q "kcuckoo: 'f2b-this-name-of-a-jail-is-too-long' is not a valid filter name" /var/log/fail2ban.log
}

fail2ban_prolongs() { # an address that was banned before is banned for longer
	f2b get longer action kcuckoo actionprolong
	grep -q 'kcuckoo -q add' "$scratch/f2b.out" || complain "no actionprolong: $(<"$scratch/f2b.out")"
	f2b set longer banip 192.0.2.8
	reaches f2b-longer 192.0.2.8
	await 60 eval '! fail2ban-client get longer banip | grep -q 192'
	reaches f2b-longer ''
	f2b set longer banip 192.0.2.8
	await 60 eval 'kcuckoo list f2b-longer | grep -qE " timeout (1[0-2][0-9]|[3-9][0-9])$"'
}

fail2ban_configured() { # the filter and the rule of the configuration outlive the jail
	k apply
	status_is 0
	f2b set configured banip 192.0.2.9 2001:db8::9
	reaches bans 192.0.2.9 2001:db8::9
	k list bans
	[[ $out =~ 192\.0\.2\.9\ timeout\ (600|[45][0-9][0-9]) ]] || complain "timeouts: $out"
	f2b stop configured
	reaches bans ''
	k rules
	[[ $(grep -c '^bans ' <<<"$out") = 1 ]] || complain "rules: $out"
	k status
	status_is 0
	k down
}

fail2ban_ends() { # the end of a jail destroys its filter
	f2b set one banip 192.0.2.1 2001:db8::1
	await 60 eval 'members f2b-one | grep -q 2001:db8::1'
	f2b stop
	await 60 eval '! kcuckoo list | grep -q .'
	k rules
	out_is ''
}

#### CrowdSec

bouncer=/etc/crowdsec/bouncers/crowdsec-custom-bouncer.yaml

# cs ARGUMENT...: cscli.
cs() {
	cscli --error "$@" >"$scratch/cs" 2>&1 || complain "cscli $*: $(<"$scratch/cs")"
}

begin_crowdsec() {
	local key=0123456789abcdef0123456789abcdef

	mkdir -p /var/lib/crowdsec/data /var/lib/crowdsec/hub
	# The local API alone: no logs are read, and nothing is sent elsewhere.
	sed -i '/online_client:/,/credentials_path:/d; s/log_media: file/log_media: stdout/' /etc/crowdsec/config.yaml
	sed -i 's/daemonize: true/daemonize: false/' /etc/crowdsec/config.yaml
	sed -i '/^prometheus:/,$s/enabled: true/enabled: false/' /etc/crowdsec/config.yaml
	: >/etc/crowdsec/local_api_credentials.yaml
	cs machines add --force test --password test
	cs bouncers add kcuckoo -k "$key"
	crowdsec -no-cs >/var/log/crowdsec 2>&1 &
	await 120 bash -c "exec 3<>/dev/tcp/127.0.0.1/8080"
	sed -i 's/^prometheus:/&/; s/enabled: true/enabled: false/; s/^\(daemonize\):.*/\1: false/
		s/^\(log_mode\):.*/\1: stdout/; s/^\(update_frequency\):.*/\1: 1s/' "$bouncer"
	{
		echo "api_key: $key"
		block crowdsec
	} >"$bouncer.local"
	start_bouncer
}

start_bouncer() {
	crowdsec-custom-bouncer -c "$bouncer" >>/var/log/bouncer 2>&1 &
	sender=$!
	await 60 pgrep -P "$sender" crowdsec-bounce
}

crowdsec_bans() { # hosts and networks of both families are banned and unbanned
	cs decisions add --ip 192.0.2.66 --duration 1h
	cs decisions add --ip 2001:db8::66 --duration 1h
	cs decisions add --range 198.51.100.0/24 --duration 1h
	cs decisions add --scope country --value DE --duration 1h
	cs decisions add --ip 192.0.2.99 --type captcha --duration 1h
	reaches crowdsec 192.0.2.66 198.51.100.0/24 2001:db8::66
	k list crowdsec
	[[ $out =~ 192\.0\.2\.66\ timeout\ 3[345][0-9][0-9] ]] || complain "timeouts: $out"
	k rules
	[[ $out == *"crowdsec "*prerouting*both*src*drop* ]] || complain "no rule: $out"
	cs decisions delete --ip 192.0.2.66
	cs decisions delete --range 198.51.100.0/24
	reaches crowdsec 2001:db8::66
}

crowdsec_restarts() { # a new bouncer removes what ended meanwhile
	kill -KILL "$sender"
	wait "$sender" 2>/dev/null
	cs decisions delete --ip 2001:db8::66
	cs decisions add --ip 192.0.2.1 --duration 1h
	has crowdsec 2001:db8::66 || complain 'a ban ended without a bouncer'
	start_bouncer
	reaches crowdsec 192.0.2.1
}

# import_decisions FILE: several times, because the database of CrowdSec refuses to write while the
# bouncer reads decisions ("database is locked").
import_decisions() {
	local try

	for try in 1 2 3 4 5 6; do
		cscli --error decisions import -i "$1" && return
		sleep "$try"
	done
	return 1
}

crowdsec_killed() { # the same set in the end, if the worker is killed while decisions arrive
	local first import kills=0 end=

	{
		echo duration,reason,scope,type,value
		awk 'BEGIN { for (i = 0; i < 1000; i++)
			printf "4h,test,ip,ban,198.18.%d.%d\n", i / 250, i % 250 + 1 }'
	} >"$scratch/import.csv"
	{
		echo 192.0.2.1
		awk -F, 'NR > 1 { print $5 }' "$scratch/import.csv"
	} | sort >"$scratch/wanted"
	first=$(pgrep -P "$sender" crowdsec-bounce)
	import_decisions "$scratch/import.csv" >"$scratch/cs" 2>&1 &
	import=$!
	until members crowdsec | cmp -s - "$scratch/wanted"; do
		pkill -KILL -P "$first" && kills=$((kills + 1))
		# Time counts from the end of the import, which is slow on a busy host.
		[ -n "$end" ] || kill -0 "$import" 2>/dev/null || end=$((SECONDS + 180))
		if [ -n "$end" ] && [ "$SECONDS" -ge "$end" ]; then
			complain "$(members crowdsec | wc -l) of $(wc -l <"$scratch/wanted") members"
			break
		fi
		sleep 0.3
	done
	wait "$import" || complain "cscli: $(<"$scratch/cs")"
	[ "$(pgrep -P "$sender" crowdsec-bounce)" = "$first" ] || complain 'the first process has ended'
	echo "# $kills workers were killed"
}

#### sshguard

begin_sshguard() {
	: >/var/log/auth
	{
		block sshguard
		printf '%s\n' FILES=/var/log/auth THRESHOLD=30 BLOCK_TIME=5 DETECTION_TIME=600 \
			IPV6_SUBNET=64 IPV4_SUBNET=24
	} >/etc/sshguard/sshguard.conf
	start_sshguard
}

start_sshguard() {
	set -m
	sshguard >>/var/log/sshguard 2>&1 &
	guard=$!
	set +m
	await 60 pgrep sshg-fw-kcuckoo
	await 60 kcuckoo info sshguard
	# Its reader of the file begins at the end.
	sleep 3
}

# attack ADDRESS: as sshd writes it into its log.
attack() {
	for _ in 1 2 3 4 5; do
		echo "Nov 27 03:12:55 host sshd[$$]: Invalid user admin from $1 port 4711"
	done >>/var/log/auth
}

sshguard_bans() { # networks of both families are blocked, and released
	attack 192.0.2.66
	attack 2001:db8::66
	await 90 has sshguard 192.0.2.0/24 2001:db8::/64
	k rules
	[[ $out == *"sshguard "*prerouting*both*src*drop* ]] || complain "no rule: $out"
	await 180 has sshguard ''
}

sshguard_hosts() { # single hosts
	kill -TERM -- "-$guard"
	wait "$guard" 2>/dev/null
	await 60 eval '! pgrep sshg-fw-kcuckoo'
	sed -i '/SUBNET/d' /etc/sshguard/sshguard.conf
	start_sshguard
	attack 192.0.2.67
	attack 2001:db8::67
	await 90 has sshguard 192.0.2.67 2001:db8::67
	kill -TERM -- "-$guard"
	wait "$guard" 2>/dev/null
}

# The tests follow each other; what begins the program comes first.
install_package
echo 'TAP version 13'
mapfile -t tests < <(sed -n "s/^\(${program}_[a-z]*\)() { *# .*/\1/p" "$0")
echo "1..${#tests[@]}"
failed=0
"begin_$program"
result=$failed
number=0
for test in "${tests[@]}"; do
	number=$((number + 1))
	failed=0
	"$test"
	[ $failed = 0 ] || { result=1; printf 'not '; }
	echo "ok $number $(sed -n "s/^$test() { *# /${test//_/ }: /p" "$0")"
done
if [ $result != 0 ]; then
	tail -n 40 /var/log/{fail2ban.log,bouncer,crowdsec,sshguard} 2>/dev/null | indent
fi
k -q detach --all
exit $result
