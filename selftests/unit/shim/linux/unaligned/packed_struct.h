/* SPDX-License-Identifier: GPL-2.0-only */
/* The older name of <linux/unaligned.h>. */
#include <linux/unaligned.h>
