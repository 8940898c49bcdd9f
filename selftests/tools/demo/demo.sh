#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Load a real list in a virtual machine, send packets from listed and unlisted
# addresses, and show a person what happens to them. Exit status 0 if all listed
# ones were dropped and no others, 1 if not so, 2 if it could not be tried.
#
# LIST='FILE...'        your own list in place of tor-geoipdb's, in any form that
#                       `kcuckoo load` reads
# COUNTRIES='DE US...'  other countries of tor-geoipdb
# SEED=NUMBER           the same choice of addresses as in the run that printed it
# CALLER=FOLDER         where relative names in LIST begin (the Makefile sets it)

set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd -P)
top=$(cd "$here/../../.." && pwd -P)
caller=$(cd "${CALLER:-.}" 2>/dev/null && pwd -P) || caller=$PWD
cd "$top"
# shellcheck source=selftests/harness/debian.sh
. selftests/harness/debian.sh

# The five with the most IPv4 networks in it, about 450,000 with IPv6: a big list
# and nothing else.
countries=${COUNTRIES:-DE FR GB NL US}
seed=${SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
place=build/demo
scratch=
memory=2048

# What is shown to a person goes to stdout, as the machine's output does.
title() {
	printf '\n== %s\n\n' "$*"
}

stop() {
	printf '\ndemo: %s\n' "$*"
	exit 2
}

gigabytes() {
	awk -v kb="$1" 'BEGIN { printf "%.1f GB", kb / 1048576 }'
}

# The cache has a kernel: then there is nothing to fetch.
is_warm() {
	compgen -G "$cache/stock-*/vmlinuz" >/dev/null
}

announce() {
	local minutes disk list packages

	list='A list of hundreds of thousands of IPv4 and IPv6 networks is made ready.'
	[ -z "${LIST:-}" ] || list='Your list is found.'
	packages='are installed'
	[ "$(id -u)" = 0 ] || packages='are named'
	if is_warm; then
		minutes='about 2'
		disk='40 MB in build/; the kernel is there already'
	else
		minutes='about 5, as this is the first time: most of them for downloads'
		disk="0.5 GB in $cache, 40 MB in build/,
           and up to 0.6 GB for Debian packages"
	fi
	cat <<PLAN
kcuckoo: a real list blocks real packets

What is going to happen:
  1. Debian packages that are missing (compiler, QEMU, ipset...) $packages.
  2. $list
  3. Module and command are built, and Debian 12's kernel boots in a virtual machine.
     The kernel of this machine is not touched.
  4. There the list is loaded and packets are sent, from listed and unlisted addresses.
     ipset gets the same list, for comparison.

What it needs:
  minutes  $minutes
  disk     $disk
           (free here: $(gigabytes "$(df --output=avail -k . | tail -n 1)"))
  memory   $((memory / 1024)) GB while the virtual machine runs
           (free here: $(gigabytes "$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo)"))
  network  Debian's archive, for what is missing: up to 0.2 GB
PLAN
}

# apt has a lot to say, which matters only if it fails.
install_packages() {
	local log=$scratch/apt

	title 'Packages'
	if ! "$here/../../harness/packages.sh" demo 2>&1 | tee "$log" |
		sed -un '/^installing/ { p; s/.*/(a minute or two)/p }'; then
		cat "$log"
		stop 'without these packages it cannot be tried'
	fi
	echo 'All that is needed is installed.'
}

# The list of the countries; the path in list.
make_country_list() {
	local folder country new

	countries=$(echo "$countries" | tr ',[:lower:]' ' [:upper:]' | xargs)
	case $countries in
	'' | *[!A-Z0-9\ ]*) stop "COUNTRIES wants codes of two letters, not '$countries'" ;;
	esac
	folder=$(geoip) || stop "LIST='FILE...' takes a list of yours"
	list=$place/networks-${countries// /-}.txt
	new=$scratch/networks
	# Everything is written anew: the package may have changed since.
	for country in $countries; do
		ranges "$folder" "$country" >"$new.part"
		[ -s "$new.part" ] || stop "tor-geoipdb knows no country '$country'"
		cat "$new.part" >>"$new"
	done
	mv "$new" "$list"
	title 'The list'
	echo "The networks of $countries, as tor-geoipdb has them (IPFire's database,"
	echo "CC BY-SA 4.0). COUNTRIES='...' takes others, LIST='FILE...' your own list."
	echo
	echo "    \$ wc -l $list; shuf -n 5 $list"
	{
		wc -l "$list"
		shuf -n 5 --random-source=<(yes "$seed") "$list"
	} | sed 's/^/    /'
}

# absolute FILE: its path, from the caller's folder or from here.
absolute() {
	local folder

	for folder in "$caller" "$top"; do
		(cd "$folder" && [ -e "$1" ] && [ ! -d "$1" ]) || continue
		(cd "$folder" && realpath -s -- "$1")
		return
	done
	return 1
}

# The machine has folders of its own in the place of these, and knows no pipes.
# What it would not see is copied.
visible() {
	local path copy

	path=$(realpath -- "$1" 2>/dev/null) || path=$1
	case $path in
	"$top"/*) ;;
	/tmp/* | /var/tmp/* | /run/* | /dev/* | /proc/* | /sys/*)
		copy=$scratch/${1##*/}
		[ ! -e "$copy" ] || copy=$(mktemp "$scratch/XXXXXX.${1##*/}")
		cat -- "$1" >"$copy"
		echo "$copy"
		return
		;;
	esac
	echo "$1"
}

# The caller's own files; their paths in files.
find_own_list() {
	local name path

	if path=$(absolute "$LIST"); then
		names=("$LIST")	# a name with blanks in it
	else
		# Unquoted: blanks divide names, and a name may be a pattern.
		# shellcheck disable=SC2086
		mapfile -t names < <(cd "$caller" && printf '%s\n' $LIST)
	fi
	[ ${#names[@]} -gt 0 ] || stop 'LIST names no file'
	title 'The list'
	for name in "${names[@]}"; do
		path=$(absolute "$name") || stop "LIST: there is no file '$name' in $caller"
		[ -r "$path" ] || stop "LIST: '$name' cannot be read"
		stat -L -c '    %n  (%s bytes)' -- "$path"
		files+=("$(visible "$path")")
	done
}

build_packets() {
	local program=$place/packets new

	"$here/../../harness/toolchain.sh" "$place/toolchain" gcc
	[ "$program" -nt "$place/toolchain" ] &&
		[ -z "$(find "$here" -newer "$program" -print -quit)" ] && return
	new=$scratch/packets
	gcc -O2 -Wall -Wextra -static -o "$new" "$here"/*.c || stop 'packets.c does not build'
	mv "$new" "$program"
}

trap '[ -z "$scratch" ] || rm -rf "$scratch"' EXIT

announce
mkdir -p "$place"
scratch=$(mktemp -d "$place/scratch.XXXXXX")
chmod a+rx "$scratch"
install_packages
build_packets
names=('FILE...')
files=()
if [ -n "${LIST:-}" ]; then
	find_own_list
	reference=filter
else
	make_country_list
	files=("$list")
	reference=$list
fi

title 'The virtual machine'
echo 'Building what is missing, then booting.'
status=0
"$here/../../harness/vm/run.sh" --mem "$memory" --timeout 3600 -- \
	"$here/guest.sh" "$place/packets" "$seed" "$reference" "${files[@]}" || status=$?
case $status in
0) ;;
1)
	printf '\ndemo: FAILED, see above. SEED=%s repeats this choice of addresses.\n' "$seed"
	exit 1
	;;
129 | 130 | 143)
	printf '\ndemo: interrupted\n'
	exit "$status"
	;;
*) stop "it could not be tried (exit status $status of the virtual machine), see above" ;;
esac

title 'The same on your own machine'
[ -z "${LIST:-}" ] || printf -v names '%q ' "${names[@]}"
cat <<END
After \`make install\`, as root:

    kcuckoo create blocklist
    kcuckoo load blocklist ${names% }
    kcuckoo attach blocklist

(This demonstration took $SECONDS seconds.)
END
