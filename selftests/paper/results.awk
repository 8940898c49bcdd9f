# SPDX-License-Identifier: GPL-2.0-only
#
# Reads the lines that the programs print, and keeps of each quantity how often
# it was measured, its sum, the sum of its squares, least and most. A quantity's
# name is made of words, as "load search jhash 4 12 0 33554432".

BEGIN {
	FS = "\t"
}

function note(name, value) {
	count[name]++
	sum[name] += value
	squares[name] += value * value
	if (count[name] == 1 || value < least[name])
		least[name] = value
	if (count[name] == 1 || value > most[name])
		most[name] = value
}

function mean(name) {
	return count[name] ? sum[name] / count[name] : 0
}

# Of the runs, not of their mean.
function variance(name, n, v) {
	n = count[name]
	if (n < 2)
		return 0
	v = (squares[name] - sum[name] * sum[name] / n) / (n - 1)
	return v > 0 ? v : 0
}

# A number in a cell, or a dash where nothing was measured.
function cell(name, format, factor) {
	return count[name] ? sprintf(format, mean(name) * factor) : "-"
}

# False positives over all runs, as a fraction.
function rate(name) {
	return asked[name] ? hits[name] / asked[name] : 0
}

function rate_cell(name, digits) {
	return asked[name] ? sprintf("%." digits "f %%", 100 * rate(name)) : "-"
}

function ask(name, queries, positive) {
	asked[name] += queries
	hits[name] += positive
}

function log2(x) {
	return log(x) / log(2)
}

function power(m) {
	return "2^" sprintf("%.0f", log2(m))
}

$1 == "fact" {
	fact[$2] = $3
}

$1 == "source" {
	sources[$2]++
}

$1 == "plan" {
	if ($4 < $3)
		missing = missing (missing ? ", " : "") $2 " " $4 " of " $3
}

# fill rule hash b f sorted m run entries bits look-ups hits seconds failed lost
$1 == "fill" {
	name = $2 " " $3 " " $4 " " $5 " " $6 " " $7
	load = $9 / ($4 * $7)
	if ($14) {
		note("load " name, load)
		note("bits " name, $10 / $9)
		note("seconds " name, $13)
		ask("rate " name, $11, $12)
	} else {
		note("part " name, load)
		ask("part " name, $11, $12)
	}
	if ($2 == "search") {
		negatives += $15
		members++
	}
}

$1 == "table3" {
	note("items " $2, $3)
	note("memory " $2, $4 / $3)
	note("size " $2, $4 / 8388608)
	note("speed " $2, $3 / $5 / 1e6)
	ask("table3 " $2, $6, $7)
}

$1 == "mix" {
	note("mix " $2 " " $3 + 0, $4)
}

# Where a filter was when a speed was measured, in percent; runs agree in it.
$1 == "negative" || $1 == "positive" || $1 == "insert" || $1 == "erase" {
	where = sprintf("%.0f", $3 * 100)
	note($1 " " $2 " " where, $4)
	reached[$1 " " $2] = reached[$1 " " $2] (seen[$1, $2, where]++ ? "" : \
						 " " where)
}

$1 == "end" {
	left[$2] += $3 + $4
}

$1 == "lines" {
	note("lines-negative " $2, $3)
	note("lines-positive " $2, $4)
	note("lines-bits " $2, $6 / $5)
	ask("lines " $2, $7, $8)
}

$1 == "size" {
	sizes++
	size_capacity[sizes] = $2
	size_buckets[sizes] = $3
	size_bits[sizes] = $4 / $2
	size_fits[sizes] = $5 == $2
}

$1 == "inet" {
	name = $2 " " $3
	note("inet " name, $4 / $3)
	note("inet-missing " name, $5)
	note("inet-false " name, $7)
	note("inet-asked " name, $6)
}

$1 == "doubling" {
	name = $2 " " $3
	note("double " name, $5)
	note("rebuild " name, $6)
	note("faster " name, $6 / $5)
	note("double-missing " name, $7)
	note("double-entries " name, $4)
	ask("before " name, $8, $9)
	ask("after " name, $8, $10)
	ask("fresh " name, $8, $11)
	if ($3 > doubled_most)
		doubled_most = $3
}

# kernel b f sorted places run entries memory look-ups hits lost left
$1 == "kernel" {
	name = $2 " " $3 " " $4 " " $5 / $2
	note("kernel " name, $7 / $5)
	ask("kernel " name, $9, $10)
	kernel_lost += $11
	kernel_left += $12
	if (!kernel_seen[name]++)
		kernel_names = kernel_names (kernel_names ? "\n" : "") name
}

$1 == "kernel-doubling" {
	note("kernel-faster", $5 / $4)
	note("kernel-entries", $3)
	kernel_lost += $6
}
