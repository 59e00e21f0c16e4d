# flakeid_doctor(): each fault is made, found, mended by the statement that stands beside
# it, and gone.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";

use Flakeid;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $clock = clock_available();
my $node = new_server('doctor', clock => $clock, extension => 0, init => { allows_streaming => 1 });

if ($clock)
{
	$node->stop;
	set_clock($node, yesterday('10:00:00'));
	start_server($node);
}
$node->safe_psql('postgres', 'CREATE EXTENSION flakeid');

# What is found, but for the machine's own: whether its clock is synchronised.  A finding a line.
sub findings
{
	return $node->safe_psql('postgres', q(
		SELECT severity, subject, finding FROM flakeid_doctor() WHERE finding NOT LIKE '%not synchronised%'));
}

# A reload at the very moment of the last one is none: the clock stands still until it is set.
my $milliseconds = 0;

sub later
{
	set_clock($node, yesterday(sprintf '10:00:0%.1f', ($milliseconds += 100) / 1000)) if $clock && $milliseconds < 9900;
	return;
}

# The fault is found, its statement runs, and it is gone.
sub mended
{
	my ($name, $severity, $subject, $finding, %option) = @_;
	my $sql = 'FROM flakeid_doctor() WHERE subject = ' . "'$subject' AND finding ~ '$finding'";
	my $mend;

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	like(findings(), qr/^\Q$severity|$subject\E\|.*$finding/m, "$name: found");
	$mend = $node->safe_psql('postgres', "SELECT mend $sql LIMIT 1");
	$option{before}->() if $option{before};
	like($mend, qr/\w/, "$name: with a statement");
	later() if $mend =~ /pg_reload_conf/;
	is(($node->psql('postgres', $mend, on_error_stop => 1))[0], 0, "$name: $mend") unless $option{by_hand};
	$option{after}->() if $option{after};
	return ok($node->poll_query_until('postgres', "SELECT count(*) = 0 $sql"), "$name: gone");
}

# ---------- preload ----------

if ($node->pg_version->major < 17)
{
	mended('not preloaded', 'notice', 'shared_preload_libraries', 'server start',
		after => sub { $node->stop; start_server($node) });
}
is(findings(), $node->safe_psql('postgres', 'SELECT flakeid_clock_synchronised()') eq 't' ? 'ok|flakeid|Nothing was found.' : '', 'nothing is found');
is($node->safe_psql('postgres', q(SELECT library = extversion FROM flakeid_version(), pg_extension WHERE extname = 'flakeid')), 't', 'the library tells its version');

# ---------- version ----------

SKIP:
{
	my $path = $node->config_data('--sharedir') . '/extension';

	skip "$path is not ours to write", 1 unless -w $path;
	$node->safe_psql('postgres', q(UPDATE pg_extension SET extversion = '0.9' WHERE extname = 'flakeid'));
	mended('an older extension', 'error', 'version', 'The library is version',
		before => sub { append_to_file("$path/flakeid--0.9--1.0.sql", "-- nothing\n") },
		after => sub { unlink "$path/flakeid--0.9--1.0.sql" });
}

# ---------- who this database is ----------

$node->safe_psql('postgres', 'CREATE PUBLICATION one');
mended('derived, and published', 'warning', 'flakeid.node', 'publications: 1');
later();
$node->safe_psql('postgres', 'DROP PUBLICATION one; ALTER SYSTEM RESET flakeid.node; SELECT pg_reload_conf()');
$node->safe_psql('postgres', q(SELECT pg_create_physical_replication_slot('one')));
ok($node->poll_query_until('postgres', q(SELECT EXISTS (SELECT FROM flakeid_doctor() WHERE subject = 'flakeid.node'))), 'derived, again');
mended('derived, and a slot', 'warning', 'flakeid.node', 'replication slots: 1');
$node->safe_psql('postgres', q(SELECT pg_drop_replication_slot('one')));

later();
configure($node, "flakeid.sno_sequence = '0-100000'");
mended('a setting out of range', 'error', 'settings', 'sno_sequence',
	before => sub { write_settings($node) },    # postgresql.conf is corrected
	after => sub { $node->poll_query_until('postgres', 'SELECT setting_fault IS NULL FROM flakeid_clock') });

# ---------- the mark ----------

$node->safe_psql('postgres', 'SELECT sno_new(0), snowflake_new()');
$node->safe_psql('postgres', "SET session_replication_role = replica;
	ALTER TABLE _flakeid.mark DISABLE TRIGGER mark_insert; INSERT INTO _flakeid.mark SELECT * FROM _flakeid.mark;
	ALTER TABLE _flakeid.mark ENABLE ALWAYS TRIGGER mark_insert");
mended('rows twice', 'warning', '_flakeid.mark', 'has 6 rows');
$node->safe_psql('postgres', 'ALTER TABLE _flakeid.mark ENABLE TRIGGER mark_change');
mended('a weak trigger', 'warning', '_flakeid.mark', 'Trigger mark_change');
$node->safe_psql('postgres', 'CREATE INDEX mark_index ON _flakeid.mark (kind)');
mended('an index', 'error', '_flakeid.mark', 'has an index');
$node->safe_psql('postgres', 'ALTER TABLE _flakeid.mark DISABLE TRIGGER mark_change; DELETE FROM _flakeid.mark WHERE kind = 2;
	ALTER TABLE _flakeid.mark ENABLE ALWAYS TRIGGER mark_change');
mended('a row missing', 'error', '_flakeid.mark', 'lacks a row');

# ---------- tables ----------

$node->safe_psql('postgres', q(
	CREATE TABLE reading (id sno DEFAULT sno_new(0), value int) PARTITION BY RANGE (id);
	SELECT flakeid_create_partitions('reading', date_trunc('month', now(), 'UTC') - interval '2 months', date_trunc('month', now(), 'UTC') - interval '1 month', '1 month');
	CREATE TABLE reading_rest PARTITION OF reading DEFAULT));
$node->safe_psql('postgres', 'INSERT INTO reading SELECT sno_new(0), n FROM generate_series(1, 100) AS n; ANALYZE reading');
mended('rows in the default partition', 'warning', 'table public.reading', 'Default partition public.reading_rest');
is($node->safe_psql('postgres', 'SELECT count(*), (SELECT count(*) FROM reading_rest) FROM reading'), '100|0', 'rows in the default partition: all are kept');
$node->safe_psql('postgres', 'DROP TABLE reading');

$node->safe_psql('postgres', q(
	CREATE TABLE event (id snowflake DEFAULT snowflake_new(), value int) PARTITION BY RANGE (id);
	SELECT flakeid_create_partitions('event', date_trunc('day', now(), 'UTC'), date_trunc('day', now(), 'UTC') + interval '1 day', '1 day')));
mended('no next partition', 'warning', 'table public.event', 'The last partition ends');
$node->safe_psql('postgres', 'INSERT INTO event SELECT snowflake_new(), n FROM generate_series(1, 100) AS n');
$node->poll_query_until('postgres', q(SELECT sum(n_live_tup) = 100 FROM pg_stat_user_tables WHERE relname LIKE 'event\_%'));
mended('no statistics', 'warning', 'table public.event', 'no statistics');
$node->safe_psql('postgres', 'DROP TABLE event');

# ---------- the clock ----------

SKIP:
{
	skip 'libfaketime is not installed', 1 unless $clock;

	$node->psql('postgres', 'SELECT count(uid64_new()) FROM generate_series(1, 16384 + 1)');
	mended('a tick used up', 'warning', 'generator uid64 0', 'used up');

	set_clock($node, yesterday('15:00:00'));
	$node->safe_psql('postgres', 'SELECT sno_new(0), snowflake_new()');
	set_clock($node, yesterday('10:00:10'));
	mended('the clock was wrong', 'error', 'clock', 'which is more than flakeid.max_ahead later');
	mended('retired', 'notice', 'retired interval', 'made while the clock was wrong');

	$node->safe_psql('postgres', 'SELECT snowflake_new()');
	set_clock($node, yesterday('10:00:20'));
	$node->safe_psql('postgres', 'SELECT snowflake_new()');
	set_clock($node, yesterday('10:00:12'));
	mended('ahead of the clock', 'warning', 'clock', 'ahead of the clock', by_hand => 1, after => sub { set_clock($node, yesterday('10:00:20')) });
}

unlike(findings(), qr/^(?:error|warning)/m, 'in the end nothing is wrong');

# ---------- who may ask ----------

$node->safe_psql('postgres', 'CREATE ROLE stranger; CREATE ROLE owner; CREATE DATABASE theirs OWNER owner');
$node->safe_psql('theirs', 'CREATE EXTENSION flakeid');
is($node->safe_psql('theirs', q(SET ROLE owner; SELECT count(*) > 0 FROM flakeid_doctor())), 't', 'the owner of the database may ask');
isnt(($node->psql('theirs', 'SET ROLE stranger; SELECT flakeid_doctor()', on_error_stop => 1))[0], 0, 'a stranger may not');

$node->stop;

# ---------- moved or cloned ----------

# Whoever derives the numbers of another server is told: once by the log after a start, and
# by the doctor until he has numbers of his own, or says that the other one is gone.
{
	my $origin = new_server('origin', init => { allows_streaming => 1 });
	my $make = 'SELECT count(sno_new(0)) FROM pg_sleep(0.01)';
	my ($clone, $standby, $at, $dump);
	my $warns = sub {
		my ($name, $times, $server, $database) = @_;
		my $before = -s $server->logfile;

		local $Test::Builder::Level = $Test::Builder::Level + 1;
		$server->restart if !defined $database;
		is($server->safe_psql($database || 'postgres', $make), '1', "$name: an ID") foreach 1 .. 2;
		return is(scalar(() = slurp_file($server->logfile, $before) =~ /WARNING:  this server was moved or cloned/g), $times, "$name: warnings");
	};
	my $told = sub {
		my ($name, $found, $server, $database) = @_;

		local $Test::Builder::Level = $Test::Builder::Level + 1;
		return is($server->safe_psql($database || 'postgres', q(SELECT string_agg(severity || ' ' || subject, ',') FROM flakeid_doctor() WHERE finding ~ '^This server was moved or cloned')),
			$found ? 'warning flakeid.node' : '', "$name: " . ($found ? 'told' : 'not told'));
	};

	$warns->('the original', 0, $origin);
	$told->('the original', 0, $origin);
	$origin->backup('base');
	$clone = server_from('clone', $origin, 'base');
	start_server($clone);
	$told->('a clone, before its first ID', 1, $clone);
	$warns->('a clone', 1, $clone, 'postgres');
	$warns->('a clone, started again', 1, $clone);
	$told->('a clone', 1, $clone);

	$clone->safe_psql('postgres', q(LOAD 'flakeid'; ALTER SYSTEM SET flakeid.node = 5));
	$warns->('a number of its own', 0, $clone);
	$told->('a number of its own', 0, $clone);
	$clone->safe_psql('postgres', q(LOAD 'flakeid'; ALTER SYSTEM RESET flakeid.node));
	$warns->('derived again', 1, $clone);
	$told->('derived again', 1, $clone);
	$clone->safe_psql('postgres', 'SELECT flakeid_accept_place()');
	$told->('accepted', 0, $clone);
	$warns->('accepted', 0, $clone);
	$told->('accepted, and started again', 0, $clone);
	$warns->('the original, as before', 0, $origin);

	# another server's dump is no copy of that server, nor is a cluster that pg_upgrade has made
	$dump = $origin->basedir . '/dump';
	$origin->command_ok([ 'pg_dump', '-f', $dump, 'postgres' ], 'a dump');
	$clone->safe_psql('postgres', 'CREATE DATABASE restored');
	$clone->command_ok([ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-f', $dump, 'restored' ], 'a dump restored');
	$warns->('a dump restored', 0, $clone, 'restored');
	$told->('a dump restored', 0, $clone, 'restored');
	$clone->safe_psql('postgres', $_) foreach 'ALTER TABLE _flakeid.mark DISABLE TRIGGER mark_change', 'UPDATE _flakeid.mark SET place = place # ((1::bigint << 40) + 1)',
		'ALTER TABLE _flakeid.mark ENABLE ALWAYS TRIGGER mark_change', 'VACUUM FULL _flakeid.mark';
	$told->('another system identifier', 0, $clone);
	$warns->('another system identifier', 0, $clone);
	is($clone->safe_psql('postgres', 'SELECT DISTINCT place = flakeid_place() FROM _flakeid.mark'), 't', 'another system identifier: the place is this one now');

	# a standby has its primary's, until it is a primary
	$standby = server_from('heir', $origin, 'base', has_streaming => 1);
	start_server($standby);
	$told->('a standby', 0, $standby);
	$standby->promote;
	$warns->('a standby promoted', 1, $standby, 'postgres');
	$told->('a standby promoted', 1, $standby);
	$_->stop foreach $origin, $clone, $standby;
}

done_testing();
