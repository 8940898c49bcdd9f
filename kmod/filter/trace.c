// SPDX-License-Identifier: GPL-2.0-only
/*
 * Define the tracepoints of trace.h. update.c and resize.c emit their events.
 */
#define CREATE_TRACE_POINTS
#include "filter/trace.h"
