# SPDX-License-Identifier: GPL-2.0-only
#
# A description for syzkaller as C: what it describes, packed, as text_NAME, and
# assertions that it has the layout that the header has. The first file is layout.h.

# Members of the header's structures.
FILENAME ~ /layout\.h$/ {
	if (match($0, /^(OFFSET|SIZE)\([a-z0-9_]+/)) {
		split(substr($0, index($0, "(") + 1), part, /[,)] */)
		in_header[part[1]] = 1
		if ($0 ~ /^OFFSET/)
			member[part[1], part[2]] = 1
	}
	next
}

/^#/ || /^$/ || /^include/ || /^resource/ { next }

{ constants($0) }

/^ioctl\$/ {
	match($0, /KCUCKOO_IOC_[A-Z_]+\]/)
	request = substr($0, RSTART, RLENGTH - 1)
	match($0, /kcuckoo_ioc_[a-z_]+\]\)/)
	argument[++calls] = substr($0, RSTART, RLENGTH - 2)
	structure[calls] = tolower(request)
	next
}

/^kcuckoo_rule_sizes = / {
	gsub(/.*= /, "")
	gsub(/, /, " || sizeof(struct kcuckoo_rule) == ")
	rule_sizes = $0
	next
}

/^type / {
	described[++count] = $2
	alias[$2] = substr($0, index($0, $3))
	next
}

/^[a-z0-9_]+ [[{]$/ {
	described[++count] = name = $1
	kind[name] = $2 == "{" ? "struct" : "union"
	next
}

/^[]}]/ { name = ""; next }

name != "" {
	place = ++fields[name]
	field[name, place] = $1
	sub(/^[ \t]*[^ \t]+[ \t]+/, "")
	type[name, place] = $0
}

# Names of the header in a line; the compiler knows whether there is such a one.
function constants(line) {
	sub(/^ioctl\$[A-Z_]+/, "", line)
	while (match(line, /KCUCKOO_[A-Z0-9_]+/)) {
		used[substr(line, RSTART, RLENGTH)] = 1
		line = substr(line, RSTART + RLENGTH)
	}
}

# Where the last argument of NAME[ARGUMENT, ...] begins.
function last_argument(text) {
	sub(/\]$/, "", text)
	sub(/^.*, /, "", text)
	return text
}

# declare(): a declaration of what this type is, in C; empty for what may be any length.
function declare(text, what,    inner, length_) {
	if (match(text, /^int(8|16|32|64)/))
		return "uint" substr(text, 4, RLENGTH - 3) "_t " what
	if (text ~ /^ptr64\[/)
		return "uint64_t " what
	if (text ~ /^(const|flags|len|bytesize)\[/)
		return declare(last_argument(text), what)
	if (text ~ /^string\[/)
		return "uint8_t " what "[" last_argument(text) "]"
	if (text ~ /^array\[.*, [A-Z0-9_]+\]$/) {
		length_ = last_argument(text)
		inner = substr(text, 7, length(text) - 9 - length(length_))
		return declare(inner, what "[" length_ "]")
	}
	if (text ~ /^array\[/)
		return ""
	if (text ~ /^ipv[46]_addr$/)
		return "uint8_t " what "[" (text ~ /4/ ? 4 : 16) "]"
	define(text)
	return "text_" text " " what
}

function define(name,    i, body, line) {
	if (name in defined)
		return
	defined[name] = 1
	if (name in alias) {
		print "typedef " declare(alias[name], "text_" name) ";"
		return
	}
	for (i = 1; i <= fields[name]; i++) {
		line = declare(type[name, i], field[name, i])
		if (line != "")
			body = body "\t" line ";\n"
	}
	print "typedef " kind[name] " __attribute__((packed)) {\n" body "} text_" name ";"
}

function assert(condition, what) {
	print "_Static_assert(" condition ", \"" what "\");"
}

# A member that both have lies at the same place in both.
function compare(name, other,    i, at) {
	assert("sizeof(text_" name ") == sizeof(struct " other ")", \
	       name " is not as long as struct " other)
	for (i = 1; i <= fields[name]; i++) {
		if (!((other, field[name, i]) in member))
			continue
		at = ", " field[name, i] ") == "
		assert("offsetof(text_" name at "offsetof(struct " other ", " field[name, i] ")", \
		       name "." field[name, i] " is elsewhere in struct " other)
		assert("sizeof(((text_" name " *)0)->" field[name, i] ") == sizeof(((struct " \
		       other " *)0)->" field[name, i] ")", \
		       name "." field[name, i] " is not as long as in struct " other)
	}
}

END {
	print "#include <stddef.h>\n#include <stdint.h>\n#include <linux/kcuckoo.h>"
	for (i = 1; i <= count; i++)
		define(described[i])
	for (i = 1; i <= count; i++)
		if (described[i] in in_header)
			compare(described[i], described[i])
	for (i = 1; i <= calls; i++)
		compare(argument[i], structure[i])
	for (name in used)
		assert("(" name ") || 1", name)
	assert("sizeof(struct kcuckoo_rule) == " rule_sizes, \
	       "no kcuckoo_rule_sizes is that of struct kcuckoo_rule")
}
