#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# coverage.sh [LANE...]: which lines of the module the tests in the machine reach.
#
# The lanes, all unless some are named, run on a kernel that counts; what their
# machines have counted is added up. build/coverage/missed then lists the lines that
# nothing reached, and the last line printed is "lines: NN.N%", of those of kmod/
# that are code; before it is told of how many labels, and which nothing reached.
# Fails if a test does, and, of all lanes, if a label was missed or less than LEAST= per
# cent of the lines were reached (99.0).

set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd -P)
top=$(cd "$here/../.." && pwd -P)
result=$top/build/coverage
least=${LEAST:-99.0}

# add FOLDER: its counts to those of the lanes before.
add() {
	if [ -d "$result/sum" ]; then
		gcov-tool merge "$result/sum" "$1" -o "$result/new"
		rm -r "$result/sum"
		mv "$result/new" "$result/sum"
	else
		mv "$1" "$result/sum"
	fi
}

add_up() {
	local counts found=

	rm -rf "$result/sum"
	for counts in "$result"/*.tar; do
		[ -s "$counts" ] || continue
		rm -rf "$result/lane"
		mkdir "$result/lane"
		tar -xf "$counts" -C "$result/lane"
		add "$result/lane"
		found=yes
	done
	[ -n "$found" ] || { echo "coverage.sh: no machine has counted" >&2; return 1; }
}

# count: gcov says of every line that is code how often it ran, "#####" for never; a
# header's lines it says once for every file that includes it.
count() {
	local sum=$result/sum module

	# Where the compiler left its notes.
	module=$top/build/$(basename "$("$here/vm/kernel.sh" gcov)")/module
	(cd "$module" && find kmod -name '*.gcno' -exec cp --parents {} "$sum" \;
	find "$sum/kmod" -name '*.gcda' | sort | while read -r counts; do
		gcov --stdout --object-directory "$(dirname "$counts")" "$counts" 2>/dev/null
	done) | awk -F: -v OFS=: '
		$2 ~ /^ *0$/ && $3 == "Source" { file = $4; sub(".*/kmod/", "kmod/", file) }
		file !~ /^kmod\// || $2 ~ /^ *0$/ || $1 ~ /^ *-$/ { next }
		{
			line = sprintf("%s:%d", file, $2)
			text[line] = substr($0, index($0, $3))
			if ($1 !~ /[#=]/)
				reached[line] = 1
		}
		END {
			for (line in text) {
				all++
				print line, (line in reached ? "reached" : "missed") >lines
				if (line in reached)
					good++
				else
					print line, text[line] >missed
			}
			printf "%d of %d lines of kmod/ were reached\n", good, all
			printf "lines: %.1f%%\n", 100 * good / all
		}' missed="$result/unsorted" lines="$result/lines" >"$result/counts"
	sort -t: -k1,1 -k2,2n "$result/unsorted" >"$result/missed"
	rm "$result/unsorted"
}

# labels: which errors end where others do. A label was reached if the code behind it
# ran, and one of the jumps to it; of a jump that the compiler made one with something
# else is not known. Returns 1 if one was not.
labels() {
	(cd "$top" && awk -F: '
		FILENAME == lines { state[$1 ":" $2] = $3; next }
		FNR == 1 || /^}/ { end(); split("", jumps); split("", taken); label = "" }
		match($0, /goto [a-z0-9_]+;/) {
			name = substr($0, RSTART + 5, RLENGTH - 6)
			here = state[FILENAME ":" FNR]
			jumps[name] += here != ""
			taken[name] += here == "reached"
		}
		/^[a-z0-9_]+:$/ { end(); label = $1; place = FILENAME ":" FNR; behind = "" }
		label && !behind { behind = state[FILENAME ":" FNR] }
		function end() {
			if (!label)
				return
			all++
			if (behind == "reached" && (!jumps[label] || taken[label]))
				good++
			else
				print "# no test reached " place ": " label
			label = ""
		}
		END {
			end()
			printf "%d of %d labels of kmod/ were reached\n", good, all
			exit good != all
		}' lines="$result/lines" "$result/lines" kmod/*.c kmod/*/*.c)
}

# enough: were as many lines reached as have to be? One that cannot be read is not.
enough() {
	awk -v least="$least" '
		/^lines: / { reached = $2 + 0 }
		END {
			if (reached >= least + 0)
				exit 0
			print "# fewer lines than " least "% were reached"
			exit 1
		}' "$result/counts"
}

main() {
	local status=0

	"$here/packages.sh" debug
	rm -rf "$result"
	mkdir -p "$result"
	KCUCKOO_SAVE=$result "$here/suite.sh" --kernel gcov "$@" || status=$?
	add_up
	count
	labels || [ $# -gt 0 ] || status=1
	[ $# -gt 0 ] || enough || status=1
	cat "$result/counts"
	return $status
}

main "$@"
