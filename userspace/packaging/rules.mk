# SPDX-License-Identifier: GPL-2.0-only
# This part of ../Makefile installs and removes the files of udev and systemd, which read their
# configuration only below /usr, /usr/local and /etc.

CONFDIR		:= $(if $(filter /usr /usr/local,$(PREFIX)),$(PREFIX)/lib,/etc)
UDEVDIR		?= $(CONFDIR)/udev/rules.d
SYSUSERSDIR	?= $(CONFDIR)/sysusers.d
TMPFILESDIR	?= $(CONFDIR)/tmpfiles.d
MODULESLOADDIR	?= $(CONFDIR)/modules-load.d
UNITDIR		?= $(CONFDIR)/systemd/system
DATADIR		?= $(PREFIX)/share/kcuckoo

# The units that change filters and rules have one sandbox. The units that handle one device or
# remove all rules also have the privileges for hook xdp. An administrator gives these privileges
# to other units with the copy of xdp.conf in DATADIR.
CHANGING	:= kcuckoo kcuckoo@ kcuckoo-save kcuckoo-save@ kcuckoo-apply \
		   kcuckoo-apply@ kcuckoo-device@
WITH_XDP	:= kcuckoo-save kcuckoo-save@ kcuckoo-device@
FETCHING	:= kcuckoo-fetch kcuckoo-fetch@
UNITS		:= $(addsuffix .service,$(CHANGING) $(FETCHING)) $(FETCHING:=.timer)
DROPINS		:= $(foreach unit,$(CHANGING),$(unit).service.d/10-sandbox.conf) \
		   $(foreach unit,$(WITH_XDP),$(unit).service.d/20-xdp.conf) \
		   $(foreach unit,$(FETCHING),$(unit).service.d/10-fetch.conf)
PACKAGING	:= $(HERE)/packaging

install-packaging:
	$(INSTALL) -d $(addprefix $(DESTDIR),$(UDEVDIR) $(SYSUSERSDIR) $(TMPFILESDIR) \
		$(MODULESLOADDIR) $(DATADIR) $(sort $(dir $(addprefix $(UNITDIR)/,$(UNITS) $(DROPINS)))))
	$(INSTALL) -m 644 $(PACKAGING)/60-kcuckoo.rules $(DESTDIR)$(UDEVDIR)/60-kcuckoo.rules
	$(INSTALL) -m 644 $(PACKAGING)/90-kcuckoo-device.rules $(DESTDIR)$(UDEVDIR)/90-kcuckoo-device.rules
	$(INSTALL) -m 644 $(PACKAGING)/kcuckoo.sysusers $(DESTDIR)$(SYSUSERSDIR)/kcuckoo.conf
	$(INSTALL) -m 644 $(PACKAGING)/kcuckoo.tmpfiles $(DESTDIR)$(TMPFILESDIR)/kcuckoo.conf
	$(INSTALL) -m 644 $(PACKAGING)/kcuckoo.modules-load $(DESTDIR)$(MODULESLOADDIR)/kcuckoo.conf
	$(INSTALL) -m 644 $(PACKAGING)/xdp.conf $(DESTDIR)$(DATADIR)/xdp.conf
	$(INSTALL) -m 644 $(PACKAGING)/prometheus/kcuckoo.rules.yml $(DESTDIR)$(DATADIR)/kcuckoo.rules.yml
	for unit in $(UNITS); do \
		sed 's|@bindir@|$(BINDIR)|' $(PACKAGING)/$$unit.in >$(DESTDIR)$(UNITDIR)/$$unit && \
		chmod 644 $(DESTDIR)$(UNITDIR)/$$unit || exit 1; \
	done
	for dropin in $(DROPINS); do \
		$(INSTALL) -m 644 $(PACKAGING)/$${dropin#*/??-} $(DESTDIR)$(UNITDIR)/$$dropin || exit 1; \
	done
ifeq ($(DESTDIR),)
	$(PACKAGING)/group.sh $(SYSUSERSDIR)/kcuckoo.conf
	$(PACKAGING)/units.sh install $(TMPFILESDIR)/kcuckoo.conf
endif

# Disable the units while their files exist. Services that run continue.
uninstall-packaging:
ifeq ($(DESTDIR),)
	$(PACKAGING)/units.sh disable
endif
	rm -f $(addprefix $(DESTDIR),$(UDEVDIR)/60-kcuckoo.rules $(UDEVDIR)/90-kcuckoo-device.rules \
		$(SYSUSERSDIR)/kcuckoo.conf $(TMPFILESDIR)/kcuckoo.conf \
		$(MODULESLOADDIR)/kcuckoo.conf $(DATADIR)/xdp.conf $(DATADIR)/kcuckoo.rules.yml \
		$(addprefix $(UNITDIR)/,$(UNITS) $(DROPINS)))
	for folder in $(addprefix $(DESTDIR),$(DATADIR) \
		$(sort $(dir $(addprefix $(UNITDIR)/,$(DROPINS))))); do \
		test ! -d $$folder || rmdir --ignore-fail-on-non-empty $$folder || exit 1; \
	done
ifeq ($(DESTDIR),)
	$(PACKAGING)/units.sh reload
endif

.PHONY: install-packaging uninstall-packaging
