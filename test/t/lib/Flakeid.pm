# What the tests of this directory share: servers with flakeid, with or without
# a clock that can be set, sessions at the same time, and checks on files of IDs.
#
# IDs are collected as text, one a line, written by COPY into files: that works
# in a transaction that is rolled back, costs little, and the text of a sno sorts
# as the ID does (in the C collation), so that sort and uniq are all it takes.
package Flakeid;

use strict;
use warnings;

use Exporter 'import';
use FindBin;
use IPC::Run ();
use POSIX qw(strftime);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(usleep);

our @EXPORT = qw(
  new_server server_from start_server configure write_settings clock_available clock_reaches set_clock yesterday
  run_sessions start_sessions finish_sessions session attempt quit_session until_gone until_true sno_range telling headers build_library install_extension next_version
  id_file shell increasing all_unique
  generators with_flax making making_width making_unique columns_unique probe marks marks_kept below crash kill_alive wait_for_exit wait_for_server seeded
  citus_available citus_cluster MARK MARKED row_until raise_marks prepare_watch watched_unique answer_within slow_disk
);

my $faketime = (glob('/usr/lib/*/faketime/libfaketime.so.1'), glob('/usr/lib*/faketime/libfaketime.so.1'),
	glob('/usr/local/lib/faketime/libfaketime.so.1'))[0];

# so that servers are stopped, as at every other end
$SIG{INT} = $SIG{TERM} = sub { exit 1 };

# ---------- servers ----------

# A running server with the extension in database postgres.  Options: preload,
# clock (true: set_clock works), conf (lines for flakeid.conf), server (lines for
# postgresql.conf), init (of the cluster), extension (false: do not create it),
# install_path (of another PostgreSQL).
sub new_server
{
	my ($name, %option) = @_;
	my $node = PostgreSQL::Test::Cluster->new($name, install_path => $option{install_path});

	init_server($node, extra => [ '--no-locale', '-E', 'UTF8' ], %{ $option{init} || {} });

	# no statement in the log: some of them are long, and there are thousands
	$node->append_conf('postgresql.conf', "log_statement = none\nautovacuum = off\nmax_connections = 60\n");
	$node->append_conf('postgresql.conf', "shared_preload_libraries = 'flakeid'\n") if $option{preload};
	$node->append_conf('postgresql.conf', "include = 'flakeid.conf'\n");
	$node->append_conf('postgresql.conf', "$_\n") foreach @{ $option{server} || [] };
	write_settings($node, @{ $option{conf} || [] });
	if ($option{clock})
	{
		$node->{flakeid_clock} = $node->basedir . '/clock';
		set_clock($node, '+0');
	}
	start_server($node);
	$node->safe_psql('postgres', 'CREATE EXTENSION flakeid') unless defined $option{extension} && !$option{extension};
	return $node;
}

# The data directories that run.sh has made, which were made by initdb with new_server's
# options. A script takes each of them once: its servers shall have system identifiers of
# their own, from which numbers are derived.
my @templates = $ENV{TEMPLATES} ? glob "$ENV{TEMPLATES}/*" : ();

# Initialize a server: with a copy of a template, if there is one left, where init() of
# PostgreSQL's module runs initdb.  Its own templates (INITDB_TEMPLATE), which came with
# version 17, are without options.
sub init_server
{
	my ($node, %init) = @_;
	my $run = \&PostgreSQL::Test::Utils::system_or_bail;
	my $standard = !$node->{_install_path} && "@{ $init{extra} }" eq '--no-locale -E UTF8';
	my $template = $standard ? shift @templates : undef;
	no warnings 'redefine';
	local *PostgreSQL::Test::Utils::system_or_bail = sub { $run->($template && $_[0] eq 'initdb' ? ('cp', '-a', $template, $node->data_dir) : @_) };

	$node->init(%init);
	return;
}

# A server from another one's backup, not started: with that one's settings, and a
# clock of its own if that one has.
sub server_from
{
	my ($name, $origin, $backup, %option) = @_;
	my $node = PostgreSQL::Test::Cluster->new($name);

	$node->init_from_backup($origin, $backup, %option);
	$node->append_conf('postgresql.conf', "archive_mode = off\n");    # not into the same place
	if ($origin->{flakeid_clock})
	{
		$node->{flakeid_clock} = $node->basedir . '/clock';
		set_clock($node, '+0');
	}
	return $node;
}

# What libfaketime's processes share goes with the first of them, which is pg_ctl.  Where
# server processes begin from nothing, each looks for it by its name: this is that of a
# process which is there as long as this one.
my ($lasting, $lasting_name);
my $lasting_input = '';

sub lasting_memory
{
	local %ENV = (%ENV, LD_PRELOAD => $faketime, FAKETIME => '+0');

	$lasting ||= IPC::Run::start([ $^X, '-e', '$| = 1; print "$ENV{FAKETIME_SHARED}\n"; 1 while <STDIN>' ], '<', \$lasting_input, '>', \$lasting_name);
	$lasting->pump until $lasting_name =~ /\n/;
	return $lasting_name =~ s/\n//r;
}

# Start a server again with the clock that it was made with; the time since the
# machine started is the real one, unless FAKETIME_DONT_FAKE_MONOTONIC is 0.
sub start_server
{
	my ($node) = @_;
	local %ENV = %ENV;

	if ($node->{flakeid_clock})
	{
		$ENV{LD_PRELOAD} = join ' ', $faketime, $ENV{LD_PRELOAD} || ();
		$ENV{FAKETIME_TIMESTAMP_FILE} = $node->{flakeid_clock};
		$ENV{FAKETIME_NO_CACHE} = 1;
		$ENV{FAKETIME_DONT_FAKE_MONOTONIC} //= 1;
		$ENV{TZ} = 'UTC';
		delete $ENV{FAKETIME};
		$ENV{FAKETIME_SHARED} = lasting_memory() if $node->config_data('--cppflags') =~ /EXEC_BACKEND/;
	}
	$node->start;
	return;
}

# Replace flakeid's lines of the configuration by these and reload; answers when
# new sessions see them.  Sessions that are open see them with their next command.
sub configure
{
	my ($node, @lines) = @_;
	my $before = $node->safe_psql('postgres', 'SELECT pg_conf_load_time()');

	write_settings($node, @lines);
	$node->reload;
	$node->poll_query_until('postgres', "SELECT pg_conf_load_time() <> '$before'") or die 'no reload';
	return;
}

sub write_settings
{
	my ($node, @lines) = @_;

	replace_file($node->data_dir . '/flakeid.conf', join('', map { "$_\n" } @lines));
	return;
}

# In one step, so that nobody reads half of it.
sub replace_file
{
	my ($file, $text) = @_;

	open my $out, '>', "$file.new" or die "$file.new: $!";
	print $out $text;
	close $out or die "$file.new: $!";
	rename "$file.new", $file or die "$file: $!";
	return;
}

# ---------- clusters of Citus ----------

sub citus_available
{
	return -e PostgreSQL::Test::Cluster->new('none')->config_data('--sharedir') . '/extension/citus.control';
}

# So many servers, of which the first is the coordinator, with both extensions.  The name
# of each ends in its group, of which "conf" makes lines for flakeid.conf; "server" has
# lines for postgresql.conf.
sub citus_cluster
{
	my ($count, %option) = @_;
	my @nodes = map {
		my $host = PostgreSQL::Test::Cluster->new("host$_")->host;

		new_server("group$_",
			extension => 0,
			init => { allows_streaming => 'logical' },
			conf => [ $option{conf}->($_) ],
			server => [
				"shared_preload_libraries = 'citus'", "citus.node_conninfo = 'sslmode=prefer'", "citus.local_hostname = '$host'",
				@{ $option{server} || [] }
			])
	} 0 .. $count - 1;
	my ($coordinator, @workers) = @nodes;

	$_->safe_psql('postgres', 'CREATE EXTENSION citus') foreach @nodes;
	$coordinator->safe_psql('postgres', "SELECT citus_set_coordinator_host('${\$coordinator->host}', ${\$coordinator->port})");
	$coordinator->safe_psql('postgres', "SELECT citus_add_node('${\$_->host}', ${\$_->port})") foreach @workers;
	$coordinator->safe_psql('postgres', 'CREATE EXTENSION flakeid');
	return @nodes;
}

# ---------- the clock ----------

sub clock_available
{
	return defined $faketime;
}

# Does a clock set so many years away tell them?  One of 32 bits ends in 2038.  Perl is
# asked, as date may have 64 where servers have 32.
sub clock_reaches
{
	my ($years) = @_;
	local $ENV{LD_PRELOAD} = join ' ', $faketime, $ENV{LD_PRELOAD} || ();
	local $ENV{FAKETIME} = sprintf '%+dy', $years;
	delete local $ENV{FAKETIME_TIMESTAMP_FILE};

	return abs(`$^X -e 'print +(gmtime)[5]'` - (gmtime)[5] - $years) <= 1;
}

# Set the server's clock as libfaketime takes it: '-10s' runs beside the real
# time, '2020-01-01 00:00:00' stands still.
sub set_clock
{
	my ($node, $time) = @_;

	replace_file($node->{flakeid_clock}, "$time\n");
	return;
}

# A time of yesterday for set_clock, to stand still at.  No longer ago: a checkpointer
# that is woken when the clock is 25 days back gives the kernel a timeout out of
# range, which a server with assertions ends at.
my $yesterday = strftime('%Y-%m-%d', gmtime(time - 86400));

sub yesterday
{
	my ($time) = @_;

	return "$yesterday $time";
}

# ---------- sessions ----------

# Run scripts for psql at the same time, each in a session of its own; all must
# succeed.  Answers their outputs.
sub run_sessions
{
	return finish_sessions(start_sessions(@_));
}

# By files and not by pipes, which would have to be served for every session.
sub start_sessions
{
	my ($node, @scripts) = @_;

	return map {
		my $base = PostgreSQL::Test::Utils::tempdir() . '/session';
		my $session = { out => "$base.out", err => "$base.err" };

		replace_file("$base.sql", $_);
		$session->{run} = IPC::Run::start(
			[ $node->installed_command('psql'), '-XAtq', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr('postgres') ],
			'<', "$base.sql", '>', $session->{out}, '2>', $session->{err},
			IPC::Run::timeout($PostgreSQL::Test::Utils::timeout_default));
		$session;
	} @scripts;
}

sub finish_sessions
{
	my (@sessions) = @_;

	return map {
		my $out;

		$_->{run}->finish or die 'session failed: ' . slurp_file($_->{err});
		chomp($out = slurp_file($_->{out}));
		$out;
	} @sessions;
}

# A session that stays open, whose errors carry their SQLSTATE.
sub session
{
	my ($node, %option) = @_;
	my $psql = $node->background_psql($option{database} || 'postgres',
		on_error_stop => 0, extra_params => [ '-v', 'VERBOSITY=verbose', @{ $option{params} || [] } ]);

	$psql->set_query_timer_restart;
	return $psql;
}

# What a statement answers, or its error with SQLSTATE, detail and hint.
sub attempt
{
	my ($session, $sql) = @_;
	my $out;

	$session->{stderr} = '';
	$out = $session->query($sql);
	$out =~ s/\n?(background_psql: QUERY_SEPARATOR)?\n*\z//;    # in older minor releases
	return $session->{stderr} =~ /ERROR/ ? $session->{stderr} : $out;
}

# End a session, and wait until its process has given back what it held: psql is gone before.
sub quit_session
{
	my ($node, $session) = @_;
	my $pid = attempt($session, 'SELECT pg_backend_pid()');

	$session->quit;
	$node->poll_query_until('postgres', "SELECT NOT EXISTS (SELECT FROM pg_stat_activity WHERE pid = $pid)") or die "session $pid does not end";
	return;
}

# The same of psql's sessions that have ended by themselves: until the one that asks is the
# only one left that is attached to the memory of a database.
sub until_gone
{
	my ($node, $database) = @_;

	$node->poll_query_until($database || 'postgres', 'SELECT sessions = 1 FROM flakeid_clock') or die 'sessions do not end';
	return;
}

# The lines that set the range of sno's sequence numbers.
sub sno_range
{
	my ($low, $high) = split /-/, $_[0];

	return ("flakeid.sno_sequence_min = $low", "flakeid.sno_sequence_max = $high");
}

# Poll a condition that is not to be had by SQL.
sub until_true
{
	my ($condition) = @_;

	foreach (1 .. 100 * $PostgreSQL::Test::Utils::timeout_default)
	{
		return 1 if $condition->();
		usleep(10_000);
	}
	return 0;
}

# Do what takes long, and tell about it all the time.
sub telling
{
	my ($tell, $work) = @_;
	my @answer;

	local $SIG{ALRM} = sub { diag $tell->(); alarm 20 };
	alarm 20;
	@answer = eval { $work->() };
	alarm 0;                 # nor may it end a test that stops its servers
	die $@ if $@;
	return wantarray ? @answer : $answer[0];
}

# The folder of PostgreSQL's headers; undef where it cannot be read, or there is no compiler.
sub headers
{
	my $pg_config = $ENV{PG_CONFIG} || 'pg_config';

	chomp(my $headers = `$pg_config --includedir-server 2>/dev/null`);
	return -e "$headers/postgres.h" && system('cc --version >/dev/null 2>&1') == 0 ? $headers : undef;
}

# Compile a library for the server from C files and flags; undef where there are no headers().
sub build_library
{
	my ($node, $name, @arguments) = @_;
	my $headers = headers();
	my $library = $node->basedir . "/$name.so";

	return if !$headers;
	system_or_bail('cc', '-shared', '-fPIC', '-w', '-D_GNU_SOURCE', "-I$headers", '-o', $library, @arguments);
	return $library;
}

# Build the extension of a folder and install it, with what make is told: undef where
# it cannot be built, as there is no compiler or there are no headers of PostgreSQL.
# Not optimized, which takes half of the time.
sub install_extension
{
	my ($folder, @arguments) = @_;
	my $pg_config = $ENV{PG_CONFIG} || 'pg_config';
	local %ENV = %ENV;

	delete @ENV{qw(MAKEFLAGS MAKELEVEL MFLAGS)};
	return if !headers();
	system_or_bail($ENV{MAKE} || 'make', '-s', '-j2', '-C', $folder, "PG_CONFIG=$pg_config", 'COPT=-O0', @arguments);
	return 1;
}

# Make a folder with the sources of the version after this one, which has one function
# more, flakeid_added(), that tells the library's version. Its name is returned.
sub next_version
{
	my ($folder) = @_;
	my $root = "$FindBin::RealBin/../..";
	my ($version) = slurp_file("$root/flakeid.control") =~ /^default_version = '(.*)'/m;
	my $added = "CREATE FUNCTION flakeid_added() RETURNS text AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT;\n";

	mkdir $folder or die "$folder: $!";
	mkdir "$folder/test" or die "$folder: $!";
	system_or_bail('cp', '-r', (map { "$root/$_" } qw(Makefile LICENSE META.json flakeid.control src)), "$folder/");
	system_or_bail('cp', "$root/test/Makefile", "$folder/test/");
	replace_file("$folder/flakeid.control", slurp_file("$root/flakeid.control") =~ s/^(default_version = ).*/$1'$version.next'/mr);
	append_to_file("$folder/src/last.sql", $added);
	append_to_file("$folder/src/flakeid--$version--$version.next.sql", $added);
	append_to_file("$folder/src/operate.c", q(
PG_FUNCTION_INFO_V1(flakeid_added);
Datum
flakeid_added(PG_FUNCTION_ARGS)
{
	PG_RETURN_TEXT_P(cstring_to_text(FLAKE_VERSION));
}
));
	return "$version.next";
}

# ---------- every generator that keeps state ----------

# Name, call, bytes.  Two of sno, as it has one a partition; the two of ulid are one
# generator, whose version 7 UUIDs are read as the ulids that they are.
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

# And one that keeps none, last, for a test that looks for IDs twice: it has no mark,
# no order within its millisecond, and is never refused.
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

# A query for so many IDs of each, or of those whose names match.  As bytea, whose
# hexadecimal text sorts as the ID does.
sub making
{
	my ($count, $which) = @_;
	my @which = grep { !defined $which || $_->[0] =~ $which } @generators;

	return 'SELECT ' . join(', ', map { "$_->[1]::bytea" } @which) . " FROM generate_series(1, $count)";
}

# How long a line of making() is.
sub making_width
{
	return length join '|', map { '\\x' . '00' x $_->[2] } @generators;
}

# columns_unique() for such lines.
sub making_unique
{
	my ($name, $node, $files, %option) = @_;

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	return columns_unique($name, $node, $files, [ map { [ @$_[ 0, 2 ] ] } @generators ], %option);
}

# A test for each column, of a name and so many bytes: no ID of it twice in files of lines
# that COPY has written of such bytea, between "|", or in directories of them.  Lines cut
# short do not count; with "count" there must be so many.
sub columns_unique
{
	my ($name, $node, $files, $columns, %option) = @_;
	my $width = length join '|', map { '\\x' . '00' x $_->[1] } @$columns;

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	foreach my $column (1 .. @$columns)
	{
		my $file = id_file($node, 'column');
		my $count;

		# COPY doubles the backslashes
		shell('n=$1 width=$2 out=$3; shift 3; find "$@" -type f -exec cat {} + | tr -s "\\\\" | awk -F "|" -v n=$n -v width=$width \'length($0) == width { print $n }\' >$out',
			$column, $width, $file, @$files);
		$count = $option{count} || lines($file) || 1;
		all_unique("$name: $columns->[$column - 1][0]: no ID twice", $count, [$file]);
		unlink $file;
	}
	return;
}

# One ID of each, by name, or what a session was told instead.
sub probe
{
	my ($session) = @_;

	return map { $_ => attempt($session, making(1, qr/^$_$/)) } generators();
}

# The table of the marks, and the mark in a row of it.
use constant MARK => '_flakeid.mark';
use constant MARKED => '(ARRAY[to_1, to_2, to_3, to_4, to_5, to_6])[current]';

# The columns of a row after the kind, which says that everything until an instant was issued.
sub row_until
{
	my ($instant) = @_;

	return join ', ', 1, "'-infinity'", $instant, ("'-infinity'") x 10;
}

# The marks by kind: the timelines of sno, all others.
sub marks
{
	my ($node, $database) = @_;

	return split /\n/, $node->safe_psql($database || 'postgres',
		'SELECT max(' . MARKED . ') FROM ' . MARK . ' GROUP BY kind ORDER BY kind');
}

# One test: is no mark lower than it was?
sub marks_kept
{
	my ($name, $node, $database, $before) = @_;
	my @now = marks($node, $database);
	my $pairs = join ', ', map { "('$now[$_]'::timestamptz, '$before->[$_]'::timestamptz)" } 0 .. $#now;

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	return is($node->safe_psql('postgres', "SELECT bool_and(now >= before) FROM (VALUES $pairs) AS m (now, before)"),
		't', "$name: no mark is lower than @$before");
}

# Which of these IDs, by name, begin before the mark that is theirs?
sub below
{
	my ($node, $marks, %ids) = @_;
	my @rows;

	foreach my $name (sort keys %ids)
	{
		my ($type) = $name =~ /^(\w+)/;
		my $id = "('$ids{$name}'::bytea)::$type";

		push @rows, "('$name', ($id)::timestamptz, " . ($type eq 'sno' ? "sno_tick_tock($id)::int" : 2) . ')';
	}
	return $node->safe_psql('postgres',
		    "SELECT name, at FROM (VALUES " . join(', ', @rows) . ") AS id (name, at, kind)"
		  . ' JOIN (VALUES ' . join(', ', map { "($_, '$marks->[$_]'::timestamptz)" } 0 .. $#$marks) . ") AS m (kind, mark) USING (kind)"
		  . ' WHERE at < mark');
}

# ---------- a database that others disturb ----------

# The statement that raises these marks by hand, as a restored dump does.
sub raise_marks
{
	my ($instant, @kinds) = @_;
	my $kinds = join ', ', @kinds ? @kinds : (0 .. 2);

	return 'INSERT INTO ' . MARK . ' SELECT kind, ' . row_until($instant) . " FROM unnest(ARRAY[$kinds]) AS kind";
}

# A function watch(rounds) for this database, which makes an ID of each generator in
# every round.  It returns "well" when each of them is of the clock's time, on the first
# timeline and above the session's last one, or else what is wrong.  What it has made
# is in the table watched.
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

# One test: no ID in the table watched is there twice.
sub watched_unique
{
	my ($name, $node, $database) = @_;

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	return is($node->safe_psql($database, 'SELECT count(*) > 0, count(*) - count(DISTINCT (name, id)) FROM watched'), 't|0', "$name: no ID twice");
}

# What sessions of their own answer to a statement in these databases, errors included,
# while it may be that they hang: those that do are waited for until a limit that is
# none for a machine at work, and then cut off; they answer "hangs".
sub answer_within
{
	my ($node, $sql, @databases) = @_;
	my @running = map {
		my $run = { out => '' };

		$run->{run} = IPC::Run::start([ $node->installed_command('psql'), '-XAtq', '-v', 'VERBOSITY=verbose', '-d', $node->connstr($_), '-c', $sql ],
			'>', \$run->{out}, '2>&1');
		$run;
	} @databases;
	my $ends = time + 10;
	my @answers;

	foreach my $run (@running)
	{
		while ($run->{run}->pumpable && time < $ends)
		{
			$run->{run}->pump_nb;
			usleep(10_000);
		}
		if ($run->{run}->pumpable)
		{
			$run->{run}->kill_kill;
			push @answers, 'hangs';
			next;
		}
		$run->{run}->finish;
		push @answers, $run->{out} =~ s/\n\z//r;
	}
	return @answers;
}

# ---------- the disk ----------

# For a server whose disk flushes as slowly as the test says: compile test/bench/disk.c,
# have servers started from now on preload it, and return a function that sets the
# milliseconds of a flush, -1 for one that does not end and 'full' for memory that
# nobody can have, and that returns how many flushes are under way.  undef where there
# is no compiler.
sub slow_disk
{
	my $base = PostgreSQL::Test::Utils::tempdir();

	return if system('cc --version >/dev/null 2>&1') != 0;
	system_or_bail('cc', '-O2', '-shared', '-fPIC', '-o', "$base/disk.so", "$FindBin::RealBin/../bench/disk.c");
	append_to_file("$base/disk", "\0" x 4096);
	chmod 0666, "$base/disk";
	$ENV{FLAKEID_DISK} = "$base/disk";
	$ENV{LD_PRELOAD} = "$base/disk.so";
	return sub {
		my ($setting) = @_;
		my $number;

		open my $file, '+<', "$base/disk" or die;
		if (defined $setting)
		{
			syswrite $file, pack 'l2', $setting eq 'full' ? (0, 1) : ($setting, 0);
			sysseek $file, 0, 0;
		}
		sysread $file, $number, 12;
		return (unpack 'l3', $number)[2];
	};
}

# ---------- crashes ----------

# The processes of a server but for its first, also those that are about to end,
# which pg_stat_activity does not have any more.
sub processes
{
	my ($postmaster) = @_;

	return grep { status($_) =~ /^PPid:\s*$postmaster$/m } map { m{(\d+)$} } glob '/proc/[0-9]*';
}

# What the kernel says of a process; nothing, when it is gone.
sub status
{
	my ($pid) = @_;

	return eval { slurp_file("/proc/$pid/status") } // '';
}

# kill -9 of a process that dies of it: one that is through, though not yet buried,
# takes the signal, too, and its server has no reason to restart.  So it is made to
# stop first; false for one that does not.
sub kill_alive
{
	my ($pid) = @_;
	my $state;

	return 0 unless kill 'STOP', $pid;
	until_true(sub {
		$state = status($pid) =~ /^State:\s*(\S)/m ? $1 : 'X';
		return $state =~ /[TZX]/;
	}) or die "process $pid does not stop";
	return $state eq 'T' && kill 'KILL', $pid;
}

# Until they are gone: a server refuses to start beside one that is not even buried.
sub wait_for_exit
{
	my (@pids) = @_;

	foreach my $pid (@pids)
	{
		until_true(sub { return !kill 0, $pid }) or die "process $pid does not end";
	}
	return;
}

# kill -9 of the postmaster, and with "all" of every process of the server at
# once; otherwise they find out and end by themselves.
sub crash
{
	my ($node, %option) = @_;
	my ($postmaster) = slurp_file($node->data_dir . '/postmaster.pid') =~ /^(\d+)/;
	my @pids;

	kill 'STOP', $postmaster;    # there are no new ones while they are counted
	@pids = processes($postmaster);
	$node->kill9;
	kill 'KILL', @pids if $option{all};
	wait_for_exit($postmaster, @pids);
	return;
}

# Until connections are taken again.
sub wait_for_server
{
	my ($node) = @_;
	my @isready = ($node->installed_command('pg_isready'), '-q', '-d', $node->connstr('postgres'));

	until_true(sub { return IPC::Run::run(\@isready) }) or die 'the server does not come back';
	return;
}

# Seed rand() and say how to have the same again.
sub seeded
{
	my $seed = $ENV{FLAKEID_SEED} || int rand 2**31;

	srand $seed;
	note "again with: FLAKEID_SEED=$seed";
	return $seed;
}

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
	return shell('cat -- "$@" | wc -l', @_);
}

# Is every line greater than the one before?
sub increasing
{
	my ($file) = @_;

	return system('env', 'LC_ALL=C', 'sort', '-c', '-u', '--', $file) == 0;
}

# One test: no line twice in these files, which have "count" lines.  Each of them
# must be sorted when "sorted" is given, which makes it a mere merge.
sub all_unique
{
	my ($name, $count, $files, %option) = @_;
	my $merge = $option{sorted} ? '-m' : '-S256M';
	my $seen = shell('m=$1; shift; sort "$m" -- "$@" | uniq -c | awk \'$1 > 1 && n++ < 5 { print "twice: " $2 >"/dev/stderr" } END { print NR }\'',
		$merge, @$files);

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	return is($seen . ' of ' . lines(@$files), "$count of $count", $name);
}

1;
