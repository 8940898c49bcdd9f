/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names exchange their filters, and one is emptied, while a packet asks.
 *
 * As in kmod/registry.c and kmod/registry.h (kcuckoo_slot_look(),
 * kcuckoo_slot_kept()). Two names and two filters. Whichever filter the first name
 * has at an instant has the member; that of the second name is emptied and filled
 * again between exchanges.
 *
 * What must hold: a packet that asks by the first name finds the member. A macro
 * changes a part of the protocol: NO_EXCHANGES, NO_FILTER, EXCHANGES_FIRST.
 */
#define SWAPS	12

bool has[2];
byte slot[2];
byte exchanges;

proctype writer()
{
	byte n;
	byte spare;

	do
	:: n < SWAPS ->
		n++;
		spare = slot[0];
#ifndef COUNT_AFTER
		exchanges++;
#endif
		slot[0] = slot[1];
		slot[1] = spare;
#ifdef COUNT_AFTER
		exchanges++;
#endif
		has[spare] = false;
		has[spare] = true
	:: else -> break
	od
}

proctype packet()
{
	byte before, filter;
	bool hit;

	do
	:: true ->
		before = exchanges;
		filter = slot[0];
		hit = has[filter];
		if
		:: hit -> break
		:: else -> skip
		fi;
		/*
		 * Only then is a miss believed. In this order: otherwise
		 * names could be exchanged again between the two.
		 */
#ifdef EXCHANGES_FIRST
		if
		:: exchanges != before -> goto again
		:: else -> skip
		fi;
#endif
#ifndef NO_FILTER
		if
		:: slot[0] != filter -> goto again
		:: else -> skip
		fi;
#endif
#if !defined(NO_EXCHANGES) && !defined(EXCHANGES_FIRST)
		if
		:: exchanges != before -> goto again
		:: else -> skip
		fi;
#endif
		assert(false);
again:		skip
	od
}

init {
	atomic {
		has[0] = true;
		has[1] = true;
		slot[0] = 0;
		slot[1] = 1;
		run writer();
		run packet()
	}
}
