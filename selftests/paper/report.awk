# SPDX-License-Identifier: GPL-2.0-only
#
# The report: what was measured and where, tables, figures, and whether what the
# project set itself was reached.

# A row of the last table. Where it was not measured, it has not been reached.
function check(what, wanted, there, got, reached) {
	if (!there)
		printf "|not measured|%s|%s|-|\n", what, wanted
	else
		printf "|%s|%s|%s|%s|\n", reached ? "pass" : "FAIL", what, \
			wanted, got
	if (there)
		verdicts[reached ? 1 : 0]++
	else
		verdicts[2]++
}

function preface(full) {
	full = fact["mode"] == "full"
	print "# The cuckoo filter papers, measured again\n"
	print "Made by `make paper`" (full ? "" : " with **QUICK=1: small tables and few runs; most figures want the full run**") "; do not edit."
	print "The papers are Fan, Andersen, Kaminsky and Mitzenmacher, *Cuckoo Filter: Practically"
	print "Better Than Bloom*, CoNEXT 2014, and *Cuckoo Filter: Better Than Bloom*, ;login: August"
	print "2013. The code is the module's own, the files of `kmod/` compiled for userspace with"
	print "-O2; the last part but one shows that the kernel gives the same numbers.\n"
	print "Numbers of runs stand beside the numbers; a dash is what was not measured. Where the"
	print "paper has ten runs and the table fewer, or a size is missing, that is why.\n"
	if (missing)
		print "**Not all of the programme was run.** Jobs done, of those in `paper.sh --list`:\n" \
		      missing ".\n"
	head("|")
	print "|processor|" fact["processor"] "; L3 cache as the system tells it: " fact["cache"] "|"
	print "|memory|" fact["memory"] "; transparent huge pages: " fact["pages"] "|"
	print "|system|" fact["system"] "|"
	print "|compiler|" fact["compiler"] ", -O2|"
	print "|source of the core, by commit|" source_list() "|"
	print "|the paper's machine|two Intel Xeon L5640, 2.27 GHz, 12 MB L3 cache, 32 GB|"
	print "\nSpeeds are by the processor time of one thread, because other work was done on the"
	print "machine meanwhile. That work shares caches and memory, caches may be larger than the"
	print "filters, and the processors may be virtual ones: so compare filters with one another,"
	print "and not with the paper's machine."
}

# The commits that the results are of; with several, how many are of each.
function source_list(commit, list, n) {
	for (commit in sources)
		n++
	for (commit in sources)
		list = list (list ? ", " : "") commit \
		       (n > 1 ? " (" sources[commit] " results)" : "")
	return list
}

function others_part(i, name, bits) {
	title("Tables of any capacity")
	print "f = 12, b = 4: the table that the module makes for so many keys, and whether they fit.\n"
	head("capacity|buckets|bits per item|all fit")
	for (i = 1; i <= sizes; i++)
		printf "|%d|%d|%.3f|%s|\n", size_capacity[i], size_buckets[i], \
			size_bits[i], size_fits[i] ? "yes" : "NO"
	title("Exact tables of IPv4 addresses")
	head("addresses|kind|bits per address|members missing|others looked up|false positives")
	for (i in count) {
		if (i !~ /^inet (uniform|clustered)/)
			continue
		name = substr(i, 6)
		printf "|%s|%s|%.3f|%d|%d|%d|\n", substr(name, index(name, " ") + 1), \
			substr(name, 1, index(name, " ") - 1), mean(i), \
			sum["inet-missing " name], sum["inet-asked " name], \
			sum["inet-false " name]
	}
	title("Doubling without keys, and rebuilding from keys")
	print "b = 4, f = 16, filled to 95 %. The keys to rebuild from lie ready in memory and are"
	print "taken 128 at a time. Doubling leaves the rate as it was; a rebuilt table of twice the"
	print "size has half of it.\n"
	head("buckets|runs|entries|doubling, s|rebuilding, s|times as fast|members missing|rate before|after doubling|rebuilt")
	for (i = 10; i <= 28; i++) {
		name = "16 " 2 ^ i
		if (count["double " name])
			printf "|2^%d|%d|%d|%.3f|%.3f|%.1f|%d|%s|%s|%s|\n", i, \
				count["double " name], mean("double-entries " name), \
				mean("double " name), mean("rebuild " name), \
				mean("faster " name), sum["double-missing " name], \
				rate_cell("before " name, 4), \
				rate_cell("after " name, 4), \
				rate_cell("fresh " name, 4)
	}
	if (count["kernel-faster"])
		printf "\nThrough the device, in the virtual machine, %d entries: %.1f times as fast.\n", \
			mean("kernel-entries"), mean("kernel-faster")
}

# The kernel's tables against the same tables in userspace.
function kernel_part(n, i, names, name, twin, load, wide, much) {
	title("The kernel gives the same numbers")
	print "Filters of byte strings through /dev/kcuckoo in a virtual machine, filled until ENOSPC,"
	print "and the same tables in userspace. Tolerances: 0.3 percentage points of load; a rate"
	print "within 5 % or four standard deviations, whichever is more.\n"
	head("b|f|semi-sorted|buckets|kernel: runs|load|rate|userspace: runs|load|rate|agrees")
	n = split(kernel_names, names, "\n")
	kernel_same = n > 0
	for (i = 1; i <= n; i++) {
		name = "kernel " names[i]
		split(names[i], part, " ")
		twin = "search jhash " names[i]
		load = mean(name) - mean("load " twin)
		wide = hits[name] ? 4 * sqrt(1 / hits[name] + \
		       (hits["rate " twin] ? 1 / hits["rate " twin] : 0)) : 1
		much = rate("rate " twin) ? rate(name) / rate("rate " twin) - 1 : 1
		same[i] = load < 0.003 && load > -0.003 && \
			  (much < 0 ? -much : much) <= (wide > 0.05 ? wide : 0.05)
		kernel_same = kernel_same && same[i]
		printf "|%d|%d|%s|%d|%d|%.2f %%|%s|%d|%s|%s|%s|\n", part[1], \
			part[2], part[3] ? "yes" : "no", part[4], count[name], \
			100 * mean(name), rate_cell(name, 4), \
			count["load " twin], \
			cell("load " twin, "%.2f %%", 100), \
			rate_cell("rate " twin, 4), same[i] ? "yes" : "NO"
	}
	printf "\nMembers that the kernel did not find: %d; entries left after all were deleted: %d.\n", \
		kernel_lost, kernel_left
}

function check_rules(m, i, name, worst, there, d) {
	m = 33554432
	there = 1
	for (i = 3; i <= 6; i++) {
		name = "load kicks jhash 4 " widths[i] " 0 " m
		there = there && count[name]
		d = 100 * mean(name) - login_load[i]
		d = d < 0 ? -d : d
		worst = d > worst ? d : worst
	}
	check(";login: Table 2 by 500 random kicks, f >= 6, largest difference", \
	      "<= 0.5 points", there, sprintf("%.2f points", worst), worst <= 0.5)
}

function check_large(cf, ss, eight, e) {
	cf = "search jhash 4 12 0 33554432"
	ss = "search jhash 4 13 1 33554432"
	eight = "search jhash 8 12 0 33554432"
	check("12 bits, b = 4, 2^25 buckets: load at the first failure, least run", \
	      ">= 97 %", count["load " cf], \
	      sprintf("%.2f %%", 100 * least["load " cf]), least["load " cf] >= 0.97)
	check("the same: bits per item, most", "<= 12.40", count["bits " cf], \
	      sprintf("%.3f", most["bits " cf]), most["bits " cf] <= 12.40)
	check("the same: rate", "<= 0.195 %", asked["rate " cf], \
	      rate_cell("rate " cf, 4), rate("rate " cf) <= 0.00195)
	check("13 bits semi-sorted, 2^25 buckets: bits per item, most", "<= 12.45", \
	      count["bits " ss], sprintf("%.3f", most["bits " ss]), \
	      most["bits " ss] <= 12.45)
	check("the same: rate", "<= 0.099 %", asked["rate " ss], \
	      rate_cell("rate " ss, 4), rate("rate " ss) <= 0.00099)
	e = rate("rate " ss) ? mean("bits " ss) / log2(1 / rate("rate " ss)) : 9
	check("the same: bits per item over log2(1/rate)", "<= 1.235", \
	      asked["rate " ss], sprintf("%.4f", e), e <= 1.235)
	check("b = 8, 12 bits, 2^25 buckets: load at the first failure, least run", \
	      ">= 99 %", count["load " eight], \
	      sprintf("%.2f %%", 100 * least["load " eight]), \
	      least["load " eight] >= 0.99)
}

function check_speed(batch, percent, r) {
	for (percent = 0; percent <= 100; percent += 50) {
		r = mean("mix cuckoo" batch " " percent)
		if (r)
			r = mean("mix semisort" batch " " percent) / r
		check("look-ups of semi-sorted filters against unsorted ones" \
		      (batch ? ", in batches" : "") ", " percent " % positive", \
		      ">= 0.5 times", r && mean("size cuckoo") > 190, \
		      sprintf("%.2f times", r), r >= 0.5)
	}
}

function check_size(i, base, d, worst, fit, reach) {
	base = mean("bits search jhash 4 12 0 33554432")
	fit = 1
	for (i = 1; i <= sizes; i++) {
		d = base ? size_bits[i] / base - 1 : 9
		worst = d > worst ? d : worst
		fit = fit && size_fits[i]
		reach = size_capacity[i] > reach ? size_capacity[i] : reach
	}
	check("bits per item of 20 random capacities and those past powers of two against 2^25 buckets filled to the first failure", \
	      "<= 1.5 % more, all fit", base && reach > 5000000, \
	      sprintf("%.2f %% more, %s", 100 * worst, fit ? "all fit" : \
		      "SOME DO NOT FIT"), worst <= 0.015 && fit)
}

function check_inet(size, most_bits, kinds, i, name, worst, wrong, there) {
	split("uniform clustered", kinds, " ")
	there = 1
	for (i = 1; i <= 2; i++) {
		name = kinds[i] " " size
		there = there && count["inet " name]
		worst = mean("inet " name) > worst ? mean("inet " name) : worst
		wrong += sum["inet-missing " name] + sum["inet-false " name]
	}
	check("exact IPv4, " size / 1e6 " million, uniform and clustered: bits per address, false answers", \
	      "<= " most_bits ", 0", there, sprintf("%.3f, %d", worst, wrong), \
	      worst <= most_bits && !wrong)
}

function checks() {
	title("What the project set itself")
	head("verdict|what|wanted|measured")
	check_rules()
	check_large()
	check_speed("")
	check_speed("-batch")
	check_size()
	check("rate over 2 b load / 2^f, 2^10 to 2^28 buckets, jhash and siphash, most", \
	      "<= 1.05", rate_most[1] == 28 && rate_most[2] == 28, \
	      sprintf("%.4f", rate_worst), rate_worst <= 1.05)
	check("the same up to 2^" (rate_most[1] < rate_most[2] ? rate_most[1] : \
	      rate_most[2]) " buckets", "<= 1.05", rate_worst, \
	      sprintf("%.4f", rate_worst), rate_worst <= 1.05)
	check_inet("16000000", 11.8)
	check_inet("100000000", 9.6)
	check("doubling without keys against rebuilding from keys, 2^22 buckets and more", \
	      ">= 10 times as fast", doubled_most >= 4194304, \
	      sprintf("%.1f times", mean("faster 16 " doubled_most)), \
	      mean("faster 16 " doubled_most) >= 10)
	check("members not found, over all fills by the module's rule", "0", members, \
	      negatives + 0, negatives == 0)
	check("the kernel's tables agree with those in userspace", "all", kernel_names, \
	      kernel_same ? "all" : "not all", kernel_same && !kernel_lost && !kernel_left)
	printf "\n%d passed, %d failed, %d not measured\n", verdicts[1], verdicts[0], \
		verdicts[2]
}

END {
	preface()
	tables_login()
	figures_rules()
	tables_properties()
	tables_cost()
	tables_third()
	figures_load()
	figures_space()
	figures_bloom()
	figures_mix()
	figures_speed()
	figures_rate()
	others_part()
	kernel_part()
	checks()
}
