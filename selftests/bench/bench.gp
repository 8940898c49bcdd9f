# SPDX-License-Identifier: GPL-2.0-only
#
# The plots of bench.md, from the files in the folder `data` that bench.awk wrote.

set terminal pngcairo size 800,480 font "DejaVu Sans,11" noenhanced
set datafile missing "NaN"
set grid lc rgb "#dddddd"
set key left top
names = "kcuckoo ipset nft nft-sized bpf-hash bpf-bloom"
colours = "#0060ad #dd181f #118833 #88bb33 #8844aa #cc99dd"

set output "bench-packets.png"
set title "What the set costs a packet (solid: not listed, dashed: listed)"
set xlabel "addresses"
set ylabel "nanoseconds"
set logscale x
set format x "%.0s%c"
set yrange [0:*]
plot for [i=1:6] data."packets.dat" using 1:2*i with linespoints pt 7 \
		lc rgb word(colours, i) title word(names, i), \
	for [i=1:6] "" using 1:2*i+1 with linespoints dt 2 pt 6 \
		lc rgb word(colours, i) notitle

# BPF's map of the kind that the list needs.
names = "kcuckoo ipset nft bpf"
colours = "#0060ad #dd181f #118833 #8844aa"

unset logscale x
unset xlabel
set style data histogram
set style fill solid
set logscale y
set yrange [1:*]
set key right top

# Without a point gnuplot stops.
if (system("wc -l <".data."networks.dat") > 0) {
	set output "bench-networks.png"
	set title "What a list of networks costs a packet that is not listed"
	plot for [i=1:4] data."networks.dat" using i+1:xtic(1) \
		lc rgb word(colours, i) title word(names, i)
}

set output "bench-memory.png"
set title "Kernel memory by entry"
set ylabel "bytes"
set yrange [0.5:*]
plot for [i=1:4] data."memory.dat" using i+1:xtic(1) \
	lc rgb word(colours, i) title word(names, i)
