// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * kcuckoo_strerror() of libkcuckoo returns the text of an error, for programs.
 * The texts have the meanings that <linux/kcuckoo.h> lists.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "handle.h"

static const struct {
	int error;
	const char *text;
} texts[] = {
	{ ENOTTY,	"the loaded kcuckoo module is older and cannot do this" },
	{ E2BIG,	"the loaded kcuckoo module is older and does not know an option" },
	{ EINVAL,	"a value is not allowed" },
	{ EOPNOTSUPP,	"this type of filter does not support it" },
	{ ENOENT,	"it does not exist" },
	{ EEXIST,	"it exists already" },
	{ EBUSY,	"it is in use" },
	{ ENOSPC,	"the filter is full" },
	{ ENOMEM,	"the kernel does not have enough memory; no member was changed" },
	{ EDQUOT,	"a limit of the namespace is reached: filters, memory, rules or hooks" },
	{ EPERM,	"CAP_NET_ADMIN over the network namespace is needed" },
	{ EACCES,	"the mode of /dev/kcuckoo does not allow it" },
	{ EINTR,	"interrupted" },
	{ ENODEV,	"the network namespace is gone" },
	{ ENXIO,	"the module kcuckoo is not loaded, or there is no such network device" },
	{ EAGAIN,	"the filter changes too fast, or no event can be read at present" },
	{ ESTALE,	"the filter was changed or replaced by another program" },
	{ EPROTONOSUPPORT, "the kernel has no logger for this rule" },
	{ EBADMSG,	"the snapshot is damaged, or the module does not read its format version" },
	{ 0, NULL }
};

KCUCKOO_PUBLIC const char *kcuckoo_strerror(int error)
{
	const char *text;
	size_t i;

	if (error < 0)
		error = -error;
	for (i = 0; texts[i].text; i++)
		if (texts[i].error == error)
			return texts[i].text;
	text = strerrordesc_np(error);
	return text ? text : "unknown error";
}
