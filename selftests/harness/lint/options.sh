#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A kernel without x_tables gets kcuckoo.ko alone, which make install installs; where the
# kernel lacks an option that the module needs, a sentence names the option.

# shellcheck source=selftests/harness/lint/tree.sh
. "$(dirname "$0")/tree.sh"
need make gcc cpio git

headers=$(kernel_headers) || exit 1
mapfile -t sources < <(files 'kmod/*.c')
[ ${#sources[@]} -gt 0 ] || { echo "no C file found"; exit 1; }
reads Kbuild Makefile 'kmod/*.sh' 'selftests/*.sh' 'selftests/kernel/api/*'

# The check is of the makefiles. Empty files in place of the sources keep the builds fast,
# and a change of a source does not need another build.
for file in "${sources[@]}"; do
	mkdir -p "${file%/*}"
	: >"$file"
done
for file in kmod/main.c kmod/xt_kcuckoo.c; do
	echo '#include <linux/module.h>
		MODULE_LICENSE("GPL"); MODULE_DESCRIPTION("An empty file");' >"$file"
done

mapfile -t list < <(files '*'; header_files "$headers")
known "${list[@]}" && exit

# build WORD...: the kernel's make for the copy of the tree.
build() {
	make -j"${JOBS:-$(nproc)}" -C "$headers" M="$top" "$@" >"$scratch/log" 2>&1
}

# complain WORDS: what is wrong, and what make printed.
complain() {
	echo "$*"
	tail -n 5 "$scratch/log"
	exit 1
}

# lacks OPTION: without it there is no module, and a sentence says so.
lacks() {
	! build "CONFIG_$1=" modules || complain "without CONFIG_$1: the module builds"
	grep -q "kcuckoo needs a kernel with CONFIG_$1, and this one has none" \
		"$scratch/log" || complain "without CONFIG_$1: no word of it"
}

# made: the modules that are in the copy of the tree.
made() {
	echo *.ko
}

lacks 64BIT
lacks NETFILTER
lacks CRC32

build CONFIG_NETFILTER_XTABLES= modules || complain "without x_tables:"
[ "$(made)" = kcuckoo.ko ] || complain "without x_tables there is: $(made)"
touch xt_kcuckoo.ko
make -C "$top" install-modules KDIR="$headers" \
	DESTDIR="$scratch/root" >"$scratch/log" 2>&1 || complain "make install-modules:"
installed=$(cd "$scratch/root" && find . -type f | sed 's|.*/||')
[ "$installed" = kcuckoo.ko ] || complain "make install installs $installed"

build clean || complain "make clean:"
[ ! -e kcuckoo.ko ] || complain "make clean leaves kcuckoo.ko"
keep
