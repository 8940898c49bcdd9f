/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * curl_load() loads libcurl at run time, so that only the verb fetch depends on
 * libcurl.
 */
#ifndef KCUCKOO_CLI_CURL_H
#define KCUCKOO_CLI_CURL_H

#include <curl/curl.h>

/* The functions of libcurl that fetch uses. */
#define CURL_FUNCTIONS(X)	\
	X(curl_global_init)	\
	X(curl_easy_init)	\
	X(curl_easy_setopt)	\
	X(curl_easy_perform)	\
	X(curl_easy_getinfo)	\
	X(curl_easy_strerror)	\
	X(curl_easy_cleanup)	\
	X(curl_slist_append)	\
	X(curl_slist_free_all)

/* After curl_load() returned 0, lib_NAME points to the function NAME of libcurl. */
#define DECLARE(name) extern __typeof__(name) *lib_##name;
CURL_FUNCTIONS(DECLARE)
#undef DECLARE

/**
 * curl_load() - load libcurl, unless it is already loaded
 *
 * Return: 0, or -1 after an error message.
 */
int curl_load(void);

#endif /* KCUCKOO_CLI_CURL_H */
