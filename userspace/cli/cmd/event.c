// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions write an event of the module as a line of text or as JSON,
 * for the verb monitor.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cmd/event.h"
#include "json.h"
#include "keywords.h"
#include "message.h"

static const struct keyword event_keywords[] = {
	{ "lost",	KCUCKOO_EVENT_LOST },
	{ "created",	KCUCKOO_EVENT_CREATED },
	{ "destroyed",	KCUCKOO_EVENT_DESTROYED },
	{ "renamed",	KCUCKOO_EVENT_RENAMED },
	{ "replaced",	KCUCKOO_EVENT_REPLACED },
	{ "swapped",	KCUCKOO_EVENT_SWAPPED },
	{ "resized",	KCUCKOO_EVENT_RESIZED },
	{ "full",	KCUCKOO_EVENT_FULL },
	{ "refused",	KCUCKOO_EVENT_REFUSED },
	{ "attached",	KCUCKOO_EVENT_ATTACHED },
	{ "detached",	KCUCKOO_EVENT_DETACHED },
	{ "waiting",	KCUCKOO_EVENT_WAITING },
	{ "active",	KCUCKOO_EVENT_ACTIVE },
	{ NULL, 0 }
};

/**
 * struct line - the line of an event, to which functions append
 * @buf: buffer of EVENT_TEXT bytes
 * @length: length of the text in @buf
 */
struct line {
	char *buf;
	size_t length;
};

/* Cut off text that does not fit into the buffer. */
static void PRINTF(2, 3) put(struct line *line, const char *format, ...)
{
	size_t rest = EVENT_TEXT - line->length;
	va_list list;
	int length;

	va_start(list, format);
	length = vsnprintf(line->buf + line->length, rest, format, list);
	va_end(list);
	if (length > 0)
		line->length += (size_t)length < rest ? (size_t)length : rest - 1;
}

static void put_count(struct line *line, __u64 count, const char *one,
		      const char *many)
{
	put(line, ", %llu %s", count, plural(count, one, many));
}

static void put_members(struct line *line, const struct kcuckoo_event *event)
{
	put_count(line, event->members, "member", "members");
}

static bool is_of_rule(const struct kcuckoo_event *event)
{
	return event->type >= KCUCKOO_EVENT_ATTACHED &&
	       event->type <= KCUCKOO_EVENT_ACTIVE;
}

static void put_resized(struct line *line, const struct kcuckoo_event *event)
{
	put(line, event->new_room < event->old_room ? "shrunk" : "grown");
	if (event->family)
		put(line, ", %s /%u", keyword_name(family_keywords, event->family),
		    event->plen);
	put(line, ", table capacity from %llu to %llu", event->old_room,
	    event->new_room);
	put_members(line, event);
}

/* @event: an event KCUCKOO_EVENT_FULL or KCUCKOO_EVENT_REFUSED. */
static const char *reason(const struct kcuckoo_event *event)
{
	switch (event->error) {
	case ENOSPC:
		return event->flags & KCUCKOO_EVENT_BY_PACKETS ?
		       "no reserved entry is free" : "the capacity is used up";
	case EDQUOT:
		return "the limit on memory is reached";
	case ENOMEM:
		return "the kernel does not have enough memory";
	case EEXIST:
		return "copies of the key fill both its buckets";
	case EBUSY:
		return "a rate limit";
	case ENOENT:
		return "no filter has the name";
	case EOPNOTSUPP:
		return "packets cannot change this filter";
	default:
		return kcuckoo_strerror(event->error);
	}
}

static void put_failed(struct line *line, const struct kcuckoo_event *event)
{
	put(line, event->type == KCUCKOO_EVENT_FULL ? "full" : "refused");
	if (event->flags & KCUCKOO_EVENT_BY_PACKETS)
		put_count(line, event->count, "packet", "packets");
	else if (event->error == EEXIST)
		put_count(line, event->count, "key", "keys");
	else
		put_count(line, event->count, "add", "adds");
	put(line, ": %s", reason(event));
	if (event->filter_id)
		put_members(line, event);
}

static void put_device(struct line *line, const struct kcuckoo_event *event)
{
	char buf[DEVICE_TEXT];

	put(line, " %s", device_text((const char *)event->dev, buf));
}

static void put_change(struct line *line, const struct kcuckoo_event *event)
{
	switch (event->type) {
	case KCUCKOO_EVENT_ATTACHED:
		put(line, event->flags & KCUCKOO_EVENT_SAME_RULE ? "replaced rule" :
								   "attached");
		break;
	case KCUCKOO_EVENT_DETACHED:
		put(line, event->flags & KCUCKOO_EVENT_DEV_GONE ?
			  "detached, its device is gone" : "detached");
		break;
	case KCUCKOO_EVENT_WAITING:
		put(line, event->flags & KCUCKOO_EVENT_DEV_WAITING ?
			  "waiting, without device" : "without device");
		put_device(line, event);
		break;
	case KCUCKOO_EVENT_ACTIVE:
		put(line, "active on device");
		put_device(line, event);
		break;
	}
}

static void put_rule(struct line *line, const struct kcuckoo_event *event)
{
	struct kcuckoo_rule rule = {
		.hook = event->hook,
		.family = event->family,
		.match = event->match,
		.action = event->action,
		.mark = event->mark,
	};
	char buf[RULE_TEXT];

	memcpy(rule.allow, event->other, sizeof(rule.allow));
	memcpy(rule.dev, event->dev, sizeof(rule.dev));
	memcpy(rule.pattern, event->pattern, sizeof(rule.pattern));
	put_change(line, event);
	put(line, ": %s", rule_text(&rule, buf));
	if (*event->label)
		put(line, " label %s", (const char *)event->label);
	if (event->type == KCUCKOO_EVENT_DETACHED)
		return;
	if (event->flags & KCUCKOO_EVENT_FILTER_WAITING)
		put(line, ", waits for the filter");
	if (event->flags & KCUCKOO_EVENT_ALLOW_WAITING)
		put(line, ", waits for %s", (const char *)event->other);
	if (event->flags & KCUCKOO_EVENT_DEV_WAITING)
		put(line, ", waits for a device");
}

static void put_filter(struct line *line, const struct kcuckoo_event *event)
{
	const char *other = (const char *)event->other;

	switch (event->type) {
	case KCUCKOO_EVENT_RESIZED:
		put_resized(line, event);
		return;
	case KCUCKOO_EVENT_FULL:
	case KCUCKOO_EVENT_REFUSED:
		put_failed(line, event);
		return;
	case KCUCKOO_EVENT_RENAMED:
		put(line, "renamed to %s", other);
		break;
	case KCUCKOO_EVENT_SWAPPED:
		put(line, "swapped with %s", other);
		break;
	case KCUCKOO_EVENT_REPLACED:
		put(line, *other ? "replaced by %s" : "replaced by a new filter",
		    other);
		break;
	case KCUCKOO_EVENT_CREATED:
	case KCUCKOO_EVENT_DESTROYED:
		put(line, "%s", keyword_name(event_keywords, event->type));
		break;
	default:
		put(line, "event %u, which this version does not know", event->type);
		return;
	}
	put_members(line, event);
	if (event->count)
		put_count(line, event->count, "user waited for the filter",
			  "users waited for the filter");
}

const char *event_text(const struct kcuckoo_event *event, char *buf)
{
	struct line line = { .buf = buf };

	*buf = 0;
	if (event->type == KCUCKOO_EVENT_LOST) {
		put(&line, "%llu %s lost: this command did not read them in time",
		    event->count, plural(event->count, "event", "events"));
		return buf;
	}
	put(&line, "%s: ", (const char *)event->name);
	if (is_of_rule(event))
		put_rule(&line, event);
	else
		put_filter(&line, event);
	return buf;
}

static void set_number(json_t *object, const char *key, __u64 value)
{
	if (value)
		json_object_set_new(object, key, json_integer(value));
}

static void set_name(json_t *object, const char *key, const __u8 *name)
{
	if (*name)
		json_set_text(object, key, (const char *)name,
			      strlen((const char *)name));
}

static void set_keyword(json_t *object, const char *key,
			const struct keyword *keywords, int value)
{
	json_t *word = json_string(keyword_name(keywords, value));

	json_object_set_new(object, key, word);
}

static void set_flag(json_t *object, const char *key,
		     const struct kcuckoo_event *event, __u32 flag)
{
	json_object_set_new(object, key, json_boolean(event->flags & flag));
}

static void set_filter(json_t *object, const struct kcuckoo_event *event)
{
	set_name(object, "other", event->other);
	set_number(object, "filter_id", event->filter_id);
	set_number(object, "other_id", event->other_id);
	json_object_set_new(object, "entries", json_integer(event->members));
	set_number(object, "old_room", event->old_room);
	set_number(object, "new_room", event->new_room);
	if (event->type == KCUCKOO_EVENT_RESIZED && event->family) {
		set_keyword(object, "family", family_keywords, event->family);
		json_object_set_new(object, "length", json_integer(event->plen));
	}
	if (event->error) {
		json_object_set_new(object, "reason", json_string(reason(event)));
		set_flag(object, "packets", event, KCUCKOO_EVENT_BY_PACKETS);
	}
}

static void set_rule(json_t *object, const struct kcuckoo_event *event)
{
	const struct kcuckoo_rule rule = {
		.action = event->action,
		.mark = event->mark,
	};
	char action[ACTION_TEXT];

	set_keyword(object, "hook", hook_keywords, event->hook);
	set_keyword(object, "family", family_keywords, event->family);
	set_keyword(object, "match", match_keywords, event->match);
	json_object_set_new(object, "action",
			    json_string(action_text(&rule, action)));
	set_name(object, "allow", event->other);
	set_name(object, "label", event->label);
	set_name(object, "dev", event->dev);
	set_name(object, "wait_dev", event->pattern);
	set_flag(object, "waiting", event, KCUCKOO_EVENT_FILTER_WAITING);
	set_flag(object, "allow_waiting", event, KCUCKOO_EVENT_ALLOW_WAITING);
	set_flag(object, "dev_waiting", event, KCUCKOO_EVENT_DEV_WAITING);
	if (event->type == KCUCKOO_EVENT_ATTACHED)
		set_flag(object, "same_rule", event, KCUCKOO_EVENT_SAME_RULE);
	if (event->type == KCUCKOO_EVENT_DETACHED)
		set_flag(object, "dev_gone", event, KCUCKOO_EVENT_DEV_GONE);
}

json_t *json_of_event(const struct kcuckoo_event *event, const char *time)
{
	json_t *object = json_pack("{s:s, s:s, s:I, s:I}", "time", time,
		"event", keyword_name(event_keywords, event->type),
		"seq", (json_int_t)event->seq,
		"boottime_ns", (json_int_t)event->time);

	if (!object)
		return NULL;
	set_name(object, "filter", event->name);
	set_number(object, "count", event->count);
	if (is_of_rule(event))
		set_rule(object, event);
	else if (event->type != KCUCKOO_EVENT_LOST)
		set_filter(object, event);
	return object;
}
