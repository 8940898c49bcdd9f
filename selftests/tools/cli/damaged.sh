#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Damaged files of the state: each is refused with a sentence, the next best state is used, and
# all that is not damaged comes back. SNAPSHOTS= sets how many snapshots are damaged: 20 for
# 'make test', 40 with KCUCKOO_SOAK=yes.

# shellcheck source=selftests/tools/cli/harness.sh
. "$(dirname "$0")/harness.sh"

snapshots=20
[ "${KCUCKOO_SOAK:-}" != yes ] || snapshots=40
snapshots=${SNAPSHOTS:-$snapshots}
# Filters of one boot; each tenth has a good snapshot.
filters=$((snapshots < 100 ? snapshots + snapshots / 9 : 100))

: >"$scratch/nothing"
mount --bind "$scratch/nothing" /etc/resolv.conf
# The next program mounts a file there, too.
trap 'umount /etc/resolv.conf; rm -rf "$scratch"' EXIT

export KCUCKOO_STATE=$scratch/state KCUCKOO_RUN=$scratch/run
etc=$scratch/etc
good=$scratch/good
kinds=(cut empty bit name digest folder pipe link text longer)

# many_bans: as many filters whose members are kept, each with another member, and a rule
many_bans() {
	local i

	rm -rf "$KCUCKOO_STATE" "$KCUCKOO_RUN" "$etc" "$good"
	mkdir "$etc"
	for ((i = 0; i < filters; i++)); do
		printf '[filter bans%d]\ntimeout = 1h\nkeep = yes\n' $i
	done >"$etc/a.conf"
	printf '[rule in]\nfilter = bans0\nhook = input\n' >>"$etc/a.conf"
	kcuckoo -q apply --config "$etc"
	for ((i = 0; i < filters; i++)); do
		kcuckoo -q add "bans$i" "198.51.100.$i"
	done
	kcuckoo -q down --save
	mkdir "$good"
	cp "$KCUCKOO_STATE"/*.kcf "$good"
}

# flip FILE OFFSET: change one bit of this byte.
flip() {
	local byte

	byte=$(od -An -tu1 -j "$2" -N 1 "$1")
	printf %b "\\x$(printf %x $((byte ^ 1 << RANDOM % 8)))" |
		dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

# damage KIND FILE OTHER: damage this snapshot; OTHER is one of another filter.
damage() {
	local size

	size=$(stat -c %s "$2")
	case $1 in
	cut) truncate -s $((1 + RANDOM % (size - 1))) "$2" ;;
	empty) : >"$2" ;;
	bit) flip "$2" $((RANDOM % size)) ;;
	name) cat "$3" >"$2" ;;
	digest) flip "$2" $((size - 1 - RANDOM % 4)) ;;
	folder) rm "$2"; mkdir "$2" ;;
	pipe) rm "$2"; mkfifo -m 600 "$2" ;;
	link) rm "$2"; ln -s "$3" "$2" ;;
	text) echo '192.0.2.1' >"$2" ;;
	longer) echo >>"$2" ;;
	esac
}

# damage_all ROUND KIND...: damage the snapshots, except each tenth. Their numbers are in
# "damaged".
damage_all() {
	local i round=$1 kind=0

	shift
	damaged=()
	rm -rf "${KCUCKOO_STATE:?}"/*.kcf
	cp "$good"/*.kcf "$KCUCKOO_STATE"
	for ((i = 0; i < filters; i++)); do
		[ $(((i + round) % 10)) != 9 ] || continue
		damage "${@:1 + kind++ % $#:1}" "$KCUCKOO_STATE/bans$i.kcf" "$good/bans$(((i + 1) % filters)).kcf"
		damaged+=("$i")
	done
}

# the_rest_is_good WHAT: the filters without damage have their members, the others none.
the_rest_is_good() {
	local i

	for ((i = 0; i < filters; i++)); do
		k list "bans$i"
		if [[ " ${damaged[*]} " == *" $i "* ]]; then
			out_is ''
		else
			[[ $out == "198.51.100.$i timeout "* ]] || complain "$1: bans$i: $out"
		fi
	done
}

test_boot() { # damaged snapshots: those filters begin without members, the boot goes on
	local round i count=0 damaged

	many_bans
	for ((round = 0; count < snapshots; round++)); do
		damage_all $round "${kinds[@]}"
		count=$((count + ${#damaged[@]}))
		k apply --boot --config "$etc"
		status_is 1
		for i in "${damaged[@]}"; do
			[ "$(grep -c "^kcuckoo: .*/bans$i\\.kcf.*[a-z]" <<<"$err")" = 1 ] ||
				complain "bans$i: $(grep "bans$i\\b" <<<"$err")"
			err_has "filter bans$i begins without members"
		done
		[ "$(grep -c '^kcuckoo: ' <<<"$err")" = ${#damaged[@]} ] || complain "$err"
		the_rest_is_good "round $round"
		[ "$(kcuckoo list | wc -l)" = "$filters" ] || complain "filters: $(kcuckoo list)"
		k -j rules
		[[ $out == *'"filter": "bans0", "hook": "input"'* ]] || complain "rules: $out"
		k -q down
		[ "$failed" = 0 ] || return
	done
	echo "# $count snapshots, $round boots; 40 snapshots with KCUCKOO_SOAK=yes"
}

test_version() { # a snapshot of another format version is an error, and stays as it is
	local version number=0 copy=$KCUCKOO_STATE/bans.kcf

	rm -rf "$KCUCKOO_STATE" "$KCUCKOO_RUN" "$etc"
	mkdir "$etc"
	printf '[filter bans]\nkeep = yes\n' >"$etc/a.conf"
	kcuckoo -q apply --config "$etc"
	kcuckoo -q add bans 192.0.2.1
	kcuckoo -q down --save
	for version in 1 6; do
		# shellcheck disable=SC2059 # the format is the number
		printf "\\$version" | dd of="$copy" bs=1 seek=8 conv=notrunc status=none
		cp "$copy" "$scratch/version"
		number=$((number + 1))
		# The second boot finds the second name of the file.
		for _ in 1 2; do
			k apply --boot --config "$etc"
			status_is 1
			err_has "cannot restore from $copy: its snapshot format version is" \
				"can restore it, also from $copy.version$number" \
				'filter bans begins without members'
			err_has_not renamed
			cmp "$scratch/version" "$copy" || complain "version $version: the file was changed"
			[ ! -e "$copy.damaged" ] || complain "version $version: the file was renamed"
			k -q down
		done
		kcuckoo -q apply --config "$etc"
		k -q down --save
		cmp "$scratch/version" "$copy.version$number" || complain "version $version was lost"
		! cmp -s "$scratch/version" "$copy" || complain "version $version was not replaced"
		cp "$scratch/version" "$copy"
	done
	printf '\5' | dd of="$copy" bs=1 seek=8 conv=notrunc status=none
	k apply --boot --config "$etc"
	status_is 0
	k list bans
	out_is 192.0.2.1
	k -q down
}

test_leftover() { # what a killed save left does not stop the next one
	local name left=$KCUCKOO_STATE/.bans.kcf.tmp

	rm -rf "$KCUCKOO_STATE" "$KCUCKOO_RUN" "$etc"
	mkdir "$etc"
	printf '[filter bans]\nkeep = yes\n' >"$etc/a.conf"
	kcuckoo -q apply --config "$etc"
	kcuckoo -q add bans 192.0.2.1
	mkdir -p "$KCUCKOO_STATE"
	for name in first second; do
		echo x >"$left"
		k down --save
		status_is 0
		[ ! -e "$left" ] || complain "$name: $left is there"
		k apply --boot --config "$etc"
		status_is 0
		k list bans
		out_is 192.0.2.1
	done
	k -q down
}

test_restore() { # restore --all: the others are restored, and no part of a damaged one
	local i damaged

	many_bans
	damage_all 0 cut empty bit digest folder pipe text longer
	k restore --all "$KCUCKOO_STATE"
	status_is 2
	err_has "${#damaged[@]} of $filters snapshots of $KCUCKOO_STATE could not be restored"
	for i in "${damaged[@]}"; do
		[ "$(grep -c "^kcuckoo: .*/bans$i\\.kcf" <<<"$err")" = 1 ] || complain "bans$i: $err"
	done
	[ "$(kcuckoo list | wc -l)" = $((filters - ${#damaged[@]})) ] || complain "filters: $(kcuckoo list)"
	for i in "${damaged[@]}"; do
		kcuckoo -q create "bans$i" timeout 1h
	done
	the_rest_is_good 'restore --all'
	echo "# ${#damaged[@]} snapshots; 40 with KCUCKOO_SOAK=yes"
}

# good_copy: the last good copy of the list drop, as fetch writes it
good_copy() {
	local file=$KCUCKOO_STATE/lists/drop.list

	rm -rf "$file"
	printf '%s\n' 198.51.100.1 198.51.100.2 >"$scratch/body"
	{
		echo "# kcuckoo-list 1 drop members 2 bytes $(stat -c %s "$scratch/body")" \
			"sha256 $(sha256sum <"$scratch/body" | cut -d ' ' -f 1)"
		cat "$scratch/body"
	} >"$file"
}

test_list() { # a damaged last good copy: the filter exists, and the other list counts
	local kind

	rm -rf "$KCUCKOO_STATE" "$KCUCKOO_RUN" "$etc"
	mkdir -p "$etc" "$KCUCKOO_STATE/lists"
	echo 203.0.113.1 >"$scratch/mine"
	printf '%s\n' '[list drop]' 'url = https://192.0.2.1/list' '[filter bad]' \
		'list = drop' "list = $scratch/mine" '[rule in]' 'filter = bad' >"$etc/a.conf"
	good_copy
	sed 's/ drop / other /' "$KCUCKOO_STATE/lists/drop.list" >"$scratch/other"
	for kind in "${kinds[@]}"; do
		good_copy
		damage "$kind" "$KCUCKOO_STATE/lists/drop.list" "$scratch/other"
		k apply --boot --config "$etc"
		status_is 1
		err_has 'list drop: its last good copy '
		k list bad
		out_is 203.0.113.1
		k -q down
		[ "$failed" = 0 ] || echo "# $kind"
	done
}

test_configuration() { # a damaged copy of the applied configuration counts as none, and is replaced
	local kind applied=$KCUCKOO_STATE/applied/a.conf

	rm -rf "$KCUCKOO_STATE" "$KCUCKOO_RUN" "$etc"
	mkdir -p "$etc"
	for kind in cut empty folder pipe text gone file; do
		printf '[filter bans]\nkeep = yes\n' >"$etc/a.conf"
		kcuckoo -q apply --config "$etc"
		case $kind in
		cut) truncate -s 9 "$applied" ;;
		gone) rm "$applied" ;;
		file) rm -r "${applied%/*}"; echo >"${applied%/*}" ;;
		*) damage "$kind" "$applied" "$applied" ;;
		esac
		echo 'colour = red' >>"$etc/a.conf"
		k apply --boot --config "$etc"
		status_is 2
		err_has "$etc/a.conf:3: "
		if [ $kind != empty ]; then
			err_has "${applied%/*}" 'no earlier configuration can be used'
			k list
			out_is 'bans managed'
		fi
		sed -i '$d' "$etc/a.conf"
		k apply --config "$etc"
		status_is 0
		[ $kind = empty ] || err_has 'is damaged, and will be replaced'
		cmp "$etc/a.conf" "$applied" || complain "$kind: the copy was not replaced"
		[ ! -e "$KCUCKOO_STATE/applied.new" ] || complain "$kind: applied.new is left"
		k apply --config "$etc"
		err_is_empty
		[ "$failed" = 0 ] || return
	done
}

main "$0"
