# IDs for given instants, T_new_at: however instants, partitions and types alternate, a
# session makes no ID twice before a tick has used up its pool.  Also the narrowest
# possible pools.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;

my $node = new_server('backfill', conf => ['flakeid.node = 11']);
my $session = session($node);

# The call with the instant, and the number of IDs in a unit of time.
my %calls = (
	sno => [ 'sno_new_at(%s, 0)', 65_536 ],
	siq => [ q(siq_new_at(%s, 'message')), 4_096 ],
	uid64 => [ 'uid64_new_at(%s)', 16_384 ],
	uid96 => [ 'uid96_new_at(%s)', 16_384 ],
	snowflake => [ 'snowflake_new_at(%s)', 131_072 ]);

# One test: a query with %s for each ID makes so many, all of them different.
sub distinct
{
	my ($name, $id, $count) = @_;

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	return is(attempt($session, "SELECT count(*), count(DISTINCT id) FROM (SELECT ($id)::bytea AS id FROM generate_series(0, $count - 1) AS i OFFSET 0) AS made"),
		"$count|$count", "$name: $count IDs");
}

distinct('as people write it', q(snowflake_new_at(date '2020-01-01' + i % 2)), 5_000);
my $year = 2015;
foreach my $type (sort keys %calls)
{
	my ($call, $pool) = @{ $calls{$type} };
	my $less = int(0.95 * $pool);

	# no two tests use the same units (not even for uid64 and uid96)
	$year++;
	distinct("$type: one instant", sprintf($call, "timestamptz '$year-01-01'"), $less);
	distinct("$type: two in turn", sprintf($call, "timestamptz '$year-02-01' + i % 2 * interval '1 day'"), 2 * $less);
	distinct("$type: three in turn", sprintf($call, "timestamptz '$year-03-01' + i % 3 * interval '1 hour'"), 3 * $less);
	distinct("$type: one of a thousand between others", sprintf($call, "timestamptz '$year-04-01' + (i % 1000 = 0)::int * interval '1 second'"), $less);
	distinct("$type: blocks", sprintf($call, "timestamptz '$year-05-01' + i / 100 % 4 * interval '1 day'"), 4 * int($less / 100) * 100);
	distinct("$type: one after the other", sprintf($call, "timestamptz '$year-06-01' + i / $less * interval '1 day'"), 2 * $less);
	distinct("$type: a thousand in turn", sprintf($call, "timestamptz '$year-08-01' + i % 1000 * interval '1 hour'"), 100_000);
	distinct("$type: units side by side", sprintf($call, "timestamptz '$year-07-01' + i % 16 * interval '4.096 ms'"), 8 * int($less / 8));
}
# as many as a session remembers at least, and one more to come back to
distinct('32,769 instants in turn', q(snowflake_new_at(timestamptz '2023-01-01' + i % 32769 * interval '1 second')), 3 * 32_769);
distinct('partitions in turn', q(sno_new_at(timestamptz '2021-01-01', 0, i % 2)), 120_000);
distinct('partitions and instants in turn', q(sno_new_at(timestamptz '2021-02-01' + i / 2 % 2 * interval '1 day', 0, i % 2)), 240_000);
distinct('types in turn', q(siq_new_at(timestamptz '2021-03-01', (ARRAY['message', 'channel', 'tag'])[1 + i % 3])), 3_000);
distinct('metas in turn', q(sno_new_at(timestamptz '2021-04-01', i % 2)), 60_000);

# One statement after another; and concurrent sessions, which do not know of each other
# but start far apart in the pool: an eighth of it after seven others have started.
{
	my @sessions;
	my %seen;
	my $half = sub { my ($instant, $n) = @_; return "SELECT snowflake_new_at(timestamptz '$instant' + i % 2 * interval '1 day') FROM generate_series(1, $n) AS i;\n" };

	@sessions = start_sessions($node, map { join '', map { $half->('2022-01-01', 2_000) } 1 .. 16 } 1 .. 4);
	foreach my $ids (finish_sessions(@sessions))
	{
		$seen{$_}++ foreach split /\n/, $ids;
	}
	is(keys %seen, 128_000, 'concurrent sessions, with two instants in each statement: no ID twice');
}

# ---------- narrow pools ----------

# Like the reference library, which has no pool smaller than six.
foreach my $range ('0-0', '0-3', '0-4', '65532-65535')
{
	my $new;

	configure($node, 'flakeid.node = 11', sno_range($range));
	$new = session($node);
	like(attempt($new, 'SELECT sno_new(0)'), qr/ERROR:  22023: [^\n]*flakeid\.sno_sequence_max leave too few numbers/, "range $range: refused");
	$new->quit;
}
foreach my $range ('0-5', '100-105', '65530-65535', '0-32767', '0-65535')
{
	my ($low, $high) = split /-/, $range;

	configure($node, 'flakeid.node = 11', sno_range($range));
	like(attempt($session, "SELECT s BETWEEN $low AND $high FROM sno_sequence(sno_new(0)) AS s"), qr/^t$/, "sno_sequence $range: accepted");
	is(attempt($session, 'SELECT count(*) FROM (SELECT sno_restore(sno_snapshot())) AS restored'), '1', "sno_sequence $range: its snapshot can be restored");
	is(attempt($session, 'SELECT count(*) FROM (SELECT sno_restore(sno_snapshot(5))) AS restored'), '1', "sno_sequence $range: that of another partition, too");
	is(attempt($session, "SELECT s ->> 'sequenceMin', s ->> 'sequenceMax' FROM sno_snapshot() AS s"), "$low|$high", "sno_sequence $range: the snapshot contains it");
	is(attempt($session, 'SELECT count(DISTINCT sno_new(0)) FROM generate_series(1, 20)'), '20', "sno_sequence $range: IDs after that");
}

$session->quit;
$node->stop;
done_testing();
