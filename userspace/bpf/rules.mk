# SPDX-License-Identifier: GPL-2.0-only
# This part of ../Makefile compiles the XDP program of hook xdp and puts it into the command.
# Without clang, libbpf or libmnl, the command is built without hook xdp, and prints an error if a
# rule names the hook.

BPF_CC		?= clang
BPF_TARGETS	:= $(shell $(BPF_CC) -print-targets 2>/dev/null | grep -w bpf)
BPF_CFLAGS	:= -O2 -g -Wall -Wextra -Werror -target bpf -I$(HERE)/../uapi \
		   -idirafter /usr/include/$(shell $(CC) -print-multiarch 2>/dev/null)

ifneq ($(and $(BPF_TARGETS),$(shell $(PKG_CONFIG) --exists libbpf libmnl && echo yes)),)
CLI_SRCS	:= $(filter-out %/noxdp.c,$(CLI_SRCS))
CLI_PACKAGES	+= libbpf libmnl
CLI_LIBS	+= $(shell $(PKG_CONFIG) --libs libbpf libmnl)
CLI_EXTRA	:= $(O)/bpf/object.o
else
CLI_SRCS	:= $(filter-out %/xdp.c %/xdp_program.c %/xdp_upper.c %/links.c %/ethernet.c,$(CLI_SRCS))
endif

$(O)/bpf/xdp.o: $(HERE)/bpf/xdp.c $(HERE)/bpf/xdp.h $(HERE)/../uapi/linux/kcuckoo.h $(TOOLCHAIN)
	@mkdir -p $(@D)
	$(BPF_CC) $(BPF_CFLAGS) -c $< -o $@

$(O)/bpf/object.o: $(HERE)/bpf/object.S $(O)/bpf/xdp.o
	$(CC) -DOBJECT='"$(O)/bpf/xdp.o"' -c $< -o $@
