#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The power is cut, five times, while commands save members, apply a configuration and accept a
# list. After each boot each of the three is the version before the change or the one after it,
# and what a command had changed before it ended is there.

# shellcheck disable=SC2016 # scripts for the machine to expand
# shellcheck source=selftests/system/machine.sh
. "$(dirname "$0")/machine.sh"

# Writes version after version, of which each command gets one. The number of the last one that
# all commands have written is in /root/done.
changes='
cat >/root/changes <<"END"
#!/bin/bash
state=/var/lib/kcuckoo
n=$(cat /root/done)
while :; do
	n=$((n + 1))
	kcuckoo -q add bans 198.51.100.$n
	kcuckoo -q save --all $state
	echo 203.0.113.$n >/root/body
	{
		echo "# kcuckoo-list 1 drop members 1 bytes $(stat -c %s /root/body)" \
			"sha256 $(sha256sum </root/body | cut -d " " -f 1) refused it is a test"
		cat /root/body
	} >$state/lists/drop.refused
	kcuckoo -q accept drop
	printf "# %d\n[list drop]\nurl = https://192.0.2.1/list\n[filter drop]\nlist = drop\n" $n \
		>/etc/kcuckoo/power.conf
	sync
	kcuckoo -q apply
	echo $n >/root/done.new
	sync
	mv /root/done.new /root/done
	sync
done
END
chmod 755 /root/changes
echo 0 >/root/done
mkdir -p /var/lib/kcuckoo/lists
sync'

# The version of each of the three in the machine: members of bans, the list, the configuration.
versions='
echo "done $(cat /root/done)"
echo "bans $(kcuckoo list bans | grep -c ^198.51.100.)"
echo "list $(kcuckoo list drop | sed "s/.*\.//")"
echo "applied $(sed -n "s/^# //p" /var/lib/kcuckoo/applied/power.conf)"'

# one_of VERSION NAME: is the version of NAME the given one or the next?
one_of() {
	local version

	version=$(sed -n "s/^$2 //p" <<<"$found")
	[ "$version" = "$1" ] || [ "$version" = $(($1 + 1)) ] || {
		echo "$2 has version $version, not $1 or $(($1 + 1))"
		echo "$found"
		return 1
	}
}

# some_changes NUMBER: wait for this many versions more, and then for a moment.
some_changes() {
	local last begin

	begin=$(guest 'cat /root/done')
	for _ in {1..120}; do
		last=$(guest 'cat /root/done')
		[ "$last" -lt $((begin + $1)) ] || break
		sleep 1
	done
	sleep "0.$((RANDOM % 900 + 100))"
	[ "$last" -ge $((begin + $1)) ]
}

install_disk
power_on
settle
guest "$changes"
for cut in 1 2 3 4 5; do
	guest 'setsid /root/changes >/root/changes.log 2>&1 </dev/null &'
	check "$cut: commands make changes" some_changes 3
	power_cut
	power_on
	settle
	found=$(guest "$versions")
	last=$(sed -n 's/^done //p' <<<"$found")
	for name in bans list applied; do
		check "$cut: $name is the old or the new version" one_of "$last" "$name"
	done
	inside "$cut: the members of bans have no gap" '
		[ "$(kcuckoo list bans | grep -c ^198.51.100.)" = "$(kcuckoo list bans |
			sed -n "s/^198\.51\.100\.\([0-9]*\).*/\1/p" | sort -n | tail -n 1)" ]'
	inside "$cut: the rule is attached" 'kcuckoo rules | grep -q bans'
	inside "$cut: another apply has nothing to repair" 'kcuckoo apply && kcuckoo apply --dry-run'
	inside "$cut: the unit of the boot did not fail" 'systemctl is-active kcuckoo.service'
done
finish
