// SPDX-License-Identifier: GPL-2.0-only
/* These functions compute the key of a line, its SHA-1, with OpenSSL. */
#include <openssl/evp.h>

#include "../message.h"
#include "key.h"

/* key_init() creates both only once, because this takes longer than hashing a line. */
static struct evp_md_st *sha1;
static struct evp_md_ctx_st *context;

int key_init(void)
{
	sha1 = EVP_MD_fetch(NULL, "SHA1", NULL);
	context = EVP_MD_CTX_new();
	if (!sha1 || !context)
		return error("OpenSSL has no SHA-1 here");
	return 0;
}

int key_of(const void *line, size_t length, uint8_t key[KEY_SIZE])
{
	if (!EVP_DigestInit_ex(context, sha1, NULL) ||
	    !EVP_DigestUpdate(context, line, length) ||
	    !EVP_DigestFinal_ex(context, key, NULL))
		return error("OpenSSL cannot compute a SHA-1");
	return 0;
}
