// SPDX-License-Identifier: GPL-2.0-only
/*
 * Define the tracepoints that trace.h declares.
 */
#define CREATE_TRACE_POINTS
#include "filter/trace.h"
