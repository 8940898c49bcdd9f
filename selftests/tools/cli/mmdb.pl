#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
#
# mmdb.pl FILE [--flat | --asn] < LINES: write a database. A line has the first and the last
# address of a network, or their IPv4 addresses as numbers, and the code of a country or
# the number of an autonomous system, with commas between, as tor-geoipdb has them. With
# --flat, the country is not in an object of its own; with --asn, a line has a system.

use strict;
use warnings;
use MaxMind::DB::Writer::Tree;

my ($file, $kind) = (@ARGV, '');
my %types = (
	country => $kind eq '--flat' ? 'utf8_string' : 'map',
	iso_code => 'utf8_string',
	asn => 'utf8_string',
	autonomous_system_number => 'uint32',
);
my $tree = MaxMind::DB::Writer::Tree->new(
	ip_version => 6,
	record_size => 24,
	database_type => 'kcuckoo-test',
	languages => ['en'],
	description => { en => 'test' },
	alias_ipv6_to_ipv4 => 1,
	remove_reserved_networks => 0,
	map_key_type_callback => sub { $types{ $_[0] } },
);

# data CODE: what a network has
sub data {
	my ($code) = @_;

	return { autonomous_system_number => $code } if $kind eq '--asn';
	return { country => $code } if $kind eq '--flat';
	return { country => { iso_code => $code } };
}

# address TEXT: an address that is written as a number has dots after this
sub address {
	my ($text) = @_;

	return $text =~ /^\d+$/ ? join('.', unpack('C4', pack('N', $text))) : $text;
}

while (my $line = <STDIN>) {
	next if $line =~ /^#/;
	chomp $line;
	my ($first, $last, $code) = split /,/, $line;
	next if $code eq '??';
	# The writer refuses networks in which IPv4 addresses appear again.
	next if $first =~ /^2002:|^2001:0?:|^2001::/;
	$tree->insert_range(address($first), address($last), data($code));
}
open(my $out, '>', $file) or die "$file: $!\n";
$tree->write_tree($out);
close($out) or die "$file: $!\n";
