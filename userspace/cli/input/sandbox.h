/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A sandbox is a child process that reads an untrusted file. The child gives up the privileges
 * of root, cannot open files and has little memory. unarchive.c and mmdb.c call these functions
 * in the child; extract.c runs in the parent.
 */
#ifndef KCUCKOO_CLI_SANDBOX_H
#define KCUCKOO_CLI_SANDBOX_H

#include "cli.h"

/*
 * Kinds of frames. A frame is a message from the child to its parent: a struct frame,
 * then @length bytes of content.
 */
enum frame_kind {
	FRAME_MEMBER,	/* a file begins; the content is the name, empty outside archives */
	FRAME_DATA,	/* bytes of the file that the last FRAME_MEMBER began */
	FRAME_DONE,	/* the end: the child has read the whole input without an error */
	FRAME_ERROR,	/* an error message; no frame follows */
};

/**
 * struct frame - header of a frame
 * @kind: enum frame_kind
 * @length: number of bytes of content after the header, at most FRAME_MAX
 */
struct frame {
	__u32 kind;
	__u32 length;
};

/* Maximum length of the content of a frame, in bytes. */
#define FRAME_MAX	(64u << 10)

/*
 * Prepare the descriptors of the child. @socket becomes standard output, to which the
 * other functions send frames. @file becomes standard input; if @file is -1, close
 * standard input. Close all other descriptors.
 */
void sandbox_begin(int socket, int file);

/* Limit the address space of the process to its current size and @bytes more. */
void sandbox_limit(__u64 bytes);

/*
 * Become the user nobody if the user is root. Afterwards the process cannot open files.
 * If a resource limit cannot be set, send an error message, and exit. If the user cannot
 * be changed, as in some user namespaces, continue.
 */
void sandbox_enter(void);

/* Send a frame with @length bytes of content, at most FRAME_MAX. After an error, exit. */
void sandbox_send(enum frame_kind kind, const void *bytes, size_t length);

/* Send an error message in a FRAME_ERROR, and exit. */
void sandbox_fail(const char *format, ...)
	__attribute__((noreturn, format(printf, 1, 2)));

/* Send FRAME_DONE, the last frame, and exit. */
__attribute__((noreturn)) void sandbox_end(void);

#endif /* KCUCKOO_CLI_SANDBOX_H */
