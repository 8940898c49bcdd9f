# SPDX-License-Identifier: GPL-2.0-only
#
# This part of ../Makefile builds and installs the backends of crowdsec-custom-bouncer and
# sshguard, and the action of fail2ban.

LIBEXECDIR	?= $(PREFIX)/libexec/kcuckoo
# fail2ban reads its configuration only below /etc.
F2BDIR		?= /etc/fail2ban/action.d

BACKENDS	:= crowdsec-bouncer sshg-fw-kcuckoo
BACKEND_OBJS	:= $(patsubst $(HERE)/%.c,$(O)/%.o,$(wildcard $(HERE)/daemons/*.c))
# The backends read the configuration, parse durations and escape texts as the command does.
BACKEND_COMMON	:= $(filter-out %/crowdsec.o %/sshguard.o,$(BACKEND_OBJS)) \
		   $(addprefix $(O)/cli/,conf/ini.o conf/report.o duration.o limit.o message.o)

all: $(addprefix $(O)/,$(BACKENDS))

$(BACKEND_OBJS): ALL_CFLAGS += -I$(HERE)
$(BACKEND_OBJS): | packages backend-packages

$(O)/crowdsec-bouncer: $(O)/daemons/crowdsec.o
$(O)/sshg-fw-kcuckoo: $(O)/daemons/sshguard.o
$(addprefix $(O)/,$(BACKENDS)): $(BACKEND_COMMON) $(O)/libkcuckoo.a
	$(CC) $(SANITIZERS) $(LDFLAGS) $(filter %.o,$^) $(filter %.a,$^) \
		$(shell $(PKG_CONFIG) --libs inih) $(LIB_LIBS) -o $@

# jsmn, a parser of JSON, is a header without a file for pkg-config.
backend-packages:
	@echo '#include <jsmn.h>' | $(CC) -E - >/dev/null 2>&1 || { \
		echo "userspace: a library is missing; as root:" >&2; \
		echo "  apt-get install -y libjsmn-dev" >&2; \
		exit 1; }

install: install-daemons
uninstall: uninstall-daemons

install-daemons: all
	$(INSTALL) -d $(addprefix $(DESTDIR),$(LIBEXECDIR) $(F2BDIR) $(MANDIR)/man7)
	$(INSTALL) -m 755 $(addprefix $(O)/,$(BACKENDS)) $(DESTDIR)$(LIBEXECDIR)
	$(INSTALL) -m 644 $(HERE)/daemons/fail2ban.conf $(DESTDIR)$(F2BDIR)/kcuckoo.conf
	$(INSTALL) -m 644 $(HERE)/man/kcuckoo-integration.7 $(DESTDIR)$(MANDIR)/man7

uninstall-daemons:
	rm -f $(addprefix $(DESTDIR),$(addprefix $(LIBEXECDIR)/,$(BACKENDS)) \
		$(F2BDIR)/kcuckoo.conf $(MANDIR)/man7/kcuckoo-integration.7)
	-rmdir $(DESTDIR)$(LIBEXECDIR) 2>/dev/null

.PHONY: backend-packages install-daemons uninstall-daemons

-include $(BACKEND_OBJS:.o=.d)
