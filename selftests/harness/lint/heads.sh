#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Every source of the module and of userspace begins with a comment whose first sentence
# says what the file is for.
#
# The comment comes first, after the SPDX line and the interpreter; a comment for kernel-doc
# belongs to a declaration and does not count. The sentence ends at a full stop or with its
# paragraph. It has at most 160 characters and is no question. A title is not enough: after a
# label of at most four words and a colon the sentence needs two words that the name of the
# file does not have already, and without a label three. Forms of one word, such as hash and
# hashing, are the same word, and words like "of" do not count. How a script is called is a
# label, and needs a colon.

# shellcheck source=selftests/harness/lint/tree.sh
. "$(dirname "$0")/tree.sh"
need awk

patterns=()
for folder in kmod userspace; do
	patterns+=("$folder/*."{c,h,S,sh,awk,mk} "$folder/"{,'*/'}{Makefile,Kbuild})
done
mapfile -t list < <(files "${patterns[@]}" 'userspace/completion/*')
[ ${#list[@]} -gt 0 ] || { echo "no source found"; exit 1; }

awk '
function fail(file, why) {
	print file ": " why
	failed = 1
}

# The first paragraph of the comment at the head of a file, in one line.
function paragraph(file,	line, mark, text, last) {
	while (!last && (getline line < file) > 0) {
		if (mark == "") {
			if (line ~ /^#!|SPDX-License-Identifier|^[ \t]*#?[ \t]*$/)
				continue
			mark = file !~ /\.[chS]$/ ? "#" : line ~ /^\/\// ? "//" : "/*"
			if (index(line, mark) != 1 || line ~ /^\/\*\*/)
				break
		} else if (mark != "/*" && index(line, mark) != 1) {
			break
		}
		last = mark == "/*" && line ~ /\*\//
		sub(/^[ \t]*(\/\/|\/?\*+|#+)/, "", line)
		sub(/\*?\/[ \t]*$/, "", line)
		if (line ~ /^[ \t]*$/ && text != "")
			break
		text = text " " line
	}
	close(file)
	gsub(/[ \t]+/, " ", text)
	gsub(/^ | $/, "", text)
	return text
}

function stem(word) {
	sub(/(ing|ed|es|s|e)$/, "", word)
	return word
}

# How many different words the text has that the name of the file has not.
function new_words(text, file,	words, known, count, found, i) {
	count = split(tolower(file), words, /[^a-z0-9]+/)
	for (i = 1; i <= count; i++)
		known[stem(words[i])] = 1
	text = tolower(text)
	gsub(/[-\047]/, "", text)
	count = split(text, words, /[^a-z0-9]+/)
	for (i = 1; i <= count; i++) {
		if (length(words[i]) < 2 || words[i] in small || stem(words[i]) in known)
			continue
		known[stem(words[i])] = 1
		found++
	}
	return found + 0
}

function check(file,	text, sentence, label, wanted, words) {
	text = paragraph(file)
	if (text == "") {
		fail(file, "does not begin with a comment that says what it is for")
		return
	}
	sentence = text
	if (match(text, /[.?!]( |$)/))
		sentence = substr(text, 1, RSTART)
	if (sentence ~ /\?$/)
		fail(file, "begins with a question: " sentence)
	if (length(sentence) > 160)
		fail(file, "the first sentence has " length(sentence) \
			" characters, at most 160: " sentence)
	# A script with its arguments, and nothing after them, says nothing.
	wanted = sentence ~ /^[^ ]+\.(sh|awk)( |$)/ ? length(sentence) : 3
	label = sentence
	if (sub(/: .*/, "", label) && split(label, words, " ") <= 4) {
		wanted = 2
		sentence = substr(sentence, length(label) + 3)
	}
	if (new_words(sentence, file) < wanted)
		fail(file, "the head adds too little to the name of the file: " text)
}

BEGIN {
	count = split("an and are as at be by for from how in is it its of on or so that the " \
		"their them these they this to what which with", words, " ")
	for (i = 1; i <= count; i++)
		small[words[i]] = 1
	for (i = 1; i < ARGC; i++)
		check(ARGV[i])
	exit failed
}' "${list[@]}"
