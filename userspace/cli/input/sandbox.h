/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A sandbox is a child process that reads an untrusted file. The child has no
 * privileges, cannot open files and has little memory. unarchive.c and mmdb.c call
 * these functions in the child; extract.c is the parent.
 */
#ifndef KCUCKOO_CLI_SANDBOX_H
#define KCUCKOO_CLI_SANDBOX_H

#include "cli.h"

/*
 * Kinds of frames. Frames are the messages that the child sends to its parent. A frame
 * is a struct frame, which @length bytes of content follow.
 */
enum frame_kind {
	FRAME_MEMBER,	/* a file begins; the content is its name, empty for a packed file */
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

/*
 * Drop all privileges. Afterwards the process cannot open files. If a resource limit
 * cannot be set, send an error message, and exit.
 */
void sandbox_enter(void);

/*
 * Send a frame with @length bytes of content, at most FRAME_MAX. If the frame cannot be
 * sent, exit.
 */
void sandbox_send(enum frame_kind kind, const void *bytes, size_t length);

/* Send an error message, and exit. */
void sandbox_fail(const char *format, ...)
	__attribute__((noreturn, format(printf, 1, 2)));

/* Send the last frame, and exit. */
__attribute__((noreturn)) void sandbox_end(void);

#endif /* KCUCKOO_CLI_SANDBOX_H */
