#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The walks of kmod/README.md are those of the code. A walk is an indented line with names
# of functions and arrows; a line that begins with an arrow continues the line above it:
#
#	a() -> b()	the body of a() calls b(), a function or a macro
#	a() => b()	a call through a pointer: the address of b() is taken in kmod/. A word
#			without () may stand for a(), where the kernel calls.

# shellcheck source=selftests/harness/lint/tree.sh
. "$(dirname "$0")/tree.sh"
need gcc sed awk

readme=kmod/README.md
[ -e "$readme" ] || { echo "$readme is missing"; exit 1; }
while read -r file; do
	echo "#file $file"
	# Macros of several lines as one line.
	code "$file" | sed -e ':again' -e '/\\$/{N;s/\\\n//;b again' -e '}'
done < <(files 'kmod/*.c' 'kmod/*.h') >"$scratch/code"

awk -v readme=$readme '
# called(NAME, TEXT): does TEXT have a call of NAME?
function called(name, text) {
	return text ~ ("(^|[^A-Za-z0-9_])" name "[ \t]*\\(")
}

# taken(NAME): is NAME somewhere without a call, or does a macro make it with ##?
function taken(name,	file, pasted, n, i, rest) {
	for (file in text) {
		if (text[file] ~ ("(^|[^A-Za-z0-9_.>])" name "[ \t]*([^A-Za-z0-9_ \t(]|$)"))
			return 1
		n = split(pastes[file], pasted, " ")
		for (i = 1; i <= n; i++) {
			if (index(name, pasted[i]) != 1)
				continue
			rest = substr(name, length(pasted[i]) + 1)
			if (text[file] ~ ("[(,][ \t]*" rest "[ \t]*[,)]"))
				return 1
		}
	}
	return 0
}

# function_of(HEAD): the function whose body follows HEAD; nothing for other braces
function function_of(head) {
	if (head ~ /=/ || !match(head, /[A-Za-z_][A-Za-z0-9_]*[ \t]*\(/))
		return ""
	head = substr(head, RSTART, RLENGTH - 1)
	sub(/[ \t]+$/, "", head)
	return head
}

# read_code(LINE): collect the bodies of functions
function read_code(line,	at, c) {
	while (match(line, /[{};]/)) {
		at = RSTART
		c = substr(line, at, 1)
		if (depth)
			body[name] = body[name] " " substr(line, 1, at)
		else
			head = head " " substr(line, 1, at - 1)
		line = substr(line, at + 1)
		if (c == "{" && !depth++) {
			name = function_of(head)
		} else if (c == "}" && !--depth) {
			head = ""
		} else if (c == ";" && !depth) {
			head = ""
		}
	}
	if (depth)
		body[name] = body[name] " " line
	else
		head = head " " line
}

function complain(words) {
	print readme ":" FNR ": " words " (" heading ")"
	failed = 1
}

# known(NAME): complain where no function or macro has this name
function known(name) {
	if (name in body)
		return 1
	complain(name "() is no function of kmod/")
	return 0
}

# read_walk(LINE): check each arrow of a walk
function read_walk(line,	word, n, i, callee) {
	n = split(line, word, " ")
	if (word[1] != "->" && word[1] != "=>")
		caller = ""
	for (i = 1; i <= n; i++) {
		if (word[i] == "->" || word[i] == "=>") {
			arrow = word[i]
			continue
		}
		if (word[i] !~ /^[a-z_][a-z0-9_]*\(\)$/) {
			if (i < n && word[i + 1] == "=>" && caller == "")
				caller = "the kernel"
			else if (word[i] != "the" || i > 1)
				complain(word[i] " is neither a function nor an arrow")
			continue
		}
		callee = substr(word[i], 1, length(word[i]) - 2)
		if (known(callee) && arrow == "->" && caller in body &&
		    !called(callee, body[caller]))
			complain(caller "() does not call " callee "()")
		else if (callee in body && arrow == "->" && caller == "the kernel")
			complain("only a function can call " callee "()")
		else if (callee in body && arrow == "=>" && !taken(callee))
			complain("nothing takes the address of " callee "()")
		caller = callee
		arrow = ""
		walks++
	}
}

FILENAME != readme && /^#file / {
	file = $2
	depth = 0
	head = ""
	next
}
FILENAME != readme {
	# Strings, and the names of types, are no uses of functions.
	gsub(/"([^"\\]|\\.)*"/, "\"\"")
	gsub(/(struct|union|enum)[ \t]+[A-Za-z0-9_]+/, "struct")
}
FILENAME != readme && /^#/ {
	if (match($0, /^#define [A-Za-z_0-9]+\(/)) {
		name = substr($0, 9, RLENGTH - 9)
		body[name] = body[name] " " substr($0, RLENGTH + 1)
	}
	line = $0
	while (match(line, /[A-Za-z0-9_]+[ \t]*##/)) {
		name = substr(line, RSTART, RLENGTH - 2)
		sub(/[ \t]+$/, "", name)
		pastes[file] = pastes[file] " " name
		line = substr(line, RSTART + RLENGTH)
	}
	text[file] = text[file] " " $0
	next
}
FILENAME != readme {
	if ($0 !~ /^EXPORT_SYMBOL/)
		text[file] = text[file] " " $0
	read_code($0)
	next
}
/^#/ {
	heading = $0
	sub(/^#+ */, "", heading)
}
/^    .*\(\)/ && /[-=]>/ { read_walk($0) }
END {
	if (!walks) {
		print readme ": no walk found"
		failed = 1
	}
	exit failed
}' "$scratch/code" "$readme"
