#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# run.sh [TEST...]: build the tests of the filters that benchmarks compare with,
# with sanitizers, and run all or those named. TAP on standard output; fails
# when a test did, or memory leaked. SEED= gives other random numbers, CC=
# another compiler, BASELINES_BUILD= another folder for what is built, TIMEOUT=
# other seconds than 300 for all.

here=$(cd "$(dirname "$0")" && pwd)
selftests=$(cd "$here/../.." && pwd)
build=${BASELINES_BUILD:-$selftests/../build/baselines}
flags=(-std=gnu11 -O2 -g -fno-omit-frame-pointer -Wall -Wextra -Werror
	-fsanitize=address -fsanitize=undefined -fno-sanitize-recover=all
	"-I$selftests/unit/shim" "-I$selftests/unit/core" "-I$here")

if ! mkdir -p "$build" ||
   ! "${CC:-gcc}" "${flags[@]}" -o "$build/test_baselines" "$here"/*.c -lm >&2
then
	echo "Bail out! the tests do not compile"
	exit 1
fi
exec timeout "${TIMEOUT:-300}" "$build/test_baselines" "$@"
