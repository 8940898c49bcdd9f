#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# bench.sh [JOB...]: measure at native speed, in user-mode Linux, what kcuckoo and
# its rivals cost a packet, in memory and in time to load, and write bench.md, its
# plots and results.json. Names of jobs, as --list prints them, or the beginnings of
# such names, measure these alone; results of others are kept. A name that no job has
# is refused: exit 2.
#
# QUICK=1       fewer sizes and rounds: five minutes once the kernel is built
# ROUNDS=N      how often each rival is asked in turn (15; quick: 3)
# REPORT=1      measure nothing, write the report of what is there
# BENCH_TREE=   another tree of this project whose module and command are measured
#
# The jobs alone.* are for work on the packet path: kcuckoo without its rivals;
# alone.timeout has a second filter, whose members have a timeout. alone.churn is the
# job churn without a report.

set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd -P)
top=$(cd "$here/../.." && pwd -P)
selftests=$top/selftests
tree=$(cd "${BENCH_TREE:-$top}" && pwd -P)
build=$top/build/bench
mode=full
[ -z "${QUICK:-}" ] || mode=quick
data=$build/$mode
lists=$build/lists
rounds=${ROUNDS:-15}
[ $mode = full ] || rounds=${ROUNDS:-3}
# Memory of the machine in megabytes, by the job.
memory=2048
# The function of the jobs churn and alone.churn; bench.awk prints the numbers, too.
churn=churn,churn,50000,100000,20

# shellcheck source=selftests/harness/debian.sh
. "$selftests/harness/debian.sh"
# shellcheck source=selftests/bench/names.sh
. "$selftests/bench/names.sh"

# quietly LOG COMMAND...: its output only if it fails.
quietly() {
	"${@:2}" >"$1" 2>&1 || { tail -n 40 "$1" >&2; die "$2 failed: see $1"; }
}

# What the module is made of is linked, so that the objects of this kernel stay
# apart from those of others.
link_sources() {
	local source

	rm -rf "$build/module"
	(cd "$tree" && find Kbuild kmod uapi -name Kbuild -o -name '*.[ch]' ! -name '*.mod.c') |
		while read -r source; do
			mkdir -p "$build/module/$(dirname "$source")"
			ln -s "$tree/$source" "$build/module/$source"
		done
	ln -s "$here/packet" "$build/module/packet"
}

# kbuild FOLDER: the modules in it.
kbuild() {
	make -s -C "$kernel/kdir" ARCH=um \
		KCFLAGS=-DCONFIG_ARCH_SUPPORTS_INT128=1 M="$1" modules
}

compile() {
	local flags=(-std=gnu11 -O2 -Wall -Wextra -Werror "-I$selftests/unit/shim"
		"-I$selftests/unit/core" "-I$selftests/tools/demo")

	kernel=$("$selftests/harness/vm/kernel.sh" uml)
	link_sources
	mkdir -p "$build/packet" "$build/programs"
	ln -sf "$here"/packet/* "$build/packet"
	quietly "$build/module.log" kbuild "$build/module"
	quietly "$build/packet.log" kbuild "$build/packet"
	mkdir -p "$build/modules"
	cp "$build/module/kcuckoo.ko" "$build/packet/kcuckoo_packet.ko" "$build/modules"
	gcc "${flags[@]}" -o "$build/programs/addresses" "$here/addresses.c" \
		"$selftests/tools/demo/networks.c"
	gcc "${flags[@]}" -o "$build/programs/spent" "$here/spent.c"
	gcc "${flags[@]}" -o "$build/programs/elements" "$here/elements.c"
	gcc "${flags[@]}" -o "$build/programs/map" "$here/map.c"
	compile_core
	quietly "$build/userspace.log" make -s -C "$tree/userspace" \
		O="$build/userspace" DESTDIR="$build/root" PREFIX=/usr install
	ln -sf "$build/userspace/kcuckoo" "$build/programs"
}

# The core in userspace, and what looks keys up in it; libbloom beside it.
compile_core() {
	local name core=() flags=(-std=gnu11 -O2 -Wall -Wextra -Werror
		"-I$selftests/unit/shim" "-I$build/include" "-I$tree/uapi"
		"-I$tree/kmod" "-I$selftests/unit/core")

	"$selftests/harness/jhash.sh" "$build/include"
	for name in hash semisort table_params table search; do
		core+=("$tree/kmod/core/$name.c")
	done
	gcc "${flags[@]}" -o "$build/programs/batch" \
		"$here/batch.c" "$here/filling.c" "${core[@]}"
	gcc "${flags[@]}" -o "$build/programs/libbloom" \
		"$here/libbloom.c" "$here/filling.c" "${core[@]}" -lbloom -lm
}

# core SIZES OTHERS: at native speed, on this machine itself; OTHERS are the sizes of
# Bloom filters, which are filled slowly. All ask for huge pages, in which the module
# has its tables too; without, the processor looks for pages as long as for keys.
core() {
	local sizes others
	local -x GLIBC_TUNABLES=glibc.malloc.hugetlb=1

	read -ra sizes <<<"${1//,/ }"
	read -ra others <<<"${2//,/ }"
	"$build/programs/batch" "$rounds" "${sizes[@]}" >"$data/.core"
	"$build/programs/libbloom" "$rounds" "${others[@]}" >>"$data/.core"
	source_of core >>"$data/.core"
	mv "$data/.core" "$data/core"
	cat "$data/core" >&2
}

# list SIZE COUNT: COUNT addresses, in the forms that each rival reads. What ipset
# saves begins with its set; without, it asks the kernel about the set at each line.
list() {
	local file=$lists/$1

	[ ! -e "$file.done" ] || return 0
	"$build/programs/addresses" list "$2" >"$file.list"
	# No rival reads more than a million itself.
	[ "$2" -le 1000000 ] || { touch "$file.done"; return; }
	{
		echo "create bad4 hash:ip family inet maxelem $((2 * $2))"
		sed 's/^/add bad4 /' "$file.list"
	} >"$file.ipset"
	{
		echo 'add element ip bad bad {'
		sed 's/$/,/' "$file.list"
		echo '}'
	} >"$file.nft"
	touch "$file.done"
}

# machine NAME JOB: runs the job in user-mode Linux.
machine() {
	rm -f "$data/.$1"
	"$selftests/harness/vm/uml.sh" "$memory" "$kernel/vmlinuz" rootfstype=hostfs \
		rootflags=/ ro "init=$here/rivals.sh" quiet panic=-1 \
		"HERE=$here" "MODULES=$build/modules" "PROGRAMS=$build/programs" \
		"LISTS=$lists" "DATA=$data" "RESULT=.$1" "ROUNDS=$rounds" \
		"JOB=$2" </dev/null >"$build/$1.log" 2>&1 || :
	if [ "$(tail -n 1 "$data/.$1" 2>/dev/null)" != 'done' ]; then
		tail -n 30 "$build/$1.log" >&2
		die "$1 failed: see $build/$1.log"
	fi
	sed -i '$d' "$data/.$1"
	source_of "$1" >>"$data/.$1"
	mv "$data/.$1" "$data/$1"
	summary "$data/$1" >&2
}

# summary FILE: medians of what was measured of packets, for whoever waits.
summary() {
	awk -F '\t' '$1 == "packet" { print $2 "\t" $3 "\t" $4 "\t" $5 }' "$1" |
		sort -k 1,3 -k 4n | awk -F '\t' '
		{ key = $1 " " $2 " " $3; value[key, ++count[key]] = $4 }
		END { for (key in count)
			printf "  %-30s %8.1f ns\n", key,
				value[key, int((count[key] + 1) / 2)] }' | sort
}

# networks SIZE COUNTRY...: those of tor-geoipdb; of all countries if none is named.
networks() {
	local folder country

	[ ! -e "$lists/$1.done" ] || return 0
	folder=$(geoip)
	for country in "${@:2}"; do
		ranges "$folder" "$country"
	done >"$lists/$1.list"
	[ $# -gt 1 ] || ranges "$folder" >"$lists/$1.list"
	touch "$lists/$1.done"
}

# job NAME MEGABYTES JOB: a line of the list.
job() {
	echo "$*"
}

# What takes longest is left to the full mode: the largest tables of the core, packets
# of IPv6 networks, of which ipset asks for a hundred lengths, the largest BPF map, its
# Bloom filters, which take their members one by one, the kernel's generator, and what
# else is done with sets.
jobs_of_mode() {
	local all=kcuckoo,ipset,nft,nft-sized,bpf-hash boots=2 generator='' boot

	if [ $mode = full ]; then
		all=$all,bpf-bloom
		boots=6
		generator=,generator
	fi
	if [ $mode = full ]; then
		job core 0 256,16384,196608,1048576 256,16384,196608
	else
		job core 0 256,16384,196608 256,16384
	fi
	job packets.1m 3072 packets,1m,1000000,$all$generator
	job packets.1k 1024 packets,1k,1000,$all
	for ((boot = 1; boot <= boots; boot++)); do
		job weigh.$boot 1024 weigh,1m,1000000
	done
	job packets.10m 6144 "packets,10m,10000000,kcuckoo,ipset,nft$([ $mode = quick ] || echo ,bpf-hash)"
	job prefixes.all 6144 "prefixes,all,$([ $mode = quick ] && echo fill,4 || echo load,4,6)"
	job churn 1024 $churn
	job observed 1024 observed,observed,100000
	[ $mode = full ] || return 0
	job operations 2048 operations,100k,100000
	job packets.100k 1024 packets,100k,100000,$all
	job prefixes.five 3072 prefixes,five,load,4,6
}

# Without the rivals, and only when they are asked for by name.
jobs_alone() {
	job alone.1m 1024 packets,1m,1000000,kcuckoo
	job alone.1k 1024 packets,1k,1000,kcuckoo
	job alone.100k 1024 packets,100k,100000,kcuckoo
	job alone.10m 2048 packets,10m,10000000,kcuckoo
	job alone.timeout 1024 packets,1m,1000000,kcuckoo,timeout
	job alone.churn 1024 $churn
}

all_jobs() {
	jobs_of_mode
	jobs_alone
}

# What a job needs on the host.
provide() {
	case $1 in
	packets,* | weigh,* | operations,* | observed,*) list "$(cut -d, -f2 <<<"$1")" "$(cut -d, -f3 <<<"$1")" ;;
	prefixes,all,*) networks all ;;
	prefixes,five,*) networks five DE FR GB NL US ;;
	esac
}

# wanted NAME: is the job asked for?
wanted() {
	[ ${#patterns[@]} -gt 0 ] || { [[ $1 != alone.* ]]; return; }
	named "$1"
}

run_jobs() {
	local name memory work others begin

	while read -r name memory work others; do
		wanted "$name" || continue
		begin=$SECONDS
		say "$name"
		if [ "$name" = core ]; then
			core "$work" "$others"
			continue
		fi
		provide "$work"
		machine "$name" "$work"
		say "$name: $((SECONDS - begin)) s"
	done < <(all_jobs)
}

# source_of NAME: what was measured for this result, by what it is made of: commits
# get other names on their way. bench.text has the same command.
source_of() {
	local hash changed='' parts=(Kbuild kmod uapi userspace)

	hash=$(git -C "$tree" ls-tree HEAD "${parts[@]}" 2>/dev/null |
		git hash-object --stdin 2>/dev/null) || hash=unknown
	git -C "$tree" diff --quiet HEAD -- "${parts[@]}" 2>/dev/null ||
		changed=', changed'
	printf 'source\t%s\t%s\t%s\t%s%s\n' "$1" $mode "$rounds" "${hash:0:12}" \
		"$changed"
}

# What the report says about where it was measured.
facts() {
	printf 'fact\tday\t%s\n' "$(date -u +%F)"
	printf 'fact\tprocessor\t%s, %s of them\n' \
		"$(sed -n '/^model name[^:]*: / { s///p; q }' /proc/cpuinfo)" \
		"$(nproc)"
	printf 'fact\tmemory\t%s GB\n' \
		"$(awk '/^MemTotal/ { printf "%.0f", $2 / 1048576 }' /proc/meminfo)"
	printf 'fact\tcache\t%s\n' "$(lscpu | sed -n 's/^L3 cache: *//p')"
	printf 'fact\tsystem\t%s, Linux %s\n' \
		"$(sed -n 's/^PRETTY_NAME="\(.*\)"/\1/p' /etc/os-release)" \
		"$(uname -r | sed 's/-.*//')"
	printf 'fact\tkernel\t%s\n' "$(cat "$kernel/release")"
	printf 'fact\trivals\t%s\n' \
		"$(dpkg-query -W -f '${Package} ${Version}, ' \
		ipset nftables iptables libbloom-dev | sed 's/, $//')"
	printf 'fact\tcompiler\t%s\n' "$(gcc --version | sed -n 1p)"
}

# Results of this mode; of the other where this one has none: each says from which
# source it is.
results() {
	local file name known=' '

	for file in "$data"/* "$build"/{full,quick}/*; do
		name=${file##*/}
		[ -f "$file" ] || continue
		[[ $name != alone.* && $known != *" $name "* ]] || continue
		known="$known$name "
		cat "$file"
	done
}

report() {
	local plots=$build/plots wrong=

	mkdir -p "$plots"
	rm -f "$plots"/*.dat
	{
		cat "$data/.facts"
		results
	} >"$build/results"
	LC_ALL=C awk -v plots="$plots" -v json="$build/results.json" \
		-f "$here/bench.awk" "$build/results" >"$build/bench.md" || wrong=yes
	cat "$build/bench.md" "$here/bench.text" >"$here/bench.md"
	cp "$build/results.json" "$here/results.json"
	# A size that was not measured has no points; without any, there is nothing to plot.
	[ ! -s "$plots/packets.dat" ] || (cd "$here" && LC_ALL=C gnuplot -e "data='$plots/'" bench.gp 2>&1) |
		{ grep -vE 'no valid points$|No data in plot|^$' >&2 || :; }
	say "selftests/bench/bench.md is written"
	[ -z "$wrong" ] || die "packets had other verdicts than they should"
}

patterns=("$@")
if [ "${1:-}" = --list ]; then
	all_jobs
	exit
fi
check_names
"$selftests/harness/packages.sh" bench
mkdir -p "$data" "$lists"
if [ "${REPORT:-}" != 1 ]; then
	compile
	facts >"$data/.facts"
	run_jobs
fi
[[ ${patterns[*]} == alone.* ]] || report
