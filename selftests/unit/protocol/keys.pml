/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names exchange their filters, and one is changed, while somebody asks by the device.
 *
 * As in kmod/dev/ioctl_keys.c (kcuckoo_keys_test()). Two names and two filters, whose keys are
 * hashed in ways of their own. Whichever filter the first name has at an instant has
 * the member, and has not the stranger; that of the second name is emptied, has the
 * stranger, and is filled again between exchanges.
 *
 * What must hold: who asks by the first name finds the member and not the stranger,
 * after so many tries at most. A macro changes a part of the protocol: NO_REFRESH,
 * NO_HASH, NO_LOCK.
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

/* Looks for the member, or for the stranger, in the filter that was found. */
inline look()
{
	if
	:: wanted -> hit = hashed == filter && member[filter]
	:: else -> hit = hashed == filter && stranger[filter]
	fi
}

/* The filter is found under the lock, and the key hashed for it outside. */
inline find()
{
	atomic {
		!rebinding ->
		before = binding_seq;
		filter = slot[0]
	};
	hashed = filter
}

proctype asker(bool wanted)
{
	byte before, filter, hashed, tries;
	bool hit;

	find();
	do
	:: tries < TRIES ->
		tries++;
		look();
#ifdef NO_REFRESH
		break
#else
		if
		:: binding_seq == before -> break
		:: else -> find()
		fi
#endif
	:: else ->
#ifndef NO_LOCK
		atomic { !rebinding -> rebinding = true };
#endif
		filter = slot[0];
#ifndef NO_HASH
		/* Of what was copied in before: the lock is held. */
		hashed = filter;
#endif
		look();
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
		run asker(true);
		run asker(false)
	}
}
