/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A sandbox is a child process that reads a file that strangers may have written.
 * The child has no privileges, cannot open files and has little memory.
 * unarchive.c and mmdb.c call these functions in the child; extract.c is the
 * parent.
 */
#ifndef KCUCKOO_CLI_SANDBOX_H
#define KCUCKOO_CLI_SANDBOX_H

#include "cli.h"

/*
 * Kinds of frames, the messages that the child sends. A frame is a struct frame
 * and then @length bytes of content.
 */
enum frame_kind {
	FRAME_MEMBER,	/* a file begins; its name, or none for a single packed file */
	FRAME_DATA,	/* bytes of the file that FRAME_MEMBER began */
	FRAME_DONE,	/* the end: the whole input was read, and has no error */
	FRAME_ERROR,	/* an error message; no frame follows */
};

struct frame {
	__u32 kind;
	__u32 length;
};

/* Maximum length of the content of a frame, in bytes. */
#define FRAME_MAX	(64u << 10)

/*
 * Prepare the descriptors of the child. @socket, to which frames are sent,
 * becomes standard output. @file becomes standard input, unless it is -1. All
 * other descriptors are closed.
 */
void sandbox_begin(int socket, int file);

/* Limit the address space of the process to @bytes more than it uses now. */
void sandbox_limit(__u64 bytes);

/* Drop all privileges. Afterwards the process cannot open files. */
void sandbox_enter(void);

void sandbox_send(enum frame_kind kind, const void *bytes, size_t length);

/* Send an error message, and exit. */
void sandbox_fail(const char *format, ...)
	__attribute__((noreturn, format(printf, 1, 2)));

/* Send the last frame, and exit. */
__attribute__((noreturn)) void sandbox_end(void);

#endif /* KCUCKOO_CLI_SANDBOX_H */
