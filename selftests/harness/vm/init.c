// SPDX-License-Identifier: GPL-2.0-only
/*
 * PID 1 of the test machine. It mounts the host's root (read-only, 9p) below the
 * module and programs under test, runs one command, passes its output on byte
 * for byte and says how it ended, each over a virtio port of its own.
 *
 * User-mode Linux finds the name of a folder of the host in the environment, PORTS:
 * files in it stand for ports there, and hostfs for 9p.
 *
 * What it finds in its initramfs:
 *	/modules/NN-name.ko	loaded in this order
 *	/hot/			some of the host's files, to have them in memory
 *	/run/root/		files to lay over the host's (module, command, library)
 *	/run/cwd		the folder to run the command in
 *	/run/shown		folders to keep visible below /tmp and the like, one a line
 *	/run/argv		the command: its words, each ended by a zero byte
 *
 * What it writes to the port "status", one fact a line:
 *	started		the command is about to run
 *	taint N		/proc/sys/kernel/tainted afterwards
 *	fault WORDS	something the kernel's log does not tell
 *	exit N		the command's exit status, last of all: the verdict
 */

#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/klog.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/kcuckoo.h>

/* A write to a virtio port takes at most this much. */
#define CHUNK (32 * 1024)

/* kmemleak reports only objects older than 5 s. */
#define LEAK_AGE 6

/* How long a reference may take to go away after its last user was killed. */
#define UNLOAD_SECONDS 60

#define OPTIONS_9P "trans=virtio,version=9p2000.L,msize=512000,cache=loose,access=any"

static int status_port = -1;

/* The folder with files for ports, or -1. */
static int ports = -1;

/* Words for whoever reads the console log. */
static void say(const char *format, ...)
{
	char line[512];
	va_list args;
	int fd, len;

	len = snprintf(line, sizeof(line), "<5>init: ");
	va_start(args, format);
	len += vsnprintf(line + len, sizeof(line) - len, format, args);
	va_end(args);
	if (len > (int)sizeof(line) - 1)
		len = sizeof(line) - 1;
	fd = open("/dev/kmsg", O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	if (write(fd, line, len) < 0)
		perror("init: /dev/kmsg");
	close(fd);
}

/*
 * QEMU ends when its kernel reboots (reboot=t, -no-reboot), and user-mode Linux would
 * begin again; no verdict given.
 */
static _Noreturn void leave(void)
{
	reboot(ports < 0 ? RB_AUTOBOOT : RB_POWER_OFF);
	for (;;)
		pause();
}

static _Noreturn void die(const char *what)
{
	say("%s: %s", what, strerror(errno));
	leave();
}

/* A port is writable again once the host has taken all that was written. */
static void flush_port(int port)
{
	struct pollfd writable = { .fd = port, .events = POLLOUT };

	while (poll(&writable, 1, -1) < 0 && errno == EINTR)
		;
}

static void report(const char *format, ...)
{
	char line[512];
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	flush_port(status_port);
	if (write(status_port, line, len) != len)
		say("the status port does not take: %s", line);
}

static void write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	if (write(fd, text, strlen(text)) < 0)
		say("%s: %s", path, strerror(errno));
	close(fd);
}

/* The whole of a small file, with a zero byte behind it. */
static char *read_file(const char *path, size_t *size)
{
	size_t room = 1 << 16, used = 0;
	char *text = malloc(room + 1);
	ssize_t got;
	int fd;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || !text) {
		free(text);
		return NULL;
	}
	while ((got = read(fd, text + used, room - used)) > 0) {
		used += got;
		if (used == room) {
			room *= 2;
			text = realloc(text, room + 1);
			if (!text)
				die("memory");
		}
	}
	close(fd);
	text[used] = '\0';
	if (size)
		*size = used;
	return text;
}

static void must_mount(const char *source, const char *target, const char *type,
		       unsigned long flags, const char *options)
{
	mkdir(target, 0755);
	if (mount(source, target, type, flags, options)) {
		say("mounting %s on %s: %s", source, target, strerror(errno));
		leave();
	}
}

/* For what a kernel may lack. */
static void try_mount(const char *target, const char *type, const char *options)
{
	mkdir(target, 0755);
	if (mount(type, target, type, MS_NOSUID | MS_NODEV | MS_NOEXEC, options) &&
	    errno != ENODEV && errno != ENOENT)
		say("mounting %s: %s", target, strerror(errno));
}

static void load_modules(void)
{
	struct dirent **entries;
	int count, i, fd;

	count = scandir("/modules", &entries, NULL, alphasort);
	for (i = 0; i < count; i++) {
		char path[300];

		if (entries[i]->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "/modules/%s", entries[i]->d_name);
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0 || (syscall(SYS_finit_module, fd, "", 0) && errno != EEXIST))
			die(path);
		close(fd);
	}
}

/* The device of a virtio port: 0 if it is there. */
static int find_port(const char *name, char *path, size_t size)
{
	char *found;
	bool same;
	int i;

	for (i = 0; i < 32; i++) {
		snprintf(path, size, "/sys/class/virtio-ports/vport%dp%d/name", i / 8,
			 i % 8);
		found = read_file(path, NULL);
		if (!found)
			continue;
		found[strcspn(found, "\n")] = '\0';
		same = !strcmp(found, name);
		free(found);
		snprintf(path, size, "/dev/vport%dp%d", i / 8, i % 8);
		if (same && !access(path, F_OK))
			return 0;
	}
	return -1;
}

/* Ports appear a moment after their driver. */
static void await_port(const char *name, char *path, size_t size)
{
	int tries;

	if (ports >= 0) {
		snprintf(path, size, "/proc/self/fd/%d/%s", ports, name);
		return;
	}
	for (tries = 0; tries < 6000; tries++) {
		if (!find_port(name, path, size))
			return;
		usleep(10000);
	}
	errno = ENODEV;
	die(name);
}

static int open_port(const char *name)
{
	char path[64];
	int fd;

	await_port(name, path, sizeof(path));
	/* Without O_NONBLOCK the driver of ports spins, interrupts off. */
	fd = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		die(path);
	return fd;
}

/* For commands: /dev/saved is the port of that name. */
static void offer_port(void)
{
	char path[64];

	await_port("saved", path, sizeof(path));
	if (ports < 0 ? symlink(path, "/dev/saved") :
	    close(open("/dev/saved", O_CREAT | O_CLOEXEC, 0600)) ||
	    mount(path, "/dev/saved", NULL, MS_BIND, NULL))
		die("/dev/saved");
}

/* The device nodes for which opening them loads a module, as udev makes them. */
static void make_static_nodes(void)
{
	char path[300], module[128], name[128], type;
	struct utsname uts;
	unsigned int major, minor;
	char *text, *line, *rest;

	uname(&uts);
	snprintf(path, sizeof(path), "/lib/modules/%s/modules.devname", uts.release);
	text = read_file(path, NULL);
	if (!text) {
		say("%s: %s", path, strerror(errno));
		return;
	}
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		if (sscanf(line, "%127s %127s %c%u:%u", module, name, &type, &major,
			   &minor) != 5)
			continue;
		snprintf(path, sizeof(path), "/dev/%s", name);
		if (strchr(name, '/')) {
			char *slash = strrchr(path, '/');

			*slash = '\0';
			mkdir(path, 0755);
			*slash = '/';
		}
		if (mknod(path, (type == 'b' ? S_IFBLK : S_IFCHR) | 0600,
			  makedev(major, minor)) &&
		    errno != EEXIST)
			say("%s: %s", path, strerror(errno));
	}
	free(text);
}

/*
 * The root: what is under test, over the kernel's modules, over the host's files.
 * It becomes the working folder; the caller still has to enter it.
 */
static void change_root(void)
{
	if (ports < 0) {
		must_mount("host", "/host", "9p", MS_RDONLY, OPTIONS_9P);
		must_mount("kernel", "/kernel", "9p", MS_RDONLY, OPTIONS_9P);
	} else {
		must_mount("host", "/host", "hostfs", MS_RDONLY, "/");
		mkdir("/kernel", 0755);
	}
	must_mount("root", "/root", "overlay", MS_RDONLY,
		   "lowerdir=/run/root:/hot:/kernel:/host");
	if (chdir("/root") || mount(".", "/", NULL, MS_MOVE, NULL))
		die("moving the root");
}

static void make_device_folder(void)
{
	must_mount("dev", "/dev", "devtmpfs", MS_NOSUID, "mode=0755");
	must_mount("devpts", "/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC,
		   "mode=0620,ptmxmode=0666");
	must_mount("shm", "/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777");
	try_mount("/dev/mqueue", "mqueue", NULL);
	if (symlink("/proc/self/fd", "/dev/fd") || symlink("fd/0", "/dev/stdin") ||
	    symlink("fd/1", "/dev/stdout") || symlink("fd/2", "/dev/stderr"))
		say("links in /dev: %s", strerror(errno));
	make_static_nodes();
}

static void mount_the_usual(void)
{
	must_mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL);
	must_mount("sys", "/sys", "sysfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL);
	make_device_folder();
	must_mount("run", "/run", "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755");
	must_mount("tmp", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777");
	must_mount("tmp", "/var/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777");
	if (mkdir("/run/lock", 0) || chmod("/run/lock", 01777))
		say("/run/lock: %s", strerror(errno));
	try_mount("/sys/fs/cgroup", "cgroup2", NULL);
	try_mount("/sys/kernel/debug", "debugfs", NULL);
	try_mount("/sys/kernel/tracing", "tracefs", NULL);
	try_mount("/sys/kernel/config", "configfs", NULL);
	try_mount("/sys/kernel/security", "securityfs", NULL);
	try_mount("/sys/fs/bpf", "bpf", "mode=0700");
}

/*
 * A working folder below /tmp or the like was just hidden by an empty tmpfs: show
 * the host's there. @host is a descriptor of the host's root.
 */
static void expose(int host, char *path)
{
	static const char * const hidden[] = { "/tmp/", "/var/tmp/", "/run/", "/dev/shm/" };
	char from[4200], *slash;
	size_t i;

	for (i = 0; i < sizeof(hidden) / sizeof(*hidden); i++)
		if (!strncmp(path, hidden[i], strlen(hidden[i])))
			break;
	if (i == sizeof(hidden) / sizeof(*hidden))
		return;
	for (slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0755);
		*slash = '/';
	}
	mkdir(path, 0755);
	snprintf(from, sizeof(from), "/proc/self/fd/%d/.%s", host, path);
	if (mount(from, path, NULL, MS_BIND, NULL))
		die(path);
}

static void raise_loopback(void)
{
	struct ifreq request = { .ifr_name = "lo", .ifr_flags = IFF_UP };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || ioctl(fd, SIOCSIFFLAGS, &request))
		say("lo: %s", strerror(errno));
	close(fd);
}

/* A forced failure is no fault: let it not look like one in the log. */
static void quieten_fault_injection(void)
{
	write_file("/sys/kernel/debug/failslab/verbose", "0");
	write_file("/sys/kernel/debug/fail_page_alloc/verbose", "0");
	write_file("/sys/kernel/debug/fail_usercopy/verbose", "0");
}

/*
 * Programs in user-mode Linux need GLIBC_TUNABLES (uml.sh). The kernel starts modprobe
 * without this variable, so let it start a script that sets the variable.
 */
static void wrap_modprobe(void)
{
	static const char path[] = "/run/modprobe";
	const char *tunables = getenv("GLIBC_TUNABLES");
	FILE *script;

	if (!tunables)
		return;
	script = fopen(path, "we");
	if (!script || fprintf(script, "#!/bin/sh\nGLIBC_TUNABLES=%s exec /sbin/modprobe \"$@\"\n",
			       tunables) < 0 || fclose(script) || chmod(path, 0755)) {
		say("%s: %s", path, strerror(errno));
		return;
	}
	write_file("/proc/sys/kernel/modprobe", path);
}

static void set_environment(void)
{
	const char *tunables = getenv("GLIBC_TUNABLES");

	clearenv();
	if (tunables)
		setenv("GLIBC_TUNABLES", tunables, 1);
	setenv("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", 1);
	setenv("HOME", "/root", 1);
	setenv("USER", "root", 1);
	setenv("LOGNAME", "root", 1);
	setenv("SHELL", "/bin/sh", 1);
	setenv("TERM", "dumb", 1);
	setenv("LANG", "C.UTF-8", 1);
}

static _Noreturn void become(char **argv, const char *cwd, int out, int err)
{
	int null = open("/dev/null", O_RDONLY);
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setsid();
	dup2(null, 0);
	dup2(out, 1);
	dup2(err, 2);
	if (null > 2)
		close(null);
	if (chdir(cwd)) {
		dprintf(2, "%s: %s\n", cwd, strerror(errno));
		_exit(126);
	}
	execvp(argv[0], argv);
	dprintf(2, "%s: %s\n", argv[0], strerror(errno));
	_exit(errno == ENOENT ? 127 : 126);
}

/* One stream of the command on its way to the host. */
struct stream {
	int pipe;
	int port;
	bool open;		/* the pipe may still bring something */
	size_t used, sent;	/* bytes in data, and those already written */
	char data[CHUNK];
};

static void move_stream(struct stream *stream)
{
	ssize_t count;

	if (stream->sent == stream->used) {
		count = read(stream->pipe, stream->data, sizeof(stream->data));
		if (count < 0 && (errno == EAGAIN || errno == EINTR))
			return;
		if (count <= 0) {
			stream->open = false;
			return;
		}
		stream->used = count;
		stream->sent = 0;
	}
	count = write(stream->port, stream->data + stream->sent,
		      stream->used - stream->sent);
	if (count > 0)
		stream->sent += count;
	else if (count < 0 && errno != EAGAIN && errno != EINTR)
		stream->sent = stream->used;	/* nobody listens any more */
}

/*
 * Pass both streams on until they end. Returns the status of @child, which
 * precedes their end; whatever it left running is killed then.
 */
static int relay(struct stream *streams, pid_t child, int signals)
{
	int status = -1;

	while (status < 0 || streams[0].open || streams[1].open) {
		struct pollfd polls[3] = { { .fd = signals, .events = POLLIN } };
		struct signalfd_siginfo info;
		int i, ended;
		pid_t pid;

		for (i = 0; i < 2; i++) {
			bool full = streams[i].sent < streams[i].used;

			polls[i + 1].fd = !streams[i].open ? -1 :
					  full ? streams[i].port : streams[i].pipe;
			polls[i + 1].events = full ? POLLOUT : POLLIN;
		}
		if (poll(polls, 3, -1) < 0 && errno != EINTR)
			die("poll");
		for (i = 0; i < 2; i++)
			if (polls[i + 1].revents)
				move_stream(&streams[i]);
		if (!polls[0].revents)
			continue;
		if (read(signals, &info, sizeof(info)) < 0 && errno != EAGAIN)
			die("signalfd");
		while ((pid = waitpid(-1, &ended, WNOHANG)) > 0) {
			if (pid != child)
				continue;
			status = WIFSIGNALED(ended) ? 128 + WTERMSIG(ended) :
						      WEXITSTATUS(ended);
			kill(-1, SIGKILL);
		}
	}
	return status;
}

static int run_command(char **argv, const char *cwd)
{
	static struct stream streams[2];
	int out[2], err[2], signals, status, i;
	sigset_t child_ended;
	pid_t child;

	streams[0].port = open_port("stdout");
	streams[1].port = open_port("stderr");
	if (pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC))
		die("pipe");
	streams[0].pipe = out[0];
	streams[1].pipe = err[0];

	sigemptyset(&child_ended);
	sigaddset(&child_ended, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child_ended, NULL);
	signals = signalfd(-1, &child_ended, SFD_CLOEXEC | SFD_NONBLOCK);

	report("started\n");
	child = fork();
	if (child < 0)
		die("fork");
	if (!child)
		become(argv, cwd, out[1], err[1]);
	close(out[1]);
	close(err[1]);
	for (i = 0; i < 2; i++) {
		fcntl(streams[i].pipe, F_SETFL, O_NONBLOCK);
		streams[i].open = true;
	}
	status = relay(streams, child, signals);
	/* Reap what was just killed: it may hold descriptors of the module. */
	while (waitpid(-1, NULL, 0) > 0)
		;
	sigprocmask(SIG_UNBLOCK, &child_ended, NULL);
	flush_port(streams[0].port);
	flush_port(streams[1].port);
	return status;
}

static bool module_loaded(const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/module/%s", name);
	return !access(path, F_OK);
}

/*
 * Each rule holds the module, and rules outlive the process that attached them. What a
 * command leaves is no leak: named namespaces end here, and the rules of this one are
 * detached. A reference that stays after that keeps the module from being unloaded.
 */
static void end_rules(void)
{
	struct kcuckoo_ioc_detach detach = { .size = sizeof(detach) };
	int fd;

	if (!module_loaded("kcuckoo"))
		return;
	while (!umount2("/run/netns", MNT_DETACH))
		;
	fd = open("/dev/kcuckoo", O_RDWR | O_CLOEXEC);
	if (fd < 0)
		say("/dev/kcuckoo: %s", strerror(errno));
	else if (ioctl(fd, KCUCKOO_IOC_DETACH, &detach) && errno != ENOENT)
		report("fault the rules cannot be detached: %s\n", strerror(errno));
	close(fd);
}

/* With its last user gone the module must go, or something holds on to it. */
static void unload(const char *name)
{
	int tries;

	if (!module_loaded(name))
		return;
	for (tries = 0; tries < UNLOAD_SECONDS * 10; tries++) {
		if (!syscall(SYS_delete_module, name, O_NONBLOCK) || errno == ENOENT)
			return;
		usleep(100000);
	}
	report("fault module %s cannot be unloaded after all its users ended: %s\n", name,
	       strerror(errno));
}

/* Is there to be a search for leaks? */
static bool leaks_matter(void)
{
	char *line = read_file("/proc/cmdline", NULL);
	bool matter = !line || strstr(line, "kmemleak=on");

	free(line);
	return matter;
}

/* A kmemleak that had no memory for itself has given up, and finds nothing any more. */
static int scan(const char *path)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	int error = fd < 0 || write(fd, "scan", 4) < 0 ? -errno : 0;

	close(fd);
	return error;
}

/* Two scans, since the first one also suspects what was just being moved. */
static char *find_leaks(void)
{
	static const char path[] = "/sys/kernel/debug/kmemleak";
	char *leaks = NULL;
	int error;

	error = scan(path);
	if (!error) {
		sleep(LEAK_AGE);
		error = scan(path);
	}
	if (!error) {
		leaks = read_file(path, NULL);
		error = leaks ? 0 : -errno;
	}
	if (error)
		report("fault kmemleak did not look for leaks: %s\n", strerror(-error));
	return leaks;
}

static void look_for_leaks(void)
{
	char *leaks, *line, *rest, record[1024];
	int fd;

	if (!leaks_matter())
		return;
	leaks = find_leaks();
	if (!leaks || !*leaks) {
		free(leaks);
		return;
	}
	report("fault kmemleak found memory that nothing points to\n");
	fd = open("/dev/kmsg", O_WRONLY | O_CLOEXEC);
	for (line = strtok_r(leaks, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		int len = snprintf(record, sizeof(record), "<3>kmemleak: %.900s", line);

		if (write(fd, record, len) < 0)
			break;
	}
	close(fd);
	free(leaks);
}

static void report_taint(void)
{
	char *taint = read_file("/proc/sys/kernel/tainted", NULL);

	report("taint %s", taint ? taint : "unknown\n");
	free(taint);
}

static void open_ports(void)
{
	const char *folder = getenv("PORTS");
	struct stat status;

	if (!folder)
		return;
	must_mount("ports", "/ports", "hostfs", 0, folder);
	ports = open("/ports", O_PATH | O_CLOEXEC);
	if (ports < 0)
		die("/ports");
	/* User-mode Linux that was rebooted begins again: one end is enough. */
	if (!stat("/ports/status", &status) && status.st_size)
		leave();
}

/* The runner only wants to know whether a machine comes up. */
static bool probing(void)
{
	char *line = read_file("/proc/cmdline", NULL);
	bool probe = line && strstr(line, "kcuckoo.probe");

	free(line);
	if (probe)
		write_file("/dev/console", "init: probed\n");
	return probe;
}

int main(void)
{
	char *cwd, *shown, *words, *line, *rest, *argv[4096];
	size_t size, used, count = 0;
	int host, status;

	must_mount("proc", "/proc", "proc", 0, NULL);
	must_mount("sys", "/sys", "sysfs", 0, NULL);
	must_mount("dev", "/dev", "devtmpfs", 0, NULL);
	if (probing())
		leave();
	load_modules();
	open_ports();
	status_port = open_port("status");
	change_root();

	cwd = read_file("/run/cwd", NULL);
	shown = read_file("/run/shown", NULL);
	words = read_file("/run/argv", &size);
	if (!cwd || !shown || !words || !size)
		die("reading the command");
	for (used = 0; used < size && count < 4095; used += strlen(words + used) + 1)
		argv[count++] = words + used;
	argv[count] = NULL;
	host = open("/host", O_PATH | O_CLOEXEC);
	if (host < 0 || chroot(".") || chdir("/"))
		die("entering the root");

	mount_the_usual();
	for (line = strtok_r(shown, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		expose(host, line);
	close(host);
	offer_port();
	raise_loopback();
	quieten_fault_injection();
	sethostname("kcuckoo", 7);
	wrap_modprobe();
	set_environment();
	/* From here on the log matters: let the console have all but debugging. */
	klogctl(8, NULL, 7);

	status = run_command(argv, cwd);
	if (chdir("/"))
		die("/");
	end_rules();
	unload("xt_kcuckoo");
	unload("kcuckoo");
	look_for_leaks();
	report_taint();
	report("exit %d\n", status);
	flush_port(status_port);
	leave();
}
