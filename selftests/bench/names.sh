# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# names.sh: jobs that are asked for by their names, or by the beginnings of such.
# Sourced by programs that have all_jobs, which prints a job in a line, its name first;
# say, which tells; and patterns, what they were asked for.

# shellcheck disable=SC2154 # patterns are those of who sources this

# named NAME: is the job asked for by a name?
named() {
	local pattern

	for pattern in "${patterns[@]}"; do
		[[ $1 == "$pattern"* ]] && return 0
	done
	return 1
}

# check_names: refuse what is the name of no job.
check_names() {
	local pattern jobs

	[ ${#patterns[@]} -gt 0 ] || return 0
	jobs=$(all_jobs | cut -d ' ' -f 1)
	for pattern in "${patterns[@]}"; do
		if [ -z "$pattern" ] || [[ $'\n'$jobs != *$'\n'"$pattern"* ]]; then
			say "no job '$pattern': see ${0##*/} --list"
			exit 2
		fi
	done
}
