# flakeid_watch(): IDs that a twin has made, a server with the same number, are counted
# when they arrive by a subscription or by COPY and this database cannot have issued them:
# of every type that carries a number, and never one of its own, whatever the clock did.
# What it cannot see is shown, too.  Rows arrive also where the generators refuse.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";

use Flakeid;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my %option = (
	conf => [ 'flakeid.node = 7', "flakeid.siq_domain = 'example.com'", "flakeid.uid_node = 'seven'", "flakeid.sno_sequence = '0-999'" ],
	init => { allows_streaming => 'logical' });
my $node = new_server('watched', %option, clock => clock_available());
my $twin = new_server('twin', %option);
my $table = q(event (sno sno PRIMARY KEY DEFAULT sno_new(0), siq siq DEFAULT siq_new('message'),
	snowflake snowflake DEFAULT snowflake_new(), uid96 uid96 DEFAULT uid96_new(), uid64 uid64 DEFAULT uid64_new(), n int));

sub told
{
	my ($columns) = @_;

	return $node->safe_psql('postgres', "SELECT $columns FROM flakeid_clock");
}

sub counted
{
	my ($name, $count) = @_;

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	return is(told('twins'), $count, $name);
}

sub fails
{
	my ($name, $sql, $error) = @_;
	my $answer = '';

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	$node->psql('postgres', $sql, stderr => \$answer, extra_params => [ '-v', 'VERBOSITY=verbose' ]);
	return like($answer, $error, $name);
}

# ---------- a subscription ----------

foreach ($node, $twin)
{
	$_->safe_psql('postgres', "CREATE TABLE $table; CREATE TABLE seen (LIKE event); ALTER TABLE seen ALTER sno DROP NOT NULL");
}
$node->safe_psql('postgres', q(SELECT flakeid_watch('event'), flakeid_watch('event'), flakeid_watch('seen')));
is($node->safe_psql('postgres', q(SELECT tgrelid::regclass, tgenabled, pg_get_triggerdef(oid) FROM pg_trigger WHERE tgname = 'flakeid_watch' AND tgrelid = 'event'::regclass)),
	'event|A|CREATE TRIGGER flakeid_watch AFTER INSERT ON public.event FOR EACH ROW EXECUTE FUNCTION flakeid_watch_row()',
	'one trigger, which always fires');

$node->safe_psql('postgres', 'INSERT INTO event SELECT FROM generate_series(1, 1000)');
counted('IDs of its own', 0);
$twin->safe_psql('postgres', 'CREATE PUBLICATION event FOR TABLE event');
$node->safe_psql('postgres', q(CREATE SUBSCRIPTION event CONNECTION ') . $twin->connstr . q( dbname=postgres' PUBLICATION event));
$node->wait_for_subscription_sync($twin, 'event');
$twin->safe_psql('postgres', 'INSERT INTO event SELECT FROM generate_series(1, 10)');
$twin->wait_for_catchup('event');
counted('a twin by a subscription: sno, siq, snowflake and uid96 of each row', 40);
is(told('last_twin BETWEEN since AND clock, last_twin_table'), 't|public.event', 'a twin: when, and in which table');
is($node->safe_psql('postgres', 'SELECT last_twin_id = max(uid96)::text FROM flakeid_clock, event GROUP BY last_twin_id'), 't', 'a twin: its last ID');
like(slurp_file($node->logfile), qr/LOG: .*(?:sno|siq|snowflake|uid96) ".*" in table "public.event" has this database's number, but was not issued here\n.*DETAIL:  Its time is .*HINT: /s,
	'a twin: the log tells');

# whose table it is is nobody else's affair
$node->safe_psql('postgres', 'CREATE ROLE reader');
is($node->safe_psql('postgres', 'SET ROLE reader; SELECT twins > 0, last_twin IS NOT NULL, last_twin_table, last_twin_id FROM flakeid_clock'), 't|t||', 'who may not read the table is not shown its IDs');

# no proof of absence: what a twin made before the newest of ours may be ours
$node->safe_psql('postgres', 'ALTER SUBSCRIPTION event DISABLE');
$twin->safe_psql('postgres', 'INSERT INTO event SELECT FROM generate_series(1, 10)');
$node->safe_psql('postgres', 'INSERT INTO event SELECT FROM generate_series(1, 10)');
$node->safe_psql('postgres', 'ALTER SUBSCRIPTION event ENABLE');
$twin->wait_for_catchup('event');
counted('a twin that was earlier is not seen', 40);
is($node->safe_psql('postgres', 'SELECT count(*) FROM event'), 1030, 'all rows are there');

# ---------- COPY ----------

my $file = id_file($twin, 'twin');

$twin->safe_psql('postgres', "COPY (SELECT sno_new(0), siq_new('message'), snowflake_new(), uid96_new(), uid64_new(), n FROM generate_series(1, 10) AS n) TO '$file'");
$node->safe_psql('postgres', "COPY seen FROM '$file'");
counted('a twin by COPY', 80);
$node->safe_psql('postgres', 'CREATE TABLE back AS TABLE event; TRUNCATE event; DELETE FROM back USING seen WHERE back.sno = seen.sno');
$node->safe_psql('postgres', 'SELECT flakeid_stats_reset()');
is(told('twins, last_twin, last_twin_table, last_twin_id'), '0|||', 'reset');
$node->safe_psql('postgres', 'INSERT INTO seen TABLE back');
counted('its own once more', 0);

# ---------- others, who are no twins ----------

my $later = q(now() + interval '1 minute');

$node->safe_psql('postgres', qq(CREATE TEMP TABLE mine (id sno);
	CREATE TRIGGER watch BEFORE INSERT ON mine FOR EACH ROW EXECUTE FUNCTION flakeid_watch_row();
	INSERT INTO mine VALUES (sno_make($later, 0, 7, 1))));
counted('a temporary table, which nothing arrives in', 0);

foreach my $other (
	[ 'another partition', "(sno) VALUES (sno_make($later, 0, 8, 0))" ],
	[ 'a sequence that is not ours', "(sno) VALUES (sno_make($later, 0, 7, 1000))" ],
	[ 'another shard', "(siq) VALUES (siq_make($later, 8, siq_domain_hash('example.com'), 0))" ],
	[ 'another domain', "(siq) VALUES (siq_make($later, 7, siq_domain_hash('example.org'), 0))" ],
	[ 'another worker', "(snowflake) VALUES (snowflake_make($later, 8, 0, 0))" ],
	[ 'another node', "(uid96) VALUES (uid96_make($later, 8, 0))" ],
	[ 'a type without a number', "(uid64) VALUES (uid64_make($later, 0))" ],
	[ 'nothing', 'DEFAULT VALUES' ])
{
	$node->safe_psql('postgres', "INSERT INTO seen $other->[1]");
	counted("no twin: $other->[0]", 0);
}
$node->safe_psql('postgres', "INSERT INTO seen (sno, siq, snowflake, uid96)
	SELECT sno_make($later, 255, 7, 999), siq_make($later, 7, siq_domain_hash('example.com'), 65535),
		snowflake_make($later, 7, 31, 4095), uid96_make($later, uid_node, 16383) FROM flakeid_clock");
counted('one of the future by hand is a false alarm, of each type', 4);
$node->safe_psql('postgres', 'SELECT flakeid_stats_reset()');
is($node->safe_psql('postgres', "SELECT flakeid_of_twin('sno', sno_make($later, 255, 7, 999)::bytea), flakeid_of_twin('sno', sno_new(0)::bytea), flakeid_of_twin('flax', flax_new()::bytea)"),
	't|f|f', 'the same asked of an ID');

# ---------- what is its own after a start ----------

$node->stop;
start_server($node);
$node->safe_psql('postgres', 'TRUNCATE seen; INSERT INTO seen TABLE back');
counted('its own after a start', 0);
$node->safe_psql('postgres', "INSERT INTO seen (sno) VALUES (sno_make(now() + interval '1 minute', 0, 7, 0))");
counted('a twin after a start, before an ID of its own', 1);
$node->safe_psql('postgres', 'SELECT flakeid_stats_reset()');

# ---------- what the clock does ----------

SKIP:
{
	skip 'libfaketime is not installed', 1 unless clock_available();

	$node->safe_psql('postgres', 'ALTER SUBSCRIPTION event DISABLE');
	set_clock($node, yesterday('10:00:00'));
	$node->safe_psql('postgres', 'SELECT flakeid_clock_reset(now(), force => true); SELECT flakeid_stats_reset(); INSERT INTO event DEFAULT VALUES');
	set_clock($node, yesterday('10:01:00'));
	$node->safe_psql('postgres', 'TRUNCATE event; INSERT INTO event DEFAULT VALUES');
	set_clock($node, yesterday('10:00:30'));
	$node->safe_psql('postgres', 'INSERT INTO event VALUES (sno_new(0), NULL, NULL, NULL, NULL)');
	is($node->safe_psql('postgres', 'SELECT count(DISTINCT sno_tick_tock(sno)) FROM event'), 2, 'sno has gone to its other timeline');
	$node->safe_psql('postgres', 'INSERT INTO seen TABLE event');
	counted('its own of both timelines', 0);
	$node->safe_psql('postgres', q(INSERT INTO seen (sno) SELECT sno_make(clock + interval '1 second', 0, 7, 0, tick_tock = 1) FROM flakeid_clock));
	counted('a twin on this timeline', 1);

	# issued while the clock was wrong
	$node->safe_psql('postgres', 'SELECT flakeid_stats_reset()');
	set_clock($node, yesterday('15:00:00'));
	$node->safe_psql('postgres', 'TRUNCATE event; INSERT INTO event DEFAULT VALUES');
	set_clock($node, yesterday('10:01:30'));
	$node->safe_psql('postgres', 'SELECT flakeid_clock_reset(now()); INSERT INTO event DEFAULT VALUES; INSERT INTO seen TABLE event');
	counted('its own of a time that is retired', 0);
	set_clock($node, '+0');
}

# ---------- tables ----------

$node->safe_psql('postgres', 'CREATE ROLE owner; CREATE ROLE stranger; CREATE SCHEMA "Of Mine" AUTHORIZATION owner; CREATE DOMAIN key AS sno; CREATE DOMAIN key2 AS key');
$node->safe_psql('postgres', q(
	SET ROLE owner;
	-- what a search_path may have in front
	CREATE FUNCTION "Of Mine".format(text, regclass) RETURNS text LANGUAGE sql AS 'SELECT NULL::text';
	CREATE FUNCTION "Of Mine".flakeid_watch_row() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''not me''; END';
	CREATE TABLE "Of Mine"."A table" (gone int, id key2, n int) PARTITION BY LIST (n);
	CREATE TABLE "Of Mine".one PARTITION OF "Of Mine"."A table" FOR VALUES IN (1);
	ALTER TABLE "Of Mine"."A table" DROP gone;
	SET search_path = "Of Mine", pg_catalog, public;
	SELECT flakeid_watch('"A table"');
	CREATE TABLE two PARTITION OF "A table" FOR VALUES IN (2)));
is($node->safe_psql('postgres', q(SELECT string_agg(format('%s %s', tgrelid::regclass, tgenabled), ', ' ORDER BY tgrelid::regclass::text) FROM pg_trigger WHERE tgname = 'flakeid_watch' AND tgrelid::regclass::text ~ 'Of Mine')),
	'"Of Mine"."A table" A, "Of Mine".one A, "Of Mine".two A', 'a partitioned table of an owner who is no superuser: partitions, too');
$node->safe_psql('postgres', qq(SELECT flakeid_stats_reset(); INSERT INTO "Of Mine"."A table" SELECT sno_make($later, 0, 7, 0), n FROM generate_series(1, 2) AS n));
is(told('twins, last_twin_table'), '2|"Of Mine".two', 'a domain over a domain, in partitions');
fails('a stranger', q(SET ROLE stranger; SELECT public.flakeid_watch('seen')), qr/ERROR:  42501/);
fails('no ID', 'CREATE TABLE plain (id uid64, ulid ulid, uuid uuid, flax flax); SELECT flakeid_watch(\'plain\')',
	qr/ERROR:  42809: table "public.plain" has no column whose IDs carry a number\nDETAIL:  Those of type sno, siq, uid96 and snowflake do/);
fails('a view', q(SELECT flakeid_watch('flakeid_clock')), qr/ERROR:  42809: "public.flakeid_clock" is not a table/);
fails('called by hand', q(SELECT flakeid_watch_row()), qr/ERROR:  39P01/);
fails('another trigger', 'CREATE TABLE wrong (id sno); CREATE TRIGGER wrong AFTER DELETE ON wrong FOR EACH STATEMENT EXECUTE FUNCTION flakeid_watch_row(); DELETE FROM wrong',
	qr/ERROR:  39P01/);
is($node->safe_psql('postgres', q(SELECT count(flakeid_unwatch('"Of Mine"."A table"')), count(flakeid_unwatch('plain')))) . $node->safe_psql('postgres', q(SELECT count(*) FROM pg_trigger WHERE tgname = 'flakeid_watch' AND tgrelid::regclass::text ~ 'Of Mine')),
	'1|10', 'not watched any more');

# ---------- a dump ----------

my $dump = id_file($node, 'dump');

$node->command_ok([ 'pg_dump', '-f', $dump, '-T', 'wrong', '-d', $node->connstr('postgres') ], 'a dump');
$node->safe_psql('postgres', 'CREATE DATABASE restored');
$node->command_ok([ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-f', $dump, '-d', $node->connstr('restored') ], 'is restored');
is($node->safe_psql('restored', q(SELECT tgrelid::regclass, tgenabled FROM pg_trigger WHERE tgname = 'flakeid_watch' ORDER BY 1)), "event|A\nseen|A", 'with the triggers');

# ---------- where the generators refuse ----------

$node->safe_psql('postgres', 'SELECT flakeid_stats_reset(); CREATE INDEX ON _flakeid.mark (kind)');
$node->stop;
start_server($node);
fails('no IDs are made', 'SELECT snowflake_new()', qr/ERROR:  55000/);
$node->safe_psql('postgres', "INSERT INTO seen SELECT sno_make($later, 0, 7, n) FROM generate_series(1, 100) AS n");
is($node->safe_psql('postgres', q(SELECT count(*) >= 100 FROM seen)), 't', 'but rows arrive');

$node->stop;
$twin->stop;
done_testing();
