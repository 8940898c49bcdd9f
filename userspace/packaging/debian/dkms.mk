# SPDX-License-Identifier: GPL-2.0-only
#
# This Makefile builds the modules for DKMS, in its folder. kmod/btf.sh adds BTF where it finds
# the tools; a module without BTF works, too. Nothing is kept elsewhere.

modules:
	$(MAKE) -C $(KDIR) M=$(CURDIR) modules
	-KCUCKOO_CACHE=$(CURDIR)/btf sh kmod/btf.sh $(KDIR) kcuckoo.ko

clean:
	$(MAKE) -C $(KDIR) M=$(CURDIR) clean

.PHONY: modules clean
