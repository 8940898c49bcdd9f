#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The example of libkcuckoo(3), which the Makefile compiles as it stands there.

# shellcheck source=selftests/tools/cli/harness.sh
. "$(dirname "$0")/../cli/harness.sh"

example=$(dirname "$0")/example

test_blocks() { # an address is a member for ten minutes, also the second time
	"$example" 192.0.2.7 || complain "it failed"
	"$example" 2001:db8::/32 || complain "it failed the second time"
	k list guests
	[[ $out == *'192.0.2.7 timeout '[56]* && $out == *'2001:db8::/32 timeout '[56]* ]] ||
		complain "members: $out"
}

test_refuses() { # what is no address, with the words of kcuckoo_strerror()
	"$example" nonsense 2>"$scratch/err" && complain "it succeeded"
	grep -qx 'a value is not allowed' "$scratch/err" || complain "said: $(<"$scratch/err")"
}

main "$0"
