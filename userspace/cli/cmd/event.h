/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions write an event of the module as a line of text or as JSON,
 * for the verb monitor.
 */
#ifndef KCUCKOO_CLI_EVENT_H
#define KCUCKOO_CLI_EVENT_H

#include <jansson.h>

#include "cli.h"

/* Size in bytes of a buffer for the line of an event. */
#define EVENT_TEXT	640

/**
 * event_text() - write an event as a line of text
 * @event: the event
 * @buf: buffer of EVENT_TEXT bytes
 *
 * The line has neither the time of the event nor a newline. Text that does not fit into
 * @buf is cut off.
 *
 * Return: @buf.
 */
const char *event_text(const struct kcuckoo_event *event, char *buf);

/**
 * json_of_event() - make a JSON object from an event
 * @event: the event
 * @time: the time of the event as text
 *
 * kcuckoo(8) documents the keys of the object.
 *
 * Return: the object, which the caller frees; or NULL if memory is short.
 */
json_t *json_of_event(const struct kcuckoo_event *event, const char *time);

#endif /* KCUCKOO_CLI_EVENT_H */
