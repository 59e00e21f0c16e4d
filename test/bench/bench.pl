# Measure the cost of flakeid on the server given by PGHOST and so on, in the database
# PGDATABASE, which should be empty:
#
#   bench.pl [--size=1] [--out=FILE] [PART...]
#
# --size=0.001 is a thousandth of the work; the figures then mean nothing.  The
# result is JSON for report.pl: tables, and the bars that flakeid sets itself.
#
# The machine is never quiet, so the things compared run in turns, the figures are medians,
# and only ratios count.
use strict;
use warnings;

use File::Temp ();
use FindBin;
use Getopt::Long;
use JSON::PP;
use List::Util qw(max min sum0);
use POSIX qw(ceil strftime);
use Scalar::Util qw(looks_like_number);
use Time::HiRes qw(time);

my ($size, $out) = (1, 'bench.json');
my $began = time;
my ($load) = `uptime` =~ /load average: ([\d.]+)/;
my (@tables, @bars, %made);

# ---------- what is compared ----------

# The generators: type, call, its arguments, bytes, and how many IDs per second all sessions
# can get if they share a pool.
my @flakes = (
	{ type => 'sno', new => 'sno_new(0)', takes => 'int', bytes => 10, pool => 65536 / 0.004 },
	{ type => 'snowflake', new => 'snowflake_new()', takes => '', bytes => 8 },
	{ type => 'uid64', new => 'uid64_new()', takes => '', bytes => 8, pool => 16384 / 0.001024 },
	{ type => 'uid96', new => 'uid96_new()', takes => '', bytes => 12, pool => 16384 / 0.001024 },
	{ type => 'siq', new => q{siq_new('message')}, takes => 'text', bytes => 14 },
	{ type => 'flax', new => 'flax_new()', takes => '', bytes => 12 },
	{ type => 'ulid', new => 'ulid_new()', takes => '', bytes => 16 },
	{ type => 'ksuid', new => 'ksuid_new()', takes => '', bytes => 20 });

# The same for core's type.
my @generators = (@flakes, { type => 'uuid', new => 'uuid7_new()', takes => '', bytes => 16 });

# Columns with a default, to be filled by INSERT.
my @columns = (
	(map { { name => $_->{type}, type => $_->{type}, default => "DEFAULT $_->{new}" } } @flakes),
	{ name => 'uuid7_new()', type => 'uuid', default => 'DEFAULT uuid7_new()' },
	{ name => 'bigserial', type => 'bigserial', default => '' },
	{ name => 'uuid v7', type => 'uuid', default => 'DEFAULT bench_uuidv7()' },    # or core's
	{ name => 'uuid v4', type => 'uuid', default => 'DEFAULT gen_random_uuid()' });

# Random values of a year, in random order.
my $instant = q{timestamptz '2025-01-01 00:00+00' + random() * interval '365 days'};
my %random = (
	uuid => 'gen_random_uuid()',
	bigint => '(random() * 9e18)::bigint',
	map { $_->{type} => "$_->{type}_new_at($instant" . ($_->{new} =~ /\((.+)\)/ ? ", $1)" : ')') } @flakes);
my @types = ('uuid', 'bigint', map { $_->{type} } @flakes);

# ---------- tools ----------

sub progress
{
	printf STDERR "%5.0f s  %s\n", time - $began, "@_";
	return;
}

# A number scaled to this --size.
sub sized
{
	my ($number, $least) = @_;

	return max($least // 1, ceil($number * $size));
}

sub median
{
	my @sorted = sort { $a <=> $b } @_;

	return ($sorted[ $#sorted / 2 ] + $sorted[ @sorted / 2 ]) / 2;
}

# Start psql with these statements, and return the handle to read from.
sub session
{
	my @psql = ('psql', '-XAtq', '-v', 'ON_ERROR_STOP=1', map { ('-c', $_) } @_);

	open my $out, '-|', @psql or die "psql: $!";
	return $out;
}

# Its output.
sub finish
{
	my ($session) = @_;
	my @lines = <$session>;

	close $session or die 'a session failed';
	chomp @lines;
	return wantarray ? @lines : $lines[-1];
}

sub psql
{
	return finish(session(@_));
}

# Milliseconds of the last statement, as psql measures them: with its commit.
sub ms_of
{
	my ($last, @before) = reverse @_;

	return (psql(reverse(@before), '\timing on', $last))[-1] =~ /^Time: ([\d.]+)/ ? $1 : die "no time of $last";
}

# Run pieces of code in turns, so many times.  Each returns a list of numbers; return their
# medians: [ piece ][ number ].
sub in_turns
{
	my ($times, @pieces) = @_;
	my (@answers, @medians);

	foreach my $turn (1 .. ($size < 0.1 ? 1 : $times))
	{
		push @{ $answers[$_] }, [ $pieces[$_]->() ] foreach 0 .. $#pieces;
	}
	foreach my $of (@answers)
	{
		push @medians, [ map { my $n = $_; median(map { $_->[$n] } @$of) } 0 .. $#{ $of->[0] } ];
	}
	return @medians;
}

# Nanoseconds per call of expressions, with the loop around them: see bench.c.
sub ns_of
{
	my @expressions = @_;
	my $array = join ', ', map { "\$e\$$_\$e\$" } @expressions;
	my @ns = split / /, psql("SELECT array_to_string(bench_calls(ARRAY[$array], 500, " . sized(2001, 3) . q[), ' ')]);

	return map { my $i = $_; median(@ns[ grep { $_ % @expressions == $i } 0 .. $#ns ]) } 0 .. $#expressions;
}

sub table
{
	my ($part, $title, $head, @rows) = @_;

	push @tables, { part => $part, title => $title, head => $head,
		rows => [ map { [ map { looks_like_number($_) ? 0 + sprintf('%.4g', $_) : $_ } @$_ ] } @rows ] };
	return;
}

# A bar: the ratio must meet the limit, such as '<= 1.3'.
sub bar
{
	my ($what, $ratio, $limit) = @_;
	my ($sign, $number) = split / /, $limit;

	push @bars, { bar => $what, limit => $limit, ratio => 0 + sprintf('%.3f', $ratio),
		met => ($sign eq '<=' ? $ratio <= $number : $ratio >= $number) ? JSON::PP::true : JSON::PP::false };
	return;
}

# The ratios of rows of numbers to one row of them.
sub ratios
{
	my ($rows, $to) = @_;

	return map { my $row = $_; [ map { $to->[$_] ? $row->[$_] / $to->[$_] : undef } 0 .. $#$row ] } @$rows;
}

sub exists_function
{
	return psql("SELECT to_regprocedure('$_[0]') IS NOT NULL") eq 't';
}

sub megabytes
{
	return $_[0] / 1e6;
}

# Tables of random values, created by the first part that needs them.
sub values_of
{
	my ($type) = @_;

	unless ($made{$type}++)
	{
		progress("random values: $type");
		psql("CREATE TABLE v_$type AS SELECT $random{$type} AS id FROM generate_series(1, " . sized(2e6, 100) . ')',
			"VACUUM ANALYZE v_$type");
	}
	return "v_$type";
}

# ---------- the parts ----------

# One call, compared with its floor and with PostgreSQL's own functions.
sub generators
{
	my @others = (q{nextval('bench_1')}, q{nextval('bench_100')}, 'gen_random_uuid()', 'bench_uuidv7()',
		grep { exists_function($_) } 'uuidv7()', 'uuid_generate_v7()');
	my @calls = ((map { $_->{new} } @generators), @others);
	my %floor = map { $_->{new} => $_->{new} =~ s/^(\w+)_new/bench_$1/r } @generators;
	my ($loop, @ns) = ns_of('1', @calls);
	my %ms = least_ms(15, '1', values %floor, map { $_->{new} } @generators);
	my (%net, %query, @rows);

	@net{@calls} = map { $_ - $loop } @ns;
	$query{$_} = ($ms{$_} - $ms{1}) / sized(1e6, 100) * 1e6 foreach keys %ms;
	foreach my $call (@calls)
	{
		my $floor = $floor{$call};

		push @rows, [ "`$call`", $net{$call}, $net{q{nextval('bench_1')}} / $net{$call}, $net{'gen_random_uuid()'} / $net{$call},
			$floor ? ($query{$call}, $query{$floor}, $query{$call} / max($query{$floor}, 0.01)) : (undef) x 3 ];
	}
	table('generators', sprintf('One call, net of the loop (%.1f ns); a call of a query of a million, net of the query without it', $loop),
		[ 'call', 'ns', '`nextval` /', '`gen_random_uuid()` /', 'in a query, ns', 'its floor, ns', '/ floor' ], @rows);
	foreach my $row (@rows[ 0 .. $#generators ])
	{
		my ($call, $ns, $nextval, $uuid, undef, undef, $ratio) = @$row;

		bar("$call / floor", $ratio, $call =~ /snowflake|uid64/ ? '<= 1.4' : '<= 1.3') unless $call =~ /uid96/;
		if ($call =~ /flax/)
		{
			bar("$call: `gen_random_uuid()` takes", $uuid, '>= 12');
			next;
		}
		if ($call =~ /ulid|uuid7|ksuid/)
		{
			bar("$call: core's `uuidv7()` takes", $net{'uuidv7()'} / $ns, '>= 6') if $net{'uuidv7()'};
			next;
		}
		bar("$call: `nextval` takes", $nextval, '>= 3');
		bar("$call: `gen_random_uuid()` takes", $uuid, '>= 15');
		bar("$call: core's `uuidv7()` takes", $net{'uuidv7()'} / $ns, '>= 1') if $net{'uuidv7()'};
	}
	return;
}

# The least milliseconds of a processor for a query of a million calls, in turns, each after a
# first call in the same session.  What else the machine does only adds to some.  The query
# works on each row, without memory, so that it takes fewer IDs a second than the least pool has.
sub least_ms
{
	my ($times, @calls) = @_;
	my $count = sized(1e6, 100);
	my %least;

	foreach (1 .. ($size < 0.1 ? 1 : $times))
	{
		foreach my $call (@calls)
		{
			my $query = "SELECT count($call), count(gcd(n::bigint, 7540113804746346429)), count(gcd(n::bigint, 4660046610375530309))"
			  . " FROM (SELECT generate_series(1, $count) AS n) AS g";
			my (undef, $began, undef, $ended) = psql("SELECT $call", 'SELECT bench_cpu()', $query, 'SELECT bench_cpu()');

			$least{$call} = min($ended - $began, $least{$call} // $ended - $began);
		}
	}
	return %least;
}

# Concurrent sessions, each calling as fast as it can.
sub sessions
{
	my $seconds = max(0.5 * $size, 0.02);
	my @counts = $size < 0.1 ? (1, 2, 4) : (1, 2, 4, 8);
	my @rows;

	foreach my $generator (@generators, { new => q{nextval('bench_1')} }, { new => 'gen_random_uuid()' })
	{
		my $new = $generator->{new};
		my @found;
		my @rate;

		progress("sessions: $new");
		@found = in_turns(5, map { my $count = $_; sub { at_once($new, $count, $seconds) } } @counts);
		@rate = map { $_->[0] } @found;
		push @rows, [ "`$new`", $counts[$_], $found[$_][0] / 1e6, $rate[$_] / $rate[0], @{ $found[$_] }[ 1 .. 3 ] ] foreach 0 .. $#counts;
		next unless $generator->{type};
		bar("`$new`, 2 sessions / " . ($generator->{pool} ? 'the lesser of 1.8 x one and the pool' : '1 session'),
			$rate[1] / ($generator->{pool} ? min(1.8 * $rate[0], $generator->{pool}) : $rate[0]),
			$generator->{pool} ? '>= 0.95' : '>= 1.8');
		bar("`$new`, 1 session / 4096 a millisecond", $rate[0] / 4.096e6, '>= 1') if $generator->{type} eq 'snowflake';
		bar("`$new`, more sessions / half as many", min(map { $rate[$_] / $rate[ $_ - 1 ] } 2 .. $#rate), '>= 0.95');
	}
	table('sessions', 'Concurrent sessions; nanoseconds of single calls, clock read included',
		[ 'call', 'sessions', 'million a second', '/ 1 session', 'p50', 'p99', 'p99.9' ], @rows);
	return;
}

# Calls per second of all sessions, and the medians of their percentiles.
sub at_once
{
	my ($call, $count, $seconds) = @_;
	my $start = sprintf '%.6f', time + 0.05 + 0.03 * $count;
	my @sessions = map { session("SELECT array_to_string(bench_load(\$e\$$call\$e\$, to_timestamp($start), $seconds), ' ')") } 1 .. $count;
	my @found = map { [ split / /, scalar finish($_) ] } @sessions;

	return (sum0(map { $_->[0] } @found), map { my $n = $_; median(map { $_->[$n] } @found) } 1 .. 3);
}

# Text and binary forms.
sub io
{
	my $directory = psql('SHOW data_directory');
	my (@expressions, @ns, @copy, @rows, @ratios);
	my $loop;

	foreach my $type (@types)
	{
		my $name = $type eq 'bigint' ? 'int8' : $type eq 'uuid' ? 'uuid_' : "_flakeid_functions.${type}_";
		my $some = 'FROM ' . values_of($type) . ' LIMIT 1000';

		push @expressions, "${name}out(\$1) <- SELECT id $some", "${name}in(\$1) <- SELECT ${name}out(id) $some",
			"${name}send(\$1) <- SELECT id $some";
	}
	progress('io: calls');
	($loop, @ns) = ns_of('1', @expressions);
	progress('io: COPY');
	@copy = in_turns(3, map { my $type = $_; sub { map { copy_ms($type, $directory, $_) } 'text', 'binary' } } @types);
	foreach my $type (@types)
	{
		push @rows, [ (map { $_ - $loop } splice @ns, 0, 3), @{ shift @copy } ];
	}
	@ratios = ratios(\@rows, $rows[0]);
	table('io', "Text and binary form: time / uuid's (uuid: ns a call, ms for " . sized(2e6, 100) . ' rows)',
		[ 'type', 'out', 'in', 'send', 'COPY TO text', 'FROM', 'COPY TO binary', 'FROM' ],
		[ 'uuid', @{ $rows[0] } ], map { [ $types[$_], @{ $ratios[$_] } ] } 1 .. $#types);
	foreach my $n (2 .. $#types)
	{
		bar("$types[$n]: text out / uuid's", $ratios[$n][0], '<= 1');
		bar("$types[$n]: text in / uuid's", $ratios[$n][1], '<= 1');
	}
	return;
}

# COPY to a file and from it.
sub copy_ms
{
	my ($type, $directory, $format) = @_;
	my $file = "'$directory/bench.copy' (FORMAT $format)";
	my @ms = (ms_of('COPY ' . values_of($type) . " TO $file"),
		ms_of('DROP TABLE IF EXISTS copied', "CREATE UNLOGGED TABLE copied (id $type)", "COPY copied FROM $file"));

	psql('DROP TABLE copied');
	return @ms;
}

# The executor's work on two million values, one kind after the other: for each kind the
# types take turns, so that figures to be compared are measured within seconds, nine times
# if there is a bar, which is within noise of uuid's.
sub rows
{
	my @work = (
		[ 'CREATE INDEX', 'DROP INDEX IF EXISTS built', 'CREATE INDEX built ON %s (id)' ],
		[ 'ORDER BY', 'DROP INDEX IF EXISTS built', 'SELECT id FROM %s ORDER BY id OFFSET 1e9' ],
		[ 'hash join', 'SET enable_mergejoin = off', 'SELECT count(*) FROM %s a JOIN %s b USING (id)' ],
		[ 'hash aggregate', 'SET enable_sort = off', 'SELECT count(*) FROM (SELECT id FROM %s GROUP BY id) g' ],
		[ 'DISTINCT', 'SELECT', 'SELECT count(DISTINCT id) FROM %s' ]);
	my (@found, @ratios);

	values_of($_) foreach @types;
	foreach my $work (@work)
	{
		my ($name, @statements) = @$work;
		my @ms = in_turns($name eq 'CREATE INDEX' ? 9 : 3, map {
			my $table = values_of($_);
			sub { progress("rows: $name, $table"); return ms_of(map { s{%s}{$table}gr } @statements) }
		} @types);

		push @{ $found[$_] }, $ms[$_][0] foreach 0 .. $#types;
	}
	push @{ $found[$_] }, duplicates_mb($types[$_]) foreach 0 .. $#types;
	@ratios = ratios(\@found, $found[0]);
	table('rows', sprintf("%d random values of a year: time or size / uuid's (uuid: ms, MB)", sized(2e6, 100)),
		[ 'type', (map { $_->[0] } @work), 'index with duplicates' ],
		[ 'uuid', @{ $found[0] } ], map { [ $types[$_], @{ $ratios[$_] } ] } 1 .. $#types);
	foreach my $n (2 .. $#types)
	{
		bar("$types[$n]: CREATE INDEX / uuid's", $ratios[$n][0], '<= 1');
		bar("$types[$n]: size of an index with duplicates / uuid's", $ratios[$n][5], '<= 1');
	}
	return;
}

# The index of a foreign key: each value ten times.
sub duplicates_mb
{
	my ($type) = @_;
	my $bytes = psql("CREATE TABLE referring AS SELECT id FROM (SELECT id FROM " . values_of($type)
		  . ' LIMIT ' . sized(2e5, 10) . ') v, generate_series(1, 10) ORDER BY random()',
		'CREATE INDEX referring_id ON referring (id)', q{SELECT pg_relation_size('referring_id')});

	psql('DROP TABLE referring');
	return megabytes($bytes);
}

# INSERT of a million rows with the default.
sub insert
{
	my $count = sized(1e6, 100);
	my @found;
	my %ms;

	@found = in_turns(5, map { my $column = $_; sub { progress("insert: $column->{name}"); return insert_once($column, $count) } } @columns);
	$ms{ $columns[$_]{name} } = $found[$_][0] foreach 0 .. $#columns;
	table('insert', "INSERT of $count rows, one statement",
		[ 'key', "time / bigserial's", 'table MB', 'key MB', 'WAL MB' ],
		map { [ $columns[$_]{name}, $found[$_][0] / $ms{bigserial}, @{ $found[$_] }[ 1 .. 3 ] ] } 0 .. $#columns);
	foreach my $type (map { $_->{type} } @flakes)
	{
		bar("$type: INSERT of $count rows / bigserial's", $ms{$type} / $ms{bigserial}, '<= 1.1');
		bar("$type: INSERT of $count rows / uuid v4's", $ms{$type} / $ms{'uuid v4'}, '<= 0.8');
	}
	bar("`uuid7_new()`: INSERT of $count rows / core's `uuidv7()`", $ms{'uuid7_new()'} / $ms{'uuid v7'}, '<= 0.8') if exists_function('uuidv7()');
	return;
}

sub create_keyed
{
	my ($column) = @_;

	return ('DROP TABLE IF EXISTS keyed',
		"CREATE TABLE keyed (id $column->{type} $column->{default} PRIMARY KEY, n int)");
}

sub insert_once
{
	my ($column, $count) = @_;
	my ($ms, $lsn, @sizes);

	($lsn) = psql(create_keyed($column), 'CHECKPOINT', 'SELECT pg_current_wal_insert_lsn()');
	$ms = ms_of("INSERT INTO keyed (n) SELECT generate_series(1, $count)");
	@sizes = split /\|/, psql("SELECT pg_relation_size('keyed'), pg_relation_size('keyed_pkey'), pg_current_wal_insert_lsn() - '$lsn'");
	return ($ms, map { megabytes($_) } @sizes);
}

# One million after another into one table.
sub growth
{
	my $count = sized(1e6, 100);
	my @grown = grep { $_->{name} =~ /^(sno|bigserial|uuid v4)$/ } @columns;
	my @ms;

	psql("DROP TABLE IF EXISTS grown_$_", "CREATE TABLE grown_$_ (id $grown[$_]{type} $grown[$_]{default} PRIMARY KEY, n int)") foreach 0 .. $#grown;
	foreach my $step (0 .. 4)
	{
		progress("growth: $step million rows");
		$ms[$_][$step] = ms_of('CHECKPOINT', "INSERT INTO grown_$_ (n) SELECT generate_series(1, $count)") foreach 0 .. $#grown;
	}
	psql('DROP TABLE ' . join ', ', map { "grown_$_" } 0 .. $#grown);
	table('growth', "INSERT of $count rows more: time / bigserial's at first",
		[ 'key', 'first', 'second', 'third', 'fourth', 'fifth' ],
		map { my $n = $_; [ $grown[$n]{name}, map { $_ / $ms[1][0] } @{ $ms[$n] } ] } 0 .. $#grown);
	return;
}

# Four concurrent writers, with single rows and with batches.
sub writers
{
	foreach my $shape ([ 1, sized(1e5, 400), 'each a transaction' ], [ 100, sized(1e6, 4000), '100 a transaction' ])
	{
		my ($batch, $count, $name) = @$shape;
		my @found = in_turns(3, map {
			my $column = $_;
			sub { progress("writers, $name: $column->{name}"); return write_once($column, $count, $batch) }
		} @columns);
		my %found = map { $columns[$_]{name} => $found[$_] } 0 .. $#columns;

		table('writers', "$count rows from 4 sessions, $name, not waiting for the disk",
			[ 'key', "time / bigserial's", 'table MB', 'key MB', 'key / filled in order', 'WAL MB' ],
			map { my @of = @{ $found{ $_->{name} } }; [ $_->{name}, $of[0] / $found{bigserial}[0], @of[ 1 .. 4 ] ] } @columns);
		bar("$_->{type}: primary key filled by 4 sessions, $name / in order", $found{ $_->{type} }[3], '<= 1.05') foreach @flakes;
	}
	return;
}

sub write_once
{
	my ($column, $count, $batch) = @_;
	my $times = ceil($count / $batch / 4);
	my ($lsn, $ms, @sizes, $ordered);

	($lsn) = psql(create_keyed($column), 'CHECKPOINT', 'SELECT pg_current_wal_insert_lsn()');
	$ms = $times * pgbench($batch == 1 ? 'INSERT INTO keyed (n) VALUES (1)' : "INSERT INTO keyed (n) SELECT generate_series(1, $batch)",
		'-c4', "-t$times");
	@sizes = split /\|/, psql("SELECT pg_relation_size('keyed'), pg_relation_size('keyed_pkey'), pg_current_wal_insert_lsn() - '$lsn'");
	($ordered) = psql('DROP TABLE IF EXISTS ordered', 'CREATE TABLE ordered (LIKE keyed INCLUDING INDEXES)',
		'INSERT INTO ordered SELECT * FROM keyed ORDER BY id', q{SELECT pg_relation_size('ordered_pkey')});
	return ($ms, megabytes($sizes[0]), megabytes($sizes[1]), $sizes[1] / $ordered, megabytes($sizes[2]));
}

# Milliseconds of one transaction of a script.
sub pgbench
{
	my ($script, @options) = @_;
	my $file = File::Temp->new;
	my $out;

	print $file "$script;\n";
	close $file or die "$file: $!";
	local $ENV{PGOPTIONS} = "$ENV{PGOPTIONS} -c synchronous_commit=off";
	$out = `pgbench -n -M prepared --random-seed=1 -f $file @options 2>&1`;
	return $out =~ /^latency average = ([\d.]+) ms/m ? $1 : die $out;
}

# A time range, by the ID or by a separate column.
sub ranges
{
	my $count = sized(1e6, 1000);
	my %range = (hour => 365 * 24, day => 365);
	my (%ms, @sizes);

	progress('ranges: fill');
	psql('DROP TABLE IF EXISTS by_id, by_column', 'CREATE TABLE by_id (id sno PRIMARY KEY, n int)',
		'CREATE TABLE by_column (id bigserial PRIMARY KEY, created_at timestamptz NOT NULL, n int)',
		"INSERT INTO by_id SELECT sno_new_at('2025-01-01 00:00+00'::timestamptz + g * (interval '365 days' / $count), 0), g FROM generate_series(0, $count - 1) g",
		'INSERT INTO by_column (created_at, n) SELECT id::timestamptz, n FROM by_id ORDER BY id',
		'CREATE INDEX ON by_column (created_at)', 'VACUUM ANALYZE by_id, by_column');
	progress('ranges: query');
	foreach my $unit (sort keys %range)
	{
		my @found = in_turns(5, map { my ($table, $column) = @$_; sub { pgbench(qq{\\set at random(0, $range{$unit} - 1)
			SELECT sum(n) FROM $table WHERE $column >= '2025-01-01 00:00+00'::timestamptz + :at * interval '1 $unit' AND $column < '2025-01-01 00:00+00'::timestamptz + (:at + 1) * interval '1 $unit'} =~ s/\n\t+/\n/gr,
			'-t' . sized(2000, 5)) } } [ 'by_id', 'id' ], [ 'by_column', 'created_at' ]);

		$ms{$unit} = [ map { $_->[0] } @found ];
	}
	@sizes = map { [ map { megabytes($_) } split /\|/, psql("SELECT pg_relation_size('$_'), pg_indexes_size('$_')") ] } 'by_id', 'by_column';
	table('ranges', "Sum over a time range of $count rows of a year: sno as the key / bigserial and an indexed created_at",
		[ '', 'ratio', 'by sno', 'by created_at' ],
		(map { [ "one $_, ms", $ms{$_}[0] / $ms{$_}[1], @{ $ms{$_} } ] } 'hour', 'day'),
		(map { [ ('table', 'indexes')[$_] . ', MB', $sizes[0][$_] / $sizes[1][$_], $sizes[0][$_], $sizes[1][$_] ] } 0, 1));
	return;
}

# Queries of an application's table by the time in its key, and by its created_at with an
# index: statuses.sql.
sub statuses
{
	my $count = sized(1e6, 2000);
	my @rows;

	progress('statuses');
	system('psql', '-Xq', '-v', "count=$count", '-f', "$FindBin::RealBin/statuses.sql") == 0 or die 'statuses.sql failed';
	foreach (psql(q(SELECT query, regexp_replace(sql, '\s+', ' ', 'g') FROM asked)))
	{
		my ($query, $sql) = split /\|/;
		my @found = in_turns(5, map { my $sql = $_; sub { pgbench($sql, '-t' . sized(200, 3)) } } $sql, $sql =~ s/\bat\b/created_at/gr);

		push @rows, [ $query, $found[0][0] / $found[1][0], $found[0][0], $found[1][0] ];
	}
	table('statuses', "Three queries of Mastodon's table of statuses, $count rows: by the time in its key / by an index on created_at",
		[ '', 'ratio', 'by key, ms', 'by created_at, ms' ], @rows);
	psql('DROP VIEW statuses_with_time', 'DROP TABLE statuses, asked');
	return;
}

# The order of the time: by the ID's index, and by the index of a column of times.
sub order
{
	my $count = sized(1.5e6, 5000);
	my $time = 'uuid7_timestamp(id)';
	my %asked = (
		'newest 20' => 'SELECT * FROM by_id ORDER BY at DESC LIMIT 20',
		'newest 20 of an account' => 'SELECT * FROM by_id WHERE account = 7 ORDER BY at DESC LIMIT 20',
		'the last time' => 'SELECT max(at) FROM by_id',
		'a page in the middle' => q(SELECT * FROM by_id WHERE (at, id) < (timestamptz '2025-06-01 00:00+00', '01972884-d400-7000-8000-000000000000') ORDER BY at DESC, id DESC LIMIT 20),
		'all' => 'SELECT count(*) FROM (SELECT * FROM by_id ORDER BY at OFFSET 0) AS sorted');
	my @queries = sort keys %asked;
	my @indexes = ('%s', '%s, account', 'account, %s', '%s, total');
	my (@rows, @planned);

	progress('order: fill');
	psql('DROP TABLE IF EXISTS by_id, by_column, parts_by_id, parts_by_column',
		"CREATE TABLE by_id (id uuid PRIMARY KEY, account int, total int, CHECK ($time IS NOT NULL))",
		"INSERT INTO by_id SELECT uuid7_min('2025-01-01 00:00+00'::timestamptz + g * (interval '365 days' / $count)), g % 1000, g % 100 FROM generate_series(0, $count - 1) g",
		'CREATE INDEX ON by_id (account, id)', "CREATE TABLE by_column AS SELECT *, ($time)::timestamptz AS at FROM by_id", 'ALTER TABLE by_column ADD PRIMARY KEY (id)',
		'CREATE INDEX ON by_column (at, id)', 'CREATE INDEX ON by_column (account, at)', 'VACUUM ANALYZE by_id, by_column');
	foreach my $query (@queries)
	{
		my @sql = ($asked{$query} =~ s/\bat\b/$time/gr, $asked{$query} =~ s/by_id/by_column/gr);
		my $times = $query eq 'all' ? 3 : sized(5000, 3);
		my @found = in_turns(7, (map { my $sql = $_; sub { pgbench($sql, "-t$times") } } @sql), map { my $sql = $_; sub { planning($sql) } } @sql);

		push @rows, [ $query, $found[0][0] / $found[1][0], $found[0][0], $found[1][0], $found[2][0] / $found[3][0] ];
	}
	psql('CREATE TABLE parts_by_id (id uuid NOT NULL, account int, total int, CHECK (uuid7_timestamp(id) IS NOT NULL), CHECK (total >= 0), CHECK (account >= 0), CHECK (total < 1000), CHECK (id IS NOT NULL)) PARTITION BY RANGE (id)',
		'CREATE TABLE parts_by_column (at timestamptz NOT NULL, account int, total int, CHECK (at IS NOT NULL), CHECK (total >= 0), CHECK (account >= 0), CHECK (total < 1000), CHECK (account < 100000)) PARTITION BY RANGE (at)',
		q{DO $$ BEGIN FOR i IN 0 .. 199 LOOP
			EXECUTE format('CREATE TABLE parts_by_id_%s PARTITION OF parts_by_id FOR VALUES FROM (uuid7_min(%L)) TO (uuid7_min(%L))', i, timestamptz '2025-01-01Z' + i * interval '1 day', timestamptz '2025-01-02Z' + i * interval '1 day');
			EXECUTE format('CREATE TABLE parts_by_column_%s PARTITION OF parts_by_column FOR VALUES FROM (%L) TO (%L)', i, timestamptz '2025-01-01Z' + i * interval '1 day', timestamptz '2025-01-02Z' + i * interval '1 day');
		END LOOP; END $$},
		(map { my $index = $_; ("CREATE INDEX ON parts_by_id (${\sprintf($index, 'id')})", "CREATE INDEX ON parts_by_column (${\sprintf($index, 'at')})") } @indexes),
		q{INSERT INTO parts_by_id SELECT uuid7_min('2025-01-01Z'::timestamptz + g * interval '10 min'), 1, 1 FROM generate_series(0, 28000) g},
		q{INSERT INTO parts_by_column SELECT '2025-01-01Z'::timestamptz + g * interval '10 min', 1, 1 FROM generate_series(0, 28000) g}, 'ANALYZE parts_by_id, parts_by_column');
	@planned = in_turns(11, map { my $sql = $_; sub { planning($sql) } } "SELECT * FROM parts_by_id ORDER BY $time DESC LIMIT 20", 'SELECT * FROM parts_by_column ORDER BY at DESC LIMIT 20');
	table('order', "The order of the time, $count rows: by the index of a uuid v7 / by that of a timestamptz",
		[ '', 'ratio', 'by id, ms', 'by column, ms', 'planning, ratio' ], @rows, [ '200 partitions with four indexes', (undef) x 3, $planned[0][0] / $planned[1][0] ]);
	bar("by the time of a uuid v7 / by a column: $_->[0]", $_->[1], '<= 1.3') foreach grep { $_->[0] ne 'all' } @rows;
	bar("planning by the time of a uuid v7 / by a column: $_->[0]", $_->[4], '<= 1.25') foreach @rows;
	bar('planning by the time on 200 partitions: uuid v7 / timestamptz', $planned[0][0] / $planned[1][0], '<= 1.25');
	psql('DROP TABLE by_id, by_column, parts_by_id, parts_by_column');
	return;
}

# Milliseconds of planning a query, with everything about its tables cached.
sub planning
{
	my ($sql) = @_;
	my @ms = map { /^Planning Time: ([\d.]+)/ ? $1 : () } psql(join '', map { "EXPLAIN (SUMMARY) $sql;" } 1 .. 50);

	return median(@ms);
}

# Planning a query of one day on 20 years of months.
sub partitions
{
	my @queries = map {
		my ($table, $column, @before) = @$_;
		my $many = join '', map { "EXPLAIN (SUMMARY) SELECT sum(n) FROM $table WHERE $column >= '2020-05-10 00:00+00'::timestamptz AND $column < '2020-05-11 00:00+00'::timestamptz;" } 1 .. 50;

		sub { my @ms = map { /^Planning Time: ([\d.]+)/ ? $1 : () } psql(@before, $many); return ($ms[0], median(@ms)) };
	} [ 'months_by_id', 'id' ], [ 'months_by_id', 'id', "LOAD 'flakeid'" ], [ 'months_by_column', 'created_at' ];
	my @creating = (
		sub {
			return ms_of('DROP TABLE IF EXISTS months_by_id', 'CREATE TABLE months_by_id (id sno, n int) PARTITION BY RANGE (id)',
				"SELECT count(*) FROM flakeid_create_partitions('months_by_id', '2011-01-01 00:00+00', '2036-01-01 00:00+00', '1 month')");
		},
		sub {
			return ms_of('DROP TABLE IF EXISTS months_by_column', 'CREATE TABLE months_by_column (created_at timestamptz, n int) PARTITION BY RANGE (created_at)',
				q{DO $$ BEGIN FOR i IN 0 .. 299 LOOP
					EXECUTE format('CREATE TABLE months_by_column_%s PARTITION OF months_by_column FOR VALUES FROM (%L) TO (%L)',
						i, timestamptz '2011-01-01 00:00+00' + i * interval '1 month', timestamptz '2011-01-01 00:00+00' + (i + 1) * interval '1 month');
				END LOOP; END $$});
		});
	my ($created, @found);

	progress('partitions');
	$created = [ in_turns(5, @creating) ];
	bar('creating 300 partitions: flakeid_create_partitions / a loop of CREATE TABLE', $created->[0][0] / $created->[1][0], '<= 2');
	@found = in_turns(11, @queries);
	@found = ([ 'first', $found[0][0], $found[2][0] ], [ 'first, library loaded', $found[1][0], $found[2][0] ],
		[ 'later', $found[0][1], $found[2][1] ]);
	table('partitions', 'Planning a query of one day on 300 partitions: by sno / by timestamptz',
		[ 'in a session', 'ratio', 'ms by sno', 'ms by timestamptz' ],
		map { [ $_->[0], $_->[1] / $_->[2], @$_[ 1, 2 ] ] } @found);
	bar("planning a query of one day on 300 partitions, $_->[0]: by sno / by timestamptz", $_->[1] / $_->[2], '<= 1') foreach @found;
	psql('DROP TABLE months_by_id', 'DROP TABLE months_by_column');
	return;
}

# How many rows the planner expects in windows of time, and how long that takes: see
# estimates.sql.  The smaller the q-error of an estimate, max(expected / actual, actual /
# expected), the better.
sub estimates
{
	my @timed = map { $_->{type} } grep { $_->{type} ne 'uid96' } @flakes;
	my (@rows, %planning);

	progress('estimates');
	system('psql', '-Xq', '-v', 'count=' . sized(1e6, 3000), '-f', "$FindBin::RealBin/estimates.sql") == 0 or die 'estimates.sql failed';
	@rows = map { [ split /\|/ ] } psql(q{SELECT form, moment, max(est_q(actual, by_at)), max(est_q(actual, by_id)), }
		  . join(', ', map { "max(est_q(actual, by_id) / est_q(actual, by_at)) FILTER (WHERE name = '$_')" } @timed)
		  . q{ FROM est_result GROUP BY form, moment ORDER BY moment DESC, form COLLATE "C"});
	table('estimates', "Rows expected of nine windows: the worst q-error, and an ID's / timestamptz's of the same window at worst",
		[ 'condition', 'rows since ANALYZE', 'timestamptz', 'IDs', map { "$_ / timestamptz" } @timed ], @rows);
	foreach my $n (0 .. $#timed)
	{
		bar("$timed[$n]: q-error of a window / timestamptz's, at worst", max(map { $_->[ 4 + $n ] } @rows), '<= 1.2');
	}
	%planning = map { split /\|/ } psql('SELECT * FROM est_planning(' . sized(1000, 3) . ')');
	table('estimates', 'Planning a query of one day', [ 'by', "time / timestamptz's", 'ms' ],
		map { [ $_, $planning{$_} / $planning{at}, $planning{$_} ] } 'at', @timed);
	bar("$_: planning a query of one day / by timestamptz", $planning{$_} / $planning{at}, '<= 1.1') foreach @timed;
	estimates_core();
	return;
}

# The same for IDs in uuid, text and bigint columns: estimates_core.sql.  An estimate that is no
# more than ten rows off counts as exact.
sub estimates_core
{
	my (%ms, @rows);

	system('psql', '-Xq', '-v', 'count=' . sized(1e5, 4000), '-v', 'parts=' . sized(1000, 10), '-f', "$FindBin::RealBin/estimates_core.sql") == 0 or die 'estimates_core.sql failed';
	@rows = map { [ split /\|/ ] } psql(q{SELECT shape, kind, count(*), count(*) FILTER (WHERE ratio > 1.2), percentile_cont(0.5) WITHIN GROUP (ORDER BY ratio), max(ratio)
		FROM core.ratio JOIN core.shape USING (shape) GROUP BY shape, ord, kind ORDER BY ord, kind COLLATE "C"});
	table('estimates', "Rows expected of windows by the time in other columns: the q-error / timestamptz's",
		[ 'rows', 'column', 'windows', 'above 1.2', 'median', 'worst' ], @rows);
	foreach my $kind ('uuid7', 'ulid text', 'ulid uuid')
	{
		bar("$kind: windows whose q-error is above 1.2 times timestamptz's", sum0(map { $_->[3] } grep { $_->[1] eq $kind } @rows), '<= 0');
	}
	foreach (psql('SELECT * FROM core.planning(' . sized(1000, 20) . ')'))
	{
		my ($query, $kind, $ms) = split /\|/;

		$ms{$query}{$kind} = $ms;
	}
	my @kinds = ('uuid7', 'ulid text', 'ulid uuid', 'bigint');

	table('estimates', "Planning by the time in other columns: time / timestamptz's", [ 'query', 'timestamptz, ms', @kinds ],
		map { my $by = $ms{$_}; [ $_, $by->{timestamptz}, map { $by->{$_} / $by->{timestamptz} } @kinds ] } sort keys %ms);
	foreach my $kind (@kinds)
	{
		bar("$kind: planning a query of one day / by timestamptz", $ms{'two constants'}{$kind} / $ms{'two constants'}{timestamptz}, '<= 1.25');
		bar("$kind: planning with partitions that are pruned when the query runs / by timestamptz",
			$ms{'partitions, pruned when the query runs'}{$kind} / $ms{'partitions, pruned when the query runs'}{timestamptz}, '<= 1.15');
	}
	return;
}

# WAL written by making IDs: one session for each generator, at full speed.  The first record
# after a checkpoint contains the page, so the sessions start before the measurement.
sub wal
{
	my $state = q{SELECT pg_current_wal_insert_lsn() - '0/0', pg_snapshot_xmax(pg_current_snapshot())};
	my (@before, @after, $from, $bytes);

	progress('wal');
	psql('CHECKPOINT');
	foreach my $seconds (max(3 * $size, 0.1), max(10 * $size, 0.1))
	{
		my @sessions;

		$from = time;
		@before = split /\|/, psql($state);
		@sessions = map { session("SELECT bench_load(\$e\$$_->{new}\$e\$, clock_timestamp(), $seconds)") } @flakes;
		finish($_) foreach @sessions;
		@after = split /\|/, psql($state);
		$bytes = ($after[0] - $before[0]) / (time - $from);
	}
	table('wal', 'The server\'s WAL while each generator is used by a session without pause',
		[ 'bytes a second', 'transaction IDs' ], [ $bytes, $after[1] - $before[1] ]);
	bar('WAL of the generators, bytes a second', $bytes, '<= 240');
	bar('transaction IDs of the generators', $after[1] - $before[1], '<= 0');
	return;
}

# The first ID of new sessions while another one moves the mark all the time: on the actual
# disk, and on one with slower flushes, simulated by disk.c.
sub latency
{
	my $disk = $ENV{FLAKEID_DISK} or die "part latency needs a server that has disk.c preloaded: see run.sh\n";
	my $sessions = sized(60, 3);
	my @delays = (0, 20, 200);
	my @found = in_turns(7, map { my $delay = $_; sub { progress("latency: a flush of $delay ms more"); return first_ids($disk, $delay, $sessions) } } @delays);

	set_disk($disk, 0);
	table('latency', "First ID of $sessions new sessions while another session moves the mark without pause: ms, and / on a fast disk",
		[ 'flush', 'p50', 'p90', 'p99', 'p50 /', 'p90 /', 'p99 /', 'moves of the mark a second' ],
		map { my $row = $_; [ $row ? "$delays[$row] ms longer" : 'as it is', @{ $found[$row] }[ 0 .. 2 ], (map { $found[$row][$_] / $found[0][$_] } 0 .. 2), $found[$row][3] ] } 0 .. $#delays);
	bar("first ID of a session, a flush of $delays[$_] ms / a fast disk: p99", $found[$_][2] / $found[0][2], '<= 1.5') foreach 1, 2;
	return;
}

# Tell disk.c how many milliseconds longer a flush takes.
sub set_disk
{
	my ($disk, $delay) = @_;

	open my $file, '+<', $disk or die "$disk: $!";
	syswrite $file, pack 'l2', $delay, 0 or die "$disk: $!";
	return close $file;
}

# Percentiles of the milliseconds that sessions, one after the other, need for their first ID,
# with the library loaded, and how often per second the mark was moved.
sub first_ids
{
	my ($disk, $delay, $count) = @_;
	my $running = File::Temp->new;
	my $began = time;
	my (@ms, $mover, $moves);

	set_disk($disk, $delay);

	# moves every mark all the time; flakeid_advance() would run ahead of the clock
	$mover = session(qq{DO \$\$
		DECLARE
			moves int := 0;
			before timestamptz[];
			now timestamptz[];
		BEGIN
			WHILE (pg_stat_file('$running', true)).size IS NOT NULL LOOP
				PERFORM sno_new(0), snowflake_new();
				SELECT array_agg((ARRAY[to_1, to_2, to_3, to_4, to_5, to_6])[current] ORDER BY kind) INTO now FROM _flakeid.mark;
				moves := moves + (now IS DISTINCT FROM before)::int;
				before := now;
				PERFORM pg_sleep(0.001);
			END LOOP;
			PERFORM set_config('bench.moves', moves::text, false);
		END \$\$}, q{SELECT current_setting('bench.moves')});
	foreach (1 .. $count)
	{
		push @ms, ms_of("LOAD 'flakeid'", 'SELECT sno_new(0)');
	}
	unlink $running or die "$running: $!";
	($moves) = finish($mover);
	@ms = sort { $a <=> $b } @ms;
	return ((map { $ms[ ceil($_ * @ms) - 1 ] } 0.5, 0.9, 0.99), $moves / (time - $began));
}

# Ways to read new rows, and those of "changing" that have changed: the reader's position, and the rows of a poll.
# Before it, "asks" has the SQL edition's horizon of a sequence.
my @feeds = (
	{ name => '`id > last`', position => 'id', where => 'id > last' },
	{ name => 'a lag of 100 ms', position => 'id', where => q{id > last AND id < ulid_min(clock_timestamp() - interval '100 ms')} },
	{ name => '`xid8` below `pg_snapshot_xmin()`', position => 'xid', where => 'xid > last AND xid < pg_snapshot_xmin(pg_current_snapshot())' },
	{ name => '`id < ulid_horizon()`', position => 'id', where => 'id > last AND id < ulid_horizon()' },
	{ name => '`n > last`, an IDENTITY column', position => 'n', where => 'n > last' },
	{ name => q(`n < flakeid_horizon('feed_n_seq')`), position => 'n', where => q(n > last AND n < flakeid_horizon('feed_n_seq')) },
	{ name => 'changes: `version > last`', table => 'changing', position => 'version', where => 'version > last' },
	{ name => 'changes: `xid8` below `pg_snapshot_xmin()`', table => 'changing', position => 'xid', where => 'xid > last AND xid < pg_snapshot_xmin(pg_current_snapshot())' },
	{ name => q(changes: `version < flakeid_horizon('changing_version')`), table => 'changing', position => 'version', where => q(version > last AND version < flakeid_horizon('changing_version')) },
	{ name => q(`n` below the SQL edition's horizon), asks => 'feed_n_seq', position => 'n', where => 'n > last AND n < bound' },
	{ name => q(changes: `version` below the SQL edition's horizon), table => 'changing', asks => 'changing_version', position => 'version', where => 'version > last AND version < bound' });

# What is different in each row, or each of its states.
my %key = (feed => 'id', changing => 'version');

# The time from a row's insert to its delivery, and the rows missed: concurrent readers, while
# transactions write, most of them short; and again with long ones in another database.
sub feeds
{
	my $seconds = sized(30, 1);
	my @found;

	create_feeds();
	@found = map { progress('feeds: ' . ($_ ? 'during a long transaction in another database' : 'alone')); [ read_feeds($seconds, $_) ] } 0, 1;
	table('feeds', "From a row's birth or change to its delivery, ms, and rows missed of $found[0][0]{rows} and $found[1][0]{rows}, changed ones of $found[0][6]{rows} and $found[1][6]{rows}: 8 writers, 200 transactions a second of 0 to 2 ms, one of 200 takes 150 ms; polls 1 ms apart; "
		  . 'then during writing transactions of 3 s in another database of the server',
		[ 'way', 'missed', 'p50', 'p99', 'missed, during', 'p50, during', 'p99, during' ],
		map { my $n = $_; [ $feeds[$n]{name}, map { @{ $_->[$n] }{qw(missed p50 p99)} } @found ] } 0 .. $#feeds);
	bar('horizon: p99 of delivery / that of xid8', $found[0][3]{p99} / $found[0][2]{p99}, '<= 1.3');
	bar('... during a long transaction in another database', $found[1][3]{p99} / $found[1][2]{p99}, '<= 0.1');
	bar('horizon: rows missed', $found[0][3]{missed} + $found[1][3]{missed}, '<= 0');
	bar("horizon of a sequence: p99 of delivery / that of xid8", $found[0][5]{p99} / $found[0][2]{p99}, '<= 1.3');
	bar('... during a long transaction in another database', $found[1][5]{p99} / $found[1][2]{p99}, '<= 0.1');
	bar('horizon of a sequence: rows missed', $found[0][5]{missed} + $found[1][5]{missed}, '<= 0');
	bar('horizon of changes: p99 of delivery / that of xid8', $found[0][8]{p99} / $found[0][7]{p99}, '<= 1.3');
	bar('... during a long transaction in another database', $found[1][8]{p99} / $found[1][7]{p99}, '<= 0.1');
	bar('horizon of changes: rows missed', $found[0][8]{missed} + $found[1][8]{missed}, '<= 0');
	bar('horizon of the SQL edition: p50 of delivery / that of C', max(map { $_->[9]{p50} / $_->[5]{p50} } @found), '<= 2');
	bar('... of changes', max(map { $_->[10]{p50} / $_->[8]{p50} } @found), '<= 2');
	bar('horizon of the SQL edition: p99 of delivery / that of xid8, during a long transaction in another database', $found[1][9]{p99} / $found[1][2]{p99}, '<= 0.1');
	bar('... of changes', $found[1][10]{p99} / $found[1][7]{p99}, '<= 0.1');
	bar('horizon of the SQL edition: rows missed', sum0(map { ($_->[9]{missed}, $_->[10]{missed}) } @found), '<= 0');

	psql('DROP DATABASE bench_other');
	return;
}

# What a call of the horizon costs, on a server with places for many others.
sub horizon
{
	my @us;

	psql('CREATE TABLE IF NOT EXISTS feed (id ulid PRIMARY KEY DEFAULT ulid_new())');
	progress('horizon');
	@us = map { horizon_us(@$_) } [ 0, 0, 0 ], [ sized(150, 6), 0, 0 ], [ sized(150, 6), sized(100, 4), 0 ], [ 0, 0, sized(900, 9) ];
	table('horizon', 'A call of ulid_horizon() in PL/pgSQL, net of another STABLE function, on a server for 5,000 sessions: us',
		[ 'alone', 'with 150 sessions', '100 of them in transactions that have written', 'with 900 prepared transactions that have' ], \@us);
	bar('horizon: us of a call with 150 sessions', max(@us[ 1, 2 ]), '<= 5');
	bar('horizon: us of a call with 900 prepared transactions', $us[3], '<= 5');
	return;
}

sub create_feeds
{
	# The SQL edition announces the same values, for its own readers.
	my $follow = 'FOR EACH STATEMENT EXECUTE FUNCTION plain.flakeid_follow';

	my $files = File::Temp->newdir;

	system($^X, "$FindBin::RealBin/../../packaging/edition.pl", $files) == 0 or die;
	psql('CREATE DATABASE bench_other');
	# the SQL edition announces the same values, for its own readers
	psql('CREATE SCHEMA plain', 'SET search_path = plain', "\\i $files/flakeid.sql");
	psql('CREATE TABLE feed (id ulid PRIMARY KEY DEFAULT ulid_new(), xid xid8 NOT NULL DEFAULT pg_current_xact_id(), born timestamptz DEFAULT clock_timestamp(), n bigint UNIQUE GENERATED ALWAYS AS IDENTITY)',
		'CREATE INDEX ON feed (xid)', q(CREATE TRIGGER follow BEFORE INSERT ON feed FOR EACH STATEMENT EXECUTE FUNCTION flakeid_follow('n')),
		'CREATE TABLE changing (k int PRIMARY KEY, n int NOT NULL DEFAULT 0, xid xid8, born timestamptz, version bigint NOT NULL DEFAULT 0)', 'CREATE SEQUENCE changing_version',
		'CREATE INDEX ON changing (version)', 'CREATE INDEX ON changing (xid)', 'INSERT INTO changing (k) SELECT generate_series(0, 7999)',
		q(CREATE TRIGGER zz_version BEFORE UPDATE ON changing FOR EACH ROW EXECUTE FUNCTION flakeid_rowversion('version', 'public.changing_version')),
		"CREATE TRIGGER plain BEFORE INSERT ON feed $follow('n', 'public.feed_n_seq')", "CREATE TRIGGER plain BEFORE UPDATE ON changing $follow('version', 'public.changing_version')",
		map {
			my ($n, $feed) = ($_, $feeds[$_]);
			my $least = { id => q{ulid_min('-infinity')}, xid => q{'0'::xid8}, n => '0', version => '0' }->{$feed->{position}};
			my $table = $feed->{table} // 'feed';
			my $rows = "SELECT * FROM $table WHERE $feed->{where} ORDER BY $feed->{position}";

			("CREATE UNLOGGED TABLE got_$n AS SELECT $key{$table}, 0::float8 AS ms FROM $table LIMIT 0",
				qq{CREATE PROCEDURE read_$n(until timestamptz) LANGUAGE plpgsql AS \$\$
				DECLARE
					last $table.$feed->{position}%TYPE := $least;
					next $table.$feed->{position}%TYPE;
					bound bigint;
				BEGIN
					WHILE clock_timestamp() < until LOOP
						@{[ $feed->{asks} ? "CALL plain.flakeid_horizon('$feed->{asks}', bound);" : '' ]}
						WITH new AS MATERIALIZED ($rows),
							kept AS (INSERT INTO got_$n SELECT $key{$table}, extract(epoch FROM clock_timestamp() - born) * 1000 FROM new)
						SELECT $feed->{position} INTO next FROM new ORDER BY $feed->{position} DESC LIMIT 1;
						last := coalesce(next, last);
						COMMIT;
						PERFORM pg_sleep(0.001);
					END LOOP;
				END \$\$});
		} 0 .. $#feeds);
	return;
}

# Percentiles and rows missed, for each way.  Readers continue until the writers have ended.
sub read_feeds
{
	my ($seconds, $beside) = @_;
	# each client changes rows of its own
	my $row = "\\set row :client_id * 1000 + random(0, 999)\n";
	my $write = 'INSERT INTO feed DEFAULT VALUES; UPDATE changing SET n = n + 1, xid = pg_current_xact_id(), born = clock_timestamp() WHERE k = :row';
	my @scripts = ([ 65, 'INSERT INTO feed DEFAULT VALUES' ], [ 65, $row . $write =~ s/.*; //r ], [ 60, "${row}BEGIN;\n\\set us random(0, 2000)\n$write;\n\\sleep :us us\nINSERT INTO feed DEFAULT VALUES;\nCOMMIT" ],
		[ 9, "${row}BEGIN;\n$write;\nROLLBACK" ], [ 1, "${row}BEGIN;\n$write;\n\\sleep 150 ms\nCOMMIT" ]);
	my $until = sprintf 'to_timestamp(%.3f)', time + $seconds + ($beside ? 5 : 2);
	my (@files, @readers, $other, $out);

	psql('ALTER TABLE changing DISABLE TRIGGER zz_version', 'UPDATE changing SET xid = NULL, version = 0', 'ALTER TABLE changing ENABLE TRIGGER zz_version');
	psql('TRUNCATE feed, ' . join ', ', map { "got_$_" } 0 .. $#feeds);
	foreach my $script (@scripts)
	{
		push @files, File::Temp->new;
		print { $files[-1] } "$script->[1];\n";
		close $files[-1] or die;
	}
	@readers = map { session("CALL read_$_($until)") } 0 .. $#feeds;
	if ($beside)
	{
		local $ENV{PGDATABASE} = 'bench_other';
		$other = session('CREATE TABLE written (n int)', map { ("BEGIN", 'INSERT INTO written VALUES (1)', 'SELECT pg_sleep(' . ($seconds < 3 ? 1 : 3) . ')', 'COMMIT') } 1 .. ceil($seconds / 3));
	}
	$out = `pgbench -n -c 8 -j 2 -R 200 -T $seconds --random-seed=1 @{[ map { "-f $files[$_]\@$scripts[$_][0]" } 0 .. $#scripts ]} 2>&1`;
	$? == 0 or die $out;
	finish($other) if $other;
	finish($_) foreach @readers;
	return map {
		my $table = $feeds[$_]{table} // 'feed';
		my $key = $key{$table};
		my $rows = $table eq 'feed' ? 'feed' : 'changing WHERE version > 0';
		my %of;

		@of{qw(rows missed p50 p99)} = split /\|/, psql("SELECT (SELECT count(*) FROM $rows), (SELECT count(*) FROM (SELECT $key FROM $rows EXCEPT SELECT $key FROM got_$_) AS missed),
			percentile_cont(0.5) WITHIN GROUP (ORDER BY ms), percentile_cont(0.99) WITHIN GROUP (ORDER BY ms) FROM got_$_");
		\%of
	} 0 .. $#feeds;
}

# Microseconds per call, with so many other sessions, some of them in transactions that have written,
# and so many prepared transactions that have.
sub horizon_us
{
	my ($count, $writing, $prepared) = @_;
	my $calls = sized(100000, 1000);
	my $running = File::Temp->new;
	my $wait = 'SELECT pg_advisory_lock_shared(1)';
	my $holder = session('SELECT pg_advisory_lock(1)', qq{DO \$\$ BEGIN WHILE (pg_stat_file('$running', true)).size IS NOT NULL LOOP PERFORM pg_sleep(0.1); END LOOP; END \$\$});
	my $locked = 'SELECT count(*) FROM pg_locks WHERE locktype = $$advisory$$ AND ';
	my @beside;
	my $loop = "now := clock_timestamp(); FOR i IN 1 .. $calls LOOP %s; END LOOP; us := us %s extract(epoch FROM clock_timestamp() - now) * 1e6;";
	my $us;

	select undef, undef, undef, 0.1 while psql("$locked granted") < 1;
	@beside = map { session($_ <= $writing ? ('BEGIN', 'INSERT INTO feed DEFAULT VALUES') : 'SELECT ulid_new()', $wait) } 1 .. $count;
	select undef, undef, undef, 0.1 while psql("$locked NOT granted") < $count;
	psql('CREATE OR REPLACE FUNCTION horizon_us() RETURNS float8 LANGUAGE plpgsql AS $$ DECLARE now timestamptz; h ulid; s timestamptz; us float8 := 0; BEGIN '
		  . sprintf($loop, 'h := ulid_horizon()', '+') . sprintf($loop, 's := statement_timestamp()', '-') . " RETURN us / $calls; END \$\$");
	# snapshots list only those before the newest that has ended
	psql((map { ('BEGIN', 'INSERT INTO feed DEFAULT VALUES', "PREPARE TRANSACTION 'feed $_'") } 1 .. $prepared), 'SELECT pg_current_xact_id()') if $prepared;
	$us = median(map { psql('SELECT horizon_us()') } 1 .. ($size < 0.1 ? 1 : 5));
	psql(map { "ROLLBACK PREPARED 'feed $_'" } 1 .. $prepared) if $prepared;
	unlink $running or die "$running: $!";
	finish($_) foreach $holder, @beside;
	return $us;
}

# ---------- the run ----------

# Latency, which needs a disk that can be slowed down, feeds, which depend on the clock, the horizon on a server
# with many places, and the order of the time are measured only on request.
my %parts = (latency => \&latency, feeds => \&feeds, horizon => \&horizon, order => \&order, generators => \&generators, sessions => \&sessions, io => \&io, rows => \&rows, insert => \&insert, growth => \&growth,
	writers => \&writers, ranges => \&ranges, statuses => \&statuses, partitions => \&partitions, estimates => \&estimates, wal => \&wal,
	nothing => sub { });    # only the overhead, for instructions.sh
my @order = qw(generators sessions io rows insert growth writers ranges statuses partitions estimates wal);

GetOptions('size=f' => \$size, 'out=s' => \$out) && !grep { !$parts{$_} } @ARGV
  or die "usage: bench.pl [--size=1] [--out=FILE] [PART...], of @order, latency, feeds, horizon, order\n";

# Put the module where the server can read it.
sub load_module
{
	my ($library) = psql('SHOW data_directory') . '/bench.so';
	my $pg_config = $ENV{PG_CONFIG} || 'pg_config';
	my $include = `$pg_config --includedir-server`;
	my %signatures = ('bench_calls(text[], int, int)' => 'float8[]', 'bench_load(text, timestamptz, float8)' => 'float8[]',
		'bench_cpu()' => 'float8', 'bench_uuidv7()' => 'uuid');

	chomp $include;
	system($ENV{CC} || 'cc', qw(-O2 -Wall -Wextra -Wno-unused-parameter -fPIC -shared -isystem), $include, '-o', $library, "$FindBin::RealBin/bench.c") == 0
	  or die 'bench.c does not compile';
	psql('CREATE EXTENSION flakeid', 'CREATE SEQUENCE bench_1', 'CREATE SEQUENCE bench_100 CACHE 100',
		(map { "CREATE FUNCTION $_ RETURNS $signatures{$_} LANGUAGE C STRICT AS '$library'" } sort keys %signatures),
		(map { my ($name) = $_->{new} =~ /^(\w+)_new/; "CREATE FUNCTION bench_$name($_->{takes}) RETURNS $_->{type} LANGUAGE C STRICT AS '$library', 'bench_floor_$_->{bytes}'" } @generators),
		q{DO $$ BEGIN CREATE EXTENSION pg_uuidv7; EXCEPTION WHEN OTHERS THEN END $$});
	$_->{default} =~ s/bench_uuidv7/uuidv7/ foreach exists_function('uuidv7()') ? @columns : ();
	return;
}

sub machine
{
	my $model = `sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | sort | uniq -c`;

	return join ', ', $model =~ s/^\s+(\d+) (.*)\n/$1 x $2/r, `uname -sr` =~ s/\n//r;
}

# Write the result after every part, so that an interrupted run leaves what it has.
sub save
{
	my $json = JSON::PP->new->canonical->pretty->encode({
		date => strftime('%Y-%m-%d', gmtime),
		commit => $ENV{BENCH_COMMIT} || 'unknown',
		size => $size,
		seconds => ceil(time - $began),
		server => scalar psql('SELECT version()'),
		machine => machine(),
		load => "$load at the start",
		tables => \@tables,
		bars => \@bars });

	# one row per line
	$json =~ s/\[\s+([^][{}]*?)\s+\]/'[' . $1 =~ s{,\n\s+}{, }gr . ']'/ge;
	open my $file, '>', $out or die "$out: $!";
	print $file $json;
	close $file or die "$out: $!";
	return;
}

# These parts measure a single session's work: without parallel workers.
$ENV{PGOPTIONS} = '-c jit=off -c max_parallel_workers_per_gather=0 -c max_parallel_maintenance_workers=0 '
  . '-c work_mem=512MB -c maintenance_work_mem=512MB -c timezone=UTC -c client_min_messages=warning';
load_module();
foreach my $part (@ARGV ? @ARGV : @order)
{
	progress($part);
	$parts{$part}->();
	save();
}
