#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# save and restore: files that come back whole, or not at all.

# shellcheck source=selftests/tools/cli/harness.sh
. "$(dirname "$0")/harness.sh"

folder=$scratch/folder
file=$folder/snapshot
# What only repeats is for 'make soak': long filters, and how often something is done.
soak=${KCUCKOO_SOAK:-}

# flip FILE OFFSET: change one bit of a byte
flip() {
	local byte

	byte=$(od -An -tu1 -j "$2" -N 1 "$1")
	# shellcheck disable=SC2059 # the format is the byte
	printf "\\x$(printf %02x $((byte ^ 1 << $2 % 8)))" |
		dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

some_filter() {
	rm -rf "$folder"
	mkdir "$folder"
	k -q create bl value 8 timeout 1d
	k -q add bl 192.0.2.0/24 --value 7
	k -q add bl 192.0.2.1 2001:db8::/32 --value 9 --timeout 0
}

test_exact() { # members, values and timeouts come back, under any name
	some_filter
	k list bl
	cp "$scratch/out" "$scratch/before"
	k save bl "$file"
	status_is 0
	out_is ''
	[ "$(stat -c %a "$file")" = 600 ] || complain "mode $(stat -c %a "$file")"
	k restore "$file" as copy
	status_is 0
	err_has 'restored copy: 3 members'
	k compare bl copy
	status_is 0
	k list copy
	diff <(sed 's/ timeout [1-9].*//' "$scratch/before") \
		<(sed 's/ timeout [1-9].*//' "$scratch/out") ||
		complain "the copy has other members"
	k destroy bl
	k restore "$file"
	status_is 0
	k list
	out_is $'copy\nbl'
}

test_fingerprints() { # every key is found, and copies can be merged
	some_filter
	k destroy bl
	seq 3000 >"$scratch/keys"
	k -q create bl type bytes capacity 3000 bits 20 semisort
	k -q load bl "$scratch/keys"
	k save bl "$file"
	status_is 0
	k restore "$file" as copy
	status_is 0
	err_has '3000 members'
	k -q test copy -f "$scratch/keys"
	status_is 0
	k flush bl
	k merge bl copy
	status_is 0
	k -q test bl -f "$scratch/keys"
	status_is 0
}

test_streams() { # standard output and input, and no terminal
	some_filter
	kcuckoo save bl >"$file" || complain "save to standard output"
	kcuckoo save bl - | kcuckoo -q restore - as copy ||
		complain "through a pipe"
	k_restore=$(kcuckoo restore - as another <"$file" 2>&1) ||
		complain "from standard input: $k_restore"
	k list
	out_is $'bl\ncopy\nanother'
	kcuckoo save bl >/dev/full 2>"$scratch/err"
	[ $? = 2 ] || complain "no error of a full disk"
	grep -q 'standard output' "$scratch/err" || complain "$(<"$scratch/err")"
}

test_existing_name() { # is refused, or replaced, rules and all
	some_filter
	k save bl "$file"
	k -q add bl 198.51.100.1
	k -q attach bl
	k restore "$file"
	refused "there is a filter 'bl' already" --replace
	k restore "$file" --replace
	status_is 0
	k list bl
	[[ $out != *198.51.100.1* ]] || complain "list: $out"
	k rules
	[[ $out == *bl* ]] || complain "the rule is gone"
	k list
	out_is bl
	k -q create other type bytes capacity 9
	k restore "$file" as other --replace
	refused 'byte strings'
	k restore "$file" as new --replace
	status_is 0
}

test_files() { # a file that others may read, or that is none, is not replaced
	some_filter
	k save bl "$file"
	k save bl "$file"
	status_is 0
	chmod 640 "$file"
	k save bl "$file"
	refused 'others have access' chmod
	rm "$file"
	ln -s elsewhere "$file"
	k save bl "$file"
	refused 'is not a regular file'
	k save bl /dev/null
	refused 'is not a regular file'
	[ -c /dev/null ] || complain "/dev/null is gone"
	k save bl /none/file
	refused /none/file 'No such file'
	rm "$file"
	k save nope "$file"
	refused "no filter 'nope'"
	k restore "$file"
	refused "$file" 'No such file'
	printf '192.0.2.1\n' >"$file"
	k restore "$file"
	refused 'not a snapshot'
	[ "$(ls -A "$folder")" = snapshot ] ||
		complain "left behind: $(ls -A "$folder")"
}

# signalled WHAT SIGNAL [PROGRAM]: send it in the middle of a save, which PROGRAM runs and
# which takes the signal as WHAT says: default or ignore. $opened becomes the files that the
# save has open then.
signalled() {
	local process

	rm -f "$file".*
	cp "$scratch/before" "$file"
	env "--$1-signal=$2" ${3+"$3"} kcuckoo save bl "$file" 2>"$scratch/err" &
	process=$!
	opened=
	until [[ $opened == *"$folder/"* ]] || ! kill -0 $process 2>/dev/null; do
		opened=$(readlink "/proc/$process/fd/"*)
	done
	kill -s "$2" $process 2>/dev/null
	wait $process 2>/dev/null
	status=$?
	err=$(<"$scratch/err")
	last="${3+${3##*/} }kcuckoo save and SIG$2"
}

# ends NUMBER [PROGRAM]: the signal ends a save that PROGRAM runs, which leaves nothing behind.
ends() {
	# A save that was done before the signal came shows nothing.
	for _ in {1..20}; do
		signalled default "$(kill -l "$1")" ${2+"$2"}
		[ $status = 0 ] || break
	done
	status_is $((128 + $1))
	nothing_beside
	cmp -s "$file" "$scratch/before" || complain "$last: changed the file"
}

nothing_beside() {
	[ "$(ls -A "$folder")" = snapshot ] || complain "$last: left behind $(ls -A "$folder")"
}

test_busy() { # a file that cannot be replaced leaves no temporary file
	k create bl
	mkdir "$scratch/busy"
	: >"$scratch/busy/bl.kcf"
	: >"$scratch/below"
	chmod 600 "$scratch/below"
	mount --bind "$scratch/below" "$scratch/busy/bl.kcf"
	k save bl "$scratch/busy/bl.kcf"
	status_is 2
	err_has 'Device or resource busy'
	umount "$scratch/busy/bl.kcf"
	[ "$(ls -A "$scratch/busy")" = bl.kcf ] || complain "left: $(ls -A "$scratch/busy")"
}

test_interrupted() { # leaves nothing behind, and dies of the signal
	local number count=100000

	# So many that a save takes long enough for a signal to come in the middle of it.
	[ "$soak" != yes ] || count=1000000
	some_filter
	k save bl "$file"
	cp "$file" "$scratch/before"
	k destroy bl
	k -q create bl type bytes capacity $((2 * count)) bits 32
	seq $count | kcuckoo -q load bl -
	for number in 1 2 10 13 14 15 24; do
		ends $number
		[[ $opened == *"$folder/#"*' (deleted)'* ]] ||
			complain "$last: the file has a name: $opened"
		ends $number ./no_tmpfile
		[[ $opened == *"$file."* ]] || complain "$last: the file has no name: $opened"
	done
	# A file that becomes longer than it may ends the save with a signal, too.
	(ulimit -f 100 && exec kcuckoo save bl "$file") 2>/dev/null
	status=$?
	last="kcuckoo save and SIGXFSZ"
	status_is $((128 + $(kill -l XFSZ)))
	nothing_beside
	# So does a message that nobody reads any more.
	mkdir "$scratch/silent"
	(
		sleep 1
		exec env --default-signal=PIPE kcuckoo save none "$scratch/silent/snapshot"
	) 2>&1 | :
	status=${PIPESTATUS[0]}
	last="kcuckoo save with its message into the void"
	status_is $((128 + $(kill -l PIPE)))
	[ ! "$(ls -A "$scratch/silent")" ] || complain "$last: left behind $(ls -A "$scratch/silent")"
	signalled ignore HUP
	status_is 0
	nothing_beside
	! cmp -s "$file" "$scratch/before" || complain "$last: nothing was saved"
}

test_at_once() { # saves to the same file at the same time all succeed
	local i rounds=5

	[ "$soak" != yes ] || rounds=20
	some_filter
	: >"$scratch/failures"
	for _ in 1 2 3; do
		for ((i = 0; i < rounds; i++)); do
			kcuckoo save bl "$file" || echo "exit code $?"
		done >>"$scratch/failures" 2>&1 &
	done
	wait
	[ ! -s "$scratch/failures" ] || complain "$(<"$scratch/failures")"
	last='saves at the same time'
	nothing_beside
	k restore "$file" as copy
	status_is 0
}

test_replacing_interrupted() { # a signal leaves no second filter, and ends a silent pipe
	local process took part signal=KILL count=10000 step=16

	if [ "$soak" = yes ]; then
		count=200000
		step=4
	fi

	some_filter
	k destroy bl
	k -q create bl
	awk -v count=$count 'BEGIN { srand(1); for (i = 0; i < count; i++)
		printf "%d.%d.%d.%d/%d\n", 1 + rand() * 200, rand() * 256,
			rand() * 256, rand() * 256, 16 + rand() * 17 }' | kcuckoo -q load bl -
	k save bl "$file"
	took=$(date +%s%N)
	k restore "$file" --replace
	took=$((($(date +%s%N) - took) / 1000000))
	for ((part = 20; part <= 100; part += step)); do
		kcuckoo restore "$file" --replace 2>/dev/null &
		process=$!
		sleep "$(printf '%d.%03d' $((took * part / 100000)) $((took * part / 100 % 1000)))"
		kill -$signal $process 2>/dev/null
		wait $process 2>/dev/null
		[[ $signal == TERM ]] && signal=KILL || signal=TERM
	done
	k list
	out_is bl
	last='kcuckoo restore of a silent pipe'
	mkfifo "$scratch/pipe"
	kcuckoo restore - --replace <"$scratch/pipe" 2>/dev/null &
	process=$!
	exec 9>"$scratch/pipe"
	head -c 100000 "$file" >&9
	sleep 0.5
	kill $process
	for _ in {1..100}; do
		kill -0 $process 2>/dev/null || break
		sleep 0.1
	done
	kill -9 $process 2>/dev/null && complain "$last goes on after SIGTERM"
	exec 9>&-
	k list
	out_is bl
}

test_words() { # restore FILE [as NAME]
	some_filter
	k save bl "$file"
	k restore "$file" to copy
	refused "unknown argument 'to' for 'restore'"
	k restore "$file" as
	refused "'as' needs a name"
	k restore "$file" as 'a b'
	refused 'not a valid filter name'
	k restore "$file" as a b
	refused "does not take 'b'"
	k list
	out_is bl
}

# write_bytes BYTE...: print bytes, each of which is two hexadecimal digits.
write_bytes() {
	local text

	printf -v text '\\x%s' "$@"
	# shellcheck disable=SC2059 # the format is the bytes
	printf "$text"
}

test_damaged() { # cut short, or with a bit flipped, anywhere: nothing changes
	local length at step byte bytes damaged names=()

	some_filter
	k save bl "$file"
	mkdir "$scratch/damaged"
	read -r -d '' -a bytes < <(od -An -v -tx1 "$file")
	length=${#bytes[@]}
	[ "$length" = "$(stat -c %s "$file")" ] || complain "$length bytes were read"
	step=$((length / 25 + 1))
	for ((at = 0; at < length; at += step)); do
		names+=("$scratch/damaged/cut$at.kcf" "$scratch/damaged/flipped$at.kcf")
		: >"$scratch/damaged/cut$at.kcf"
		[ $at = 0 ] || write_bytes "${bytes[@]:0:at}" >"$scratch/damaged/cut$at.kcf"
		printf -v byte %02x $((0x${bytes[at]} ^ 1 << at % 8))
		write_bytes "${bytes[@]:0:at}" "$byte" "${bytes[@]:at+1}" \
			>"$scratch/damaged/flipped$at.kcf"
		# All are restored by one command below, and some by a command each.
		[ "$soak" = yes ] || [ $((at / step % 8)) = 0 ] || continue
		for damaged in "${names[@]: -2}"; do
			k restore "$damaged" as copy
			refused "$damaged" 'nothing was changed'
		done
	done
	k restore --all "$scratch/damaged" --replace
	status_is 2
	err_has "${#names[@]} of ${#names[@]} snapshots of $scratch/damaged could not be restored" \
		"${names[@]}"
	printf x | cat "$file" - >"$scratch/cut"
	k restore "$scratch/cut" --replace
	refused 'data follows its end'
	k list
	out_is bl
	k restore "$file" as copy
	status_is 0
}

test_bad_name() { # in a snapshot that is sound: told once, and another one helps
	local limit=/sys/module/kcuckoo/parameters/max_bytes before

	some_filter
	k save bl "$file"
	{
		head -c 24 "$file"
		printf '\033'
		tail -c +26 "$file" | head -c 35
	} >"$scratch/header"
	{
		cat "$scratch/header"
		crc "$scratch/header"
		tail -c +65 "$file" | head -c -4
	} >"$scratch/renamed"
	crc "$scratch/renamed" >"$scratch/crc"
	cat "$scratch/crc" >>"$scratch/renamed"
	k restore "$scratch/renamed"
	refused "l' is not a valid filter name"
	[ "$(grep -c 'is not a valid filter name' "$scratch/err")" = 1 ] || complain "told more than once: $err"
	# Whatever else is wrong, the terminal is not told what is in the file.
	before=$(cat $limit)
	echo 1 >$limit
	k restore "$scratch/renamed" --replace
	echo "$before" >$limit
	refused "l' is not a valid filter name"
	! grep -q $'\033' "$scratch/err" || complain "told as it is: $err"
	k restore "$scratch/renamed" as copy
	status_is 0
	k compare bl copy
	status_is 0
}

# crc FILE: its CRC-32 as four bytes; gzip writes it before a file's length.
crc() {
	gzip -c <"$1" | tail -c 8 | head -c 4
}

# of_version NUMBER: the snapshot as a module would have saved it whose images have
# that number. A version is in the image, and another one in the file's header.
of_version() {
	tail -c +65 "$file" | head -c -4 | zstd -qdc >"$scratch/image"
	# shellcheck disable=SC2059 # the format is the number
	printf "\\x$(printf %02x "$1")" |
		dd of="$scratch/image" bs=1 seek=8 conv=notrunc status=none
	head -c -8 "$scratch/image" >"$scratch/sealed"
	{
		cat "$scratch/sealed"
		crc "$scratch/sealed"
		tail -c 4 "$scratch/image"
	} >"$scratch/image.new"
	{
		head -c 64 "$file"
		zstd -qc --check "$scratch/image.new"
	} >"$scratch/version"
	crc "$scratch/version" >"$scratch/crc"
	cat "$scratch/crc" >>"$scratch/version"
}

test_version() { # what another version saved is sound, and refused as such
	local version

	some_filter
	k save bl "$file"
	of_version 5
	k restore "$scratch/version" as copy
	status_is 0
	k compare bl copy
	status_is 0
	k destroy copy
	for version in 0 4 6; do
		of_version $version
		k restore "$scratch/version" as copy
		refused "$scratch/version" 'does not read its format version' 'nothing was changed'
		k list
		out_is bl
	done
	# The header has the number, too; in all files of older versions that is 1.
	cp "$file" "$scratch/version"
	printf '\1' | dd of="$scratch/version" bs=1 seek=8 conv=notrunc status=none
	k restore "$scratch/version" as copy
	refused "$scratch/version" 'its snapshot format version is 1,' \
		'reads version 5: load the list again' 'nothing was changed'
	k restore "$scratch/version" --replace
	refused 'its snapshot format version is 1,'
	cp "$file" "$scratch/version"
	flip "$scratch/version" 8
	k restore "$scratch/version" as copy
	refused 'its snapshot format version is unknown,' 'reads version 5'
	k list
	out_is bl
	k list bl
	cp "$scratch/out" "$scratch/before"
	k restore "$file" --replace
	status_is 0
	k list bl
	diff <(sed 's/ timeout [1-9].*//' "$scratch/before") \
		<(sed 's/ timeout [1-9].*//' "$scratch/out") ||
		complain "a refused snapshot changed bl"
}

# left FILTER ADDRESS: remaining seconds of a member.
left() {
	kcuckoo list "$1" | sed -n "s/^$2 .*timeout \([0-9]*\).*/\1/p"
}

test_times() { # a member has the time that it had left, however old the snapshot is
	local before after

	some_filter
	k -q add bl 198.51.100.1 --timeout 1h
	k -q add bl 198.51.100.2 --timeout 8
	before=$(left bl 198.51.100.1)
	k save bl "$file"
	# A member expires up to a second after its time.
	sleep 9.1
	k restore "$file" as copy
	after=$(left copy 198.51.100.1)
	if [ "$after" -lt $((before - 1)) ] || [ "$after" -gt "$before" ]; then
		complain "$before s left before the save, $after s after the restore"
	fi
	k test copy 198.51.100.2
	status_is 0
	k test bl 198.51.100.2
	status_is 1
}

test_all() { # save --all and restore --all: each filter, the sound ones at least
	some_filter
	k -q create words type bytes capacity 9
	k -q add words one two
	k save --all "$folder"
	status_is 0
	err_has "saved 2 filters to $folder"
	[ "$(cd "$folder" && stat -c '%n %a' -- *)" = $'bl.kcf 600\nwords.kcf 600' ] ||
		complain "files: $(ls -l "$folder")"
	k rename bl other
	k restore --all "$folder"
	[ $status = 2 ] || complain "status $status"
	err_has "there is a filter 'words' already"
	err_has "1 of 2 snapshots of $folder could not be restored"
	k compare bl other
	status_is 0
	k destroy bl
	k -j restore --all "$folder" --replace
	status_is 0
	json_names=$(python3 -c 'import json, sys
print(*[f["name"] for f in json.load(sys.stdin)])' <<<"$out")
	[ "$json_names" = 'bl words' ] || complain "JSON: $out"
	k destroy bl
	flip "$folder/bl.kcf" 100
	printf x >"$folder/a b.kcf"
	printf x >"$folder/ignored"
	k restore --all "$folder" --replace
	[ $status = 2 ] || complain "status $status"
	err_has "'a b' is not a valid filter name"
	err_has "bl.kcf"
	err_has "restored words: 2 members"
	err_has "2 of 3 snapshots"
	chmod 644 "$folder/words.kcf"
	k save --all "$folder"
	[ $status = 2 ] || complain "status $status"
	err_has 'others have access'
	err_has "saved 1 filter to"
	k save --all "$folder" x
	refused 'with --all, save takes only a folder'
	k restore --all "$folder" as x
	refused 'with --all, restore takes only a folder'
	k restore --all /none
	refused /none 'No such file'
	k save --all /none
	[ $status = 2 ] || complain "status $status"
	err_has 'cannot write'
}

main "$0"
