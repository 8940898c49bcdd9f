// SPDX-License-Identifier: GPL-2.0-only
/*
 * Define the tracepoints kcuckoo_move and kcuckoo_resize, which trace.h declares.
 */
#define CREATE_TRACE_POINTS
#include "filter/trace.h"
