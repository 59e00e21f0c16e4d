/*
 * siq.c
 *		siq: 14 bytes that say what they name, after SIS (the SUOU library).
 *
 *		  0 .. 4         5 .. 6          7        8 .. 11    12 .. 13
 *		 +--------------+---------------+-------+----------+---------------------+
 *		 | seconds      | fraction of a | shard | domain   | serial | qualifier  |
 *		 | since 1970:  | second, in    | : 8   | hash: 32 | 16 in all           |
 *		 | 40           | 1/65536: 16   |       |          |                     |
 *		 +--------------+---------------+-------+----------+---------------------+
 *
 * The qualifier says the type of the thing named: 3, 4 or 5 bits at the very
 * end, no one the end of another, so that 8192, 4096 or 2048 serials of a type
 * fit a tick.
 *
 * Text: the number of 112 bits in Crockford's base 32, upper case, 23 digits
 * with leading zeros, so texts sort as IDs do.
 */
#include "flake.h"

#define SIQ_TEXT		23
#define SIQ_TEXT_LEAST	20		/* up to three leading zeros may be missing */
#define SIQ_LEAD		3		/* 23 digits of 5 bits for 112 bits */

/* Read like Crockford: either case, O as 0, I and L as 1. */
static const uint8_t siq_value[256] = {
	['0'] = 1, ['1'] = 2, ['2'] = 3, ['3'] = 4, ['4'] = 5, ['5'] = 6, ['6'] = 7, ['7'] = 8,
	['8'] = 9, ['9'] = 10, ['A'] = 11, ['B'] = 12, ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
	['G'] = 17, ['H'] = 18, ['J'] = 19, ['K'] = 20, ['M'] = 21, ['N'] = 22, ['P'] = 23, ['Q'] = 24,
	['R'] = 25, ['S'] = 26, ['T'] = 27, ['V'] = 28, ['W'] = 29, ['X'] = 30, ['Y'] = 31, ['Z'] = 32,
	['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
	['g'] = 17, ['h'] = 18, ['j'] = 19, ['k'] = 20, ['m'] = 21, ['n'] = 22, ['p'] = 23, ['q'] = 24,
	['r'] = 25, ['s'] = 26, ['t'] = 27, ['v'] = 28, ['w'] = 29, ['x'] = 30, ['y'] = 31, ['z'] = 32,
	['O'] = 1, ['o'] = 1, ['I'] = 2, ['i'] = 2, ['L'] = 2, ['l'] = 2,
};

static const FlakeAlphabet siq_alphabet = {"0123456789ABCDEFGHJKMNPQRSTVWXYZ", siq_value, 5};

void
siq_pack(const SiqParts *parts, uint8_t *id)
{
	flake_store(id, 7, parts->ticks);
	id[7] = (uint8_t) parts->shard;
	flake_store(id + 8, 4, parts->domain);
	flake_store(id + 12, 2, parts->low16);
}

void
siq_unpack(const uint8_t *id, SiqParts *parts)
{
	parts->ticks = flake_load(id, 7);
	parts->shard = id[7];
	parts->domain = (uint32_t) flake_load(id + 8, 4);
	parts->low16 = (unsigned) flake_load(id + 12, 2);
}

static void
siq_encode(const uint8_t *id, char *text)
{
	flake_encode(&siq_alphabet, id, 14, SIQ_LEAD, text, SIQ_TEXT);
	text[SIQ_TEXT] = '\0';
}

static bool
siq_decode(const char *text, size_t length, uint8_t *id)
{
	char		padded[SIQ_TEXT];

	if (length < SIQ_TEXT_LEAST || length > SIQ_TEXT)
		return false;
	memset(padded, '0', SIQ_TEXT);
	memcpy(padded + SIQ_TEXT - length, text, length);
	return flake_decode(&siq_alphabet, padded, SIQ_TEXT, SIQ_LEAD, id, 14);
}

static int64_t
siq_instant(const uint8_t *id)
{
	return flake_us_of(&flake_siq.rate, flake_load(id, 7));
}

static void
siq_bounds(int64_t us, uint8_t *least, uint8_t *greatest)
{
	uint64_t	ticks = flake_tick_of(&flake_siq.rate, us);

	memset(least, 0x00, 14);
	memset(greatest, 0xff, 14);
	flake_store(least, 7, ticks);
	flake_store(greatest, 7, ticks);
}

const FlakeFormat flake_siq = {
	.name = "siq",
	.id = FLAKE_SIQ,
	.shape = "A siq is 23 digits of Crockford's base 32 (0 to 9 and A to Z without I, L, O and U), of which the first is 0 to 3, or did:siq: with a checksum.",
	.digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ",
	.pattern = "^[0-3][0-9A-HJKMNP-TV-Z]{22}$",
	.bytes = 14,
	.text_length = SIQ_TEXT,
	.timestamp_bits = 56,
	.time_ordered = true,
	.rate = {
		.epoch_us = 0,
		.per_second = 65536,
		.mul = 1024,			/* 65536 / 1000000 in lowest terms */
		.div = 15625,
		.last_tick = (UINT64_C(1) << 56) - 1,
	},
	/* counted in units of the shortest qualifier, which has 3 bits */
	.sequence_bits = 13,
	.numbers = 256,
	.slots = 256,
	.encode = siq_encode,
	.decode = siq_decode,
	.instant = siq_instant,
	.bounds = siq_bounds,
};

/* ---------- what PostgreSQL sees ---------- */

#ifndef FLAKE_STANDALONE

#include "flakeid.h"

#include "common/cryptohash.h"
#include "common/sha2.h"

/*
 * The hash of a domain name: the last four bytes of the SHA-256 of its ASCII
 * characters; 0 for '' and '0'.  A local_id other than 0 takes the place of the
 * first of them, modulo 256, except for '' and '0'.
 */
uint32
siq_hash_domain(const char *domain, int local_id)
{
	uint8		digest[PG_SHA256_DIGEST_LENGTH];
	pg_cryptohash_ctx *context;

	if (domain[0] == '\0' || strcmp(domain, "0") == 0)
		return 0;
	context = pg_cryptohash_create(PG_SHA256);
	if (pg_cryptohash_init(context) < 0 ||
		pg_cryptohash_update(context, (const uint8 *) domain, strlen(domain)) < 0 ||
		pg_cryptohash_final(context, digest, sizeof(digest)) < 0)
		elog(ERROR, "could not compute SHA-256: %s", pg_cryptohash_error(context));
	pg_cryptohash_free(context);
	if (local_id != 0)
		digest[28] = (uint8) local_id;
	return (uint32) flake_load(digest + 28, 4);
}

#endif							/* !FLAKE_STANDALONE */
