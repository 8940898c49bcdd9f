/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A writer moves, adds and deletes entries while a reader looks. Readers do not
 * write, so one is enough.
 *
 * As in kmod/core/search.c, kmod/core/table.c (kcuckoo_table_move()) and kmod/filter/lookup.c
 * (kcuckoo_lookup_candidate()), by the sequence count of a filter. Two buckets of one entry
 * each, and tags of two words, so that one can be seen half written. X is a member
 * from the beginning to the end, in one bucket or the other. Y comes and goes.
 * The third key, made of halves of both, is never there.
 *
 * What must hold: a reader finds X, and does not find what was never there,
 * however often it is interrupted. A macro on spin's command line leaves out a
 * part of the protocol: NO_RETRY, CLEAR_FIRST, NO_COUNT.
 */
#define OPERATIONS	12
#define TRIES		2

/* Halves of tags; 0 is free. */
#define X_LOW	1
#define X_HIGH	1
#define Y_LOW	2
#define Y_HIGH	2

byte low[2];
byte high[2];
byte seq;
bool locked;

inline lock()
{
	atomic { !locked -> locked = true }
}

inline unlock()
{
	locked = false
}

inline write_begin()
{
#ifndef NO_COUNT
	seq++
#else
	skip
#endif
}

inline put(bucket, l, h)
{
	low[bucket] = l;
	high[bucket] = h
}

/* The copy is there before the original goes. */
inline move(from, to)
{
	write_begin();
#ifdef CLEAR_FIRST
	put(from, 0, 0);
	write_begin();
	write_begin();
	put(to, X_LOW, X_HIGH);
#else
	put(to, X_LOW, X_HIGH);
	put(from, 0, 0);
#endif
	write_begin()
}

proctype writer()
{
	byte n;
	byte at = 0;

	do
	:: n < OPERATIONS ->
		n++;
		lock();
		if
		:: low[1 - at] == 0 ->
			if
			:: move(at, (1 - at)); at = 1 - at
			:: write_begin(); put((1 - at), Y_LOW, Y_HIGH);
			   write_begin()
			fi
		:: else ->
			write_begin(); put((1 - at), 0, 0); write_begin()
		fi;
		unlock()
	:: else -> break
	od
}

inline look(l, h)
{
	found = false;
	i = 0;
	do
	:: i < 2 ->
		one = low[i];
		two = high[i];
		found = found || (one == l && two == h);
		i++
	:: else -> break
	od
}

/* Some looks without the lock, then one with it. */
inline contains(l, h)
{
	tries = 0;
	do
	:: tries < TRIES ->
		tries++;
		/* While a write is under way, wait. */
		atomic { seq % 2 == 0 -> before = seq };
		look(l, h);
		if
#ifndef NO_RETRY
		:: seq != before -> skip
		:: else -> break
#else
		:: true -> break
#endif
		fi
	:: else ->
		lock();
		look(l, h);
		unlock();
		break
	od
}

proctype reader()
{
	byte tries, before, i, one, two;
	bool found;

	if
	:: contains(X_LOW, X_HIGH); assert(found)
	:: contains(X_LOW, Y_HIGH); assert(!found)
	:: contains(Y_LOW, X_HIGH); assert(!found)
	fi
}

init {
	atomic {
		low[0] = X_LOW;
		high[0] = X_HIGH;
		run writer();
		run reader()
	}
}
