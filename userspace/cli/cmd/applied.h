/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions keep a copy of the configuration that was applied last, and a copy of an
 * unconfirmed configuration. If the present configuration has errors, apply --boot applies
 * the configuration that was applied last. apply also reads the copy of this configuration
 * to find out which filters get other lists than before.
 */
#ifndef KCUCKOO_CLI_APPLIED_H
#define KCUCKOO_CLI_APPLIED_H

#include "conf/config.h"

/* Names of the folders of the two copies, in the folder of the state (cmd/folders.h). */
#define APPLIED			"applied"
#define APPLIED_UNCONFIRMED	"applied.unconfirmed"

/**
 * applied_keep() - update the copy of the configuration that was applied last
 * @cli: state of the command; each network namespace has its own copy
 * @config: the configuration that was applied, with the bytes of its files
 *
 * The copy does not include the catalogue of feeds. See folder_replace() for the content of
 * the folder after a crash.
 *
 * Context: the caller holds the lock of changes_lock().
 *
 * Return: 0, or -1 after an error message.
 */
int applied_keep(const struct cli *cli, const struct config *config);

/**
 * applied_keep_unconfirmed() - write a copy of an unconfirmed configuration
 * @cli: state of the command
 * @config: the configuration that apply --confirm applies
 *
 * apply --confirm writes this copy before the first step of the plan. See
 * cmd/unconfirmed.h for the later use of the copy.
 *
 * Context: the caller holds the lock of changes_lock().
 *
 * Return: 0, or -1 after an error message.
 */
int applied_keep_unconfirmed(const struct cli *cli, const struct config *config);

/**
 * applied_is_unconfirmed() - find out whether a configuration was not confirmed
 * @cli: state of the command
 * @config: the configuration
 *
 * Return: true if the files of @config are equal to the copy of
 * applied_keep_unconfirmed(), and differ from the copy of applied_keep().
 */
bool applied_is_unconfirmed(const struct cli *cli, const struct config *config);

/**
 * applied_exists() - find out whether the copy of applied_keep() exists
 * @cli: state of the command
 *
 * Return: true if the copy exists; false if the copy does not exist, or if no files are
 * kept for the network namespace of -n, see has_folders().
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
