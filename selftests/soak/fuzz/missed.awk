# SPDX-License-Identifier: GPL-2.0-only
#
# Which places of the module were not reached: reads "# place ADDRESS" of the fuzzer
# and then the module, disassembled with its relocations. Of each function: how many
# were missed, how many there are.
#
# A place is where the call returns to that tells of it, the instruction behind. It is
# called directly or, where addresses take 64 bits, through a register.

NR == FNR {
	if ($2 == "place")
		reached[$3]
	next
}

/^Disassembly of section/ {
	text = $4 == ".text:"
}

!text {
	next
}

/^[0-9a-f]+ </ {
	name = substr($2, 2, length($2) - 3)
	split("", holds)
	told = 0
}

# A relocation of the instruction before.
/: R_/ {
	tells = /__sanitizer_cov_trace_pc/
	if (kind == "call")
		told = tells
	else if (kind == "movabs")
		holds[register] = tells
	next
}

/^ +[0-9a-f]+:\t/ {
	address = $1
	sub(":", "", address)
	if (told) {
		places[name]++
		all++
		if (!(address in reached)) {
			missed[name]++
			sum++
		}
	}
	told = 0
	split($0, column, "\t")
	# The second line of a long instruction has none.
	if (column[3] == "")
		next
	split(column[3], word, " ")
	kind = word[1]
	register = word[2]
	sub(/.*,/, "", register)
	sub(/^\*/, "", register)
	if (kind == "call")
		told = holds[register] + 0
}

END {
	print sum + 0, all + 0, "all"
	for (name in missed)
		print missed[name], places[name], name
}
