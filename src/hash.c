/*
 * hash.c
 *		The hashes of names that IDs carry: siq those of domains, uid96 those of nodes.
 *
 * The first half of this file is the kernel's; the second needs PostgreSQL's
 * SHA-256.
 */
#include "uid.h"

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

#ifndef FLAKE_STANDALONE

#include "flakeid.h"

#include "common/cryptohash.h"
#include "common/sha2.h"
#include "utils/resowner.h"

/*
 * Compute the hash of a domain name: the last four bytes of the SHA-256 of its ASCII
 * characters, or 0 for '' and '0'.  A local_id other than 0 replaces the first of these
 * four bytes, modulo 256, except for '' and '0'.  Return false if the server's SHA-256
 * fails; raise no error, because the check hook of a setting calls this.
 */
bool
flake_hash_domain(const char *domain, int local_id, uint32 *hash)
{
	ResourceOwner owner = CurrentResourceOwner;
	uint8		digest[PG_SHA256_DIGEST_LENGTH];
	pg_cryptohash_ctx *context;
	bool		done;

	*hash = 0;
	if (domain[0] == '\0' || strcmp(domain, "0") == 0)
		return true;

	/* the postmaster reads the settings, too, and has no resource owner */
	if (owner == NULL)
		CurrentResourceOwner = ResourceOwnerCreate(NULL, "flakeid");
	context = pg_cryptohash_create(PG_SHA256);
	done = context != NULL &&
		pg_cryptohash_init(context) >= 0 &&
		pg_cryptohash_update(context, (const uint8 *) domain, strlen(domain)) >= 0 &&
		pg_cryptohash_final(context, digest, sizeof(digest)) >= 0;
	pg_cryptohash_free(context);
	if (owner == NULL)
	{
		ResourceOwner own = CurrentResourceOwner;

		CurrentResourceOwner = NULL;
		ResourceOwnerDelete(own);
	}
	if (!done)
		return false;

	if (local_id != 0)
		digest[28] = (uint8) local_id;
	*hash = (uint32) flake_load(digest + 28, 4);
	return true;
}

#endif							/* !FLAKE_STANDALONE */
