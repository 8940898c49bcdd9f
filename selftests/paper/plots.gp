# SPDX-License-Identifier: GPL-2.0-only
#
# The plots of paper.md, from the files in the folder `data` that figures.awk wrote.

set terminal pngcairo size 800,560 font "DejaVu Sans,11" noenhanced
set datafile missing "NaN"
set grid lc rgb "#dddddd"
set key outside right top
# Ten colours that can be told apart; the terminal has eight.
set linetype 5 lc rgb "#b8860b"
set linetype 9 lc rgb "#8b4513"
set linetype 10 lc rgb "#ff69b4"
# Sizes and filters that were not measured have no points.

set output "rules.png"
set title ";login: Table 2: load factor, b = 4"
set xlabel "f: fingerprint size in bits"
set ylabel "load, percent"
set yrange [0:100]
plot data."rules.dat" using 1:2 with points pt 6 ps 2 title "the paper", \
	"" using 1:3 with linespoints pt 7 title "500 kicks", \
	"" using 1:4 with linespoints pt 5 title "search"

set ylabel "load, least run"
set yrange [0:1]
sizes = "2^10 2^15 2^18 2^20 2^25 2^30"
do for [b in "4 8"] {
	set output "load-b".b.".png"
	set title "CoNEXT Figure 2: load factor, b = ".b
	plot for [i=1:6] data."load-b".b.".dat" using 1:2*i \
			with linespoints dt 2 lc i pt 4 \
			title word(sizes, i)." kicks", \
		for [i=1:6] "" using 1:2*i+1 with linespoints lc i pt 5 \
			title word(sizes, i)." search"
}

set output "bucket-size.png"
set title "CoNEXT Figure 3: bits per item by measured rate"
set xlabel "rate of false positives"
set ylabel "bits per item"
set logscale x
set format x "%g"
set xrange [1e-5:0.1]
set yrange [0:26]
plot for [b in "2 4 8"] data."space-b".b.".dat" using 1:2 \
	with linespoints title "b = ".b

set output "space.png"
set title "CoNEXT Figure 4: bits per item by rate"
plot 1.44 * log(1 / x) / log(2) title "Bloom filter, best" dt 2, \
	log(1 / x) / log(2) title "lower bound" dt 3, \
	data."space-b4.dat" using 1:2 with linespoints title "cuckoo", \
	data."space-sorted.dat" using 1:2 with linespoints title "semi-sorted", \
	data."space-others.dat" using 1:2:3 with labels point pt 2 \
		offset char 0,0.8 font ",8" notitle

unset logscale x
set xrange [*:*]
set output "rate.png"
set title "Rate over 2 b load / 2^f, f = 12, b = 4"
set xlabel "log2 of the number of buckets"
set ylabel "measured over expected"
set yrange [0.9:1.1]
plot for [k in "jhash siphash"] data."rate-".k.".dat" using 1:2 \
	with linespoints title k, 1.05 dt 2 title "limit"

# The paper's filters by its names; in batches is the module's own way.
filters = "cuckoo cuckoo-batch semisort semisort-batch bloom blocked counting quotient dleft4 dleft8"
titles = "CF CF,batch ss-CF ss-CF,batch BF blk-BF counting QF dl-CBF/4 dl-CBF/8"
set yrange [0:*]
set ylabel "millions per second"

set output "lookup.png"
set title "CoNEXT Figure 5: look-ups of full filters"
set xlabel "percent of queries for present keys"
plot for [i=1:10] data."mix-".word(filters, i).".dat" using 1:2 \
	with linespoints pt i lc i title word(titles, i)

set xlabel "occupancy"
set xrange [0:1]
what = "negative positive insert"
names = "6a:_look-ups_of_absent_keys 6b:_look-ups_of_present_keys 7:_inserts"
do for [j=1:3] {
	set output word(what, j).".png"
	set title "CoNEXT Figure ".system("echo ".word(names, j)." | tr _ ' '")
	plot for [i=1:10] data.word(what, j)."-".word(filters, i).".dat" \
		using 1:2 with linespoints pt i lc i title word(titles, i)
}

set output "delete.png"
set title "CoNEXT Figure 8: deletes, from full to empty"
plot for [i in "1 2 3 4 7 8 9 10"] data."erase-".word(filters, int(i)).".dat" \
	using 1:2 with linespoints pt int(i) lc int(i) title word(titles, int(i))
