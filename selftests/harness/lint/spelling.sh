#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# codespell finds nothing. Words of the field that it takes for mistakes are
# in the list below.

# shellcheck source=selftests/harness/lint/tree.sh
. "$(dirname "$0")/tree.sh"
need codespell

words=ths,fpr,conext,crate,nd,inout,iif,fo

mapfile -t list < <(files '*' | grep -vE '^selftests/soak/fuzz/corpus/|\.(gz|zst|bin|patch)$|^LICENSE')
codespell --quiet-level 3 --ignore-words-list "$words" "${list[@]}"
