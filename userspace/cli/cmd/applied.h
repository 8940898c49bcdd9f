/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions keep a copy of the configuration that was applied last, in the
 * folder "applied" of cmd/folders.h. The verb apply writes the copy, and reads it
 * at boot if the configuration has errors. The verbs down, explain and doctor read
 * the copy to find out which filters and rules a configuration made.
 */
#ifndef KCUCKOO_CLI_APPLIED_H
#define KCUCKOO_CLI_APPLIED_H

#include "conf/config.h"

#define APPLIED			"applied"
#define APPLIED_UNCONFIRMED	"applied.unconfirmed"

/**
 * applied_keep() - make the copy equal to the files of a configuration
 * @cli: state of the command; each network namespace has its own copy
 * @config: the configuration, with the bytes of its files as they were read
 *
 * The copy does not include the catalogue of feeds. After a crash, the copy is the
 * old or the new one.
 *
 * Context: the caller holds the lock of changes_lock().
 *
 * Return: 0, or -1 after an error message.
 */
int applied_keep(const struct cli *cli, const struct config *config);

/**
 * applied_keep_unconfirmed() - write a second copy of a configuration
 * @cli: state of the command
 * @config: the configuration that apply --confirm applied
 *
 * The second copy is in the folder APPLIED_UNCONFIRMED, from the first change until the
 * user confirms the configuration. If the change is undone or the host reboots before
 * that, the second copy stays: it shows that the configuration was not confirmed.
 *
 * Return: 0, or -1 after an error message.
 */
int applied_keep_unconfirmed(const struct cli *cli, const struct config *config);

/**
 * applied_is_unconfirmed() - find out whether a configuration was not confirmed
 * @cli: state of the command
 * @config: the configuration
 *
 * Return: true if @config is equal to the second copy, and differs from the copy of
 * applied_keep().
 */
bool applied_is_unconfirmed(const struct cli *cli, const struct config *config);

/**
 * applied_exists() - find out whether the copy exists
 * @cli: state of the command
 *
 * Return: true if it exists. A namespace without folders, see has_folders(), has no
 * copy.
 */
bool applied_exists(const struct cli *cli);

/**
 * applied_read() - read the copy
 * @cli: state of the command
 * @config: out: the configuration; the caller calls config_free() even after an
 *	error
 *
 * Return: 0; 1 if no copy exists; or -1 after error messages.
 */
int applied_read(const struct cli *cli, struct config *config);

/* Read the second copy. The parameters and the return value are those of applied_read(). */
int applied_read_unconfirmed(const struct cli *cli, struct config *config);

#endif /* KCUCKOO_CLI_APPLIED_H */
