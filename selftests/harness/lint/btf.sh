#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A module that BPF programs can call takes more than a build may find; what is missing
# is told in one line, and the build goes on.

# shellcheck source=selftests/harness/lint/tree.sh
. "$(dirname "$0")/tree.sh"

headers=$scratch/headers
mkdir -p "$headers/include/generated" "$headers/include/config" \
	"$headers/tools/bpf/resolve_btfids" "$scratch/bin"
echo "#define UTS_RELEASE \"$(uname -r)\"" >"$headers/include/generated/utsrelease.h"
echo CONFIG_DEBUG_INFO_BTF_MODULES=y >"$headers/include/config/auto.conf"
touch "$scratch/module.ko"
for program in pahole readelf; do
	printf '#!/bin/sh\n' >"$scratch/bin/$program"
	chmod +x "$scratch/bin/$program"
done
cp "$scratch/bin/pahole" "$headers/tools/bpf/resolve_btfids/resolve_btfids"

# without WHY SETTING...: goes without, and says why.
without() {
	local why=$1

	shift
	env -u KCUCKOO_CACHE "$@" PATH="$scratch/bin:$PATH" \
		"$top/kmod/btf.sh" "$headers" "$scratch/module.ko" >"$scratch/log" 2>&1 ||
		{ echo "btf.sh with $*: exit status $?"; cat "$scratch/log"; exit 1; }
	[[ $(<"$scratch/log") = *"has no BTF"*"($why"* && $(wc -l <"$scratch/log") = 1 ]] ||
		{ echo "btf.sh with $*:"; cat "$scratch/log"; exit 1; }
}

without 'cannot write to /dev/null' HOME=/dev/null
without 'cannot write to /dev/null' KCUCKOO_CACHE=/dev/null/cache
printf '#!/bin/sh\nexit 2\n' >"$scratch/bin/getent"
chmod +x "$scratch/bin/getent"
without 'there is no home folder' -u HOME
printf '#!/bin/sh\necho nobody:x:1:1::/dev/null:/bin/sh\n' >"$scratch/bin/getent"
without 'cannot write to /dev/null' -u HOME
