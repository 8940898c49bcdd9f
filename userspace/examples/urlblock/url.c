// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions write URLs in canonical form, and find the forms of a URL. A list
 * blocks a URL if the list has a form of the URL as an entry.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "url.h"

/* Return: the position of the first character that is in the string @any, or @end. */
static const char *find_any(const char *at, const char *end, const char *any)
{
	while (at < end && !strchr(any, *at))
		at++;
	return at;
}

/* White space and control characters are not allowed in a URL. */
static bool is_clean(const char *at, const char *end)
{
	for (; at < end; at++)
		if ((unsigned char)*at <= ' ' || *at == 0x7f)
			return false;
	return true;
}

static const char *skip_scheme(const char *at, const char *end)
{
	const char *colon = find_any(at, end, ":/?#");

	if (end - colon >= 3 && !memcmp(colon, "://", 3))
		return colon + 3;
	if (end - at >= 2 && !memcmp(at, "//", 2))
		return at + 2;
	return at;
}

/* A user can precede the host, and a port can follow it. Return: the host without final dots. */
static struct span find_host(const char *at, const char *end)
{
	const char *user = memrchr(at, '@', end - at);
	const char *last;

	if (user)
		at = user + 1;
	for (last = end; last > at && isdigit((unsigned char)last[-1]); last--)
		;
	if (last > at && last[-1] == ':')
		end = last - 1;
	while (end > at && end[-1] == '.')
		end--;
	return (struct span){ at, end - at };
}

int url_format(const char *text, size_t length, char url[URL_MAX])
{
	const char *end = text + length, *path, *fragment;
	size_t i, at = 0, slash;
	struct span host;

	if (!is_clean(text, end))
		return -1;
	text = skip_scheme(text, end);
	path = find_any(text, end, "/?#");
	host = find_host(text, path);
	fragment = find_any(path, end, "#");
	slash = path == fragment || *path != '/';
	if (!host.length ||
	    host.length + slash + (fragment - path) > URL_MAX)
		return -1;
	for (i = 0; i < host.length; i++)
		url[at++] = tolower((unsigned char)host.text[i]);
	if (slash)
		url[at++] = '/';
	memcpy(url + at, path, fragment - path);
	return at + (fragment - path);
}

/* Return: true if the host is an address, which has no parent domains. */
static bool is_address(const char *host, const char *end)
{
	if (*host == '[')
		return true;
	while (host < end && (isdigit((unsigned char)*host) || *host == '.'))
		host++;
	return host == end;
}

/*
 * Find the host name, and its parent domains that have five, four, three or two labels.
 * Each element of @hosts points to the first byte of one of these names. All names end at
 * @end. Return: the number of elements.
 */
static int find_hosts(const char *host, const char *end,
		      const char *hosts[URL_HOSTS])
{
	const char *labels[URL_HOSTS];
	const char *at = end;
	int i, nr_labels = 0, count = 0;

	hosts[count++] = host;
	if (is_address(host, end))
		return count;
	while (at > host && nr_labels < URL_HOSTS) {
		const char *dot = memrchr(host, '.', at - host);

		labels[nr_labels++] = dot ? dot + 1 : host;
		at = dot ? dot : host;
	}
	for (i = nr_labels - 1; i > 0 && count < URL_HOSTS; i--)
		if (labels[i] != host)
			hosts[count++] = labels[i];
	return count;
}

/*
 * Set the elements of @paths to the ends of the paths: the whole path, the path without
 * the query, and parent folders from the top. Return: the number of paths.
 */
static int find_paths(const char *path, const char *end,
		      const char *paths[URL_PATHS])
{
	const char *query = find_any(path, end, "?");
	const char *at = path;
	int count = 0;

	paths[count++] = end;
	if (query != end)
		paths[count++] = query;
	while (count < URL_PATHS && at < query) {
		at = find_any(at, query, "/");
		if (at == query || ++at == query)
			break;
		paths[count++] = at;
	}
	return count;
}

int url_forms(const char *url, size_t length, struct span forms[URL_FORMS])
{
	const char *path = memchr(url, '/', length);
	const char *hosts[URL_HOSTS], *paths[URL_PATHS];
	int i, j, count = 0;
	int host_count = find_hosts(url, path, hosts);
	int path_count = find_paths(path, url + length, paths);

	for (i = 0; i < host_count; i++)
		for (j = 0; j < path_count; j++)
			forms[count++] = (struct span){
				hosts[i], paths[j] - hosts[i]
			};
	return count;
}
