#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The module builds with W=1 and every warning as an error, and sparse finds
# nothing on the way: address spaces, byte order, lock balance. No files of the module use
# functions or data of each other in a circle.

# shellcheck source=selftests/harness/lint/tree.sh
. "$(dirname "$0")/tree.sh"
need make gcc sparse nm tsort cpio git

headers=$(kernel_headers) || exit 1
reads Kbuild 'kmod/*' 'uapi/*'
mapfile -t list < <(files '*'; header_files "$headers")
known "${list[@]}" && exit

make -j"${JOBS:-$(nproc)}" -C "$headers" M="$top" W=1e C=2 CF=-Wsparse-error \
	modules >"$scratch/log" 2>&1
status=$?
if [ $status -ne 0 ] ||
	grep -qE '^(WARNING|ERROR)|kmod/.*(warning|error):' "$scratch/log"; then
	grep -vE '^(make|  (CC|LD|MODPOST|BTF|CHECK))' "$scratch/log" | head -n 100
	exit 1
fi
grep -q '^ *CHECK ' "$scratch/log" || { echo "sparse was not run"; exit 1; }

# uses: a line "FILE OTHER" for each file that uses a symbol of another file
uses() {
	find kmod -name '*.o' ! -name '*.mod.o' -exec nm -o {} + | tr ':' ' ' | awk '
		NF == 4 && $3 ~ /[A-Z]/ { home[$4] = $1 }
		NF == 3 && $2 == "U" { use[++uses] = $3; user[uses] = $1 }
		END {
			for (i = 1; i <= uses; i++)
				if (use[i] in home && home[use[i]] != user[i])
					print user[i], home[use[i]]
		}' | sed 's/\.o\b/.c/g' | sort -u
}

uses >"$scratch/uses"
if ! tsort <"$scratch/uses" >/dev/null 2>"$scratch/circles"; then
	echo "the files of the module use each other in a circle:"
	cat "$scratch/circles"
	exit 1
fi
keep
