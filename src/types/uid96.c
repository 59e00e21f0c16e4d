/*
 * uid96.c
 *		uid96: 12 bytes, global, after fogfish/uid; see uid.h.
 *
 *		 | A: 20 | B above: 20 - I | node: 32 | B below: I | C: 10 | sequence: 14 |
 *
 * The IDs that a node makes within 2^I seconds sort together.  The ID does not contain I, the
 * drift (5 to 10, by default 8): its maker and its readers must agree on it.
 *
 * Text: 16 characters of 6 bits in ASCII order.
 */
#include "types/uid.h"

/*
 * "low" is the node followed by B's last I bits: its last 32 bits are bytes 5 to 8, and the
 * bits above are at the end of byte 4, where B's last I bits would be.
 */
inline void
uid96_pack(const UidParts *parts, unsigned drift, uint8_t *id)
{
	uint64_t	seconds = (uint64_t) parts->megaseconds << 20 | parts->seconds;
	uint64_t	within = (UINT64_C(1) << drift) - 1;
	uint64_t	low = (uint64_t) parts->node << drift | (seconds & within);

	flake_store(id, 5, (seconds & ~within) | low >> 32);
	flake_store(id + 5, 4, low);
	flake_store(id + 9, 3, (uint64_t) parts->units << 14 | parts->sequence);
}

void
uid96_unpack(const uint8_t *id, unsigned drift, UidParts *parts)
{
	uint64_t	head = flake_load(id, 5);
	uint64_t	tail = flake_load(id + 9, 3);
	uint64_t	within = (UINT64_C(1) << drift) - 1;
	uint64_t	low = (head & within) << 32 | flake_load(id + 5, 4);
	uint64_t	seconds = (head & ~within) | (low & within);

	parts->megaseconds = (unsigned) (seconds >> 20);
	parts->seconds = seconds & 0xfffff;
	parts->node = (uint32_t) (low >> drift);
	parts->units = (unsigned) (tail >> 14);
	parts->sequence = tail & 0x3fff;
}

static void
uid96_encode(const uint8_t *id, char *text)
{
	flake_encode_16(&uid_alphabet, id, text);
}

static bool
uid96_decode(const char *text, size_t length, uint8_t *id)
{
	return flake_decode_16(&uid_alphabet, text, length, id);
}

static int64_t
uid96_instant(const uint8_t *id)
{
	UidParts	parts;

	uid96_unpack(id, UID_DRIFT_DEFAULT, &parts);
	return uid_instant(&parts);
}

/*
 * Write the bounds of a whole neighbourhood: 2^drift seconds, all nodes.  There are no
 * finer ones, because the node is before the rest of the time.
 */
void
uid96_neighbourhood(int64_t us, unsigned drift, uint8_t *least, uint8_t *greatest)
{
	UidParts	from;
	UidParts	to;
	unsigned	within = (1u << drift) - 1;

	uid_unit(us, &from, &to);
	from.seconds &= ~within;
	from.units = 0;
	to.seconds |= within;
	to.units = 0x3ff;
	uid96_pack(&from, drift, least);
	uid96_pack(&to, drift, greatest);
}

/*
 * Return eight bytes by which IDs sort as by their twelve, except for ties.  If the node, in
 * bytes 4 to 7, is that of "first", as in most tables, the time after it takes its place; two
 * bits distinguish nodes below, equal and above.
 */
uint64_t
uid96_abbreviate(const uint8_t *id, const uint8_t *first)
{
	uint64_t	node = flake_load(id + 4, 4);
	uint64_t	usual = flake_load(first + 4, 4);
	uint64_t	rank = node < usual ? 0 : node == usual ? 1 : 2;
	uint64_t	rest = node == usual ? flake_load(id + 8, 4) : node;

	return flake_load(id, 4) << 32 | rank << 30 | rest >> 2;
}

/* Return Erlang's phash2 of the atom with this name, which is in UTF-8: 28 bits. */
uint32_t
uid_hash_node(const char *name, size_t length)
{
	uint32_t	h = 0;

	for (size_t i = 0; i < length; i++)
	{
		uint32_t	c = (uint8_t) name[i];
		uint32_t	g;

		/* U+0080 to U+00FF are hashed as one byte, as in Latin-1 */
		if ((c == 0xc2 || c == 0xc3) && i + 1 < length && ((uint8_t) name[i + 1] & 0xc0) == 0x80)
			c = c << 6 | ((uint8_t) name[++i] & 0x3f);
		h = (h << 4) + (c & 0xff);
		g = h & 0xf0000000;
		if (g != 0)
		{
			h ^= g >> 24;
			h ^= g;
		}
	}
	return h;
}

static void
uid96_bounds(int64_t us, uint8_t *least, uint8_t *greatest)
{
	uid96_neighbourhood(us, UID_DRIFT_DEFAULT, least, greatest);
}

const FlakeFormat flake_uid96 = {
	.name = "uid96",
	.id = FLAKE_UID96,
	.shape = "A uid96 is 16 characters, each ., 0 to 9, A to Z, _ or a to z.",
	.digits = UID_DIGITS,
	.pattern = "^[.0-9A-Z_a-z]{16}$",
	.bytes = 12,
	.text_length = 16,
	.timestamp_bits = 50,
	.rate = UID_RATE,
	.sequence_bits = 14,
	.hashed_number = true,
	.hash_name = uid_hash_node,
	.drawn_from = &flake_uid64,
	.encode = uid96_encode,
	.decode = uid96_decode,
	.instant = uid96_instant,
	.bounds = uid96_bounds,
};

/* ---------- what PostgreSQL sees ---------- */

#ifndef FLAKE_STANDALONE

#define FT_NAME		uid96
#define FT_FORMAT	flake_uid96
#define FT_BYTES	12
#define FT_ABBREVIATE	uid96_abbreviate
#define FT_OWN_TIME
#define FT_NO_TIME_ORDER
#define FT_PARTS	UidParts
#define FT_UNPACK(id, parts)	uid96_unpack(id, uid_drift(fcinfo, 1), parts)
#include "types/type.h"

#include "mb/pg_wchar.h"

/* Return argument n as a drift, or the default; raise an error (22003) unless it is 5 to 10. */
static unsigned
uid_drift(FunctionCallInfo fcinfo, int n)
{
	int32		drift;

	if (PG_NARGS() <= n)
		return UID_DRIFT_DEFAULT;
	drift = PG_GETARG_INT32(n);
	if (drift < UID_DRIFT_MIN || drift > UID_DRIFT_MAX)
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("drift out of range for type uid96: %d", drift),
				 errdetail("It must be %d to %d.", UID_DRIFT_MIN, UID_DRIFT_MAX)));
	return (unsigned) drift;
}

/* Return the node of this database's IDs. */
static uint32
uid_own_node(void)
{
	return (uint32) flake_own(&flake_uid96)->number;
}

/* uid96_new(), uid96_new(drift): the next ID of this database's node. */
PG_FUNCTION_INFO_V1(uid96_new);
Datum
uid96_new(PG_FUNCTION_ARGS)
{
	unsigned	drift = uid_drift(fcinfo, 0);
	UidParts	parts;

	FLAKE_RESULT_REF(id, 12);

	uid_next(&flake_uid96, &parts);
	parts.node = (uint32) flake_identity.own[FLAKE_UID96].number;
	uid96_pack(&parts, drift, id);
	FLAKE_RETURN_REF(id);
}

/* uid96_new_at(timestamptz): an ID for an instant, with the next number that flake_new_at() gives to both types. */
PG_FUNCTION_INFO_V1(uid96_new_at);
Datum
uid96_new_at(PG_FUNCTION_ARGS)
{
	UidParts	parts;

	FLAKE_RESULT_REF(id, 12);

	parts.node = uid_own_node();
	parts.sequence = flake_new_at(&flake_uid64, 0, uid_parts_at(&flake_uid96, PG_GETARG_TIMESTAMPTZ(0), &parts), 1);
	uid96_pack(&parts, UID_DRIFT_DEFAULT, id);
	FLAKE_RETURN_REF(id);
}

/* uid96_make(timestamptz, node, sequence), uid96_make(timestamptz, node, sequence, drift) */
PG_FUNCTION_INFO_V1(uid96_make);
Datum
uid96_make(PG_FUNCTION_ARGS)
{
	UidParts	parts;

	FLAKE_RESULT_REF(id, 12);

	uid_parts_at(&flake_uid96, PG_GETARG_TIMESTAMPTZ(0), &parts);
	parts.node = (uint32) flake_part(&flake_uid96, "node", PG_GETARG_INT64(1), PG_UINT32_MAX);
	parts.sequence = flake_part(&flake_uid96, "sequence", PG_GETARG_INT32(2), 0x3fff);
	uid96_pack(&parts, uid_drift(fcinfo, 3), id);
	FLAKE_RETURN_REF(id);
}

/* The accessors, with an optional drift: uid96_node(uid96), uid96_node(uid96, drift) ... */
FT_PART(sequence, PG_RETURN_INT32, parts.sequence)
FT_PART(node, PG_RETURN_INT64, parts.node)
FT_PART(timestamp, PG_RETURN_TIMESTAMPTZ, flake_timestamptz(uid_instant(&parts)))

/* uid96_to_local(uid96), uid96_to_local(uid96, drift): the ID without its node. */
PG_FUNCTION_INFO_V1(uid96_to_local);
Datum
uid96_to_local(PG_FUNCTION_ARGS)
{
	UidParts	parts;

	FLAKE_ARG_REF(id, 0);
	FLAKE_RESULT_VALUE(local);

	uid96_unpack(id, uid_drift(fcinfo, 1), &parts);
	uid64_pack(&parts, local);
	FLAKE_RETURN_VALUE(local);
}

/* uid64_to_global(uid64), uid64_to_global(uid64, drift): the ID with this database's node. */
PG_FUNCTION_INFO_V1(uid64_to_global);
Datum
uid64_to_global(PG_FUNCTION_ARGS)
{
	unsigned	drift = uid_drift(fcinfo, 1);
	UidParts	parts;

	FLAKE_ARG_VALUE(id, 0);
	FLAKE_RESULT_REF(global, 12);

	uid64_unpack(id, &parts);
	parts.node = uid_own_node();
	uid96_pack(&parts, drift, global);
	FLAKE_RETURN_REF(global);
}

/*
 * Write a bound of an instant's neighbourhood; outside the span, the least or the greatest ID
 * of all.
 */
static void
uid96_bound(FunctionCallInfo fcinfo, bool upper, uint8 *id)
{
	int64		us = flake_us_saturated(PG_GETARG_TIMESTAMPTZ(0));
	unsigned	drift = uid_drift(fcinfo, 1);
	uint8		other[12];

	if (!flake_in_span(&flake_uid96.rate, us))
		flake_least(&flake_uid96, us, id);
	else if (upper)
		uid96_neighbourhood(us, drift, other, id);
	else
		uid96_neighbourhood(us, drift, id, other);
}

/* uid96_min(timestamptz), uid96_min(timestamptz, drift), and the same for _max */
FT_MAKER(uid96_min, uid96_bound(fcinfo, false, id))
FT_MAKER(uid96_max, uid96_bound(fcinfo, true, id))

/* uid_node_hash(name): Erlang's phash2 of the atom; an error (22023) for a name that is too long for one. */
PG_FUNCTION_INFO_V1(uid_node_hash);
Datum
uid_node_hash(PG_FUNCTION_ARGS)
{
	char	   *name = text_to_cstring(PG_GETARG_TEXT_PP(0));
	int			characters = pg_mbstrlen(name);

	if (characters > 255)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("node name is too long"),
				 errdetail("An Erlang atom has 255 characters at most, this name has %d.", characters)));
	name = pg_server_to_any(name, strlen(name), PG_UTF8);
	PG_RETURN_INT64(uid_hash_node(name, strlen(name)));
}

PG_FUNCTION_INFO_V1(uid_distance_uid96);
Datum
uid_distance_uid96(PG_FUNCTION_ARGS)
{
	UidParts	a_parts;
	UidParts	b_parts;

	FLAKE_ARG_REF(a, 0);
	FLAKE_ARG_REF(b, 1);

	uid96_unpack(a, UID_DRIFT_DEFAULT, &a_parts);
	uid96_unpack(b, UID_DRIFT_DEFAULT, &b_parts);
	if (a_parts.node != b_parts.node)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("uid96 IDs of different nodes have no distance"),
				 errdetail("The nodes are %u and %u.", a_parts.node, b_parts.node),
				 errhint("For the time alone, subtract their timestamps.")));
	return uid_difference(fcinfo, &a_parts, &b_parts);
}

#endif							/* !FLAKE_STANDALONE */
