# Clock incidents in a row: the server is restarted in each wrong time, one is corrected in
# two steps, and in the third one a standby is promoted.  Also dumps of servers whose clock
# was ahead.  No reset needs force, a forced reset forgets only its own mistake, and no ID is
# issued twice, even when the clock reaches the wrong times.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;
use POSIX qw(strftime);

plan skip_all => 'no compiler' unless clock_available();

use constant START => (int(time / 86400) - 1) * 86400 + 36000;    # yesterday; yesterday() says why
use constant DAY => 86400;

my @calls = ('sno_new(0)', 'sno_new(5)', q(siq_new('message')), 'uid64_new()', 'snowflake_new()', 'ulid_new()', 'ksuid_new()');
my @conf = ('flakeid.node = 11', 'flakeid.max_wait = 200ms');
our %seen;

# Seconds from the start, in the form the clock accepts.
sub instant
{
	return strftime('%Y-%m-%d %H:%M:%S', gmtime(START + $_[0])) . '.000000';
}

sub at
{
	my ($node, $at) = @_;

	return set_clock($node, instant($at));
}

# Make IDs of every type at a time; none of them may have been made before in a database that
# has a record of it.  Types that match $may need not make one.
sub ids
{
	my ($name, $node, $at, $may, $database) = @_;
	my $session = session($node, database => $database || 'postgres');
	my (@again, @refused);

	at($node, $at);
	foreach my $call (@calls)
	{
		foreach (1, 2)
		{
			my $id = attempt($session, "SELECT ($call)::bytea");

			if ($id !~ /^\\x/) { push @refused, "$call: $id" if !$may || $call !~ $may }
			elsif ($seen{"$call $id"}++) { push @again, "$call $id" }
		}
	}
	$session->quit;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	is("@again@refused", '', $name);
	return;
}

sub reset_to
{
	my ($name, $node, $at, $database) = @_;

	at($node, $at);
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	is($node->safe_psql($database || 'postgres', 'SELECT count(flakeid_clock_reset(now()))'), '1', "$name: reset without force");
	return;
}

my $node = new_server('first', clock => 1, conf => \@conf, extension => 0, init => { allows_streaming => 1 });

$node->stop;
at($node, 0);
start_server($node);
$node->safe_psql('postgres', 'CREATE EXTENSION flakeid');

# ---------- four incidents ----------

my @wrong = (3 * 365 * DAY, 365 * DAY, 30 * DAY, 1 * DAY);
my $right = 0;

foreach my $i (0 .. 3)
{
	my $name = 'incident ' . ($i + 1);

	ids("$name: before", $node, $right += 300);
	if ($i == 2)
	{
		$node->backup('base');
		my $standby = server_from('second', $node, 'base', has_streaming => 1);

		at($standby, $right);
		start_server($standby);
		at($node, $wrong[$i]);
		at($standby, $wrong[$i]);
		ids("$name: in the wrong time, before the promotion", $node, $wrong[$i]);
		$node->wait_for_catchup($standby, 'replay', $node->lsn('flush'));
		$node->stop('immediate');
		$standby->promote;
		$node = $standby;
		ids("$name: after the promotion", $node, $wrong[$i] + 70);
	}
	ids("$name: in the wrong time", $node, $wrong[$i] + 80);
	foreach my $restart (200, 400)
	{
		$node->stop($restart == 200 ? 'fast' : 'immediate');
		at($node, $wrong[$i] + $restart);
		start_server($node);
		ids("$name: after a restart in the wrong time", $node, $wrong[$i] + $restart);
	}
	if ($i == 1)
	{
		reset_to("$name: half way back", $node, $wrong[$i] / 2);
		ids("$name: half way back", $node, $wrong[$i] / 2 + 1);
	}
	reset_to($name, $node, $right += 300);
	ids("$name: after it", $node, $right + 1);
}

# ---------- the clock reaches the wrong times ----------

my @past = sort { $a <=> $b } @wrong, $wrong[1] / 2 + 1;
foreach my $wrong (@past)
{
	# sno continues on its other timeline; the others go a little ahead, or refuse
	ids("the clock reaches a wrong time, $wrong", $node, $wrong + $_, qr/^(?!sno_)/) foreach 0, 1, 70, 80, 81, 200, 201, 400, 401;
	ids("the clock has passed a wrong time, $wrong", $node, $wrong + 500);
}
is($node->safe_psql('postgres', 'SELECT max(n) <= 6 FROM (SELECT count(*) AS n FROM flakeid_issued GROUP BY kind) AS k'), 't', 'six intervals at most');
$node->stop;

# ---------- dumps ----------

$node = new_server('dumps', clock => 1, conf => \@conf, extension => 0);
$node->stop;
at($node, 0);
start_server($node);
%seen = ();

sub dump_into
{
	my ($name, $file, $database) = @_;

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	return $node->command_ok([ $node->installed_command('psql'), '-Xq', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr($database), '-f', $file ], "$name: restored");
}

sub dump_of
{
	my ($database) = @_;
	my $file = $node->basedir . "/$database.sql";

	$node->command_ok([ 'pg_dump', '-f', $file, '--clean', '--if-exists', $database ], "$database: dumped");
	return $file;
}

# Each source makes its IDs with the same number as the restored databases.
$node->safe_psql('postgres', "CREATE DATABASE $_") foreach 'old', 'wrong', 'future', 'advanced';
$node->safe_psql($_, 'CREATE EXTENSION flakeid') foreach 'old', 'wrong', 'future', 'advanced';

my %file;
ids('old: IDs', $node, 100, undef, 'old');
$file{old} = dump_of('old');

# the same number again, so count its IDs separately
my %old = %seen;
%seen = ();
ids('wrong: before', $node, 200, undef, 'wrong');
ids('wrong: a day ahead', $node, DAY, undef, 'wrong');
reset_to('wrong', $node, 260, 'wrong');
ids('wrong: after the reset', $node, 261, undef, 'wrong');
$file{wrong} = dump_of('wrong');
my %wrong = %seen;

%seen = ();
ids('future: a day ahead, and never before', $node, DAY + 600, undef, 'future');
$file{future} = dump_of('future');
my %future = %seen;

at($node, 300);
$node->safe_psql('advanced', q(SET client_min_messages = error; SELECT flakeid_advance(now() + interval '1 hour')));
$file{advanced} = dump_of('advanced');

%seen = (%old, %wrong, %future);
my $now = 400;
foreach my $used (0, 1)
{
	my $database = $used ? 'used' : 'fresh';
	my $after = 100 * $used;

	$node->safe_psql('postgres', "CREATE DATABASE $database");
	if ($used)
	{
		local %seen = ();
		$node->safe_psql($database, 'CREATE EXTENSION flakeid');
		ids("$database: IDs of its own", $node, $now += 10, undef, $database);
	}
	at($node, $now += 10);
	dump_into("$database: $_", $file{$_}, $database) foreach $used ? () : ('old');
	if ($used)
	{
		# only the rows of the mark, into a database in use
		foreach my $source ('old', 'wrong', 'future')
		{
			my $rows = $node->safe_psql($source, 'SELECT * FROM _flakeid.mark');

			$node->safe_psql($database, 'INSERT INTO _flakeid.mark VALUES ' . join ', ', map { '(' . join(', ', map { "'$_'" } split /\|/) . ')' } split /\n/, $rows);
		}
	}
	else
	{
		dump_into("$database: $_", $file{$_}, $database) foreach 'old', 'wrong', 'future';
	}
	{
		local %seen = (%seen);
		ids("$database: restored rows stop nothing", $node, $now + 3, undef, $database);
		ids("$database: the clock reaches the wrong time of a dump", $node, DAY + $_, qr/^(?!sno_)/, $database) foreach 0, 1, 600, 601;
		ids("$database: and passes it", $node, DAY + 700, undef, $database);
	}
	reset_to("$database: back", $node, $now + 10, $database);
	$node->safe_psql('postgres', "DROP DATABASE $database");
}

# a database advanced by hand counts all earlier IDs as issued
$node->safe_psql('postgres', 'CREATE DATABASE last');
at($node, $now += 20);
dump_into('advanced', $file{advanced}, 'last');
like(attempt(my $session = session($node, database => 'last'), 'SELECT snowflake_new()'), $too_far_behind, 'advanced: stops as the source did');
like(attempt($session, 'SELECT flakeid_clock_reset(now())'), qr/ERROR:  55000: IDs were issued at .*DETAIL:  IDs of this database count as issued up to /s, 'advanced: no reset without force');
is(attempt($session, 'SELECT count(flakeid_clock_reset(now(), force => true))'), '1', 'advanced: by force');
like(attempt($session, 'SELECT (snowflake_new())::bytea'), qr/^\\x/, 'advanced: and on');
$session->quit;

# Force undoes a mistake, but no earlier wrong time: its IDs stay issued.
{
	local %seen;

	$node->safe_psql('postgres', 'CREATE DATABASE forced');
	$node->safe_psql('forced', 'CREATE EXTENSION flakeid');
	ids('forced: before', $node, $now + 10, undef, 'forced');
	ids('forced: a wrong time', $node, DAY + $now, undef, 'forced');
	reset_to('forced: corrected', $node, $now + 20, 'forced');
	ids('forced: after it', $node, $now + 30, undef, 'forced');
	is($node->safe_psql('forced', q(SELECT count(flakeid_advance(now() + interval '10 min')))), '1', 'forced: a mistake');
	at($node, $now + 40);
	is($node->safe_psql('forced', 'SELECT count(flakeid_clock_reset(now(), force => true))'), '1', 'forced: taken back');
	is($node->safe_psql('forced', q(SELECT count(*) > 0 FROM flakeid_issued WHERE issued_from > now() + interval '12 h')), 't', 'forced: the wrong time stays issued');
	ids('forced: continues', $node, $now + 50, undef, 'forced');
	ids("forced: the clock reaches the wrong time, $_", $node, DAY + $now + $_, qr/^(?!sno_)/, 'forced') foreach 0, 1, 2;
	ids('forced: and passes it', $node, DAY + $now + 700, undef, 'forced');
}
$node->stop;

done_testing();
