# SPDX-License-Identifier: GPL-2.0-only
#
# This part of ../Makefile builds the examples, which are not installed.

LOGSTORE_OBJS	:= $(patsubst $(HERE)/%.c,$(O)/%.o,$(wildcard $(HERE)/examples/logstore/*.c) \
		     $(HERE)/examples/message.c)
URLBLOCK_OBJS	:= $(patsubst $(HERE)/%.c,$(O)/%.o,$(wildcard $(HERE)/examples/urlblock/*.c) \
		     $(HERE)/examples/message.c)

examples: $(O)/logstore $(O)/urlblock

# libcrypto of OpenSSL computes the SHA-1.
$(O)/logstore: $(LOGSTORE_OBJS) $(O)/libkcuckoo.a
	$(CC) $(SANITIZERS) $(LDFLAGS) $^ $(LIB_LIBS) -lcrypto -o $@

$(O)/urlblock: $(URLBLOCK_OBJS) $(O)/libkcuckoo.a
	$(CC) $(SANITIZERS) $(LDFLAGS) $^ $(LIB_LIBS) -o $@

$(LOGSTORE_OBJS) $(URLBLOCK_OBJS): | example-packages

example-packages: packages
	@$(PKG_CONFIG) --exists libcrypto || { \
		echo "examples: OpenSSL is missing; as root:" >&2; \
		echo "  apt-get install -y libssl-dev" >&2; \
		exit 1; }

.PHONY: examples example-packages

-include $(LOGSTORE_OBJS:.o=.d) $(URLBLOCK_OBJS:.o=.d)
