# The values to monitor move: refused IDs are counted, whatever the reason, and so are
# regressions of generators that can only refuse.  docs/monitoring.md has a line for every
# column of every view.  Its statements, the exporters' in docs/prometheus and those of
# docs/grafana.json run, each in a new session, and its alerts use what the exporter
# exports: generators that refuse only because of the mark raise an alert, too.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;
use JSON::PP ();

my $docs = "$FindBin::RealBin/../../docs";
my $page = slurp_file("$docs/monitoring.md");
my $node = new_server('monitoring', clock => clock_available(), init => { allows_streaming => 1 }, conf => [ 'flakeid.node = 3', 'flakeid.max_wait = 200ms' ]);
my $session = session($node);

sub clock_view
{
	my ($columns) = @_;

	return attempt($session, "SELECT $columns FROM flakeid_clock");
}

# ---------- columns ----------

my @documented;

while ($page =~ /^### (flakeid_\w+)\n(.*?)(?=^##)/gms)
{
	my ($view, $text) = ($1, $2);

	push @documented, "$view.$1" while $text =~ /^\| `(\w+)` \|/gm;
}
is( join("\n", sort @documented),
	$node->safe_psql('postgres', q(
		SELECT c.relname || '.' || attname
		FROM pg_attribute JOIN pg_class AS c ON c.oid = attrelid
			JOIN pg_depend AS d ON d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e'
		WHERE c.relkind = 'v' AND attnum > 0 ORDER BY (c.relname || '.' || attname) COLLATE "C")),
	'docs/monitoring.md has every column of every view');

# ---------- queries ----------

# Each query returns a row in a session that has not used flakeid yet, as a role that may
# only connect.
sub runs
{
	my ($name, $sql) = @_;
	my ($rc, $out, $err) = $node->psql('postgres', "SET ROLE exporter; $sql");

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	return is(($rc == 0 && length $out) ? 'runs' : "$rc $out $err", 'runs', $name);
}

$node->safe_psql('postgres', 'CREATE ROLE exporter');

# The page's statements, each in such a session, in a database to which they may write.
$node->safe_psql('postgres', 'CREATE DATABASE page');
$node->safe_psql('page', 'CREATE EXTENSION flakeid');
my @statements = map { grep { /\S/ } split /;[ \t]*$/m } $page =~ /^```sql\n(.*?)^```/gms;

cmp_ok(scalar @statements, '>', 8, 'the page has statements');
foreach my $sql (@statements)
{
	my ($rc, $out, $err) = $node->psql('page', $sql);

	is($rc == 0 ? 'runs' : "$rc $err", 'runs', 'page: ' . $sql =~ s/^\s*(?:--.*\n)*//r =~ s/\n.*//sr);
}
$node->safe_psql('postgres', 'DROP DATABASE page');

attempt($session, making(1));

my $dashboard = JSON::PP::decode_json(slurp_file("$docs/grafana.json"));
my @targets = map { my $panel = $_; map { [ $panel->{title}, $_->{rawSql} ] } @{ $panel->{targets} } } @{ $dashboard->{panels} };

cmp_ok(scalar @targets, '>', 0, 'the dashboard has queries');
runs("dashboard: $_->[0]", $_->[1]) foreach @targets;

# Both exporters run the same queries, and use the same names.
my @commented = map { slurp_file("$docs/prometheus/$_.yml") } qw(postgres_exporter sql_exporter alerts);
my ($queries, $collector, $rules) = map { s/^#.*\n//gmr } @commented;
my (%query, %labels, %told, %collected);

$node->safe_psql('postgres', 'CREATE ROLE watcher; GRANT pg_monitor TO watcher');
while ($queries =~ /^(\w+):\n  query: \|\n(.*?)  metrics:\n(.*?)(?=^\w|\z)/gms)
{
	my ($name, $query, $metrics) = ($1, $2, $3);
	my @columns = $metrics =~ /^    - (\w+): /gm;
	my ($rc, $out, $err) = $node->psql('postgres', 'SET ROLE watcher; SELECT ' . join(', ', @columns) . " FROM ($query) AS q");

	is("$rc $err", '0 ', "exporter: $name runs and has its columns");
	$query{$name} = $query =~ s/^\s+//gmr;
	$labels{$name} = join ', ', $metrics =~ /- (\w+): \{usage: LABEL/g;
	$told{"${name}_$1"} = lc "$2 $3" while $metrics =~ /- (\w+): \{usage: (GAUGE|COUNTER), description: (.*?)\}/g;
}
cmp_ok(scalar keys %told, '>', 0, 'the exporter exports something');
$collected{$1} = lc "$2 $3" =~ s/"//gr while $collector =~ /metric_name: (\w+)\n    type: (\w+)\n    help: (.*?)\n/g;
is_deeply(\%collected, { map { $_ => $told{$_} =~ s/"//gr } keys %told }, 'sql_exporter exports the same');
while ($collector =~ /metric_name: (\w+)\n(?:.*?\n){2}    key_labels: \[(.*?)\]\n    values: \[(\w+)\]\n    query_ref: (\w+)/g)
{
	is("$1 $2", "$4_$3 $labels{$4}", "sql_exporter: $1");
}
while ($collector =~ /query_name: (\w+)\n    query: \|\n(.*?)(?=^  - |\z)/gms)
{
	my ($name, $query) = ($1, $2);

	is($query =~ s/^\s+//gmr, $query{$name}, "sql_exporter: query $name is the same");
}
my %asked = map { $_ => 1 } $rules =~ /\b(flakeid_\w+)/g;

ok($told{$_}, "alerts: the exporter exports $_") foreach sort keys %asked;

# Every exported value is used by an alert, or is meant for a reader.
is(join(' ', grep { !$asked{$_} } sort keys %told), 'flakeid_generator_issued_total flakeid_generator_wait_seconds_total', 'alerts: every exported value is used');

# How far partitions reach: the page's function and the exporters' lines, which are comments.
my ($function) = $page =~ /^(CREATE FUNCTION partitions_until.*?^\$\$;)$/ms;
my ($of_one) = $commented[0] =~ /^#   query: \|\n((?:#     .*\n)+)/m;
my ($of_other) = $commented[1] =~ /^#    query: \|\n((?:#      .*\n)+)/m;

s/^#\s+//gm foreach $of_one, $of_other;
is($of_one, $of_other, 'partitions: both exporters ask the same');
$node->safe_psql('postgres', "CREATE TABLE log (id sno PRIMARY KEY) PARTITION BY RANGE (id); $function; CALL flakeid_maintain('log', '1 day');
	SELECT flakeid_create_partitions('log', now() + interval '365 days', now() + interval '366 days', '1 day')");
my $reach = "SET ROLE watcher; SELECT name, to_timestamp(until_seconds) = date_trunc('day', now(), 'UTC') + %s FROM ($of_one) AS q";
is($node->safe_psql('postgres', sprintf $reach, q(interval '3 days')), 'public.log|t', 'partitions: up to a gap');
$node->safe_psql('postgres', q(SELECT flakeid_drop_partitions('log', now() + interval '2 days')));
is($node->safe_psql('postgres', sprintf $reach, q((now() - date_trunc('day', now(), 'UTC')))), 'public.log|t', 'partitions: none for now');
$node->safe_psql('postgres', 'DROP TABLE log; DROP FUNCTION partitions_until');

# ---------- reset ----------

is(clock_view('since = issued_since, refused, last_refused, last_refused_reason'), 't|0||', 'at first: nothing was refused');
my $issued = attempt($session, 'SELECT sum(issued) FROM flakeid_generators');
is(attempt($session, 'SELECT flakeid_stats_reset() > issued_since FROM flakeid_clock'), 't', 'reset');
is(clock_view('since > issued_since'), 't', 'reset: the counters begin later than what is issued');
attempt($session, making(10));
is(attempt($session, "SELECT sum(issued) - $issued FROM flakeid_generators"), '90', 'reset: what is issued is counted as before');
$node->safe_psql('postgres', 'CREATE ROLE stranger; CREATE ROLE owner; CREATE DATABASE theirs OWNER owner');
$node->safe_psql('postgres', q(LOAD 'flakeid'; ALTER DATABASE theirs SET flakeid.node = 4));
like(attempt($session, 'SET ROLE stranger; SELECT flakeid_stats_reset()'), qr/ERROR:  42501/, 'a stranger cannot');
attempt($session, 'RESET ROLE');
$node->safe_psql('theirs', 'CREATE EXTENSION flakeid; SET ROLE owner; SELECT flakeid_stats_reset()');
pass('the owner of the database can');

# ---------- alerts ----------

# The alerts that use only flakeid_clock, evaluated on the server's present row: PromQL's
# comparisons, "and" and "or" are SQL's.  The query of the same name among the page's SQL
# returns a row for each of them.
my $clock_query = $query{flakeid_clock};
my %expression = $rules =~ /alert: (\w+)\n\s+expr:(?: >-\n)?(.*?)\n\s+(?:for|labels):/gs;
my %statement = (
	FlakeidAhead => (grep { /max_ahead/ } @statements)[0],
	FlakeidDerivedNode => (grep { /node_source/ } @statements)[0],
	FlakeidSettings => (grep { /setting_fault/ } @statements)[0]);

sub alerts
{
	my ($name, $expected) = @_;
	my (@fire, @answer);

	foreach my $alert (sort keys %statement)
	{
		my $condition = $expression{$alert} =~ s/flakeid_clock_(\w+)/q.$1/gr;

		push @fire, $alert if $node->safe_psql('postgres', "SET ROLE exporter; SELECT $condition FROM ($clock_query) AS q") eq 't';
		push @answer, $alert if length $node->safe_psql('postgres', "SET ROLE exporter; $statement{$alert}");
	}
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	is("@fire", $expected, "alerts: $name");
	return is("@answer", $expected, "alerts, by SQL: $name");
}

# The column that the condition of each query begins with, of those among the eight that answer.
my ($woken) = $page =~ /^## What to be woken for\n.*?^```sql\n(.*?)^```/ms;

sub answers
{
	my ($server) = @_;
	my @queries = split /;[ \t]*\n/, $woken;

	die if @queries != 8;
	return join ' ', map { /WHERE (\w+)/ && length(($server || $node)->safe_psql('postgres', "SET ROLE exporter; $_")) ? $1 : () } @queries;
}

# Neither the queries nor the doctor have anything to say of a healthy state.
sub healthy
{
	my ($name, $server) = @_;
	my $wrong = ($server || $node)->safe_psql('postgres', q(SELECT string_agg(finding, ' ') FROM flakeid_doctor() WHERE severity IN ('warning', 'error')));

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	return is(answers($server) . $wrong, '', "healthy: $name");
}

sub next_year
{
	my ($time) = @_;

	return yesterday($time) =~ s/^(\d+)/$1 + 1/er;
}

healthy('a few IDs');
attempt($session, 'CREATE TABLE event (id sno PRIMARY KEY DEFAULT sno_new(0), body text); INSERT INTO event (body) SELECT n FROM generate_series(1, 100000) AS n');
healthy('many rows at once');
$node->safe_psql('postgres', 'ALTER DATABASE postgres SET default_transaction_read_only = on');
healthy('read only');
$node->safe_psql('postgres', 'SET default_transaction_read_only = off; ALTER DATABASE postgres RESET default_transaction_read_only');
{
	my $holder = session($node);

	attempt($holder, 'BEGIN; INSERT INTO event DEFAULT VALUES');
	is($node->safe_psql('postgres', 'SELECT count(*), (SELECT horizon_asked FROM flakeid_clock) FROM flakeid_horizon_holders'), '1|', 'a transaction holds horizons, and nobody asks for them');
	healthy('such a transaction');
	$holder->quit;
}
alerts('all is well', '');
attempt($session, q(SELECT flakeid_advance(now() + interval '1 h')));
like(attempt($session, 'SELECT snowflake_new()'), $too_far_behind, 'advanced by mistake: generators refuse');
is(clock_view(q(ahead_by > interval '1 s')), 'f', 'advanced by mistake: and ahead_by does not show it');
alerts('advanced by mistake', 'FlakeidAhead');
attempt($session, 'SELECT flakeid_clock_reset(now(), force => true)');
alerts('taken back', '');

configure($node, 'flakeid.max_wait = 200ms');
alerts('the node is derived', '');
$node->safe_psql('postgres', 'CREATE PUBLICATION one');
alerts('the node is derived, and the server replicates', 'FlakeidDerivedNode');
configure($node, 'flakeid.node = 3', 'flakeid.max_wait = 200ms');
alerts('the node is set', '');
$node->safe_psql('postgres', 'DROP PUBLICATION one');
attempt($session, making(1));

# ---------- refused ----------

# How many refusals the view counts since the reset, and the reason of the last one.
sub refused
{
	my ($by) = @_;

	return attempt($by || $session, 'SELECT refused, last_refused_reason FROM flakeid_clock WHERE last_refused >= since');
}

# because of another database, and of the table of the mark
{
	my $theirs = session($node, database => 'theirs');
	my $locker = session($node, database => 'theirs');

	attempt($locker, 'BEGIN; LOCK TABLE _flakeid.mark IN ACCESS EXCLUSIVE MODE');
	like(attempt($theirs, 'SELECT uid64_new()'), qr/ERROR:  55000: could not lock/, 'locked');
	is(refused($theirs), '1|table of the mark locked', 'locked: counted, with its reason');
	# the doctor waits for it, and leaves out the rest before it runs into a timeout
	is($node->safe_psql('theirs', q(SET statement_timeout = '3990ms'; SELECT string_agg(subject, ' ') FROM flakeid_doctor() WHERE finding = 'This was not checked, because half of statement_timeout was over.')),
		'clock version flakeid.node generators horizon flakeid.node subscription horizon horizon', 'locked: the doctor answers within a statement_timeout');
	attempt($locker, 'ROLLBACK');
	attempt($theirs, 'BEGIN; DROP EXTENSION flakeid; CREATE EXTENSION flakeid');
	like(attempt($theirs, 'SELECT uid64_new()'), qr/ERROR:  55000: cannot make this ID in a transaction/, 'changed');
	attempt($theirs, 'ROLLBACK');
	is(refused($theirs), '2|table of the mark changed in the transaction', 'changed: counted, with its reason');

	attempt($theirs, 'ALTER TABLE _flakeid.mark SET UNLOGGED');
	like(attempt($theirs, 'SELECT uid64_new()'), qr/ERROR:  55000: table "_flakeid\.mark" is damaged/, 'damaged');
	like(attempt($theirs, 'SELECT count(*) FROM flakeid_clock'), qr/ERROR:  55000: table "_flakeid\.mark" is damaged/, 'damaged: the view says so, too');
	attempt($theirs, 'ALTER TABLE _flakeid.mark SET LOGGED');
	is(refused($theirs), '3|table of the mark damaged', 'damaged: counted, with its reason');
	like(attempt($theirs, 'SELECT uid64_new()'), qr/^\S{11}$/, 'damaged, and fixed');
	$_->quit foreach $theirs, $locker;
}

SKIP:
{
	skip 'no compiler', 1 unless clock_available();
	set_clock($node, yesterday('10:00:00'));
	attempt($session, 'SELECT flakeid_clock_reset(now(), force => true)');
	attempt($session, 'SELECT flakeid_stats_reset()');

	# formats that can only go ahead: neither went_ahead nor a toggle, but one regression each
	set_clock($node, yesterday('10:10:00'));
	attempt($session, 'SELECT snowflake_new(), uid64_new()');
	set_clock($node, yesterday('10:01:00'));
	like(attempt($session, 'SELECT snowflake_new()'), qr/ERROR:  55000/, 'too far behind') foreach 1 .. 3;
	is(refused(), '3|clock too far behind', 'too far behind: counted, with its reason');
	is(clock_view('regressions, went_ahead, toggles, last_step_back = clock'), '1|0|0|t', 'too far behind: one regression');
	is(attempt($session, q(SELECT regressions FROM flakeid_generators WHERE type = 'snowflake')), '1', 'too far behind: of the generator');
	like(attempt($session, 'SELECT uid64_new()'), qr/ERROR:  55000/, 'too far behind, another type');
	is(clock_view('refused, regressions'), '4|2', 'too far behind, another type: another regression');

	# another incident, although the clock never reached its earlier time again
	is(attempt($session, 'SELECT count(flakeid_clock_reset(now(), force => true))'), '1', 'reset');
	attempt($session, 'SELECT snowflake_new()');
	set_clock($node, yesterday('10:00:30'));
	like(attempt($session, 'SELECT snowflake_new()'), qr/ERROR:  55000/, 'too far behind once more');
	is(clock_view('refused, regressions'), '5|3', 'too far behind once more: counted');

	# a tick used up
	attempt($session, 'SELECT flakeid_clock_reset(now(), force => true)');
	attempt($session, 'SELECT flakeid_stats_reset()');
	is(clock_view('refused, regressions, went_ahead, last_step_back, last_refused_reason'), '0|0|0||', 'reset: all counters');
	like(attempt($session, 'SELECT count(uid64_new()) FROM generate_series(1, 16385)'), qr/ERROR:  55000/, 'a tick used up');
	is(refused(), '1|sequence used up', 'a tick used up: counted, with its reason');
	attempt($session, 'SELECT flakeid_stats_reset()');
	is(attempt($session, q(SELECT overflows, overflow_ticks, last_overflow, wait_time FROM flakeid_generators WHERE type = 'uid64')),
		'0|0||00:00:00', 'reset: and those of generators');

	# a tick back, which sno waits for on either timeline, and the clock stands still
	set_clock($node, yesterday('10:20:00.006'));
	like(attempt($session, 'SELECT sno_new(0)'), qr/^\S{16}$/, 'a tick back: before');
	set_clock($node, yesterday('10:20:00.001'));
	like(attempt($session, 'SELECT sno_new(0)'), qr/ERROR:  55000: could not generate sno within flakeid\.max_wait \(200ms\)\nDETAIL:  The clock reads .*, and the next ID may be made at /,
		'a tick back');
	is(refused(), '1|waited for flakeid.max_wait', 'a tick back: counted, with its reason');
	attempt($session, 'SELECT flakeid_stats_reset()');

	# a step of some milliseconds, which an NTP daemon or a hypervisor makes: counted, and nobody is told
	set_clock($node, yesterday('10:30:00.006'));
	attempt($session, 'SELECT flakeid_clock_reset(now(), force => true), flakeid_stats_reset(), snowflake_new()');
	set_clock($node, yesterday('10:30:00.003'));
	attempt($session, 'SELECT snowflake_new()');
	is(clock_view('regressions, steps_back, last_step_back'), '1|0|', 'milliseconds back: counted');
	healthy('milliseconds back');
	set_clock($node, yesterday('10:30:05.056'));
	attempt($session, 'SELECT snowflake_new()');
	set_clock($node, yesterday('10:30:05.006'));
	attempt($session, 'SELECT snowflake_new()');
	healthy('a twentieth of a second back');
	set_clock($node, yesterday('10:30:05.056'));
	attempt($session, 'SELECT snowflake_new()');
	healthy('and ahead again');
	set_clock($node, yesterday('10:30:10'));
	attempt($session, 'SELECT snowflake_new()');
	set_clock($node, yesterday('10:30:08'));
	attempt($session, 'SELECT snowflake_new()');
	is(clock_view('regressions, steps_back, last_step_back = clock'), '3|1|t', 'two seconds back: counted as a step');
	is(answers(), 'last_step_back', 'two seconds back: and a query answers');

	# what is leased of a tick that is over
	set_clock($node, yesterday('10:40:00'));
	attempt($session, 'SELECT count(uid64_new()) FROM generate_series(1, 14000)');
	my $used = "SELECT max(used_ratio) FROM ($query{flakeid_generator}) AS q";
	is(attempt($session, "$used WHERE type = 'uid64'") > 0.8, 1, 'a tick: used by 85 %');
	is(answers(), 'last_step_back used', 'a tick: a query answers');
	set_clock($node, yesterday('10:40:11'));
	is(attempt($session, $used), '0', 'eleven seconds later: the exporters say that nothing is used');
	is(answers(), 'last_step_back', 'eleven seconds later: no query answers');

	# a clock that was a year ahead, stepped back there, and is right again
	set_clock($node, next_year('10:50:00'));
	attempt($session, $_) foreach 'SELECT snowflake_new()', 'SELECT count(uid64_new()) FROM generate_series(1, 16385)';
	set_clock($node, next_year('10:49:30'));
	like(attempt($session, 'SELECT snowflake_new()'), qr/ERROR:  55000/, 'a year ahead: refused');
	is(answers(), 'last_refused greatest last_step_back used last_overflow', 'a year ahead: queries answer');
	set_clock($node, yesterday('13:00:00'));
	is(answers(), 'greatest', 'a year ahead, and right again: of what has happened then no query answers');
	unlike(attempt($session, 'SELECT subject FROM flakeid_doctor()'), qr/generator/, '... nor does the doctor');
	attempt($session, 'SELECT flakeid_clock_reset(now())');
	is(clock_view('last_refused = clock, last_step_back = clock, (SELECT max(last_overflow) = clock FROM flakeid_generators)'), 't|t|t', '... after a reset the view says that it was before that');
	set_clock($node, yesterday('14:10:00'));
	is(answers(), '', '... and an hour later no query answers');
	attempt($session, 'SELECT flakeid_stats_reset()');

	# out of the span
	set_clock($node, '2000-01-01 00:00:00');
	like(attempt($session, 'SELECT snowflake_new()'), qr/ERROR:  22008: the clock is out of range for type snowflake: "2000-01-01/, 'out of the span');
	is(clock_view('refused, last_refused_reason'), q(1|out of the type's span), 'out of the span: counted');

	# a crash with a right clock: the mark leads it
	set_clock($node, yesterday('11:00:00'));
	attempt($session, 'SELECT flakeid_clock_reset(now(), force => true)');
	like(attempt($session, 'SELECT sno_new(0), snowflake_new()'), qr/^[^E]/, 'a crash: before');
	$session->quit;
	$node->stop('immediate');
	my $log = -s $node->logfile;
	start_server($node);
	$session = session($node);
	like(attempt($session, 'SELECT sno_new(0), snowflake_new()'), qr/^[^E]/, 'a crash: after');
	is(clock_view('regressions, toggles, went_ahead, last_step_back'), '0|0|0|', 'a crash: no step of the clock is counted');
	healthy('after a crash');
	like(slurp_file($node->logfile, $log), qr/LOG:  clock is 2\d\d\d ms behind the mark of snowflake IDs found at the start, as after a crash/, 'a crash: nor in the log');
	unlike(slurp_file($node->logfile, $log), qr/IDs already issued in this database/, '... where nothing else is said');
	foreach my $time ('11:00:10', '11:00:05')
	{
		set_clock($node, yesterday($time));
		attempt($session, 'SELECT snowflake_new()');
	}
	is(clock_view('regressions, toggles, went_ahead'), '1|0|1', 'a crash: a later step is counted');
	set_clock($node, '+0');
}

# ---------- a standby ----------

$node->backup('base');
my $standby = server_from('standby', $node, 'base', has_streaming => 1);
start_server($standby);
my $there = session($standby);
like(attempt($there, 'SELECT sno_new(0)'), qr/ERROR:  25006/, 'a standby');
healthy('a standby that is asked for an ID', $standby);
SKIP:
{
	skip 'no compiler', 1 unless clock_available();
	# the statement that helps cannot run there
	set_clock($node, '+7200');
	attempt($session, 'SELECT snowflake_new()');
	$node->wait_for_catchup($standby);
	like(attempt($there, q(SELECT severity, finding, fix IS NULL FROM flakeid_doctor() WHERE subject = 'clock' AND severity = 'error')),
		qr/^error\|.* If the clock is right now, type on the primary SELECT public\.flakeid_clock_reset\(now\(\), false\); otherwise correct it\.\|t$/, 'a standby: what the doctor says can be typed on the primary');
	attempt($session, 'ALTER TABLE _flakeid.mark ENABLE TRIGGER mark_change');
	$node->wait_for_catchup($standby);
	like(attempt($there, q(SELECT finding, fix IS NULL FROM flakeid_doctor() WHERE subject = '_flakeid.mark')),
		qr/^Trigger mark_change.* This is a standby: type on the primary: ALTER TABLE _flakeid\.mark ENABLE ALWAYS TRIGGER mark_change;\|t$/, 'a standby: and so does the statement');
}
is(attempt($there, 'SELECT refused, last_refused_reason FROM flakeid_clock'), '0|', 'a standby: a mistake of the caller, which is not counted');
$there->quit;
$standby->stop;
$session->quit;
$node->stop;
done_testing();
