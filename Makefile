# SPDX-License-Identifier: GPL-2.0-only
#
# `make help` lists the targets.

PREFIX		?= /usr/local
DESTDIR		?=
# Make the path absolute: a relative path would be another folder in each makefile.
override DESTDIR := $(abspath $(DESTDIR))
TOP		:= $(CURDIR)
SELFTESTS	:= $(TOP)/selftests

# Modules are built with the headers of the running kernel, or else with the newest
# installed headers. NEWEST is evaluated at each use, because a target can install headers.
RUNNING		:= /lib/modules/$(shell uname -r)/build
NEWEST		= $(shell ls -d /lib/modules/*/build/ /usr/src/linux-headers-*-amd64/ \
			2>/dev/null | sort -V -t / -k 4 | tail -n 1)
ifneq ($(wildcard $(RUNNING)/Makefile),)
KDIR		?= $(RUNNING)
endif
# If headers are found, packages.sh does not have to install them.
ifneq ($(KDIR),)
export KDIR
endif
KDIR		?= $(if $(shell test -e $(RUNNING)/Makefile && echo yes),$(RUNNING),$(patsubst %/,%,$(NEWEST)))
RELEASE		= $(shell cut -d\" -f2 $(KDIR)/include/generated/utsrelease.h)
MODULES		= $(DESTDIR)/lib/modules/$(RELEASE)/updates

CLEAN_MODULES	:= { find kmod -name '*.o' -o -name '.*.cmd' -o -name '*.o.d' | xargs -r rm -f; \
		rm -f *.ko *.o *.mod *.mod.c .*.cmd .*.o.d Module.symvers modules.order; }

.PHONY: all module userspace install install-modules uninstall
.PHONY: test test-debug test-races test-kernels test-system test-packages test-previous
.PHONY: test-daemons deb
.PHONY: fault-sweep coverage fuzz seeded-bugs endurance soak demo paper bench lint clean
.PHONY: packages note help

all: module userspace

packages:
	@$(SELFTESTS)/harness/packages.sh build

note: packages
	@test -n "$(KDIR)" || { echo "no kernel headers found: set KDIR" >&2; exit 1; }
	@test "$(KDIR)" = "$(RUNNING)" || echo "note: building the module against $(KDIR)"

# Remove objects of another compiler. Run btf.sh, which adds BTF to the module, each time.
module: note
	@$(SELFTESTS)/harness/toolchain.sh $(TOP)/build/module.tools make gcc ld objcopy
	@test ! -e kcuckoo.ko -o kcuckoo.ko -nt $(TOP)/build/module.tools || $(CLEAN_MODULES)
	$(MAKE) -C $(KDIR) M=$(TOP) modules
	@kmod/btf.sh $(KDIR) kcuckoo.ko

userspace: packages
	$(MAKE) -C userspace PREFIX=$(PREFIX)

# Without DESTDIR, update the indexes of modules and libraries. With DESTDIR, the package
# has to do this.
install: all
	$(MAKE) install-modules DESTDIR=$(DESTDIR)
	$(MAKE) -C userspace install PREFIX=$(PREFIX) DESTDIR=$(DESTDIR)
ifeq ($(DESTDIR),)
	/sbin/depmod $(RELEASE)
	/sbin/ldconfig
	@test "$(RELEASE)" = "$$(uname -r)" || echo "kcuckoo: installed for $(RELEASE), but $$(uname -r)" \
		"is running: reboot into $(RELEASE), or install linux-headers-$$(uname -r) and make again"
endif

# Install only the modules of the last build: for a kernel without x_tables this is not
# xt_kcuckoo.ko, but the file can exist from an earlier build.
install-modules:
	install -d $(MODULES)
	install -m 644 $$(sed 's|.*/||; s|\.k*o$$|.ko|' modules.order) $(MODULES)

# Remove the modules of all kernels, because the headers can have changed since the install.
uninstall:
	@for updates in $(DESTDIR)/lib/modules/*/updates; do \
		test -e "$$updates/kcuckoo.ko" -o -e "$$updates/xt_kcuckoo.ko" || continue; \
		echo "rm $$updates/kcuckoo.ko $$updates/xt_kcuckoo.ko"; \
		rm -f "$$updates/kcuckoo.ko" "$$updates/xt_kcuckoo.ko" || exit 1; \
		rmdir --ignore-fail-on-non-empty "$$updates"; \
		test -z "$(DESTDIR)" || continue; \
		test -d "$${updates%updates}kernel" || continue; \
		release=$${updates#/lib/modules/}; \
		/sbin/depmod "$${release%/updates}" || echo "depmod: failed for $$updates" >&2; \
	done
	$(MAKE) -C userspace uninstall PREFIX=$(PREFIX) DESTDIR=$(DESTDIR)
ifeq ($(DESTDIR),)
	/sbin/ldconfig
	@! test -e /sys/module/kcuckoo || { \
		command=userspace/build/kcuckoo; test -x "$$command" || command=kcuckoo; \
		echo "note: the loaded module goes on, with its rules, until a restart, or until" \
		"'$$command detach --all', in other network namespaces" \
		"'$$command -n NETNS detach --all', and then 'rmmod xt_kcuckoo kcuckoo'"; }
endif

deb:
	@$(SELFTESTS)/harness/packages.sh $(if $(DEB_ARCH),cross,deb)
	@userspace/packaging/deb.sh

test:
	@$(SELFTESTS)/harness/packages.sh test
	@$(SELFTESTS)/harness/suite.sh

# Folders or programs, as FOLDER:PROGRAM; all unless some are named. DEBUG_KERNEL=uml-debug has
# most of the checks at the speed of the host, but one processor and no preemption.
DEBUG		?=
DEBUG_KERNEL	?= debug

test-debug:
	@$(SELFTESTS)/harness/packages.sh debug
	@$(SELFTESTS)/harness/suite.sh --kernel $(DEBUG_KERNEL) $(DEBUG)

# The folders whose tests run most operations at the same time.
RACES		?= concurrency namespace reload

test-races:
	@$(SELFTESTS)/harness/packages.sh debug
	@$(SELFTESTS)/harness/suite.sh --kernel kcsan $(RACES)

# The kernels that users run, without the stock kernel. Together they compile all branches
# of kmod/compat.h.
ALL_KERNELS	:= 5.10 rt 6.12 newest
KERNELS		?= $(ALL_KERNELS)

test-kernels:
	@$(SELFTESTS)/harness/packages.sh test newest
	@failed=; for kernel in $(KERNELS); do \
		echo "# kernel $$kernel"; \
		$(SELFTESTS)/harness/suite.sh --kernel $$kernel || failed="$$failed $$kernel"; \
	done; \
	if test "$(KERNELS)" = "$(ALL_KERNELS)"; then \
		echo "# branches of kmod/compat.h"; \
		$(SELFTESTS)/harness/branches.sh stock $(KERNELS) || failed="$$failed branches"; \
	else \
		echo "# not checked, as only some kernels were named: branches of kmod/compat.h"; \
	fi; \
	test -z "$$failed" || { echo "failed on:$$failed"; exit 1; }; \
	echo "passed on: $(KERNELS)"

# The tests of selftests/system, all unless some are named.
SYSTEM		?=

test-system:
	@$(SELFTESTS)/harness/packages.sh test system
	@$(SELFTESTS)/system/run.sh $(SYSTEM)

# The suites of Debian.
SUITES		?= bookworm trixie

test-packages:
	@$(SELFTESTS)/packages/run.sh $(SUITES)

# The command with the module of the previous release.
test-previous:
	@$(SELFTESTS)/harness/packages.sh test
	@$(SELFTESTS)/harness/previous.sh

# Of fail2ban, fail2ban-13, crowdsec and sshguard all unless some are named.
DAEMONS		?=

test-daemons:
	@$(SELFTESTS)/harness/packages.sh test
	@$(SELFTESTS)/tools/daemons/real.sh $(DAEMONS)

fault-sweep:
	@$(SELFTESTS)/harness/packages.sh debug
	@$(SELFTESTS)/kernel/fault/sweep.sh

coverage:
	@$(SELFTESTS)/harness/coverage.sh

demo:
	@LIST='$(LIST)' CALLER='$(PWD)' $(SELFTESTS)/tools/demo/demo.sh

paper:
	@$(SELFTESTS)/paper/paper.sh

bench:
	@$(SELFTESTS)/bench/bench.sh

# Seconds, shared among the targets.
fuzz: TIME ?= 1200
fuzz:
	@$(SELFTESTS)/harness/packages.sh fuzz debug
	@TIME='$(TIME)' $(SELFTESTS)/soak/fuzz/run.sh --all

seeded-bugs:
	@$(SELFTESTS)/soak/seeded/seeded.sh

endurance:
	@$(SELFTESTS)/harness/packages.sh endurance
	@$(SELFTESTS)/soak/endurance/run.sh

soak:
	@$(SELFTESTS)/harness/soak.sh $(SOAK)

lint:
	@$(SELFTESTS)/harness/packages.sh test
	@$(SELFTESTS)/harness/lint/run.sh

clean:
	rm -rf build
	$(CLEAN_MODULES)
	$(MAKE) -C userspace clean
	$(MAKE) -C selftests clean

help:
	@echo 'make              build the modules (for KDIR), command and iptables plugins'
	@echo 'make install      install them (PREFIX=/usr/local, DESTDIR= for packagers)'
	@echo 'make uninstall    remove them, the modules from every kernel'
	@echo 'make deb          build Debian packages of what is committed, into build/deb'
	@echo '                  (DEB_ARCH=arm64: for another architecture)'
	@echo 'make demo         load a real list in a virtual machine and see packets drop'
	@echo "                  (LIST='FILE...' takes your own)"
	@echo 'make test         every test, on the stock kernel (a quarter of an hour); JOBS=N'
	@echo '                  lanes at a time, by default one for each processor, as many'
	@echo '                  as fit in memory'
	@echo 'make soak         the long programme, before an issue is closed: all of the'
	@echo '                  tests below, and those of make test with longer lists and more'
	@echo "                  rounds (8 to 10 hours; SOAK='TARGET...' does some)"
	@echo 'make test-debug   the kernel tests on a kernel with all its checks'
	@echo "                  (DEBUG='FOLDER... FOLDER:PROGRAM...' does some; DEBUG_KERNEL=uml-debug:"
	@echo '                  user-mode Linux, much faster, without preemption)'
	@echo 'make test-races   those with races on a kernel that looks for them, KCSAN'
	@echo "                  (RACES='FOLDER...', RACES= for all folders)"
	@echo "make test-kernels the kernel tests on Debian 11's 5.10, on PREEMPT_RT, on 6.12 of the"
	@echo "                  backports and on Debian's newest (KERNELS='5.10 rt 6.12 newest')"
	@echo 'make test-system  boot a whole system with systemd and this project installed: boot,'
	@echo '                  reboot, power cut, without the module (as root, half an hour;'
	@echo "                  SYSTEM='TEST...' does some)"
	@echo 'make test-packages build the packages in fresh chroots of Debian 12 and 13, install,'
	@echo '                  upgrade and purge them there, and boot both (as root, with a mirror;'
	@echo "                  SUITES='bookworm trixie')"
	@echo 'make test-previous the command with the module of the previous release'
	@echo "make test-daemons Debian's own fail2ban, CrowdSec and sshguard ban and unban, and"
	@echo "                  promtool checks metrics and alerts (half an hour;"
	@echo "                  DAEMONS='PROGRAM...' does some)"
	@echo 'make fault-sweep  fail every allocation and user copy of every operation, with'
	@echo '                  tables of several sizes (10 minutes; ROUNDS=N)'
	@echo 'make coverage     which lines of the module the tests reach: the last line says'
	@echo '                  how many, at least 99 %; build/coverage/missed has the others'
	@echo '                  (20 minutes)'
	@echo 'make fuzz         look for inputs that break the core, the parsers or the device'
	@echo '                  (10 minutes of two processors; TIME=SECONDS of one)'
	@echo 'make paper        measure what the papers show: selftests/paper/paper.md (3 hours;'
	@echo '                  QUICK=1: 3 minutes, small tables)'
	@echo 'make bench        compare kcuckoo with ipset, nft and BPF maps, at native speed:'
	@echo '                  selftests/bench/bench.md (half an hour to an hour;'
	@echo '                  QUICK=1: five minutes)'
	@echo 'make seeded-bugs  do the tests find bugs? They are put in one by one, and the'
	@echo '                  last line says how many were caught (half an hour)'
	@echo 'make endurance    10^10 look-ups, 10^9 operations of the core, 10^5 filters, 1000'
	@echo '                  namespaces, 200 reloads, requests of 1 GiB, 1000 exchanges under'
	@echo '                  a flood, 200 kills, 1000 damaged snapshots (3 hours; SHARE=10: a tenth)'
	@echo 'make lint         style, layout, documentation'
	@echo 'make clean        remove what was built'
	@echo
	@echo 'KDIR=FOLDER       kernel headers to build against'
	@echo 'KCUCKOO_CACHE=... where kernels for the tests are kept (~/.cache/kcuckoo)'
