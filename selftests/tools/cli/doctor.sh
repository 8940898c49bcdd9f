#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The verb doctor: each finding is made, some with folders that pretend, and the command
# that is printed mends it. Package managers and firmware are functions and programs of
# this file that do what the real ones do for these folders.

# shellcheck source=selftests/tools/cli/harness.sh
. "$(dirname "$0")/harness.sh"

export KCUCKOO_STATE=$scratch/state KCUCKOO_RUN=$scratch/run KCUCKOO_CACHE=$scratch/cache
release=$(uname -r)
version=$(modinfo -F version kcuckoo)
etc=$scratch/etc
given=(--config "$etc")
covered=()

trap 'uncover; rm -rf "$scratch"' EXIT

# make_visible FOLDER: the root of the machine is that of the host, read-only. A folder that the
# host does not have, such as /var/lib/dkms, is made in a copy on top of the folder above it.
make_visible() {
	local above=$1 layers

	while [ ! -e "$above" ]; do
		above=${above%/*}
	done
	[ "$above" != "$1" ] || return
	layers=$(mktemp -d -p "$scratch")
	mkdir -p "$layers/upper${1#"$above"}" "$layers/work"
	chmod 755 "$layers/upper"
	mount -t overlay -o "lowerdir=$above,upperdir=$layers/upper,workdir=$layers/work" none "$above" ||
		complain "$above cannot be covered"
	covered=("$above" "${covered[@]}")
}

# cover FOLDER [WITH]: show the folder WITH, or an empty one, in its place
cover() {
	make_visible "$1"
	if [ $# = 1 ]; then
		mount -t tmpfs tmpfs "$1"
	else
		mount --bind "$2" "$1"
	fi
	covered=("$1" "${covered[@]}")
}

uncover() {
	local path

	for path in "${covered[@]}"; do
		umount "$path"
	done
	covered=()
}

# finds CHECK WORDS...: a line of the check has all the words; $command mends it
finds() {
	local check=$1 line found='' words

	shift
	k doctor "${given[@]}"
	status_is 1
	while IFS= read -r line; do
		[[ $line != *"$check: "* || $line != *"$1"* ]] || {
			found=$line
			break
		}
	done <<<"$out"
	line=$found
	for words; do
		[[ $line == *"$words"* ]] || complain "no '$words' of $check in: $out"
	done
	command=
	[[ $line != *'; run: '* ]] || command=${line##*; run: }
}

# clean CHECK: it has nothing to say
clean() {
	k doctor "${given[@]}"
	[[ $'\n'$out != *$'\n'"$1: "* ]] || complain "$1 found: $out"
}

# lines_are COUNT CHECK: that many lines of the last output are of the check
lines_are() {
	local line count=0

	while IFS= read -r line; do
		[[ $line != "$2: "* ]] || count=$((count + 1))
	done <<<"$out"
	[ $count = "$1" ]
}

# mends CHECK: the command that the last finding names succeeds, and the finding is gone
mends() {
	[ -n "$command" ] || complain "no command"
	eval "$command" >"$scratch/mended" 2>&1 || {
		complain "failed: $command"
		indent <"$scratch/mended"
	}
	clean "$1"
}

configure() {
	rm -rf "${etc:?}"
	mkdir "$etc"
	cat >"$etc/a.conf"
}

# begin: a configuration without filters and rules, and nothing was applied
begin() {
	rm -rf "${etc:?}" "$KCUCKOO_STATE" "$KCUCKOO_RUN"
	mkdir "$etc"
	echo '# nothing' >"$etc/a.conf"
}

unload() {
	[ ! -d /sys/module/xt_kcuckoo ] || unloads xt_kcuckoo
	unloads kcuckoo
}

# kernels: a copy of /lib/modules that can be changed, without the modules of the kernel,
# over which depmod takes long: those that ours need are loaded, and remain so
kernels() {
	local folder=$scratch/modules/$release

	rm -rf "$scratch/modules"
	mkdir -p "$folder/kernel"
	cp -a "/lib/modules/$release"/{modules.{order,builtin*},updates} "$folder"
	ln -s "$headers" "$folder/build"
	cover /lib/modules "$scratch/modules"
	depmod "$release"
	cp "$folder/updates/kcuckoo.ko" "$scratch/kcuckoo.ko"
}

# installed RELEASE: what a package manager, DKMS or make does for a kernel
installed() {
	mkdir -p "/lib/modules/$1/updates"
	cp "$scratch/kcuckoo.ko" "/lib/modules/$1/updates"
	depmod "$1"
}

# removed: the module of the running kernel
removed() {
	rm -f "/lib/modules/$release/updates/kcuckoo.ko"
	depmod "$release"
}

# dkms_has VERSION [EXCLUSIVE]: DKMS knows this version of the module
dkms_has() {
	local source=/var/lib/dkms/kcuckoo/$1/source

	mkdir -p "$source"
	echo "PACKAGE_NAME=\"kcuckoo\"" >"$source/dkms.conf"
	[ $# = 1 ] || echo "BUILD_EXCLUSIVE_KERNEL=\"$2\"" >>"$source/dkms.conf"
}

# What the printed commands name.
make() {
	[ "$*" = install ] || return 0
	[ -z "$plugins" ] || cp /usr/lib/*/xtables/libxt_[kK]*.so "$plugins"
	[ -n "$plugins" ] || installed "$release"
}

apt-get() {
	local package=${!#}

	[ "$1 $2" = 'install -y' ] || return
	case $package in
	linux-headers-*)
		mkdir -p "/lib/modules/${package#linux-headers-}"
		ln -sfn "$headers" "/lib/modules/${package#linux-headers-}/build"
		[ ! -d /var/lib/dkms/kcuckoo ] || installed "${package#linux-headers-}"
		;;
	kcuckoo-dkms) installed "$release" ;;
	*) return 1 ;;
	esac
}

dkms() {
	[ "$1" = install ] || return
	installed "${!#}"
}

plugins=
# The host has the headers of its own kernels, and not those of each kernel of the tests.
headers=/lib/modules/$release/build
[ -e "$headers" ] || headers=$(printf '%s\n' /lib/modules/*/build | sort -V | tail -n 1)
headers=$(realpath -e "$headers") || exit 1

test_well() { # of a host without findings nothing is printed, with status 0
	begin
	k doctor --config "$etc"
	status_is 0
	out_is ''
	[ "$err" = 'no problems found' ] || complain "said: $err"
	k -j doctor --config "$etc"
	status_is 0
	out_is '{"well": true, "findings": [], "not_checked": []}'
}

test_path() { # with an empty PATH, no program of the current folder runs
	local command

	begin
	command=$(command -v kcuckoo)
	mkdir "$scratch/here"
	printf '%s\n' '#!/bin/sh' "echo >$scratch/ran" >"$scratch/here/modinfo"
	chmod +x "$scratch/here/modinfo"
	(cd "$scratch/here" && PATH='' "$command" doctor --config "$etc" >/dev/null 2>&1)
	[ ! -e "$scratch/ran" ] || complain 'doctor ran ./modinfo'
}

test_not_loaded() { # the module is installed, and doctor does not load it
	begin
	unload
	finds module 'the module is installed, but not loaded' 'run: modprobe kcuckoo'
	[[ $out == *'memory: not checked: this needs the module'* ]] || complain "printed: $out"
	[ ! -e /sys/module/kcuckoo ] || complain "doctor loaded the module"
	k -j doctor --config "$etc"
	status_is 1
	[[ $out == '{"well": false, "findings": [{"check": "module", "problem": '`
		`'"the module is installed, but not loaded", "advice": null, '`
		`'"command": "modprobe kcuckoo"}], "not_checked": [{"check": "memory", '* ]] ||
		complain "JSON: $out"
	mends module
}

test_not_installed() { # the module, and then the headers, are missing
	begin
	kernels
	unload
	removed
	finds module "the module is not installed for the running kernel $release" \
		'run: make && make install'
	rm "/lib/modules/$release/build"
	finds module 'and the headers of this kernel are missing' \
		"run: apt-get install -y linux-headers-$release"
	eval "$command"
	finds module 'run: make && make install'
	eval "$command"
	finds module 'run: modprobe kcuckoo'
	mends module
	uncover
}

# packages [NAME=STATE...]: the packages that dpkg-query knows
packages() {
	local package

	export DPKG_ADMINDIR=$scratch/dpkg
	mkdir -p "$DPKG_ADMINDIR"
	for package; do
		printf '%s\n' "Package: ${package%=*}" "Status: install ok ${package#*=}" \
			'Maintainer: Test <test@example.org>' 'Architecture: amd64' 'Version: 1' \
			'Description: a test' ''
	done >"$DPKG_ADMINDIR/status"
}

test_packages() { # what installs the module on Debian, and elsewhere
	begin
	kernels
	unload
	removed
	packages dpkg=installed kcuckoo=config-files
	finds module 'is not installed' 'run: make && make install'
	packages dpkg=installed kcuckoo=installed
	finds module 'is not installed' 'run: apt-get install -y kcuckoo-dkms'
	rm "/lib/modules/$release/build"
	finds module "run: apt-get install -y linux-headers-$release"
	packages
	finds module "install the package that has /lib/modules/$release/build"
	[ -z "$command" ] || complain "a command: $command"
	ln -s "$headers" "/lib/modules/$release/build"
	packages dpkg=installed kcuckoo=installed
	finds module 'run: apt-get install -y kcuckoo-dkms'
	eval "$command"
	finds module 'run: modprobe kcuckoo'
	mends module
	unset DPKG_ADMINDIR
	uncover
	modprobe xt_kcuckoo
}

test_dkms() { # DKMS has not built it, could not, or is not for this kernel
	local log=/var/lib/dkms/kcuckoo/$version/build/make.log

	begin
	kernels
	unload
	removed
	cover /var/lib/dkms
	dkms_has "$version"
	rm "/lib/modules/$release/build"
	finds module 'the headers of this kernel are missing' 'DKMS builds the module' \
		"run: apt-get install -y linux-headers-$release"
	ln -s "$headers" "/lib/modules/$release/build"
	finds module "$release: DKMS has not built it" "run: dkms install kcuckoo/$version -k $release"
	mkdir "${log%/*}"
	echo "DKMS make.log for kcuckoo-$version for kernel $release (x86_64)" >"$log"
	finds module "DKMS could not build it, and $log has the reason"
	echo "DKMS make.log for kcuckoo-$version for kernel 1.2.3 (x86_64)" >"$log"
	finds module 'DKMS has not built it'
	dkms_has "$version" '^(8|9)\.'
	finds module "$release: kcuckoo $version does not support it" 'boot another kernel'
	[ -z "$command" ] || complain "a command: $command"
	dkms_has "$version" "^(9|${release%%.*})\\."
	finds module "run: dkms install kcuckoo/$version -k $release"
	eval "$command"
	finds module 'run: modprobe kcuckoo'
	mends module
	uncover
}

test_headers() { # of this kernel and of the newest, with the names of Debian's packages
	local newest=99.1.0-10-cloud-amd64

	begin
	kernels
	cover /var/lib/dkms
	mkdir -p /lib/modules/{99.1.0-9-cloud-amd64,$newest}/kernel
	mkdir -p /lib/modules/99.1.0-11-cloud-amd64/updates
	rm "/lib/modules/$release/build"
	finds headers "the module is not installed for kernel $newest, the newest installed one" \
		"run: apt-get install -y linux-headers-$newest"
	lines_are 1 headers || complain "printed: $out"
	eval "$command"
	finds headers 'run: make && make install'
	dkms_has "$version"
	finds headers "$newest, the newest installed one: DKMS has not built it" \
		"run: dkms install kcuckoo/$version -k $newest"
	eval "$command"
	finds headers "the headers of kernel $release are missing" 'an update' \
		"run: apt-get install -y linux-headers-$release"
	mends headers
	rm "/lib/modules/$newest/build"
	finds headers "the headers of kernel $newest are missing" \
		"run: apt-get install -y linux-headers-$newest"
	mends headers
	uncover
}

test_version() { # the module that is installed or loaded is of another version
	begin
	kernels
	sed "s/version=${version//./\\.}/version=0.4.9/" "$scratch/kcuckoo.ko" >"$scratch/old.ko"
	cp "$scratch/old.ko" "/lib/modules/$release/updates/kcuckoo.ko"
	finds module "the installed module is of version 0.4.9, and the command of version $version" \
		'run: make && make install'
	mends module
	unload
	insmod "$scratch/old.ko" || complain "insmod"
	finds module "the loaded module is of version 0.4.9, and the installed one of version $version" \
		'run: rmmod kcuckoo && modprobe kcuckoo'
	k create bl
	finds module 'run: reboot'
	k destroy bl
	finds module 'run: rmmod'
	mends module
	uncover
	modprobe xt_kcuckoo
}

test_signature() { # under Secure Boot the module is unsigned, or its key is not enrolled
	local variable=/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c

	begin
	kernels
	unload
	cover /sys/firmware
	cover /var/lib/dkms
	mkdir -p "${variable%/*}" "$scratch/bin"
	printf '\6\0\0\0\0' >"$variable"
	clean signature
	printf '\6\0\0\0\1' >"$variable"
	finds signature 'Secure Boot is on, and the installed module is not signed' 'openssl req' \
		"scripts/sign-file sha256 /var/lib/dkms/mok.key /var/lib/dkms/mok.pub /lib/modules/$release/updates/kcuckoo.ko"
	cat >"$scratch/bin/mokutil" <<-END
		#!/bin/sh
		case \$1 in
		--import) cp "\$2" $scratch/enrolled ;;
		--test-key) if cmp -s "\$2" $scratch/enrolled; then
				echo "\$2 is already enrolled"; exit 1
			fi
			echo "\$2 is not enrolled" ;;
		esac
	END
	chmod +x "$scratch/bin/mokutil"
	PATH=$scratch/bin:$PATH eval "$command" 2>/dev/null || complain "failed: $command"
	PATH=$scratch/bin:$PATH finds signature '/var/lib/dkms/mok.pub, is not enrolled' \
		'which the next boot asks for' 'run: mokutil --import /var/lib/dkms/mok.pub'
	PATH=$scratch/bin:$PATH mends signature
	installed "$release"
	finds signature 'the installed module is not signed'
	[[ $command == "/lib/modules/$release/build/scripts/sign-file "* ]] ||
		complain "the key is made again: $command"
	dkms_has "$version"
	finds signature "run: dkms build --force kcuckoo/$version -k $release && dkms install --force"
	uncover
	modprobe kcuckoo
	modprobe xt_kcuckoo
}

test_device() { # its file is missing, of another number, or of the wrong mode or group
	begin
	rm /dev/kcuckoo
	finds device '/dev/kcuckoo is missing though the module is loaded' \
		'run: mknod -m 660 /dev/kcuckoo c 10 '
	mends device
	rm /dev/kcuckoo
	mknod /dev/kcuckoo c 10 1
	finds device 'its number differs' 'run: rm /dev/kcuckoo && mknod'
	mends device
	chmod 666 /dev/kcuckoo
	finds device 'has mode 0666, user 0 and group 0' 'groupadd -f -r kcuckoo'
	{ cat /etc/group; echo 'kcuckoo:x:777:'; } >"$scratch/group"
	cover /etc/group "$scratch/group"
	finds device 'run: chown root:kcuckoo /dev/kcuckoo && chmod 660 /dev/kcuckoo'
	mends device
	[ "$(stat -c '%a %u %g' /dev/kcuckoo)" = '660 0 777' ] || complain "$(stat /dev/kcuckoo)"
	chgrp 0 /dev/kcuckoo
	finds device 'user 0 and group 0'
	rm /dev/kcuckoo
	finds device 'chgrp kcuckoo'
	mends device
	uncover
	chown root:root /dev/kcuckoo
	chmod 600 /dev/kcuckoo
	clean device
}

test_plugins() { # iptables does not find them
	begin
	plugins=$scratch/plugins
	mkdir "$plugins"
	export XTABLES_LIBDIR=/nothing:$plugins
	finds plugins 'iptables finds no plugins libxt_kcuckoo.so and libxt_KCUCKOO.so' "$plugins" \
		'run: make && make install'
	make install
	rm "$plugins/libxt_KCUCKOO.so"
	finds plugins 'iptables finds no plugins'
	mends plugins
	unset XTABLES_LIBDIR
	plugins=
}

test_btf() { # a rule of hook xdp, and a module without BTF
	begin
	configure <<-END
		[filter bad]
		[rule early]
		filter = bad
		hook = xdp
		dev = kc0
	END
	if [ -z "$has_xdp" ]; then
		finds btf 'XDP programs cannot call the module on this kernel' 'use hook ingress'
		[ -z "$command" ] || complain "a command: $command"
		configure <<<'[filter bad]'
		clean btf
		return
	fi
	clean btf
	unload
	objcopy -R .BTF "/lib/modules/$release/updates/kcuckoo.ko" "$scratch/plain.ko"
	insmod "$scratch/plain.ko" || complain "insmod"
	finds btf 'the loaded module has no BTF' 'load the module again' \
		"run: apt-get install -y dwarves libelf-dev python3 linux-source-${release%.*}"
	configure <<<'[filter bad]'
	clean btf
	rmmod kcuckoo
	modprobe xt_kcuckoo
	modprobe kcuckoo
}

test_memory() { # the limits of the namespace are nearly reached
	local parameters=/sys/module/kcuckoo/parameters before used limit

	begin
	k create bl
	seq -f '10.0.%g.1' 0 255 >"$scratch/list"
	k load bl "$scratch/list"
	k -j stats
	[[ $out =~ \"memory_bytes\":\ ([0-9]+) ]] || complain "stats: $out"
	used=${BASH_REMATCH[1]}
	before=$(cat $parameters/max_bytes)
	clean memory
	limit=$((used * 5 / 4))
	echo $((limit + 1)) >$parameters/max_bytes
	clean memory
	echo $limit >$parameters/max_bytes
	finds memory 'of kernel memory, and the limit max_bytes is' \
		"run: echo $((limit * 2)) >$parameters/max_bytes"
	mends memory
	# A limit far below the present use.
	echo 1000 >$parameters/max_bytes
	finds memory 'the limit max_bytes is 1000 bytes' \
		"run: echo $((used * 2)) >$parameters/max_bytes"
	mends memory
	echo "$before" >$parameters/max_bytes
	echo 3 >$parameters/max_filters
	clean memory
	k create b2
	k attach later
	finds memory '3 filters and names that rules wait for, and the limit max_filters is 3' \
		"run: echo 6 >$parameters/max_filters"
	mends memory
	echo 1 >$parameters/max_filters
	finds memory 'the limit max_filters is 1' "run: echo 6 >$parameters/max_filters"
	mends memory
	k detach later
	k destroy bl
	k destroy b2
	echo 0 >$parameters/max_filters
	finds memory 'the limit max_filters is 0' "run: echo 1024 >$parameters/max_filters"
	mends memory
}

test_filters() { # filters that are nearly full
	local i before words

	begin
	k create bl capacity 100 value 8 timeout 1h hash siphash
	for ((i = 0; i < 94; i++)); do echo "192.0.2.$i value $i"; done >"$scratch/list"
	k load bl "$scratch/list"
	clean filters
	k add bl 198.51.100.1 --value 255
	finds filters 'filter bl has 95 members, and its capacity is 100' \
		'run: kcuckoo create bl.more capacity 200 hash siphash value 8 timeout 3600'
	k list bl
	before=$(cut -d ' ' -f 1-3 <<<"$out")
	mends filters
	k list bl
	[ "$before" = "$(cut -d ' ' -f 1-3 <<<"$out")" ] || complain "other members: $out"
	k -j info bl
	for words in '"capacity": 200,' '"hash": "siphash",' '"value_bits": 8,' '"timeout": 3600,'; do
		[[ $out == *"$words"* ]] || complain "info has no $words: $out"
	done
	k create plain
	iptables -A INPUT -p tcp --dport 23 -j KCUCKOO --add plain src 2>/dev/null ||
		complain "iptables"
	clean filters
	k create bans timeout 1h hash siphash
	clean filters
	iptables -A INPUT -p tcp --dport 23 -j KCUCKOO --add bans src || complain "iptables"
	finds filters 'filter bans has no room for addresses of packets' \
		'run: kcuckoo reserve bans 1024'
	mends filters
	iptables -F INPUT
	k create urls type bytes capacity 1000 fpr 0.1%
	seq 600 >"$scratch/list"
	k load urls "$scratch/list"
	clean filters
	seq 601 4000 >"$scratch/list"
	k -q load urls "$scratch/list"
	finds filters 'filter urls, whose tables do not grow, is nearly full'
}

test_rules() { # rules that match nothing
	local parameters=/sys/module/kcuckoo/parameters bytes

	begin
	k attach later allow good
	finds rules "the rule 'later hook prerouting" "there is no filter of addresses 'later'" \
		'run: kcuckoo create later'
	eval "$command"
	finds rules "there is no filter of addresses 'good'" 'run: kcuckoo create good'
	mends rules
	k attach later hook ingress dev 'kcd*' --wait
	status_is 0
	# To detach it would remove the protection of a device that comes later.
	finds rules "until there is a device kcd*" "'ip link' lists the devices"
	[ -z "$command" ] || complain "a command: $command"
	k detach later hook ingress dev 'kcd*'
	clean rules
	# A filter of the configuration that could not be made: the command names the same
	# configuration.
	configure <<-END
		[filter bad]
		[rule wan]
		filter = bad
	END
	bytes=$(<$parameters/max_bytes)
	echo 1 >$parameters/max_bytes
	kcuckoo -q apply --config "$etc" 2>/dev/null
	echo "$bytes" >$parameters/max_bytes
	finds rules "there is no filter of addresses 'bad'" "run: kcuckoo apply --config $etc"
	mends rules
	kcuckoo -q down
}

test_moved() { # a rule whose device is in another network namespace
	needs_xdp || return
	begin
	k create later
	ip link add kc0 type veth peer name kc1
	k attach later hook xdp dev kc0
	clean rules
	ip netns add elsewhere
	ip link set kc0 netns elsewhere
	k -n elsewhere doctor --config "$etc"
	status_is 1
	[[ $out == *"matches nothing: its filter is not in this network namespace"* ]] ||
		complain "printed: $out"
	command=${out##*; run: }
	[ "$command" = 'kcuckoo -n elsewhere detach later hook xdp dev kc0' ] ||
		complain "command: $command"
	eval "$command" || complain "failed: $command"
	k -n elsewhere doctor --config "$etc"
	status_is 0
	ip netns del elsewhere
	k detach later hook xdp dev kc0
	k destroy later
	status_is 0
}

test_flowtables() { # packets bypass rules
	local device

	begin
	ip link add kc0 type dummy
	ip link add kc1 type dummy
	k create bl
	k attach bl hook ingress dev kc0
	nft -f - <<-END
		table inet t {
			flowtable f {
				hook ingress priority 0
				devices = { kc0, kc1 }
			}
		}
	END
	clean flowtables
	# Packets that are forwarded do not pass these hooks.
	k attach bl hook input
	k attach bl hook output
	clean flowtables
	k attach bl
	finds flowtables "flowtable 'f' in table inet 't' forwards from device kc1 bypass the rule 'bl hook prerouting" \
		'run: kcuckoo attach bl hook ingress family both match src action drop dev kc1'
	lines_are 1 flowtables || complain "printed: $out"
	mends flowtables
	# The command of each rule does what the rule does.
	k create good
	k attach bl match dst family ipv6 action count allow good log limit 3/s
	finds flowtables 'from device kc0 bypass' 'run: kcuckoo attach bl hook ingress family ipv6 match dst action count log limit 3/s allow good dev kc0'
	lines_are 2 flowtables || complain "printed: $out"
	eval "$command"
	finds flowtables 'from device kc1 bypass'
	mends flowtables
	k attach good hook forward
	finds flowtables "from device kc0 bypass the rule 'good hook forward" 'and also packets for this host'
	[ -z "$command" ] || complain "a command: $command"
	k detach --all
	k attach bl action count hook ingress dev kc0
	k attach bl action count hook ingress dev kc1
	k attach bl
	finds flowtables 'from device kc0 bypass' 'the rule of hook ingress for this device has another action, mark, allow filter or family'
	[ -z "$command" ] || complain "a command: $command"
	k detach --all
	k destroy bl
	configure <<-END
		[filter bl]
		[rule wan]
		filter = bl
	END
	kcuckoo -q apply --config "$etc" 2>/dev/null
	finds flowtables 'from device kc0 bypass' \
		'add a section like [rule wan], with hook = ingress and dev = kc0, to the configuration'
	[ -z "$command" ] || complain "a command: $command"
	kcuckoo -q down
	k detach --all
	# Flowtables forward the packets of these devices at the device below.
	begin
	k create bl
	ip link add link kc0 name kc0.5 type vlan id 5
	ip link add kc2 type bridge
	for device in kc0.5 kc2; do
		k attach bl hook ingress dev "$device"
		err_has 'traverse only hooks ingress and xdp of its devices'
		finds flowtables "may bypass the rule 'bl hook ingress dev $device" \
			"a rule of hook ingress on the device below $device sees them"
		[ -z "$command" ] || complain "a command: $command"
		lines_are 1 flowtables || complain "printed: $out"
		k attach bl hook ingress dev kc0
		err_has_not flowtable
		clean flowtables
		k detach --all
	done
	# Another rule is reported as without these devices.
	k attach bl hook ingress dev kc0.5
	k attach bl
	finds flowtables 'from device kc0 bypass' 'run: kcuckoo attach bl hook ingress'
	k detach --all
	ip link del kc0.5
	ip link del kc2
	k destroy bl
	nft flush ruleset
	ip link del kc0
	ip link del kc1
}

test_configuration() { # it has mistakes, or is not applied
	begin
	configure <<<'[filter bad'
	finds configuration "$etc/a.conf:1: " "run: kcuckoo apply --check --config $etc"
	configure <<-END
		[filter bad]
		[rule wan]
		filter = bad
	END
	rm "$etc/a.conf"
	finds configuration "the folder $etc has no file whose name ends in .conf" 'kcuckoo.conf(5)'
	rmdir "$etc"
	finds configuration "cannot read the folder $etc: No such file or directory"
	configure <<-END
		[filter bad]
		[rule wan]
		filter = bad
	END
	finds configuration 'the filters and rules differ from the configuration' \
		"run: kcuckoo apply --config $etc"
	mends configuration
	kcuckoo -q down
	finds configuration 'differ'
}

test_waits() { # the configuration has a rule whose device does not exist
	needs_xdp || return
	begin
	configure <<-END
		[filter bad]
		[rule wan]
		filter = bad
		[rule early]
		filter = bad
		hook = xdp
		dev = kc0
	END
	kcuckoo -q apply --config "$etc" 2>/dev/null
	finds configuration 'the rule early waits for a device kc0'
	ip link add kc0 type veth peer name kc1
	finds configuration 'differ'
	mends configuration
	kcuckoo -q down
	finds configuration 'differ'
	ip link del kc0
}

test_last_apply() { # an apply that failed is found, although nothing differs
	begin
	configure <<-END
		[filter bad]
		list = $scratch/absent
	END
	k apply --config "$etc"
	status_is 1
	finds configuration "the last 'kcuckoo apply' failed at 2" 'this command shows why' \
		"run: kcuckoo apply --config $etc"
	# A time that no calendar has.
	printf 'time %s\nsuccess 0\n' 9223372036854775807 >"$KCUCKOO_RUN/apply"
	finds configuration "the last 'kcuckoo apply' failed at an unknown time"
	k status --config "$etc"
	[[ $out == *'last apply: failed at an unknown time'* ]] || complain "status: $out"
	echo 198.51.100.1 >"$scratch/absent"
	mends configuration
}

# fetched NAME LINE...: the last good copy of a list, as fetch writes it
fetched() {
	local name=$1 body=$scratch/body

	shift
	mkdir -p "$KCUCKOO_STATE/lists"
	printf '%s\n' "$@" >"$body"
	{
		echo "# kcuckoo-list 1 $name members $# bytes $(stat -c %s "$body") sha256 $(sha256sum <"$body" | cut -d ' ' -f 1)"
		cat "$body"
	} >"$KCUCKOO_STATE/lists/$name.list"
}

test_lists() { # lists that are missing, damaged, old or refused
	local file=$KCUCKOO_STATE/lists/far

	begin
	configure <<-END
		[list far]
		url = https://192.0.2.1/far.txt
		expire = 12d
		[filter bad]
		list = far
	END
	finds lists 'the copy of the list far is missing' "run: kcuckoo fetch far --config $etc"
	fetched far 198.51.100.1
	clean lists
	touch -d '10 days ago' "$file.list"
	finds lists 'the copy of the list far, 240 h old, is stale' 'fetch far'
	touch -d '13 days ago' "$file.list"
	finds lists 'the copy of the list far, 312 h old, is expired' 'fetch far'
	touch "$file.list"
	echo x >>"$file.list"
	finds lists 'the copy of the list far is damaged'
	fetched far 198.51.100.1
	sed 's/$/ refused fewer/;2,$s/ refused.*//' "$file.list" >"$file.refused"
	# accept takes no copy of another url.
	mkdir -p "$KCUCKOO_CACHE"
	printf 'attempt 1\ncomplete 1\nnot-before 0\nfailures 1\nwhy fewer\nbad 0\nsource %064d\n' 0 \
		>"$KCUCKOO_CACHE/far.status"
	finds lists 'the newest copy of the list far was refused, and is of another url, format or setting' \
		"run: kcuckoo fetch far --config $etc"
	rm "$KCUCKOO_CACHE/far.status"
	finds lists 'the newest copy of the list far was refused' 'if the new copy is right' \
		"run: kcuckoo accept far --config $etc"
	mends lists
}

test_state() { # what is kept is damaged
	local copy=$KCUCKOO_STATE/bans.kcf long

	begin
	configure <<-END
		[filter bans]
		keep = yes
	END
	kcuckoo -q apply --config "$etc"
	k add bans 192.0.2.1
	kcuckoo -q down --save
	kcuckoo -q apply --config "$etc" --boot
	k list bans
	out_is 192.0.2.1
	clean state
	truncate -s -1 "$copy"
	finds state 'the kept members of filter bans cannot be restored' "$copy" \
		"run: kcuckoo save bans $copy"
	mends state
	printf '\1' | dd of="$copy" bs=1 seek=8 conv=notrunc status=none
	finds state 'the kept members of filter bans cannot be restored' \
		'its snapshot format version is 1,' \
		'the version of kcuckoo that saved the file can restore it' \
		"run: mv $copy $copy.version1 && kcuckoo save bans $copy"
	mends state
	[ -e "$copy.version1" ] || complain "the other version was lost"
	printf x | dd of="$copy" bs=1 seek=40 conv=notrunc status=none
	kcuckoo -q down
	finds state 'cannot be restored' "run: mv $copy $copy.damaged"
	mends state
	kcuckoo -q apply --config "$etc"
	clean state
	echo broken >"$KCUCKOO_STATE/applied/a.conf"
	finds state 'the copy of the configuration that was applied last is damaged' \
		"run: kcuckoo apply --config $etc"
	mends state
	cmp "$etc/a.conf" "$KCUCKOO_STATE/applied/a.conf" || complain "the copy differs"
	# A pipe is not read, and no command has a part of a long path.
	rm -f "$copy"
	mkfifo "$copy"
	k doctor --config "$etc"
	[[ $out == *"state: not checked: "*"$copy"* ]] || complain "printed: $out"
	rm "$copy"
	long=$scratch/$(printf '%0250d' 0)
	mkdir "$long"
	echo '[filter bad' >"$long/a.conf"
	k doctor --config "$long"
	status_is 1
	[[ $out == *'this command prints all mistakes'* && $out != *'apply --check'* ]] ||
		complain "printed: $out"
	rm -r "$long"
	# The catalogue of feeds is no part of the copy.
	configure <<-END
		[list tor]
		feed = tor-exit
		[filter bad]
		list = tor
	END
	fetched tor 198.51.100.1
	k apply --config "$etc"
	[ "$(ls "$KCUCKOO_STATE/applied")" = a.conf ] || complain "$(ls "$KCUCKOO_STATE/applied")"
	clean state
}

test_units() { # that are not enabled, only where systemd runs
	begin
	configure <<-END
		[list far]
		url = https://192.0.2.1/far.txt
		[filter bad]
		list = far
	END
	mkdir "$scratch/upper" "$scratch/work"
	mount -t overlay -o "lowerdir=/etc,upperdir=$scratch/upper,workdir=$scratch/work" none /etc ||
		complain 'mount'
	covered=(/etc)
	mkdir -p /etc/kcuckoo/netns
	cp "$etc/a.conf" /etc/kcuckoo
	cover /etc/systemd/system
	given=()
	clean units
	mkdir -p /run/systemd/system
	export SYSTEMD_OFFLINE=1
	finds units 'the unit kcuckoo.service is not enabled, so nothing applies the configuration at boot' \
		'run: systemctl enable --now kcuckoo.service'
	eval "${command/ --now/}"
	finds units 'the unit kcuckoo-fetch.timer is not enabled, so nothing updates the lists' \
		'run: systemctl enable --now kcuckoo-fetch.timer'
	lines_are 1 units || complain "printed: $out"
	# No command enables units for a configuration that they do not apply.
	k doctor --config "$etc"
	status_is 1
	[[ $out == *'units: not checked: the units apply the configuration in /etc/kcuckoo, and not that of --config'* ]] ||
		complain "printed: $out"
	[[ $out != *systemctl* ]] || complain "printed: $out"
	given=(--config /etc/../etc/kcuckoo/)
	finds units 'the unit kcuckoo-fetch.timer is not enabled'
	given=()
	finds units 'the unit kcuckoo-fetch.timer is not enabled'
	eval "${command/ --now/}"
	clean units
	systemctl mask kcuckoo.service 2>/dev/null
	finds units 'run: systemctl unmask kcuckoo.service && systemctl enable --now kcuckoo.service'
	failed_units
	unset SYSTEMD_OFFLINE
	rm -r /run/systemd
	given=(--config "$etc")
	uncover
}

# fails UNIT: install a systemctl for which all units are enabled, and this one has failed
fails() {
	printf '%s\n' '#!/bin/sh' "[ \"\$*\" != 'is-failed $1' ] || echo failed" >"$scratch/bin/systemctl"
	chmod +x "$scratch/bin/systemctl"
}

# failed_units: each unit of the configuration is reported if it has failed, and only it
failed_units() {
	local unit path=$PATH

	mkdir -p "$scratch/bin"
	PATH=$scratch/bin:$PATH
	for unit in kcuckoo.service kcuckoo-fetch.timer kcuckoo-fetch.service kcuckoo-apply.service \
		kcuckoo-save.service; do
		fails "$unit"
		finds units "the unit $unit has failed" "'journalctl -u $unit' has the reason" \
			"run: systemctl restart $unit"
		lines_are 1 units || complain "$unit: $out"
	done
	ip netns add elsewhere
	cp -r "$etc" /etc/kcuckoo/netns/elsewhere
	for unit in kcuckoo@elsewhere.service kcuckoo-fetch@elsewhere.timer \
		kcuckoo-fetch@elsewhere.service kcuckoo-apply@elsewhere.service \
		kcuckoo-save@elsewhere.service; do
		fails "$unit"
		k -n elsewhere doctor
		[ "$(grep ^units: <<<"$out")" = "units: the unit $unit has failed; 'journalctl -u $unit' has the reason; run: systemctl restart $unit" ] ||
			complain "$unit: $out"
	done
	# Without lists that are downloaded, fetching is not needed.
	echo '[filter bad]' >/etc/kcuckoo/netns/elsewhere/a.conf
	fails kcuckoo-fetch@elsewhere.service
	k -n elsewhere doctor
	[[ $out != *units:* ]] || complain "$unit: $out"
	ip netns del elsewhere
	PATH=$path
}

test_unprivileged() { # without root it says what it did not look at, and finds the rest
	begin
	chmod 755 "$scratch"
	setpriv --reuid 65534 --regid 65534 --clear-groups kcuckoo doctor >"$scratch/out" 2>&1
	status=$?
	out=$(<"$scratch/out")
	status_is 0
	[[ $out == 'memory: not checked: this needs CAP_NET_ADMIN and access to /dev/kcuckoo'* ]] ||
		complain "printed: $out"
	chmod 700 "$etc"
	setpriv --reuid 65534 --regid 65534 --clear-groups kcuckoo doctor --config "$etc" >"$scratch/out" 2>&1
	status=$?
	out=$(<"$scratch/out")
	status_is 0
	[[ $out == *"configuration: not checked: cannot read the folder $etc: Permission denied"* ]] ||
		complain "printed: $out"
	k -n nowhere doctor
	refused "there is no network namespace 'nowhere'"
	k doctor now
	refused "'doctor' does not take 'now'"
}

test_container() { # without the folders of the host
	begin
	cover /lib/modules
	k doctor --config "$etc"
	status_is 0
	out_is "headers: not checked: kernel $release is not installed here, as in a container"
	unload
	finds module "the module is not loaded, and kernel $release is not installed here" 'on the host'
	[ -z "$command" ] || complain "a command: $command"
	uncover
	modprobe kcuckoo
	modprobe xt_kcuckoo
}

main "$0"
