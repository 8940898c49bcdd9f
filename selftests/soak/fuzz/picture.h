/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A step that reads the snapshot of a filter, changes it, makes its checksum
 * right, and has a filter made of it.
 */
#ifndef _SELFTESTS_FUZZ_PICTURE_H
#define _SELFTESTS_FUZZ_PICTURE_H

#include "machine.h"

/* Of a snapshot: how it begins, how a layer begins, how it ends (kmod/filter/snapshot.h). */
#define PICTURE_HEAD	96
#define PICTURE_LAYER	24
#define PICTURE_END	8

/* Reads a filter's snapshot; none, or too long a one: the one before stays. */
static inline int picture_save(struct worker *worker, const struct step *step)
{
	struct kcuckoo_ioc_save save = { .size = sizeof(save), .length = ROOM_SIZE };
	__u8 *room = worker->rooms[ROOM_OUTPUT];
	int error;

	step_name(save.name, step->names[0]);
	save.buffer = (uintptr_t)room;
	do {
		error = worker_call(worker, step, KCUCKOO_IOC_SAVE, &save);
		if (error || save.total > IMAGE_MAX || save.done > ROOM_SIZE ||
		    save.offset + save.done > IMAGE_MAX)
			return error;
		memcpy(worker->image + save.offset, room, save.done);
		save.offset += save.done;
	} while (save.done && save.offset < save.total);
	worker->image_size = save.offset;
	return 0;
}

/* Makes room for words at a place, or takes some away. */
static inline void picture_resize(struct worker *worker, __u64 place, int words)
{
	__u64 bytes = 8 * abs(words);

	if (place > worker->image_size)
		return;
	if (words > 0 && worker->image_size + bytes <= IMAGE_MAX) {
		memmove(worker->image + place + bytes, worker->image + place,
			worker->image_size - place);
		memset(worker->image + place, 0, bytes);
		worker->image_size += bytes;
	} else if (words < 0 && place + bytes <= worker->image_size) {
		memmove(worker->image + place, worker->image + place + bytes,
			worker->image_size - place - bytes);
		worker->image_size -= bytes;
	}
}

/* One change: where, how, and to what. */
static inline void picture_change(struct worker *worker, const __u8 *change)
{
	__u64 size = worker->image_size - PICTURE_END;
	__u64 place = change[0];
	__u32 number;

	if (!change[0] && !change[1] && !change[2])
		return;
	/* The beginnings tell the most; what they tell of is behind them. */
	if (place >= 160)
		place = PICTURE_HEAD + PICTURE_LAYER + (change[0] * 997U + change[2] * 31U) %
			(size > 128 ? size - 120 : 1);
	else
		place %= PICTURE_HEAD + PICTURE_LAYER;
	if (place + sizeof(number) > worker->image_size)
		return;
	memcpy(&number, worker->image + place, sizeof(number));
	switch (change[1] % 8) {
	case 0:
		worker->image[place] = change[2];
		return;
	case 1:
		worker->image[place] ^= 1 << change[2] % 8;
		return;
	case 2:
		number += change[2] - 128;
		break;
	case 3:
		number = hostile[change[2] % ARRAY_SIZE(hostile)];
		break;
	case 4:
		number = change[2];
		break;
	case 5:
		picture_resize(worker, size, change[2] - 128);
		return;
	case 6:
		picture_resize(worker, PICTURE_HEAD + PICTURE_LAYER * (change[1] / 8 % 2),
			       change[2] - 128);
		return;
	default:
		picture_resize(worker, place & ~7ULL, change[2] % 64 - 32);
		return;
	}
	memcpy(worker->image + place, &number, sizeof(number));
}

/* Nobody hits a checksum by chance: most often it is made right. */
static inline void picture_seal(struct worker *worker)
{
	__u64 size = worker->image_size - PICTURE_END;
	__u32 sum = crc32(0, worker->image, size);

	memcpy(worker->image + size, &sum, sizeof(sum));
	memset(worker->image + size + sizeof(sum), 0, sizeof(sum));
}

static inline int picture_restore(struct worker *worker, const struct step *step)
{
	static const __u32 pieces[] = { ROOM_SIZE, 4096, 1000, 96, 7 };
	struct kcuckoo_ioc_restore restore = { .size = sizeof(restore) };
	__u32 piece = pieces[step->values[23] % ARRAY_SIZE(pieces)];
	__u8 *room = worker->rooms[ROOM_OUTPUT];
	unsigned int calls = 0;
	int error;

	step_name(restore.name, step->names[1]);
	restore.buffer = (uintptr_t)room;
	restore.total = step->values[22] < STEP_HOSTILE ? worker->image_size :
			worker->image_size + hostile[step->values[22] - STEP_HOSTILE];
	do {
		__u64 left = worker->image_size - restore.offset;

		restore.length = left < piece ? left : piece;
		/* Small pieces are of interest at the beginning. */
		if (calls++ > 40)
			piece = ROOM_SIZE;
		memcpy(room, worker->image + restore.offset, restore.length);
		error = worker_call(worker, step, KCUCKOO_IOC_RESTORE, &restore);
		restore.offset += restore.done;
	} while (!error && restore.done && restore.offset < worker->image_size);
	worker->offset = restore.offset;
	return error;
}

static inline int picture_step(struct worker *worker, const struct step *step)
{
	int error = picture_save(worker, step);
	unsigned int i;

	if (worker->image_size < PICTURE_HEAD + PICTURE_END)
		return error;
	for (i = 0; i < 7; i++)
		picture_change(worker, &step->values[3 * i]);
	if (worker->image_size < PICTURE_END)
		return error;
	if (step->values[21] < STEP_HOSTILE)
		picture_seal(worker);
	return picture_restore(worker, step);
}

#endif /* _SELFTESTS_FUZZ_PICTURE_H */
