#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# filters.sh FOLDER [PART...]: print the sources of the module's filters and of the core
# below them, and of further parts of kmod/filter/, for programs that have these in a process, and put
# the headers into FOLDER that they include: the kernel's jhash, and empty ones, as
# unit/shim/filters.h has what is in them.

set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd -P)

empty='linux/atomic linux/bug linux/crc32 linux/err linux/interrupt linux/irqflags linux/jiffies
linux/ktime linux/list linux/mm linux/mutex linux/overflow linux/percpu linux/random
linux/ratelimit linux/ratelimit_types linux/rculist linux/rcupdate linux/refcount linux/sched
linux/sched/signal linux/seqlock linux/slab linux/spinlock linux/tracepoint
linux/workqueue trace/define_trace'

core='hash permutation semisort table_params table search layout store rate rehash length_index
prefix'
filters='config filter table_set lookup lookup_fast update update_packet sweep resize index walk expiry event'

mkdir -p "$1"/linux/sched "$1"/trace
for header in $empty; do
	: >"$1/$header.h"
done
"$here/jhash.sh" "$1"
for part in $core; do
	echo "$here/../../kmod/core/$part.c"
done
for part in $filters "${@:2}"; do
	echo "$here/../../kmod/filter/$part.c"
done
