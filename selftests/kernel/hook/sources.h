/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What becomes of packets from listed and other sources.
 */
#ifndef KCUCKOO_SOURCES_H
#define KCUCKOO_SOURCES_H

#include "link.h"

/* Every listed source passes as is told, to the host and to the far end; others do. */
static inline void sources(struct __test_metadata *_metadata, bool to_host, bool to_far)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_EQ(to_host, passes(bad[i], host_for(bad[i])))
			TH_LOG("listed %s to the host", bad[i]);
		EXPECT_EQ(to_far, passes(bad[i], far_for(bad[i])))
			TH_LOG("listed %s to the far end", bad[i]);
	}
	for (i = 0; i < ARRAY_SIZE(good); i++) {
		EXPECT_TRUE(passes(good[i], host_for(good[i])))
			TH_LOG("%s to the host", good[i]);
		EXPECT_TRUE(passes(good[i], far_for(good[i])))
			TH_LOG("%s to the far end", good[i]);
	}
}

#endif /* KCUCKOO_SOURCES_H */
