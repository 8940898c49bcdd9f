/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These structures hold a configuration, kcuckoo.conf(5): lists, filters and rules.
 * config_read() reads a configuration into the structures, for the verbs.
 */
#ifndef KCUCKOO_CLI_CONF_CONFIG_H
#define KCUCKOO_CLI_CONF_CONFIG_H

#include "cli.h"

/* The folder of the configuration without --config. */
#define CONFIG_FOLDER	"/etc/kcuckoo"

/* The maximum length of a line, in bytes without its newline. */
#define CONFIG_LINE_MAX	198

/* The maximum number of errors that config_read() prints. */
#define CONFIG_ERRORS_MAX	20

/**
 * struct config_place - the file and line of a section or a value
 * @file: path of the file, which the configuration owns
 * @line: number of the line, from 1
 */
struct config_place {
	const char *file;
	unsigned int line;
};

/**
 * struct config_text - a value that is text
 * @text: the text
 * @place: file and line of the text
 */
struct config_text {
	char *text;
	struct config_place place;
};

/**
 * struct config_texts - the values of a key that a section can have several times
 * @items: the values in their order
 * @count: number of values
 */
struct config_texts {
	struct config_text *items;
	size_t count;
};

/**
 * struct config_list - a section [list NAME] or [feed NAME], or a file that a
 *	filter names without such a section
 * @name: name of the list or feed; empty for a file that a filter names
 * @place: file and line of the section, or of the name of the file
 * @keys: bit n is set if the section or its feed has the key keys[n] of fields.c
 * @urls: https URLs from which the list is downloaded; empty if the list has no URL
 * @files: absolute paths of the files of the list; empty if the list has no file. Each
 *	path can have a format and options, as on the command line:
 *	FORMAT:PATH?OPTION=VALUE. A list has either @urls or @files
 * @feed: name of the feed of the list, or NULL. config_verify() copies @urls, and the
 *	values that the section does not set, from the feed
 * @format: format of the lines, a word of layout_keywords; or NULL if neither
 *	the section nor its feed has a format
 * @layout: the value of @format in layout_keywords, or -1 if @format is NULL
 * @column: number of the column that has the addresses, from 1; or 0 if neither
 *	the section nor its feed names a column
 * @column_last: number of the column that has the last address of each range, or the
 *	mask or length of each address; or 0 if the configuration names no second column
 * @ranges: if a line has two addresses in columns, they are the first and the last
 *	address of a range
 * @member: pattern for the paths of the files to read in an archive, or NULL for all
 * @json_key: JSON keys of the addresses, with commas between them, or NULL for the
 *	default keys (known_keys in input/selection.c)
 * @where: KEY:VALUE that an object in JSON must have, or NULL
 * @refresh: seconds from a download until the list is due again
 * @refresh_min: minimum of @refresh, in seconds
 * @min: minimum number of entries: a new copy with fewer entries is refused
 * @max_shrink: maximum decrease from the last good copy to a new copy, in percent; see
 *	struct guards (keys/guard.h)
 * @max_grow: maximum increase from the last good copy to a new copy, in percent; ignored
 *	unless the section has the key max-grow; see struct guards
 * @stale: age of the last good copy in seconds, after which a warning is printed; 0: never
 * @expire: age of the last good copy in seconds, after which the list counts as
 *	empty; 0: never
 * @wide: the list is allowed to have wide networks, see guard_is_wide() in keys/guard.h
 * @bogons: the list is allowed to have private and reserved networks
 * @credential: name of the secret that the server needs, see credential_read() in
 *	fetch/credential.h; or NULL
 * @licence: terms of use of a feed; NULL for a list
 * @about: description of the entries of a feed; NULL for a list
 * @used: a filter names the list
 */
struct config_list {
	char name[KCUCKOO_NAME_SIZE];
	struct config_place place;
	__u64 keys;
	struct config_texts urls;
	struct config_texts files;
	char *feed;
	char *format;
	int layout;
	__u32 column;
	__u32 column_last;
	bool ranges;
	char *member;
	char *json_key;
	char *where;
	__u32 refresh;
	__u32 refresh_min;
	__u64 min;
	__u32 max_shrink;
	__u32 max_grow;
	__u32 stale;
	__u32 expire;
	bool wide;
	bool bogons;
	char *credential;
	char *licence;
	char *about;
	bool used;
};

/**
 * struct config_source - a list that a filter names
 * @text: name of a [list], or a path as in @files of struct config_list
 * @place: file and line of the name or path
 * @list: the list of this name, or a list that verify.c made for the path; NULL before
 *	config_verify()
 */
struct config_source {
	char *text;
	struct config_place place;
	struct config_list *list;
};

/**
 * struct config_sources - the lists of a filter in their order
 * @items: the lists
 * @count: number of lists
 */
struct config_sources {
	struct config_source *items;
	size_t count;
};

/**
 * struct config_filter - a section [filter NAME]
 * @name: name of the filter
 * @place: file and line of the section
 * @keys: bit n is set if the section has the key keys[n] of fields.c
 * @lists: lists whose entries become members. Without lists, the filter is
 *	created, and other programs add and delete its members
 * @excludes: lists whose addresses are excluded from the members
 * @create: parameters for kcuckoo_create()
 * @keep: save the members at shutdown, and restore them at boot
 */
struct config_filter {
	char name[KCUCKOO_NAME_SIZE];
	struct config_place place;
	__u64 keys;
	struct config_sources lists;
	struct config_sources excludes;
	struct kcuckoo_ioc_create create;
	bool keep;
};

/**
 * struct config_rule - a section [rule NAME]: one rule for each pair of a filter and a
 *	device; without devices, one rule for each filter
 * @name: name of the section, and label of the rules of the section in the kernel
 * @place: file and line of the section
 * @keys: bit n is set if the section has the key keys[n] of fields.c
 * @filters: names of filters of the configuration
 * @devs: names of devices, or patterns that end in an asterisk; empty for hooks without
 *	a device
 * @hook: enum kcuckoo_hook, or HOOK_XDP of rules/xdp.h
 * @family: KCUCKOO_FAMILY_*
 * @match: enum kcuckoo_match
 * @action: enum kcuckoo_action
 * @mark: the mark for KCUCKOO_ACTION_MARK
 * @mode: enum xdp_mode for HOOK_XDP
 * @allow: name of the allow filter, whose addresses the rule does not match; empty if
 *	the rule has no allow filter
 * @log: whether packets are logged
 * @log_group: group of nfnetlink_log, or -1 for the log of the kernel
 * @log_limit: maximum number of packets that the rule logs per second, or 0 for the
 *	default
 */
struct config_rule {
	char name[KCUCKOO_NAME_SIZE];
	struct config_place place;
	__u64 keys;
	struct config_texts filters;
	struct config_texts devs;
	__u8 hook;
	__u8 family;
	__u8 match;
	__u8 action;
	__u32 mark;
	int mode;
	char allow[KCUCKOO_NAME_SIZE];
	bool log;
	int log_group;
	__u32 log_limit;
};

/**
 * struct config_file - a file that was read
 * @path: path of the file
 * @bytes: content of the file, or NULL if the file could not be opened or memory is short
 * @length: number of bytes at @bytes
 * @feeds: the file is part of the catalogue of feeds
 */
struct config_file {
	char *path;
	char *bytes;
	size_t length;
	bool feeds;
};

/**
 * struct config - a configuration
 * @files: the files in the order in which they were read
 * @file_count: number of files
 * @lists: sections [list], then lists for files that filters name
 * @list_count: number of lists
 * @filters: sections [filter]
 * @filter_count: number of filters
 * @rules: sections [rule]
 * @rule_count: number of rules
 * @feeds: sections [feed], only for a catalogue
 * @feed_count: number of feeds
 * @errors: number of errors so far
 */
struct config {
	struct config_file *files;
	size_t file_count;
	struct config_list **lists;
	size_t list_count;
	struct config_filter **filters;
	size_t filter_count;
	struct config_rule **rules;
	size_t rule_count;
	struct config_list **feeds;
	size_t feed_count;
	unsigned int errors;
};

/*
 * Read and check the files of a folder, in the order of their names. Skip a file whose
 * name does not end in .conf, or begins with a dot. @feeds: folder of the catalogue of
 * feeds, which is read only if a list names a feed. The caller must call config_free()
 * even after an error. Return: 0; or -1 after error messages, up to CONFIG_ERRORS_MAX for
 * all files together.
 */
int config_read(struct config *config, const char *folder, const char *feeds);

/*
 * Read the catalogue of feeds in a folder, and append the feeds to @feeds of @config. The
 * caller has set @config to zeros, and must call config_free() even after an error;
 * config_read() also calls this function. Return: 0, or -1 after error messages.
 */
int config_read_feeds(struct config *config, const char *folder);

/* Free all sections and files, and clear @config, so that a second call is harmless. */
void config_free(struct config *config);

/* Return: the list, filter, rule or feed with this name, or NULL. */
struct config_list *config_list(const struct config *config, const char *name);
struct config_filter *config_filter(const struct config *config, const char *name);
struct config_rule *config_rule(const struct config *config, const char *name);
struct config_list *config_feed(const struct config *config, const char *name);

/* Size of a buffer for the name of a folder. */
#define CONFIG_FOLDER_TEXT	4096

/*
 * Write the folder of the configuration to @folder, a buffer of CONFIG_FOLDER_TEXT bytes.
 * The folder is @given if @given is not NULL; otherwise CONFIG_FOLDER/netns/@netns, or
 * CONFIG_FOLDER if @netns is NULL. Return: 0, or -1 after an error message.
 */
int config_folder(const char *netns, const char *given, char *folder);

/*
 * Return: false if the folder @folder does not exist, or has no file that is part of a
 * configuration; true if the folder has such a file or cannot be read.
 */
bool config_exists(const char *folder);

/* Return: the folder of the catalogue of feeds that was installed with the command. */
const char *config_feeds_folder(void);

#endif /* KCUCKOO_CLI_CONF_CONFIG_H */
