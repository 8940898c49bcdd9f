/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A sandbox is a child process that reads a file that strangers may have written.
 * It has no privileges, cannot open files and has little memory. These functions
 * are called in the child; extract.c is the parent.
 */
#ifndef KCUCKOO_CLI_SANDBOX_H
#define KCUCKOO_CLI_SANDBOX_H

#include "cli.h"

/*
 * Kinds of frames that the child sends. A frame is a struct frame and then
 * @length bytes of content.
 */
enum frame_kind {
	FRAME_MEMBER,	/* a file begins; its name, or none for a single packed file */
	FRAME_DATA,	/* bytes of that file */
	FRAME_DONE,	/* the whole input was read, and is sound */
	FRAME_ERROR,	/* a message; nothing follows */
};

struct frame {
	__u32 kind;
	__u32 length;
};

/* Maximum length of the content of a frame, in bytes. */
#define FRAME_MAX	(64u << 10)

/*
 * Close all descriptors except @socket, to which frames are sent and which
 * becomes standard output, and @file, which becomes standard input unless it is
 * -1.
 */
void sandbox_begin(int socket, int file);

/* Limit the memory of the process to @bytes more than it has mapped now. */
void sandbox_limit(__u64 bytes);

/* Drop all privileges. From now on the process cannot open files. */
void sandbox_enter(void);

void sandbox_send(enum frame_kind kind, const void *bytes, size_t length);

/* Send an error message, and exit. */
void sandbox_fail(const char *format, ...)
	__attribute__((noreturn, format(printf, 1, 2)));

/* Send the last frame, and exit. */
__attribute__((noreturn)) void sandbox_end(void);

#endif /* KCUCKOO_CLI_SANDBOX_H */
