// SPDX-License-Identifier: GPL-2.0-only
/*
 * curl_load() loads libcurl at run time, so that only the verb fetch depends on
 * libcurl.
 */
#include <dlfcn.h>

#include "fetch/curl.h"
#include "message.h"

/*
 * The variant of libcurl that uses GnuTLS. This program is under GPL-2.0-only, which
 * does not permit linking with OpenSSL.
 */
#define LIBRARY		"libcurl-gnutls.so.4"

#define DEFINE(name) __typeof__(name) *lib_##name;
CURL_FUNCTIONS(DEFINE)

int curl_load(void)
{
	void *library;

	if (lib_curl_easy_init)
		return 0;
	library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (!library)
		return hint(error("fetching needs libcurl (%s)", dlerror()),
			    "as root: apt-get install -y libcurl3-gnutls ca-certificates");
#define LOAD(name)							\
	lib_##name = dlsym(library, #name);				\
	if (!lib_##name)						\
		return error("fetching needs a newer libcurl: "		\
			     "the installed version lacks %s()", #name);
	CURL_FUNCTIONS(LOAD)
#undef LOAD
	if (lib_curl_global_init(CURL_GLOBAL_DEFAULT))
		return error("cannot initialize libcurl");
	return 0;
}
