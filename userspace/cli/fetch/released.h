/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header has the earliest time that a correct clock can show while this version
 * runs.
 */
#ifndef KCUCKOO_CLI_RELEASED_H
#define KCUCKOO_CLI_RELEASED_H

/*
 * A day before this version was released: 1 November 2026, 00:00 UTC, in seconds since
 * 1970. A clock that shows an earlier time is wrong.
 */
#define CLOCK_RELEASED	1793491200

#endif /* KCUCKOO_CLI_RELEASED_H */
