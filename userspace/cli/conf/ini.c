// SPDX-License-Identifier: GPL-2.0-only
/*
 * ini_read() reads sections and keys from a file with the library inih, and
 * refuses all lines that inih would silently change.
 *
 * The inih of Debian cuts a long line and reads the rest as a new key, reads an indented
 * line as a continuation, accepts a colon instead of the equals sign, and keeps " # text"
 * in a value. If a section line has an error, inih adds the keys that follow to the
 * previous section. So the functions in this file read section lines themselves. They
 * check all other lines, and pass only lines with a key and a value to inih.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "conf/ini.h"
#include "conf/report.h"

/* The maximum size of a file in bytes. */
#define FILE_MAX	1048576

#define LETTERS	"abcdefghijklmnopqrstuvwxyz"

/**
 * struct ini - state of the reader
 * @config: the configuration, which counts errors
 * @handler: functions for sections and keys
 * @context: first argument of these functions
 * @place: file and number of the line that is being read
 * @file: the open file
 * @line: buffer of getline()
 * @line_size: size of @line
 * @in_section: a section began before this line
 * @skip: the last section line had an error, so its keys are skipped
 * @cr_reported: an error about carriage returns was printed for this file
 */
struct ini {
	struct config *config;
	const struct ini_handler *handler;
	void *context;
	struct config_place place;
	FILE *file;
	char *line;
	size_t line_size;
	bool in_section;
	bool skip;
	bool cr_reported;
};

static char *trim(char *text)
{
	char *end = text + strlen(text);

	while (end > text && isblank((unsigned char)end[-1]))
		end--;
	*end = 0;
	while (isblank((unsigned char)*text))
		text++;
	return text;
}

/*
 * Remove the newline of the line, and also a carriage return, which is reported once for
 * each file. A line with a NUL byte ends the file. Return: 0, or -1 after an error message
 * about other bytes.
 */
static int check_bytes(struct ini *ini, size_t length)
{
	char *line = ini->line;
	size_t i;

	if (memchr(line, 0, length)) {
		fseek(ini->file, 0, SEEK_END);
		return config_error(ini->config, &ini->place,
				    "the line has a NUL byte: the file must be text in ASCII or UTF-8");
	}
	if (line[length - 1] == '\n')
		line[--length] = 0;
	if (length && line[length - 1] == '\r') {
		line[--length] = 0;
		if (!ini->cr_reported)
			config_error(ini->config, &ini->place,
				     "the line ends in a carriage return: convert the file, for example with dos2unix");
		ini->cr_reported = true;
	}
	if (ini->place.line == 1 && length >= 3 &&
	    !memcmp(line, "\xef\xbb\xbf", 3))
		return config_error(ini->config, &ini->place,
				    "the file begins with a byte order mark: save it without one");
	for (i = 0; i < length; i++)
		if (iscntrl((unsigned char)line[i]) && line[i] != '\t')
			return config_error(ini->config, &ini->place,
					    "the line has the control character \\x%02x",
					    (unsigned char)line[i]);
	return 0;
}

/* The caller passes no comments: they can have characters that are not ASCII. */
static int check_text(struct ini *ini, const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text >= 0x80)
			return config_error(ini->config, &ini->place,
					    "the byte \\x%02x is not ASCII, which is allowed only in comments",
					    (unsigned char)*text);
	return 0;
}

static int read_section(struct ini *ini, char *text)
{
	char *end = strchr(text, ']'), *kind, *name;

	if (!end)
		return config_error(ini->config, &ini->place,
				    "the section '%s' has no ']'", text);
	if (end[1])
		return config_error(ini->config, &ini->place,
				    "'%s' follows the ']' of a section: a comment has a line of its own",
				    trim(end + 1));
	*end = 0;
	kind = trim(text + 1);
	name = kind + strcspn(kind, " \t");
	if (*name)
		*name++ = 0;
	ini->handler->section(ini->context, kind, trim(name), &ini->place);
	return 0;
}

static int check_value(struct ini *ini, const char *key, const char *value)
{
	const char *at;

	if (!*value)
		return config_error(ini->config, &ini->place,
				    "'%s' has no value", key);
	if (*value == '"' || *value == '\'')
		return config_error(ini->config, &ini->place,
				    "the value of '%s' has quotation marks: write it without them",
				    key);
	for (at = value; *at; at++)
		if ((*at == '#' || *at == ';') &&
		    (at == value || isblank((unsigned char)at[-1])))
			return config_error(ini->config, &ini->place,
					    "'%s' follows a value: a comment has a line of its own",
					    at);
	return 0;
}

static int check_key(struct ini *ini, char *text)
{
	size_t length = strspn(text, LETTERS "-");
	char *equals = text + length + strspn(text + length, " \t");
	char key[CONFIG_LINE_MAX + 1];

	if (!strchr(text, '='))
		return config_error(ini->config, &ini->place,
				    "'%s' is neither a section nor KEY = VALUE",
				    text);
	if (!length || *equals != '=')
		return config_error(ini->config, &ini->place,
				    "'%.*s' is not a key: keys have small letters and -",
				    (int)strcspn(text, "="), text);
	if (!ini->in_section)
		return config_error(ini->config, &ini->place,
				    "the key '%.*s' is before the first section",
				    (int)length, text);
	memcpy(key, text, length);
	key[length] = 0;
	return check_value(ini, key, trim(equals + 1));
}

/* Return: the text of a valid line with a key and a value, or NULL for any other line. */
static char *take_line(struct ini *ini, size_t length)
{
	char *text;

	if (check_bytes(ini, length)) {
		/*
		 * The invalid line may have been a section line. Skip the keys after
		 * the line, because their section is unknown.
		 */
		ini->in_section = true;
		ini->skip = true;
		return NULL;
	}
	text = trim(ini->line);
	if (!*text || *text == '#' || *text == ';')
		return NULL;
	if (strlen(ini->line) > CONFIG_LINE_MAX) {
		config_error(ini->config, &ini->place,
			     "the line has more than %d bytes", CONFIG_LINE_MAX);
		ini->skip |= *text == '[';
		ini->in_section |= ini->skip;
		return NULL;
	}
	if (*text == '[') {
		ini->in_section = true;
		ini->skip = check_text(ini, text) || read_section(ini, text);
		return NULL;
	}
	if (check_text(ini, text) || check_key(ini, text) || ini->skip)
		return NULL;
	return text;
}

/*
 * inih calls this function to read a line. Skip invalid lines and lines without a key.
 * Return: @buf, or NULL at the end of the file or after CONFIG_ERRORS_MAX errors.
 */
static char *next_line(char *buf, int size, void *context)
{
	struct ini *ini = context;
	ssize_t length;
	char *text;

	while (!config_is_full(ini->config)) {
		length = getline(&ini->line, &ini->line_size, ini->file);
		if (length <= 0)
			break;
		ini->place.line++;
		text = take_line(ini, length);
		if (!text)
			continue;
		if (strlen(text) < (size_t)size) {
			strcpy(buf, text);
			return buf;
		}
		config_error(ini->config, &ini->place,
			     "the line is too long: the library inih reads lines of less than %d bytes",
			     size);
	}
	return NULL;
}

/* inih calls this function for each key. Return: 1, which means success for inih. */
static int take_key(void *context, const char *section, const char *key,
		    const char *value)
{
	struct ini *ini = context;

	(void)section;
	ini->handler->key(ini->context, key, value, &ini->place);
	return 1;
}

/*
 * A pipe or a device is refused, because its content can differ each time that a command
 * reads the configuration.
 */
static int open_file(struct config *config, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat status;

	if (fd < 0 || fstat(fd, &status))
		error("%s: %s", path, strerror(errno));
	else if (!S_ISREG(status.st_mode))
		error("%s: it is not a regular file", path);
	else if (status.st_size > FILE_MAX)
		error("%s: it has more than %d bytes", path, FILE_MAX);
	else
		return fd;
	if (fd >= 0)
		close(fd);
	return config_failed(config);
}

/*
 * The configuration keeps the bytes of the file, because the file can change before
 * cmd/applied.c saves a copy.
 */
static int read_bytes(struct config *config, struct config_file *file)
{
	int fd = open_file(config, file->path);
	ssize_t done = 1;

	file->length = 0;
	file->bytes = NULL;
	if (fd < 0)
		return -1;
	file->bytes = malloc(FILE_MAX + 1);
	while (file->bytes && file->length <= FILE_MAX && done > 0) {
		done = read(fd, file->bytes + file->length,
			    FILE_MAX + 1 - file->length);
		if (done > 0)
			file->length += done;
	}
	if (!file->bytes)
		config_no_memory(config);
	else if (done < 0)
		error("%s: %s", file->path, strerror(errno));
	else if (file->length > FILE_MAX)
		error("%s: it has more than %d bytes", file->path, FILE_MAX);
	close(fd);
	if (file->bytes && !done) {
		char *bytes = realloc(file->bytes, file->length + 1);

		file->bytes = bytes ? bytes : file->bytes;
		return 0;
	}
	return file->bytes ? config_failed(config) : -1;
}

void ini_read(struct config *config, struct config_file *file,
	      const struct ini_handler *handler, void *context)
{
	struct ini ini = {
		.config = config,
		.handler = handler,
		.context = context,
		.place.file = file->path,
	};

	/* In some C libraries, fmemopen() fails for 0 bytes. */
	if (read_bytes(config, file) || !file->length)
		return;
	ini.file = fmemopen(file->bytes, file->length, "r");
	if (!ini.file) {
		config_no_memory(config);
		return;
	}
	ini_parse_stream(next_line, &ini, take_key, &ini);
	free(ini.line);
	fclose(ini.file);
}
