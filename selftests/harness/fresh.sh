#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# fresh.sh [COMMAND...]: a fresh machine with git and make alone, a chroot of Debian
# without any package of ours, gets a clone of what is committed here. The commands run
# there one after the other, by default README's in README's order. Exit status 0 if all
# of them succeed. As root. CACHE=FOLDER lends the chroot a folder of kernels.

set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd -P)
top=$(cd "$here/../.." && pwd -P)
# shellcheck source=selftests/harness/debian.sh
. "$here/debian.sh"
# shellcheck source=selftests/harness/chroot.sh
. "$here/chroot.sh"

commands=("$@")
[ $# -gt 0 ] || commands=('make demo' 'make test')
[ "$(id -u)" = 0 ] || die 'a chroot takes root'
"$here/packages.sh" newest

# Outside the folders that the virtual machine replaces by its own.
root=$(mktemp -d "$top/build.test.XXXXXX")
trap 'rm -rf --one-file-system "$root"' EXIT

say "making a chroot of $(codename) with git and make"
make_chroot "$root" "$(codename)" "deb $(mirror) $(codename) main" git,make,ca-certificates
git clone -q "$top" "$root/root/kcuckoo"

for command in "${commands[@]}"; do
	say "on the fresh machine: $command"
	inside "$root" "cd /root/kcuckoo && $command" "${CACHE:-}" /root/.cache/kcuckoo ||
		die "on a fresh machine this fails: $command"
done
say "on a fresh machine these succeed: ${commands[*]/%/;}"
