/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Keys that an enemy of jhash makes, to see what they do to a filter.
 *
 * The final mix of jhash can be undone, so whoever knows the secret makes as many
 * keys as he likes of one hash. Who does not could try keys whose length makes up for
 * the first of their words: the length is added to that.
 */
#ifndef COLLIDE_H
#define COLLIDE_H

#include <stdint.h>
#include <string.h>

#define COLLIDE_INITVAL	0xdeadbeef	/* JHASH_INITVAL */

#define COLLIDE_SIZE	12	/* bytes of a key, at most; one block of jhash */
#define COLLIDE_TWINS	12	/* keys whose length and first word have one sum */

static inline uint32_t collide_rotate(uint32_t word, unsigned int by)
{
	return word << by | word >> (32 - by);
}

/* Undoes one step of the final mix: to ^= other; to -= rotate(other). */
static inline void collide_undo(uint32_t *to, uint32_t other, unsigned int by)
{
	*to = (*to + collide_rotate(other, by)) ^ other;
}

/* Undoes the final mix. */
static inline void collide_unmix(uint32_t *a, uint32_t *b, uint32_t *c)
{
	collide_undo(c, *b, 24);
	collide_undo(b, *a, 14);
	collide_undo(a, *c, 4);
	collide_undo(c, *b, 16);
	collide_undo(b, *a, 25);
	collide_undo(a, *c, 11);
	collide_undo(c, *b, 14);
}

/*
 * A key of twelve bytes with the hash @hash under the secret @seed; another one for
 * each @number.
 */
static inline void collide_key(const uint32_t seed[3], uint64_t hash, uint32_t number,
			       uint8_t key[COLLIDE_SIZE])
{
	uint32_t a = number, b = hash >> 32, c = hash;

	collide_unmix(&a, &b, &c);
	a -= seed[0] + COLLIDE_INITVAL + COLLIDE_SIZE;
	b -= seed[1];
	c -= seed[2] + COLLIDE_SIZE * seed[1];
	memcpy(key, &a, sizeof(a));
	memcpy(key + 4, &b, sizeof(b));
	memcpy(key + 8, &c, sizeof(c));
}

/*
 * The secret under which a key of twelve bytes has the hash @hash, if the word of the
 * mix that the hash does not tell is @word.
 */
static inline void collide_seed(const uint8_t key[COLLIDE_SIZE], uint64_t hash,
				uint32_t word, uint32_t seed[3])
{
	uint32_t a = word, b = hash >> 32, c = hash, words[3];

	memcpy(words, key, sizeof(words));
	collide_unmix(&a, &b, &c);
	seed[0] = a - words[0] - COLLIDE_INITVAL - COLLIDE_SIZE;
	seed[1] = b - words[1];
	seed[2] = c - words[2] - COLLIDE_SIZE * seed[1];
}

/*
 * Number @twin, 0..COLLIDE_TWINS - 1, of keys which differ in nothing that is
 * hashed but in what of the length goes in times a secret; another set of them for
 * each @set, 12..256. Returns its length.
 */
static inline unsigned int collide_twin(uint32_t set, unsigned int twin,
					uint8_t key[COLLIDE_SIZE])
{
	unsigned int length = twin + 1;
	uint32_t word = set - length;

	memset(key, 0, COLLIDE_SIZE);
	memcpy(key, &word, sizeof(word));
	return length;
}

#endif /* COLLIDE_H */
