/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * urlblock: URLs in one form, and what a list may say about them
 *
 * That form is host and path: no scheme, user, port or fragment; the host in
 * lower case, without a final dot; a path of at least "/". So "example.com" in a
 * list becomes "example.com/". Escapes (%2e) and dots in paths stay as they are.
 *
 * A URL is on the list when one of up to URL_FORMS forms is: its host and those
 * above, each with its path, with that but for the query, and with the folders
 * above. So "example.com/" stands for all of that host and of those below, and
 * "example.com/a/" for all of a folder.
 */
#ifndef URLBLOCK_URL_H
#define URLBLOCK_URL_H

#include <stddef.h>

/* The longest URL, as long as a key may be. */
#define URL_MAX		4096

/* The host itself and four above; the path twice and four folders. */
#define URL_HOSTS	5
#define URL_PATHS	6
#define URL_FORMS	(URL_HOSTS * URL_PATHS)

/* A part of a URL. */
struct span {
	const char *text;
	size_t length;
};

/*
 * Write the one form of the @length bytes at @text, without a final zero. Return:
 * its length, or -1 if it is no URL.
 */
int url_format(const char *text, size_t length, char url[URL_MAX]);

/* All forms of a URL from url_format(). Return: how many. */
int url_forms(const char *url, size_t length, struct span forms[URL_FORMS]);

#endif /* URLBLOCK_URL_H */
