/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * config_verify() completes a configuration whose files were read, and checks
 * what its sections say about each other.
 */
#ifndef KCUCKOO_CLI_CONF_VERIFY_H
#define KCUCKOO_CLI_CONF_VERIFY_H

#include "conf/config.h"

/* Errors are printed and counted in @config. */
void config_verify(struct config *config);

/* Check that each feed has all keys that describe it, as config_verify(). */
void config_verify_feeds(struct config *config);

/*
 * config.c: append a list without a name. Return: the list, or NULL after an
 * error message.
 */
struct config_list *config_new_list(struct config *config,
				    const struct config_place *place);

#endif /* KCUCKOO_CLI_CONF_VERIFY_H */
