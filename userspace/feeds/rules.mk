# SPDX-License-Identifier: GPL-2.0-only
#
# These rules install what belongs to the configuration: its manual page, an example, and the
# catalogue of feeds.

DOCDIR		?= $(PREFIX)/share/doc/kcuckoo
FEEDS		:= $(wildcard $(HERE)/feeds/*.conf)

install: install-configuration
uninstall: uninstall-configuration

install-configuration:
	$(INSTALL) -d $(addprefix $(DESTDIR),$(FEEDSDIR) $(DOCDIR) $(MANDIR)/man5)
	$(INSTALL) -m 644 $(FEEDS) $(DESTDIR)$(FEEDSDIR)
	$(INSTALL) -m 644 $(HERE)/packaging/example.conf $(DESTDIR)$(DOCDIR)/example.conf
	$(INSTALL) -m 644 $(HERE)/man/kcuckoo.conf.5 $(DESTDIR)$(MANDIR)/man5/kcuckoo.conf.5

uninstall-configuration:
	rm -f $(addprefix $(DESTDIR),$(addprefix $(FEEDSDIR)/,$(notdir $(FEEDS))) \
		$(DOCDIR)/example.conf $(MANDIR)/man5/kcuckoo.conf.5)
	-rmdir $(addprefix $(DESTDIR),$(FEEDSDIR) $(dir $(FEEDSDIR)) $(DOCDIR)) 2>/dev/null

.PHONY: install-configuration uninstall-configuration
