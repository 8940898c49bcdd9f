# SPDX-License-Identifier: GPL-2.0-only
#
# The papers' tables, theirs and ours side by side. The papers' numbers are facts
# taken from their text.

BEGIN {
	split("2 4 6 8 12 16", widths, " ")
	split("17.53 67.67 95.39 95.62 95.77 95.80", login_load, " ")
	split("78.27 28.13 0.41 0.18 0.03 0.00", login_gap, " ")
	split("1.39 8.06 0.10 0.18 0.11 0.11", login_variance, " ")
	filters = split("cuckoo semisort bloom blocked counting quotient " \
			"dleft4 dleft8 cuckoo-batch semisort-batch", filter, " ")
	split("CF|ss-CF|BF|blk-BF|counting BF|QF|dl-CBF, 4 cells|" \
	      "dl-CBF, 8 cells|CF, batches of 128|ss-CF, batches of 128", \
	      called, "|")
	split("127.78 128.04 123.89 123.89 - 120.80 103.82 - - -", \
	      paper_items, " ")
	split("12.60 12.58 13.00 13.00 - 13.33 15.51 - - -", paper_bits, " ")
	split("0.19 0.09 0.19 0.43 - 0.18 0.76 - - -", paper_rate, " ")
	split("5.00 3.13 3.91 7.64 - 1.91 4.78 - - -", paper_speed, " ")
}

function title(words) {
	printf "\n## %s\n\n", words
}

function head(cells, parts, n, i, rule) {
	n = split(cells, parts, "|")
	rule = ""
	for (i = 1; i <= n; i++)
		rule = rule "|---"
	print "|" cells "|"
	print rule "|"
}

# The largest of the tables that ;login: Table 2 is about: 2^25 buckets in full.
function large() {
	return count["load search jhash 4 12 0 33554432"] ? 33554432 : 262144
}

# Table 2 of ;login:, by one rule.
function login_table2(rule, m, i, name, optimum) {
	optimum = mean("load " (rule == "kicks0" ? "kicks" : rule) " jhash 4 16 0 " m)
	head("f|paper: mean|gap|\"variance\"|ours: mean|gap|standard deviation|variance|runs|difference")
	for (i = 1; i <= 6; i++) {
		name = "load " rule " jhash 4 " widths[i] " 0 " m
		if (!count[name])
			continue
		printf "|%d|%s %%|-%s|%s %%|%.2f %%|%+.2f|%s|%s|%d|%+.2f|\n", \
			widths[i], login_load[i], login_gap[i], \
			login_variance[i], 100 * mean(name), \
			100 * (mean(name) - optimum), \
			count[name] < 2 ? "-" : \
			sprintf("%.3f", 100 * sqrt(variance(name))), \
			count[name] < 2 ? "-" : \
			sprintf("%.2e", variance(name)), count[name], \
			100 * mean(name) - login_load[i]
	}
	print ""
}

function tables_login(m) {
	m = large()
	title(";login: Table 2: load factor by f, b = 4, m = " power(m))
	print "Set-up of the paper: m = 2^25 buckets of four entries, keys are inserted into an"
	print "empty filter until one insert relocates more than 500 entries; mean of ten runs. The"
	print "gap is to the load with two independent hash functions, for which the paper has the"
	print "value of f = 16; so do we. The paper's last column is headed variance; as a variance"
	print "of loads it would mean spreads of several percent, so it is probably the standard"
	print "deviation, in percentage points. We give both."
	print ""
	print "Differences of our run by the paper's rule: the alternate bucket is (H(tag) - i) mod m"
	print "and not i XOR H(tag), because our m need not be a power of two; a fingerprint is one of"
	print "2^f - 1 values, all equally likely, because 0 stands for a free entry; keys are 64-bit"
	print "numbers hashed by the module's jhash. How the paper keeps 0 apart it does not say. The"
	print "second table is of runs in which 0 becomes 1, which is then twice as likely: that alone"
	print "moves the load of short fingerprints."
	print ""
	print "The paper's rule, 500 random kicks:\n"
	login_table2("kicks", m)
	print "The same, where the fingerprint 0 becomes 1:\n"
	login_table2("kicks0", m)
	print "The module's rule, breadth-first search of at most 1,024 buckets:\n"
	login_table2("search", m)
	print "![load by rule](rules.png)"
}

# CoNEXT Table 2, which is ;login: Table 1; references are counted cache lines.
function tables_cost(m, cf, ss, e, load) {
	m = large()
	cf = "search jhash 4 12 0 " m
	ss = "search jhash 4 13 1 " m
	title("CoNEXT Table 2 (;login: Table 1): space and cost of a look-up")
	print "e is the rate. Ours are measured: f = 12, and 13 semi-sorted, at m = " power(m) "; the"
	print "space is given as in the paper, but with the load that was reached. References are"
	print "distinct cache lines of the filter that a look-up touched, counted by instrumented"
	print "code in filters of 3 MB. Buckets of 48 bits cross a line now and then, which adds 0.06"
	print "each. A semi-sorted look-up prefetches both buckets (prefetches are not counted), but"
	print "reads the second only if the first has no match: hence its number for present keys.\n"
	head("filter|paper: bits per item|load|present|absent|ours: bits per item|load|present|absent")
	printf "|space-optimised Bloom filter|1.44 log2(1/e)||log2(1/e)|2|%s = %.2f log2(1/e)||%s|%s|\n", \
		cell("memory bloom", "%.2f", 1), asked["table3 bloom"] ? \
		mean("memory bloom") / log2(1 / rate("table3 bloom")) : 0, \
		cell("lines-positive bloom", "%.2f", 1), \
		cell("lines-negative bloom", "%.2f", 1)
	printf "|cuckoo filter|(log2(1/e) + 3) / load|95.5 %%|2|2|%s, (log2(1/e) + %.2f) / load|%s %%|%s|%s|\n", \
		cell("bits " cf, "%.3f", 1), \
		asked["rate " cf] ? 12 - log2(1 / rate("rate " cf)) : 0, \
		cell("load " cf, "%.2f", 100), \
		cell("lines-positive cuckoo", "%.2f", 1), \
		cell("lines-negative cuckoo", "%.2f", 1)
	printf "|semi-sorted cuckoo filter|(log2(1/e) + 2) / load|95.5 %%|2|2|%s, (log2(1/e) + %.2f) / load|%s %%|%s|%s|\n", \
		cell("bits " ss, "%.3f", 1), \
		asked["rate " ss] ? 12 - log2(1 / rate("rate " ss)) : 0, \
		cell("load " ss, "%.2f", 100), \
		cell("lines-positive semisort", "%.2f", 1), \
		cell("lines-negative semisort", "%.2f", 1)
}

# CoNEXT Table 1.
function tables_properties(i, name, erases) {
	split("<= 1x|<= 1x|1x|1x|3x to 4x|1x to 1.2x|1.5x to 2x|1.5x to 2x", \
	      space, "|")
	split("2|2|k|1|k|>= 1|d|d", misses, "|")
	title("CoNEXT Table 1: properties of Bloom filters and variants")
	print "Space is bits per item over 1.44 log2(1/e) at the measured rate e, from Table 3 below;"
	print "misses are the cache lines counted for Table 2, for absent and present keys. The paper"
	print "compares at equal rates, in round numbers; k = 9, d = 4.\n"
	head("filter|paper: space|misses|deletion|ours: space|misses, absent|misses, present|deletion")
	for (i = 1; i <= 8; i++) {
		name = filter[i]
		erases = i == 3 || i == 4 ? "no" : "yes"
		printf "|%s|%s|%s|%s|%s|%s|%s|%s|\n", called[i], space[i], \
			misses[i], erases, \
			rate("table3 " name) ? sprintf("%.2fx", \
			mean("memory " name) / \
			(1.44 * log2(1 / rate("table3 " name)))) : "-", \
			cell("lines-negative " name, "%.2f", 1), \
			cell("lines-positive " name, "%.2f", 1), erases
	}
}

function tables_third(i, name) {
	title("CoNEXT Table 3: space efficiency and construction speed")
	printf "All filters take %.0f MB (the paper's 192 MB); mean of %d runs. Cuckoo and d-left\n", \
		mean("size cuckoo"), count["items cuckoo"]
	print "filters are filled until an insert fails, quotient filters to 90 %, the others with as"
	print "many items as their 13 (52) bits per item are meant for. Keys lie ready in memory,"
	print "64 bits each; the time to hash them is included; all filters use the same hash. The"
	print "paper's dl-CBF has four cells a bucket; eight are what its authors recommend. A"
	print "counting Bloom filter was not in the paper's table.\n"
	head("filter|paper: items (million)|bits per item|rate|million keys/s|ours: items (million)|bits per item|rate|million keys/s")
	for (i = 1; i <= filters; i++) {
		name = filter[i]
		if (!count["items " name])
			continue
		printf "|%s|%s|%s|%s|%s|%.2f|%.2f|%s|%.2f|\n", called[i], \
			paper_items[i], paper_bits[i], \
			paper_rate[i] == "-" ? "-" : paper_rate[i] " %", \
			paper_speed[i], mean("items " name) / 1e6, \
			mean("memory " name), rate_cell("table3 " name, 3), \
			mean("speed " name)
	}
}
