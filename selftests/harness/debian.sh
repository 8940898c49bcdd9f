# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Sourced by scripts that take packages from Debian's archive without installing
# them. Everything lands in $cache, in folders named after the package version.

cache=${KCUCKOO_CACHE:-~/.cache/kcuckoo}
mkdir -p "$cache"
cache=$(cd "$cache" && pwd -P)

say() {
	echo "kcuckoo: $*" >&2
}

die() {
	say "$*"
	exit 1
}

# Package lists of our own: used when the host has none or they are out of date,
# so that neither root nor a change to the host is needed.
own_folder=$cache/apt
own_lists=(
	-o "Dir::State=$own_folder" -o "Dir::Cache=$own_folder"
	-o Dir::State::status=/var/lib/dpkg/status
)

refresh() {
	mkdir -p "$own_folder/lists/partial" "$own_folder/archives/partial"
	apt-get "${own_lists[@]}" -o APT::Sandbox::User=root -qq update >&2
}

# What a suite other than the host's is reached by; nothing where packages come from
# the host's own sources. See use_suite.
suite=
source_lines=()

codename() {
	sed -n 's/^VERSION_CODENAME=//p' /etc/os-release
}

# archives NAME OPTION...: where Debian's packages of this codename come from, as the
# package lists say that apt finds with these options.
archives() {
	# shellcheck disable=SC2016 # for apt to expand
	apt-get "${@:2}" indextargets --format \
		'$(CREATED_BY) $(ORIGIN) $(COMPONENT) $(RELEASE) $(CODENAME) $(REPO_URI)' |
		awk -v codename="$1" '$1 $2 $3 == "PackagesDebianmain" &&
			($4 == codename || $5 == codename) && !found++ { print $NF }'
}

# mirror [-security]: what the host takes Debian's own packages, or their security
# updates, from.
mirror() {
	local uri name

	name=$(codename)${1:-}
	uri=$(archives "$name")
	if [ -z "$uri" ]; then
		refresh || :
		uri=$(archives "$name" "${own_lists[@]}")
	fi
	echo "$uri"
}

# use_suite SUITE [-security]: from here on packages come from this suite of the archive,
# and from its security updates, by sources, lists and caches of its own. A mirror may
# stand still and its lists count as expired: of what comes from them nothing is installed
# on the host.
use_suite() {
	local uri addition keyring=/usr/share/keyrings/debian-archive-keyring.gpg

	suite=$1
	own_folder=$cache/apt-$suite
	mkdir -p "$own_folder"
	source_lines=()
	for addition in '' "${@:2}"; do
		uri=$(mirror "$addition")
		[ -z "$uri" ] ||
			source_lines+=("deb [signed-by=$keyring] $uri $suite$addition main")
	done
	[ ${#source_lines[@]} = 0 ] ||
		printf '%s\n' "${source_lines[@]}" >"$own_folder/sources.list"
	# No lists, no network: there may be some of former times.
	mapfile -t source_lines < <(cat "$own_folder/sources.list" 2>/dev/null)
	[ ${#source_lines[@]} != 0 ] ||
		die "no suite $suite: none of apt's sources is an archive of Debian's" \
			"$(codename) that answers, to take it from there as well"
	own_lists=(
		-o "Dir::State=$own_folder" -o "Dir::Cache=$own_folder"
		-o Dir::State::status=/dev/null
		-o "Dir::Etc::sourcelist=$own_folder/sources.list"
		-o Dir::Etc::sourceparts=/dev/null
		-o Dir::Etc::preferences=/dev/null -o Dir::Etc::preferencesparts=/dev/null
		-o Acquire::Check-Valid-Until=false -o APT::Update::Error-Mode=any
	)
}

# candidate PACKAGE: the version that apt would install.
candidate() {
	local version=

	[ -n "$suite" ] ||
		version=$(apt-cache policy "$1" | sed -n 's/^  Candidate: //p')
	if [ -z "$version" ] || [ "$version" = "(none)" ]; then
		[ -z "$suite" ] && [ -d "$own_folder/lists" ] || refresh ||
			say "the package lists${suite:+ of the suite $suite} cannot be read"
		version=$(apt-cache "${own_lists[@]}" policy "$1" |
			sed -n 's/^  Candidate: //p')
	fi
	[ -n "$version" ] && [ "$version" != "(none)" ] || return 1
	echo "$version"
}

# remembered NAME: the folder chosen last time, unless apt's lists have changed
# since (asking apt takes half a second), or it was a week ago for a suite whose
# lists nobody else reads.
remembered() {
	local known=$cache/$1.current

	if [ -n "$suite" ]; then
		[ -n "$(find "$known" -mtime -7 2>/dev/null)" ] || return
	else
		[ "$known" -nt /var/lib/apt/lists ] || return
	fi
	[ -d "$cache/$(cat "$known")" ] && cat "$known"
}

# newest_cached NAME: where apt offers nothing (no lists, no network).
newest_cached() {
	cat "$cache/$1.current" 2>/dev/null
}

# dependencies PACKAGE REGEX: those of its dependencies whose names match.
dependencies() {
	{
		[ -n "$suite" ] || apt-cache depends "$1"
		[ ! -d "$own_folder/lists" ] || apt-cache "${own_lists[@]}" depends "$1"
	} | sed -n 's/^  Depends: //p' | grep -xE "$2" | awk '!seen[$0]++'
}

# download FOLDER PACKAGE=VERSION...: their .deb files.
download() {
	local folder=$1

	shift
	(
		cd "$folder" || exit
		if [ -z "$suite" ]; then
			apt-get -o APT::Sandbox::User=root -qq download "$@" >&2 && exit 0
			say "the host's package lists do not help, reading the archive's"
			refresh
		fi
		apt-get -o APT::Sandbox::User=root "${own_lists[@]}" -qq download "$@" >&2
	)
}

# source_archive FOLDER VERSION: the path of the kernel's source archive of that
# package version: the installed one, or one in the cache, which several take files
# from; FOLDER is for what comes before it.
source_archive() {
	local installed kept=$cache/linux-source-6.1_$2.tar.xz

	installed=$(dpkg-query -W -f '${Version}' linux-source-6.1 2>/dev/null || :)
	if [ "$installed" = "$2" ] && [ -f /usr/src/linux-source-6.1.tar.xz ]; then
		echo /usr/src/linux-source-6.1.tar.xz
		return
	fi
	if [ ! -f "$kept" ]; then
		download "$1" "linux-source-6.1=$2"
		dpkg-deb -x "$1"/linux-source-6.1_*.deb "$1"
		mv "$1/usr/src/linux-source-6.1.tar.xz" "$kept"
	fi
	echo "$kept"
}

# geoip: the folder with tor-geoipdb's lists. The package depends on tor, and to
# install that starts a service that nobody asked for: so it is only unpacked.
geoip() {
	local version folder temporary

	folder=/usr/share/tor
	if [ -r "$folder/geoip" ] && [ -r "$folder/geoip6" ]; then
		echo "$folder"
		return
	fi
	if version=$(candidate tor-geoipdb); then
		folder=$cache/tor-geoipdb-$version
	else
		folder=$(compgen -G "$cache/tor-geoipdb-*" | tail -n 1) ||
			die "apt offers no tor-geoipdb and the cache has none"
	fi
	if [ ! -d "$folder" ]; then
		say "fetching tor-geoipdb $version (3 MB to fetch, 25 MB in $cache)"
		temporary=$(mktemp -d "$cache/geoip.XXXXXX")
		# shellcheck disable=SC2064 # expand now: the name is local
		trap "rm -rf '$temporary'" EXIT
		download "$temporary" "tor-geoipdb=$version"
		dpkg-deb -x "$temporary"/tor-geoipdb_*.deb "$temporary/new"
		mv -T "$temporary/new" "$folder" 2>/dev/null || [ -d "$folder" ]
	fi
	echo "$folder/usr/share/tor"
}

# ranges FOLDER [COUNTRY]: its ranges of both families, a line each.
ranges() {
	awk -F, -v country="${2:-}" '
	function dotted(number) {
		return sprintf("%d.%d.%d.%d", int(number / 16777216),
			int(number / 65536) % 256, int(number / 256) % 256, number % 256)
	}
	/^#/ || (country != "" && $3 != country) { next }
	/:/ { print $1 " - " $2 "  # " $3; next }
	{ print dotted($1) " - " dotted($2) "  # " $3 }' "$1/geoip" "$1/geoip6"
}
