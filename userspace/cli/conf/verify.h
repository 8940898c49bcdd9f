/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * config_verify() completes a configuration whose files were read, and checks
 * the references between its sections, for config.c.
 */
#ifndef KCUCKOO_CLI_CONF_VERIFY_H
#define KCUCKOO_CLI_CONF_VERIFY_H

#include "conf/config.h"

/*
 * Complete and check @config, whose files were read without an error. Set the @list of
 * each source, the parameters from feeds, and the defaults. Print errors, and count
 * them in @config. Without errors, call config_ignore_expire(), and warn about each section
 * [list] that no filter uses.
 */
void config_verify(struct config *config);

/* Check that each feed has all keys that it needs. Print and count errors. */
void config_verify_feeds(struct config *config);

/*
 * Append a list without a name to @config. config.c defines this function. Return:
 * the list, or NULL after an error message.
 */
struct config_list *config_new_list(struct config *config,
				    const struct config_place *place);

#endif /* KCUCKOO_CLI_CONF_VERIFY_H */
