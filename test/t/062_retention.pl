# Retention by flakeid_maintain() with a wrong clock, an old dump, a foreign key, a reader, a
# lock, several concurrent calls and a hostile owner.  It never removes a row younger than
# "retain", measured by the table's own rows.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";

use Flakeid;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use constant DAY => 86_400;

my $clock = clock_available();
my $node = new_server('retention', clock => $clock, server => [ "timezone = 'UTC'", 'max_locks_per_transaction = 256' ]);

# A key of each kind: its type, layout, and the ID of an instant.
my %keys = (
	by_sno => [ 'sno', '', 'sno_new_at(%s)' ],
	by_siq => [ 'siq', '', q(siq_make(%s, 1, 0, 8)) ],
	by_snowflake => [ 'snowflake', '', 'snowflake_make(%s, 1, 0, 0)' ],
	by_uid64 => [ 'uid64', '', 'uid64_make(%s, 1)' ],
	by_ulid => [ 'ulid', '', 'ulid_min(%s)' ],
	by_uuid7 => [ 'uuid', 'uuid7', 'uuid7_min(%s)' ],
	by_mastodon => [ 'bigint', 'mastodon', q(layout_min(%s, 'mastodon')) ]);

sub query
{
	return $node->safe_psql('postgres', shift);
}

# The nightly call: returns its messages.
sub maintain
{
	my ($name, %option) = @_;
	my $layout = $keys{$name} ? $keys{$name}->[1] : '';
	my $arguments = join '', map { ", $_ => $option{$_}" } grep { /^(?:at_most|detach)$/ } sort keys %option;
	my (undef, undef, $said) = $node->psql($option{database} || 'postgres',
		($option{set} || '') . "CALL flakeid_maintain('$name', '" . ($option{step} || '1 month') . "', ahead => 2, retain => '" . ($option{retain} || '90 days') . "', layout => '$layout'$arguments)");

	return $said;
}

# A table with one row per day, and its partitions: the current month's, the two after it and
# "months" before it.
sub table
{
	my ($name, $months) = @_;
	my ($type, $layout, $id) = @{ $keys{$name} || $keys{by_sno} };

	query("CREATE TABLE $name (id $type PRIMARY KEY) PARTITION BY RANGE (id);
		SELECT count(*) FROM flakeid_create_partitions('$name', date_trunc('month', now(), 'UTC') - interval '$months months', now() + interval '2 months', '1 month', '$layout');
		INSERT INTO $name SELECT " . sprintf($id, 'at') . " FROM generate_series(date_trunc('month', now(), 'UTC') - interval '$months months', now(), '1 day') AS at");
	return;
}

sub rows
{
	my ($name, $database) = @_;

	return $node->safe_psql($database || 'postgres', "SELECT count(*) FROM $name");
}

# ---------- clocks ----------

SKIP:
{
	skip 'libfaketime is not installed', 1 unless $clock;

	foreach my $name (sort keys %keys)
	{
		my ($before, $id) = (undef, sprintf $keys{$name}->[2], 'now()');

		table($name, 2);
		$before = rows($name);

		set_clock($node, sprintf '%+d', 365 * DAY);
		is(maintain($name), '', "$name: a year ahead, nobody writes: no error, and no removal");
		is(rows($name), $before, "$name: a year ahead, nobody writes: all rows are there");
		query("INSERT INTO $name VALUES ($id)");
		is(maintain($name), '', "$name: a year ahead, with a row of then: no removal");
		is(rows($name), $before + 1, "$name: a year ahead, with a row of then: all rows are there");

		set_clock($node, sprintf '%+d', -365 * DAY);
		is(maintain($name), '', "$name: a year late: no removal");
		is(rows($name), $before + 1, "$name: a year late: all rows are there");

		set_clock($node, '+0');
		is(maintain($name), '', "$name: right again: no removal");
		is(rows($name), $before + 1, "$name: right again: all rows are there");
		is($node->safe_psql('postgres', "INSERT INTO $name VALUES ($id) ON CONFLICT DO NOTHING; SELECT count(*) FROM flakeid_partitions('$name', layout => '$keys{$name}->[1]') WHERE now() >= lower_at AND now() < upper_at"),
			'1', "$name: right again: there is a partition for now");
	}

	# The jump stays within the existing partitions, or within one of them, and rows are inserted
	# at the wrong time.  The server's record of the jump is reset, as after a restart.
	foreach my $case ([ 'yearly', '1 year', '1 year', 365, "date_trunc('year', now(), 'UTC') - interval '1 year'" ],
		[ 'monthly', '1 month', '80 days', 58, "date_trunc('month', now(), 'UTC') - interval '2 months'" ],
		[ 'daily', '1 day', '10 days', 1, "date_trunc('day', now(), 'UTC') - interval '9 days'" ],
		[ 'within', '400 days', '150 days', 100, "date_trunc('day', now(), 'UTC') - interval '500 days'" ])
	{
		my ($name, $step, $retain, $days, $start) = @$case;
		my %option = (step => $step, retain => $retain, at_most => 9);
		my $ages = "SELECT string_agg(age::text, ' ' ORDER BY lower_at) FROM flakeid_partitions('$name')";
		my ($before, $age);

		query("CREATE TABLE $name (id sno PRIMARY KEY) PARTITION BY RANGE (id); SELECT count(*) FROM flakeid_create_partitions('$name', $start, now(), '$step')");
		is(maintain($name, %option), '', "$name: partitions are made ahead");
		query("INSERT INTO $name SELECT sno_new_at(at) FROM generate_series($start, now(), '1 day') AS at");
		($before, $age) = (rows($name), query($ages));

		set_clock($node, sprintf '%+d', $days * DAY);
		foreach my $night (1 .. 3)
		{
			set_clock($node, sprintf '%+d', ($days + $night / 4) * DAY);
			query("INSERT INTO $name SELECT sno_new_at(now() - n * interval '1 minute') FROM generate_series(0, 9) AS n; SELECT flakeid_stats_reset()");
			unlike(maintain($name, %option), qr/ERROR|dropped/, "$name: $days days ahead, with rows of then, call $night: no removal");
			is(rows($name), $before + 10 * $night, "$name: $days days ahead, with rows of then, call $night: all rows are there");
		}

		set_clock($node, '+0');
		is(query($ages), $age, "$name: right again: the same ages as before");
		is(maintain($name, %option), '', "$name: right again: no removal");
		is(rows($name), $before + 30, "$name: right again: all rows are there");
	}

	# the same for flakeid_drop_partitions
	set_clock($node, sprintf '%+d', 365 * DAY);
	query(q(SELECT flakeid_drop_partitions('by_ulid', now() - interval '90 days', at_most => 1000)));
	set_clock($node, '+0');
	cmp_ok(rows('by_ulid'), '>', 60, 'flakeid_drop_partitions, a year ahead: all rows are there');

	# a dump restored a year later, and an archive that nobody writes to
	my $file = PostgreSQL::Test::Utils::tempdir() . '/retention.dump';

	table('archived', 7);
	my $before = rows('archived');
	$node->command_ok([ 'pg_dump', '-Fc', '-f', $file, '-d', $node->connstr('postgres'), '-t', 'archived*', '-e', 'flakeid' ], 'pg_dump');
	set_clock($node, sprintf '%+d', 365 * DAY);
	query('CREATE DATABASE restored');
	$node->command_ok([ 'pg_restore', '-d', $node->connstr('restored'), $file ], 'pg_restore, a year later');
	# by its rows four or five months are past: the call asks, and does not remove them
	like(maintain('archived', database => 'restored'), qr/ERROR: .* [345] partitions are to be removed, but at_most is 2, so none was removed/, 'restored a year later: a person is asked');
	is(rows('archived', 'restored'), $before, 'restored a year later: all rows are there');
	like(maintain('archived', database => 'restored', at_most => 6), qr/NOTICE:  partition public\.archived_\d+ of table public\.archived is dropped/, 'restored a year later: partitions that are old by its rows are removed');
	is($node->safe_psql('restored', q(SELECT max(id)::timestamptz - min(id)::timestamptz >= '85 days', count(*) > 85 FROM archived)), 't|t', 'restored a year later: but no rows younger than 90 days by them');
	is(maintain('archived', database => 'restored'), '', 'restored a year later: and nothing more the next night');
	set_clock($node, '+0');
	query('DROP DATABASE restored');
}

# ---------- tables with few rows ----------

# All rows belong to one month, partitions continue, and then a current row is inserted.
query(q(CREATE TABLE idle (id sno PRIMARY KEY) PARTITION BY RANGE (id);
	SELECT count(*) FROM flakeid_create_partitions('idle', date_trunc('month', now(), 'UTC') - interval '4 months', now() + interval '2 months', '1 month');
	INSERT INTO idle SELECT sno_new_at(date_trunc('month', now(), 'UTC') - interval '4 months' + n * interval '1 hour') FROM generate_series(0, 600) AS n;
	INSERT INTO idle VALUES (sno_new_at(now()))));
is(maintain('idle', retain => '30 days'), '', 'idle, and a current row: no removal');
is(rows('idle'), 602, 'idle, and a current row: all rows are there');

# A pause of months does not count, whether or not there are partitions for it.
query(q(CREATE TABLE rested (id sno PRIMARY KEY) PARTITION BY RANGE (id);
	SELECT count(*) FROM flakeid_create_partitions('rested', date_trunc('month', now(), 'UTC') - interval '12 months', now() + interval '2 months', '1 month');
	INSERT INTO rested SELECT sno_new_at(at) FROM generate_series(date_trunc('month', now(), 'UTC') - interval '12 months', now(), '12 hours') AS at
		WHERE at NOT BETWEEN date_trunc('month', now(), 'UTC') - interval '6 months' AND date_trunc('month', now(), 'UTC') - interval '1 day'));
my $ages = q(SELECT string_agg(extract(day FROM age)::text, ' ' ORDER BY lower_at) FROM flakeid_partitions('rested'));
my $rested = query($ages);
my ($oldest) = $rested =~ /^(\d+)/;
my $days = query(q(SELECT floor(extract(epoch FROM max(id)::timestamptz - date_trunc('month', now(), 'UTC') + (date_trunc('month', now(), 'UTC') - interval '6 months') - (date_trunc('month', now(), 'UTC') - interval '11 months')) / 86400) FROM rested));
cmp_ok(abs($oldest - $days), '<=', 1, 'a pause of months: does not count');
query(q(DO $$ BEGIN EXECUTE format('DROP TABLE %s', (SELECT partition FROM flakeid_partitions('rested') WHERE lower_at = date_trunc('month', now(), 'UTC') - interval '3 months')); END $$));
like(query($ages), qr/^$oldest /, 'a pause of months: nor if a partition is missing');

# A month between rows is no pause if that is usual in the table, but a year is.
query(q(CREATE TABLE sparse (id sno PRIMARY KEY) PARTITION BY RANGE (id);
	SELECT count(*) FROM flakeid_create_partitions('sparse', date_trunc('month', now(), 'UTC') - interval '12 months', now() + interval '2 months', '1 month');
	INSERT INTO sparse SELECT sno_new_at(date_trunc('month', now(), 'UTC') - n * interval '1 month') FROM generate_series(0, 12) AS n));
like(maintain('sparse', at_most => 12), qr/dropped/, 'a row per month: old partitions are removed');
is(query(q(SELECT count(*) FROM sparse WHERE id >= date_trunc('month', now(), 'UTC') - interval '90 days')), query(q(SELECT count(*) FROM generate_series(0, 12) AS n WHERE date_trunc('month', now(), 'UTC') - n * interval '1 month' >= date_trunc('month', now(), 'UTC') - interval '90 days')),
	'a row per month: all younger rows are there');

# Without an index on the key, only the first and the last rows of partitions are searched for.
query(q(CREATE TABLE bare (id sno) PARTITION BY RANGE (id);
	SELECT count(*) FROM flakeid_create_partitions('bare', date_trunc('month', now(), 'UTC') - interval '4 months', now() + interval '2 months', '1 month');
	INSERT INTO bare SELECT sno_new_at(date_trunc('month', now(), 'UTC') - interval '4 months' + n * interval '1 hour') FROM generate_series(0, 600) AS n;
	INSERT INTO bare VALUES (sno_new_at(now()))));
is(maintain('bare', retain => '30 days'), '', 'no index: no removal');

# ---------- what the server knows of its clock ----------

SKIP:
{
	skip 'libfaketime is not installed', 1 unless $clock;

	table('doubted', 7);
	query('SELECT sno_new(0); SELECT flakeid_stats_reset()');
	my $before = rows('doubted');
	set_clock($node, sprintf '%+d', DAY);
	my $said = maintain('doubted', at_most => 9);
	like($said, qr/ERROR:  not all partitions of table "doubted" could be maintained: public\.doubted_\d+(?:, public\.doubted_\d+)+: to be removed, but the clock was set ahead, so none was removed/, 'a clock that was set ahead: the error names what would be removed');
	is(rows('doubted'), $before, 'a clock that was set ahead: all rows are there');
	is(query(q(SELECT count(*) FILTER (WHERE action = 'drop'), count(*) FILTER (WHERE note LIKE 'to be removed, but the clock was set ahead by %') > 2 FROM flakeid_partitions('doubted', '1 month', retain => '90 days', at_most => 9))), '0|t', 'a clock that was set ahead: shown');
	my (undef, undef, $error) = $node->psql('postgres', q(SELECT flakeid_drop_partitions('doubted', now() - interval '90 days', at_most => 9)));
	like($error, qr/ERROR:  \d partitions of table "public\.doubted" are to be removed, but the clock was set ahead\nDETAIL:  It was set ahead by /, 'a clock that was set ahead: flakeid_drop_partitions asks, too');
	query('SELECT flakeid_stats_reset()');
	like(maintain('doubted', at_most => 9), qr/dropped/, 'a clock that is right after all: old partitions are removed');
	set_clock($node, '+0');
	query('SELECT flakeid_stats_reset()');
}

# ---------- a long pause ----------

table('paused', 12);
query(q(DELETE FROM paused WHERE id >= date_trunc('month', now(), 'UTC')));
query(q(DO $$ BEGIN EXECUTE format('DROP TABLE %s', (SELECT partition FROM flakeid_partitions('paused') WHERE now() >= lower_at AND now() < upper_at)); END $$));
my $said = maintain('paused');
like($said, qr/ERROR:  not all partitions of table "paused" could be maintained: \d+ partitions are to be removed, but at_most is 2, so none was removed/, 'a pause: refused, with how many');
is(query(q(SELECT count(*) FROM flakeid_partitions('paused', '1 month') WHERE action = 'create')), '0', 'a pause: missing partitions are created all the same');
my $expected = query(q(SELECT string_agg(partition::text, ' ' ORDER BY lower_at) FROM flakeid_partitions('paused', '1 month', retain => '90 days', at_most => 20) WHERE action = 'detach' OR action = 'drop'));
my $logged = -s $node->logfile;
$said = maintain('paused', at_most => 20);
is(join(' ', $said =~ /NOTICE:  partition public\.(\S+) of table public\.paused is dropped: from \S+ \S+ to \S+ \S+, \d+ rows by the statistics/g), $expected, 'a pause: at_most => 20 removes what flakeid_partitions has shown');
is(join(' ', slurp_file($node->logfile, $logged) =~ /LOG:  partition public\.(\S+) of table public\.paused is dropped: from/g), $expected, 'each removal is in the log');
is(query(q(SELECT count(*) FROM paused WHERE id >= now() - interval '90 days')), query(q(SELECT count(*) FROM generate_series(date_trunc('month', now(), 'UTC') - interval '12 months', date_trunc('month', now(), 'UTC') - interval '1 s', '1 day') AS at WHERE at >= now() - interval '90 days')),
	'what is younger is all there');

# ---------- a failure does not stop the rest ----------

# Two partitions are past; "ahead" partitions are missing.
sub past
{
	my ($name) = @_;

	table($name, 7);
	my @list = split / /, query("SELECT string_agg(partition::text, ' ' ORDER BY lower_at) FROM flakeid_partitions('$name', '1 month', retain => '90 days', at_most => 9) WHERE action = 'drop'");
	my @surplus = (splice(@list, 0, -2), split / /, query("SELECT string_agg(partition::text, ' ') FROM flakeid_partitions('$name') WHERE lower_at > now()"));
	query('DROP TABLE ' . join(', ', @surplus));
	return @list;
}

my @past = past('referred');
is(scalar @past, 2, 'two partitions are past');
query(q(CREATE TABLE refers (id sno REFERENCES referred); INSERT INTO refers SELECT min(id) FROM referred));
$said = maintain('referred');
like($said, qr/ERROR:  not all partitions of table "referred" could be maintained: \S*$past[0]: removing partition "$past[0]" violates foreign key constraint/, 'a foreign key: the error names the partition');
is(query(q(SELECT count(*) FILTER (WHERE lower_at > now()) FROM flakeid_partitions('referred'))), '2', 'a foreign key: partitions are created');
is(query("SELECT to_regclass('$past[0]') IS NOT NULL, to_regclass('$past[1]') IS NULL"), 't|t', 'a foreign key: the other one is removed');
like(maintain('referred'), qr/$past[0]: removing partition/, 'a foreign key: the next night reports it, too');
query('DROP TABLE refers');
$said = maintain('referred');
like($said, qr/NOTICE:  partition public\.$past[0] .*dropped/, 'a foreign key: when it is gone the partition is removed');
unlike($said, qr/ERROR/, 'a foreign key: when it is gone there is no error');

@past = past('read');
my $hand = session($node);
attempt($hand, "BEGIN; SELECT count(*) FROM $past[0]");
like(maintain('read', set => q(SET lock_timeout = '100ms'; )), qr/ERROR:.*\Q$past[0]\E: canceling statement due to lock timeout/, 'a reader: the error names what it has kept');
is(query("SELECT to_regclass('$past[0]') IS NOT NULL, count(*) FILTER (WHERE lower_at > now()) FROM flakeid_partitions('read')"), 't|2', 'a reader: partitions are created');
attempt($hand, 'COMMIT');
unlike(maintain('read'), qr/ERROR/, 'a reader: the next call does the rest');
is(query("SELECT to_regclass('$past[0]') IS NULL, to_regclass('$past[1]') IS NULL"), 't|t', 'a reader: the partitions are gone');

# a lock on the partition of the newest row, such as VACUUM FULL takes
@past = past('locked');
my $inherited = q(SELECT count(*) FROM pg_inherits JOIN pg_class AS c ON c.oid = inhrelid WHERE inhparent = 'locked'::regclass);
my $count = query($inherited);
attempt($hand, 'BEGIN; LOCK TABLE ' . query(q(SELECT partition FROM flakeid_partitions('locked') WHERE now() >= lower_at AND now() < upper_at)));
is(query(q(SET lock_timeout = '1s'; SELECT count(*) FROM flakeid_partitions('locked', '1 month') WHERE action = 'create')), '2', 'a lock: missing partitions are listed');
like(maintain('locked', set => q(SET lock_timeout = '100ms'; )), qr/ERROR:.*could not determine the partitions to remove: canceling statement due to lock timeout/, 'a lock: an error');
is(query($inherited), $count + 2, 'a lock: partitions are created, and none is removed');
attempt($hand, 'ROLLBACK');
unlike(maintain('locked'), qr/ERROR/, 'a lock: the next call does the rest');

# A partition dropped while flakeid_partitions() reads the table's rows is left out.
foreach my $case ([ 'going', 'the oldest', 'ASC' ], [ 'gone', 'the newest', 'DESC' ], [ 'unkeyed', 'one without an index', 'ASC' ])
{
	my ($name, $which, $order) = @$case;
	my $look = session($node);
	my ($victim, $others, $pid);

	table($name, 4);
	query("ALTER TABLE $name DROP CONSTRAINT ${name}_pkey") if $name eq 'unkeyed';
	$victim = query("SELECT partition FROM flakeid_partitions('$name') WHERE lower_at <= now() ORDER BY lower_at $order LIMIT 1");
	$others = query("SELECT string_agg(partition::text, ' ' ORDER BY lower_at) FROM flakeid_partitions('$name') WHERE partition <> '$victim'::regclass");
	$pid = attempt($look, 'SELECT pg_backend_pid()');
	attempt($hand, "BEGIN; DROP TABLE $victim");
	$look->query_until(qr/begun/, "\\echo begun\nSELECT string_agg(partition::text, ' ' ORDER BY lower_at) FROM flakeid_partitions('$name', '1 month', retain => '30 days', at_most => 0) WHERE action IS DISTINCT FROM 'create';\n");
	ok($node->poll_query_until('postgres', "SELECT count(*) = 1 FROM pg_locks WHERE pid = $pid AND NOT granted"), "$which is dropped during a query: the query waits");
	attempt($hand, 'COMMIT');
	is(attempt($look, 'SELECT 1') =~ s/\n1$//r, $others, "$which is dropped during a query: the others are listed");
	$look->quit;
}

# detached, not dropped
@past = past('kept');
like(maintain('kept', detach => 'true'), qr/partition public\.$past[0] .* is detached/, 'detach: a notice');
is(query("SELECT count(*) > 25 FROM $past[0]"), 't', 'detach: the rows are there');

# ---------- partitions attached by hand ----------

# An old partition that does not match the table's steps is named and kept; those that match are
# removed when they are old.
table('extended', 7);
query(q(CREATE TABLE extended_archive (id sno PRIMARY KEY); INSERT INTO extended_archive SELECT sno_new_at('2015-03-05'::timestamptz + n * interval '1 hour') FROM generate_series(1, 5) AS n;
	DO $$ BEGIN EXECUTE format('ALTER TABLE extended ATTACH PARTITION extended_archive FOR VALUES FROM (%L) TO (%L)', sno_min(timestamptz '2015-03-03 07:00Z'), sno_min(timestamptz '2015-04-07 05:00Z')); END $$));
like($said = maintain('extended', at_most => 9), qr/NOTICE:  partitions of table "public\.extended" are kept, because their step is not [^:]*: public\.extended_archive$/m, 'attached by hand: it is named');
like($said, qr/partition public\.extended_\d+ of table public\.extended is dropped/, 'attached by hand: others are removed');
is(rows('extended_archive'), '5', 'attached by hand: its rows are there');

# ---------- several concurrent calls ----------

foreach my $count (2, 5)
{
	@past = past("busy$count");
	my $inherited = 'SELECT count(*) FROM pg_inherits WHERE inhparent = ' . "'busy$count'::regclass";
	my $before = query($inherited);

	run_sessions($node, ("SET client_min_messages = warning; CALL flakeid_maintain('busy$count', '1 month', ahead => 40, retain => '90 days');\n" x 3) x $count);
	is(query($inherited), $before - @past + 40, "$count concurrent calls: no error, and everything is done once");
	is(query("SELECT count(*) FROM busy$count WHERE id >= now() - interval '90 days'"), 90, "$count concurrent calls: all younger rows are there");
}

# ---------- a hostile owner ----------

# The owner's code in a CHECK, an index, a trigger, a policy and a default makes the owner a
# superuser if a superuser runs it.
query(q(
	CREATE ROLE mallory LOGIN; CREATE ROLE member LOGIN IN ROLE mallory; CREATE SCHEMA app AUTHORIZATION mallory;
	CREATE TABLE public.seen (who text); GRANT INSERT, SELECT ON public.seen TO PUBLIC;));
query(q(SET ROLE mallory; SET search_path = app, public;
	CREATE FUNCTION app.bait() RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$
	BEGIN
		INSERT INTO public.seen VALUES (current_user);
		PERFORM set_config('search_path', 'app, pg_catalog', false);
		RETURN 0;
	EXCEPTION WHEN OTHERS THEN
		RETURN 0;
	END $$;
	CREATE TABLE app.t (id sno, n int DEFAULT app.bait() CHECK (n > app.bait())) PARTITION BY RANGE (id);
	CREATE INDEX ON app.t (id) WHERE n > app.bait();
	CREATE TABLE app.rest PARTITION OF app.t DEFAULT;
	CREATE STATISTICS app.s ON (n + app.bait()), id FROM app.t;
	ALTER TABLE app.t ENABLE ROW LEVEL SECURITY;
	CREATE POLICY p ON app.t USING (n > app.bait());
	SELECT count(*) FROM flakeid_create_partitions('app.t', '2026-01-01', '2026-03-01', '1 month')));
foreach my $call (q(CALL flakeid_maintain('app.t', '1 month', retain => '1 day')), q(SELECT * FROM flakeid_partitions('app.t')),
	q(SELECT flakeid_create_partitions('app.t', '2026-01-01', '2026-04-01', '1 month')), q(SELECT flakeid_drop_partitions('app.t', now(), force => true)))
{
	query('TRUNCATE seen');
	my (undef, undef, $error) = $node->psql('postgres', "\\set VERBOSITY verbose\n$call");
	like($error, qr/ERROR:  42501: must be owner of table "t"\nDETAIL:  Its owner is role "mallory"\.\nHINT:  .*in a session of the owner, as pg_cron does/, "a superuser is refused: $call");
	is(query('SELECT count(*) FROM seen'), '0', "and runs none of the owner's code: $call");
	(undef, undef, $error) = $node->psql('postgres', $call, extra_params => [ '-U', 'member' ]);
	unlike($error, qr/must be owner of table "t"/, "a member of the owner's role is not: $call");
	is(query(q(SELECT count(*) FROM seen WHERE who NOT IN ('mallory', 'member'))), '0', "and the code runs as the caller: $call");
}

$hand->quit;
$node->stop;
done_testing();
