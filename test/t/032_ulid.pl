# ulid_new() and uuid7_new() share one generator: concurrent sessions never get the same
# place in a millisecond twice, whatever random bits follow it, and every session's IDs
# increase.  IDs are in the order of their times across sessions, also across a crash and
# with the clock set back.  011_standby.pl tests how a standby, which has no generator,
# makes them.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;

use constant SESSIONS => 8;

my $clock = clock_available();
my $node = new_server('ulid', clock => $clock, conf => ['flakeid.node = 7']);

# An ID's place: its millisecond and the 18 bits of the counter, in hexadecimal.
$node->safe_psql('postgres', q(
	CREATE FUNCTION place(id ulid) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
		encode(substr(set_byte(id::bytea, 8, get_byte(id::bytea, 8) & 192), 1, 9), 'hex');
	CREATE FUNCTION place(u uuid) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
		encode(substr(uuid_send(u), 1, 6), 'hex') || lpad(to_hex(((get_byte(uuid_send(u), 6) & 15) << 20)
			| (get_byte(uuid_send(u), 7) << 12) | ((get_byte(uuid_send(u), 8) & 63) << 6)), 6, '0');
));
is($node->safe_psql('postgres', q(
		SELECT place('017f22e2-79b0-7cc3-98c4-dc0c0c07398f'::uuid), place('017f22e2-79b0-7fff-bfff-ffffffffffff'::uuid), place(ulid_max('epoch')))),
	'017f22e279b0cc3600|017f22e279b0ffffc0|000000000000ffffc0', 'the places are read from the right bits');

# Write some columns of a file, row by row, to a file with one field per line.
sub stream
{
	my ($file, $columns) = @_;
	my $stream = "$file." . ($columns =~ tr/,/_/r);

	system_or_bail('sh', '-c', 'cut -f "$2" <"$1" | tr "\t" "\n" >"$3"', 'sh', $file, $columns, $stream);
	return $stream;
}

# Once the sessions that made IDs are gone: a session adds its count to the total when it ends.
sub issued
{
	$node->poll_query_until('postgres',
		"SELECT count(*) = 1 FROM pg_stat_activity WHERE backend_type IN ('client backend', 'parallel worker')")
	  or die 'sessions stay';
	return $node->safe_psql('postgres', q(SELECT coalesce(sum(issued), 0) FROM flakeid_generators WHERE type = 'ulid'));
}

# ---------- concurrent sessions ----------

{
	my $rows = 70_000;
	my $before = issued();
	my @files = map { id_file($node, "at_once.$_") } 1 .. SESSIONS;
	my (%streams, @places);

	run_sessions($node, map { "
		COPY (
			SELECT id, u, place(id), place(u)
			FROM (SELECT ulid_new() AS id, uuid7_new() AS u FROM generate_series(1, $rows) OFFSET 0) AS made
		) TO '$_'" } @files);
	foreach my $column (1, 2)
	{
		my $name = $column == 1 ? 'ulid' : 'uuid7';

		@{ $streams{$name} } = map { stream($_, $column) } @files;
		is((grep { !increasing($_) } @{ $streams{$name} }), 0, "concurrent sessions: each one's $name increase");
		all_unique("concurrent sessions: no $name twice", SESSIONS * $rows, $streams{$name}, sorted => 1);
	}
	@places = map { stream($_, '3,4') } @files;
	is((grep { !increasing($_) } @places), 0, 'concurrent sessions: the places of both types increase together');
	all_unique('concurrent sessions: no place twice', 2 * SESSIONS * $rows, \@places, sorted => 1);
	is(issued() - $before, 2 * SESSIONS * $rows, 'concurrent sessions: and every one counted');
	unlink @files, @places, map { @$_ } values %streams;
}

# ---------- from pgx_ulid ----------

# As in docs/ulid.md, with a substitute for pgx_ulid's type: its name, its text, and its
# bytes, which are a length followed by the number in the machine's byte order.
SKIP:
{
	my $source = $node->basedir . '/pgx_ulid.c';
	my ($library, $steps);

	append_to_file($source, q[
		#include "postgres.h"
		#include "fmgr.h"
		#include "utils/builtins.h"
		#if __has_include("varatt.h")
		#include "varatt.h"
		#endif

		PG_MODULE_MAGIC;

		static const char digits[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

		PG_FUNCTION_INFO_V1(pgx_in);
		Datum
		pgx_in(PG_FUNCTION_ARGS)
		{
			bytea	   *id = palloc(VARHDRSZ + 16);
			uint64		low = 0;
			uint64		high = 0;

			for (const char *digit = PG_GETARG_CSTRING(0); *digit; digit++)
			{
				high = high << 5 | low >> 59;
				low = low << 5 | (uint64) (strchr(digits, pg_toupper(*digit)) - digits);
			}
			SET_VARSIZE(id, VARHDRSZ + 16);
			memcpy(VARDATA(id), &low, 8);
			memcpy(VARDATA(id) + 8, &high, 8);
			PG_RETURN_BYTEA_P(id);
		}

		PG_FUNCTION_INFO_V1(pgx_out);
		Datum
		pgx_out(PG_FUNCTION_ARGS)
		{
			char	   *text = palloc0(27);
			const char *id = VARDATA_ANY(PG_GETARG_BYTEA_PP(0));
			uint64		low;
			uint64		high;

			memcpy(&low, id, 8);
			memcpy(&high, id + 8, 8);
			for (int i = 25; i >= 0; i--)
			{
				text[i] = digits[low & 31];
				low = low >> 5 | high << 59;
				high >>= 5;
			}
			PG_RETURN_CSTRING(text);
		}
	]);
	$library = build_library($node, 'pgx_ulid', $source) or skip 'no compiler, or no headers of PostgreSQL', 4;
	($steps) = slurp_file("$FindBin::RealBin/../../docs/ulid.md") =~ /^## From pgx_ulid\n.*?^```sql\n(.*?)^```\n/ms or die 'no steps in docs/ulid.md';
	is($steps =~ s/^DROP EXTENSION pgx_ulid;/DROP TYPE public.ulid CASCADE;/m, 1, 'pgx_ulid: the steps of docs/ulid.md');
	$node->safe_psql('postgres', 'CREATE DATABASE app');
	$node->safe_psql('app', qq(
		CREATE TYPE ulid;
		CREATE FUNCTION pgx_in(cstring) RETURNS ulid AS '$library' LANGUAGE C IMMUTABLE STRICT;
		CREATE FUNCTION pgx_out(ulid) RETURNS cstring AS '$library' LANGUAGE C IMMUTABLE STRICT;
		CREATE TYPE ulid (INPUT = pgx_in, OUTPUT = pgx_out);
		CREATE FUNCTION gen_ulid() RETURNS ulid LANGUAGE sql RETURN '01KDVDNA00ZZZZZZZZZZZZZZZZ'::ulid;
		CREATE TABLE users (id ulid NOT NULL DEFAULT gen_ulid(), name text);
		INSERT INTO users VALUES ('01ARZ3NDEKTSV4RRFFQ69G5FAV', 'first'), ('7ZZZZZZZZZZZZZZZZZZZZZZZZZ', 'last');
		INSERT INTO users VALUES (DEFAULT, 'second')));
	$node->safe_psql('app', $steps);
	is($node->safe_psql('app', 'SELECT name, id FROM users ORDER BY id'),
		"first|01ARZ3NDEKTSV4RRFFQ69G5FAV\nsecond|01KDVDNA00ZZZZZZZZZZZZZZZZ\nlast|7ZZZZZZZZZZZZZZZZZZZZZZZZZ", 'pgx_ulid: the same IDs, in their order');
	is($node->safe_psql('app', q(INSERT INTO users (name) VALUES ('third') RETURNING id > timestamptz '2026-01-01', pg_typeof(id))), 't|ulid', 'pgx_ulid: new ones are ours');
	is($node->safe_psql('app', q(SELECT count(*) FROM pg_type WHERE typname = 'ulid')), '1', 'pgx_ulid: nothing is left of the other type');
}

# ---------- the clock ----------

SKIP:
{
	my ($last, @least);

	skip 'no compiler', 1 unless $clock;

	# The greatest of several IDs, as two columns; and the least.
	my $some = 'FROM (SELECT ulid_new() AS id, uuid7_new() AS u FROM generate_series(1, 1000) OFFSET 0) AS made';
	my $greatest = sub { return $node->safe_psql('postgres', "SELECT max(id), max(u::ulid) $some") };
	my $all_above = sub {
		my ($name, $ids) = @_;
		my ($id, $u) = split /\|/, $ids;

		local $Test::Builder::Level = $Test::Builder::Level + 1;
		return is($node->safe_psql('postgres', "SELECT min(id) > '$id', min(u::ulid) > '$u' $some"), 't|t', $name);
	};

	$last = $greatest->();
	$all_above->('another session: all above', $last);
	$last = $greatest->();
	set_clock($node, '-3');
	$all_above->('the clock 3 s back: all above', $last);

	# the last IDs are in no memory any more, but below the mark
	foreach my $back (4, 6)
	{
		$last = $greatest->();
		crash($node, all => 1);
		set_clock($node, "-$back");
		start_server($node);
		$all_above->("a crash, the clock $back s back: all above", $last);
	}

	# a session that stays open continues, too
	{
		my $session = session($node);
		my @ids;

		foreach my $offset ('-6', '-7', '-6.5', '-8', '+0')
		{
			set_clock($node, $offset);
			push @ids, split /\n/, attempt($session, 'SELECT ulid_new() FROM generate_series(1, 100)');
		}
		is((grep { $ids[$_] le $ids[ $_ - 1 ] } 1 .. $#ids), 0, 'a session, the clock back and forth: increasing');
		is(scalar(@ids), 500, 'and all of them there');
		$session->quit;
	}

	# beyond max_ahead both are refused, and their error gives the reason
	set_clock($node, '-600');
	foreach my $new ('ulid_new()', 'uuid7_new()')
	{
		my $session = session($node);

		like(attempt($session, "SELECT $new"), qr/$too_far_behind.*DETAIL: .*HINT: /s, "the clock 10 min back: $new is refused");
		$session->quit;
	}
}

$node->stop;
done_testing();
