/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions keep a copy of the configuration that was applied last, in the folder
 * "applied" of cmd/folders.h. The verb apply writes the copy, and reads the copy at
 * boot if the configuration has errors. The verbs down, explain and doctor, and
 * metrics.c use the copy to find out which configuration made the present filters and
 * rules.
 */
#ifndef KCUCKOO_CLI_APPLIED_H
#define KCUCKOO_CLI_APPLIED_H

#include "conf/config.h"

/*
 * Names of the folders of the copies of applied_keep() and applied_keep_unconfirmed(), in
 * the folder of the state.
 */
#define APPLIED			"applied"
#define APPLIED_UNCONFIRMED	"applied.unconfirmed"

/**
 * applied_keep() - update the copy of the configuration that was applied last
 * @cli: state of the command; each network namespace has its own copy
 * @config: the configuration that was applied, with the bytes of its files
 *
 * The copy does not include the catalogue of feeds. If the system crashes during the
 * update, the folder has the old or the new copy, never a mixture of both.
 *
 * Context: the caller holds the lock of changes_lock().
 *
 * Return: 0, or -1 after an error message.
 */
int applied_keep(const struct cli *cli, const struct config *config);

/**
 * applied_keep_unconfirmed() - write a copy of an unconfirmed configuration
 * @cli: state of the command
 * @config: the configuration that apply --confirm applied
 *
 * This copy is separate from the copy of applied_keep(). The copy is in the folder
 * APPLIED_UNCONFIRMED from the first change of a filter or rule until the user confirms
 * the configuration. If the change is undone or the host reboots before the user
 * confirms the configuration, the copy stays, and shows that the configuration was not
 * confirmed.
 *
 * Return: 0, or -1 after an error message.
 */
int applied_keep_unconfirmed(const struct cli *cli, const struct config *config);

/**
 * applied_is_unconfirmed() - find out whether a configuration was not confirmed
 * @cli: state of the command
 * @config: the configuration
 *
 * Return: true if @config is equal to the copy of applied_keep_unconfirmed(), and
 * differs from the copy of applied_keep().
 */
bool applied_is_unconfirmed(const struct cli *cli, const struct config *config);

/**
 * applied_exists() - find out whether the copy of applied_keep() exists
 * @cli: state of the command
 *
 * Return: true if the copy exists. If has_folders() returns false for the namespace,
 * the namespace has no copy.
 */
bool applied_exists(const struct cli *cli);

/**
 * applied_read() - read the copy of applied_keep()
 * @cli: state of the command
 * @config: out: the configuration; the caller calls config_free() even after an
 *	error
 *
 * Return: 0; 1 if no copy exists; or -1 after error messages.
 */
int applied_read(const struct cli *cli, struct config *config);

/*
 * Read the copy of applied_keep_unconfirmed(). The parameters and the return value are
 * those of applied_read().
 */
int applied_read_unconfirmed(const struct cli *cli, struct config *config);

#endif /* KCUCKOO_CLI_APPLIED_H */
