# A server's databases differ by their numbers: no two of them issue under one at a time.
# A number that was set belongs to the database that uses it, and another one is told
# so; one that is derived is the next that is free.  And how numbers are written.
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

# 55000 that names the database which has the number, and the way out for this one.
sub refuses
{
	my ($name, $answer, $holder, $number, $asking) = @_;

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	return like($answer, qr/ERROR:  55000: (?=(?:.*\n)*?.*\b$holder\b)(?:.*\n)*HINT:  .*flakeid\.node = '$number, $asking = \d+'/, $name);
}

$node->stop;
at(0);
start_server($node);
$node->safe_psql('postgres', 'CREATE DATABASE origin');
$node->safe_psql('origin', 'CREATE EXTENSION flakeid');
new_database($_) foreach 'shop', 'sales', 'Sales', 'a, b = "7"';

# ---------- one number, two databases ----------

at(1);    # a reload is known by its time
configure($node, 'flakeid.node = 7', 'flakeid.max_wait = 300ms');
{
	my $shop = session($node, database => 'shop');
	my (%shop, %sales, @both);

	$shop{$_} = attempt($shop, "SELECT $numbered{$_}[0]::bytea") foreach keys %numbered;
	is((grep { !/^\\x/ } values %shop), 0, 'the first database: IDs');
	is(attempt($shop, number($_)), '7', "the first database: $_ has the number") foreach 'sno', 'siq', 'snowflake';
	refuses("another database: no $_", anew('sales', "SELECT $numbered{$_}[0]"), 'shop', 7, 'sales') foreach sort keys %numbered;
	like(anew('sales', 'SELECT flax_new()'), qr/^[-0-9A-Za-z_]{16}$/, 'another database: but a flax');
	like(anew('sales', 'SELECT count(*) FROM flakeid_clock'), qr/^1$/, 'another database: and the view answers');
	like(anew('Sales', 'SELECT sno_new(0)'), qr/HINT:  .*flakeid\.node = '7, "Sales" = \d+'/, 'a name that needs quotes has them in the hint');

	# as long as a session is there, and then as long as its marks are ahead
	at(60);
	refuses('idle for a minute, but there: refused', anew('sales', 'SELECT sno_new(0)'), 'shop', 7, 'sales');
	is(attempt($shop, number('sno')), '7', 'and at work again');
	quit_session($node, $shop);
	refuses('gone, with marks ahead: refused', anew('sales', 'SELECT sno_new(0)'), 'shop', 7, 'sales');
	at(70);
	is(anew('sales', number('sno')), '7', 'gone and past: another database has the number');
	refuses('and the first one is refused', anew('shop', 'SELECT sno_new(0)'), 'sales', 7, 'shop');

	# its IDs begin above the last holder's marks, whatever the clock does
	at(1);
	foreach my $type (sort keys %numbered)
	{
		my $id = anew('sales', "SELECT $numbered{$type}[0]::bytea");

		isnt($id, $shop{$type}, "the clock back where the last holder was: not its $type again");
	}

	# by way of nobody: the number is given back while a third one is served, and then the clock steps back
	at(80);
	configure($node, "flakeid.node = '7, postgres = 9'", 'flakeid.max_wait = 300ms');
	$node->safe_psql('postgres', 'CREATE EXTENSION flakeid');
	is(anew('postgres', number('sno')), '9', 'a third one with a number of its own');
	at(90);
	$shop = session($node, database => 'shop');
	push @both, map { { attempt($shop, "SELECT $numbered{$_}[0]::bytea") => $_ } } sort keys %numbered;
	quit_session($node, $shop);
	at(100);
	is(anew('postgres', number('sno')), '9', 'a third one meanwhile');
	at(90);
	foreach my $made (@both)
	{
		my ($id, $type) = %$made;

		isnt(anew('sales', "SELECT $numbered{$type}[0]::bytea"), $id, "given back, and the clock back: not the same $type");
	}
	at(120);

	# the number goes with the database, once its marks are past
	configure($node, 'flakeid.node = 7', 'flakeid.max_wait = 300ms');
	is(anew('shop', number('sno')), '7', 'the first one has it again');
	$node->safe_psql('postgres', 'DROP DATABASE shop');
	at(130);
	is(anew('sales', number('sno')), '7', 'dropped: the number is free');
}

# Both at once, and whoever comes: never two of them at a time.
{
	my $make = 'SELECT sno_new(0), snowflake_new() FROM generate_series(1, 5);' . "\n";
	my @sessions;

	at(200);
	new_database('shop');
	@sessions = start_sessions($node, map { "\\set ON_ERROR_STOP 0\n\\c $_\n" . $make x 200 } 'shop', 'sales', 'shop', 'sales');
	my @out = finish_sessions(@sessions);
	my @made = map { scalar split /\n/ } @out;
	my @ids = map { split /\n/ } @out;

	is(!!($made[0] + $made[2]) + !!($made[1] + $made[3]), 1, 'at once: one of two databases has the number') or diag "@made";
	is(keys %{ { map { $_ => 1 } map { split /\|/ } @ids } }, 2 * @ids, 'at once: no ID twice');
}

# A reload gives their numbers to each other: nobody waits for a session that has not read
# it, and what that one issued at this very instant does not come again.
{
	my (%session, @ids);
	my $reload = sub { configure($node, "flakeid.node = '7, $_[0]'", 'flakeid.max_wait = 300ms') };
	my $make = sub {
		my ($database, $number, $name) = @_;

		foreach my $type ('sno', 'siq', 'snowflake', 'uid96')
		{
			is(attempt($session{$database}, number($type)), $number, "$name: $database has the number for a $type") if $type ne 'uid96';
			push @ids, map { "$type $_" } grep { /^\\x/ } split /\n/, attempt($session{$database}, "SELECT $numbered{$type}[0]::bytea FROM generate_series(1, 3)");
		}
		return;
	};

	at(210);
	$reload->('shop = 11, sales = 12');
	$session{$_} = session($node, database => $_) foreach 'shop', 'sales';
	at(211);
	$make->('sales', 12, 'each its own');
	$make->('shop', 11, 'each its own');
	$reload->('shop = 12, sales = 11');
	like(attempt($session{sales}, 'SELECT sno_new(0)'), qr/could not generate sno within .*next ID may be made at .* 10:03:31\.\d+/s, 'exchanged: not within the instant of the last holder');
	at(212);
	$make->('sales', 11, 'exchanged, the holder idle');
	$make->('shop', 12, 'exchanged');
	at(213);
	$reload->('shop = 12, sales = 12');
	like(attempt($session{sales}, 'SELECT sno_new(0)'), qr/database "shop" already issues sno under number 12/, 'the idle holder goes on with the number: refused');
	at(214);
	$reload->('shop = 11, sales = 12');
	$make->('sales', 12, 'and back, the holder idle');
	at(215);
	$reload->('shop = 12, sales = 7');
	$make->('shop', 12, 'a reload that it has not read, and another one');
	$make->('sales', 7, 'a third number');
	is(keys %{ { map { $_ => 1 } @ids } }, 7 * 12, 'numbers exchanged: IDs, none twice') or diag join "\n", sort @ids;
	quit_session($node, $_) foreach values %session;
	at(230);
	configure($node, 'flakeid.node = 7');
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

# Parts of a pool that do not overlap, or two domains: one number serves both.
{
	my @apart = (q(flakeid.snowflake_sequence = '0-65535, sales = 65536-131071'), q(flakeid.siq_domain = 'one.example, sales = two.example'), 'flakeid.max_wait = 300ms');

	at($settings += 10);
	configure($node, 'flakeid.node = 7', q(flakeid.sno_sequence = '0-32767, sales = 32768-65535'), @apart);
	foreach my $database ('shop', 'sales')
	{
		is(anew($database, number($_)), 7, "apart: $_ of $database") foreach 'sno', 'siq', 'snowflake';
	}

	# with one sequence number that both would have; the marks of the other are ahead still
	at($settings += 1);
	configure($node, 'flakeid.node = 7', q(flakeid.sno_sequence = '0-32768, sales = 32768-65535'), @apart);
	refuses('overlapping by one: no sno', anew('shop', 'SELECT sno_new(0)'), 'sales', 7, 'shop');
	is(anew('shop', number($_)), 7, "overlapping by one: but $_") foreach 'siq', 'snowflake';
}

# A reload gives other parts of the pool to databases whose sessions are idle, or none: what they
# have lost is free at once, all of it for one who gets the whole, the rest stays theirs.
{
	my @parts = map { ["part$_", 16384 * $_, 16384 * $_ + 16383] } 0 .. 3;
	my $reload = sub {
		my ($numbers, @pools) = @_;

		at($settings += 1);
		configure($node, "flakeid.sno_partition = '$numbers'", "flakeid.sno_sequence = '" . join(', ', @pools) . q('), 'flakeid.max_wait = 300ms');
		at($settings += 1);    # above what was issued in this instant
		return;
	};
	my $of = sub { my ($name, $low, $high) = @{ $_[0] }; return "$name = $low-$high" };
	my $sequence = q(SELECT sno_partition(id) || ':' || sno_sequence(id) FROM (SELECT sno_new(0) AS id OFFSET 0) AS made);
	my %session;

	at($settings += 10);
	foreach my $part (@parts)
	{
		new_database($part->[0]);
		$session{ $part->[0] } = session($node, database => $part->[0]);
	}
	$reload->('7', map { $of->($_) } @parts);
	is(attempt($session{ $_->[0] }, $sequence), "7:$_->[1]", "parts: $_->[0] has its own") foreach @parts;

	$reload->('7', 'part0 = 0-8191', 'part1 = 8192-32767', map { $of->($_) } @parts[ 2, 3 ]);
	is(attempt($session{part1}, $sequence), '7:8192', 'parts: one has a piece of another, which is idle');
	is(attempt($session{part0}, $sequence), '7:0', 'parts: and that one goes on with the rest');
	$reload->('8, part3 = 7', 'part3 = 0-65535');
	is(attempt($session{part3}, $sequence), '7:0', 'parts: the last of four has all of them, the others idle');
	$reload->('8, part1 = 7, part3 = 7', 'part1 = 32768-65535, part3 = 0-32768');
	like(attempt($session{part1}, $sequence), qr/database "part3" already issues sno under number 7/, 'parts: what an idle one goes on with is not to be had');
	quit_session($node, $_) foreach values %session;
	$node->safe_psql('postgres', "DROP DATABASE $_->[0]") foreach @parts;
}

# ---------- derived numbers ----------

{
	my (%seen, %ids, @names);

	at($settings += 10);
	configure($node, 'flakeid.max_wait = 300ms');
	@names = map { "derived$_" } 1 .. 40;
	run_sessions($node, join '', map { "CREATE DATABASE $_ TEMPLATE origin STRATEGY FILE_COPY;\n" } @names);

	# the clock stands still, so that nobody gives a number back
	my $n = 0;
	my $script = join '', map { "\\c $_\nSELECT " . join(', ', map { "$numbered{$_}[1]($_), $_" } sort keys %numbered) . ' FROM '
		  . join(', ', map { "(SELECT $numbered{$_}[0] AS $_ OFFSET 0) AS of_$_" } sort keys %numbered) . ";\n" } @names;

	foreach my $line (split /\n/, (run_sessions($node, $script))[0])
	{
		my @fields = split /\|/, $line;

		$n++;
		foreach my $type (sort keys %numbered)
		{
			my ($number, $id) = splice @fields, 0, 2;

			push @{ $seen{$type} }, $number;
			$ids{$type}{$id}++ if $n <= 32 || $type ne 'snowflake';
		}
	}
	is($n, 40, 'derived: all of 40 databases make IDs');
	is(keys %{ { map { $_ => 1 } @{ $seen{$_} } } }, 40, "derived: $_: 40 databases, 40 numbers") or diag "@{ $seen{$_} }" foreach 'sno', 'siq', 'uid96';
	is(keys %{ { map { $_ => 1 } @{ $seen{snowflake} }[ 0 .. 31 ] } }, 32, 'derived: snowflake: 32 databases, 32 workers') or diag "@{ $seen{snowflake} }";
	is((grep { $_ > 1 } values %{ $ids{$_} }), 0, "derived: $_: at one instant no ID twice") foreach sort keys %numbered;
	is(anew($names[0], number('sno')), $seen{sno}[0], 'derived: the number stays');

	# what one that is dropped held is free at once, wherever its marks stand: nobody has to share
	$node->safe_psql('postgres', "DROP DATABASE $names[4]");
	new_database($names[4]);
	is(anew($names[4], 'SELECT setting_fault FROM flakeid_clock'), '', 'derived: another one in the place of one that was dropped');
	is(anew($names[4], number('snowflake')), $seen{snowflake}[4], 'derived: and it has its number');

	# a call that is refused leaves nothing behind, also where another number is shared
	my @mapped = ('SELECT sum((\'x\' || lpad(a[2], 16, \'0\'))::bit(64)::bigint - (\'x\' || lpad(a[1], 16, \'0\'))::bit(64)::bigint)',
		q(FROM regexp_matches(pg_read_file('/proc/self/maps'), '(?n)^([0-9a-f]+)-([0-9a-f]+) .*/PostgreSQL\\.', 'g') AS a));
	my @there = map { session($node, database => $_) } @names[ 0 .. 32 ];

	at($settings += 10);
	configure($node, 'flakeid.sno_partition = 7', 'flakeid.max_wait = 300ms');
	attempt($_, 'SELECT snowflake_new()') foreach @there;
	my $last = session($node, database => $names[39]);
	my $refused = q(DO $$ BEGIN FOR i IN 1 .. 10000 LOOP BEGIN PERFORM sno_new(0); RAISE 'made'; EXCEPTION WHEN object_not_in_prerequisite_state THEN END; END LOOP; END $$);
	my $before;

	is(attempt($last, 'SELECT count(snowflake_new())'), '1', 'refused and shared: an ID');
	like(attempt($last, 'SELECT setting_fault FROM flakeid_clock'), qr/same number: sno; .*shared with other databases: snowflake/, 'refused and shared: the view says so');
	$before = attempt($last, "@mapped");
	is(attempt($last, $refused), '', 'refused and shared: refused');
	is(attempt($last, "@mapped"), $before, 'refused and shared: and no memory is used up');
	$_->quit foreach @there, $last;
	is(anew($names[0], 'SELECT node_source FROM flakeid_clock'), anew($names[1], 'SELECT node_source FROM flakeid_clock'), 'derived: and the view says that it is');
}

# ---------- what is retired ----------

# What was issued while the clock was wrong must not be issued again when its time comes,
# by whoever has the number then: so the number stays where that is known.
at($settings += 10);
configure($node, 'flakeid.node = 9', 'flakeid.max_wait = 300ms');
new_database('wrong');
like(anew('wrong', 'SELECT sno_new(0)'), qr/^[2-9a-x]{16}$/, 'retired: an ID');
set_clock($node, yesterday('20:00:00'));
like(anew('wrong', 'SELECT sno_new(0)'), qr/^[2-9a-x]{16}$/, 'retired: one of a wrong clock');
at($settings += 10);
is(anew('wrong', 'SELECT count(flakeid_clock_reset(now()))'), '1', 'retired: the clock is mended');
at($settings += 60);
refuses('retired: its number is not to be had, although nobody uses it', anew('shop', 'SELECT sno_new(0)'), 'wrong', 9, 'shop');
set_clock($node, yesterday('20:01:00'));
like(anew('shop', 'SELECT sno_new(0)'), qr/^[2-9a-x]{16}$/, 'retired: until that time is past');

# The error says what the number is kept for, and not that it is issued under.
sub keeps
{
	my ($name, $answer, $number, $until) = @_;

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	return like($answer, qr/ERROR:  55000: number $number of flakeid\.node is kept for retired sno IDs of database "wrong"\nDETAIL:  [^\n]* up to [-0-9]+ $until[^\n]*\nHINT:  [^\n]*SELECT flakeid_clock_reset\(now\(\), force => true\) in database "wrong"[^\n]*'\.\.\., shop = /, $name);
}

# A number that was given up by a reload comes back with a forced reset, which forgets what is retired.
configure($node, q(flakeid.node = '9, wrong = 11'), 'flakeid.max_wait = 300ms');
is(anew('wrong', number('sno')), '11', 'given up: an ID');
set_clock($node, yesterday('23:00:00'));
is(anew('wrong', number('sno')), '11', 'given up: one of a wrong clock');
set_clock($node, yesterday('20:03:00'));
is(anew('wrong', 'SELECT count(flakeid_clock_reset(now()))'), '1', 'given up: the clock is mended');
configure($node, q(flakeid.node = '11, wrong = 12'), 'flakeid.max_wait = 300ms');
is(anew('wrong', number('sno')), '12', 'given up: another number');
keeps('given up: not to be had while IDs under it are retired', anew('shop', 'SELECT sno_new(0)'), 11, '23:00:0');
is(anew('wrong', 'SELECT count(flakeid_clock_reset(now(), force => true))'), '1', 'given up: what is retired is forgotten');
set_clock($node, yesterday('20:03:01'));
is(anew('shop', number('sno')), '11', 'given up: then it is free');

# ... or when the database is dropped, and its IDs with it.
is(anew('wrong', number('sno')), '12', 'given up and dropped: an ID');
set_clock($node, yesterday('23:10:00'));
is(anew('wrong', number('sno')), '12', 'given up and dropped: one of a wrong clock');
set_clock($node, yesterday('20:05:00'));
is(anew('wrong', 'SELECT count(flakeid_clock_reset(now()))'), '1', 'given up and dropped: the clock is mended');
configure($node, q(flakeid.node = '12, wrong = 13'), 'flakeid.max_wait = 300ms');
is(anew('wrong', number('sno')), '13', 'given up and dropped: another number');
keeps('given up and dropped: not to be had before', anew('shop', 'SELECT sno_new(0)'), 12, '23:10:0');
$node->safe_psql('postgres', 'DROP DATABASE wrong');
set_clock($node, yesterday('20:05:01'));
is(anew('shop', number('sno')), '12', 'given up and dropped: then it is free');

$node->stop;
done_testing();
