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

commands=("$@")
[ $# -gt 0 ] || commands=('make demo' 'make test')
[ "$(id -u)" = 0 ] || die 'a chroot takes root'
"$here/packages.sh" newest

# Outside the folders that the virtual machine replaces by its own.
root=$(mktemp -d "$top/build.test.XXXXXX")
trap 'rm -rf --one-file-system "$root"' EXIT

say "making a chroot of $(codename) with git and make"
mmdebstrap --quiet --mode=root --variant=apt --include=git,make,ca-certificates \
	"$(codename)" "$root" "deb $(mirror) $(codename) main" >&2
cp -L /etc/resolv.conf /etc/hosts "$root/etc"
git clone -q "$top" "$root/root/kcuckoo"

# inside COMMAND: no mount and no process outlives it.
inside() {
	# shellcheck disable=SC2016 # for the inner shell to expand
	unshare --mount --pid --fork --kill-child sh -euc '
		for folder in proc sys dev; do
			mount --rbind --make-rslave /$folder "$1/$folder"
		done
		mount -t proc proc "$1/proc"
		if [ -n "$3" ]; then
			mkdir -p "$1/root/.cache/kcuckoo"
			mount --bind "$3" "$1/root/.cache/kcuckoo"
		fi
		exec chroot "$1" env -i HOME=/root LANG=C.UTF-8 \
			PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
			sh -c "cd /root/kcuckoo && $2"' inside "$root" "$1" "${CACHE:-}"
}

for command in "${commands[@]}"; do
	say "on the fresh machine: $command"
	inside "$command" || die "on a fresh machine this fails: $command"
done
say "on a fresh machine these succeed: ${commands[*]/%/;}"
