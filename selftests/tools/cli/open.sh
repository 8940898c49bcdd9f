#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Who may open the device, and what the others read about it.

# shellcheck source=selftests/tools/cli/harness.sh
. "$(dirname "$0")/harness.sh"

# The file as the module makes it: one that was there before keeps its mode.
unloads kcuckoo
rm -f /dev/kcuckoo
modprobe kcuckoo

# as PROGRAM...: the command, run by way of another program.
as() {
	"$@" >"$scratch/out" 2>"$scratch/err" </dev/null
	status=$?
	out=$(<"$scratch/out")
	err=$(<"$scratch/err")
	last=$*
}

# user [CAPABILITY]: the options of setpriv for a user of the group 65534.
user() {
	echo --reuid 65534 --regid 65534 --clear-groups \
		${1:+--inh-caps "+$1" --ambient-caps "+$1"}
}

test_mode() { # a user with the capability who may not open the file
	# shellcheck disable=SC2046 # words
	as setpriv $(user net_admin) kcuckoo list
	refused 'cannot open /dev/kcuckoo: it has mode 0660, owner root and group root' \
		'chgrp kcuckoo /dev/kcuckoo' udev
	err_has_not CAP_NET_ADMIN
	# shellcheck disable=SC2046 # words
	as setpriv $(user) kcuckoo list
	refused 'it has mode 0660' 'CAP_NET_ADMIN over the network namespace is needed, too'
}

test_group() { # a user of the group of the file, with the capability and without
	k create bl
	chgrp 65534 /dev/kcuckoo
	# shellcheck disable=SC2046 # words
	as setpriv $(user net_admin) kcuckoo add bl 192.0.2.7
	status_is 0
	# shellcheck disable=SC2046 # words
	as setpriv $(user) kcuckoo add bl 192.0.2.8
	refused 'CAP_NET_ADMIN over the network namespace is needed'
	err_has_not mode
	# shellcheck disable=SC2046 # words
	as setpriv --reuid 65534 --regid 65533 --clear-groups kcuckoo list
	refused "as a member of the group $(getent group 65534 | cut -d: -f1)"
	err_has_not groupadd
	chgrp 0 /dev/kcuckoo
	members_are 192.0.2.7
}

test_other_namespace() { # root of another user namespace has the capability, not here
	as unshare --user --map-root-user kcuckoo list
	refused 'although this process has CAP_NET_ADMIN' \
		'the user namespace that owns this network namespace' \
		'--device /dev/kcuckoo'
	as unshare --user --map-root-user --net kcuckoo list
	status_is 0
}

test_nodev() { # the file is on a file system without devices
	mkdir "$scratch/nodev"
	mount -t tmpfs -o nodev none "$scratch/nodev"
	mknod -m 666 "$scratch/nodev/kcuckoo" c 10 247
	mount --bind "$scratch/nodev/kcuckoo" /dev/kcuckoo
	k list
	umount /dev/kcuckoo "$scratch/nodev"
	refused 'although its mode allows it' nodev
	err_has_not CAP_NET_ADMIN
}

test_other_number() { # the file has another number than the device
	k list
	mv /dev/kcuckoo /dev/kcuckoo.away
	mknod /dev/kcuckoo c 10 254
	k list
	refused '/dev/kcuckoo is not the device of the loaded module' mknod
	err_has_not modprobe
	# What it says helps.
	bash -c "$(grep -o 'rm /dev/kcuckoo$' <<<"$err") && $(grep -o 'mknod.*' <<<"$err")" ||
		complain "does not help: $err"
	k list
	status_is 0
	mv /dev/kcuckoo.away /dev/kcuckoo
}

test_not_loaded() { # the module is not loaded, and the user may not load it
	unloads kcuckoo
	rm -f /dev/kcuckoo
	as setpriv --reuid 65534 --clear-groups kcuckoo list
	refused 'the kernel module kcuckoo is not loaded' 'modprobe kcuckoo'
	err_has_not CAP_NET_ADMIN
	modprobe kcuckoo
}

main "$0"
