/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ini_read() reads sections and keys from a file with the library inih, for
 * config.c. ini_read() reports an error for each line that inih would silently change.
 */
#ifndef KCUCKOO_CLI_CONF_INI_H
#define KCUCKOO_CLI_CONF_INI_H

#include "conf/config.h"

/**
 * struct ini_handler - functions for the parts of a file
 * @section: called at the beginning of a section [KIND NAME]. The caller of ini_read()
 *	checks KIND and NAME
 * @key: called for each key with its value. Key and value have at least one byte. Not
 *	called for keys after a section line that has an error. The texts are valid only
 *	during the call
 */
struct ini_handler {
	void (*section)(void *context, const char *kind, const char *name,
			const struct config_place *place);
	void (*key)(void *context, const char *key, const char *value,
		    const struct config_place *place);
};

/*
 * Read the file @file->path, and call the functions of @handler with @context. Set @bytes
 * and @length of @file. The caller frees @file->bytes. The string @file->path must
 * outlive @config, because each struct config_place in @config points to the string.
 * Count errors in @config.
 */
void ini_read(struct config *config, struct config_file *file,
	      const struct ini_handler *handler, void *context);

#endif /* KCUCKOO_CLI_CONF_INI_H */
