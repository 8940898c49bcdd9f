# SPDX-License-Identifier: GPL-2.0-only
#
# Print the first line of a log that shows that a test found a bug; exit 1 if there
# is none. Variables: passed (a file: its results without the bug), test (PROGRAM of
# the core or FOLDER:PROGRAM), complaint (a regular expression: what the kernel or a
# sanitizer has to say, where no test can see the bug; empty otherwise).
#
# A test's own result counts, that passed without the bug. That something could not
# be built, did not start, broke off or took too long shows nothing.

function name_of(line) {
	sub(/^(not )?ok [0-9]+ /, "", line)
	return line
}

function found() {
	print
	shown = 1
	exit
}

BEGIN {
	while ((getline line < passed) > 0)
		if (line ~ /^ok [0-9]/)
			before[name_of(line)] = 1
	# Results of a folder's programs begin with their names.
	if (sub(/:/, "/", test))
		prefix = test ": "
	else
		prefix = test "."
}

complaint != "" {
	if ($0 ~ /^# / && $0 ~ complaint)
		found()
	next
}

/Test terminated by timeout/ || /^# the program ended with status/ {
	broken_off = 1
	next
}

/^ok [0-9]/ { broken_off = 0 }

/^not ok [0-9]/ {
	name = name_of($0)
	if (!broken_off && index(name, prefix) == 1 && name in before &&
	    name != test ".end: all passed, nothing leaked")
		found()
	broken_off = 0
}

END { exit !shown }
