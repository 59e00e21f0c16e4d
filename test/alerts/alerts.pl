# The alerts of docs/prometheus in Prometheus: the test causes each event that has an
# alert, and checks that the alert fires, and that it ends.  Prometheus scrapes both
# exporters: postgres_exporter with its file, and sql_exporter's collector, read by a
# substitute that serves the answers of its queries under its names (Debian has no package
# of that exporter).  The rules' minutes are seconds here.
#
# Not part of make test: make test-alerts.  PROMETHEUS and POSTGRES_EXPORTER are programs.
use FindBin;
use lib "$FindBin::RealBin/../t/lib";
use Flakeid;
use HTTP::Tiny;
use IO::Socket::INET;
use JSON::PP ();
use POSIX qw(strftime);

my ($prometheus, $exporter) = @ENV{qw(PROMETHEUS POSTGRES_EXPORTER)};

plan skip_all => 'there is no Prometheus, no postgres_exporter or no compiler' unless $prometheus && $exporter && clock_available();

my ($queries, $collector, $rules) = map { slurp_file("$FindBin::RealBin/../../docs/prometheus/$_.yml") =~ s{^#.*\n}{}gmr } qw(postgres_exporter sql_exporter alerts);
my $base = PostgreSQL::Test::Utils::tempdir();
my @settings = ('flakeid.node = 3', 'flakeid.max_wait = 200ms');
my $node = new_server('alerts', clock => 1, conf => \@settings, init => { allows_streaming => 'logical' });
my ($web, $of_postgres, $of_sql) = map { PostgreSQL::Test::Cluster::get_free_port() } 1 .. 3;
my (@running, $session);

$node->safe_psql('postgres', 'CREATE ROLE monitor LOGIN; GRANT pg_monitor TO monitor');

# ---------- what runs ----------

sub write_file
{
	my ($name, $text) = @_;

	append_to_file("$base/$name", $text);
	return "$base/$name";
}

sub background
{
	my ($name, @command) = @_;

	push @running, IPC::Run::start(\@command, '<', '/dev/null', '>', "$base/$name.log", '2>&1');
	return;
}

# sql_exporter's output: a line for each row and value of each metric.
sub metrics
{
	my ($psql) = @_;
	my %query = map { $_ } $collector =~ /- query_name: (\w+)\n    query: \|\n(.*?)(?=^  - |\z)/gms;
	my $text = '';

	my @metrics;

	push @metrics, [ $1, $2, [ split /, /, $3 ], $4, $query{$5} ]
	  while $collector =~ /- metric_name: (\w+)\n    type: (\w+)\n    help: [^\n]*\n    key_labels: \[(.*?)\]\n    values: \[(\w+)\]\n    query_ref: (\w+)/g;

	# in one process, because a scrape may take two seconds
	my ($out, $err) = ('', '');
	IPC::Run::run([ @$psql, map { ('-c', "SELECT 'metric'", '-c', 'SELECT ' . join(', ', @{ $_->[2] }, $_->[3]) . " FROM ($_->[4]) AS q") } @metrics ], '>', \$out, '2>', \$err);
	foreach my $rows (split /^metric\n/m, $out =~ s/^metric\n//r, -1)
	{
		my ($name, $type, $labels) = @{ shift @metrics };

		$text .= "# TYPE $name $type\n";
		foreach (split /\n/, $rows)
		{
			my @fields = split /\t/, $_, -1;
			my $number = pop @fields;

			$text .= "$name\{" . join(',', map { "$labels->[$_]=\"" . $fields[$_] =~ s/(["\\])/\\$1/gr . '"' } 0 .. $#$labels) . "} $number\n" if length $number;
		}
	}
	return $text;
}

sub stand_in
{
	my @psql = ($node->installed_command('psql'), '-XAtq', '-F', "\t", '-d', $node->connstr('postgres') . ' user=monitor');
	my $pid = fork // die "fork: $!";

	return $pid if $pid;
	$SIG{INT} = $SIG{TERM} = 'DEFAULT';
	my $socket = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => $of_sql, Listen => 5, ReuseAddr => 1) or die "port $of_sql: $!";
	while (my $client = $socket->accept)
	{
		my $text;

		while (<$client>) { last if /^\r?$/ }
		$text = metrics(\@psql);
		print $client "HTTP/1.0 200 OK\r\nContent-Type: text/plain; version=0.0.4\r\nContent-Length: " . length($text) . "\r\n\r\n$text";
		close $client;
	}
	POSIX::_exit(0);
}

# The alerts that fire, by exporter.
sub firing
{
	my ($name) = @_;
	my $answer = HTTP::Tiny->new(timeout => 5)->get("http://127.0.0.1:$web/api/v1/alerts");

	return '' unless $answer->{success};
	# absent() tells no job
	my %jobs = map { $_->{labels}{job} => 1 } grep { $_->{labels}{job} } grep { $_->{state} eq 'firing' && $_->{labels}{alertname} eq $name } @{ JSON::PP::decode_json($answer->{content})->{data}{alerts} };
	return join ' ', sort keys %jobs;
}

# Two tests for each of some alerts: it fires for both exporters when an event happens, and ends
# when the event is over.
sub fires
{
	my ($alerts, $happen, $end, $name) = @_;
	my $now;

	foreach my $step ([ $happen, 'postgres_exporter sql_exporter', "fires: $name" ], [ $end, '', 'ends' ])
	{
		my ($do, $jobs, $says) = @$step;

		$do->();
		foreach my $alert (split / /, $alerts)
		{
			until_true(sub { $now = firing($alert); return $now eq $jobs });
			is($now, $jobs, "$alert $says");
		}
	}
	return;
}

# With the server stopped, change the file of the mark: keep a copy and write noise, or put the copy back.
sub with_file
{
	my ($command) = @_;
	my $file = $node->data_dir . '/' . $node->safe_psql('postgres', q(SELECT pg_relation_filepath('_flakeid.mark')));

	$session->quit;
	$node->stop;
	system('sh', '-c', $command, 'sh', $file, "$base/mark") == 0 or die $command;
	start_server($node);
	$session = session($node);
	return;
}

# minutes are seconds, but a range has to contain several readings
$rules =~ s/\[(\d+)m\]/[30s]/g;
$rules =~ s/for: (\d+)m/for: 2s/g;
$rules =~ s/offset (\d+)m/offset 30s/g;
write_file('queries.yaml', $queries);
write_file('rules.yaml', $rules);
write_file('prometheus.yaml', "global: {scrape_interval: 2s, scrape_timeout: 2s, evaluation_interval: 1s}
rule_files: [$base/rules.yaml]
scrape_configs:
- job_name: postgres_exporter
  static_configs: [{targets: ['127.0.0.1:$of_postgres']}]
- job_name: sql_exporter
  static_configs: [{targets: ['127.0.0.1:$of_sql']}]
");
my $stand_in = stand_in();
{
	local $ENV{DATA_SOURCE_NAME} = 'host=' . $node->host . ' port=' . $node->port . ' user=monitor dbname=postgres sslmode=disable';

	background('postgres_exporter', $exporter, "--web.listen-address=127.0.0.1:$of_postgres", "--extend.query-path=$base/queries.yaml", '--disable-default-metrics', '--disable-settings-metrics');
}
background('prometheus', $prometheus, "--config.file=$base/prometheus.yaml", "--storage.tsdb.path=$base/data", "--web.listen-address=127.0.0.1:$web");
$session = session($node);
attempt($session, making(1));

ok( until_true(sub {
		my $answer = HTTP::Tiny->new(timeout => 5)->get("http://127.0.0.1:$web/api/v1/query?query=count(flakeid_clock_seconds)");

		return $answer->{success} && $answer->{content} =~ /"2"\]/;
	}), 'both exporters are scraped') or diag slurp_file("$base/prometheus.log"), slurp_file("$base/postgres_exporter.log");

# ---------- what happens ----------

fires('FlakeidAhead', sub { attempt($session, 'SELECT snowflake_new()'); set_clock($node, strftime('%Y-%m-%d %H:%M:%S', gmtime(time - 9))); attempt($session, 'SELECT snowflake_new()') }, sub { set_clock($node, '+0') }, 'IDs continue ahead of a clock that stepped back');
fires('FlakeidRefused', sub { attempt($session, 'SELECT snowflake_new()'); set_clock($node, '-60s'); like(attempt($session, 'SELECT snowflake_new()'), qr/ERROR/, 'refused') }, sub { set_clock($node, '+0') }, 'a call that ended with an error');
fires('FlakeidRegression', sub { attempt($session, 'SELECT snowflake_new()'); set_clock($node, strftime('%Y-%m-%d %H:%M:%S', gmtime(time - 3))); attempt($session, 'SELECT snowflake_new(), sno_new(0)') }, sub { set_clock($node, '+0') }, 'the clock steps back');
fires('FlakeidClockJump', sub { set_clock($node, '+1d') }, sub { set_clock($node, '+0') }, 'the clock jumps ahead, and no ID is made');
fires('FlakeidClockJump', sub { attempt($session, 'SELECT snowflake_new()'); set_clock($node, '+20s') }, sub { set_clock($node, '+0') }, "the clock jumps ahead by less than the alert's limit");
fires('FlakeidDerivedNode', sub { configure($node, @settings[ 1 .. $#settings ]); $session->quit; $session = session($node); attempt($session, "SELECT snowflake_new(); CREATE PUBLICATION p FOR ALL TABLES") },
	sub { configure($node, @settings); attempt($session, 'SELECT snowflake_new()'); attempt($session, 'DROP PUBLICATION p') }, 'a node that is derived, and a publication');
fires('FlakeidSettings', sub { configure($node, @settings, 'flakeid.node = 200'); attempt($session, 'SELECT sno_new(0)') }, sub { configure($node, @settings); attempt($session, 'SELECT snowflake_new()') }, 'a number that is too great for a type');
fires('FlakeidPool', sub { configure($node, @settings, 'flakeid.sno_sequence_min = 0', 'flakeid.sno_sequence_max = 5'); attempt($session, 'SELECT count(sno_new(0)), pg_sleep(2) FROM generate_series(1, 500)') foreach 1 .. 3 }, sub { configure($node, @settings) }, 'ticks are used up');
fires('FlakeidHorizon', sub { attempt($session, 'SELECT ulid_horizon()'); attempt($session, 'BEGIN; SELECT ulid_new()'); set_clock($node, '+2m') }, sub { attempt($session, 'COMMIT'); set_clock($node, '+0') }, 'a transaction that has made an ID stays open');
fires('FlakeidFinding', sub { attempt($session, 'CREATE INDEX ON _flakeid.mark (kind)') }, sub { attempt($session, 'DROP INDEX _flakeid.mark_kind_idx') }, 'an error that the doctor finds');
# other sessions of the exporters' role can read neither, and say so in a log that nobody reads
fires('FlakeidSilent', sub { attempt($session, 'REVOKE SELECT ON flakeid_clock FROM PUBLIC') }, sub { attempt($session, 'GRANT SELECT ON flakeid_clock TO PUBLIC') }, 'the query of flakeid_clock ends with an error');
fires('FlakeidSilent', sub { attempt($session, 'REVOKE EXECUTE ON FUNCTION flakeid_doctor() FROM pg_monitor') }, sub { attempt($session, 'GRANT EXECUTE ON FUNCTION flakeid_doctor() TO pg_monitor') }, 'so does that of flakeid_doctor()');
# what stops every ID stops the query of the view, too, but not the doctor
fires('FlakeidFinding FlakeidSilent', sub { with_file('cp "$1" "$2" && dd if=/dev/urandom of="$1" bs=8192 count=1 conv=notrunc status=none') }, sub { with_file('cp "$2" "$1"') }, 'the mark cannot be read');
fires('FlakeidFinding FlakeidSilent', sub { attempt($session, q(UPDATE pg_proc SET probin = '$libdir/missing' WHERE probin = '$libdir/flakeid')) },
	sub { attempt($session, q(UPDATE pg_proc SET probin = '$libdir/flakeid' WHERE probin = '$libdir/missing')) }, 'the library is missing');

is(join(' ', sort { $a cmp $b } map { /alert: (\w+)/ ? $1 : () } split /\n/, $rules),
	'FlakeidAhead FlakeidClockJump FlakeidDerivedNode FlakeidFinding FlakeidHorizon FlakeidPool FlakeidRefused FlakeidRegression FlakeidSettings FlakeidSilent', 'those are all alerts');

$session->quit;
$node->stop;
done_testing();

# however it has ended
END
{
	local $?;

	kill 'TERM', $stand_in if $stand_in;
	$_->kill_kill foreach @running;
}
