# SPDX-License-Identifier: GPL-2.0-only
#
# Turn the TAP of many programs into one flat TAP stream and count.
#
# Input: for every program a line "# >>> NAME", what it wrote, and a line
# "# <<< NAME STATUS" with its exit status. A program passes only on evidence: a
# plan, as many results as planned, and status 0 (4 if all was skipped).
# Variables: kernel (which one ran), skips (a file: skips that are expected).
#
# A failure is one of time where the program marks its result "# late", where a time
# limit of the harness ended the test, or where one of the runner ended the program:
# "# <<< NAME STATUS late". With verdicts=1 the output is a line for each program
# instead, "VERDICT NAME": ok; late, if each of its failures is one of time; open, if its
# end is missing and nothing else failed; failed otherwise.
#
# Between programs a line "# unstable: NAME" names what passed when it was tried again.
# These lines are repeated before the count.

function put(line) {
	if (verdicts)
		return
	print line
	fflush()
}

function result(passed, name, directive, is_late) {
	count++
	if (directive != "") {
		skipped++
	} else if (passed) {
		good++
	} else {
		bad++
		bad_here++
		if (is_late)
			late_here++
	}
	put((passed ? "ok " : "not ok ") count " " name \
	    (is_late && !passed ? " # late" : "") directive)
}

# A program that broke the agreement, in words.
function broken(why, is_late) {
	result(0, program ": " why, "", is_late)
}

# What the next result may have before it: a harness writes the line of a result itself,
# so the test marks it by a line of its own.
function await_result() {
	marked = wrong = 0
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
	results = failures = skips_here = bad_here = late_here = reported = 0
	await_result()
	put("# " name)
}

function verdict(status) {
	if (bad_here > late_here || (bad_here && reported))
		return "failed"
	if (status == "unknown")
		return "open"
	return bad_here ? "late" : "ok"
}

function finish(status, limited,    only_skips) {
	running = 0
	# A wrong value before the time was over is a failure all the same. What an end that
	# is missing means, its machine's says.
	limited = !wrong && (limited || (verdicts && status == "unknown"))
	only_skips = planned == 0 || (planned > 0 && skips_here == planned)
	if (planned < 0)
		broken("no plan (exit status " status ")", limited)
	else if (results != planned)
		broken(results " results of " planned " planned (exit status " status ")", limited)
	else if (planned == 0 && !expected_skip(program ": all"))
		broken("everything skipped, unexpectedly", 0)
	else if (status == complaint)
		broken("the kernel complained (exit status " status ")", 0)
	else if (status != 0 && !failures && !(status == 4 && only_skips))
		broken("exit status " status " though nothing failed", limited)
	else if (planned == 0)
		result(1, program, " " reason, 0)
	if (verdicts)
		print verdict(status), program
}

BEGIN {
	while ((getline line < skips) > 0) {
		if (line ~ /^#/ || line ~ /^$/)
			continue
		split(line, field, "\t+")
		where[++expectations] = field[1]
		what[expectations] = field[2]
	}
	# The exit status that kselftest.sh writes when the kernel complained.
	complaint = 99
	put("TAP version 13")
}

/^# >>> / {
	if (running)
		finish("unknown", 0)
	begin($3)
	next
}

/^# <<< / {
	if (running && $3 == program)
		finish($4, $5 == "late")
	next
}

!running && /^# unstable: / {
	unstable[++unstables] = substr($0, 3)
	next
}

!running {
	put(/^#/ ? $0 : "# " $0)
	next
}

/^# late$/ || /^# [^ ]+: Test terminated by timeout$/ { marked = 1 }

# What the harness says of a wrong value.
/^# [^ :]+:[0-9]+:[^ :]+:Expected / { wrong = 1 }

/^TAP version/ { next }

/^1\.\.[0-9]+/ {
	planned = substr($1, 4) + 0
	if (match($0, /# *(SKIP|skip)/))
		reason = substr($0, RSTART)
	next
}

/^(not )?ok( |$)/ {
	passed = !/^not /
	is_late = !wrong && (marked || / # late([^a-z]|$)/)
	await_result()
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
			result(1, name, " " skip, 0)
			next
		}
		passed = is_late = 0
		name = name " (skipped unexpectedly: " skip ")"
		gsub(/#/, "", name)
	}
	sub(/ # late([^a-z].*)?$/, "", name)
	if (!passed)
		failures++
	result(passed, name, "", is_late)
	next
}

# A report that comes before a time limit is no failure of time.
/Sanitizer: |runtime error: |BUG: K[A-Z]*SAN:/ { reported = 1 }

{ put(/^#/ ? $0 : "# " $0) }

END {
	if (running)
		finish("unknown", 0)
	if (verdicts)
		exit
	if (!count)
		result(0, "no test ran", "", 0)
	printf "1..%d\n", count
	for (i = 1; i <= unstables; i++)
		print unstable[i]
	printf "%d passed, %d failed, %d skipped\n", good, bad, skipped
	exit bad > 0
}
