# Writers and readers of feeds under load.
#
# FEEDS_SECONDS sets the length of a round (4, in make test 1), FEEDS_ROUNDS the least number of
# rounds, FEEDS_MINUTES for how long more follow (0); make torture takes half an hour.
package Flakeid::Feeds;

use strict;
use warnings;

use Exporter 'import';
use Flakeid::Crashes;
use Flakeid::Sessions;
use IPC::Run ();
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(sleep);

our @EXPORT = qw(
  SECONDS start_writers left_prepared finish_prepared create_reader reader_script last_poll rounds
  write_and_read expect_all_read
);

use constant SECONDS => $ENV{FEEDS_SECONDS} || ($ENV{SHORT} ? 1 : 4);

my $starts = 0;

# ---------- writers ----------

# Start writers for some seconds: pgbench with scripts, [ weight, text ], in which :start and
# :client_id together are new each time.
sub start_writers
{
	my ($node, $clients, $seconds, @scripts) = @_;
	my $base = PostgreSQL::Test::Utils::tempdir() . '/writers';

	append_to_file("$base.$_.sql", "$scripts[$_][1]\n") foreach 0 .. $#scripts;
	$starts++;
	return {
		err => "$base.err",
		run => IPC::Run::start([ $node->installed_command('pgbench'), '-n', '-c', $clients, '-T', $seconds, '-D', "start=$starts",
				(map { ('-f', "$base.$_.sql\@$scripts[$_][0]") } 0 .. $#scripts), $node->connstr('postgres') ], '>', '/dev/null', '2>', "$base.err")
	};
}

# The transactions that writers have left prepared.
sub left_prepared
{
	my ($node) = @_;

	return split /\n/, $node->safe_psql('postgres', 'SELECT gid FROM pg_prepared_xacts');
}

sub finish_prepared
{
	my ($node, @gids) = @_;

	$node->safe_psql('postgres', (int(rand 2) ? 'COMMIT' : 'ROLLBACK') . " PREPARED '$_'") foreach @gids;
	return;
}

# ---------- readers ----------

# A reader is described by its table, the bound of its IDs, its way to poll, a statement to run first, and a
# pattern of the errors after which to poll again.  Ways to poll: a transaction for each poll (none); the same
# as a statement of the client; a connection, or a cursor, for each; a snapshot that is some milliseconds
# older; a position that is the horizon.

# Rows above a position and below a horizon; and the WITH clause that keeps such rows in got_NAME.
my $select = 'SELECT %s FROM %s WHERE id > %s AND id < %s ORDER BY id LIMIT 1000';
my $keep = 'WITH rows AS MATERIALIZED (%s), kept AS (INSERT INTO got_%s SELECT * FROM rows)';

# Create what reads the rows of a table, in the order of its column id, below a horizon, into got_NAME, and
# stores in at_NAME how far it has got.  "columns" are read, "type" is that of the ID, and "least" is below all.
# "before" is run before each poll, and may set the variable "bound"; "rows" is another query.
sub create_reader
{
	my ($node, $name, $reader, %option) = @_;
	my ($table, $horizon, $way, undef, $again) = @$reader;
	my ($columns, $type, $least) = ($option{columns} // 'id, token', $option{type} // 'bigint', $option{least} // '0');
	my $rows = $option{rows} // sprintf $select, $columns, $table, 'last', $horizon;
	my $poll = sprintf("$keep SELECT id INTO next FROM rows ORDER BY id DESC LIMIT 1;", $rows, $name);

	# a connection for each poll
	my $stop = ($way ||= '') eq 'connection' ? 'true' : 'EXISTS (SELECT FROM stopped)';
	$poll = "FOR row IN $rows LOOP PERFORM pg_sleep(0.001) FROM generate_series(1, (random() < 0.1)::int); INSERT INTO got_$name SELECT (row).*; next := row.id; END LOOP;"
	  if $way eq 'cursor';
	# the position is the horizon itself, less one
	$poll = "WITH h AS MATERIALIZED (SELECT $horizon AS h), kept AS (INSERT INTO got_$name SELECT $columns FROM $table, h WHERE id > last AND id < h) SELECT nullif(greatest(h, last + 1) - 1, last) INTO next FROM h;"
	  if $way eq 'position';
	# Where this reader's process has to wait for a second, other transactions have taken the places of the notes
	# that it needs.  It polls again then, as applications do.
	$again ||= 'snapshot is too old' if $way eq 'repeatable';
	$poll = "BEGIN $poll EXCEPTION WHEN OTHERS THEN IF SQLERRM !~ '$again' THEN RAISE; END IF; next := NULL; END;" if $again;
	$poll = "PERFORM pg_sleep(0.02 * random()); $poll" if $way eq 'repeatable';
	$poll = "$option{before}; $poll" if $option{before};
	$node->safe_psql('postgres', "CREATE TABLE got_$name " . ($option{rows} ? "(id $type, token bigint)" : "AS SELECT $columns FROM $table LIMIT 0") . "; CREATE TABLE at_$name (last $type); INSERT INTO at_$name VALUES ($least)");
	$node->safe_psql('postgres', qq(CREATE PROCEDURE read_$name(once boolean) LANGUAGE plpgsql AS \$\$
		DECLARE
			last $type;
			next $type;
			bound $type;
			row got_$name;
		BEGIN
			last := (SELECT a.last FROM at_$name AS a);
			COMMIT;
			LOOP
				next := NULL;
				$poll
				IF next IS NOT NULL THEN
					UPDATE at_$name SET last = next;
				END IF;
				last := coalesce(next, last);
				COMMIT;
				PERFORM pg_sleep(0.004);
				EXIT WHEN once AND next IS NULL OR NOT once AND $stop;
				COMMIT;
			END LOOP;
		END \$\$));
	return;
}

# A script for a reader that polls until there is a row in "stopped", or for so many seconds.
sub reader_script
{
	my ($name, $reader, $seconds) = @_;
	my ($table, $horizon, $way, $settings, $again) = @$reader;
	my $call = "CALL read_$name(false)";
	my $kept = sprintf $keep, sprintf($select, 'id, token', $table, "(SELECT last FROM at_$name)", $horizon), $name;

	return "\\connect -\n$call;\n" x (50 * $seconds) if ($way // '') eq 'connection';
	return "\\set ON_ERROR_STOP 0\n" . "$kept UPDATE at_$name SET last = (SELECT max(id) FROM rows) WHERE EXISTS (SELECT FROM rows);
		SELECT :'SQLSTATE' <> '00000' AND :'LAST_ERROR_MESSAGE' !~ '$again' AS fails, EXISTS (SELECT FROM stopped) AS stop FROM pg_sleep(0.004) \\gset
		\\if :fails \n \\set ON_ERROR_STOP 1 \n SELECT 'unexpected error'::int; \n \\endif \n \\if :stop \n \\quit \n \\endif\n" x (150 * $seconds) if ($way // '') eq 'statement';
	return ($settings // 'SELECT') . ";\n$call";
}

# ... and for one that reads what is left.
sub last_poll
{
	my ($name, $reader) = @_;

	return ($reader->[3] // 'SELECT') . ";\nCALL read_$name(true)";
}

# ---------- rounds ----------

# Call for these kinds of rounds in turn, at least so many times, and until the reader that is named naive has
# missed rows of its table, by a column: before that the load was too light to show anything.
sub rounds
{
	my ($node, $least, $kinds, $table, $column, $round) = @_;
	my $end = time + 60 * ($ENV{FEEDS_MINUTES} || 0);
	my $missed = "SELECT EXISTS (SELECT $column FROM $table WHERE id < (SELECT last FROM at_naive) EXCEPT SELECT $column FROM got_naive)";
	my $n = 0;

	while ($n < ($ENV{FEEDS_ROUNDS} || $least) || time < $end || ($n < 20 && $node->safe_psql('postgres', $missed) ne 't'))
	{
		my $kind = $kinds->[ $n++ % @$kinds ];

		diag("round $n: $kind");
		$round->($kind, "round $n, $kind");
	}
	return;
}

# Run writers for some seconds, with clients and scripts as start_writers() takes them, and beside them
# sessions that run until there is a row in "stopped".  A kind of round may be an event in its middle, after
# which they begin again: commits are asynchronous and the server is killed ("asynchronous"), or with
# synchronous ones it is killed ("crash") or stopped at once ("immediate").  "meanwhile" is called in a round of
# another kind, and "start" starts the server again.  Returns the writers' errors.
sub write_and_read
{
	my ($node, $kind, $clients, $seconds, $scripts, $sessions, %option) = @_;
	my $start = $option{start} // sub { $node->start };
	my ($writers, @running, @left);

	$node->safe_psql('postgres', 'ALTER SYSTEM SET synchronous_commit = ' . ($option{commit} // ($kind eq 'asynchronous' ? 'off' : 'on')));
	$node->safe_psql('postgres', 'SELECT pg_reload_conf()');
	@running = start_sessions($node, @$sessions);
	$writers = start_writers($node, $clients, $seconds, @$scripts);
	if ($kind =~ /^(?:asynchronous|crash|immediate)$/)
	{
		sleep $seconds / 2;
		$kind eq 'immediate' ? $node->stop('immediate') : crash($node, all => 1);
		eval { $_->{run}->finish } foreach $writers, @running;
		$start->();
		@left = left_prepared($node);
		@running = start_sessions($node, @$sessions);
		$writers = start_writers($node, $clients, $seconds, @$scripts);
		sleep $seconds / 4;
		finish_prepared($node, @left);
	}
	elsif ($option{meanwhile})
	{
		$option{meanwhile}->();
	}
	eval { $writers->{run}->finish };
	finish_prepared($node, left_prepared($node));
	$node->safe_psql('postgres', 'INSERT INTO stopped DEFAULT VALUES');
	finish_sessions(@running);
	$node->safe_psql('postgres', 'TRUNCATE stopped');
	return slurp_file($writers->{err});
}

# ---------- results ----------

# A reader has got every row of a table, by a column, and none twice; the one named naive, which
# asks for no horizon, must have missed some.
sub expect_all_read
{
	my ($node, $reader, $table, $column) = @_;
	my ($rows, $missed, $twice) = split /\|/, $node->safe_psql('postgres', "SELECT (SELECT count(*) FROM $table),
		(SELECT count(*) FROM (SELECT $column FROM $table EXCEPT SELECT $column FROM got_$reader) AS missed), (SELECT count(*) - count(DISTINCT $column) FROM got_$reader)");

	diag("$reader: missed $missed of $rows rows");
	if ($reader eq 'naive')
	{
		cmp_ok($missed, '>', 0, "without the horizon: missed $missed of $rows rows");
	}
	else
	{
		is($missed, '0', "$reader: none of $rows rows is missed");
		is($twice, '0', "$reader: ... or read twice");
	}
	return;
}

1;
