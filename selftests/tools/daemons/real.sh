#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# real.sh [fail2ban|fail2ban-13|crowdsec|sshguard|prometheus]...
#
# Run Debian's own programs that ban addresses in the machine, all unless some are named, and
# the tests of the metrics with the promtool of Prometheus. The packages are only unpacked, into
# the cache: installed ones would start services on this host. fail2ban-13 is the fail2ban of
# Debian 13.

set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd -P)
selftests=$(cd "$here/../.." && pwd -P)
# shellcheck source=selftests/harness/debian.sh
. "$selftests/harness/debian.sh"

# unpacked PACKAGE...: the folder with their files.
unpacked() {
	local package version folder temporary names=()

	for package; do
		version=$(candidate "$package") || die "apt offers no $package"
		names+=("$package=$version")
	done
	folder=$cache/$(IFS=+; echo "${names[*]}")
	if [ ! -d "$folder" ]; then
		say "fetching $* (for the tests of programs that work with kcuckoo)"
		temporary=$(mktemp -d "$cache/daemons.XXXXXX")
		download "$temporary" "${names[@]}"
		for package in "$temporary"/*.deb; do
			dpkg-deb -x "$package" "$temporary/new"
		done
		mv -T "$temporary/new" "$folder" 2>/dev/null || [ -d "$folder" ]
		rm -rf "$temporary"
	fi
	echo "$folder"
}

# run NAME: its test, in a machine of its own.
run() {
	local folder

	case $1 in
	fail2ban) folder=$(unpacked fail2ban) ;;
	fail2ban-13) folder=$(use_suite trixie && unpacked fail2ban) ;;
	crowdsec) folder=$(unpacked crowdsec crowdsec-custom-bouncer) ;;
	sshguard) folder=$(unpacked sshguard) ;;
	prometheus) folder=$(unpacked prometheus) ;;
	*) die "no test $1: fail2ban, fail2ban-13, crowdsec, sshguard or prometheus" ;;
	esac
	echo "# $1: $(basename "$folder")"
	if [ "$1" = prometheus ]; then
		"$selftests/harness/vm/run.sh" --timeout 1500 --cpus 1 -- \
			env "PATH=$folder/usr/bin:$PATH" "$selftests/tools/cli/prometheus.sh"
		return
	fi
	"$selftests/harness/vm/run.sh" --timeout 1500 -- \
		"$here/real_guest.sh" "${1%-13}" "$folder"
}

[ $# -gt 0 ] || set -- fail2ban fail2ban-13 crowdsec sshguard prometheus
failed=
for name; do
	run "$name" || failed="$failed $name"
done
[ -z "$failed" ] || die "failed:$failed"
