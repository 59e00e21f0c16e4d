# The numbers of a server's databases: how they are written, that those which are set are
# simply used, whoever else has them, and that derived ones differ as far as they can.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";

use Flakeid;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

plan skip_all => 'libfaketime is not installed' unless clock_available();

# What carries a number of the server's: a call, the number in the ID.
my %numbered = (
	sno => [ 'sno_new(0)', 'sno_partition' ],
	siq => [ q(siq_new('message')), 'siq_shard' ],
	snowflake => [ 'snowflake_new()', 'snowflake_worker' ],
	uid96 => [ 'uid96_new()', 'uid96_node' ]);
my $node = new_server('numbers', clock => 1, extension => 0, server => ['max_connections = 100']);
my $seconds = 0;

sub at
{
	my ($at) = @_;

	$seconds = $at;
	set_clock($node, yesterday(sprintf '10:%02d:%02d', $seconds / 60, $seconds % 60));
	return;
}

sub new_database
{
	my ($name) = @_;

	$node->safe_psql('postgres', 'CREATE DATABASE "' . $name =~ s/"/""/gr . '" TEMPLATE origin STRATEGY FILE_COPY');
	return;
}

# What a database answers to a new session.
sub anew
{
	my ($database, $sql) = @_;
	my $session = session($node, database => $database);
	my $answer = attempt($session, $sql);

	quit_session($node, $session);
	return $answer;
}

sub restart
{
	at($seconds + 3);
	$node->stop;
	start_server($node);
	return;
}

sub number
{
	my ($type) = @_;

	return "SELECT $numbered{$type}[1]($numbered{$type}[0])";
}

$node->stop;
at(0);
start_server($node);
$node->safe_psql('postgres', 'CREATE DATABASE origin');
$node->safe_psql('origin', 'CREATE EXTENSION flakeid');
new_database($_) foreach 'shop', 'sales', 'Sales', 'a, b = "7"';

# ---------- one number, two databases ----------

# They are to each other as two servers are.
at(1);    # a reload is known by its time
configure($node, 'flakeid.node = 7', 'flakeid.max_wait = 300ms');
foreach my $database ('shop', 'sales')
{
	is(anew($database, number($_)), '7', "one number: $_ of $database") foreach 'sno', 'siq', 'snowflake';
}

# ---------- how numbers are written ----------

my $settings = 1000;

foreach my $case (
	[ q('7, sales = 8'), sales => 8, Sales => 7 ],
	[ q('7,sales=8'), sales => 8, shop => 7 ],
	[ q('  7 ,  sales  =  8 , shop = 9 '), sales => 8, shop => 9, Sales => 7 ],
	[ q('7, Sales = 8'), Sales => 8, sales => 7 ],
	[ q('7, "Sales" = 8'), Sales => 8, sales => 7 ],
	[ q('7, "sales" = 8, Sales = 9'), sales => 8, Sales => 9 ],
	[ q('7, "a, b = ""7""" = 8'), 'a, b = "7"' => 8, sales => 7 ],
	[ q('7, nobody = 8'), sales => 7 ],
	[ q('0, sales = 31'), sales => 31, shop => 0 ])
{
	my ($value, %expected) = @$case;

	at($settings += 10);
	configure($node, "flakeid.node = $value");
	is(anew($_, number('sno')), $expected{$_}, "$value: number of $_") foreach sort keys %expected;
	is(anew($_, 'SELECT node, node_source FROM flakeid_clock'), "$expected{$_}|flakeid.node", "$value: the view in $_") foreach sort keys %expected;
}
foreach my $value (q('7, sales = 8, sales = 9'), q('7, sales = 8, "sales" = 8'), q('7, 8'), q('7, sales'), q('7, sales = '), q('7, sales = 65536'), q('7, sales = -2'), q('7, = 8'),
	q('7, "" = 8'), q('7,'), q(',7'), q('7, "sales = 8'), q('7, sales = 8 9'), q('7 sales = 8'), q('7; sales = 8'), q('7, sales 8'), q('7, sales == 8'))
{
	at($settings += 10);
	configure($node, "flakeid.node = $value");
	like(anew($_, 'SELECT sno_new(0)'), qr/ERROR:  22023: [^\n]*"flakeid\.node"/, "$value: refused in $_") foreach 'sales', 'shop';
}

# A number for one database only takes none from the others.
at($settings += 10);
configure($node, q(flakeid.node = 'sales = 8'));
is(anew('shop', 'SELECT node_source FROM flakeid_clock'), 'system identifier and database', 'a number for one database only: others have derived ones');
is(anew('sales', number('sno')), 8, 'a number for one database only: it has that');

# Renamed while nobody is connected, as a new copy is put in an old one's place: the
# number is the name's.
at($settings += 10);
configure($node, q(flakeid.node = '7, sales = 8'));
is(anew('sales', number('sno')), 8, 'before they change places');
is(anew('shop', number('sno')), 7, 'before they change places, the other one');
at($settings += 10);
$node->safe_psql('postgres', "ALTER DATABASE $_") foreach 'sales RENAME TO sold', 'shop RENAME TO sales', 'sold RENAME TO shop';
foreach my $type (sort keys %numbered)
{
	next if $type eq 'uid96';
	is(anew('sales', number($type)), 8, "renamed: $type has the new name's number");
	is(anew('shop', number($type)), 7, "renamed: $type of the other one, too");
}

# The shard, and snowflake's range.
foreach my $case (
	[ 'siq', 5, 'flakeid.node = 7', 'flakeid.siq_shard = 5' ], [ 'siq', 7, 'flakeid.node = 7' ], [ 'siq', 255, 'flakeid.node = 255' ], [ 'siq', 0, 'flakeid.node = 300', 'flakeid.siq_shard = 0' ],
	[ 'siq', qr/ERROR:  22023: (?:.*\n)*?.*flakeid\.siq_shard/, 'flakeid.node = 300' ], [ 'siq', qr/ERROR:  22023: [^\n]*"flakeid\.siq_shard"/, 'flakeid.siq_shard = 256' ],
	[ 'siq', qr/ERROR:  22023: [^\n]*"flakeid\.siq_shard"/, 'flakeid.siq_shard = -2' ],
	[ 'siq', qr/^(?:\d|\d\d|1\d\d|2[0-4]\d|25[0-5])$/, 'flakeid.node = -1' ],
	[ 'snowflake', qr/ERROR:  22023: [^\n]*"flakeid\.snowflake_sequence"/, q(flakeid.snowflake_sequence = '0-131072') ],
	[ 'snowflake', qr/ERROR:  22023: [^\n]*"flakeid\.snowflake_sequence"/, q(flakeid.snowflake_sequence = '9-0') ],
	[ 'snowflake', '3', 'flakeid.node = 3', q(flakeid.snowflake_sequence = '100-131071') ])
{
	my ($type, $expected, @lines) = @$case;

	at($settings += 10);
	configure($node, @lines);
	like(anew('sales', number($type)), ref $expected ? $expected : qr/^$expected$/, "$type: @lines");
}
foreach my $range ([ 0, 131_071 ], [ 5_000, 6_999 ], [ 131_000, 131_071 ])
{
	my ($low, $high) = @$range;
	my $count = $high - $low + 1;

	at($settings += 10);
	configure($node, 'flakeid.node = 3', "flakeid.snowflake_sequence = '$low-$high'", 'flakeid.max_wait = 300ms');
	is(anew('sales', "SELECT min(n), max(n), count(DISTINCT n) FROM (SELECT snowflake_process(id) * 4096 + snowflake_sequence(id) AS n FROM (SELECT snowflake_new() AS id FROM generate_series(1, $count) OFFSET 0) AS made) AS numbers"),
		"$low|$high|$count", "snowflake_sequence $low-$high: one session has all of a millisecond");
	like(anew('sales', 'SELECT snowflake_new()'), qr/ERROR:  55000/, "snowflake_sequence $low-$high: and then there is none");
}
is($node->safe_psql('sales', q(LOAD 'flakeid'; SELECT count(*) FROM pg_settings WHERE name = 'flakeid.siq_shards')), '0', 'there are no ranges of shards any more');

# ---------- derived numbers ----------

at($settings += 10);
configure($node, 'flakeid.max_wait = 300ms');
{
	my @names = map { "derived$_" } 1 .. 20;
	my (%seen, %after);

	new_database($_) foreach @names;
	foreach my $name (@names)
	{
		$seen{$_}{ anew($name, number($_)) } = 1 foreach keys %numbered;
	}
	is(keys %{ $seen{$_} }, 20, "derived: $_: 20 databases made in a row, 20 numbers") foreach sort keys %numbered;

	# after a crash the server counts OIDs from the next multiple of 8192 on
	foreach my $name (map { "after$_" } 1 .. 4)
	{
		$node->stop('immediate');
		start_server($node);
		new_database($name);
		$after{$_}{ anew($name, number($_)) } = 1 foreach keys %numbered;
	}
	is(keys %{ $after{$_} }, 4, "derived: $_: the first databases after each of 4 crashes, 4 numbers") foreach sort keys %numbered;
	is(anew('after1', 'SELECT node_source FROM flakeid_clock'), 'system identifier and database', 'derived: and the view says that it is');
}

$node->stop;
done_testing();
