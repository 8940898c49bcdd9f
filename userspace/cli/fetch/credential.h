/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * credential_read() reads a secret that a server needs, for the verb fetch.
 */
#ifndef KCUCKOO_CLI_CREDENTIAL_H
#define KCUCKOO_CLI_CREDENTIAL_H

#include <stddef.h>

/*
 * Read the credential @name to @text, a buffer of @size bytes. It is the only
 * line of the file $CREDENTIALS_DIRECTORY/kcuckoo_NAME or, if that file cannot
 * be opened, of /etc/kcuckoo/credentials/NAME. Only its owner may have access to
 * the file. Return: NULL, or the reason of the failure as a part of a sentence.
 */
const char *credential_read(const char *name, char *text, size_t size);

#endif /* KCUCKOO_CLI_CREDENTIAL_H */
