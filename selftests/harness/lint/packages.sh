#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Modules are built against the headers of the running kernel where apt knows them, be
# there newer ones, and otherwise against those that Debian's latest kernel has. Whoever
# installs a module that the running kernel cannot load is told.

# shellcheck source=selftests/harness/lint/tree.sh
. "$(dirname "$0")/tree.sh"
need make

fakes=$scratch/bin
mkdir "$fakes"

# fake NAME COMMANDS: a program of that name.
fake() {
	printf '#!/bin/bash\n%s\n' "$2" >"$fakes/$1"
	chmod +x "$fakes/$1"
}

# A system on which all is installed but the headers of the running kernel 2.0.
fake uname 'echo 2.0'
# shellcheck disable=SC2016 # for the programs
{
	fake id 'echo "$USER_ID"'
	fake apt-cache '! grep -q ^update "$LOG" && [[ " $KNOWN " = *" ${@: -1} "* ]]'
	fake dpkg-query 'for p; do
		[[ $p != [a-z]* || " $ABSENT " = *" $p "* ]] || echo "installed $p"; done'
	fake apt-get '[ -z "$OFFLINE" ] || { echo "offline: $*" >>"$LOG"; exit 100; }
		echo "$*" >>"$LOG"
		[ "$1" != install ] || [[ " $* " != *" $BROKEN "* ]]'
}

# packages STATUS WANTED SETTING...: what is installed, or printed to be.
packages() {
	local status=0 expected=$1 wanted=$2

	shift 2
	: >"$scratch/log"
	env -u KDIR PATH="$fakes:$PATH" LOG="$scratch/log" ABSENT=linux-headers-2.0 \
		USER_ID=0 "$@" "$top/selftests/harness/packages.sh" build >>"$scratch/log" 2>&1 || status=$?
	[ $status = "$expected" ] ||
		{ echo "packages.sh with $*: exit status $status"; cat "$scratch/log"; exit 1; }
	if [ -z "$wanted" ]; then
		[ ! -s "$scratch/log" ] ||
			{ echo "packages.sh with $*:"; cat "$scratch/log"; exit 1; }
	else
		grep -q -e "--no-install-recommends $wanted " "$scratch/log" ||
			{ echo "packages.sh with $*: not $wanted"; cat "$scratch/log"; exit 1; }
	fi
}

both='linux-headers-2.0 linux-headers-amd64'
packages 0 linux-headers-2.0 KNOWN=linux-headers-2.0
packages 0 linux-headers-2.0 KNOWN=linux-headers-2.0 ABSENT="$both"
packages 0 '' KNOWN=
packages 0 linux-headers-amd64 KNOWN= ABSENT="$both"
packages 0 '' KNOWN=linux-headers-2.0 ABSENT=
packages 0 '' KNOWN=linux-headers-2.0 KDIR=/somewhere ABSENT="$both"
# Whoever may install nothing, and has some.
packages 0 '' KNOWN=linux-headers-2.0 USER_ID=1000
packages 1 linux-headers-2.0 KNOWN=linux-headers-2.0 USER_ID=1000 ABSENT="$both"
packages 1 linux-headers-amd64 KNOWN= USER_ID=1000 ABSENT="$both"
# Lists older than the archive, which has those of the running kernel no more.
packages 0 linux-headers-2.0 KNOWN=linux-headers-2.0 BROKEN=linux-headers-2.0
packages 0 linux-headers-amd64 KNOWN=linux-headers-2.0 BROKEN=linux-headers-2.0 ABSENT="$both"
# No archive at all.
packages 0 linux-headers-2.0 KNOWN=linux-headers-2.0 OFFLINE=yes
packages 1 linux-headers-2.0 KNOWN=linux-headers-2.0 OFFLINE=yes ABSENT="$both"

headers=$scratch/headers
mkdir -p "$headers/include/generated"
echo '#define UTS_RELEASE "1.0"' >"$headers/include/generated/utsrelease.h"

# told RELEASE DESTDIR: what the end of make install says where that is running.
told() {
	fake uname "echo $1"
	make -n -o all install KDIR="$headers" DESTDIR="$2" 2>/dev/null |
		sed -n '/^test /,$p' | PATH="$fakes:$PATH" sh
}

expected='kcuckoo: installed for 1.0, but 2.0 is running: reboot into 1.0, or install linux-headers-2.0 and make again'
[ "$(told 2.0 '')" = "$expected" ] || { echo "make install says: $(told 2.0 '')"; exit 1; }
[ -z "$(told 1.0 '')$(told 2.0 "$scratch/root")" ] || { echo "make install warns"; exit 1; }
