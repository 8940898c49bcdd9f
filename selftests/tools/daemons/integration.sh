#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The blocks of kcuckoo-integration(7). Those of Docker, netfilter-persistent and of kcuckoo's
# own configuration are run. firewalld, ufw, netfilter-persistent and Ansible do not run in the
# machine: iptables takes the rules that they pass to it, and the files and commands of the
# playbook are those of its YAML. Blocks of programs that ban addresses are used by real.sh.

# shellcheck source=selftests/tools/daemons/daemons.sh
. "$(dirname "$0")/daemons.sh"

rules=(iptables ip6tables)

fresh() {
	local command

	rm -rf /etc/kcuckoo /etc/iptables /var/lib/kcuckoo/*
	mkdir -p /etc/kcuckoo /etc/iptables
	for command in "${rules[@]}"; do
		$command -F
		$command -X
	done
	echo 192.0.2.66 >"$scratch/bad.txt"
}

# run_block NAME: run it where bad.txt is.
run_block() {
	block "$1" >"$scratch/block"
	(cd "$scratch" && bash -eu block) >"$scratch/out" 2>"$scratch/err" || {
		complain "the block $1 fails"
		indent <"$scratch/err"
	}
}

# rule_has COMMAND EXPRESSION: this program's rules have such a line.
rule_has() {
	"$1" -S | grep -qE -- "$2" || {
		complain "$1 has no rule like '$2' but:"
		"$1" -S | indent
	}
}

match='-p tcp -m tcp --dport 25 -m kcuckoo --match-filter bad src -j DROP'

test_docker() { # a rule that comes before those of Docker
	fresh
	run_block docker
	k rules
	[[ $out == *"bad "*prerouting*both*src*drop* ]] || complain "no rule: $out"
}

test_firewalld() { # the direct rules are rules of iptables; firewalld itself does not run
	fresh
	# It passes a direct rule on as it is, at its place in a chain of its own.
	cat >"$scratch/firewall-cmd" <<-'END'
		#!/bin/bash
		[ "$*" != --reload ] || exit 0
		case $4 in ipv4) command=iptables ;; ipv6) command=ip6tables ;; *) exit 1 ;; esac
		[ "$1 $2 $3 $7" = "--permanent --direct --add-rule 0" ] || exit 1
		"$command" -t "$5" -I "$6" "${@:8}"
	END
	chmod +x "$scratch/firewall-cmd"
	PATH=$scratch:$PATH run_block firewalld
	rule_has iptables "^-A INPUT $match\$"
	rule_has ip6tables "^-A INPUT $match\$"
}

test_ufw() { # the lines are rules of iptables-restore; ufw itself does not run
	fresh
	{
		printf '*filter\n:ufw-before-input - [0:0]\n'
		block ufw
		echo COMMIT
	} | iptables-restore --noflush || complain 'iptables-restore fails'
	{
		printf '*filter\n:ufw6-before-input - [0:0]\n'
		block ufw6
		echo COMMIT
	} | ip6tables-restore --noflush || complain 'ip6tables-restore fails'
	rule_has iptables "^-A ufw-before-input $match\$"
	rule_has ip6tables "^-A ufw6-before-input $match\$"
}

test_netfilter_persistent() { # what is saved is loaded again, with and without the filter
	fresh
	# What its plugins do with 'save'.
	printf '%s\n' '#!/bin/bash' '[ "$*" = save ] || exit 1' \
		'iptables-save >/etc/iptables/rules.v4' \
		'ip6tables-save >/etc/iptables/rules.v6' >"$scratch/netfilter-persistent"
	chmod +x "$scratch/netfilter-persistent"
	k create bad
	PATH=$scratch:$PATH run_block netfilter-persistent
	iptables -F
	ip6tables -F
	# The kernel frees rules of nft a little later.
	for _ in {1..100}; do
		k destroy bad
		[ "$status" != 0 ] || break
		nap 0.1
	done
	status_is 0
	iptables-restore </etc/iptables/rules.v4 || complain 'iptables-restore fails'
	ip6tables-restore </etc/iptables/rules.v6 || complain 'ip6tables-restore fails'
	rule_has iptables "^-A INPUT $match\$"
	rule_has ip6tables "^-A INPUT $match\$"
}

test_ansible() { # the files and commands of the tasks; Ansible itself does not run
	fresh
	block ansible >"$scratch/tasks"
	python3 "$here/tasks.py" "$scratch/tasks" >"$scratch/play" || complain 'the tasks are not understood'
	# The last output is that of apply, which the task reads.
	grep -q '^  changed_when: (applied.stdout .*from_json).changed' "$scratch/tasks" ||
		complain 'changes are not read from the output'
	(cd "$scratch" && bash -eu play) >"$scratch/out" || complain 'the tasks fail'
	tail -n 1 "$scratch/out" | grep -q '^{"changed": true,' || complain "no change: $(<"$scratch/out")"
	k rules
	[[ $out == *"bad "*prerouting*drop* ]] || complain "no rule: $out"
	k list bad
	out_is 192.0.2.66
	(cd "$scratch" && bash -eu play) >"$scratch/out"
	tail -n 1 "$scratch/out" | grep -q '^{"changed": false,' || complain "a change: $(<"$scratch/out")"
	k down
}

test_configuration() { # the files of the configuration are correct
	fresh
	block bouncer.conf >/etc/kcuckoo/bouncer.conf
	block sshguard.conf >/etc/kcuckoo/sshguard.conf
	k apply
	status_is 0
	k rules
	[[ $out == *"crowdsec "*drop* && $out == *"sshguard "*drop* ]] || complain "rules: $out"
	k down
}

test_all() { # each block of the manual page is used by a test
	local name blocks

	mapfile -t blocks < <(sed -n 's/^\.\\" integration: //p' "$page")
	[ "$(grep -c '^\.Bd -literal' "$page")" = ${#blocks[@]} ] || complain 'a block has no name'
	for name in "${blocks[@]}"; do
		grep -qE "(^|[^_])(run_)?block $name( |\$)" "$here"/integration.sh "$here"/real_guest.sh ||
			complain "no test uses the block $name"
	done
}

own_folders
main "$0"
