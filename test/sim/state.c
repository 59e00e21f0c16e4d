/*
 * state.c
 *		The state of the world that is searched: save it, restore it, and hash
 *		everything in it, so that states can be told apart.
 */
#include "world.h"

typedef struct Piece
{
	void	   *start;
	size_t		bytes;
	const int  *count;
} Piece;

static Piece pieces[64];
static int	pieces_count;

/*
 * Everything that can change what happens later must be added by this function, or it is
 * not restored: new shared memory, variables of the simulated server, what the checks
 * remember.
 */
void
state_piece(void *start, size_t bytes, const int *count)
{
	Piece		piece = {start, bytes, count};

	if (pieces_count == (int) lengthof(pieces))
		abort();
	pieces[pieces_count++] = piece;
}

void
collect_pieces(void)
{
	pieces_count = 0;
	server_state(sessions);
	checks_state(sessions, world->format);
	state_piece(progress.done, sizeof(progress.done), NULL);
	state_piece(&progress.happened, sizeof(progress.happened), NULL);
}

static inline size_t
piece_bytes(const Piece *piece)
{
	return piece->count ? piece->bytes * *piece->count : piece->bytes;
}

void
state_save(Checkpoint *checkpoint)
{
	size_t		size = issued_size();
	char	   *to;

	for (int i = 0; i < pieces_count; i++)
		size += sizeof(size_t) + piece_bytes(&pieces[i]);
	for (int i = 0; i < sessions; i++)
		size += backends[i].stack + SIM_STACK_BYTES - backends[i].stack_used;
	if (size > checkpoint->size)
	{
		free(checkpoint->copy);
		checkpoint->size = size * 2;
		checkpoint->copy = malloc(checkpoint->size);
	}
	to = checkpoint->copy;
	for (int i = 0; i < pieces_count; i++)
	{
		size_t		bytes = piece_bytes(&pieces[i]);

		memcpy(to, &bytes, sizeof(bytes));
		memcpy(to + sizeof(bytes), pieces[i].start, bytes);
		to += sizeof(bytes) + bytes;
	}
	for (int i = 0; i < sessions; i++)
	{
		size_t		bytes = backends[i].stack + SIM_STACK_BYTES - backends[i].stack_used;

		memcpy(to, backends[i].stack_used, bytes);
		to += bytes;
	}
	(void) issued_save(to);
	checkpoint->at = progress.at;
}

void
state_restore(const Checkpoint *checkpoint)
{
	const char *from = checkpoint->copy;

	for (int i = 0; i < pieces_count; i++)
	{
		size_t		bytes;

		memcpy(&bytes, from, sizeof(bytes));
		memcpy(pieces[i].start, from + sizeof(bytes), bytes);
		from += sizeof(bytes) + bytes;
	}
	for (int i = 0; i < sessions; i++)
	{
		size_t		bytes = backends[i].stack + SIM_STACK_BYTES - backends[i].stack_used;

		memcpy(backends[i].stack_used, from, bytes);
		from += bytes;
	}
	issued_load(from);
	progress.at = checkpoint->at;
}

/* Hash 16 bytes by one multiplication, and fold the halves of its result. */
static inline uint64
fold(uint64 hash, const char *at)
{
	uint64		word[2];
	__uint128_t product;

	memcpy(word, at, sizeof(word));
	product = (__uint128_t) (word[0] ^ hash) * (word[1] ^ UINT64_C(0x9e3779b97f4a7c15));
	return (uint64) product ^ (uint64) (product >> 64) ^ hash << 1;
}

static uint64
hash_bytes(uint64 hash, const void *start, size_t bytes)
{
	const char *at = start;
	uint64		lane[4] = {hash, hash ^ UINT64_C(0xbf58476d1ce4e5b9), ~hash, hash ^ UINT64_C(0x94d049bb133111eb)};
	char		rest[16];

	for (; bytes >= 64; bytes -= 64, at += 64)
		for (int i = 0; i < 4; i++)
			lane[i] = fold(lane[i], at + 16 * i);
	for (; bytes >= 16; bytes -= 16, at += 16)
		lane[0] = fold(lane[0], at);
	memset(rest, 0, sizeof(rest));
	memcpy(rest, at, bytes);
	hash = fold(~hash, rest);
	hash = fold(hash, (char *) &lane[0]);
	return fold(hash, (char *) &lane[2]);
}

uint64
hash_state(int running)
{
	uint64		hash = issued_hash() ^ (uint64) (running + 1);

	for (int i = 0; i < pieces_count; i++)
		hash = hash_bytes(hash, pieces[i].start, piece_bytes(&pieces[i]));
	for (int i = 0; i < sessions; i++)
		hash = hash_bytes(hash, backends[i].stack_used,
						  backends[i].stack + SIM_STACK_BYTES - backends[i].stack_used);
	return hash | 1;
}
