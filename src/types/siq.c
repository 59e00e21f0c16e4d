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
 * The seconds last until 36812-02-20.  The qualifier says the type of the thing
 * named.  It is the last 3, 4 or 5 bits, and no qualifier ends in another one; a tick has
 * 8192, 4096 or 2048 serials of a type.
 *
 * Text: the number of 112 bits in Crockford's base 32, upper case, 23 digits with leading
 * zeros.  siq_format() and siq_parse() write and read the library's other notations.
 */
#include "types/siq.h"

#define SIQ_TEXT		23
#define SIQ_TEXT_LEAST	20		/* up to three leading zeros may be missing */

static const uint8_t siq_value[256] = {FLAKE_CROCKFORD_VALUES};
static const FlakeAlphabet siq_alphabet = {FLAKE_CROCKFORD_DIGITS, siq_value, 5};

inline void
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
	flake_put_digits(&siq_alphabet, flake_load(id, 4), text, 7);
	flake_put_digits(&siq_alphabet, flake_load(id + 4, 5), text + 7, 8);
	flake_put_digits(&siq_alphabet, flake_load(id + 9, 5), text + 15, 8);
	text[SIQ_TEXT] = '\0';
}

static bool
siq_decode(const char *text, size_t length, uint8_t *id)
{
	char		padded[SIQ_TEXT];
	uint64_t	parts[3];

	if (length < SIQ_TEXT_LEAST || length > SIQ_TEXT)
		return false;
	memset(padded, '0', SIQ_TEXT);
	memcpy(padded + SIQ_TEXT - length, text, length);
	if (!flake_get_digits(&siq_alphabet, padded, 7, &parts[0]) || parts[0] > UINT32_MAX ||
		!flake_get_digits(&siq_alphabet, padded + 7, 8, &parts[1]) ||
		!flake_get_digits(&siq_alphabet, padded + 15, 8, &parts[2]))
		return false;
	flake_store(id, 4, parts[0]);
	flake_store(id + 4, 5, parts[1]);
	flake_store(id + 9, 5, parts[2]);
	return true;
}

const FlakeFormat flake_siq = {
	.name = "siq",
	.id = FLAKE_SIQ,
	.shape = "A siq is 23 digits of Crockford's base 32 (0 to 9 and A to Z without I, L, O and U), of which the first is 0 to 3, or did:siq: with a checksum.",
	.digits = FLAKE_CROCKFORD_DIGITS,
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
	.number_field = "shard",
	.encode = siq_encode,
	.decode = siq_decode,
	.notations = siq_notations,
};

/* ---------- types ---------- */

/*
 * The library's SiqType, whose values are these qualifiers after a leading one bit that
 * marks their length.  Leaves, which contain nothing, are odd.
 */
const SiqType siq_types[SIQ_TYPES] = {
	{"content", 3, 7},
	{"multi", 3, 3},
	{"manytomany", 3, 5},
	{"ternary", 3, 1},
	{"tag", 5, 2},
	{"channel", 5, 10},
	{"thread", 4, 6},
	{"message", 4, 14},
	{"user", 5, 0},
	{"group", 5, 4},
	{"event", 5, 8},
	{"invite", 5, 12},
	{"application", 5, 16},
	{"collection", 5, 20},
	{"premium", 5, 24},
};

/* Return how many bits the qualifier at the end of low16 has; 18, 26 and 28, which no type has, have 5. */
unsigned
siq_qualifier_bits(unsigned low16)
{
	if (low16 & 1)
		return 3;
	return (low16 & 7) == 6 ? 4 : 5;
}

/* Return the place in siq_types of the type whose qualifier low16 ends in, or -1. */
int
siq_find_type(unsigned low16)
{
	unsigned	bits = siq_qualifier_bits(low16);

	for (int i = 0; i < SIQ_TYPES; i++)
		if (siq_types[i].bits == bits && siq_types[i].qualifier == (low16 & ((1u << bits) - 1)))
			return i;
	return -1;
}

/* ---------- the library's notations ---------- */

/*
 * Each writes the ID as a number in some base.  b and l have more digits than 14 bytes
 * need, because the library writes 15 bytes in them.  c strips leading zeros as the
 * library does, so that zero is the empty text; 0c puts one zero back.
 */
const FlakeNotation siq_notations[SIQ_NOTATIONS + 1] = {
	[SIQ_BASE64] = {"b", &flake_base64, 64, 20, 20, 0,
	"It is 20 characters of base 64 (A to Z, a to z, 0 to 9, - and _), of which the first is A and the second A to P."},
	[SIQ_CROCKFORD] = {"c", &flake_crockford, 32, 0, 24, 0,
	"It is a number below 2^112 in Crockford's base 32, with 24 digits at most."},
	[SIQ_CROCKFORD_0] = {"0c", &flake_crockford, 32, 0, 24, 0,
	"It is a number below 2^112 in Crockford's base 32, with a 0 before it and 24 digits at most."},
	[SIQ_DECIMAL] = {"d", &flake_hex, 10, 1, 34, 0,
	"It is a number below 2^112 in decimal, with 34 digits at most."},
	[SIQ_BASE32] = {"l", &flake_base32, 32, 24, 24, 0,
	"It is 24 characters of base 32 (a to z and 2 to 7), of which the first is a and the second a to d."},
	[SIQ_OCTAL] = {"o", &flake_hex, 8, 1, 38, 0,
	"It is a number below 2^112 in octal, with 38 digits at most."},
	[SIQ_DID] = {"u", &flake_base32, 32, 23, 23, 0,
	"It is 29 characters of base 32 (a to z and 2 to 7), with or without did:siq: before them."},
	[SIQ_HEX] = {"x", &flake_hex, 16, 1, 28, 0,
	"It is a number below 2^112 in hexadecimal, with 28 digits at most."},
};

/*
 * Write an ID in a notation; "text" has room for FLAKE_MAX_DIGITS and a NUL.  SIQ_DID puts
 * "checksum", the CRC-32 of the ID's bytes, as 33 bits before the 112 of the ID, so the first
 * of the ID's 23 digits carries the last 3 bits of the checksum.
 */
void
siq_write(SiqNotationId which, const uint8_t *id, uint32_t checksum, char *text)
{
	if (which == SIQ_CROCKFORD_0)
		*text++ = '0';
	flake_write_number(&siq_notations[which], id, 14, which == SIQ_DID ? text + 6 : text);
	if (which == SIQ_DID)
		flake_put_digits(&flake_base32, (uint64_t) checksum << 2 | id[0] >> 6, text, 7);
}

/*
 * Read an ID in a notation; return false, and leave the ID alone, if the text is none.
 * For SIQ_DID the caller must compare *checksum with the ID's; a good one has 0 as its
 * 33rd bit.
 */
bool
siq_read(SiqNotationId which, const char *text, size_t length, uint8_t *id,
		 uint64_t *checksum)
{
	const FlakeNotation *notation = &siq_notations[which];
	char		own[SIQ_TEXT];

	if (which == SIQ_CROCKFORD_0 && (length == 0 || text[0] != '0'))
		return false;
	if (which != SIQ_DID)
		return flake_read_number(notation, text, length, id, 14);

	if (length > 8 && memcmp(text, "did:siq:", 8) == 0)
	{
		text += 8;
		length -= 8;
	}
	if (length != 6 + SIQ_TEXT || !flake_get_digits(&flake_base32, text, 7, checksum))
		return false;
	memcpy(own, text + 6, SIQ_TEXT);
	own[0] = flake_base32.digits[*checksum & 3];
	*checksum >>= 2;
	return flake_read_number(notation, own, SIQ_TEXT, id, 14);
}

/* ---------- what PostgreSQL sees ---------- */

#ifndef FLAKE_STANDALONE

#include "types/types.h"

static bool siq_read_text(const char *text, uint8 *id, struct Node *escontext);

#define FT_NAME		siq
#define FT_FORMAT	flake_siq
#define FT_BYTES	14
#define FT_NUMERIC
#define FT_READ		siq_read_text
#define FT_HORIZON
#define FT_PARTS	SiqParts
#define FT_UNPACK	siq_unpack
#include "types/type.h"

#include "common/int.h"
#include "common/string.h"
#include "nodes/primnodes.h"
#include "utils/pg_crc.h"

/* ---------- text ---------- */

/* The CRC-32 of an ID's bytes, as zlib's, in did:siq: texts. */
static uint32
siq_checksum(const uint8 *id)
{
	pg_crc32	crc;

	INIT_TRADITIONAL_CRC32(crc);
	COMP_TRADITIONAL_CRC32(crc, id, 14);
	FIN_TRADITIONAL_CRC32(crc);
	return crc;
}

#define WRONG_CHECKSUM	"The checksum is not that of the ID, so at least one of its characters is wrong."

/* Read what siq_in accepts: did:siq:... in addition to what every type's input accepts. */
static bool
siq_read_text(const char *text, uint8 *id, struct Node *escontext)
{
	uint64_t	checksum;

	if (strncmp(text, "did:siq:", 8) != 0 ||
		!siq_read(SIQ_DID, text, strlen(text), id, &checksum))
		return flake_in(&flake_siq, text, id, escontext);
	if (checksum != siq_checksum(id))
		ereturn(escontext, false,
				(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
				 errmsg("invalid input syntax for type siq: \"%s\"", text),
				 errdetail(WRONG_CHECKSUM)));
	return true;
}

/* siq_format(siq, format): the ID in one of the library's notations. */
PG_FUNCTION_INFO_V1(siq_format);
Datum
siq_format(PG_FUNCTION_ARGS)
{
	const FlakeNotation *notation = flake_notation_named(&flake_siq, PG_GETARG_TEXT_PP(1));
	char		text[FLAKE_MAX_DIGITS + 1];

	FLAKE_ARG_REF(id, 0);

	siq_write((SiqNotationId) (notation - siq_notations), id, siq_checksum(id), text);
	PG_RETURN_TEXT_P(cstring_to_text(text));
}

/*
 * siq_parse(text, format): the ID of a text; an error (22P02) for a text that siq_read()
 * refuses.
 */
PG_FUNCTION_INFO_V1(siq_parse);
Datum
siq_parse(PG_FUNCTION_ARGS)
{
	char	   *string = text_to_cstring(PG_GETARG_TEXT_PP(0));
	const FlakeNotation *notation = flake_notation_named(&flake_siq, PG_GETARG_TEXT_PP(1));
	SiqNotationId which = (SiqNotationId) (notation - siq_notations);
	uint64_t	checksum;
	bool		good;

	FLAKE_RESULT_REF(id, 14);

	good = siq_read(which, string, strlen(string), id, &checksum);
	if (!good || (which == SIQ_DID && checksum != siq_checksum(id)))
		flake_not_in_notation(&flake_siq, notation, string, good ? WRONG_CHECKSUM : notation->shape);
	FLAKE_RETURN_REF(id);
}

/* ---------- domains and types ---------- */

/*
 * Return the hash of a domain argument: see flake_hash_domain().  Raise an error (22023) for
 * a name that is not ASCII, because the library knows no IDNA.
 */
static uint32
siq_hash_text(const text *domain, int local_id)
{
	char	   *name = text_to_cstring(domain);

	if (!pg_is_ascii(name))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("domain name is not ASCII: \"%s\"", name),
				 errhint("Write an international domain name in its xn-- form.")));
	return flake_hash_domain(name, local_id);
}

/* siq_domain_hash(domain), siq_domain_hash(domain, local_id): an error (22003) for a negative local_id. */
PG_FUNCTION_INFO_V1(siq_domain_hash);
Datum
siq_domain_hash(PG_FUNCTION_ARGS)
{
	int			local_id = PG_NARGS() < 2 ? 0
		: flake_part(&flake_siq, "local_id", PG_GETARG_INT32(1), PG_INT32_MAX);

	PG_RETURN_INT64(siq_hash_text(PG_GETARG_TEXT_PP(0), local_id));
}

/* Return the type of this name; raise an error (22P02) if there is none. */
const SiqType *
siq_type_named(const text *name)
{
	size_t		length = VARSIZE_ANY_EXHDR(name);
	const char *string = VARDATA_ANY(name);
	StringInfoData names;

	for (int i = 0; i < SIQ_TYPES && length > 0; i++)
	{
		const char *label = siq_types[i].label;

		if (label[0] == string[0] && strncmp(label, string, length) == 0 && label[length] == '\0')
			return &siq_types[i];
	}
	initStringInfo(&names);
	for (int i = 0; i < SIQ_TYPES; i++)
		appendStringInfo(&names, "%s%s", i == 0 ? "" : ", ", siq_types[i].label);
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
			 errmsg("unrecognized type of siq: \"%s\"", text_to_cstring(name)),
			 errhint("The types are %s.", names.data)));
}

/*
 * What a call site remembers in fn_extra, so that an ID costs neither a search for the type
 * nor a SHA-256.
 */
typedef struct SiqCallSite
{
	const SiqType *type;		/* what a constant argument names; NULL: it is
								 * none */
	uint32		hash;			/* of domain and local_id */
	int			local_id;
	size_t		domain_length;	/* 0: none */
	char		domain[256];	/* what is longer is not kept */
} SiqCallSite;

/* Return the type that argument n names.  The first call makes the call site. */
static pg_noinline const SiqType *
siq_look_up_type(FunctionCallInfo fcinfo, int n)
{
	const SiqType *type = siq_type_named(PG_GETARG_TEXT_PP(n));
	const Node *call = fcinfo->flinfo->fn_expr;

	if (fcinfo->flinfo->fn_extra == NULL)
	{
		SiqCallSite *site = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt, sizeof(SiqCallSite));

		if (call != NULL && IsA(call, FuncExpr) && IsA(list_nth(((const FuncExpr *) call)->args, n), Const))
			site->type = type;
		fcinfo->flinfo->fn_extra = site;
	}
	return type;
}

/* Return the type that argument n names. */
static inline const SiqType *
siq_type_argument(FunctionCallInfo fcinfo, int n)
{
	const SiqCallSite *site = fcinfo->flinfo->fn_extra;

	if (likely(site != NULL && site->type != NULL))
		return site->type;
	return siq_look_up_type(fcinfo, n);
}

/* Return the hash of local_id and the domain in argument n; siq_type_argument() has made the call site. */
static uint32
siq_domain_argument(FunctionCallInfo fcinfo, int n, int local_id)
{
	SiqCallSite *site = fcinfo->flinfo->fn_extra;
	text	   *domain = PG_GETARG_TEXT_PP(n);
	size_t		length = VARSIZE_ANY_EXHDR(domain);

	if (length == 0 || length != site->domain_length || local_id != site->local_id ||
		memcmp(VARDATA_ANY(domain), site->domain, length) != 0)
	{
		uint32		hash = siq_hash_text(domain, local_id);

		if (length > sizeof(site->domain))
			return hash;
		site->hash = hash;
		site->local_id = local_id;
		site->domain_length = length;
		memcpy(site->domain, VARDATA_ANY(domain), length);
	}
	return site->hash;
}

/* ---------- new IDs ---------- */

/*
 * Return the domain hash of a new ID: of argument n, if there is one, else of
 * flakeid.siq_domain.  The caller has brought the identity up to date.
 */
static uint32
siq_own_domain(FunctionCallInfo fcinfo, int n)
{
	return PG_NARGS() > n ? siq_domain_argument(fcinfo, n, flake_identity.siq_local_id)
		: flake_identity.siq_domain;
}

/* siq_new(type), siq_new(type, domain): the next ID, of the domain in flakeid.siq_domain or of the one given. */
PG_FUNCTION_INFO_V1(siq_new);
Datum
siq_new(PG_FUNCTION_ARGS)
{
	const SiqType *type = siq_type_argument(fcinfo, 0);

	/* longer qualifiers take 2 or 4 numbers: all types increase together */
	const FlakeTicket *ticket = flake_generate(flake_siq.name, &flake_siq, FLAKE_OWN, 1 << (type->bits - 3));
	SiqParts	parts;

	FLAKE_RESULT_REF(id, 14);

	parts.ticks = ticket->tick;
	parts.shard = ticket->number;
	parts.domain = siq_own_domain(fcinfo, 1);
	parts.low16 = ticket->sequence << 3 | type->qualifier;
	siq_pack(&parts, id);
	FLAKE_RETURN_REF(id);
}

/*
 * siq_new_at(timestamptz, type), siq_new_at(timestamptz, type, domain): an ID for an
 * instant, with the next number that flake_new_at() gives.
 */
PG_FUNCTION_INFO_V1(siq_new_at);
Datum
siq_new_at(PG_FUNCTION_ARGS)
{
	int64		us = flake_us_in_span(&flake_siq, PG_GETARG_TIMESTAMPTZ(0));
	const SiqType *type = siq_type_argument(fcinfo, 1);
	SiqParts	parts;

	FLAKE_RESULT_REF(id, 14);

	parts.ticks = flake_tick_of(&flake_siq.rate, us);
	parts.shard = (unsigned) flake_own(&flake_siq)->number;
	parts.domain = siq_own_domain(fcinfo, 2);
	parts.low16 = flake_new_at(&flake_siq, parts.shard, parts.ticks, 1 << (type->bits - 3)) << 3 | type->qualifier;
	siq_pack(&parts, id);
	FLAKE_RETURN_REF(id);
}

/* siq_make(timestamptz, shard, domain_hash, low16), siq_make(..., serial, type): an ID from its parts. */
PG_FUNCTION_INFO_V1(siq_make);
Datum
siq_make(PG_FUNCTION_ARGS)
{
	int64		us = flake_us_in_span(&flake_siq, PG_GETARG_TIMESTAMPTZ(0));
	int64		domain = PG_GETARG_INT64(2);
	SiqParts	parts;

	FLAKE_RESULT_REF(id, 14);

	if (domain < 0 || domain > PG_UINT32_MAX)
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("domain hash out of range for type siq: " INT64_FORMAT, domain),
				 errdetail("It must be 0 to %u.", PG_UINT32_MAX)));
	parts.ticks = flake_tick_of(&flake_siq.rate, us);
	parts.shard = flake_part(&flake_siq, "shard", PG_GETARG_INT32(1), 255);
	parts.domain = (uint32) domain;
	if (PG_NARGS() < 5)
		parts.low16 = flake_part(&flake_siq, "low16", PG_GETARG_INT32(3), 65535);
	else
	{
		const SiqType *type = siq_type_argument(fcinfo, 4);

		parts.low16 = flake_part(&flake_siq, "serial", PG_GETARG_INT32(3),
								 (1 << (16 - type->bits)) - 1) << type->bits | type->qualifier;
	}
	siq_pack(&parts, id);
	FLAKE_RETURN_REF(id);
}

/* ---------- parts ---------- */

/* The accessors: one part each. */
FT_PART(shard, PG_RETURN_INT32, parts.shard)
FT_PART(domain, PG_RETURN_INT64, parts.domain)
FT_PART(serial, PG_RETURN_INT32, parts.low16 >> siq_qualifier_bits(parts.low16))
FT_PART(qualifier, PG_RETURN_INT32, parts.low16 & ((1 << siq_qualifier_bits(parts.low16)) - 1))
FT_PART(is_leaf, PG_RETURN_BOOL, (parts.low16 & 1) != 0)

/* The type; NULL for one of the three qualifiers that have none. */
PG_FUNCTION_INFO_V1(siq_type_of);
Datum
siq_type_of(PG_FUNCTION_ARGS)
{
	SiqParts	parts;
	int			type;

	FLAKE_ARG_REF(id, 0);

	siq_unpack(id, &parts);
	type = siq_find_type(parts.low16);
	if (type < 0)
		PG_RETURN_NULL();
	PG_RETURN_TEXT_P(cstring_to_text(siq_types[type].label));
}

/* ---------- casts ---------- */

/*
 * The cast to a version 8 UUID, which sorts as the ID does: the 112 bits are in order around
 * the version and the variant, and 10 zero bits are at the end.
 */
PG_FUNCTION_INFO_V1(siq_to_uuid);
Datum
siq_to_uuid(PG_FUNCTION_ARGS)
{
	pg_uuid_t  *uuid = palloc(sizeof(pg_uuid_t));
	uint64		high;
	uint64		low;

	FLAKE_ARG_REF(id, 0);

	high = flake_load(id, 8);
	low = flake_load(id + 8, 6);
	flake_store(uuid->data, 6, high >> 16);
	flake_store(uuid->data + 6, 2, UINT64CONST(8) << 12 | (high >> 4 & 0xfff));
	flake_store(uuid->data + 8, 8, UINT64CONST(2) << 62 | (high & 0xf) << 58 | low << 10);
	PG_RETURN_UUID_P(uuid);
}

PG_FUNCTION_INFO_V1(siq_from_uuid);
Datum
siq_from_uuid(PG_FUNCTION_ARGS)
{
	const uint8 *uuid = PG_GETARG_UUID_P(0)->data;
	uint64		high = flake_load(uuid, 8);
	uint64		low = flake_load(uuid + 8, 8);

	FLAKE_RESULT_REF(id, 14);

	if ((high >> 12 & 0xf) != 8 || low >> 62 != 2 || (low & 0x3ff) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
				 errmsg("uuid is not a siq: \"%s\"", DatumGetCString(DirectFunctionCall1(uuid_out, PG_GETARG_DATUM(0)))),
				 errdetail("The uuid of a siq has version 8 and the variant of RFC 9562, and ends in 10 zero bits.")));
	flake_store(id, 8, (high >> 16) << 16 | (high & 0xfff) << 4 | (low >> 58 & 0xf));
	flake_store(id + 8, 6, low >> 10);
	FLAKE_RETURN_REF(id);
}

/* ---------- migration ---------- */

/*
 * siq_from_snowflake(snowflake, domain, type), or with the snowflake's epoch as a fourth
 * argument: a siq that no other snowflake becomes.  What has no room in shard and serial is
 * added to the ticks, of which a millisecond has 65.  An error (22008) outside siq's span.
 */
PG_FUNCTION_INFO_V1(siq_from_snowflake);
Datum
siq_from_snowflake(PG_FUNCTION_ARGS)
{
	const SiqType *type = siq_type_argument(fcinfo, 2);
	TimestampTz epoch = PG_NARGS() < 4 ? flake_timestamptz(flake_snowflake.rate.epoch_us)
		: PG_GETARG_TIMESTAMPTZ(3);
	TimestampTz at = epoch;
	uint64		value;
	SiqParts	parts;

	FLAKE_ARG_VALUE(snowflake, 0);
	FLAKE_RESULT_REF(id, 14);

	value = flake_load(snowflake, 8);
	if (!TIMESTAMP_NOT_FINITE(epoch) &&
		pg_add_s64_overflow(epoch, (int64) (value >> 22) * 1000, &at))
		at = DT_NOEND;
	parts.ticks = flake_tick_of(&flake_siq.rate, flake_us_in_span(&flake_siq, at));
	if (type->bits > 4)
		parts.ticks += (value >> 20 & 3) << 1 | (value >> 11 & 1);
	else
		parts.ticks += value >> 20 & 3;
	/* in the last ticks of the span, what was added may have led beyond it */
	flake_us_in_span(&flake_siq, flake_timestamptz(flake_us_of(&flake_siq.rate, parts.ticks)));
	parts.shard = value >> 12 & 0xff;
	parts.domain = siq_domain_argument(fcinfo, 1, 0);
	parts.low16 = ((value & 0xfff) << type->bits | type->qualifier) & 0xffff;
	siq_pack(&parts, id);
	FLAKE_RETURN_REF(id);
}

/*
 * siq_from_ulid(ulid, domain, type): the siq of the ULID's millisecond, with the first 30 of
 * the 80 random bits.  The others are lost, so two ULIDs of one millisecond can become one siq.
 */
PG_FUNCTION_INFO_V1(siq_from_ulid);
Datum
siq_from_ulid(PG_FUNCTION_ARGS)
{
	const SiqType *type = siq_type_argument(fcinfo, 2);
	uint8		ulid[16];
	uint64		random;			/* the first 40 of the 80 bits */
	SiqParts	parts;

	FLAKE_RESULT_REF(id, 14);

	ulid_from_text(PG_GETARG_TEXT_PP(0), false, true, ulid);
	random = flake_load(ulid + 6, 5);
	parts.ticks = (flake_load(ulid, 6) << 16) / 1000 + (random >> 34);
	parts.shard = random >> 26 & 0xff;
	parts.domain = siq_domain_argument(fcinfo, 1, 0);
	parts.low16 = random >> 10 & 0xffff;
	parts.low16 = (parts.low16 >> type->bits) << type->bits | type->qualifier;
	siq_pack(&parts, id);
	FLAKE_RETURN_REF(id);
}

#endif							/* !FLAKE_STANDALONE */
