#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# previous.sh: build the module of the previous release for the stock kernel, from the history
# of this tree, and run the command of this tree with it in a machine.

set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd -P)
top=$(cd "$here/../.." && pwd -P)

# The last commit with the module of version 0.4.0.
commit=40f65d87063b7d1730e71b82d84d1b80b4352786
build=$top/build/previous

git -C "$top" cat-file -e "$commit^{commit}" 2>/dev/null || {
	echo "previous: this tree has no commit $commit: fetch its history (git fetch --unshallow)" >&2
	exit 1
}
kernel=$("$here/vm/kernel.sh" stock)
rm -rf "$build"
mkdir -p "$build"
git -C "$top" archive "$commit" Kbuild kmod uapi | tar -x -C "$build"
make -s -j"$(nproc)" -C "$kernel/kdir" M="$build" modules >"$build/log" 2>&1 || {
	cat "$build/log" >&2
	exit 1
}
"$here/vm/run.sh" --timeout 600 -- env KCUCKOO_PREVIOUS="$build/kcuckoo.ko" \
	"$top/selftests/tools/cli/previous.sh"
