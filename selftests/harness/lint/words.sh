#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The module, the command, the README and the manual pages have none of the words in
# words.list, which readers do not know from other documents of the kernel.

# shellcheck source=selftests/harness/lint/tree.sh
. "$(dirname "$0")/tree.sh"
need perl

mapfile -t list < <(files 'kmod/*' 'uapi/*' 'userspace/*' README.md '*.[1-9]')
[ ${#list[@]} -gt 0 ] || { echo "no file found"; exit 1; }

# shellcheck disable=SC2016 # Perl's variables
perl -e '
use strict;
use warnings;

my (@rules, @exceptions, %used);
my $failed = 0;
my $words = shift;

open(my $in, "<", $words) or die "$words: $!\n";
while (my $line = <$in>) {
	chomp $line;
	next if $line =~ /^(?:#|$)/;
	my ($kind, @fields) = split(/\t/, $line);
	if ($kind eq "except" && @fields == 3) {
		push @exceptions, \@fields;
	} elsif ($kind =~ /^(?:any|code)$/ && @fields == 2) {
		my ($expression, $instead) = @fields;

		$expression =~ s/ /\\s+(?:(?:\\*|#|\/\/)\\s+)?/g;
		push @rules, [$kind, qr/(?<![a-z])(?:$expression)(?![a-z])/i, $instead];
	} else {
		die "words.list:$.: no such line\n";
	}
}

# C code without comments and strings, of the same length and lines.
sub code {
	my ($text) = @_;

	$text =~ s{(/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"|\x27(?:[^\x27\\\n]|\\.)*\x27)}
		  {$1 =~ s/[^\n]/ /gr}gse;
	return $text;
}

# Is the line an exception?
sub allowed {
	my ($file, $line) = @_;

	for my $exception (@exceptions) {
		next unless $file eq $exception->[0] && $line =~ /$exception->[1]/;
		$used{$exception} = 1;
		return 1;
	}
	return 0;
}

for my $file (@ARGV) {
	open($in, "<", $file) or die "$file: $!\n";
	my $text = do { local $/; <$in> } // "";
	my @lines = split(/\n/, $text);
	my $code = $file =~ /\.[ch]$/ ? code($text) : "";

	for my $rule (@rules) {
		my ($kind, $expression, $instead) = @$rule;
		my $where = $kind eq "code" ? $code : $text;

		while ($where =~ /$expression/g) {
			my ($start, $found) = ($-[0], $&);
			my $number = 1 + (substr($where, 0, $start) =~ tr/\n//);

			next if allowed($file, $lines[$number - 1]);
			$found =~ s/\s+(?:(?:\*|#|\/\/)\s+)?/ /g;
			print "$file:$number: \"$found\": $instead\n";
			$failed = 1;
		}
	}
}
for my $exception (@exceptions) {
	next if $used{$exception} || !grep { $_ eq $exception->[0] } @ARGV;
	print "words.list: an exception for $exception->[0] that nothing needs: $exception->[1]\n";
	$failed = 1;
}
exit $failed;
' "$lint/words.list" "${list[@]}"
