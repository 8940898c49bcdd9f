# SPDX-License-Identifier: GPL-2.0-only
#
# This Makefile builds the modules for DKMS. kmod/btf.sh adds BTF if the tools are installed; a
# module without BTF works, too. KCUCKOO_CACHE keeps the files of btf.sh in this folder.

modules:
	$(MAKE) -C $(KDIR) M=$(CURDIR) modules
	-KCUCKOO_CACHE=$(CURDIR)/btf sh kmod/btf.sh $(KDIR) kcuckoo.ko

clean:
	$(MAKE) -C $(KDIR) M=$(CURDIR) clean

.PHONY: modules clean
