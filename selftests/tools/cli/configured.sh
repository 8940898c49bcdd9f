#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The verbs apply without operands, down and status: filters and rules become what the
# configuration says, and nothing else changes.

# shellcheck source=selftests/tools/cli/harness.sh
. "$(dirname "$0")/harness.sh"

# The name servers of the host that runs the machine are none of ours.
: >"$scratch/nothing"
mount --bind "$scratch/nothing" /etc/resolv.conf
# The next program has the name servers and namespaces that this one found.
trap 'umount /etc/resolv.conf; ip netns del peer 2>/dev/null; rm -rf "$scratch"' EXIT

export KCUCKOO_STATE=$scratch/state KCUCKOO_RUN=$scratch/run
etc=$scratch/etc
mine=$scratch/mine.txt
never=$scratch/never.txt

# configure: standard input is the only file of the configuration
configure() {
	local lines

	mapfile lines
	printf %s "${lines[@]}" >"$etc/a.conf"
}

# unlink DEVICE...: remove those of these devices that exist
unlink() {
	local device

	for device; do
		[ ! -e "/sys/class/net/$device" ] || ip link del "$device"
	done
}

# begin: the example of ten lines, with lists of its own; nothing was applied before
begin() {
	rm -rf "$KCUCKOO_STATE" "$KCUCKOO_RUN" "${etc:?}"
	mkdir "$etc"
	unlink kc0 kc1
	printf '%s\n' 198.51.100.0/24 203.0.113.7 10.1.2.3 >"$mine"
	echo 198.51.100.9 >"$never"
	configure <<-END
		[filter bad]
		list = $mine
		exclude = $never
		[filter bans]
		timeout = 1h
		keep = yes
		[rule wan]
		filter = bad bans
		hook = ingress
		dev = kc0 kc*
	END
}

apply() {
	k apply --config "$etc" "$@"
}

snapshot_of_all() {
	kcuckoo -j list
	kcuckoo -j rules
	kcuckoo list bad
}

drops() { # drops ADDRESS: a packet from it to kc0 is counted by a rule
	local before after

	before=$(packets)
	ip netns exec peer ping -q -c 1 -W 1 -I "$1" 192.0.2.1 >/dev/null 2>&1 || :
	after=$(packets)
	[ "$after" -gt "$before" ]
}

packets() {
	local rest sum=0

	rest=$(kcuckoo -j rules)
	while [[ $rest =~ \"packets\":\ ([0-9]+)(.*) ]]; do
		sum=$((sum + BASH_REMATCH[1]))
		rest=${BASH_REMATCH[2]}
	done
	echo $sum
}

link() { # kc0 with a peer that has addresses of both lists
	ip netns add peer 2>/dev/null
	ip link add kc0 type veth peer name kcpeer netns peer
	ip addr add 192.0.2.1/24 dev kc0
	ip link set kc0 up
	ip -n peer addr add 192.0.2.2/24 dev kcpeer
	ip -n peer addr add 203.0.113.7/32 dev kcpeer
	ip -n peer addr add 198.51.100.9/32 dev kcpeer
	ip -n peer link set kcpeer up
}

test_first() { # filters, rules and members are made; the second time changes nothing
	begin
	link
	apply
	status_is 0
	err_has 'bad: added' 'bans: created' "rule wan: attached 'bad'"
	k list
	out_is $'bad managed\nbans managed'
	k list bad
	[[ $out == *203.0.113.7* && $out != *10.1.2.3* ]] || complain "members: $out"
	k -q test bad 198.51.100.9
	status_is 1
	drops 203.0.113.7 || complain "the rule does not match 203.0.113.7"
	! drops 198.51.100.9 || complain "the rule matches 198.51.100.9"
	snapshot_of_all | sed 's/"[a-z]*": [0-9]*//g' >"$scratch/before"
	apply
	status_is 0
	err_is_empty
	snapshot_of_all | sed 's/"[a-z]*": [0-9]*//g' >"$scratch/after"
	cmp "$scratch/before" "$scratch/after" || complain "the second apply changed something"
	cmp "$etc/a.conf" "$KCUCKOO_STATE/applied/a.conf" || complain "the copy differs"
}

# pause_at_list OPTION...: begin apply, which stops once it has opened its list
pause_at_list() {
	local state

	LD_PRELOAD=$PWD/stopped.so STOP_AT=$mine kcuckoo -q apply --config "$etc" "$@" \
		2>"$scratch/paused" &
	process=$!
	while read -r _ _ state _ 2>/dev/null <"/proc/$process/stat"; do
		[ "$state" != Z ] || break
		[ "$state" != T ] || return
		nap 0.01
	done
	complain "apply did not open its list: $(<"$scratch/paused")"
}

test_edited() { # a file that is edited during apply is kept as it was applied
	local before process

	begin
	before=$(<"$etc/a.conf")
	pause_at_list
	echo 'colour = red' >>"$etc/a.conf"
	kill -CONT "$process"
	wait "$process"
	[ "$(<"$KCUCKOO_STATE/applied/a.conf")" = "$before" ] ||
		complain "kept: $(<"$KCUCKOO_STATE/applied/a.conf")"
	k -q test bad 203.0.113.7
	status_is 0
}

test_dry_unlocked() { # a dry run that reads its lists, or prints, delays no other command
	local process

	begin
	pause_at_list --dry-run
	status=0
	timeout 60 kcuckoo -q apply --config "$etc" 2>/dev/null || status=$?
	last='apply during a dry run'
	status_is 0
	k -q test bad 203.0.113.7
	status_is 0
	kill -CONT "$process"
	wait "$process"
}

test_not_regular() { # a pipe in place of a list does not block apply
	local option

	begin
	apply
	status_is 0
	rm "$mine"
	mkfifo "$mine"
	for option in --dry-run --boot; do
		status=0
		timeout 30 kcuckoo -q apply $option --config "$etc" 2>"$scratch/pipe.err" ||
			status=$?
		err=$(<"$scratch/pipe.err")
		status_is 1
		err_has "cannot read $mine: it is not a regular file" \
			"the last good copy of $mine is used, with 2 members"
	done
	k -q test bad 203.0.113.7
	status_is 0
	# A list that is meant to be empty can be /dev/null.
	printf '[filter none]\nlist = empty\n[list empty]\nfile = /dev/null\nmin = 0\n' \
		>"$etc/b.conf"
	rm "$mine"
	echo 203.0.113.7 >"$mine"
	apply
	status_is 0
	k list none
	out_is ''
	rm "$etc/b.conf" "$mine"
	mkfifo "$mine"
	# The command line can read a pipe.
	k -q create piped
	echo 203.0.113.7 >"$mine" &
	k load piped "$mine"
	status_is 0
	wait $!
	k -q destroy piped
	rm "$mine"
}

test_waits() { # for devices that come later, and for the new name of one
	begin
	apply
	status_is 0
	err_has 'NOT PROTECTED: rule wan waits for kc0' 'NOT PROTECTED: rule wan waits for kc*'
	ip link add kc0 type dummy
	apply
	err_is_empty
	ip link set kc0 down
	ip link set kc0 name other
	apply
	status_is 0
	err_has 'waits for kc0'
	ip link set other name kc1
	apply
	err_has 'waits for kc0'
	err_has_not 'waits for kc*'
	ip link del kc1
}

test_log() { # a rule logs as the configuration says, and is replaced where that changes
	begin
	configure <<-END
		[filter bad]
		list = $mine
		[rule wan]
		filter = bad
		log = yes
	END
	apply
	status_is 0
	err_has "rule wan: attached 'bad' hook prerouting family both match src action drop log"
	apply
	err_is_empty
	k apply --check --config "$etc"
	[[ $out == *'match src action drop log'* ]] || complain "check: $out"
	sed -i 's/log = yes/&\nlog-group = 5\nlog-limit = 100\/s/' "$etc/a.conf"
	apply
	status_is 0
	err_has 'action drop log group 5 limit 100/s'
	k rules
	[[ $out == *' log group 5 limit 100/s  label wan' ]] || complain "rules: $out"
	apply
	err_is_empty
	sed -i '/^log/d' "$etc/a.conf"
	apply
	k rules
	[[ $out != *log* && $out == *'label wan' ]] || complain "rules: $out"
}

test_removed() { # sections that are gone take their filters and rules with them
	begin
	apply
	configure <<-END
		[filter bad]
		list = $mine
	END
	apply
	status_is 0
	err_has "rule wan: detached" 'bans: destroyed'
	k list
	out_is 'bad managed'
	k -j rules
	out_is '[]'
}

# rules_are 'FILTER HOOK'...: these are all rules
rules_are() {
	local line lines rules=

	mapfile -t lines < <(kcuckoo rules)
	# The first line has the titles of the columns.
	for line in "${lines[@]:1}"; do
		read -r -a line <<<"$line"
		rules+=${rules:+$'\n'}"${line[0]} ${line[1]}"
	done
	[ "$rules" = "$(printf '%s\n' "$@")" ] || complain "rules: $(kcuckoo rules 2>&1)"
}

# fails_again: a new rule or filter cannot be made, now and the next time
fails_again() {
	for _ in 1 2; do
		apply
		status_is 2
		err_has 'the earlier rules and filters stay'
	done
}

test_vrf() { # a VRF has no rules, which attach and apply report alike
	begin
	ip link add kc0 type vrf table 10 || complain "ip link"
	apply
	status_is 2
	err_has 'rule wan cannot be attached:' \
		"'kc0' is a loopback device or a VRF, whose packets are never dropped"
	ip link del kc0
}

test_earlier_stay() { # a new rule or filter that fails does not cost the earlier ones
	begin
	printf '[filter bad]\nlist = %s\n[rule wan]\nfilter = bad\n' "$mine" >"$etc/a.conf"
	apply
	status_is 0
	# The device has no driver that runs an XDP program.
	ip link add kc0 type dummy
	printf 'hook = xdp\ndev = kc0\nmode = native\n' >>"$etc/a.conf"
	fails_again
	rules_are 'bad prerouting'
	printf '[filter worse]\nlist = %s\n[rule wan]\nfilter = worse\n' "$scratch/absent" \
		>"$etc/a.conf"
	fails_again
	rules_are 'bad prerouting' 'worse prerouting'
	k -q test bad 203.0.113.7
	status_is 0
	cp "$mine" "$scratch/absent"
	apply
	status_is 0
	err_has 'bad: destroyed'
	k list
	out_is 'worse managed'
	# A list that fails later is no reason to keep what the configuration does not have.
	rm "$scratch/absent"
	sed -i '/rule/,$d' "$etc/a.conf"
	apply
	status_is 1
	rules_are ''
}

test_by_hand() { # what was made by hand stays, and is never taken
	begin
	k -q create own
	k -q attach own hook forward
	apply
	status_is 0
	k down
	status_is 0
	err_has "filter 'own' was made by hand, and stays"
	k list
	out_is own
	k -q create bans
	apply
	refused "$etc/a.conf:4: there is a filter 'bans' that no configuration made" 'nothing was changed'
	k list
	out_is $'own\nbans'
}

test_times() { # a new timeout of a filter without lists is for later members
	begin
	apply
	k -q add bans 203.0.113.50
	sed -i 's/timeout = 1h/timeout = 2h/' "$etc/a.conf"
	apply
	status_is 0
	err_has 'bans: added 0, removed 0, unchanged 1; members keep their times, later ones get the new'
	err_has_not 'of these with a new timeout'
	k -q add bans 203.0.113.51
	k list bans
	[[ $out == *'203.0.113.50 timeout 3'[56]* && $out == *'203.0.113.51 timeout 7'* ]] ||
		complain "list: $out"
}

test_gone() { # what changes members says that the next apply undoes the change
	local words="a configuration manages this filter: if it has lists, the change is gone"

	begin
	apply
	echo 203.0.113.9 >"$scratch/more"
	k load bad "$scratch/more"
	status_is 0
	err_has "bad: $words"
	k create more
	k merge bad more
	err_has "bad: $words"
	k apply bad "$scratch/more"
	status_is 0
	err_has "bad: $words"
	k apply bad "$scratch/more"
	err_has_not "$words"
	k apply bad "$mine" --dry-run
	err_has_not "$words"
	k swap more bad
	status_is 0
	err_has "bad: $words"
	err_has_not "more: a configuration"
	k save bad "$scratch/bad.kcf"
	k restore "$scratch/bad.kcf" --replace
	status_is 0
	err_has "bad: $words"
	k flush bad
	status_is 0
	err_has "bad: $words"
	k flush more
	err_is_empty
}

test_warned_once() { # a warning names the file of the configuration, and not that of the copy
	begin
	printf '[list unused]\nfile = %s\n' "$mine" >>"$etc/a.conf"
	apply
	apply
	status_is 0
	err_has "kcuckoo: warning: $etc/a.conf:11: no filter uses [list unused]"
	err_has_not "$KCUCKOO_STATE"
}

test_other_users() { # a filter that a rule of iptables uses is found before anything changes
	local before

	begin
	apply
	status_is 0
	iptables -A INPUT -i lo -m kcuckoo --match-filter bad src -j DROP
	configure <<-END
		[filter bans]
		timeout = 1h
		keep = yes
		[rule wan]
		filter = bans
		hook = ingress
		dev = kc0 kc*
	END
	before=$(kcuckoo -j rules)
	for option in --dry-run --boot; do
		apply "$option"
		status_is 2
		err_has "the filter 'bad' is not in the configuration any more, but it is in use" \
			'1 more user: iptables' 'nothing was changed'
		[ "$(kcuckoo -j rules)" = "$before" ] || complain "$option: the rules changed"
	done
	k doctor --config "$etc"
	[[ $out == *"cannot be applied: the filter 'bad' is not in the configuration"* ]] ||
		complain "doctor: $out"
	k down
	status_is 1
	err_has "filter 'bad' stays: it is in use" '1 more user: iptables' 'bans: destroyed'
	k list
	out_is 'bad managed'
	iptables -F INPUT
	k down
	status_is 0
	# The next program unloads kcuckoo.
	unloads xt_kcuckoo
}

test_down_busy() { # a filter that a rule made by hand uses stays, and nothing else
	begin
	apply
	k -q attach bad hook forward
	k down
	status_is 1
	err_has "filter 'bad' stays: a rule that was made by hand uses it" 'kcuckoo detach bad'
	k list
	out_is 'bad managed'
	rules_are 'bad forward'
	k -q detach bad
	k down
	status_is 0
	k list
	out_is ''
}

test_mistake() { # one mistake in the configuration changes nothing
	begin
	apply
	snapshot_of_all >"$scratch/before"
	echo 'colour = red' >>"$etc/a.conf"
	apply
	refused "$etc/a.conf:11: "
	snapshot_of_all >"$scratch/after"
	cmp "$scratch/before" "$scratch/after" || complain "something changed"
}

test_cut_list() { # a list that lost most entries, or is missing, leaves the members
	begin
	awk 'BEGIN { for (i = 1; i <= 400; i++) print "45." int(i / 256) "." i % 256 ".2" }' >"$mine"
	apply
	kcuckoo list bad >"$scratch/before"
	head -n 3 "$mine" >"$scratch/cut"
	cp "$scratch/cut" "$mine"
	apply
	status_is 1
	err_has "list $mine is refused: it has 3 members, the last good copy has 400" \
		"the last good copy of $mine is used, with 400 members"
	kcuckoo list bad | cmp - "$scratch/before" || complain "members changed"
	rm "$mine"
	apply
	status_is 1
	err_has "$mine" 'the last good copy of'
	kcuckoo list bad | cmp - "$scratch/before" || complain "members changed"
	cp "$scratch/cut" "$mine"
	apply --max-shrink 100
	status_is 0
	[ "$(kcuckoo list bad | wc -l)" = 3 ] || complain "other members"
	ip link add kc0 type dummy
	echo 198.51.100.300 >>"$never"
	apply
	status_is 1
	err_has 'an excluded list has 1 bad line' "the last good copy of $never is used, with 1 member"
	echo '# nothing' >"$never"
	apply
	status_is 1
	err_has "the last good copy of $never is used, with 1 member"
	rm -r "$KCUCKOO_STATE/files"
	apply
	status_is 1
	err_has 'filter bad keeps its present members'
	status
	status_is 1
	[[ $out == *'last apply: failed at 2'*'configuration: applied'* ]] || complain "status: $out"
	echo 198.51.100.9 >"$never"
	apply
	status_is 0
	status
	status_is 0
	[[ $out != *'last apply'* ]] || complain "status: $out"
	k -q flush bad
	status
	status_is 1
	[[ $out == *'filter bad: 0 members, although lists are configured for it'* ]] || complain "status: $out"
	sed -i 's/^list = .*/list = own/' "$etc/a.conf"
	printf '[list own]\nfile = %s\nmin = 0\n' "$mine" >>"$etc/a.conf"
	: >"$mine"
	apply
	status_is 0
	status
	status_is 0
}

test_list_hints() { # hints for a list of the configuration name its keys, and these help
	begin
	apply
	: >"$mine"
	apply
	status_is 1
	err_has 'the list contains no address' "'min = 0' in a section [list] permits an empty list"
	err_has_not '--allow-empty'
	apply --allow-empty
	status_is 0
	kcuckoo list bad | cmp -s - /dev/null || complain "members: $(kcuckoo list bad)"
	printf '203.0.113.%s\n' 1 2 3 >"$mine"
	sed -i 's/^list = .*/list = own/' "$etc/a.conf"
	printf '[list own]\nfile = %s\nmin = 4\n' "$mine" >>"$etc/a.conf"
	apply
	status_is 1
	err_has "$mine has 3 entries, and at least 4 are needed" "'min = 3' in a section [list] permits it"
	sed -i 's/^min = .*/min = 0/' "$etc/a.conf"
	apply
	status_is 0
	: >"$mine"
	apply
	status_is 0
	# A list of more than 100 entries has another limit, too.
	seq -f '203.0.113.%g' 1 200 >"$mine"
	apply
	status_is 0
	sed -i 's/^min = .*/min = 100/' "$etc/a.conf"
	head -n 20 "$mine" >"$scratch/short"
	cp "$scratch/short" "$mine"
	apply
	status_is 1
	err_has "'min = 20' and 'max-shrink = 100' in a section [list] permit it"
	sed -i 's/^min = .*/min = 20\nmax-shrink = 100/' "$etc/a.conf"
	apply
	status_is 0
	sed -i 's/^min = .*/min = 1/' "$etc/a.conf"
	: >"$mine"
	apply
	status_is 1
	err_has "'min = 0' in a section [list] permits an empty list, with 'max-shrink = 100' also if it had more than 100 entries"
	sed -i 's/^min = .*/min = 0/' "$etc/a.conf"
	apply
	status_is 0
	echo '[{"hooks": "203.0.113.7"}]' >"$mine"
	apply
	status_is 1
	err_has "hooks (1); 'json-key = KEY' reads the addresses under KEY"
	sed -i 's/^min = .*/json-key = hooks/' "$etc/a.conf"
	apply
	status_is 0
	sed -i '/^json-key/d' "$etc/a.conf"
	echo 203.0.113.7:8080 >"$mine"
	apply
	status_is 1
	err_has "'format = hostport' reads it"
	# An option of the command line is not replaced where a command can have it.
	k -q create bl
	k load bl "$mine"
	status_is 2
	err_has '--format hostport reads it'
	k -q destroy bl
}

test_five_lists() { # each list has its own limits and its own copy, also at boot
	local i

	begin
	echo '[filter bad]' >"$scratch/conf"
	for i in 1 2 3 4 5; do
		seq 200 | sed "s/^/45.$i.7./" >"$scratch/five$i"
		echo "list = $scratch/five$i" >>"$scratch/conf"
	done
	configure <"$scratch/conf"
	apply
	status_is 0
	kcuckoo list bad >"$scratch/before"
	[ "$(wc -l <"$scratch/before")" = 1000 ] || complain "members: $(wc -l <"$scratch/before")"
	[ "$(stat -c %a "$KCUCKOO_STATE/files")" = 700 ] || complain "mode of the copies"
	seq 3 | sed "s/^/45.3.7./" >"$scratch/five3"
	echo 45.4.8.1 >>"$scratch/five4"
	apply
	status_is 1
	err_has "list $scratch/five3 is refused: it has 3 members" 'bad: added 1, removed 0'
	{
		cat "$scratch/before"
		echo 45.4.8.1
	} | sort -V | cmp - <(kcuckoo list bad | sort -V) || complain "members changed"
	k -q down
	rm "$scratch/five1"
	apply --boot
	status_is 1
	err_has "the last good copy of $scratch/five1 is used, with 200 members"
	[ "$(kcuckoo list bad | wc -l)" = 1001 ] || complain "boot: $(kcuckoo list bad | wc -l)"
}

test_no_copy() { # a list counts although its copy cannot be written
	begin
	mkdir -p "$KCUCKOO_STATE"
	echo no folder >"$KCUCKOO_STATE/files"
	apply
	status_is 1
	err_has "$KCUCKOO_STATE/files"
	k list bad
	[[ $out == *203.0.113.7* ]] || complain "members: $out"
}

test_where() { # objects of JSON that 'where' selects, also if the name of the file has the format
	begin
	echo '{"prefixes": [{"ip_prefix": "198.51.100.0/24", "service": "S3"},
		{"ip_prefix": "203.0.113.0/24", "service": "EC2"}]}' >"$scratch/json"
	for name in "$scratch/json" "json:$scratch/json"; do
		configure <<-END
			[list aws]
			file = $name
			where = service:EC2
			[filter bad]
			list = aws
		END
		apply
		status_is 0
		k list bad
		out_is 203.0.113.0/24
	done
	sed -i "s,^file.*,file = hosts:$scratch/json," "$etc/a.conf"
	apply
	status_is 1
	err_has "the key 'where' is for format 'json', and not for 'hosts'"
	k list bad
	out_is 203.0.113.0/24
}

test_allow() { # private networks stay in a filter that a rule allows, which is never emptied
	begin
	echo 192.168.0.0/16 >"$never"
	configure <<-END
		[list never]
		file = $never
		[filter never]
		list = never
		[filter bans]
		[rule wan]
		filter = bans
		allow = never
	END
	apply
	status_is 0
	k list never
	out_is 192.168.0.0/16
	echo '# nothing' >"$never"
	apply
	status_is 1
	err_has 'the last good copy of never is used, with 1 member'
	k list never
	out_is 192.168.0.0/16
	rm -r "$KCUCKOO_STATE/files"
	apply
	status_is 1
	err_has 'filter never keeps its present members'
	k list never
	out_is 192.168.0.0/16
	sed -i 's/^file.*/&\nmin = 0/' "$etc/a.conf"
	apply
	status_is 0
	k list never
	out_is ''
}

test_allow_new() { # a filter that a rule allows is not created until all its lists can be used
	begin
	echo 198.51.100.0/24 >"$mine"
	rm -f "$never"
	configure <<-END
		[list far]
		url = https://192.0.2.1/far.txt
		[filter never]
		list = $mine
		list = $never
		list = far
		[filter bad]
		list = $mine
		[rule wan]
		filter = bad
		hook = input
		allow = never
	END
	apply
	status_is 1
	err_has 'filter never is not created' \
		'NOT PROTECTED: rule wan waits for the filter never'
	k list
	[[ $out == 'bad '* && $out != *$'\n'* ]] || complain "filters: $out"
	status
	status_is 1
	[[ $out == *'NOT PROTECTED: waits for the filter never'* ]] || complain "status: $out"
	echo 203.0.113.7 >"$never"
	apply
	status_is 1
	err_has 'filter never is not created'
	fetched far 203.0.113.8
	apply
	status_is 0
	k list never
	out_is $'198.51.100.0/24\n203.0.113.7\n203.0.113.8'
}

test_allow_fetched() { # a copy with private networks: filters that block leave them out
	begin
	configure <<-'END'
		[list far]
		url = https://192.0.2.1/far.txt
		[filter never]
		list = far
		[filter bad]
		list = far
		[rule wan]
		filter = bad
		allow = never
	END
	fetched far 10.0.0.0/8 198.51.100.1
	apply
	status_is 0
	k list never
	out_is $'10.0.0.0/8\n198.51.100.1'
	k list bad
	out_is 198.51.100.1
}

test_allow_excluded() { # a filter that a rule allows does not lose all members to its exceptions
	begin
	echo 198.51.100.0/24 >"$never"
	configure <<-END
		[filter never]
		list = $never
		exclude = $mine
		[filter bans]
		[rule wan]
		filter = bans
		allow = never
	END
	echo 203.0.113.7 >"$mine"
	apply
	status_is 0
	echo 198.51.100.0/23 >"$mine"
	apply
	status_is 1
	err_has 'filter never keeps its present members'
	k list never
	out_is 198.51.100.0/24
}

test_database() { # a list of a tenth of all addresses is refused at once, not only the second time
	begin
	seq 16 79 | sed 's,$,.0.0.0/8,' >"$mine"
	configure <<-END
		[list mine]
		file = $mine
		[filter bad]
		list = mine
	END
	apply
	status_is 1
	err_has 'more than a tenth of all'
	k list bad
	out_is ''
	apply --wide
	status_is 0
	kcuckoo list bad >"$scratch/before"
	apply
	status_is 0
	err_is_empty
	sed -i 's/^file.*/&\nwide = yes/' "$etc/a.conf"
	k -q down
	apply --boot
	status_is 0
	kcuckoo list bad | cmp - "$scratch/before" || complain "members changed"
	apply
	status_is 0
	err_is_empty
}

test_hints() { # hints name settings of the configuration where apply takes no option
	local members

	begin
	apply
	status_is 0
	err_has 'bad: 1 key was left out, and parts of 0,' \
		"'bogons = yes' in a section [list] keeps them"
	err_has_not '--bogons'
	members=$(kcuckoo list bad)
	echo 10.1.2.4 >"$mine"
	apply
	status_is 1
	err_has 'the lists contain only bogons' "'bogons = yes' in a section [list] permits them"
	[ "$(kcuckoo list bad)" = "$members" ] || complain "members: $(kcuckoo list bad)"
	echo 128.0.0.0/1 >"$mine"
	apply --wide
	status_is 1
	err_has '128.0.0.0/1, which is very wide' "'wide = yes' in a section [list] permits it"
	err_has_not '--wide'
}

test_no_lists() { # at first the other lists count; the verb says what is missing
	begin
	cat >>"$etc/a.conf" <<-'END'
		[list far]
		url = https://192.0.2.1/far.txt
		[filter more]
		list = far
	END
	apply
	status_is 1
	err_has 'list far was not fetched yet'
	k -j info more
	[[ $out == *'"entries": 0,'* ]] || complain "info: $out"
	[ "$(kcuckoo list | wc -l)" = 3 ] || complain "filters: $(kcuckoo list)"
}

# fetched NAME LINE...: the last good copy of a list, as fetch writes it
fetched() {
	local name=$1 body=$scratch/body

	shift
	mkdir -p "$KCUCKOO_STATE/lists"
	printf '%s\n' "$@" >"$body"
	{
		echo "# kcuckoo-list 1 $name members $# bytes $(stat -c %s "$body") sha256 $(sha256sum <"$body" | cut -d ' ' -f 1)"
		cat "$body"
	} >"$KCUCKOO_STATE/lists/$name.list"
}

test_fetched() { # a list with a url is its last good copy, until that is damaged or expires
	begin
	configure <<-END
		[list far]
		url = https://192.0.2.1/far.txt
		expire = 12d
		[filter bad]
		list = far
	END
	fetched far 198.51.100.1 203.0.113.0/24
	apply
	status_is 0
	k list bad
	out_is $'198.51.100.1\n203.0.113.0/24'
	status
	status_is 0
	[[ $out == *'list far: ok, 2 members, 0 h old'* ]] || complain "status: $out"
	fetched far 198.51.100.1
	touch -d '10 days ago' "$KCUCKOO_STATE/lists/far.list"
	apply
	status_is 0
	err_has 'bad: added 0, removed 1'
	status
	status_is 1
	[[ $out == *'list far: failed, 1 member, 240 h old'* ]] || complain "status: $out"
	echo 198.51.100.7 >>"$KCUCKOO_STATE/lists/far.list"
	apply
	status_is 1
	err_has 'list far: ' 'filter bad keeps its present members'
	k list bad
	out_is 198.51.100.1
	fetched far 198.51.100.1
	touch -d '13 days ago' "$KCUCKOO_STATE/lists/far.list"
	apply
	status_is 0
	err_has 'list far has expired' 'removed 1'
	k list bad
	out_is ''
}

test_old_exclude() { # a list that is excluded does not expire: it spares addresses
	begin
	configure <<-END
		[list far]
		url = https://192.0.2.1/far.txt
		expire = 12d
		[filter bad]
		list = $mine
		exclude = far
	END
	fetched far 198.51.100.0/25
	touch -d '13 days ago' "$KCUCKOO_STATE/lists/far.list"
	apply
	status_is 0
	err_has "$etc/a.conf:1: [list far]: expire is ignored"
	k list bad
	out_is $'198.51.100.128/25\n203.0.113.7'
}

test_lost_copy() { # without a copy of one list no member is removed, and the other lists go on
	begin
	printf '%s\n' 198.51.100.1 198.51.100.2 >"$mine"
	configure <<-END
		[list far]
		url = https://192.0.2.1/far.txt
		[filter bad]
		list = far
		list = $mine
	END
	fetched far 203.0.113.0/24
	apply
	status_is 0
	rm "$KCUCKOO_STATE/lists/far.list"
	printf '%s\n' 198.51.100.2 198.51.100.3 >"$mine"
	apply
	status_is 1
	err_has 'list far was not fetched yet' 'filter bad loses no member' 'added 1, removed 0'
	k list bad
	out_is $'198.51.100.1\n198.51.100.2\n198.51.100.3\n203.0.113.0/24'
	sed -i 's/far$/near/; s/list far/list near/' "$etc/a.conf"
	apply
	status_is 1
	err_has 'list near was not fetched yet'
	k list bad
	out_is $'198.51.100.1\n198.51.100.2\n198.51.100.3\n203.0.113.0/24'
	fetched near 203.0.113.0/24
	apply
	status_is 0
	k list bad
	out_is $'198.51.100.2\n198.51.100.3\n203.0.113.0/24'
}

test_dry_run() { # changes nothing
	begin
	apply --dry-run
	status_is 1
	err_has 'bans: would be created' 'rule wan: would attach'
	k list
	out_is ''
	[ ! -e "$KCUCKOO_STATE/applied" ] || complain "a copy was kept"
}

test_diff() { # the keys of each filter follow its name; JSON stands alone
	begin
	printf '%s\n' 198.51.100.1 203.0.113.7 >"$mine"
	configure <<-END
		[filter bad]
		list = $mine
		[filter more]
		list = $mine
		exclude = $never
		timeout = 1h
	END
	echo 198.51.100.1 >"$never"
	k -j apply --config "$etc" --dry-run --diff
	status_is 1
	[[ $out == '{'*'"changed": true'*'}' && $out != *$'\n'* ]] ||
		complain "no JSON alone: $out"
	apply --diff
	status_is 0
	out_is $'# bad\n+198.51.100.1\n+203.0.113.7\n# more\n+203.0.113.7 timeout 3600'
	echo 203.0.113.8 >>"$mine"
	echo 203.0.113.8 >>"$never"
	apply --diff
	out_is $'# bad\n+203.0.113.8'
}

test_parameters() { # other parameters keep the members of a filter without lists
	begin
	apply
	k -q add bans 203.0.113.50
	sed -i 's/^timeout = 1h/timeout = 2h/' "$etc/a.conf"
	apply
	status_is 0
	err_has_not detached
	k -q test bans 203.0.113.50
	status_is 0
	k -j info bans
	[[ $out == *'"timeout": 7200'* ]] || complain "info: $out"
}

test_boot() { # kept members come back; what is damaged does not stop the rest
	begin
	apply
	k -q add bans 203.0.113.50
	k down --save
	status_is 0
	k list
	out_is ''
	[ "$(stat -c %a "$KCUCKOO_STATE/bans.kcf")" = 600 ] || complain "mode of the snapshot"
	apply --boot
	status_is 0
	k -q test bans 203.0.113.50
	status_is 0
	k down --save
	echo 'colour = red' >>"$etc/a.conf"
	apply --boot
	status_is 2
	err_has "$etc/a.conf:11: " 'the configuration that was applied last is used instead'
	k -q test bans 203.0.113.50
	status_is 0
	k -q test bad 203.0.113.7
	status_is 0
	k -q down
	sed -i '$d' "$etc/a.conf"
	head -c 100 "$KCUCKOO_STATE/bans.kcf" >"$scratch/cut"
	cat "$scratch/cut" >"$KCUCKOO_STATE/bans.kcf"
	apply --boot
	status_is 1
	err_has "$KCUCKOO_STATE/bans.kcf" 'filter bans begins without members'
	k list
	out_is $'bad managed\nbans managed'
	# The next boot has no damaged snapshot any more, and its bytes are not lost.
	cmp "$scratch/cut" "$KCUCKOO_STATE/bans.kcf.damaged" || complain "the damaged snapshot is gone"
	[ ! -e "$KCUCKOO_STATE/bans.kcf" ] || complain "the damaged snapshot is still there"
	k -q down
	apply --boot
	status_is 0
}

test_save() { # filters that a failed apply has made are saved, too
	local file

	begin
	mkdir "$scratch/upper" "$scratch/work"
	mount -t overlay -o "lowerdir=/etc,upperdir=$scratch/upper,workdir=$scratch/work" none /etc ||
		complain 'mount'
	mkdir -p /etc/kcuckoo
	cp "$etc/a.conf" /etc/kcuckoo
	cat >>/etc/kcuckoo/a.conf <<-END
		[filter more]
		keep = yes
		[rule more]
		filter = more
		hook = xdp
		dev = kc0
		mode = native
	END
	ip link add kc0 type dummy
	apply
	status_is 0
	# The device has no driver that runs an XDP program: the rule fails.
	k apply
	status_is 2
	k -q add more 203.0.113.51
	k -q add bans 203.0.113.50
	k down --save
	status_is 0
	k list
	out_is ''
	for file in bans more; do
		[ -e "$KCUCKOO_STATE/$file.kcf" ] || complain "$file was not saved"
	done
	# A configuration with mistakes does not stop the saving of what was applied.
	apply
	k -q add bans 203.0.113.52
	rm "$KCUCKOO_STATE/bans.kcf"
	echo 'colour = red' >>/etc/kcuckoo/a.conf
	k down --save
	status_is 0
	err_has 'only filters of the configuration that was applied last are saved'
	[ -e "$KCUCKOO_STATE/bans.kcf" ] || complain "bans was not saved"
	k list
	out_is ''
	# With mistakes and without a copy it is unknown what to save, so nothing is removed.
	apply
	rm -rf "$KCUCKOO_STATE"/applied*
	k down --save
	refused "/etc/kcuckoo/a.conf:" 'nothing was removed'
	err_has_not 'only filters of'
	k list
	[[ $out == *'bans managed'* ]] || complain "filters: $out"
	k -q down
	umount -l /etc
}

# in_network COMMAND...: the command of a host with an address and a gateway
in_network() {
	k -n "$network" "$@"
}

needed_addresses() {
	cut -d ' ' -f 1 "$needed" | sort
}

test_needed() { # what a host needs is left out at boot, before it has addresses again
	local network=cli-needed needed=$KCUCKOO_STATE/netns/cli-needed/needed

	begin
	printf '%s\n' 203.0.113.0/30 203.0.113.254 198.51.100.7 >"$mine"
	configure <<-END
		[filter bad]
		list = $mine
	END
	ip netns add $network
	ip -n $network link add dummy0 type dummy
	ip -n $network link set dummy0 up
	ip -n $network addr add 203.0.113.1/32 dev dummy0
	ip -n $network route add default via 203.0.113.254 dev dummy0 onlink
	in_network apply --config "$etc"
	status_is 0
	[ "$(needed_addresses)" = $'203.0.113.1\n203.0.113.254' ] ||
		complain "$needed: $(<"$needed")"
	in_network list bad
	out_is $'198.51.100.7\n203.0.113.0\n203.0.113.2/31'
	# A boot begins without filters and addresses.
	in_network -q down
	ip -n $network addr del 203.0.113.1/32 dev dummy0
	ip -n $network link set dummy0 down
	in_network apply --boot --config "$etc"
	status_is 0
	err_has '203.0.113.254 in the lists covers 203.0.113.254, an address that this host needed'
	in_network list bad
	out_is $'198.51.100.7\n203.0.113.0\n203.0.113.2/31'
	[ "$(needed_addresses)" = $'203.0.113.1\n203.0.113.254' ] ||
		complain "without addresses, $needed became: $(<"$needed")"
	# Later, an address of its own counts no more, and a gateway does for 30 days.
	ip -n $network addr add 192.0.2.7/32 dev dummy0
	ip -n $network link set dummy0 up
	in_network apply --config "$etc"
	[ "$(needed_addresses)" = $'192.0.2.7\n203.0.113.254' ] ||
		complain "$needed: $(<"$needed")"
	in_network apply --config "$etc"
	in_network list bad
	out_is $'198.51.100.7\n203.0.113.0/30'
	sed -i "s/ .*/ $(date -d '31 days ago' +%s)/" "$needed"
	in_network apply --config "$etc"
	in_network list bad
	out_is $'198.51.100.7\n203.0.113.0/30\n203.0.113.254'
	[ "$(<"$needed")" = 192.0.2.7 ] || complain "$needed: $(<"$needed")"
	in_network -q down
	printf 'no address\n203.0.113.1/31\n203.0.113.254\n' >"$needed"
	in_network apply --boot --config "$etc"
	status_is 0
	err_has "$needed:1: this is not an address" "$needed:2: this is not an address"
	in_network list bad
	out_is $'198.51.100.7\n203.0.113.0/30'
	in_network -q down
	ip netns del $network
}

# in_other_netns VERB...: without -n and without folders of its own
in_other_netns() {
	last="ip netns exec cli-other kcuckoo $*"
	env -u KCUCKOO_STATE -u KCUCKOO_RUN ip netns exec cli-other kcuckoo "$@" \
		>"$scratch/out" 2>"$scratch/err"
	status=$?
	err=$(<"$scratch/err")
	status_is 2
	err_has 'another network namespace' "'kcuckoo -n NAME'"
}

test_netns() { # ip netns exec: a change there is not written to the files of the host
	begin
	printf '%s\n' 203.0.113.9 >"$mine"
	configure <<-END
		[filter bad]
		list = $mine
	END
	ip netns add cli-other
	in_other_netns apply --config "$etc"
	in_other_netns down
	k -n cli-other list
	out_is ''
	k -n cli-other apply --config "$etc"
	status_is 0
	k -n cli-other down
	status_is 0
	ip netns del cli-other
}

test_peer() { # the other end of an SSH connection counts for the timer, too
	local network=cli-peer needed=$KCUCKOO_STATE/netns/cli-peer/needed

	begin
	printf '%s\n' 198.51.100.7 203.0.113.7 >"$mine"
	configure <<-END
		[filter bad]
		list = $mine
	END
	ip netns add $network
	ip -n $network link add dummy0 type dummy
	ip -n $network link set dummy0 up
	ip -n $network addr add 192.0.2.1/32 dev dummy0
	SSH_CONNECTION='198.51.100.7 50000 192.0.2.1 22' in_network apply --skip-own --config "$etc"
	status_is 0
	in_network list bad
	out_is 203.0.113.7
	in_network apply --config "$etc"
	status_is 0
	in_network list bad
	out_is 203.0.113.7
	[ "$(needed_addresses)" = $'192.0.2.1\n198.51.100.7' ] ||
		complain "$needed: $(<"$needed")"
	in_network -q down
	ip netns del $network
}

rules_of_xdp() {
	kcuckoo rules | grep -c ' xdp '
}

test_xdp() { # rules of hook xdp are attached to devices that exist, and later to others
	needs_xdp || return
	begin
	configure <<-END
		[filter bad]
		list = $mine
		[rule fast]
		filter = bad
		hook = xdp
		dev = kx*
	END
	apply
	status_is 0
	err_has 'NOT PROTECTED: rule fast waits for kx*'
	[ -e "$KCUCKOO_RUN/xdp" ] || complain "there is no file xdp"
	ip link add kx0 type dummy
	apply
	status_is 0
	err_has "rule fast: attached 'bad'"
	# The pattern matches a device, even though another name matches it, too.
	sed -i 's/^dev = .*/dev = kx0 kx*/' "$etc/a.conf"
	apply
	status_is 0
	err_has_not 'NOT PROTECTED'
	apply
	err_is_empty
	ip link add kx1 type dummy
	k apply --device kx1
	status_is 0
	[ "$(rules_of_xdp)" = 2 ] || complain "rules: $(kcuckoo rules)"
	ip link del kx0
	apply
	status_is 0
	k down
	status_is 0
	[ "$(rules_of_xdp)" = 0 ] || complain "rules: $(kcuckoo rules)"
	[ ! -e "$KCUCKOO_RUN/xdp" ] || complain "the file xdp is left"
	ip link del kx1
}

test_xdp_replaced() { # a rule of hook xdp that cannot be replaced is attached again
	local new

	needs_xdp || return
	begin
	ip link add kx0 type dummy
	cat >"$etc/a.conf" <<-END
		[filter bad]
		list = $mine
		[filter more]
		[rule fast]
		filter = bad
		hook = xdp
		dev = kx0
		family = both
		mode = generic
	END
	apply
	status_is 0
	# A dummy has no native XDP.
	sed -i 's/mode = generic/mode = native/' "$etc/a.conf"
	for new in 's/action = count//' 's/family = both/family = ipv4/' 's/filter = bad/filter = more/'; do
		sed -i "$new" "$etc/a.conf"
		apply
		status_is 2
		err_has 'has no XDP' "rule fast: attached 'bad' hook xdp dev kx0 family both"
		[ "$(rules_of_xdp)" = 1 ] || complain "rules: $(kcuckoo rules)"
		[[ $(<"$KCUCKOO_RUN/xdp") == 'fast bad kx0 '* ]] || complain "file: $(<"$KCUCKOO_RUN/xdp")"
	done
	sed -i 's/mode = native/mode = generic/' "$etc/a.conf"
	apply
	status_is 0
	rules_are 'more xdp'
	k -q down
	ip link del kx0
}

test_xdp_late() { # a device that appears while apply runs is expected
	local files process

	needs_xdp || return
	begin
	configure <<-END
		[filter bad]
		list = $mine
		[rule fast]
		filter = bad
		hook = xdp
		dev = kx*
	END
	# apply opens its list after it listed the devices.
	pause_at_list
	files=$(ls "$KCUCKOO_RUN")
	ip link add kx1 type dummy
	kill -CONT "$process"
	wait "$process"
	[[ $files == *xdp* ]] || complain "there is no file xdp yet: $files"
	rules_are ''
	k apply --device kx1
	status_is 0
	rules_are 'bad xdp'
	k -q down
	ip link del kx1
	rm "$mine"
}

test_xdp_left() { # a rule of hook xdp that may not be inspected stays in the file xdp
	local own

	needs_xdp || return
	begin
	ip link add kx0 type dummy
	for own in down apply; do
		configure <<-END
			[filter bad]
			list = $mine
			[rule fast]
			filter = bad
			hook = xdp
			dev = kx0
		END
		apply
		status_is 0
		sed -i '/rule/,$d' "$etc/a.conf"
		kcuckoo() { setpriv --bounding-set -sys_admin kcuckoo "$@"; }
		if [ $own = apply ]; then apply; else k down; fi
		unset -f kcuckoo
		status_is 2
		err_has "cannot inspect the program on 'kx0'" 'CAP_SYS_ADMIN'
		rules_are 'bad xdp'
		[[ $(<"$KCUCKOO_RUN/xdp") == 'fast bad kx0 '* ]] || complain "file: $(<"$KCUCKOO_RUN/xdp")"
		if [ $own = apply ]; then apply; else k down; fi
		status_is 0
		rules_are ''
		[ ! -e "$KCUCKOO_RUN/xdp" ] || complain "the file xdp is left"
	done
	k -q down
	ip link del kx0
}

test_xdp_renamed() { # a rule is of the configuration under the new name of its device, too
	needs_xdp || return
	begin
	configure <<-END
		[filter bad]
		list = $mine
		[rule fast]
		filter = bad
		hook = xdp
		dev = kx*
	END
	ip link add kx0 type dummy
	apply
	status_is 0
	ip link set kx0 name kx1
	apply
	status_is 0
	err_is_empty
	[[ $(<"$KCUCKOO_RUN/xdp") == 'fast bad kx1 '* ]] || complain "file: $(<"$KCUCKOO_RUN/xdp")"
	# A line of an earlier release has no number.
	echo 'fast bad kx1' >"$KCUCKOO_RUN/xdp"
	apply
	status_is 0
	err_is_empty
	# The name that the configuration does not have loses its rule.
	ip link set kx1 name other
	apply
	status_is 0
	err_has "rule fast: detached 'bad' hook xdp dev other" 'NOT PROTECTED: rule fast waits for kx*'
	rules_are ''
	ip link set other name kx0
	apply
	rules_are 'bad xdp'
	ip link set kx0 name other
	k down
	status_is 0
	rules_are ''
	[ ! -e "$KCUCKOO_RUN/xdp" ] || complain "the file xdp is left"
	ip link del other
}

test_xdp_dead() { # a rule whose device was in another namespace is attached again
	local device

	needs_xdp || return
	begin
	configure <<-END
		[filter bad]
		list = $mine
		[rule fast]
		filter = bad
		hook = xdp
		dev = kx0
	END
	ip netns add away
	ip link add kx0 type veth peer name kxpeer
	apply
	for device in '' kx0; do
		ip link set kx0 netns away
		# The name bad gets another slot.
		k -q destroy bad
		apply
		err_has 'NOT PROTECTED: rule fast waits for kx0'
		ip netns exec away ip link set kx0 netns $$
		[[ $(kcuckoo rules) == *dead ]] || complain "rules: $(kcuckoo rules)"
		status
		status_is 1
		[[ $out == *'NOT PROTECTED: its device was in another network namespace'*'configuration: differs'* ]] ||
			complain "status: $out"
		if [ "$device" ]; then
			k apply --device "$device"
		else
			apply
		fi
		status_is 0
		err_has "rule fast: attached 'bad'"
		[[ $(kcuckoo rules) != *dead ]] || complain "rules: $(kcuckoo rules)"
		status
		status_is 0
	done
	k -q down
	ip link del kx0
	ip netns del away
}

status() {
	k status --config "$etc"
}

test_status() { # 0 only if all is as the configuration says
	begin
	status
	status_is 1
	[[ $out == *'configuration: differs'* ]] || complain "status: $out"
	apply
	status
	status_is 1
	[[ $out == *'waits for kc0'* && $out == *'configuration: applied'* ]] || complain "status: $out"
	ip link add kc0 type dummy
	status
	status_is 0
	[[ $out == *'filter bad: '*'rule wan: bad '* ]] || complain "status: $out"
	k -j status --config "$etc"
	status_is 0
	[[ $out == *'"lists": [], '*'"in_sync": true'* ]] || complain "status: $out"
	k -q create own
	status
	status_is 0
	[[ $out == *'filter own: 0 members, made by hand'* ]] || complain "status: $out"
	k -q detach bad
	status
	status_is 1
	apply
	echo 'colour = red' >>"$etc/a.conf"
	status
	status_is 1
	[[ $out == *"configuration: cannot be used, 'kcuckoo apply --check' shows why"* ]] ||
		complain "status: $out"
	err_has "$etc/a.conf:11: " 'the configuration that was applied last is used instead'
}

test_exchange() { # other parameters of a filter with lists: it is made aside and exchanged
	local id

	begin
	configure <<-END
		[filter bad]
		list = $mine
		[rule wan]
		filter = bad
	END
	apply
	status_is 0
	id=$(kcuckoo rules | grep -c bad)
	for field in 'hash = siphash' 'value = 8' 'timeout = 1h'; do
		configure <<-END
			[filter bad]
			list = $mine
			$field
			[rule wan]
			filter = bad
		END
		status
		status_is 1
		apply --dry-run
		status_is 1
		apply
		status_is 0
		err_has_not attached
		k list bad
		[ "$(cut -d ' ' -f 1 <<<"$out" | sort)" = $'198.51.100.0/24\n203.0.113.7' ] ||
			complain "$field: members: $out"
		k list
		out_is 'bad managed'
		[ "$(kcuckoo rules | grep -c bad)" = "$id" ] || complain "$(kcuckoo rules)"
		# Timeouts begin again after each apply: that changes nothing else.
		[[ $field != timeout* ]] || sleep 2.1
		apply
		status_is 0
		if [[ $field == timeout* ]]; then
			err_has 'added 0, removed 0, unchanged 2, 2 of these with a new timeout'
		else
			err_is_empty
		fi
	done
	k -j info bad
	[[ $out == *'"hash": "jhash"'*'"timeout": 3600'* ]] || complain "info: $out"
}

test_bytes() { # a filter of byte strings becomes what its lists say
	begin
	printf 'http://a.example/\nhttp://b.example/\n' >"$scratch/urls"
	configure <<-END
		[filter urls]
		type = bytes
		capacity = 1000
		fpr = 0.1%
		list = $scratch/urls
	END
	apply
	status_is 0
	err_has 'urls: added 2, removed 0, unchanged 0'
	k -q test urls http://a.example/ http://b.example/
	status_is 0
	apply
	status_is 0
	printf 'http://b.example/\nhttp://c.example/\n' >"$scratch/urls"
	apply
	status_is 0
	k -q test urls http://b.example/ http://c.example/
	status_is 0
	k -q test urls http://a.example/
	status_is 1
	k list
	out_is 'urls managed'
}

test_namespace() { # -n NETNS has a configuration, a state and rules of its own
	begin
	apply
	ip netns add conf-ns
	mkdir -p "$scratch/root/netns/conf-ns"
	printf '[filter there]\nlist = %s\n[rule in]\nfilter = there\n' "$mine" \
		>"$scratch/root/netns/conf-ns/a.conf"
	k -n conf-ns apply --config "$scratch/root/netns/conf-ns"
	status_is 0
	err_has 'there: ' "rule in: attached 'there'"
	k -n conf-ns list
	out_is 'there managed'
	k list
	out_is $'bad managed\nbans managed'
	cmp "$scratch/root/netns/conf-ns/a.conf" "$KCUCKOO_STATE/netns/conf-ns/applied/a.conf" ||
		complain "the copy differs"
	cmp "$etc/a.conf" "$KCUCKOO_STATE/applied/a.conf" || complain "the copy of the host differs"
	k -n conf-ns status --config "$scratch/root/netns/conf-ns"
	status_is 0
	k -n conf-ns down
	status_is 0
	k -n conf-ns list
	out_is ''
	k list
	out_is $'bad managed\nbans managed'
	k -n conf-ns apply
	refused '/etc/kcuckoo/netns/conf-ns'
	k -n /run/netns/conf-ns apply --config "$scratch/root/netns/conf-ns"
	refused 'has no name' "give it a name: 'ip netns attach NAME PID'"
	ip netns del conf-ns
}

test_nameless() { # a namespace without folders of its own has no state, which is no error
	local name

	begin
	ip netns add .conf-ns
	for name in .conf-ns /run/netns/.conf-ns; do
		k -n $name stats --prometheus
		status_is 0
		err_is_empty
		k -n $name explain 198.51.100.1
		status_is 1
		err_is_empty
		k -n $name status --config "$etc"
		status_is 1
		err_has_not 'has no name'
		[[ $out == *'configuration: differs'* ]] || complain "status: $out"
	done
	ip netns del .conf-ns
}

test_both() { # two commands at the same time apply one after the other
	local jobs

	begin
	ip link add kc0 type dummy
	for _ in 1 2 3; do
		jobs=()
		kcuckoo -q apply --config "$etc" >/dev/null 2>"$scratch/one" &
		jobs+=($!)
		kcuckoo -q apply --config "$etc" >/dev/null 2>"$scratch/two" &
		jobs+=($!)
		all_succeed "${jobs[@]}"
		k list
		out_is $'bad managed\nbans managed'
		apply
		status_is 0
		err_is_empty
		rules_are 'bad ingress' 'bad ingress' 'bans ingress' 'bans ingress'
		kcuckoo -q down
	done
	ip link del kc0
}

main "$0"
