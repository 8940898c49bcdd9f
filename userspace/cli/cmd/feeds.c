// SPDX-License-Identifier: GPL-2.0-only
/*
 * The verb feeds prints the catalogue of public lists, which are called feeds. A
 * list of a configuration can name a feed instead of a URL.
 */
#include <stdio.h>
#include <string.h>

#include "args.h"
#include "conf/config.h"
#include "json.h"
#include "message.h"

/* @url begins with "https://". @length: out: length of the host name. */
static const char *url_host(const char *url, int *length)
{
	const char *host = url + strlen("https://");

	*length = strcspn(host, "/");
	return host;
}

static void print_feeds(const struct config *config)
{
	int width = strlen("FEED"), servers = strlen("SERVER"), length;
	size_t i;

	for (i = 0; i < config->feed_count; i++) {
		const struct config_list *feed = config->feeds[i];

		if ((int)strlen(feed->name) > width)
			width = strlen(feed->name);
		url_host(feed->urls.items[0].text, &length);
		if (length > servers)
			servers = length;
	}
	printf("%-*s  %-*s  %s\n", width, "FEED", servers, "SERVER", "LICENCE");
	for (i = 0; i < config->feed_count; i++) {
		const struct config_list *feed = config->feeds[i];
		const char *host = url_host(feed->urls.items[0].text, &length);

		printf("%-*s  %.*s%*s  %s\n", width, feed->name, length, host,
		       servers - length, "", feed->licence);
	}
}

static json_t *json_of_feed(const struct config_list *feed)
{
	json_t *urls = json_array();
	size_t i;

	for (i = 0; i < feed->urls.count; i++)
		json_array_append_new(urls,
				      json_string(feed->urls.items[i].text));
	return json_pack("{s:s, s:s, s:s, s:o, s:i, s:I}", "name", feed->name,
			 "about", feed->about, "licence", feed->licence,
			 "urls", urls, "refresh", (int)feed->refresh,
			 "min", (json_int_t)feed->min);
}

static int stream_feeds(const struct config *config)
{
	struct json_stream stream;
	size_t i;
	int ret = 0;

	json_stream_begin(&stream);
	for (i = 0; i < config->feed_count && !ret; i++)
		ret = json_stream_element(&stream,
					  json_of_feed(config->feeds[i]));
	json_stream_end(&stream);
	return ret;
}

int verb_feeds(struct cli *cli, const struct args *args)
{
	struct config config = { .errors = 0 };
	int ret;

	ret = config_read_feeds(&config, args->operand_count ?
				args->operands[0] : config_feeds_folder());
	if (!ret && cli->json)
		ret = stream_feeds(&config);
	else if (!ret)
		print_feeds(&config);
	config_free(&config);
	return ret ? -1 : EXIT_YES;
}
