# SPDX-License-Identifier: GPL-2.0-only
#
# Turn the TAP of many programs into one flat TAP stream and count.
#
# Input: for every program a line "# >>> NAME", what it wrote, and a line
# "# <<< NAME STATUS" with its exit status. A program passes only on evidence: a
# plan, as many results as planned, and status 0 (4 if all was skipped).
# Variables: kernel (which one ran), skips (a file: skips that are expected).

function result(passed, name, directive) {
	count++
	if (directive != "")
		skipped++
	else if (passed)
		good++
	else
		bad++
	printf "%s %d %s%s\n", passed ? "ok" : "not ok", count, name, directive
	fflush()
}

# A program that broke the agreement, in words.
function broken(why) {
	result(0, program ": " why, "")
	complained = 1
}

function expected_skip(name,    i) {
	for (i = 1; i <= expectations; i++)
		if (kernel ~ ("^(" where[i] ")$") && name ~ ("^(" what[i] ")$"))
			return 1
	return 0
}

function begin(name) {
	program = name
	running = 1
	planned = -1
	reason = "# SKIP"
	results = failures = complained = 0
	print "# " name
	fflush()
}

function finish(status,    only_skips) {
	running = 0
	only_skips = planned == 0 || (planned > 0 && skips_here == planned)
	skips_here = 0
	if (planned < 0)
		broken("no plan (exit status " status ")")
	else if (results != planned)
		broken(results " results of " planned " planned (exit status " status ")")
	else if (planned == 0 && !expected_skip(program ": all"))
		broken("everything skipped, unexpectedly")
	else if (status != 0 && !failures && !(status == 4 && only_skips))
		broken("exit status " status " though nothing failed")
	else if (planned == 0)
		result(1, program, " " reason)
}

BEGIN {
	while ((getline line < skips) > 0) {
		if (line ~ /^#/ || line ~ /^$/)
			continue
		split(line, field, "\t+")
		where[++expectations] = field[1]
		what[expectations] = field[2]
	}
	print "TAP version 13"
}

/^# >>> / {
	if (running)
		finish("unknown")
	begin($3)
	next
}

/^# <<< / {
	if (running && $3 == program)
		finish($4)
	next
}

!running {
	print /^#/ ? $0 : "# " $0
	next
}

/^TAP version/ { next }

/^1\.\.[0-9]+/ {
	planned = substr($1, 4) + 0
	if (match($0, /# *(SKIP|skip)/))
		reason = substr($0, RSTART)
	next
}

/^(not )?ok( |$)/ {
	passed = !/^not /
	name = $0
	sub(/^(not )?ok *[0-9]* *(- )?/, "", name)
	skip = match(name, /# *(SKIP|skip)/) ? substr(name, RSTART) : ""
	if (skip != "")
		name = substr(name, 1, RSTART - 1)
	sub(/ +$/, "", name)
	results++
	name = program ": " name
	if (skip != "") {
		skips_here++
		if (expected_skip(name)) {
			result(1, name, " " skip)
			next
		}
		passed = 0
		name = name " (skipped unexpectedly: " skip ")"
		gsub(/#/, "", name)
	}
	if (!passed)
		failures++
	result(passed, name, "")
	next
}

{
	print /^#/ ? $0 : "# " $0
	fflush()
}

END {
	if (running)
		finish("unknown")
	if (!count)
		result(0, "no test ran", "")
	printf "1..%d\n", count
	printf "%d passed, %d failed, %d skipped\n", good, bad, skipped
	exit bad > 0
}
