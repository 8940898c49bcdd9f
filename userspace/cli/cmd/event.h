/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions write an event of the module as a line of text or as JSON,
 * for the verb monitor.
 */
#ifndef KCUCKOO_CLI_EVENT_H
#define KCUCKOO_CLI_EVENT_H

#include <jansson.h>

#include "cli.h"

/* Size of a buffer for the line of an event. */
#define EVENT_TEXT	640

/* Write an event to @buf, without its time and without a newline. Return: @buf. */
const char *event_text(const struct kcuckoo_event *event, char *buf);

/*
 * Return: the event as a JSON object with the keys that are documented in
 * kcuckoo(8), or NULL if memory is short. @time: the time of the event as text.
 */
json_t *json_of_event(const struct kcuckoo_event *event, const char *time);

#endif /* KCUCKOO_CLI_EVENT_H */
