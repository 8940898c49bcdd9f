// SPDX-License-Identifier: GPL-2.0-only
/*
 * Define the tracepoints of trace.h, whose events update.c and resize.c emit.
 */
#define CREATE_TRACE_POINTS
#include "filter/trace.h"
