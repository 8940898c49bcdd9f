#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What syzkaller is told of the device fits the contract: each call is described, each
# value that a field may have is named, sizes and places are the header's, and a
# snapshot begins as the module's do.

# shellcheck source=selftests/harness/lint/tree.sh
. "$(dirname "$0")/tree.sh"
need gcc awk

text=selftests/soak/fuzz/kcuckoo.txt
header=uapi/linux/kcuckoo.h
snapshot=kmod/filter/snapshot.h
failed=0

# wanted NAME: it has to be in the description.
wanted() {
	grep -qwF -- "$1" $text || { echo "$text: $1 is missing"; failed=1; }
}

mapfile -t calls < <(sed -nE 's/^#define (KCUCKOO_IOC_[A-Z_]+)[[:space:]]+_IO\(.*/\1/p' $header)
[ ${#calls[@]} -gt 0 ] || { echo "$header: no calls found"; failed=1; }
for name in "${calls[@]}"; do
	wanted "ioctl\$$name(fd fd_kcuckoo, cmd const[$name]"
done

groups='TYPE|HASH|FAMILY|HOOK|MATCH|ACTION|CREATE|ADD|TEST|DETACH|SLOT'
mapfile -t values < <(sed -nE \
	-e "s/^[[:space:]]+(KCUCKOO_($groups)_[A-Z0-9_]+)[[:space:]]*=.*/\1/p" \
	-e "s/^#define (KCUCKOO_($groups)_[A-Z0-9_]+)[[:space:]]+[^\"]*$/\1/p" $header)
for name in "${values[@]}"; do
	wanted "$name"
done

# number NAME: that a line of the snapshot's header defines, as it is written there
number() {
	sed -nE "s/^#define KCUCKOO_IMAGE_$1[[:space:]]+([0-9a-fx]+)(ULL)?$/\1/p" $snapshot
}

wanted "const[$(number MAGIC), int64]"
wanted "const[$(number VERSION), int32]"

# image: how a snapshot begins and ends, and a layer of it
image() {
	echo 'typedef uint8_t u8; typedef uint32_t u32; typedef uint64_t u64;'
	echo '#define KCUCKOO_FAMILIES 2'
	sed -nE '/^struct kcuckoo_image[a-z_]* \{$/,/^\};$/p' $snapshot
	cat <<'END'
_Static_assert(sizeof(text_kcuckoo_image) ==
	       sizeof(struct kcuckoo_image_header) +
	       sizeof(struct kcuckoo_image_trailer),
	       "kcuckoo_image is not header and trailer of a snapshot");
_Static_assert(sizeof(text_kcuckoo_image_layer) == sizeof(struct kcuckoo_image_layer),
	       "kcuckoo_image_layer is not as long as a layer's");
END
}

{
	awk -f "$lint/syzkaller.awk" "$top/selftests/harness/lint/layout.h" $text
	image
} >"$scratch/syzkaller.c"
gcc -std=gnu11 -Iuapi -fsyntax-only "$scratch/syzkaller.c" || failed=1
exit $failed
