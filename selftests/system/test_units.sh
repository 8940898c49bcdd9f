#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Users, folders and sandboxes of the units; what starts after a fetch.

# shellcheck disable=SC2016 # scripts for the machine to expand
# shellcheck source=selftests/system/machine.sh
. "$(dirname "$0")/machine.sh"

install_disk
power_on
settle

# exposure UNIT: as systemd-analyze computes it, at most MAXIMUM.
exposed() {
	inside "$1 is exposed by at most $2" "
		line=\$(systemd-analyze security --no-pager $1 | tail -n 1)
		echo \"\$line\"
		[[ \$line =~ :\ ([0-9.]+)\  ]] && awk 'BEGIN { exit !('\${BASH_REMATCH[1]}' <= $2) }'"
}
exposed kcuckoo.service 2.1
exposed kcuckoo-apply.service 2.1
exposed kcuckoo-fetch.service 2.1
exposed kcuckoo-save.service 2.8
exposed kcuckoo-device@eth0.service 2.8

inside 'folders have their owners' '
	[ "$(stat -c "%n %U %a" /etc/kcuckoo/credentials /run/kcuckoo /var/cache/kcuckoo \
		/var/lib/kcuckoo /var/lib/kcuckoo/lists)" = "/etc/kcuckoo/credentials root 700
/run/kcuckoo root 755
/var/cache/kcuckoo _kcuckoo 755
/var/lib/kcuckoo root 755
/var/lib/kcuckoo/lists _kcuckoo 755" ] || { stat -c "%n %U %a" /run/kcuckoo /var/*/kcuckoo; exit 1; }'
inside 'the device has its group' '[ "$(stat -c "%G %a" /dev/kcuckoo)" = "kcuckoo 660" ]'
inside '_kcuckoo cannot use the device' '! setpriv --reuid=_kcuckoo --regid=_kcuckoo --clear-groups kcuckoo list'

# A program that reports what it may do takes the place of kcuckoo fetch, and waits or fails
# when the test wants it to. test_fetch.sh runs kcuckoo fetch itself.
guest 'echo secret >/etc/kcuckoo/credentials/feed
mkdir -p /etc/systemd/system/kcuckoo-fetch.service.d /etc/systemd/system/kcuckoo-apply.service.d
cat >/usr/local/sbin/look <<"LOOK"
#!/bin/bash
id -un >/var/lib/kcuckoo/lists/user
cat "$CREDENTIALS_DIRECTORY/kcuckoo_feed" >/var/lib/kcuckoo/lists/credential
grep -E "^Cap(Eff|Bnd)|^NoNewPrivs" /proc/self/status >/var/lib/kcuckoo/lists/status
touch /var/cache/kcuckoo/body
touch /var/lib/kcuckoo/other 2>/dev/null && touch /var/lib/kcuckoo/lists/escaped
unshare -n true 2>/dev/null && touch /var/lib/kcuckoo/lists/escaped
while [ -e /var/cache/kcuckoo/wait ]; do sleep 0.1; done
[ ! -e /var/cache/kcuckoo/fail ]
LOOK
chmod 755 /usr/local/sbin/look
printf "[Service]\nExecStart=\nExecStart=/usr/local/sbin/look\n" >/etc/systemd/system/kcuckoo-fetch.service.d/look.conf
printf "[Service]\nExecStartPost=/bin/touch /run/kcuckoo/applied\n" >/etc/systemd/system/kcuckoo-apply.service.d/mark.conf
systemctl daemon-reload'
inside 'a fetch succeeds as _kcuckoo' 'systemctl start kcuckoo-fetch.service &&
	[ "$(cat /var/lib/kcuckoo/lists/user)" = _kcuckoo ]'
inside 'a fetch has its credential' '[ "$(cat /var/lib/kcuckoo/lists/credential)" = secret ]'
inside 'a fetch has no privilege' '[ "$(awk "{ print \$2 }" /var/lib/kcuckoo/lists/status | tr "\n" " ")" = \
	"0000000000000000 0000000000000000 1 " ] && [ ! -e /var/lib/kcuckoo/lists/escaped ]'
applied='for i in {1..100}; do [ -e /run/kcuckoo/applied ] && exit; sleep 0.2; done
	systemctl status --no-pager kcuckoo-apply.service; exit 1'
inside 'lists are applied after a fetch' "$applied"
guest 'touch /var/cache/kcuckoo/fail; rm /run/kcuckoo/applied'
inside 'a fetch that fails is a failed unit' '! systemctl start kcuckoo-fetch.service'
inside 'lists are applied after it, too' "$applied"

inside 'a stop of kcuckoo.service ends the timer' 'systemctl start kcuckoo-fetch.timer &&
	systemctl stop kcuckoo.service && ! systemctl is-active kcuckoo-fetch.timer'
inside 'a start starts it' 'systemctl start kcuckoo.service && systemctl is-active kcuckoo-fetch.timer'

# stays_stopped: nothing was applied again within some seconds.
stays_stopped='sleep 5; [ ! -e /run/kcuckoo/applied ] && [ -z "$(kcuckoo list)" ] || {
	journalctl -b -n 30 --no-pager; exit 1; }'
inside 'a stop during a fetch applies nothing afterwards' '
	touch /var/cache/kcuckoo/wait; rm -f /run/kcuckoo/applied
	systemctl start --no-block kcuckoo-fetch.service
	for i in {1..100}; do
		[ "$(systemctl is-active kcuckoo-fetch.service)" != activating ] || break; sleep 0.1
	done
	[ $i != 100 ] && kcuckoo list | grep bans && systemctl stop kcuckoo.service
	'"$stays_stopped"
guest 'rm /var/cache/kcuckoo/wait'
inside 'nor does a fetch after a stop that fails' '! systemctl start kcuckoo-fetch.service
	'"$stays_stopped"
inside 'nor one that succeeds' 'rm /var/cache/kcuckoo/fail; systemctl start kcuckoo-fetch.service
	'"$stays_stopped"
inside 'after a start, a fetch applies its lists' 'systemctl start kcuckoo.service kcuckoo-fetch.service
	'"$applied"

# A namespace has units of its own. Its list is what kcuckoo fetch would write.
guest 'ip netns add blue; mkdir -p /etc/kcuckoo/netns/blue /etc/systemd/system/kcuckoo-fetch@.service.d
printf "%s\n" "[list far]" "url = https://192.0.2.1/list" "[filter far]" "list = far" \
	"[filter kept]" "keep = yes" >/etc/kcuckoo/netns/blue/a.conf
cat >/usr/local/sbin/write <<"WRITE"
#!/bin/bash
mkdir -p /var/lib/kcuckoo/lists/netns/blue
cd /var/lib/kcuckoo/lists/netns/blue && echo 198.51.100.1 >body &&
	{ echo "# kcuckoo-list 1 far members 1 bytes $(stat -c %s body) sha256 $(sha256sum <body | cut -d " " -f 1)"
	cat body; } >far.list
WRITE
chmod 755 /usr/local/sbin/write
printf "[Service]\nExecStart=\nExecStart=/usr/local/sbin/write\n" >/etc/systemd/system/kcuckoo-fetch@.service.d/write.conf
systemctl daemon-reload; systemctl start kcuckoo@blue.service kcuckoo-fetch@blue.timer' >/dev/null
inside 'the lists of a namespace are fetched and applied' '
	[ "$(systemctl is-failed kcuckoo@blue.service)" = failed ] && systemctl start kcuckoo-fetch@blue.service
	for i in {1..100}; do kcuckoo -n blue -q test far 198.51.100.1 && break; sleep 0.2; done
	kcuckoo -n blue list far | grep -x 198.51.100.1 && ! kcuckoo list far ||
		{ journalctl -b -n 40 --no-pager; exit 1; }'
inside 'a stop ends its timer, and saves and removes its filters' '
	kcuckoo -n blue -q add kept 198.51.100.2 && systemctl stop kcuckoo@blue.service &&
	[ "$(systemctl is-active kcuckoo-fetch@blue.timer)" = inactive ] &&
	[ -z "$(kcuckoo -n blue list)" ] && [ -e /var/lib/kcuckoo/netns/blue/kept.kcf ] &&
	[ -n "$(kcuckoo list)" ] || { journalctl -b -n 40 --no-pager; exit 1; }'
inside 'a fetch after it applies nothing there' 'systemctl start kcuckoo-fetch@blue.service; sleep 5
	[ -z "$(kcuckoo -n blue list)" ]'
inside 'a start restores them' 'systemctl start kcuckoo@blue.service &&
	kcuckoo -n blue -q test far 198.51.100.1 && kcuckoo -n blue -q test kept 198.51.100.2'

power_off
arguments=(kcuckoo.off=1)
power_on
settle
inside 'with kcuckoo.off=1 there are no filters and rules, and no unit has failed' '
	[ -z "$(kcuckoo list)" ] && [ "$(systemctl is-active kcuckoo.service)" = inactive ] &&
	[ -z "$(systemctl --failed --no-legend)" ] || { kcuckoo list; systemctl --failed; exit 1; }'
guest 'rm -f /run/kcuckoo/applied'
inside 'nor after a fetch' 'systemctl start kcuckoo-fetch.service; sleep 5
	[ ! -e /run/kcuckoo/applied ] && [ -z "$(kcuckoo list)" ]'
finish
