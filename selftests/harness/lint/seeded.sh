#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Every bug that seeded/ keeps can still be put into this tree, names the test that
# catches it, and is in the table of README.md.

# shellcheck source=selftests/harness/lint/tree.sh
. "$(dirname "$0")/tree.sh"
need patch

failed=0
while read -r file; do
	patch -s -p1 --dry-run <"$file" || { echo "$file does not apply"; failed=1; }
	grep -q '^Caught-by: ' "$file" || { echo "$file: caught by what?"; failed=1; }
	grep -qF "| \`$(basename "$file" .patch)\` |" selftests/README.md ||
		{ echo "selftests/README.md: no row for $file"; failed=1; }
done < <(files 'selftests/soak/seeded/*.patch')
exit $failed
