#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Rules of hook xdp: when a device appears, the udev rule starts kcuckoo-device@.service, which
# attaches the rule in its sandbox, and packets are dropped. Also at boot, before the network is
# up, if the driver of the device is loaded late. Without such rules no unit starts.

# shellcheck disable=SC2016 # scripts for the machine to expand
# shellcheck source=selftests/system/order.sh
. "$(dirname "$0")/order.sh"

# The privileges for hook xdp are given as kcuckoo(8) says.
configuration='
for unit in kcuckoo kcuckoo-apply; do
	install -D -m 644 /usr/local/share/kcuckoo/xdp.conf /etc/systemd/system/$unit.service.d/xdp.conf
done
systemctl daemon-reload
printf "%s\n" 10.77.0.66 10.88.0.66 >/etc/kcuckoo/bad.txt
cat >/etc/kcuckoo/machine.conf <<"END"
[list bad]
file = /etc/kcuckoo/bad.txt
bogons = yes
[filter bad]
list = bad
[rule fast]
filter = bad
hook = xdp
dev = eth0 late*
END'

# Functions in the machine.
# until_true COMMAND: try for 40 seconds.
# has_rule DEVICE: does the device have a rule?
# gets_rule DEVICE: wait until the device has a rule, and its unit has succeeded.
# time_finished DEVICE: when the unit of the device ended, in microseconds of this boot.
# report DEVICE: what explains a failure.
# link_far: late0, whose other end is peer0 in the network namespace "far".
# received SOURCE: send five UDP packets from 10.88.0.SOURCE in "far"; print how many came in.
functions='
	until_true() { for i in {1..200}; do eval "$1" && return; sleep 0.2; done; false; }
	has_rule() { kcuckoo rules | grep -w xdp | grep -qw "$1"; }
	succeeded() { journalctl -b -o cat -u "kcuckoo-device@$1.service" | grep -q ^Finished; }
	time_finished() {
		journalctl -b -o short-monotonic -u "kcuckoo-device@$1.service" |
			sed -n "s/^\[ *\([0-9]*\)\.\([0-9]*\)\].*: Finished.*/\1\2/p" | tail -n 1
	}
	report() {
		kcuckoo rules
		systemctl status --no-pager "kcuckoo-device@$1.service"
		journalctl -b -n 30 --no-pager
		false
	}
	gets_rule() { until_true "has_rule $1 && succeeded $1" || report "$1"; }
	link_far() {
		ip link add late0 type veth peer name peer0 netns far
		ip addr add 10.88.0.2/24 dev late0
		ip link set late0 up
		ip -n far addr add 10.88.0.66/24 dev peer0
		ip -n far addr add 10.88.0.99/24 dev peer0
		ip -n far link set peer0 up
	}
	listed_packets() { awk "/^Udp: [0-9]/ { print \$3 }" /proc/net/snmp; }
	received() {
		local before

		before=$(listed_packets)
		ip -n far route replace 10.88.0.2/32 dev peer0 src "10.88.0.$1"
		for i in {1..5}; do
			ip netns exec far bash -c "echo >/dev/udp/10.88.0.2/9"
		done
		sleep 1
		echo $(($(listed_packets) - before))
	}
	'

install_disk
power_on
settle
inside 'kcuckoo.service attaches the rule of a device that is there' "$functions$configuration"'
	systemctl restart kcuckoo.service && has_rule eth0 || report eth0'

guest 'ip netns add far'
inside 'a device that appears gets its rule from its unit' "$functions"'link_far; gets_rule late0'
inside 'the unit says so' '
	journalctl -b -o cat -u kcuckoo-device@late0.service | grep "rule fast: attached"'
inside 'packets from listed addresses are dropped there' "$functions"'
	[ "$(received 66)" = 0 ] || { kcuckoo rules; cat /proc/net/snmp; exit 1; }'
inside 'others are not' "$functions"'
	[ "$(received 99)" = 5 ] || { kcuckoo rules; cat /proc/net/snmp; exit 1; }'
inside 'without the rule, packets from listed addresses come in' "$functions"'
	kcuckoo detach bad hook xdp dev late0 && [ "$(received 66)" = 5 ]'
inside 'a device that appears again gets its rule again' "$functions"'
	ip link delete late0 && link_far && until_true "has_rule late0" || report late0
	[ "$(received 66)" = 0 ] && [ "$(received 99)" = 5 ]'
inside 'a dummy device gets its rule' "$functions"'
	ip link add late1 type dummy; gets_rule late1'
inside 'a device that gets a name of the rule gets the rule' "$functions"'
	ip link add early2 type dummy && until_true "succeeded early2" && ! has_rule early2 &&
	ip link set early2 name late2 && gets_rule late2 || report late2'
inside 'devices that appear at the same time get their rules' "$functions"'
	for i in {10..17}; do ip link add late$i type dummy; done
	for i in {10..17}; do gets_rule late$i || exit; done'
inside 'a device that no rule names gets none' "$functions"'
	ip link add other0 type dummy && until_true "succeeded other0" && ! has_rule other0 ||
		report other0'
inside 'no unit failed' '
	[ -z "$(systemctl --failed --no-legend)" ] || { systemctl --failed; exit 1; }'

# In the next boot the driver of eth0 is loaded after kcuckoo.service has run, and sysinit.target
# is not reached before ifupdown has configured the network, or tried to for a minute.
guest 'cat >/usr/local/sbin/late <<"END"
#!/bin/bash
for i in {1..300}; do systemctl is-active -q networking.service && exit; sleep 0.2; done
END
chmod 755 /usr/local/sbin/late
printf "%s\n" [Unit] DefaultDependencies=no Before=sysinit.target [Service] Type=oneshot \
	ExecStart=/usr/local/sbin/late [Install] WantedBy=sysinit.target >/etc/systemd/system/late.service
systemctl --quiet enable late.service
cat >/etc/modprobe.d/late.conf <<"END"
install virtio_net for i in $(seq 600); do [ ! -e /run/kcuckoo/apply ] || break; sleep 0.1; done; \
	/sbin/modprobe --ignore-install virtio_net
END
sync'
start_flood
reboot_machine
inside 'the device appeared after kcuckoo.service' "$times"'
	before "$(monotonic kcuckoo.service ExecMainExitTimestamp)" \
		"$(monotonic sys-subsystem-net-devices-eth0.device ActiveEnterTimestamp)"'
inside 'its unit has attached the rule before the network was configured' "$times$functions"'
	gets_rule eth0 && before "$(time_finished eth0)" \
		"$(monotonic networking.service ExecMainStartTimestamp)"'
inside 'listed packets were seen during the boot, and none came in' "$functions"'
	until_true "kcuckoo -j rules | grep -E \"\\\"packets\\\": *[1-9]\"" &&
	[ "$(listed_packets)" = 0 ] || { report eth0; cat /proc/net/snmp; exit 1; }'
check 'no ordering cycle' no_cycle
inside 'no unit failed after the reboot' '
	[ -z "$(systemctl --failed --no-legend)" ] || { systemctl --failed; exit 1; }'
stop_flood

inside 'without rules of hook xdp, no unit starts for a device' "$functions"'
	sed -i "s/^hook = xdp/hook = ingress/" /etc/kcuckoo/machine.conf
	systemctl reload kcuckoo.service && [ ! -e /run/kcuckoo/xdp ] &&
	ip link add late3 type dummy && udevadm settle && sleep 3 &&
	[ -z "$(journalctl -b -o cat -u kcuckoo-device@late3.service)" ] || report late3'
finish
