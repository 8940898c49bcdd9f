// SPDX-License-Identifier: GPL-2.0-only
/*
 * check_signature() finds out whether a kernel that only loads signed modules
 * accepts the installed module.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "doctor/kernel.h"
#include "doctor/program.h"

/* The key with which DKMS signs modules, and its certificate. */
#define KEY		"/var/lib/dkms/mok.key"
#define CERTIFICATE	"/var/lib/dkms/mok.pub"

/*
 * The EFI variable SecureBoot: four bytes of attributes, then one byte that is 1 if
 * Secure Boot is on.
 */
#define SECURE_BOOT	"/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"

static size_t read_file(const char *path, char *text, size_t size)
{
	FILE *file = fopen(path, "re");
	size_t length = file ? fread(text, 1, size - 1, file) : 0;

	if (file)
		fclose(file);
	text[length] = 0;
	return length;
}

/* Return: why the kernel loads only signed modules; or NULL if it loads unsigned modules. */
static const char *enforcement(void)
{
	char text[128];

	if (read_file(SECURE_BOOT, text, sizeof(text)) == 5 && text[4] == 1)
		return "Secure Boot is on";
	read_file("/sys/module/module/parameters/sig_enforce", text, sizeof(text));
	if (*text == 'Y')
		return "module.sig_enforce is on";
	read_file("/sys/kernel/security/lockdown", text, sizeof(text));
	if (strstr(text, "[integrity]") || strstr(text, "[confidentiality]"))
		return "the kernel is locked down";
	return NULL;
}

static void find_unsigned(struct doctor *doctor, const char *release,
			  const char *why)
{
	char path[KERNEL_PATH], word[WORD_TEXT];
	struct dkms dkms;

	dkms_read(release, &dkms);
	if (kernel_module_field(release, "filename", path))
		strcpy(path, "kcuckoo.ko");
	doctor_word(path, word);
	if (dkms.state != DKMS_NONE)
		doctor_command(doctor, "dkms build --force kcuckoo/%s -k %s && dkms install --force kcuckoo/%s -k %s",
			       dkms.version, release, dkms.version, release);
	else if (!access(CERTIFICATE, F_OK))
		doctor_command(doctor, "/lib/modules/%s/build/scripts/sign-file sha256 "
			       KEY " " CERTIFICATE " %s", release, word);
	else
		doctor_command(doctor, "mkdir -p /var/lib/dkms && openssl req -new -x509 -newkey rsa:2048 -nodes -days 36500 -subj /CN=kcuckoo/ -outform DER -keyout "
			       KEY " -out " CERTIFICATE " && /lib/modules/%s/build/scripts/sign-file sha256 "
			       KEY " " CERTIFICATE " %s", release, word);
	doctor_find(doctor, "%s, and the installed module is not signed", why);
}

static void check_enrolled(struct doctor *doctor)
{
	const char * const argv[] = { "mokutil", "--test-key", CERTIFICATE, NULL };
	char output[512];

	if (access(CERTIFICATE, F_OK)) {
		doctor_skip(doctor, "the key of the module is not in " CERTIFICATE);
		return;
	}
	if (program_run(argv, output, sizeof(output)) < 0) {
		doctor_skip(doctor, "mokutil, which lists the enrolled keys, cannot be run");
	} else if (!strstr(output, "is already enrolled") &&
		   !strstr(output, "is not enrolled")) {
		doctor_skip(doctor, "mokutil does not report whether the key is enrolled: %s",
			    output);
	} else if (!strstr(output, "is already enrolled")) {
		doctor_advice(doctor, "enroll it with a password, which the next boot asks for");
		doctor_command(doctor, "mokutil --import " CERTIFICATE);
		doctor_find(doctor, "the key that signs modules, " CERTIFICATE
			    ", is not enrolled, so the kernel does not load them");
	}
}

void check_signature(struct doctor *doctor)
{
	char release[KERNEL_RELEASE], signer[KERNEL_PATH];
	const char *why = enforcement();

	/* If the module is loaded, the kernel has accepted its signature. */
	if (!why || !access("/sys/module/kcuckoo", F_OK) ||
	    kernel_module_field(kernel_running(release), "signer", signer))
		return;
	if (!*signer)
		find_unsigned(doctor, release, why);
	else
		check_enrolled(doctor);
}
