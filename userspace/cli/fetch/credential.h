/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * credential_read() reads a secret that a server needs.
 */
#ifndef KCUCKOO_CLI_CREDENTIAL_H
#define KCUCKOO_CLI_CREDENTIAL_H

#include <stddef.h>

/*
 * Read the credential @name to @text, a buffer of @size bytes: the first line of
 * $CREDENTIALS_DIRECTORY/kcuckoo_NAME, or else of
 * /etc/kcuckoo/credentials/NAME, which only its owner may read. Return: NULL, or
 * the reason of the failure as a part of a sentence.
 */
const char *credential_read(const char *name, char *text, size_t size);

#endif /* KCUCKOO_CLI_CREDENTIAL_H */
