# Files of IDs, and every generator that keeps state.
#
# COPY writes IDs as text, one per line, into files: that works in a transaction that is
# rolled back, costs little, and the text of a sno sorts as the ID does (in the C
# collation), so that sort and uniq can check them.
package Flakeid::IDs;

use strict;
use warnings;

use Exporter 'import';
use Flakeid::Sessions;
use IPC::Run ();
use List::Util qw(sum0);
use Test::More;

our @EXPORT = qw(
  id_file shell lines increasing all_unique generators with_flax making making_endless making_width
  last_made making_unique columns_unique probe prepare_watch watched_unique
);

# ---------- files of IDs ----------

# The name of a file that the server may write.
sub id_file
{
	my ($node, $name) = @_;

	return $node->basedir . "/$name";
}

sub shell
{
	my ($command, @arguments) = @_;
	my $out = '';

	IPC::Run::run([ 'env', 'LC_ALL=C', 'bash', '-o', 'pipefail', '-c', $command, 'bash', @arguments ], '>', \$out)
	  or die "failed: $command @arguments";
	chomp $out;
	$out =~ s/^\s+//;
	return $out;
}

sub lines
{
	my $lines = 0;

	foreach my $file (@_)
	{
		open my $in, '<', $file or die "$file: $!";
		while (sysread $in, my $text, 1 << 20)
		{
			$lines += $text =~ tr/\n//;
		}
	}
	return $lines;
}

# Is every line greater than the previous one?
sub increasing
{
	my ($file) = @_;

	return system('env', 'LC_ALL=C', 'sort', '-c', '-u', '--', $file) == 0;
}

# The lines that occur twice in these files, found by sort, which need only merge files that are
# sorted; or here, if they are so small that its processes would take longer.
sub repeated_lines
{
	my ($sorted, @files) = @_;
	my (%seen, @twice);

	return split /\n/, shell('m=$1; shift; sort "$m" --batch-size=128 -- "$@" | uniq -d', $sorted ? '-m' : '-S256M', @files)
	  if sum0(map { -s } @files) > 300_000;
	foreach my $file (@files)
	{
		open my $in, '<', $file or die "$file: $!";
		push @twice, grep { $seen{$_}++ } <$in>;
	}
	chomp @twice;
	return @twice;
}

# One test: no line occurs twice in these files, which have "count" lines.  With "sorted" each
# of them must be sorted, and they are only merged.
sub all_unique
{
	my ($name, $count, $files, %option) = @_;
	my @twice = grep { defined } (repeated_lines($option{sorted}, @$files))[ 0 .. 4 ];

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	return is(join(', twice ', lines(@$files), @twice), $count, $name);
}

# ---------- every generator that keeps state ----------

# Name, call, bytes.  sno has two, because it has one generator per partition.  ulid's two
# share one generator; a version 7 UUID is read as the ulid with the same bytes.
my @generators = (
	[ 'sno 1', 'sno_new(0, 1)', 10 ],
	[ 'sno 2', 'sno_new(0, 2)', 10 ],
	[ 'siq', q(siq_new('message')), 14 ],
	[ 'uid64', 'uid64_new()', 8 ],
	[ 'uid96', 'uid96_new()', 12 ],
	[ 'snowflake', 'snowflake_new()', 8 ],
	[ 'ulid', 'ulid_new()', 16 ],
	[ 'ulid 7', 'uuid7_new()::ulid', 16 ],
	[ 'ksuid', 'ksuid_new()', 20 ]);

# The last one keeps no state; tests that look for repeated IDs use it: it has no mark, no
# order within its millisecond, and is never refused.
sub with_flax
{
	push @generators, [ 'flax', 'flax_new()', 12 ];
	return;
}

# Their names.
sub generators
{
	return map { $_->[0] } @generators;
}

# A query for so many IDs of each, or of those with matching names.  As bytea, because its
# hexadecimal text sorts as the ID does.
sub making
{
	my ($count, $which) = @_;
	my @which = grep { !defined $which || $_->[0] =~ $which } @generators;

	return 'SELECT ' . join(', ', map { "$_->[1]::bytea" } @which) . " FROM generate_series(1, $count)";
}

# The same without an end, row by row, as a function in FROM would be run to its end first; and with
# pauses, so that it does not use up a processor.
sub making_endless
{
	return making(1_000_000_000) =~ s/FROM (.*)/FROM (SELECT $1) AS endless WHERE pg_sleep(0.0001) IS NOT NULL/r;
}

# The length of a line of making().
sub making_width
{
	return length join '|', map { '\\x' . '00' x $_->[2] } @generators;
}

# The IDs of the last whole line of such a file, by name.
sub last_made
{
	my ($file) = @_;
	my (@whole, %last);

	open my $in, '<', $file or die "$file: $!";
	seek $in, -4096, 2;    # if it is as long
	@whole = grep { length == making_width() } map { chomp; tr/\\//sr } <$in>;
	@last{ generators() } = split /\|/, $whole[-1] if @whole;
	return %last;
}

# columns_unique() for such lines.
sub making_unique
{
	my ($name, $node, $files, %option) = @_;

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	return columns_unique($name, $node, $files, [ map { [ @$_[ 0, 2 ] ] } @generators ], %option);
}

# A test for each column, which is a name and a number of bytes: no ID of it occurs twice in
# files of bytea written by COPY and separated by "|", or in directories of them.  Truncated
# lines do not count; with "count" there must be that many.
sub columns_unique
{
	my ($name, $node, $files, $columns, %option) = @_;
	my $width = length join '|', map { '\\x' . '00' x $_->[1] } @$columns;
	my @names = map { id_file($node, "column$_") } 1 .. @$columns;
	my @out = map { open my $out, '>', $_ or die "$_: $!"; $out } @names;

	open my $in, '-|', 'find', @$files, qw(-type f -exec cat {} +) or die "find: $!";
	while (my $line = <$in>)
	{
		my $i = 0;

		chomp $line;
		$line =~ tr/\\//s;    # COPY doubles the backslashes
		next if length $line != $width;
		print { $out[ $i++ ] } "$_\n" foreach split /\|/, $line;
	}
	close $_ or die "columns: $!" foreach $in, @out;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	all_unique("$name: $columns->[$_][0]: no ID twice", $option{count} || lines($names[$_]) || 1, [ $names[$_] ]) foreach 0 .. $#names;
	unlink @names;
	return;
}

# One ID of each, by name, or the error that a session got instead.
sub probe
{
	my ($session) = @_;

	return map { $_ => attempt($session, making(1, qr/^$_$/)) } generators();
}

# ---------- a database disturbed by others ----------

# A function watch(rounds) for this database, which makes an ID with each generator in every
# round.  It returns "well" if each of them has the clock's time, is on the first timeline and
# is above the session's last one, otherwise what is wrong.  The table watched has the IDs
# that it made.
sub prepare_watch
{
	my ($node, $database) = @_;
	my $calls = join ', ', map { "('" . $_->[0] =~ s/ /_/r . "', '" . $_->[1] =~ s/'/''/gr . "')" } @generators;

	$node->safe_psql($database, "CREATE TABLE watched (name text, id bytea);
		CREATE FUNCTION watch(rounds int DEFAULT 1) RETURNS text LANGUAGE plpgsql AS \$\$
		DECLARE
			generator record;
			made record;
			before timestamptz;
			after timestamptz;
			tick interval;
			faults text[] := '{}';
		BEGIN
			FOR i IN 1 .. rounds LOOP
				FOR generator IN SELECT * FROM (VALUES $calls) AS v (name, call) LOOP
					before := clock_timestamp();
					EXECUTE format('SELECT id::bytea AS id, id::timestamptz AS at, %s AS tick_tock FROM (SELECT %s AS id) AS made',
						CASE WHEN generator.name LIKE 'sno\\_%' THEN 'sno_tick_tock(id)' ELSE 'false' END, generator.call) INTO made;
					after := clock_timestamp();
					-- no tick has as many as 5 ms, but ksuid's
					tick := CASE generator.name WHEN 'ksuid' THEN '1 s' ELSE '5 ms' END;
					IF made.at NOT BETWEEN before - tick AND after + tick THEN
						faults := faults || format('%s is of %s at %s', generator.name, made.at, before);
					END IF;
					IF made.tick_tock THEN
						faults := faults || format('%s is on the other timeline', generator.name);
					END IF;
					IF encode(made.id, 'hex') <= coalesce(current_setting('watch.' || generator.name, true), '') THEN
						faults := faults || format('%s is not above the last one', generator.name);
					END IF;
					PERFORM set_config('watch.' || generator.name, encode(made.id, 'hex'), false);
					INSERT INTO watched VALUES (generator.name, made.id);
				END LOOP;
			END LOOP;
			RETURN coalesce(nullif(array_to_string(faults[1:5], '; '), ''), 'well');
		END \$\$");
	return;
}

# One test: no ID occurs twice in the table watched.
sub watched_unique
{
	my ($name, $node, $database) = @_;

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	return is($node->safe_psql($database, 'SELECT count(*) > 0, count(*) - count(DISTINCT (name, id)) FROM watched'), 't|0', "$name: no ID twice");
}

1;
