// SPDX-License-Identifier: GPL-2.0-only
/*
 * If rules of hook xdp exist or are configured, check_types() finds out whether they can
 * work. The module must support them on this kernel, and the kernel and the module need
 * BTF, which is their type information.
 */
#include <stdlib.h>
#include <unistd.h>

#include "doctor/kernel.h"
#include "rules/xdp.h"

static bool needs_types(const struct doctor *doctor)
{
	size_t i;
	int j;

	for (i = 0; i < doctor->config.rule_count; i++)
		if (doctor->config.rules[i]->hook == HOOK_XDP)
			return true;
	for (j = 0; j < doctor->rule_count; j++)
		if (doctor->rules[j].hook == HOOK_XDP)
			return true;
	return false;
}

/* An old module (version 0) does not report its features. */
static bool is_unsupported(const struct doctor *doctor)
{
	return !doctor->open_error && doctor->stats.version &&
	       !(doctor->stats.features & KCUCKOO_FEATURE_XDP);
}

void check_types(struct doctor *doctor)
{
	char release[KERNEL_RELEASE];
	long major, minor;
	char *end;

	if (!needs_types(doctor) || access("/sys/module/kcuckoo", F_OK))
		return;
	if (is_unsupported(doctor)) {
		/* As xdp_attach(): neither BTF nor another build of the module helps. */
		doctor_advice(doctor, "use hook ingress, or boot Linux 6.1.115, 6.6.59, 6.11.6, 6.12 or newer");
		doctor_find(doctor, "rules of hook xdp cannot be attached: XDP programs cannot call the module on this kernel");
		return;
	}
	if (!access("/sys/kernel/btf/kcuckoo", F_OK))
		return;
	if (access("/sys/kernel/btf/vmlinux", F_OK)) {
		doctor_advice(doctor, "boot a kernel with CONFIG_DEBUG_INFO_BTF, such as Debian's");
		doctor_find(doctor, "this kernel has no BTF, which rules of hook xdp need");
		return;
	}
	major = strtol(kernel_running(release), &end, 10);
	minor = *end == '.' ? strtol(end + 1, NULL, 10) : 0;
	doctor_advice(doctor, "install the tools, then build, install and load the module again");
	doctor_command(doctor, "apt-get install -y dwarves libelf-dev python3 linux-source-%ld.%ld",
		       major, minor);
	doctor_find(doctor, "the loaded module has no BTF, which rules of hook xdp need");
}
