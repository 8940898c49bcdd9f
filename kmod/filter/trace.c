// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tracepoints: their one definition.
 */
#define CREATE_TRACE_POINTS
#include "filter/trace.h"
