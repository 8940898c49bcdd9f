/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions write URLs in canonical form, and find the forms of a URL. A list
 * blocks a URL if the list has a form of the URL as an entry.
 *
 * The canonical form of a URL is its host and its path, without scheme, user,
 * port and fragment. The host is in lower case and has no final dot. The path
 * is at least "/". So "example.com" in a list becomes "example.com/". Escapes
 * (%2e) and dots in paths do not change.
 *
 * A URL has up to URL_FORMS forms: its host and its parent domains, each with
 * the path, with the path without the query, and with the parent folders of the
 * path. So "example.com/" on the list blocks this host and its subdomains, and
 * "example.com/a/" blocks a folder.
 */
#ifndef URLBLOCK_URL_H
#define URLBLOCK_URL_H

#include <stddef.h>

/* Maximum length of a URL in bytes, which is the maximum length of a key. */
#define URL_MAX		4096

/*
 * Maximum number of hosts in the forms of a URL: the host and four parent
 * domains. Maximum number of paths: the path with and without the query, and
 * four folders; without a query, the path and five folders.
 */
#define URL_HOSTS	5
#define URL_PATHS	6
#define URL_FORMS	(URL_HOSTS * URL_PATHS)

/* A text of @length bytes without a final zero, such as a part of a URL. */
struct span {
	const char *text;
	size_t length;
};

/*
 * Write the canonical form of the @length bytes at @text to @url, without a
 * final zero. Return: the length of the form; or -1 if the text is not a URL, or the
 * form is longer than URL_MAX.
 */
int url_format(const char *text, size_t length, char url[URL_MAX]);

/*
 * Find all forms of a URL from url_format(). The forms are parts of @url. Return: the
 * number of forms.
 */
int url_forms(const char *url, size_t length, struct span forms[URL_FORMS]);

#endif /* URLBLOCK_URL_H */
