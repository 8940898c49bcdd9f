# SPDX-License-Identifier: GPL-2.0-only
# How the C programs of a folder are built; included after TEST_GEN_PROGS.

DEVICE := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))
SELFTESTS := $(DEVICE)/../..
KSOURCE ?= $(shell $(SELFTESTS)/harness/ksource.sh)

CFLAGS += -O2 -g -Wall -Wextra -Wno-unused-parameter -Wno-sign-compare \
	  -Wno-missing-field-initializers -Werror -I$(SELFTESTS)/../uapi -I$(DEVICE) -isystem $(KSOURCE)/tools/testing/selftests
LDFLAGS += -static -pthread
LDLIBS += -lm
LOCAL_HDRS += $(wildcard *.h $(DEVICE)/*.h) $(SELFTESTS)/../uapi/linux/kcuckoo.h

include $(KSOURCE)/tools/testing/selftests/lib.mk
