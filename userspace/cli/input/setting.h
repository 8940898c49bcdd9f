/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * setting_text() adapts a message about a list of the configuration, in which keys of the
 * section [list] replace options of the command line.
 */
#ifndef KCUCKOO_CLI_SETTING_H
#define KCUCKOO_CLI_SETTING_H

#include "input/line.h"

/* Size of a buffer for a message, in bytes. */
#define SETTING_TEXT	1024

/**
 * setting_text() - replace the options in a message by keys of the section [list]
 * @syntax: how the list is parsed
 * @message: the message
 * @text: buffer for the new message
 *
 * Example: "--json-key KEY reads the addresses" becomes "'json-key = KEY' reads the
 * addresses".
 *
 * Return: @message if @configured of @syntax is not set, otherwise @text.
 */
const char *setting_text(const struct syntax *syntax, const char *message,
			 char text[SETTING_TEXT]);

#endif /* KCUCKOO_CLI_SETTING_H */
