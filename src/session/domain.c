/*
 * domain.c
 *		The hash of a domain's name in siqs.
 */
#include "session/session.h"

#include "common/cryptohash.h"
#include "common/sha2.h"

/*
 * Return the hash of a domain name: the last four bytes of the SHA-256 of its ASCII characters,
 * the first of them replaced by a local_id other than 0, modulo 256; or 0 for '' and '0'.
 * Reports 53200 if the server's SHA-256 fails.
 */
uint32
flake_hash_domain(const char *domain, int local_id)
{
	uint8		digest[PG_SHA256_DIGEST_LENGTH];
	pg_cryptohash_ctx *context;
	bool		done;

	if (domain[0] == '\0' || strcmp(domain, "0") == 0)
		return 0;
	context = pg_cryptohash_create(PG_SHA256);
	done = context != NULL &&
		pg_cryptohash_init(context) >= 0 &&
		pg_cryptohash_update(context, (const uint8 *) domain, strlen(domain)) >= 0 &&
		pg_cryptohash_final(context, digest, sizeof(digest)) >= 0;
	pg_cryptohash_free(context);
	if (!done)
		ereport(ERROR,
				(errcode(ERRCODE_OUT_OF_MEMORY),
				 errmsg("could not compute the SHA-256 of a domain name")));
	if (local_id != 0)
		digest[28] = (uint8) local_id;
	return (uint32) flake_load(digest + 28, 4);
}
