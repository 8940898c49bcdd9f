# SPDX-License-Identifier: GPL-2.0-only
#
# The papers' figures: a table each, and the same numbers in files for the plots.
# The papers give no numbers for the points of their figures; what their text says
# about them stands beside ours.

function data(file, line) {
	print line > (plots "/" file ".dat")
}

# The value of a cell, or NaN, which plots leave out.
function point(name, format, factor) {
	return count[name] ? sprintf(format, mean(name) * factor) : "NaN"
}

# CoNEXT Figure 2: the least load of all runs.
function figure_load(b, f, i, n, m, rule, name, columns, line, row, any) {
	n = split("1024 32768 262144 1048576 33554432 1073741824", columns, " ")
	line = "f"
	for (i = 1; i <= n; i++)
		for (rule = 1; rule <= 2; rule++)
			if (measured[b, columns[i], rule])
				line = line "|" power(columns[i]) \
				       (rule == 1 ? ", kicks" : ", search")
	head(line)
	for (f = 1; f <= 20; f++) {
		row = "|" f
		line = f
		any = 0
		for (i = 1; i <= n; i++)
			for (rule = 1; rule <= 2; rule++) {
				name = "load " (rule == 1 ? "kicks" : "search") \
				       " jhash " b " " f " 0 " columns[i]
				line = line " " (count[name] ? \
				       sprintf("%.5f", least[name]) : "NaN")
				any += count[name]
				if (!measured[b, columns[i], rule])
					continue
				row = row "|" (count[name] ? \
				      sprintf("%.2f (%d)", 100 * least[name], \
					      count[name]) : "-")
			}
		if (any)
			print row "|"
		data("load-b" b, line)
	}
	print ""
}

function figures_load(name, part) {
	for (name in count) {
		if (split(name, part, " ") != 7 || part[1] != "load" || part[6])
			continue
		if (part[3] == "jhash")
			measured[part[4], part[7], part[2] == "kicks" ? 1 : 2] = 1
	}
	title("CoNEXT Figure 2: load factor by f and size")
	print "The least load in percent of so many runs as stand in brackets, by the paper's rule"
	print "(500 kicks) and by the module's. The paper: with fingerprints that are long enough,"
	print "95 % for b = 4 and 98 % for b = 8 at every size; six bits suffice for b = 4.\n"
	print "b = 4:\n"
	figure_load(4)
	print "b = 8:\n"
	figure_load(8)
	print "![b = 4](load-b4.png) ![b = 8](load-b8.png)"
}

# Bits per item and rate of one form; places is the number of the table's.
function space_name(b, f, sorted, places) {
	return "search jhash " b " " f " " sorted " " places / b
}

function figures_space(places, f, b, name, best) {
	places = count["load search jhash 2 12 0 2097152"] ? 4194304 : 262144
	title("CoNEXT Figure 3: bits per item by measured rate, b = 2, 4, 8")
	print "Tables of " power(places) " places, filled until an insert failed; mean of " \
	      count["load " space_name(4, 12, 0, places)] " runs. The paper: load"
	print "84 % for b = 2, 95 % for b = 4, 98 % for b = 8; b = 2 takes least space for rates"
	print "above 0.2 %, b = 4 between 0.001 % and 0.2 %.\n"
	head("f|b = 2: load|bits|rate|b = 4: load|bits|rate|b = 8: load|bits|rate|semi-sorted: load|bits|rate")
	for (f = 4; f <= 18; f++) {
		printf "|%d|", f
		for (b = 2; b <= 8; b *= 2) {
			name = space_name(b, f, 0, places)
			printf "%s|%s|%s|", cell("load " name, "%.2f %%", 100), \
				cell("bits " name, "%.3f", 1), \
				rate_cell("rate " name, 5)
			if (rate("rate " name))
				data("space-b" b, sprintf("%.9f %.4f", \
				     rate("rate " name), mean("bits " name)))
		}
		name = space_name(4, f, 1, places)
		printf "%s|%s|%s|\n", cell("load " name, "%.2f %%", 100), \
			cell("bits " name, "%.3f", 1), \
			rate_cell("rate " name, 5)
		if (rate("rate " name))
			data("space-sorted", sprintf("%.9f %.4f", \
			     rate("rate " name), mean("bits " name)))
	}
	print "\n![bits per item by rate](bucket-size.png)"
}

# What a filter takes for a rate: the points around it, joined in log(rate).
function bits_at(e, sorted, places, f, name, r, old_r, bits, old_bits) {
	old_r = 0
	for (f = 4; f <= 18; f++) {
		name = space_name(4, f, sorted, places)
		r = rate("rate " name)
		if (!r)
			continue
		bits = mean("bits " name)
		if (old_r && r <= e && e <= old_r)
			return old_bits + (bits - old_bits) * \
			       log(e / old_r) / log(r / old_r)
		old_r = r
		old_bits = bits
	}
	return 0
}

function figures_bloom(places, i, n, e, rates, cf, ss) {
	places = count["load search jhash 2 12 0 2097152"] ? 4194304 : 262144
	title("CoNEXT Figure 4 (;login: Figure 2): bits per item by rate, against Bloom filters")
	print "Space-optimised Bloom filter: 1.44 log2(1/e); lower bound: log2(1/e). Cuckoo filters"
	print "with b = 4: measured, joined between whole f. The paper: cuckoo filters take less"
	print "than Bloom filters below 3 %, at 7.2 bits, semi-sorted.\n"
	head("rate e|lower bound|Bloom|cuckoo|semi-sorted")
	n = split("0.03 0.02 0.01 0.005 0.002 0.001 0.0005 0.0002 0.0001 0.00005", \
		  rates, " ")
	for (i = 1; i <= n; i++) {
		e = rates[i] + 0
		cf = bits_at(e, 0, places)
		ss = bits_at(e, 1, places)
		printf "|%.3f %%|%.2f|%.2f|%s|%s|\n", 100 * e, log2(1 / e), \
			1.44 * log2(1 / e), cf ? sprintf("%.2f", cf) : "-", \
			ss ? sprintf("%.2f", ss) : "-"
	}
	for (i = 1; i <= filters; i++)
		if (rate("table3 " filter[i]) && filter[i] !~ /batch/)
			data("space-others", sprintf("%.9f %.4f \"%s\"", \
			     rate("table3 " filter[i]), \
			     mean("memory " filter[i]), called[i]))
	print "\n![bits per item against Bloom filters](space.png)"
}

function figures_mix(i, percent, name, line) {
	title("CoNEXT Figure 5 (;login: Figure 3): look-ups by fraction of positive queries")
	printf "Millions of look-ups per second of full filters of %.0f MB, one thread; mean of %d runs\n", \
		mean("size cuckoo"), count["mix cuckoo 0"]
	print "(standard deviation in brackets). The paper: CF is highest and the same at 0 and 100 %,"
	print "slightly lower at 50 %; blk-BF is good for negative queries only; ss-CF exceeds BF when"
	print "more than 25 % are positive; QF is lowest.\n"
	head("filter|0 %|25 %|50 %|75 %|100 %")
	for (i = 1; i <= filters; i++) {
		if (!count["mix " filter[i] " 0"])
			continue
		printf "|%s|", called[i]
		for (percent = 0; percent <= 100; percent += 25) {
			name = "mix " filter[i] " " percent
			printf "%s%s|", cell(name, "%.2f", 1), \
				(count[name] > 1 ? sprintf(" (%.2f)", \
				sqrt(variance(name))) : "")
			data("mix-" filter[i], percent " " point(name, "%.4f", 1))
		}
		print ""
	}
	print "\n![look-ups by fraction of positive queries](lookup.png)"
}

# A table of a speed by occupancy: that which was measured nearest to each tenth
# percent, and the last one.
function by_occupancy(what, i, j, n, where, name, values, w, last) {
	head("filter|5 %|10 %|20 %|30 %|40 %|50 %|60 %|70 %|80 %|90 %|last")
	for (i = 1; i <= filters; i++) {
		n = split(reached[what " " filter[i]], where, " ")
		if (!n)
			continue
		split("", values)
		last = ""
		for (j = 1; j <= n; j++) {
			name = what " " filter[i] " " where[j]
			values[int((where[j] + 2) / 5) * 5] = mean(name)
			last = sprintf("%.2f (%d %%)", mean(name), where[j])
			data(what "-" filter[i], where[j] / 100 " " mean(name))
		}
		printf "|%s|", called[i]
		for (w = 0; w <= 90; w += 10)
			printf "%s|", (w ? w : 5) in values ? \
				sprintf("%.2f", values[w ? w : 5]) : ""
		print last "|"
	}
	print ""
}

function figures_speed() {
	title("CoNEXT Figure 6: look-ups by occupancy")
	print "Millions per second; occupancy counts places for cuckoo, quotient and d-left filters,"
	print "items that they are meant for with the others. The paper: CF and ss-CF are mostly"
	print "stable; QF falls as it fills; BF and blk-BF are constant for present keys, and fall"
	print "for absent ones.\n"
	print "Absent keys:\n"
	by_occupancy("negative")
	print "Present keys:\n"
	by_occupancy("positive")
	print "![absent keys](negative.png) ![present keys](positive.png)"
	title("CoNEXT Figure 7: inserts by occupancy")
	print "Millions per second in the steps of 5 % that end there. The paper: CF and ss-CF fall"
	print "as they fill, Bloom and d-left filters are constant, QF falls.\n"
	by_occupancy("insert")
	print "![inserts](insert.png)"
	title("CoNEXT Figure 8: deletes by occupancy")
	print "Millions per second, from full to empty, in steps of 5 % that begin there. The paper:"
	print "CF is highest, CF and ss-CF are stable, QF is lowest when full.\n"
	by_occupancy("erase")
	print "![deletes](delete.png)"
}

function figures_rate(m, i, k, name, want, line, hashes, any) {
	title("Rate of false positives by size and hash")
	print "f = 12, b = 4, filled to 95 %; the rate over 2 b load / 2^f.\n"
	head("buckets|runs|jhash: rate|relative|siphash: rate|relative")
	split("jhash siphash", hashes, " ")
	for (m = 10; m <= 30; m++) {
		line = ""
		any = 0
		for (i = 1; i <= 2; i++) {
			name = "part search " hashes[i] " 4 12 0 " 2 ^ m
			if (!count[name]) {
				line = line "-|-|"
				continue
			}
			want = 8 * mean(name) / 4096
			any = count[name]
			line = line rate_cell(name, 4) sprintf("|%.4f|", \
			       rate(name) / want)
			data("rate-" hashes[i], m " " rate(name) / want)
			if (rate(name) / want > rate_worst)
				rate_worst = rate(name) / want
			if (m > rate_most[i])
				rate_most[i] = m
		}
		if (any)
			print "|2^" m "|" any "|" line
	}
	print "\n![rate by size](rate.png)"
}

function figures_rules(m, i, name) {
	m = large()
	for (i = 1; i <= 6; i++)
		data("rules", widths[i] " " login_load[i] " " \
		     point("load kicks jhash 4 " widths[i] " 0 " m, "%.3f", 100) \
		     " " point("load search jhash 4 " widths[i] " 0 " m, "%.3f", 100))
}
