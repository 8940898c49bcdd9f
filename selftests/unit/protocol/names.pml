/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names exchange their filters, and one is changed, while packets ask.
 *
 * As in kmod/net/slot_lookup.c and kmod/net/slot.h (kcuckoo_slot_lookup(),
 * kcuckoo_slot_binding_unchanged()). Two names and two filters. Whichever filter the
 * first name has at an instant has the member, and has not the stranger; that of the
 * second name is emptied, has the stranger, and is filled again between exchanges.
 *
 * What must hold: a packet that asks by the first name finds the member and not the
 * stranger, after so many tries at most. A macro changes a part of the protocol:
 * NO_EXCHANGES, NO_FILTER, EXCHANGES_FIRST, HIT_UNCHECKED, LOOK_LATE, NO_LOCK.
 * LOOK_LATE is what a processor may do that takes loads out of order, where there is no
 * barrier between the look and the checks.
 */
#define SWAPS	10
#define TRIES	2

bool member[2];
bool stranger[2];
byte slot[2];
byte binding_seq;
bool rebinding;

proctype writer()
{
	byte n;
	byte spare;

	do
	:: n < SWAPS ->
		n++;
		spare = slot[0];
		atomic { !rebinding -> rebinding = true };
		binding_seq++;
		slot[0] = slot[1];
		slot[1] = spare;
		rebinding = false;
		member[spare] = false;
		stranger[spare] = true;
		stranger[spare] = false;
		member[spare] = true
	:: else -> break
	od
}

inline look(found)
{
	if
	:: wanted -> found = member[filter]
	:: else -> found = stranger[filter]
	fi
}

/* A packet of the member, or of the stranger. */
proctype packet(bool wanted)
{
	byte before, filter, tries;
	bool hit;

	do
	:: tries < TRIES ->
		tries++;
		before = binding_seq;
		filter = slot[0];
#ifndef LOOK_LATE
		look(hit);
#endif
#ifdef HIT_UNCHECKED
		if
		:: hit -> break
		:: else -> skip
		fi;
#endif
		/*
		 * Only then is it believed. In this order: otherwise names could
		 * be exchanged again between the two.
		 */
#ifdef EXCHANGES_FIRST
		if
		:: binding_seq != before -> goto again
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
		:: binding_seq != before -> goto again
		:: else -> skip
		fi;
#endif
#ifdef LOOK_LATE
		look(hit);
#endif
		break;
again:		skip
	:: else ->
#ifndef NO_LOCK
		atomic { !rebinding -> rebinding = true };
#endif
		filter = slot[0];
		look(hit);
#ifndef NO_LOCK
		rebinding = false;
#endif
		break
	od;
	assert(hit == wanted)
}

init {
	atomic {
		member[0] = true;
		member[1] = true;
		slot[0] = 0;
		slot[1] = 1;
		run writer();
		run packet(true);
		run packet(false)
	}
}
