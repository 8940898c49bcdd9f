/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * credential_read() reads a secret that a server needs, for the verb fetch.
 */
#ifndef KCUCKOO_CLI_CREDENTIAL_H
#define KCUCKOO_CLI_CREDENTIAL_H

#include <stddef.h>

/**
 * credential_read() - read a credential
 * @name: name of the credential
 * @text: out: the credential, "user:password" or a header "Name: value", without the
 *	newline
 * @size: size of @text in bytes
 *
 * The credential is the only line of the file $CREDENTIALS_DIRECTORY/kcuckoo_NAME or,
 * if that file cannot be opened, of /etc/kcuckoo/credentials/NAME. A file that gives other
 * users than its owner any permission is rejected; in $CREDENTIALS_DIRECTORY, the group can
 * have the permission to read.
 *
 * Return: NULL, or the reason of the failure as a part of a sentence.
 */
const char *credential_read(const char *name, char *text, size_t size);

#endif /* KCUCKOO_CLI_CREDENTIAL_H */
