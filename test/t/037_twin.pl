# flakeid_of_twin(): an ID that has this database's number but that this database cannot
# have issued was made by a twin, a server with the same number.  The function recognizes
# this for every type that carries a number, and never for the database's own IDs,
# whatever the clock did.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";

use Flakeid;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = new_server('asked', conf => [ 'flakeid.node = 7', "flakeid.siq_domain = 'example.com'", "flakeid.uid_node = 'seven'", 'flakeid.sno_sequence_min = 0', 'flakeid.sno_sequence_max = 999' ],
	clock => clock_available());
my %new = (sno => 'sno_new(0)', siq => q(siq_new('message')), snowflake => 'snowflake_new()', uid96 => 'uid96_new()');
my $make = 'INSERT INTO made ' . join ' UNION ALL ', map { "SELECT '$_', $new{$_}::bytea" } sort keys %new;
my $later = q(now() + interval '1 minute');

sub twins
{
	return $node->safe_psql('postgres', q(SELECT coalesce(string_agg(type, ' ' ORDER BY type), '') FROM made WHERE flakeid_of_twin(type, id)));
}

sub asked
{
	my ($name, $answer, $type, $id) = @_;

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	return is($node->safe_psql('postgres', "SELECT flakeid_of_twin('$type', ($id)::bytea) FROM flakeid_clock"), $answer, $name);
}

# ---------- own IDs, and others ----------

$node->safe_psql('postgres', "CREATE TABLE made (type text, id bytea); $make");
is(twins(), '', 'own IDs');
asked("an ID of the future, of type $_->[0]", 't', @$_)
  foreach [ sno => "sno_make($later, 255, 7, 999)" ], [ siq => "siq_make($later, 7, siq_domain_hash('example.com'), 65535)" ],
  [ snowflake => "snowflake_make($later, 7, 31, 4095)" ], [ uid96 => "uid96_make($later, uid_node, 16383)" ];
asked("no twin: $_->[0]", 'f', @$_[1, 2])
  foreach [ 'another partition', sno => "sno_make($later, 0, 8, 0)" ],
  [ 'a sequence that is not ours', sno => "sno_make($later, 0, 7, 1000)" ],
  [ 'another shard', siq => "siq_make($later, 8, siq_domain_hash('example.com'), 0)" ],
  [ 'another domain', siq => "siq_make($later, 7, siq_domain_hash('example.org'), 0)" ],
  [ 'another worker', snowflake => "snowflake_make($later, 8, 0, 0)" ],
  [ 'another node', uid96 => "uid96_make($later, 8, 0)" ],
  [ 'a type without a number', uid64 => "uid64_make($later, 0)" ],
  [ 'one without a time', flax => 'flax_new()' ];
like(($node->psql('postgres', q(SELECT flakeid_of_twin('nothing', ''))))[2], qr/ERROR:  unrecognized type of ID: "nothing"/, 'no type');

# ---------- own IDs after a start ----------

$node->stop;
start_server($node);
is(twins(), '', 'own IDs after a start');
asked('a twin after a start, before an ID of its own', 't', sno => "sno_make($later, 0, 7, 0)");

# ---------- steps of the clock ----------

SKIP:
{
	skip 'libfaketime is not installed', 1 unless clock_available();

	set_clock($node, yesterday('10:00:00'));
	$node->safe_psql('postgres', "TRUNCATE made; SELECT flakeid_clock_reset(now(), force => true); $make");
	set_clock($node, yesterday('10:01:00'));
	$node->safe_psql('postgres', "TRUNCATE made; $make");
	set_clock($node, yesterday('10:00:30'));
	$node->safe_psql('postgres', q(INSERT INTO made SELECT 'sno', sno_new(0)::bytea));
	is($node->safe_psql('postgres', q(SELECT count(DISTINCT sno_tick_tock(id::sno)) FROM made WHERE type = 'sno')), 2, 'sno has gone to its other timeline');
	is(twins(), '', 'own IDs of both timelines');
	asked('a twin on this timeline', 't', sno => q(sno_make(clock + interval '1 second', 0, 7, 0, tick_tock = 1)));

	# issued while the clock was wrong
	set_clock($node, yesterday('15:00:00'));
	$node->safe_psql('postgres', "TRUNCATE made; $make");
	set_clock($node, yesterday('10:01:30'));
	$node->safe_psql('postgres', "SELECT flakeid_clock_reset(now()); $make");
	is(twins(), '', 'own IDs of a retired time');
}

$node->stop;
done_testing();
