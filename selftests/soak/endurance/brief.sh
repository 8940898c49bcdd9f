#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# brief.sh: of what has to hold for very long that which needs no machine, for a few
# seconds. TAP on standard output; exit 1 when it failed.

LOOKUPS=${LOOKUPS:-3000000} exec "$(dirname "$0")/run.sh" process
