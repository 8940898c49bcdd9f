#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# packages.sh PURPOSE...
#
# See to it that the Debian packages for these purposes are installed: as root
# install what is missing, otherwise print the line that does and fail.
# Purposes: build, deb, cross, demo, test, debug, fuzz, endurance, newest, system, paper, bench (see the
# table).

set -eu

# One line per package: its name, the purposes that need it, what it does there.
table() {
	cat <<'TABLE'
gcc               build,vm,test,debug,paper  compiles the module, the programs, the VM's init
make              build,vm,test,debug  drives every build
libc6-dev         build,vm,test,debug,paper  headers and static library of C
linux-headers-amd64 build,paper        what modules are compiled against
linux-compiler-gcc-12-x86 vm,debug     the compiler that Debian's kernel was built with
kmod              build,vm,test        depmod, modprobe
pkgconf           build,vm,test,deb    finds libraries
zlib1g-dev        build,vm,test,deb    gzip lists, checksums of snapshots
libjansson-dev    build,vm,test,deb    JSON output of the command, lists in JSON
libzstd-dev       build,vm,test,deb    zstd lists, snapshots
libarchive-dev    build,vm,test,deb    lists in archives; the command loads its library
libmaxminddb-dev  build,vm,test,deb    lists from databases; the command loads its library
libmaxmind-db-writer-perl test         writes databases
tor-geoipdb       test                 countries of addresses, for databases
libinih-dev       build,vm,test,deb    reads the configuration
libjsmn-dev       build,vm,test,deb    decisions of CrowdSec
libcurl4-gnutls-dev build,vm,test,deb  fetching lists; the command loads its library
nettle-dev        build,vm,test,deb    digests of lists
zstd              test                 snapshots as another version saves them
libxtables-dev    build,vm,test,deb    plugins for iptables
libssl-dev        test                 SHA-1 in an example
openssl           test,system          certificates of a server
ca-certificates   test                 what libcurl trusts by default
qemu-system-x86   vm                   the virtual machine
cpio              vm                   its initramfs
libelf1           vm                   used by the kernel's objtool
iproute2          demo,test,bench      network namespaces and veth
iptables          demo,test,bench      rules that tests compare with
nftables          test,bench           rules that tests compare with
ipset             demo,test,bench      what the demonstration compares with
iputils-ping      test                 packets in tests of iptables
wireguard-tools   test                 a tunnel in the tests of recipes
xz-utils          test,debug           unpacks the kernel and its source
procps            test                 finds the machine that has to end
patch             test,debug           bugs that the tests have to find
perl              test                 checkpatch, kernel-doc
python3           test                 builds resolve_btfids; reference models; a server
clang             test,fuzz,deb,cross  BPF programs, fuzzing; lint: another compiler's layout
libclang-rt-dev   test,fuzz            libFuzzer, sanitizers of clang
dwarves           test                 BTF; lint: holes in structs (pahole)
libbpf-dev        test,deb             loads XDP programs
libmnl-dev        test,deb             lists network devices for hook xdp
codespell         test                 lint: spelling
python3-yaml      test                 tasks of Ansible in the manual page
git               test,deb,cross       lint: which files are ours; what is committed
file              test                 lint: finds shell scripts
sparse            test                 lint: address spaces, locks
shellcheck        test                 lint: shell
spin              test                 models of what writers and readers agree on
mandoc            test                 lint: man page
gcc-multilib      test                 32-bit callers of the device
g++               test                 lint: the uapi header in C++
bc                debug                builds the kernel's timeconst.h
flex              debug                builds Kconfig
bison             debug                builds Kconfig
libelf-dev        test,debug           builds resolve_btfids, objtool
mmdebstrap        newest,system        what the headers of 5.10 and newest fit; a whole system
build-essential   deb,cross            what every Debian package is built with
debhelper         deb,cross            builds Debian packages
dh-dkms           deb,cross            the package of the modules
lintian           deb,cross            checks the packages
e2fsprogs         endurance,system     a file system of tests; that of a whole system
dmsetup           endurance            a device whose writes are logged
systemd           system               enables its units
binutils          paper                ar
gnuplot-nox       paper,bench          plots
libbloom-dev      bench                the Bloom filters beside the core
TABLE
}

# A purpose stands for itself and for those it rests upon.
purposes=
for purpose; do
	case $purpose in
	build) purposes="$purposes build" ;;
	deb) purposes="$purposes deb" ;;
	cross) purposes="$purposes cross" ;;
	demo) purposes="$purposes build vm demo" ;;
	test) purposes="$purposes build vm test" ;;
	debug) purposes="$purposes build vm test debug" ;;
	fuzz) purposes="$purposes build fuzz" ;;
	endurance) purposes="$purposes build vm test endurance" ;;
	newest) purposes="$purposes newest" ;;
	system) purposes="$purposes build vm system" ;;
	paper) purposes="$purposes build vm paper" ;;
	bench) purposes="$purposes build debug bench" ;;
	vm) purposes="$purposes vm" ;;
	*)
		echo "packages.sh: unknown purpose '$purpose' (build, deb, cross, vm, demo, test, debug, fuzz, endurance, newest, system, paper, bench)" >&2
		exit 2
		;;
	esac
done

wanted=$(table | while read -r package needed_by _; do
	for purpose in $purposes; do
		case ,$needed_by, in *,"$purpose",*) echo "$package" ;; esac
	done
done | sort -u)

if ! command -v dpkg-query >/dev/null; then
	printf 'note: no dpkg here; these Debian packages or their like are needed:\n%s\n' \
		"$wanted" >&2
	exit 0
fi

is_root() {
	[ "$(id -u)" = 0 ]
}

# installed PACKAGE...: those of them that are.
installed() {
	dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null |
		sed -n 's/^installed //p'
}

# headers: those of the running kernel where apt knows them, for that is what a module
# is loaded into: a kernel that was upgraded and not started yet has others. Whoever may
# install nothing makes do with these.
headers() {
	running=linux-headers-$(uname -r)
	if apt-cache show "$running" >/dev/null 2>&1 &&
		{ is_root || [ -z "$(installed linux-headers-amd64)" ]; }; then
		echo "$running"
	else
		echo linux-headers-amd64
	fi
}

missing() {
	# shellcheck disable=SC2086 # a list of names
	there=$(installed $wanted "linux-headers-$(uname -r)")
	for package in $wanted; do
		if [ "$package" = linux-headers-amd64 ]; then
			[ -z "${KDIR:-}" ] || continue	# the caller brings headers
			package=$(headers)
		fi
		echo "$there" | grep -qxF "$package" || echo "$package"
	done
}

lacking=$(missing | tr '\n' ' ')
[ -n "$lacking" ] || exit 0

if ! is_root; then
	echo "Packages are missing. Install them and try again:" >&2
	echo "    sudo apt-get install -y --no-install-recommends $lacking" >&2
	exit 1
fi

install() {
	echo "installing Debian packages: $lacking" >&2
	# shellcheck disable=SC2086 # a list of names
	apt-get install -y --no-install-recommends $lacking -o DPkg::Lock::Timeout=300 >&2
}

# Without an archive, the headers of another kernel that are there will do to build with.
others_do() {
	[ "$lacking" = "linux-headers-$(uname -r) " ] &&
		[ -n "$(installed linux-headers-amd64)" ]
}

export DEBIAN_FRONTEND=noninteractive
# Lists may be absent (fresh images) or older than the archive: then refresh, and see
# which headers there are.
install || {
	apt-get update >&2 || :
	lacking=$(missing | tr '\n' ' ')
	[ -z "$lacking" ] || install || others_do
}
