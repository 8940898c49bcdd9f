/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tracepoints for moves of entries and for replacements of layers.
 *
 * An event identifies the filter by the hash of its kernel address (%p), because the name
 * of a filter can change.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM kcuckoo

#if !defined(_KCUCKOO_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _KCUCKOO_TRACE_H

#include <linux/tracepoint.h>

#include "filter/filter.h"

/**
 * kcuckoo_move() - report that an entry was moved to its alternate bucket
 * @filter: the filter
 * @index: number of the layer
 * @from: old place of the entry
 * @to: new place of the entry
 */
TRACE_EVENT(kcuckoo_move,
	TP_PROTO(const struct kcuckoo_filter *filter, unsigned int index,
		 u64 from, u64 to),
	TP_ARGS(filter, index, from, to),
	TP_STRUCT__entry(
		__field(const void *, filter)
		__field(unsigned int, index)
		__field(u64, from)
		__field(u64, to)
	),
	TP_fast_assign(
		__entry->filter = filter;
		__entry->index = index;
		__entry->from = from;
		__entry->to = to;
	),
	TP_printk("filter=%p layer=%u from=%llu to=%llu", __entry->filter,
		  __entry->index, __entry->from, __entry->to)
);

/**
 * kcuckoo_resize() - report that a layer was replaced by a layer of another size
 * @filter: the filter
 * @index: number of the layer
 * @from: number of buckets of the old layer; has no meaning if the old layer is a bitmap
 * @to: number of buckets of the new layer; has no meaning if the new layer is a bitmap
 * @entries: number of members of the old layer when it was replaced
 */
TRACE_EVENT(kcuckoo_resize,
	TP_PROTO(const struct kcuckoo_filter *filter, unsigned int index,
		 u32 from, u32 to, u64 entries),
	TP_ARGS(filter, index, from, to, entries),
	TP_STRUCT__entry(
		__field(const void *, filter)
		__field(unsigned int, index)
		__field(u32, from)
		__field(u32, to)
		__field(u64, entries)
	),
	TP_fast_assign(
		__entry->filter = filter;
		__entry->index = index;
		__entry->from = from;
		__entry->to = to;
		__entry->entries = entries;
	),
	TP_printk("filter=%p layer=%u from=%u to=%u entries=%llu",
		  __entry->filter, __entry->index, __entry->from, __entry->to,
		  __entry->entries)
);

#endif /* _KCUCKOO_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH filter
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
