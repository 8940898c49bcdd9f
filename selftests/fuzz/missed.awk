# SPDX-License-Identifier: GPL-2.0-only
#
# Which places of the module were not reached: reads "# place ADDRESS" of the fuzzer
# and then the module, disassembled with its relocations. Of each function: how many
# were missed, how many there are.

NR == FNR {
	if ($2 == "place")
		reached[$3]
	next
}

/^Disassembly of section/ {
	text = $4 == ".text:"
}

text && /^[0-9a-f]+ </ {
	name = substr($2, 2, length($2) - 3)
}

text && /__sanitizer_cov_trace_pc/ {
	sub(":", "", $1)
	places[name]++
	all++
	if (!($1 in reached)) {
		missed[name]++
		sum++
	}
}

END {
	print sum + 0, all + 0, "all"
	for (name in missed)
		print missed[name], places[name], name
}
