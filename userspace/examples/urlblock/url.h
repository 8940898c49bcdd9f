/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * urlblock: write URLs in canonical form, and find the entries that match them
 *
 * The canonical form is host and path: no scheme, user, port or fragment; the
 * host in lower case, without a final dot; a path of at least "/". So
 * "example.com" in a list becomes "example.com/". Escapes (%2e) and dots in
 * paths stay as they are.
 *
 * A URL is on the list if one of up to URL_FORMS forms is: its host and parent
 * domains, each with the path, with the path without the query, and with the
 * parent folders. So "example.com/" blocks this host and all of its subdomains,
 * and "example.com/a/" blocks a folder.
 */
#ifndef URLBLOCK_URL_H
#define URLBLOCK_URL_H

#include <stddef.h>

/* Maximum length of a URL, which is that of a key. */
#define URL_MAX		4096

/*
 * The host and four parent domains; the path with and without query and four
 * folders.
 */
#define URL_HOSTS	5
#define URL_PATHS	6
#define URL_FORMS	(URL_HOSTS * URL_PATHS)

/* A part of a URL. */
struct span {
	const char *text;
	size_t length;
};

/*
 * Write the canonical form of the @length bytes at @text, without a final zero.
 * Return: its length, or -1 if it is no URL.
 */
int url_format(const char *text, size_t length, char url[URL_MAX]);

/* Find all forms of a URL from url_format(). Return: how many. */
int url_forms(const char *url, size_t length, struct span forms[URL_FORMS]);

#endif /* URLBLOCK_URL_H */
