#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# On which kernels hook xdp works, and what the command says where it does not.

# shellcheck source=selftests/tools/cli/harness.sh
. "$(dirname "$0")/../../tools/cli/harness.sh"

# features: what the module reports, with a space around each word.
features() {
	k stats
	status_is 0
	[[ $out =~ (^|$'\n')features\ +([^$'\n']*) ]] || complain "stats: $out"
	features=" ${BASH_REMATCH[2]} "
}

test_kernel() { # hook xdp works from Linux 6.1 on; before, it is refused with the reason
	ip link add v0 type veth peer name v1
	k create bl
	features
	k attach bl hook xdp dev v0
	if [ "$KCUCKOO_KERNEL" = 5.10 ]; then
		refused 'XDP programs cannot call the module on this kernel' 'since Linux 6.0' \
			'hook ingress works'
		[[ $features != *' xdp '* && $features != *' tc '* ]] ||
			complain "features:$features"
	elif [ -e /sys/kernel/btf/vmlinux ]; then
		status_is 0
		[[ $features = *' xdp '* && $features = *' tc '* ]] ||
			complain "features:$features"
		k detach bl
		status_is 0
	else
		refused 'this kernel has no BTF'
	fi
	# Nothing is left of it.
	k destroy bl
	status_is 0
	ip link del v0
}

test_ingress() { # hook ingress works on all kernels
	ip link add v0 type veth peer name v1
	k create bl
	k attach bl hook ingress dev v0
	status_is 0
	k rules
	[[ $out = *ingress*v0* ]] || complain "rules: $out"
	k detach bl
	status_is 0
	k destroy bl
	status_is 0
	ip link del v0
}

main "$0"
