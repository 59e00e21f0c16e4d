# docs/runbook.md, followed: each state is brought about, what the page says one sees is
# seen, what it says to type is run verbatim, and its last statement answers what
# the page shows.  Every block of the page is run, and every line of its table has an error
# or a section.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;
use IPC::Run ();

plan skip_all => 'no compiler' unless clock_available();

my $page = slurp_file("$FindBin::RealBin/../../docs/runbook.md");
my (%sections, %done);

# ---------- the page ----------

# Of each section, what one sees (blocks that begin with a message) and what one types, with its
# output: a block, or what psql -At "says" to the statement that tells that it is over.
while ($page =~ /^## (.*?)\n(.*?)(?=^## |\z)/gms)
{
	my ($title, $text) = ($1, $2);
	my $section = $sections{$title} = { seen => [], typed => [] };

	while ($text =~ /^```(\w*)\n(.*?)^```\n|^\*\*It is \w+ when\*\*[^`]*`([^`]*)` says `([^`]*)`/gms)
	{
		my ($language, $block, $statement, $says) = ($1, $2, $3, $4);

		if (defined $statement) { push @{ $section->{typed} }, { language => 'sql', text => "$statement\n", says => $says } }
		elsif ($language ne '') { push @{ $section->{typed} }, { language => $language, text => $block } }
		elsif ($block =~ /^(?:ERROR|WARNING|LOG):/) { push @{ $section->{seen} }, $block }
		else { $section->{typed}->[-1]->{output} = $block }
	}
}

# A message without what differs from one time to the next.
sub masked
{
	my ($text) = @_;

	$text =~ s/^(\w+:  )(?:[0-9A-Z]{5}: )?/$1/mg;
	$text =~ s/^[-0-9:. ]+\w+ (?:[\w ]+)?\[\d+\] (?:\S+ )?(?=\w+:  )//mg;    # of the log
	$text =~ s/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?\+00/TIME/g;
	$text =~ s/"[2-9a-x]{16}"/"ID"/g;
	$text =~ s/\d{5,}/N/g;
	$text =~ s/\n+\z//;
	$text =~ s/(?<=Process )\d+/N/g;
	return $text;
}

# One test: does the page show what is seen?
sub seen
{
	my ($title, $actual) = @_;

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	foreach my $block (@{ $sections{$title}->{seen} })
	{
		ok(index(masked($actual), masked($block)) >= 0, "$title: what one sees") or diag masked($actual), "\nand not\n", masked($block);
		$done{"$title seen"}++;
	}
	return;
}

# One test a block: the n-th thing to type there runs, and answers as shown.
sub type
{
	my ($title, $n, $node, %option) = @_;
	my $block = $sections{$title}->{typed}->[$n] or die "$title: $n";
	my ($out, $err) = ('', '');
	my @command = $block->{language} eq 'sh' ? ('sh', '-ec', $block->{text})
	  : ($node->installed_command('psql'), '-Xq', defined $block->{says} ? '-At' : ('-P', 'footer=off'), '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr($option{database} || 'postgres'), '-f', '-');
	local %ENV = (%ENV, %{ $option{env} || {} });

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	$done{"$title $n"}++;
	my $input = $block->{language} eq 'sql' ? $block->{text} : '';
	my $good = IPC::Run::run(\@command, '<', \$input, '>', \$out, '2>', \$err);
	if (!$good) { fail("$title: " . $block->{text} =~ s/\n.*//sr); diag $err; return }
	return pass("$title: " . $block->{text} =~ s/\n.*//sr) if !defined $block->{output} && !defined $block->{says};
	s/[ \t]+$//mg, s/\A\n+|\n+\z//g foreach $out, my $output = $block->{output} // $block->{says};
	return is($out, $output, "$title: " . $block->{text} =~ s/\n.*//sr);
}

sub error_of
{
	my ($node, $sql, $database) = @_;
	my $err = '';

	$node->psql($database || 'postgres', $sql, stderr => \$err);
	return $err =~ s/^psql:<stdin>:\d+: //mgr;
}

# ---------- the clock ----------

my $node = new_server('clock', clock => 1, extension => 0, conf => [ 'flakeid.node = 7' ], server => [ "timezone = 'UTC'", 'wal_level = replica' ]);
my $seconds = 0;

# So many seconds later, where the clock then stands; reloads need moments of their own.
sub later
{
	$seconds += $_[0];
	set_clock($node, yesterday(sprintf '10:%02d:%02d', int($seconds / 60), $seconds % 60));
	return;
}

# Years ahead; where the server checks its assertions, as far as it bears, two hours each:
# wrong times less than an hour apart are joined.
sub ahead
{
	my ($years) = @_;
	my ($year, $rest) = yesterday(sprintf '10:%02d:%02d', int($seconds / 60), $seconds % 60) =~ /^(\d+)(.*)/;
	my $wrong = $node->safe_psql('postgres', 'SHOW debug_assertions') eq 'on' ? yesterday(sprintf '%d:00:00', 18 + 2 * $years) : $year + $years . $rest;

	set_clock($node, $wrong);
	$node->safe_psql('postgres', 'SELECT sno_new(0), snowflake_new(), uid96_new()');
	return $wrong;
}

$node->stop;
later(0);
start_server($node);
$node->safe_psql('postgres', 'CREATE EXTENSION flakeid; SELECT sno_new(0), snowflake_new(), uid96_new()');

my $title = 'The clock was ahead and is right again';
my $wrong = ahead(1);
later(3);
seen($title, error_of($node, 'SELECT snowflake_new()'));
type($title, 0, $node);
type($title, 1, $node);

# the second incident needs nothing else
later(60);
$node->safe_psql('postgres', 'SELECT sno_new(0), snowflake_new()');
ahead(2);
later(3);
like(error_of($node, 'SELECT snowflake_new()'), $too_far_behind, "$title: a second time");
type($title, 0, $node);
type($title, 1, $node);

$title = 'A feed stands still';
{
	$node->safe_psql('postgres', 'CREATE ROLE app LOGIN');
	my $holder = session($node, user => 'app');

	attempt($holder, 'BEGIN; SELECT snowflake_new()');
	$node->safe_psql('postgres', 'SELECT ulid_horizon()');
	later(900);
	like($node->safe_psql('postgres', q(SELECT severity, finding FROM flakeid_doctor() WHERE subject = 'horizon')),
		qr/^warning\|Process \d+ of app \(idle in transaction\) has made IDs in a transaction and has held all horizons for 00:\d\d:\d\d/, "$title: what one sees");
	type($title, $_, $node) foreach 0 .. 2;
	is($node->safe_psql('postgres', 'SHOW idle_in_transaction_session_timeout'), '1min', "$title: and it does not happen again");
	$node->safe_psql('postgres', 'ALTER DATABASE postgres RESET idle_in_transaction_session_timeout');
	$holder->quit;

	# and of a sequence
	$node->safe_psql('postgres', q(CREATE TABLE outbox (id bigserial, body text); CREATE TRIGGER follow BEFORE INSERT ON outbox FOR EACH STATEMENT EXECUTE FUNCTION flakeid_follow('id');
		SELECT flakeid_horizon('outbox_id_seq')));
	$holder = session($node);
	attempt($holder, 'BEGIN; INSERT INTO outbox DEFAULT VALUES');
	later(900);
	like($node->safe_psql('postgres', q(SELECT finding FROM flakeid_doctor() WHERE subject = 'horizon')), qr/^Process \d+ of .* has drawn from sequence public\.outbox_id_seq and has held its horizon for /m, "$title: of a sequence");
	isnt($node->safe_psql('postgres', $sections{$title}->{typed}->[2]->{text}), $sections{$title}->{typed}->[2]->{says}, "$title: not over");
	type($title, $_, $node) foreach 0 .. 2;
	$node->safe_psql('postgres', 'ALTER DATABASE postgres RESET idle_in_transaction_session_timeout');
	$holder->quit;
}

$title = 'The clock reads a time that was issued';
set_clock($node, $wrong);
$node->safe_psql('postgres', 'SELECT uid96_new()');    # of which the log is not asked below
seen($title, error_of($node, 'SELECT flakeid_clock_reset(now())'));
type($title, $_, $node) foreach 0 .. 2;
later(60);
$node->safe_psql('postgres', 'SELECT flakeid_clock_reset(now())');

$title = 'The clock is wrong now';
later(60);
$node->safe_psql('postgres', 'SELECT snowflake_new()');
later(-30);
like(error_of($node, 'SELECT snowflake_new()'), $too_far_behind, "$title: at first");
type($title, 0, $node);
$node->poll_query_until('postgres', q(SELECT current_setting('flakeid.max_ahead') = '2min' FROM flakeid_clock)) or die;
$node->safe_psql('postgres', 'SELECT snowflake_new()');
seen($title, slurp_file($node->logfile));
is($node->safe_psql('postgres', q(SELECT ahead_by > interval '20 s' FROM flakeid_clock)), 't', "$title: not over");
later(31);
type($title, 1, $node);
{
	my ($back) = $page =~ /Then reset the setting: `(.*?)`/ or die;

	$node->safe_psql('postgres', "LOAD 'flakeid'; $_") foreach split /; /, $back;
	later(1);
	ok($node->poll_query_until('postgres', q(SELECT current_setting('flakeid.max_ahead') = '10s' FROM flakeid_clock)), "$title: the setting is back");
}

$title = 'Advanced too far';
later(60);
seen($title, error_of($node, q(SELECT flakeid_advance(now() + interval '1 min'))) . error_of($node, 'SELECT flakeid_clock_reset(now())'));
like(error_of($node, 'SELECT snowflake_new()'), $too_far_behind, "$title: no IDs");
type($title, 0, $node);
type($title, 1, $node);

$title = 'A tick is used up';
later(60);
$node->safe_psql('postgres', q(LOAD 'flakeid'; ALTER SYSTEM SET flakeid.sno_sequence_max = 9));
$node->safe_psql('postgres', 'SELECT pg_reload_conf()');
$node->poll_query_until('postgres', q(SELECT current_setting('flakeid.sno_sequence_max') = '9' FROM flakeid_clock)) or die;
seen($title, error_of($node, 'SELECT sno_new(0) FROM generate_series(1, 1000)'));
type($title, 0, $node);
later(1);
type($title, 1, $node);
$node->poll_query_until('postgres', q(SELECT current_setting('flakeid.sno_sequence_max') = '65535' FROM flakeid_clock)) or die;
type($title, 2, $node);
$node->stop;

# ---------- copies ----------

my $primary = new_server('primary', conf => [ 'flakeid.node = 7' ], init => { allows_streaming => 'logical' }, server => [ "timezone = 'UTC'" ]);
$primary->safe_psql('postgres', 'CREATE TABLE event (id sno PRIMARY KEY DEFAULT sno_new(0), node int); INSERT INTO event SELECT FROM generate_series(1, 100)');
$primary->backup('base');
my %standby = map { $_ => server_from($_, $primary, 'base', has_streaming => $_ ne 'staging') } 'synchronous', 'asynchronous', 'staging';

$standby{$_}->start foreach 'synchronous', 'asynchronous';
$primary->append_conf('postgresql.conf', "synchronous_standby_names = 'synchronous'");
$primary->reload;
$primary->poll_query_until('postgres', q(SELECT count(*) = 1 FROM pg_stat_replication WHERE sync_state = 'sync')) or die;
$primary->safe_psql('postgres', 'INSERT INTO event SELECT FROM generate_series(1, 100)');
my $last = $primary->safe_psql('postgres', 'SELECT max(id) FROM event');

$title = 'Failover to a synchronous standby';
seen($title, error_of($standby{synchronous}, 'SELECT snowflake_new()'));
$primary->wait_for_catchup($standby{asynchronous});
$primary->stop('immediate');
type($title, 0, $standby{synchronous}, env => { PGDATA => $standby{synchronous}->data_dir });
type($title, 1, $standby{synchronous});
is($standby{synchronous}->safe_psql('postgres', "SELECT sno_new(0) > '$last'"), 't', "$title: above what was there");

$title = 'Failover to an asynchronous standby';
type($title, 0, $standby{asynchronous}, env => { PGDATA => $standby{asynchronous}->data_dir });
type($title, 1, $standby{asynchronous});
type($title, 2, $standby{asynchronous});
$_->stop foreach @standby{ 'synchronous', 'asynchronous' };

$title = 'A base backup restored to staging';
type($title, 0, $standby{staging}, env => { PGDATA => $standby{staging}->data_dir });
$standby{staging}->start;
is($standby{staging}->safe_psql('postgres', 'SELECT node FROM flakeid_clock'), 17, "$title: from its start");
$standby{staging}->safe_psql('postgres', q(LOAD 'flakeid'; ALTER SYSTEM RESET flakeid.node));
$standby{staging}->reload;
$standby{staging}->poll_query_until('postgres', 'SELECT node = 7 FROM flakeid_clock') or die;
type($title, 1, $standby{staging});
$standby{staging}->poll_query_until('postgres', 'SELECT node = 17 FROM flakeid_clock') or die;
type($title, 2, $standby{staging});
$standby{staging}->stop;

# ---------- servers side by side ----------

my ($east, $west, $green) = map { new_server($_, init => { allows_streaming => 'logical' }, server => [ "timezone = 'UTC'" ]) } 'east', 'west', 'green';
my $number = 0;

$title = 'Two regions';
type($title, 0, $east);
$west->safe_psql('postgres', "LOAD 'flakeid'; $_") foreach 'ALTER SYSTEM SET flakeid.node = 2', 'SELECT pg_reload_conf()';
foreach my $server ($east, $west)
{
	$number++;
	$server->poll_query_until('postgres', "SELECT node = $number FROM flakeid_clock") or die;
	$server->safe_psql('postgres', "CREATE TABLE event (id sno PRIMARY KEY DEFAULT sno_new(0), node int NOT NULL DEFAULT $number);
		CREATE PUBLICATION event FOR TABLE event WHERE (node = $number) WITH (publish = 'insert')");
}
$east->safe_psql('postgres', q(CREATE SUBSCRIPTION from_west CONNECTION ') . $west->connstr . q( dbname=postgres' PUBLICATION event WITH (copy_data = off)));
$west->safe_psql('postgres', q(CREATE SUBSCRIPTION from_east CONNECTION ') . $east->connstr . q( dbname=postgres' PUBLICATION event WITH (copy_data = off)));
$_->safe_psql('postgres', 'INSERT INTO event SELECT FROM generate_series(1, 10)') foreach $east, $west;
$east->wait_for_catchup('from_east');
$west->wait_for_catchup('from_west');
foreach my $server ($east, $west)
{
	is($server->safe_psql('postgres', 'SELECT count(*) FROM event'), 20, "$title: rows of both");
	like($server->safe_psql('postgres', $sections{'Another server has our number'}->{typed}->[1]->{text}), qr/^\d\|0$/, "$title: no twins");
	type($title, 1, $server);
}

$title = q(Another server has our number);
$west->safe_psql('postgres', "LOAD 'flakeid'; $_") foreach 'ALTER SYSTEM SET flakeid.node = 1', 'SELECT pg_reload_conf()';
$west->poll_query_until('postgres', 'SELECT node = 1 FROM flakeid_clock') or die;
{
	# as soon as the other one's IDs are later than this one's mark
	my $query = $sections{$title}->{typed}->[1]->{text};

	like($query, qr/flakeid_issued/, "$title: a query");
	ok(until_true(sub {
		$west->safe_psql('postgres', 'INSERT INTO event DEFAULT VALUES');
		$west->wait_for_catchup('from_west');
		return $east->safe_psql('postgres', $query) =~ /^1\|[1-9]/;
	}), "$title: what one sees");
}
type($title, 0, $east);
$east->poll_query_until('postgres', 'SELECT node = 8 FROM flakeid_clock') or die;
$west->safe_psql('postgres', 'INSERT INTO event DEFAULT VALUES');
$west->wait_for_catchup('from_west');
type($title, 1, $east);

# the two made the same ID, and the subscription stands
$title = 'Two writers with one number';
$west->safe_psql('postgres', 'ALTER SUBSCRIPTION from_east DISABLE');
{
	my $id = $east->safe_psql('postgres', 'INSERT INTO event (node) VALUES (8) RETURNING id');

	$west->safe_psql('postgres', "INSERT INTO event (id, node) VALUES ('$id', 2)");
	until_true(sub { return slurp_file($east->logfile) =~ /finished at/ }) or die 'the replication continues';
	like(slurp_file($east->logfile), qr/CONTEXT:  processing remote data for replication origin .* finished at /, "$title: in the log of the subscriber");
	# 18 has a report of its own for it, which the page names
	like(slurp_file($east->logfile), qr/ERROR:  (?:23505: )?conflict detected on relation "public\.event": conflict=insert_exists/, "$title: as of 18") if $east->pg_version >= 18;
	seen($title, slurp_file($east->logfile) =~ s/conflict detected on relation "public\.event": conflict=insert_exists/duplicate key value violates unique constraint "event_pkey"/r);
	type($title, 0, $east, env => { LOG => $east->logfile, PGHOST => $east->host, PGPORT => $east->port, PGDATABASE => 'postgres' });
	$west->safe_psql('postgres', 'INSERT INTO event DEFAULT VALUES');
	$west->wait_for_catchup('from_west');
	type($title, 1, $east);
	is($east->safe_psql('postgres', "SELECT node FROM event WHERE id = '$id'"), '8', "$title: the row that was here is");

	my ($end) = $page =~ /Then end the doctor's finding: `(.*?)`/ or die;

	$east->safe_psql('postgres', $end);
	ok($east->poll_query_until('postgres', q(SELECT count(*) = 0 FROM flakeid_doctor() WHERE subject ^@ 'subscription' AND severity = 'error')), "$title: and the doctor's finding ends");
}

$title = 'Blue and green by logical replication';
$east->safe_psql('postgres', 'DROP SUBSCRIPTION from_west');
$west->safe_psql('postgres', 'DROP SUBSCRIPTION from_east');
$west->stop;
$green->safe_psql('postgres', "LOAD 'flakeid'; $_") foreach 'ALTER SYSTEM SET flakeid.node = 8', 'SELECT pg_reload_conf()', 'CREATE TABLE event (id sno PRIMARY KEY DEFAULT sno_new(0), node int NOT NULL DEFAULT 1)';
$green->safe_psql('postgres', q(CREATE SUBSCRIPTION green CONNECTION ') . $east->connstr . q( dbname=postgres' PUBLICATION event));
$green->wait_for_subscription_sync($east, 'green');
$east->safe_psql('postgres', 'INSERT INTO event SELECT FROM generate_series(1, 100)');
$east->poll_query_until('postgres', $sections{$title}->{typed}->[0]->{text} =~ s/;\s*$//r) or die;
type($title, 0, $east);
type($title, 1, $green);
is($green->safe_psql('postgres', 'SELECT count(*) > 100 FROM event'), 't', "$title: all rows are there");
type($title, 2, $green);
$_->stop foreach $east, $green;

# ---------- upgrades ----------

my $plain = new_server('plain', conf => [], server => [ "timezone = 'UTC'" ]);
my $path = $plain->config_data('--sharedir') . '/extension';
# In one step: an update by way of a release would run the next one's script on objects that are there.
my $script = "$path/flakeid--0.9--" . $plain->safe_psql('postgres', 'SELECT library FROM flakeid_version()') . '.sql';

$title = 'A new version of flakeid';
SKIP:
{
	$done{"$title $_"}++ foreach 0, 1;
	skip "$path is not ours to write", 1 unless -w $path;
	$plain->safe_psql('postgres', q(UPDATE pg_extension SET extversion = '0.9' WHERE extname = 'flakeid'));
	append_to_file($script, "-- nothing\n");
	is($plain->safe_psql('postgres', 'SELECT library = extension FROM flakeid_version()'), 'f', "$title: not yet");
	type($title, 0, $plain);
	unlink $script;
	type($title, 1, $plain);
}

$title = 'pg_upgrade';
{
	my %option = (conf => [ 'flakeid.node = 7' ], init => { extra => [ '--no-locale', '-E', 'UTF8', '--data-checksums' ] });
	my $old = new_server('old', %option);
	my $new = new_server('new', %option, extension => 0);

	$old->safe_psql('postgres', 'CREATE TABLE event (id sno PRIMARY KEY DEFAULT sno_new(0)); INSERT INTO event SELECT FROM generate_series(1, 100)');
	$_->stop foreach $old, $new;
	{
		my $bin = $new->config_data('--bindir');
		my $home = $FindBin::RealBin;

		chdir $new->host or die;    # where it writes its scripts, and its sockets: the path is short
		type($title, 0, $new, env => { OLD_DATA => $old->data_dir, NEW_DATA => $new->data_dir, OLD_BIN => $bin, NEW_BIN => $bin, PGPORTOLD => $old->port, PGPORTNEW => $new->port });
		chdir $home;
	}
	$new->start;
	type($title, 1, $new);
	$new->stop;
}

# ---------- one server ----------

$title = 'First look';
type($title, 0, $plain);
like(error_of($plain, q(ALTER SYSTEM SET flakeid.max_ahead = '2min')), qr/ERROR:  unrecognized configuration parameter "flakeid\.max_ahead"/, "$title: without LOAD")
  if $plain->pg_version < 17;
$title = 'Who may call what';
type($title, 0, $plain);
$plain->safe_psql('postgres', 'CREATE ROLE owner; CREATE ROLE stranger; CREATE DATABASE theirs OWNER owner');
$plain->safe_psql('theirs', 'CREATE EXTENSION flakeid; CREATE TABLE event (id sno); CREATE TABLE log (id sno) PARTITION BY RANGE (id); ALTER TABLE event OWNER TO owner; ALTER TABLE log OWNER TO owner; GRANT CREATE ON SCHEMA public TO owner');
foreach my $row ($page =~ /^\| function \| who \|\n\|[-|]+\n((?:\|.*\n)+)/m ? split /\n/, $1 : ())
{
	my ($functions, $who) = $row =~ /^\| (.*?) \| (.*?) \|$/;

	next if $functions !~ /^`flakeid_/;
	foreach my $function ($functions =~ /`(flakeid_\w+)\(\)`/g)
	{
		my %arguments = (flakeid_advance => 'now()', flakeid_clock_reset => 'now(), true', flakeid_partitions => q('public.log'),
			flakeid_create_partitions => q('public.log', '2026-01-01', '2026-02-01', '1 month'), flakeid_drop_partitions => q('public.log', '2020-01-01'));
		my $call = "flakeid_$function" =~ s/^flakeid_flakeid/flakeid/r . '(' . ($arguments{$function} // '') . ')';

		next if $function =~ /^flakeid_(?:backfill|maintain)/;    # procedures, which sql/backfill.sql and 062 call as owner and as others
		unlike(error_of($plain, "SET ROLE owner; SELECT * FROM $call", 'theirs'), qr/ERROR/, "$title: $function, the owner may");
		like(error_of($plain, "SET ROLE stranger; SELECT * FROM $call", 'theirs'), qr/permission denied|must be owner/, "$title: $function, a stranger may not");
	}
}

$title = 'A setting is refused';
append_to_file($plain->data_dir . '/postgresql.auto.conf', "flakeid.sno_sequence_max = 100000\n");
$plain->reload;
until_true(sub { return error_of($plain, 'SELECT sno_new(0)') =~ /ERROR/ });
seen($title, error_of($plain, 'SELECT sno_new(0)'));
type($title, 0, $plain);
type($title, 1, $plain);
$plain->poll_query_until('postgres', 'SELECT setting_fault IS NULL FROM flakeid_clock') or die;
type($title, 2, $plain);

$title = 'No partition for the row';
$plain->safe_psql('postgres', 'CREATE TABLE reading (id sno DEFAULT sno_new(0), n int) PARTITION BY RANGE (id)');
seen($title, error_of($plain, 'INSERT INTO reading DEFAULT VALUES'));
type($title, 0, $plain);
is($plain->safe_psql('postgres', 'INSERT INTO reading DEFAULT VALUES; ANALYZE reading; SELECT count(*) FROM reading'), 1, "$title: rows go in");
type($title, 1, $plain);

$title = 'The mark is damaged';
$plain->safe_psql('postgres', 'CREATE INDEX ON _flakeid.mark (kind)');
$plain->restart;
seen($title, error_of($plain, 'SELECT snowflake_new()'));
type($title, 0, $plain);
$plain->safe_psql('postgres', 'ALTER TABLE _flakeid.mark DISABLE TRIGGER mark_change; DELETE FROM _flakeid.mark WHERE kind = 2;
	ALTER TABLE _flakeid.mark ENABLE ALWAYS TRIGGER mark_change');
is($plain->safe_psql('postgres', q(SELECT fix FROM flakeid_doctor() WHERE finding ~ 'lacks a row')) =~ s/public\.//r,
	$sections{$title}->{typed}->[1]->{text} =~ s/\s+/ /gr =~ s/ $//r, "$title: the doctor says the same");
type($title, 1, $plain);
is($plain->safe_psql('postgres', q(SELECT count(*) FROM flakeid_doctor() WHERE subject = '_flakeid.mark')), '0', "$title: the row is there");
type($title, 2, $plain);

$title = 'The mark cannot be read';
foreach my $case ([ qr/invalid page in block 0/, q(dd if=/dev/urandom of="$1" bs=8192 count=1 conv=notrunc status=none) ], [ qr/could not open file/, 'rm "$1"' ])
{
	my ($message, $damage) = @$case;
	my $file = $plain->data_dir . '/' . $plain->safe_psql('postgres', q(SELECT pg_relation_filepath('_flakeid.mark')));

	$plain->stop;
	shell($damage, $file);
	$plain->start;
	# 18 quotes the path
	seen($title, error_of($plain, 'SELECT snowflake_new()') =~ s/"(base[^"]*)"/$1/r) if $message =~ /page/;
	like(error_of($plain, 'SELECT snowflake_new()'), qr/ERROR:  $message/, "$title: an ID");
	like($plain->safe_psql('postgres', q(SELECT severity, subject, finding FROM flakeid_doctor())), qr/^error\|flakeid\|The generators and flakeid_clock report: $message/m, "$title: the doctor says the same");
	type($title, 0, $plain);
	type('The mark is damaged', 1, $plain);
	type($title, 1, $plain);
}

$title = 'The mark is locked';
$plain->restart;
$plain->safe_psql('template1', 'CREATE DATABASE same TEMPLATE postgres');
my ($locker, $innocent) = (session($plain), session($plain, database => 'same'));
foreach my $session ($locker, $innocent)
{
	attempt($session, 'BEGIN; LOCK TABLE _flakeid.mark');
}
seen($title, error_of($plain, 'SELECT snowflake_new()'));
type($title, 0, $plain);
type($title, 1, $plain);
$locker->quit;
is(attempt($innocent, 'SELECT count(DISTINCT kind) FROM _flakeid.mark'), '3', "$title: no session of another database ends, whose table has the same OID");
$innocent->quit;

$title = 'A dump restored with --disable-triggers';
{
	my $dump = id_file($plain, 'dump');

	$plain->command_ok([ 'pg_dump', '-Fc', '-f', $dump, '-d', $plain->connstr('postgres') ], "$title: a dump");
	$plain->safe_psql('postgres', 'CREATE DATABASE restored');
	$plain->safe_psql('restored', q(CREATE EXTENSION flakeid; CREATE TABLE event (id sno, n int); CREATE TABLE reading (id sno, n int)));
	IPC::Run::run([ $plain->installed_command('pg_restore'), '--data-only', '--disable-triggers', '-t', 'mark', '-t', 'event', '-d', $plain->connstr('restored'), $dump ], '2>', '/dev/null');
	is($plain->safe_psql('restored', 'SELECT count(*) FROM _flakeid.mark'), 6, "$title: rows twice");
	is($plain->safe_psql('restored', q(SELECT fix FROM flakeid_doctor() WHERE finding ~ 'rows instead')), $sections{$title}->{typed}->[0]->{text} =~ s/\s+/ /gr =~ s/ $//r, "$title: the doctor says the same");
	type($title, 0, $plain, database => 'restored');
	type($title, 1, $plain, database => 'restored');
}

$title = 'DROP EXTENSION CASCADE by accident';
$plain->safe_psql('postgres', 'CREATE ROLE dropper; CREATE DATABASE dropped OWNER dropper');
$plain->safe_psql('dropped', 'CREATE EXTENSION flakeid; SELECT sno_new(0); DROP EXTENSION flakeid CASCADE');
type($title, 0, $plain, database => 'dropped');
type($title, 1, $plain, database => 'dropped');
seen($title, error_of($plain, 'DROP EXTENSION flakeid CASCADE', 'dropped'));
$plain->safe_psql('dropped', 'CREATE TABLE kept (id sno DEFAULT sno_new(0)); INSERT INTO kept DEFAULT VALUES');
# the schema of the installation as documented
seen($title, error_of($plain, 'SET ROLE dropper; DROP SCHEMA public CASCADE', 'dropped'));
like(error_of($plain, 'SET ROLE dropper; DROP SCHEMA flakeid_guard CASCADE', 'dropped'), qr/must be owner of schema flakeid_guard/, "$title: nor the guard");
is($plain->safe_psql('dropped', 'SELECT count(id) FROM kept'), '1', "$title: the rows stay");

$title = 'The library is missing';
$plain->stop;
append_to_file($plain->data_dir . '/postgresql.auto.conf', "shared_preload_libraries = 'flakeid_that_is_missing'\n");
ok(!$plain->start(fail_ok => 1), "$title: the server does not start");
like(slurp_file($plain->logfile), qr/could not access file "flakeid_that_is_missing"/, "$title: what one sees");
type($title, 0, $plain, env => { PGDATA => $plain->data_dir });
IPC::Run::run([ $plain->installed_command('pg_ctl'), '-D', $plain->data_dir, '-w', 'stop' ], '>', '/dev/null');
shell(q(sed -i '/^shared_preload_libraries/d' "$1"), $plain->data_dir . '/postgresql.auto.conf');
$plain->start;
type($title, 1, $plain);

$title = 'Removing flakeid';
$plain->safe_psql('postgres', 'CREATE DATABASE leaving');
$plain->safe_psql('leaving', q(CREATE EXTENSION flakeid; CREATE TABLE event (id sno PRIMARY KEY DEFAULT sno_new(0)); CREATE TABLE note (id siq PRIMARY KEY DEFAULT siq_new('message'));
	INSERT INTO event SELECT FROM generate_series(1, 100); INSERT INTO note SELECT FROM generate_series(1, 100)));
type($title, 0, $plain, database => 'leaving');
is($plain->safe_psql('leaving', 'SELECT (SELECT count(DISTINCT id) FROM event), (SELECT count(DISTINCT id) FROM note)'), '100|100', "$title: the rows are there");
type($title, 1, $plain, database => 'leaving');

$title = 'The node is derived';
$plain->safe_psql('postgres', 'CREATE PUBLICATION one');
like($plain->safe_psql('postgres', q(SELECT severity, finding FROM flakeid_doctor() WHERE subject = 'flakeid.node')),
	qr/^warning\|The node is derived from the system identifier, which replicas and copies of this server share/, "$title: what one sees");
type($title, 0, $plain);
$plain->poll_query_until('postgres', 'SELECT node = 9 FROM flakeid_clock') or die;
type($title, 1, $plain);

$plain->stop;

# ---------- the page as a whole ----------

my @missed = map {
	my $name = $_;

	((grep { !$done{"$name $_"} } 0 .. $#{ $sections{$name}->{typed} }) || (@{ $sections{$name}->{seen} } && !$done{"$name seen"})) ? $name : ();
} sort keys %sections;
is("@missed", '', 'every block of the page was run');

# "For each alert", README says.
my @alerts = slurp_file("$FindBin::RealBin/../../docs/prometheus/alerts.yml") =~ /^ +- alert: (\w+)$/mg;
cmp_ok(scalar @alerts, '>', 0, 'there are alerts');
is(join(' ', grep { $page !~ /^\|.*\b$_\b.*\| .*\(#/m } @alerts), '', 'the page has each alert of docs/prometheus/alerts.yml');

done_testing();
