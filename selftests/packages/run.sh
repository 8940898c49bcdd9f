#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# run.sh [SUITE...]: build the Debian packages of what is committed here in a fresh chroot of
# each suite, bookworm and trixie unless some are named, also for arm64. Install, upgrade, remove
# and purge them in another one, without systemd and without the device. Then boot.sh boots a
# system with them. As root, with a mirror.
# TAP on standard output. Exit status: 0 if nothing failed. Logs are in build/packages/.

# shellcheck disable=SC2016 # scripts for the chroot to expand

set -u
here=$(cd "$(dirname "$0")" && pwd -P)
top=$(cd "$here/../.." && pwd -P)
# shellcheck source=selftests/harness/debian.sh
. "$here/../harness/debian.sh"
# shellcheck source=selftests/harness/chroot.sh
. "$here/../harness/chroot.sh"

[ $# -gt 0 ] || set -- bookworm trixie
[ "$(id -u)" = 0 ] || die 'a chroot takes root'
! [ -e /dev/kcuckoo ] || die 'these tests take a machine without /dev/kcuckoo'
logs=$top/build/packages
mkdir -p "$logs"
scratch=$(mktemp -d "$top/build.test.XXXXXX")
trap 'rm -rf --one-file-system "$scratch"' EXIT
trap 'exit 130' INT TERM HUP
count=0
failed=0

# check NAME COMMAND...: a result, by the exit status of a command; its output is kept.
check() {
	local name=$suite.$1 log

	shift
	count=$((count + 1))
	log=$logs/$suite.$count
	if "$@" >"$log" 2>&1 </dev/null; then
		echo "ok $count $name"
	else
		echo "not ok $count $name"
		sed 's/^/# /' "$log" | tail -n 30
		failed=$((failed + 1))
	fi
}

# fails COMMAND...: does the command fail?
fails() {
	! "$@"
}

# building COMMAND, crossing COMMAND, installed COMMAND: in the chroot with what builds the
# packages, in that which builds them for arm64, and in the one without.
building() {
	inside "$scratch/$suite.build" "$1"
}

crossing() {
	inside "$scratch/$suite.cross" "$1"
}

installed() {
	inside "$scratch/$suite" "set -e; release=\$(ls /usr/src | sed -n 's/^linux-headers-\\(.*-amd64\\)\$/\\1/p')
		updates=/lib/modules/\$release/updates/dkms; $1"
}

# apt-get's own lists may count as expired.
apt='apt-get -y -o Acquire::Check-Valid-Until=false'

# build_packages: the packages of this commit, those of the same commit from another folder,
# and those of a commit with the next version.
build_packages() {
	git clone -q "$top" "$scratch/$suite.build/root/kcuckoo" || die 'git clone failed'
	git clone -q "$top" "$scratch/$suite.build/srv/other/folder" || die 'git clone failed'
	check 'packages.sh names all that builds the packages' \
		building 'cd /root/kcuckoo && make deb'
	check 'another build is the same, bit by bit' building '
		cd /srv/other/folder && make deb && cd /root/kcuckoo/build/deb &&
		[ "$(ls *.deb | wc -l)" = 5 ] && (sha256sum *.deb >/srv/sums) &&
		cd /srv/other/folder/build/deb && sha256sum -c /srv/sums'
	check 'the next version builds' building '
		cd /srv/other/folder && git config user.name Test && git config user.email test@example.org &&
		version=$(sed -n "s/^VERSION.*:= *//p" userspace/Makefile) &&
		sed -i "s/^\(VERSION.*:= *\).*/\1$version.1/" userspace/Makefile &&
		sed -i "s/^MODULE_VERSION(\"$version\")/MODULE_VERSION(\"$version.1\")/" kmod/*.c &&
		git commit -qam "The next version" && make deb'
	mkdir -p "$scratch/$suite/srv"/{now,next}
	cp "$scratch/$suite.build/root/kcuckoo/build/deb"/*.deb "$scratch/$suite/srv/now" &&
		cp "$scratch/$suite.build/srv/other/folder/build/deb"/*.deb "$scratch/$suite/srv/next"
}

# build_for_arm64: build the packages for another architecture. User-mode emulation runs their
# command. The headers of its kernel are unpacked, because apt installs only those of the native
# architecture.
build_for_arm64() {
	git clone -q "$top" "$scratch/$suite.cross/root/kcuckoo" || die 'git clone failed'
	check 'packages for arm64 are built' crossing "
		$apt -qq install file qemu-user-static && dpkg --add-architecture arm64 && $apt -qq update &&
		cd /root/kcuckoo && make deb DEB_ARCH=arm64 && [ \$(ls build/deb/*_arm64.deb | wc -l) = 4 ]"
	check 'their programs are for arm64' crossing '
		mkdir /srv/arm64 && cd /srv/arm64 && for package in /root/kcuckoo/build/deb/*_arm64.deb; do
			dpkg-deb -x $package . || exit
		done
		find . -type f -exec file {} + | grep ELF >programs; cat programs
		[ $(wc -l <programs) = 6 ] && ! grep -v aarch64 programs'
	check 'their command reads a list' crossing '
		cd /srv/arm64 && printf "%s\n" 192.0.2.1 198.51.100.0/24 >list &&
		qemu-aarch64-static usr/sbin/kcuckoo formats list >out; cat out
		grep "list:2: 198.51.100.0/24 -> 198.51.100.0/24" out'
	check 'the modules are built for arm64' crossing "
		mkdir /srv/headers && cd /srv/headers && apt-get download linux-headers-arm64:arm64 &&
		headers=\$(dpkg-deb -f linux-headers-arm64*.deb Depends | sed 's/[ ,].*//') &&
		apt-get download \$headers:arm64 && dpkg-deb -x \${headers}_*.deb . &&
		$apt -qq --no-install-recommends install \$(dpkg-deb -f \${headers}_*.deb Depends |
			grep -oE 'linux-(headers-[^ ,]*common|kbuild-[^ ,]*)') &&
		mv usr/src/\$headers /usr/src && cd /root/kcuckoo &&
		make -j\$(nproc) -C /usr/src/\$headers M=\$PWD ARCH=arm64 \
			CROSS_COMPILE=aarch64-linux-gnu- W=1 KCFLAGS=-Werror modules &&
		file *.ko && [ \$(file *.ko | grep -c aarch64) = 2 ]"
}

# install_packages: DKMS builds the modules for the kernel whose headers are there.
install_packages() {
	check 'headers are installed' installed "$apt install --no-install-recommends linux-headers-amd64 libc6-dev"
	check 'the packages are installed' installed "$apt install /srv/now/*.deb"
	check 'there is no systemd at work and no device' installed '
		[ ! -d /run/systemd/system ] && [ ! -e /dev/kcuckoo ]'
	check 'DKMS has built both modules' installed '
		dkms status; dkms status | grep "^kcuckoo[/,].*$release.*installed"
		ls $updates; [ "$(ls $updates | sed "s/\.xz$//" | xargs)" = "kcuckoo.ko xt_kcuckoo.ko" ]'
	check 'the module has the version of the package' installed '
		version=$(dpkg-query -W -f "\${Version}" kcuckoo-dkms) &&
		[ "$(modinfo -k $release -F version kcuckoo)" = "${version%+*}" ]'
	check 'the command runs and sees its catalogue' installed '
		[ "kcuckoo $(modinfo -k $release -F version kcuckoo)" = "$(kcuckoo --version)" ] &&
		kcuckoo feeds | grep spamhaus-drop'
	check 'doctor finds that the module is not loaded' installed '
		status=0; kcuckoo doctor >/srv/doctor || status=$?; cat /srv/doctor
		[ $status = 1 ] && grep "^module: the module .*not loaded" /srv/doctor'
	check 'backends, alerts and manual pages are there, each in its package' installed '
		has() {
			package=$1; shift
			for file; do
				[ -s $file ] && dpkg-query -S $file | grep "^$package\(:amd64\)\?: " || exit
			done
		}
		has kcuckoo /etc/fail2ban/action.d/kcuckoo.conf /usr/share/kcuckoo/kcuckoo.rules.yml
		has kcuckoo /usr/libexec/kcuckoo/crowdsec-bouncer /usr/libexec/kcuckoo/sshg-fw-kcuckoo
		for page in 4/kcuckoo.4 5/kcuckoo.conf.5 7/kcuckoo-integration.7 7/kcuckoo-recipes.7 8/kcuckoo.8; do
			has kcuckoo /usr/share/man/man$page.gz
		done
		has libkcuckoo-dev /usr/share/man/man3/libkcuckoo.3.gz /usr/share/man/man3/kcuckoo_add.3.gz
		[ $(dpkg-query -L libkcuckoo-dev | grep -c /man3/kcuckoo_) = \
			$(nm -D --defined-only /usr/lib/*/libkcuckoo.so | grep -c " T kcuckoo_") ]
		! dpkg-query -L kcuckoo | grep /man3'
	check 'the backends start, and refuse arguments' installed '
		for program in crowdsec-bouncer sshg-fw-kcuckoo; do
			status=0; output=$(/usr/libexec/kcuckoo/$program --help 2>&1) || status=$?
			[ $status = 1 ] && echo "$output" | grep "takes no arguments" || exit
		done'
	check 'the units are enabled, and skipped without a configuration' installed '
		[ -L /etc/systemd/system/sysinit.target.wants/kcuckoo.service ] &&
		[ -L /etc/systemd/system/timers.target.wants/kcuckoo-fetch.timer ] &&
		grep ^Condition /usr/lib/systemd/system/kcuckoo.service.d/05-unconfigured.conf &&
		grep ^Condition /usr/lib/systemd/system/kcuckoo-fetch.service.d/05-unconfigured.conf'
	check 'users and folders are there' installed '
		getent group kcuckoo && getent passwd _kcuckoo &&
		[ "$(stat -c "%n %U %a" /etc/kcuckoo /etc/kcuckoo/credentials /var/lib/kcuckoo/lists | xargs)" = \
		"/etc/kcuckoo root 755 /etc/kcuckoo/credentials root 700 /var/lib/kcuckoo/lists _kcuckoo 755" ]'
	check "the packages' own tests pass" own_tests
}

# own_tests: what autopkgtest would run.
own_tests() {
	cp -r "$top/userspace/packaging/debian/tests" "$scratch/$suite/srv" &&
		installed "$apt install --no-install-recommends gcc libc6-dev pkgconf iptables
		for test in command library plugins; do
			echo \"== \$test\"; AUTOPKGTEST_TMP=\$(mktemp -d) /srv/tests/\$test || exit
		done"
}

# upgrade_packages: the administrator's files stay, and the module is that of the new version.
upgrade_packages() {
	check 'the next version is installed' installed "
		echo '[filter bans]' >/etc/kcuckoo/edge.conf; echo 192.0.2.1 >/var/lib/kcuckoo/lists/mine
		rm /etc/systemd/system/timers.target.wants/kcuckoo-fetch.timer
		$apt install /srv/next/*.deb"
	check 'its module has taken the place of the former one' installed '
		version=$(dpkg-query -W -f "\${Version}" kcuckoo-dkms); version=${version%+*}
		[ "$(dkms status | grep -c "^kcuckoo")" = 1 ] && dkms status | grep -F "kcuckoo/$version" &&
		[ "$(modinfo -k $release -F version xt_kcuckoo)" = "$version" ]'
	check 'configuration, lists and a disabled unit are as they were' installed '
		[ "$(cat /etc/kcuckoo/edge.conf /var/lib/kcuckoo/lists/mine)" = "[filter bans]
192.0.2.1" ] && [ ! -e /etc/systemd/system/timers.target.wants/kcuckoo-fetch.timer ]'
}

# fake_kernel RELEASE OPTION: install a package as that of a kernel, whose headers are those of
# the chroot's without an option of its configuration.
fake_kernel() {
	installed "
		package=/srv/fake-$1; build=\$package/usr/src/linux-headers-fake-$1
		mkdir -p \$build \$package/DEBIAN \$package/usr/lib/modules/$1
		cp -a /usr/src/linux-headers-\$release/. \$build
		sed -i '/^$2=/d' \$build/.config \$build/include/config/auto.conf
		sed -i '/define $2\\(_MODULE\\)\\? /d' \$build/include/generated/autoconf.h
		echo '#define UTS_RELEASE \"$1\"' >\$build/include/generated/utsrelease.h
		ln -s /usr/src/linux-headers-fake-$1 \$package/usr/lib/modules/$1/build
		printf '%s\n' 'Package: linux-image-fake-$1' 'Version: 1' 'Architecture: amd64' \
			'Maintainer: Test <test@example.org>' 'Description: a test' >\$package/DEBIAN/control
		printf '%s\n' '#!/bin/sh' 'set -e' '[ \"\$1\" = configure ] || exit 0' \
			'run-parts --report --exit-on-error --arg=$1 /etc/kernel/postinst.d' \
			>\$package/DEBIAN/postinst
		chmod 755 \$package/DEBIAN/postinst
		dpkg-deb --root-owner-group -b \$package /srv/fake-$1.deb >/dev/null; rm -r \$package
		$apt install /srv/fake-$1.deb"
}

# update_kernels: a kernel for which the modules are not built does not stop apt; one for which
# they are gets them.
update_kernels() {
	check 'a kernel of an unknown version does not stop apt' fake_kernel 9.9.9-fake CONFIG_NONE
	check 'a kernel without netfilter does not stop apt' fake_kernel 6.12.99-fake CONFIG_NETFILTER
	check 'neither has a module' installed '
		[ -e /lib/modules/9.9.9-fake/build/include ] && [ -e /lib/modules/6.12.99-fake/build/include ] &&
		! find /lib/modules/9.9.9-fake/ /lib/modules/6.12.99-fake/ -name "*.ko*" | grep .'
	check 'a kernel without x_tables is installed' fake_kernel 6.12.98-fake CONFIG_NETFILTER_XTABLES
	check 'it has the module kcuckoo alone' installed '
		[ "$(ls /lib/modules/6.12.98-fake/updates/dkms | sed "s/\.xz$//" | xargs)" = kcuckoo.ko ]'
	check 'dkms.conf knows all spellings of the option for a kernel' installed '
		for arguments in "-k 9.9.9" "-k 9.9.9/x86_64" "-k=9.9.9" "--kernelver 9.9.9" \
			"--kernelver=9.9.9" "--kernelver=9.9.9/x86_64"; do
			bash -c ". /usr/src/kcuckoo-*/dkms.conf; [ -z \"\$AUTOINSTALL\" ]" dkms $arguments ||
				{ echo "$arguments"; exit 1; }
			bash -c ". /usr/src/kcuckoo-*/dkms.conf; [ \$AUTOINSTALL ]" dkms \
				$(echo $arguments | sed s,9.9.9,6.12.95,) ||
				{ echo "$arguments"; exit 1; }
		done'
	# The tests above can fail. dkms of Debian 12 does not read /etc/dkms/kcuckoo.conf before it
	# leaves out what has no AUTOINSTALL.
	installed 'cp -a /usr/src/kcuckoo-*/dkms.conf /srv && printf "%s\n" BUILD_EXCLUSIVE_KERNEL= \
		BUILD_EXCLUSIVE_CONFIG= AUTOINSTALL=yes >>"$(ls /usr/src/kcuckoo-*/dkms.conf)"'
	check 'without the limits of dkms.conf, such a kernel stops apt' \
		fails fake_kernel 6.12.97-fake CONFIG_NETFILTER
	installed 'cp -a /srv/dkms.conf /usr/src/kcuckoo-*/ && dpkg --configure -a'
	check 'with them, apt goes on' installed 'dpkg --audit; [ -z "$(dpkg --audit)" ]'
}

# remove_with_device: a node that is no device of the module, and a program that only notes how it
# is called, stand for both. Nothing of this /dev outlives the removal.
remove_with_device() {
	local dev=$scratch/$suite.dev

	mkdir "$dev" "$scratch/$suite/srv/noting"
	mknod -m 666 "$dev/null" c 1 3 && mknod -m 666 "$dev/urandom" c 1 9 &&
		mknod -m 600 "$dev/kcuckoo" c 1 3 && ln -s /proc/self/fd "$dev/fd" &&
		printf '%s\n' '#!/bin/sh' 'echo "$*" >>/srv/noted' >"$scratch/$suite/srv/noting/kcuckoo" &&
		chmod 755 "$scratch/$suite/srv/noting/kcuckoo" &&
		inside "$scratch/$suite" "set -e
			$apt -o DPkg::Path=/srv/noting:\$PATH remove \$(cd /srv/now; ls | sed 's/_.*//')
			cat /srv/noted; [ \"\$(cat /srv/noted)\" = 'down --save' ]" "$dev" /dev
}

# reinstall_packages: after a removal an installation starts the services, which an upgrade does
# not: it reloads them. Programs that only note how they are called stand for systemd; apt gives
# scripts of packages the PATH of its own option.
reinstall_packages() {
	check 'a removal removes the rules, without systemd, too' remove_with_device
	check 'the configuration is still there' installed '
		[ -e /etc/kcuckoo/edge.conf ] && [ ! -e /usr/sbin/kcuckoo ]'
	installed 'mkdir -p /run/systemd/system /srv/bin
		for name in deb-systemd-invoke systemctl udevadm modprobe; do
			printf "%s\n" "#!/bin/sh" "echo \"$name \$*\" >>/srv/called" >/srv/bin/$name
		done
		chmod 755 /srv/bin/*'
	check 'an installation after a removal starts the services' installed "
		$apt -o DPkg::Path=/srv/bin:\$PATH install /srv/next/*.deb
		cat /srv/called; grep -q ' start kcuckoo.service kcuckoo-fetch.timer\$' /srv/called"
	check 'the same version again reloads them' installed "rm /srv/called
		$apt -o DPkg::Path=/srv/bin:\$PATH install --reinstall /srv/next/kcuckoo_*.deb
		cat /srv/called; ! grep ' start .*timer' /srv/called &&
		grep -q ' try-reload-or-restart kcuckoo.service' /srv/called"
	# That of a kernel stands for headers: both have files below /lib/modules.
	check 'headers that are installed later start a service that has failed' installed "rm /srv/called
		$apt -o DPkg::Path=/srv/bin:\$PATH install --reinstall /srv/fake-9.9.9-fake.deb
		cat /srv/called; grep -qx 'modprobe -q kcuckoo' /srv/called &&
		grep -qx 'deb-systemd-invoke start kcuckoo.service' /srv/called"
	installed 'rm -r /run/systemd/system /srv/bin'
}

# purge_packages: nothing has the name of kcuckoo any more but the users.
purge_packages() {
	check 'the packages are removed again' installed "$apt remove \$(cd /srv/now; ls | sed 's/_.*//')"
	# Of the others nothing is left that apt could purge.
	check 'the packages are purged' installed "$apt purge kcuckoo"
	check 'nothing is left but the users' installed '
		! find / -xdev \( -path /srv -o -path /root -o -path /proc -o -path /var/log \) -prune \
			-o -iname "*kcuckoo*" -print | grep . &&
		! grep -rlI kcuckoo /etc /var/lib /lib/modules --exclude-dir=apt 2>/dev/null |
			grep -vxE "/etc/(passwd|group|shadow|gshadow)-?|/var/lib/dpkg/status-old" &&
		getent passwd _kcuckoo && getent group kcuckoo'
}

# boot_system: boot.sh, whose results get the numbers of this run.
boot_system() {
	local run=$scratch/$suite.run line plan='' results=0

	mkdir "$run"
	while IFS= read -r line; do
		if [[ $line =~ ^(not )?ok\ [0-9]+\ (.*)$ ]]; then
			count=$((count + 1))
			results=$((results + 1))
			[ -z "${BASH_REMATCH[1]}" ] || failed=$((failed + 1))
			echo "${BASH_REMATCH[1]}ok $count ${BASH_REMATCH[2]}"
		elif [[ $line =~ ^1\.\.([0-9]+)$ ]]; then
			plan=${BASH_REMATCH[1]}
		else
			echo "${line/#Bail out!/# Bail out:}"
		fi
	done < <("$here/boot.sh" "$suite" "$scratch/$suite/srv" "$run")
	cp "$run/log" "$logs/$suite.boot" && cp "$run/$suite.console" "$logs"
	check 'boot.sh ends with its plan' [ "$plan" = $results ]
	rm -rf --one-file-system "$run"
}

# make_chroots: one to build in, with git and make alone, and one to install in.
make_chroots() {
	make_chroot "$scratch/$suite" "$suite" "${source_lines[0]}" ca-certificates &&
		inside "$scratch/$suite" "$apt -qq update" >&2 &&
		cp -a "$scratch/$suite" "$scratch/$suite.build" &&
		inside "$scratch/$suite.build" "$apt -qq install git make" >&2 &&
		cp -a "$scratch/$suite.build" "$scratch/$suite.cross"
}

"$here/../harness/packages.sh" newest system || exit 1
commit=$(git -C "$top" rev-parse --short=12 HEAD)
echo "# packages of commit $commit"
for suite; do
	use_suite "$suite"
	say "making chroots of $suite"
	make_chroots || die "no chroot of $suite"
	if build_packages; then
		build_for_arm64
		install_packages
		upgrade_packages
		update_kernels
		reinstall_packages
		purge_packages
		boot_system
	else
		check 'there are packages to install' false
	fi
	rm -rf --one-file-system "${scratch:?}/$suite" "${scratch:?}/$suite".{build,cross}
done
echo "1..$count"
echo "# $((count - failed)) passed, $failed failed"
[ "$failed" = 0 ]
