# flakeid_maintain where a lock is not to be had, and after a restore.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";

use Flakeid;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = new_server('operate', conf => ['flakeid.node = 11'], server => ['max_wal_size = 4GB']);

sub query
{
	my ($sql) = @_;

	return $node->safe_psql('postgres', $sql);
}

query(q(CREATE TABLE log (id sno PRIMARY KEY DEFAULT sno_new()) PARTITION BY RANGE (id);
	CREATE TABLE other (id sno PRIMARY KEY DEFAULT sno_new()) PARTITION BY RANGE (id)));
query(q(SELECT flakeid_create_partitions('log', '2021-01-01', '2021-02-01', '1 month'),
	flakeid_keep('log', '1 month', ahead => 1, retain => '90 days'), flakeid_keep('other', '1 day')));

# what reads the old partition keeps it from being dropped, and the other table from nothing
my $hand = session($node);
attempt($hand, 'BEGIN; SELECT * FROM log');
my (undef, undef, $warning) = $node->psql('postgres', q(SET lock_timeout = '100ms'; CALL flakeid_maintain()));
like($warning, qr/WARNING:  partitions of table "public.log" are not kept: 55P03: canceling statement due to lock timeout/, 'a lock that is not had is told');
is(query('SELECT name, last_error, cardinality(to_create), cardinality(to_drop) FROM flakeid_kept ORDER BY name'),
	"log|55P03: canceling statement due to lock timeout|2|1\nother||0|0", 'and noted, and the next table is worked on');

attempt($hand, 'COMMIT');
$hand->quit;
query('CALL flakeid_maintain()');
is(query('SELECT name, last_error, cardinality(to_create), cardinality(to_drop) FROM flakeid_kept ORDER BY name'),
	"log||0|0\nother||0|0", 'when the lock is free it is done, and the error is gone');

# a dump carries what is kept
my $file = PostgreSQL::Test::Utils::tempdir() . '/kept.dump';
$node->command_ok([ 'pg_dump', '-Fc', '-f', $file, '-d', $node->connstr('postgres') ], 'pg_dump');
query('CREATE DATABASE restored');
$node->command_ok([ 'pg_restore', '-d', $node->connstr('restored'), $file ], 'pg_restore');
is($node->safe_psql('restored', 'SELECT name, step, retain, fault, cardinality(to_create) FROM flakeid_kept ORDER BY name'),
	"log|1 mon|90 days||0\nother|1 day|00:00:00||0", 'a restored database keeps its partitions');

$node->stop;
done_testing();
