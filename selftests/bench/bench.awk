# SPDX-License-Identifier: GPL-2.0-only
#
# bench.md, and the files `json` and, in the folder `plots`, those of bench.gp, from
# what rivals.sh measured. Fails if packets had other verdicts than they should. bench.sh
# gives the lines:
#
#	fact NAME WORDS
#	source JOB MODE ROUNDS HASH
#	packet SIZE KIND HOOK NANOSECONDS DROPPED COUNT
#	spent SIZE WHAT RIVAL WALL USER SYSTEM PEAK FAULTS
#	memory SIZE RIVAL BYTES ENTRIES
#	core KILOBYTES SINGLE BATCH LIMIT DELETE ADD DELETE-BATCH ADD-BATCH FILL
#	bloom KILOBYTES SINGLE ADD

BEGIN {
	FS = "\t"
	split("1k 100k 1m 10m", sizes, " ")
	split("kcuckoo ipset nft nft-sized bpf-hash bpf-lpm bpf-bloom", rivals, " ")
	split("five all", lists, " ")
	split("miss hit", kinds, " ")
	title["1k"] = "1,000 addresses"
	title["100k"] = "100,000 addresses"
	title["1m"] = "1,000,000 addresses"
	title["10m"] = "10,000,000 addresses"
	title["five"] = "networks of DE FR GB NL US"
	title["all"] = "all networks of tor-geoipdb"
	for (i in lists)
		for (f = 4; f <= 6; f += 2)
			title[lists[i] "-ipv" f] = title[lists[i]] ", IPv" f
	label["kcuckoo"] = "kcuckoo"
	label["ipset"] = "ipset"
	label["nft"] = "nft set"
	label["nft-sized"] = "nft set, size told"
	label["bpf-hash"] = "BPF hash"
	label["bpf-lpm"] = "BPF LPM trie"
	label["bpf-bloom"] = "BPF bloom"
	for (i in rivals) {
		base[rivals[i], "miss"] = base[rivals[i], "generated"] = "accept"
		base[rivals[i], "hit"] = "drop"
	}
	base["empty", "miss"] = "accept"
	base["once", "miss"] = base["churned", "miss"] = "accept"
	base["plain", "miss"] = "accept"
	base["plain", "hit"] = "drop"
	for (k = 1; k in kinds; k++)
		base["logged", kinds[k]] = base["subscribed", kinds[k]] = "plain"
	base["ipset", "miss"] = base["ipset", "generated"] = "xt-pass"
	base["ipset", "hit"] = "xt-drop"
	base["nft", "miss"] = base["nft-sized", "miss"] = "nft-pass"
	base["nft", "generated"] = base["nft-sized", "generated"] = "nft-pass"
	base["nft", "hit"] = base["nft-sized", "hit"] = "nft-drop"
}

$1 == "fact" { fact[$2] = $3 }

$1 == "packet" {
	key = $2 SUBSEP $3 SUBSEP $4
	sample[key, ++samples[key]] = $5
	wrong[$2] += $3 == "hit" && $4 !~ /^none$/ ? $7 - $6 : 0
	wrong[$2] += $3 == "miss" && $4 != "bpf-bloom" ? $6 : 0
}

# What a Bloom filter takes for members is no fault of it.
$1 == "packet" && $3 == "miss" && $4 == "bpf-bloom" {
	taken[$2] += $6
	strangers[$2] += $7
}

$1 == "core" {
	tables[++cores] = $2
	for (i = 3; i <= 10; i++)
		core[$2, i - 2] = $i
	if ($2 == 196608)
		batched = sprintf("%.3f", $4 / $5)
}

$1 == "bloom" {
	bloom[$2, "look-up"] = $3
	bloom[$2, "add"] = $4
}

$1 == "source" {
	where = "`" $5 "`, " ($3 == "quick" ? "QUICK=1, " : "") $4 " rounds"
	if (!(where in jobs))
		where_of[++wheres] = where
	jobs[where] = jobs[where] (jobs[where] ? ", " : "") $2
}

$1 == "spent" {
	key = $2 SUBSEP $3 SUBSEP $4
	wall[key] += $5
	user[key] += $6
	system_[key] += $7
	if ($8 > peak[key])
		peak[key] = $8
}

$1 == "memory" {
	key = $2 SUBSEP "memory" SUBSEP $3
	sample[key, ++samples[key]] = $4
	entries[$2] = $5
}

# median(KEY): of its samples; sorted in place by insertion, they are few.
function median(key, n, i, j, x) {
	n = samples[key]
	for (i = 2; i <= n; i++) {
		x = sample[key, i]
		for (j = i - 1; j && sample[key, j] > x; j--)
			sample[key, j + 1] = sample[key, j]
		sample[key, j + 1] = x
	}
	return n % 2 ? sample[key, (n + 1) / 2] : \
	       (sample[key, n / 2] + sample[key, n / 2 + 1]) / 2
}

function there(size, kind, rival) {
	return (size SUBSEP kind SUBSEP rival) in samples
}

function fastest(key, i, least) {
	least = sample[key, 1]
	for (i = 2; i <= samples[key]; i++)
		if (sample[key, i] < least)
			least = sample[key, i]
	return least
}

# The first rounds of the generator are several times as slow, whatever the hook, and
# not always as many: up to the last round in which most hooks took twice their least
# they are left out for all hooks, so that medians are of one kind.
function settle_generator(key, part, hooks, slow, count, i, all, skip) {
	for (key in samples) {
		split(key, part, SUBSEP)
		if (part[2] != "generated")
			continue
		hooks[key] = fastest(key)
		count++
		for (i = 1; i <= samples[key]; i++)
			slow[i] += sample[key, i] > 2 * hooks[key]
		all = samples[key] > all ? samples[key] : all
	}
	for (skip = all; skip && slow[skip] <= count / 2; skip--)
		;
	for (key in hooks) {
		for (i = skip + 1; i <= samples[key]; i++)
			sample[key, i - skip] = sample[key, i]
		samples[key] -= skip
	}
	generated_all = all
	generated_kept = all - skip
}

function cost(size, kind, hook) {
	return median(size SUBSEP kind SUBSEP hook)
}

# Over the same hook without the set.
function extra(size, kind, rival) {
	return cost(size, kind, rival) - cost(size, kind, base[rival, kind])
}

function nanoseconds(size, kind, rival) {
	return there(size, kind, rival) ? \
	       sprintf("%.1f", extra(size, kind, rival)) : "-"
}

# ratio NAME OURS THEIRS: a line of the JSON; "" is what was not measured. Where theirs
# costs nothing that can be measured there is no ratio.
function ratio(name, ours, theirs, value) {
	value = ours == "" || theirs == "" || theirs <= 0 ? "null" : \
		sprintf("%.4f", ours / theirs)
	ratios[++ratio_count] = name
	ratio_of[name] = value
}

function miss(size, rival) {
	return there(size, "miss", rival) ? extra(size, "miss", rival) : ""
}

function hit(size, rival) {
	return there(size, "hit", rival) ? extra(size, "hit", rival) : ""
}

function memory(size, rival) {
	return there(size, "memory", rival) ? \
	       median(size SUBSEP "memory" SUBSEP rival) : ""
}

function load_time(size, rival) {
	return (size, "load", rival) in wall ? wall[size, "load", rival] : ""
}

# Of BPF's maps, the one for lists of this kind.
function bpf(size) {
	return size ~ /^(five|all)/ ? "bpf-lpm" : "bpf-hash"
}

# A row of the table of what was to be reached: at most LIMIT.
function bar(what, value, limit, format) {
	bar_row(what, value, limit, "", format, value + 0 <= limit)
}

# At least LIMIT.
function bar_least(what, value, limit, format) {
	bar_row(what, value, limit, "at least ", format, value + 0 >= limit)
}

function bar_row(what, value, limit, words, format, reached) {
	if (value == "" || value == "null")
		printf "|not measured|%s|%s" format "|-|\n", what, words, limit
	else
		printf "|%s|%s|%s" format "|" format "|\n", \
			reached ? "reached" : "MISSED", what, words, limit, value
}

# Megabytes of `kcuckoo load` at most, of all lists.
function largest_peak(key, part, most) {
	for (key in peak) {
		split(key, part, SUBSEP)
		if (part[2] == "load" && part[3] == "kcuckoo" && peak[key] > most)
			most = peak[key]
	}
	return most ? most / 1024 : ""
}

# What the rivals are called, with bars between them.
function labels(r, text) {
	for (r = 1; r in rivals; r++)
		text = text (r > 1 ? "|" : "") label[rivals[r]]
	return text
}

function head(text, count) {
	print "|" text "|"
	count = gsub(/\|/, "|", text) + 1
	printf "|"
	while (count--)
		printf "---|"
	print ""
}

# The sizes, in order, that were measured: of addresses, then of networks.
function order_sizes(i, f) {
	for (i = 1; i in sizes; i++)
		if (there(sizes[i], "miss", "kcuckoo"))
			measured[++measured_count] = sizes[i]
	for (i = 1; i in lists; i++)
		for (f = 4; f <= 6; f += 2)
			if (there(lists[i] "-ipv" f, "miss", "kcuckoo"))
				measured[++measured_count] = lists[i] "-ipv" f
	for (i = 1; i in sizes; i++)
		if (there(sizes[i], "memory", "kcuckoo"))
			loaded[++loaded_count] = sizes[i]
	for (i = 1; i in lists; i++)
		if (there(lists[i], "memory", "kcuckoo"))
			loaded[++loaded_count] = lists[i]
}

function make_ratios(all) {
	all = "all-ipv4"
	ratio("miss_1m_vs_ipset_hash_ip", miss("1m", "kcuckoo"), miss("1m", "ipset"))
	ratio("miss_10m_vs_ipset_hash_ip", miss("10m", "kcuckoo"), miss("10m", "ipset"))
	ratio("miss_1m_vs_nft_hash", miss("1m", "kcuckoo"), miss("1m", "nft"))
	ratio("miss_10m_vs_nft_hash", miss("10m", "kcuckoo"), miss("10m", "nft"))
	ratio("miss_1m_vs_nft_hash_sized", miss("1m", "kcuckoo"), miss("1m", "nft-sized"))
	ratio("miss_1m_vs_bpf_hash", miss("1m", "kcuckoo"), miss("1m", "bpf-hash"))
	ratio("miss_10m_vs_bpf_hash", miss("10m", "kcuckoo"), miss("10m", "bpf-hash"))
	ratio("miss_1m_vs_bpf_bloom", miss("1m", "kcuckoo"), miss("1m", "bpf-bloom"))
	ratio("hit_1m_vs_ipset_hash_ip", hit("1m", "kcuckoo"), hit("1m", "ipset"))
	ratio("hit_1m_vs_bpf_hash", hit("1m", "kcuckoo"), hit("1m", "bpf-hash"))
	ratio("hit_10m_vs_bpf_hash", hit("10m", "kcuckoo"), hit("10m", "bpf-hash"))
	ratio("prefixes_vs_ipset_hash_net", miss(all, "kcuckoo"), miss(all, "ipset"))
	ratio("prefixes_vs_nft_interval", miss(all, "kcuckoo"), miss(all, "nft"))
	ratio("prefixes_vs_bpf_lpm", miss(all, "kcuckoo"), miss(all, "bpf-lpm"))
	ratio("prefixes_hit_vs_ipset_hash_net", hit(all, "kcuckoo"), hit(all, "ipset"))
	ratio("prefixes_hit_vs_nft_interval", hit(all, "kcuckoo"), hit(all, "nft"))
	ratio("prefixes_hit_vs_bpf_lpm", hit(all, "kcuckoo"), hit(all, "bpf-lpm"))
	ratio("hit_vs_miss_1m", hit("1m", "kcuckoo"), miss("1m", "kcuckoo"))
	ratio("hit_vs_miss_10m", hit("10m", "kcuckoo"), miss("10m", "kcuckoo"))
	ratio("prefixes_hit_vs_miss", hit(all, "kcuckoo"), miss(all, "kcuckoo"))
	ratio("memory_1m_vs_ipset", memory("1m", "kcuckoo"), memory("1m", "ipset"))
	ratio("memory_10m_vs_ipset", memory("10m", "kcuckoo"), memory("10m", "ipset"))
	ratio("memory_prefixes_vs_ipset", memory("all", "kcuckoo"), memory("all", "ipset"))
	ratio("memory_1m_vs_bpf_hash", memory("1m", "kcuckoo"), memory("1m", "bpf-hash"))
	ratio("memory_10m_vs_bpf_hash", memory("10m", "kcuckoo"), memory("10m", "bpf-hash"))
	ratio("memory_prefixes_vs_bpf_lpm", memory("all", "kcuckoo"), memory("all", "bpf-lpm"))
	ratio("load_1m_vs_ipset", load_time("1m", "kcuckoo"), load_time("1m", "ipset"))
	ratio("load_1m_vs_nft", load_time("1m", "kcuckoo"), load_time("1m", "nft"))
	ratio("batch_lookup_vs_line_limit", batched, 1)
	ratio("miss_after_churn_vs_filled_once", miss("churn", "churned"), miss("churn", "once"))
}

function write_json(i) {
	print "{\n\t\"ratios\": {" >json
	for (i = 1; i <= ratio_count; i++)
		printf "\t\t\"%s\": %s%s\n", ratios[i], ratio_of[ratios[i]], \
			i < ratio_count ? "," : "" >json
	print "\t}\n}" >json
	close(json)
}

function preface(i) {
	print "# kcuckoo beside ipset, nft and BPF maps\n"
	print "Made by `make bench`; do not edit. What it measures, and how, is told at the end. The"
	print "same ratios, for programs to read: `results.json`.\n"
	head("|")
	print "|processor|" fact["processor"] "; L3 cache as the system tells it: " fact["cache"] "|"
	print "|day|" fact["day"] "|"
	print "|memory|" fact["memory"] "|"
	print "|system|" fact["system"] "|"
	print "|kernel measured|" fact["kernel"] ", user-mode Linux|"
	print "|rivals|" fact["rivals"] "|"
	print "|compiler|" fact["compiler"] "|"
	for (i = 1; i <= wheres; i++)
		print "|source|" where_of[i] ": " jobs[where_of[i]] "|"
}

function verdict_part() {
	print "\n## What was to be reached\n"
	head("|extra cost, memory or time, ours by theirs|at most|measured")
	bar("miss, 1 M addresses, by ipset hash:ip", ratio_of["miss_1m_vs_ipset_hash_ip"], 1 / 4, "%.3f")
	bar("miss, 10 M addresses, by ipset hash:ip", ratio_of["miss_10m_vs_ipset_hash_ip"], 1 / 4, "%.3f")
	bar("miss, 1 M addresses, by nft set", ratio_of["miss_1m_vs_nft_hash"], 1 / 2.5, "%.3f")
	bar("miss, 1 M addresses, by nft set with its size told", ratio_of["miss_1m_vs_nft_hash_sized"], 1 / 2.5, "%.3f")
	bar("miss, 10 M addresses, by nft set", ratio_of["miss_10m_vs_nft_hash"], 1 / 2.5, "%.3f")
	bar("all IPv4 networks, miss, by ipset hash:net", ratio_of["prefixes_vs_ipset_hash_net"], 1 / 6, "%.3f")
	bar("all IPv4 networks, hit, by ipset hash:net", ratio_of["prefixes_hit_vs_ipset_hash_net"], 1 / 6, "%.3f")
	bar("all IPv4 networks, miss, by nft interval set", ratio_of["prefixes_vs_nft_interval"], 1 / 5, "%.3f")
	bar("all IPv4 networks, hit, by nft interval set", ratio_of["prefixes_hit_vs_nft_interval"], 1 / 5, "%.3f")
	bar("hit by miss, 1 M addresses", ratio_of["hit_vs_miss_1m"], 1.2, "%.3f")
	bar("hit by miss, 10 M addresses", ratio_of["hit_vs_miss_10m"], 1.2, "%.3f")
	bar("hit by miss, all IPv4 networks", ratio_of["prefixes_hit_vs_miss"], 1.2, "%.3f")
	bar("filter without entries, nanoseconds over a function that accepts", \
	    there("1m", "miss", "empty") ? extra("1m", "miss", "empty") : "", 10, "%.1f")
	bar("rule that logs, not listed, nanoseconds over a rule that does not log", \
	    miss("observed", "logged"), 1, "%.1f")
	bar("program that receives events, not listed, nanoseconds over none", \
	    miss("observed", "subscribed"), 1, "%.1f")
	bar("program that receives events, listed, nanoseconds over none", \
	    hit("observed", "subscribed"), 1, "%.1f")
	bar("kernel memory, 1 M addresses, by ipset", ratio_of["memory_1m_vs_ipset"], 1 / 20, "%.4f")
	bar("kernel memory, 10 M addresses, by ipset", ratio_of["memory_10m_vs_ipset"], 1 / 25, "%.4f")
	bar("kernel memory, all networks, by ipset", ratio_of["memory_prefixes_vs_ipset"], 1 / 15, "%.4f")
	bar("load, 1 M addresses, by `ipset restore`", ratio_of["load_1m_vs_ipset"], 1 / 20, "%.4f")
	bar("load, 1 M addresses, by `nft -f`", ratio_of["load_1m_vs_nft"], 1 / 10, "%.4f")
	bar("memory of `kcuckoo load` at most, megabytes", largest_peak(), 64, "%.1f")
	bar_least("batched look-ups by the limit of two random lines, 192 MB", batched, 0.55, "%.2f")
}

function known(value) {
	return value == "" ? "-" : value
}

function core_part(i, k) {
	print "\n## The core\n"
	print "Millions a second, on the machine itself, by one thread: tables of 12-bit"
	print "fingerprints, b = 4, 95 % full, keys that are not in. The limit is two random lines of"
	print "the same table a key, asked for in groups as the batch asks. At 192 MB at least 0.55"
	print "of it are to be reached. libbloom's filters are as large and hold as many keys.\n"
	head("table|look-ups one by one|batched|limit|batched by limit|libbloom")
	for (i = 1; i <= cores; i++) {
		k = tables[i]
		print "|" megabytes(k) "|" core[k, 1] "|" core[k, 2] "|" core[k, 3] \
			"|" sprintf("%.2f", core[k, 2] / core[k, 3]) "|" \
			known(bloom[k, "look-up"]) "|"
	}
	print "\nAdds and deletes between 90 and 95 % (of large tables the last half a million"
	print "entries); and adds from empty to 95 %, in chunks of the module's, as those in batches.\n"
	head("table|adds one by one|batched|deletes one by one|batched|adds from empty|libbloom: adds from empty")
	for (i = 1; i <= cores; i++) {
		k = tables[i]
		print "|" megabytes(k) "|" core[k, 5] "|" core[k, 7] "|" core[k, 4] \
			"|" core[k, 6] "|" core[k, 8] "|" known(bloom[k, "add"]) "|"
	}
}

function megabytes(kilobytes) {
	return kilobytes < 1024 ? kilobytes " KB" : \
	       kilobytes < 1048576 ? kilobytes / 1024 " MB" : kilobytes / 1048576 " GB"
}

# The kernel's own generator instead of our module: a check of the order alone.
function generated_part(r, hook, names, costs, extras) {
	print "\n## The same by the kernel's packet generator\n"
	print "Packets from random sources that pktgen sends through a veth, " title["1m"] ":"
	print "nanoseconds for all of it, and over the same hook without the set. What makes and"
	print "receives packets costs many times what is compared, so this checks the order of the"
	print "rivals, and no more. Look-ups cost more here: those of several packets do not overlap,"
	print "and the caches hold other things."
	if (generated_kept < generated_all)
		print "\nOf " generated_all " rounds the last " generated_kept " are of one kind, " \
			"those before took twice as long and more."
	print generated_kept < 3 ? "So few cannot be compared: nothing is told.\n" : \
	      "Medians of " generated_kept " rounds.\n"
	for (r = 1; r in rivals; r++) {
		hook = rivals[r]
		if (!there("1m", "generated", hook))
			continue
		names = names "|" label[hook]
		costs = costs "|" (generated_kept < 3 ? "-" : \
			sprintf("%.0f", cost("1m", "generated", hook)))
		extras = extras "|" (generated_kept < 3 ? "-" : \
			sprintf("%.0f", extra("1m", "generated", hook)))
	}
	head(names)
	print "|a packet" costs "|\n|over the hook without the set" extras "|"
}

# The numbers are those that bench.sh gives the job.
function churn_part() {
	print "\n## Members that come and go\n"
	print "Nanoseconds that a rule costs a packet whose source is not listed, in two filters to"
	print "which packets may add: with the hash siphash, a timeout, and room for 100,000"
	print "addresses. Both have the same 50,000 members. One was filled once. In the other,"
	print "2,000,000 different addresses were members before, 100,000 at a time, and expired.\n"
	head("filled once|after members came and went|ratio")
	print "|" nanoseconds("churn", "miss", "once") "|" \
		nanoseconds("churn", "miss", "churned") "|" \
		ratio_of["miss_after_churn_vs_filled_once"] "|"
}

# Logging and events.
function observed_part(k) {
	print "\n## Logging and events\n"
	print "Nanoseconds that a rule costs a packet with 100,000 addresses in its filter; and how"
	print "much more the packet costs if the rule logs to a group of NFLOG that has no listener,"
	print "or if a program in the namespace receives all events. No packet is logged, and no"
	print "packet emits an event.\n"
	head("|rule|more if it logs|more with a program that receives events")
	for (k = 1; k in kinds; k++)
		print "|" kinds[k] "|" nanoseconds("observed", kinds[k], "plain") "|" \
			nanoseconds("observed", kinds[k], "logged") "|" \
			nanoseconds("observed", kinds[k], "subscribed") "|"
}

function packet_part(i, r, kind, k, size) {
	failed = wrong["churn"] + wrong["observed"]
	print "\n## Nanoseconds per packet that the set costs\n"
	print "Over the same hook without the set; random sources, none listed (miss) or all"
	print "listed (hit); medians of rounds in turn.\n"
	head("list||" labels() "|ipset by kcuckoo|nft by kcuckoo|BPF by kcuckoo")
	for (i = 1; i <= measured_count; i++)
		for (k = 1; k <= 2; k++) {
			size = measured[i]
			kind = k == 1 ? "miss" : "hit"
			printf "|%s|%s", title[size], kind
			for (r = 1; r in rivals; r++)
				printf "|%s", nanoseconds(size, kind, rivals[r])
			print "|" times_ours(size, kind, "ipset") "|" \
				times_ours(size, kind, "nft") "|" \
				times_ours(size, kind, bpf(size)) "|"
			failed += k == 1 ? wrong[size] : 0
		}
	print failed ? "\n**" failed " packets had another verdict than they should.**" : \
	      "\nEvery packet had the verdict that it should have, in each of them."
	bloom_part()
	print "\nThe whole path of one packet through the hooks, nanoseconds:\n"
	head("list||no hook|accept or drop only|raw rule|nft rule|empty filter|kcuckoo|ipset|nft set|BPF hash or trie")
	for (i = 1; i <= measured_count; i++)
		for (k = 1; k <= 2; k++)
			path_row(measured[i], k == 1 ? "miss" : "hit")
	plot("packets", "nanoseconds per packet by size of the list")
	if (measured[measured_count] ~ /ipv/)
		plot("networks", "nanoseconds per packet, lists of networks")
}

function times_ours(size, kind, rival) {
	return !there(size, kind, rival) ? "-" : \
	       sprintf("%.1f", extra(size, kind, rival) / extra(size, kind, "kcuckoo"))
}

function bloom_part(i, size, text) {
	for (i = 1; i <= measured_count; i++) {
		size = measured[i]
		if (size in strangers)
			text = text sprintf("%s%.2f %% (%s)", text ? ", " : "", \
				100 * taken[size] / strangers[size], title[size])
	}
	if (text)
		print "But for BPF's Bloom filters, which take some for members that are none, and drop\n" \
			"them: of packets that are not listed " text "."
}

# A plot is there if it has points.
function plot(name, text) {
	print "\n![" text "](bench-" name ".png)"
}

function path_row(size, kind, i, n, hooks) {
	n = split("none " base["kcuckoo", kind] " " base["ipset", kind] " " \
		  base["nft", kind] " empty kcuckoo ipset nft " bpf(size), hooks, " ")
	printf "|%s|%s", title[size], kind
	for (i = 1; i <= n; i++)
		printf "|%s", there(size, kind, hooks[i]) ? \
			sprintf("%.1f", cost(size, kind, hooks[i])) : "-"
	print "|"
}

function memory_part(i, r, size) {
	print "\n## Kernel memory, bytes per entry\n"
	print "What unreclaimable slab, vmalloc and per-CPU memory grew by.\n"
	head("list|entries|" labels() "|ipset by kcuckoo|BPF by kcuckoo")
	for (i = 1; i <= loaded_count; i++) {
		size = loaded[i]
		printf "|%s|%d", title[size], entries[size]
		for (r = 1; r in rivals; r++)
			printf "|%s", memory(size, rivals[r]) == "" ? "-" : \
				sprintf("%.2f", memory(size, rivals[r]) / entries[size])
		print "|" more_memory(size, "ipset") "|" more_memory(size, bpf(size)) "|"
	}
	for (i = 1; i <= loaded_count; i++)
		memory_spread(loaded[i])
	plot("memory", "bytes of kernel memory by entry")
}

function more_memory(size, rival) {
	return memory(size, rival) == "" ? "-" : \
	       sprintf("%.1f", memory(size, rival) / memory(size, "kcuckoo"))
}

# Sorted by median(), which memory() has called.
function memory_spread(size, key) {
	key = size SUBSEP "memory" SUBSEP "ipset"
	if (samples[key] > 1)
		printf "\n%s: ipset's is the median of %d sets, of %.2f to %.2f bytes.\n", \
			title[size], samples[key], sample[key, 1] / entries[size], \
			sample[key, samples[key]] / entries[size]
}

function time_part(i) {
	print "\n## Seconds, and memory of the tool\n"
	print "Wall time of one command, and of that in the kernel; memory at most, in megabytes."
	print "User-mode Linux makes system calls and page faults dear: see the end."
	print "\"again\" is the same list once more, \"start\" what tells the version, \"add\" one more"
	print "member, \"status\" what `kcuckoo info`, `ipset list -t` and `nft -t list set` tell without"
	print "listing members, \"delete\" of all members. Of networks nft is given the families whose"
	print "packets are measured, the others both.\n"
	head("list||rival|seconds|in the kernel|peak memory|times kcuckoo's")
	for (i = 1; i in sizes; i++)
		time_rows(sizes[i])
	for (i = 1; i in lists; i++)
		time_rows(lists[i])
}

# "again" is the same list once more.
function time_rows(size, w, r, n, words, key) {
	n = split("load again start add status delete", words, " ")
	for (w = 1; w <= n; w++)
		for (r = 1; r in rivals; r++) {
			key = size SUBSEP words[w] SUBSEP rivals[r]
			if (key in wall)
				time_row(size, words[w], rivals[r], key)
		}
}

function time_row(size, word, rival, key, ours) {
	ours = wall[size, word, "kcuckoo"]
	printf "|%s|%s|%s|%.3f|%.3f|%.1f|%s|\n", title[size], word, label[rival], \
		wall[key], system_[key], peak[key] / 1024, \
		ours ? sprintf("%.1f", wall[key] / ours) : "-"
}

function write_plots(i, r, size, file) {
	file = plots "/packets.dat"
	printf "" >file
	for (i = 1; i in sizes; i++) {
		size = sizes[i]
		if (!there(size, "miss", "kcuckoo"))
			continue
		printf "%s", entries[size] >file
		for (r = 1; r in rivals; r++)
			if (rivals[r] != "bpf-lpm")
				printf " %s %s", nan(miss(size, rivals[r])), \
					nan(hit(size, rivals[r])) >file
		print "" >file
	}
	close(file)
	file = plots "/networks.dat"
	printf "" >file
	for (i = 1; i <= measured_count; i++) {
		size = measured[i]
		if (size !~ /ipv/)
			continue
		printf "\"%s\"", size >file
		for (r = 1; r <= 3; r++)
			printf " %s", nan(miss(size, rivals[r])) >file
		print "", nan(miss(size, bpf(size))) >file
	}
	close(file)
	file = plots "/memory.dat"
	for (i = 1; i <= loaded_count; i++) {
		size = loaded[i]
		printf "\"%s\"", size >file
		for (r = 1; r <= 3; r++)
			printf " %s", bytes_each(size, rivals[r]) >file
		print "", bytes_each(size, bpf(size)) >file
	}
	close(file)
}

function bytes_each(size, rival) {
	return memory(size, rival) == "" ? "NaN" : memory(size, rival) / entries[size]
}

function nan(value) {
	return value == "" ? "NaN" : value
}

END {
	settle_generator()
	order_sizes()
	make_ratios()
	write_json()
	write_plots()
	preface()
	verdict_part()
	packet_part()
	if (there("1m", "generated", "kcuckoo"))
		generated_part()
	if (there("churn", "miss", "churned"))
		churn_part()
	if (there("observed", "miss", "plain"))
		observed_part()
	if (cores)
		core_part()
	memory_part()
	time_part()
	exit failed > 0
}
