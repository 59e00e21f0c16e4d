# pg_upgrade from an older PostgreSQL (UPGRADE_FROM, see test/run.sh) keeps the data,
# working indexes and the marks, so that no ID is issued again when the clock passes a
# second time through the instants at which the old server made IDs.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;
use IPC::Run ();
use Time::HiRes qw(time);

plan skip_all => 'no older PostgreSQL to upgrade from (UPGRADE_FROM)' unless $ENV{OLD_SERVER};
plan skip_all => 'no compiler' unless clock_available();

my %types = (
	sno => 'sno_new(0)', flax => 'flax_new()', siq => q(siq_new('message')),
	uid64 => 'uid64_new()', uid96 => 'uid96_new()', snowflake => 'snowflake_new()', ulid => 'ulid_new()', ksuid => 'ksuid_new()');
my @types = sort keys %types;

# with checksums, because their default depends on the major version
my %option = (
	conf => [ 'flakeid.node = 11', 'flakeid.max_ahead = 1h' ],
	init => { extra => [ '--no-locale', '-E', 'UTF8', '--data-checksums' ] });
my $old = new_server('old', %option, install_path => $ENV{OLD_SERVER});
my $new = new_server('new', %option, clock => 1, extension => 0);
my ($contents, $start, @marks, @files);

# Make IDs with each generator, in two sessions, with so many statements each.
sub make
{
	my ($node, $statements) = @_;
	my $file = id_file($node, 'made');

	my $script = 'COPY (' . making(100) . ") TO PROGRAM 'cat >>FILE' (DELIMITER '|');\nSELECT pg_sleep(0.01);\n";

	run_sessions($node, map { $script =~ s/FILE/$file$_/r x $statements } 0, 1);
	push @files, "${file}0", "${file}1";
	return;
}

sub contents
{
	my ($node) = @_;

	return $node->safe_psql('postgres', join ';', map { "SELECT '$_', count(*), md5(string_agg(t::text, ',' ORDER BY id)) FROM $_ AS t" }
		  'kept', 'log', map { "t_$_" } @types);
}

# How many objects with expressions that name no operator there are; majors write them differently.
sub objects
{
	my ($node) = @_;

	return $node->safe_psql('postgres', join ';', map { "SELECT count(*) FROM $_" }
		  'pg_trigger WHERE NOT tgisinternal', "pg_rules WHERE schemaname = 'app'", 'pg_policies', "pg_views WHERE schemaname = 'app'", "pg_matviews WHERE schemaname = 'app'");
}

note 'from ' . $old->safe_psql('postgres', 'SHOW server_version') . ' to ' . $new->safe_psql('postgres', 'SHOW server_version');
$new->stop;

foreach my $type (@types)
{
	$old->safe_psql('postgres', qq(
		CREATE TABLE t_$type (id $type PRIMARY KEY DEFAULT $types{$type}, n int, other $type, list $type\[], at timestamptz DEFAULT clock_timestamp());
		INSERT INTO t_$type (n) SELECT generate_series(1, 2000);
		UPDATE t_$type SET other = id, list = ARRAY[id, NULL];
		CREATE INDEX hash_$type ON t_$type USING hash (other);
		CREATE INDEX brin_$type ON t_$type USING brin (id);
	));
}
$old->safe_psql('postgres', q(
	CREATE DOMAIN message AS siq CHECK (siq_type_of(VALUE) = 'message');
	CREATE TABLE kept (id message PRIMARY KEY, type text, event sno REFERENCES t_sno);
	INSERT INTO kept SELECT siq_new('message'), siq_type_of(s.id), t.id FROM t_siq AS s JOIN t_sno AS t USING (n);
	CREATE INDEX ON kept (type, event);
	CREATE VIEW recent AS SELECT id FROM t_sno WHERE id >= timestamptz '2020-01-01';
	CREATE TABLE log (id sno PRIMARY KEY DEFAULT sno_new(1), n int) PARTITION BY RANGE (id);
	SELECT flakeid_create_partitions('log', date_trunc('month', now(), 'UTC'), now() + interval '1 month', '1 month');
	INSERT INTO log (n) SELECT generate_series(1, 2000);
));
$old->safe_psql('postgres', 'CREATE SCHEMA app;' . join '', map { expressions_of('public', $_, $types{$_}) } @types);
my $objects = objects($old);

$start = time;
make($old, 90);
# more time for the new server, below, which must be done before its clock is past the marks
sleep 5;
$old->safe_psql('postgres', "SELECT $types{$_}") foreach @types;
$contents = contents($old);
@marks = marks($old);
$old->stop;

{
	my @command = ('pg_upgrade', '--no-sync', '-d', $old->data_dir, '-D', $new->data_dir,
		'-b', "$ENV{OLD_SERVER}/bin", '-B', $new->config_data('--bindir'),
		'-s', $new->host, '-p', $old->port, '-P', $new->port);

	chdir $new->basedir or die;    # pg_upgrade writes a script there
	ok(IPC::Run::run(\@command), 'pg_upgrade')
	  or diag(shell('cat -- "$@" | grep -A 8 error: || true', glob $new->data_dir . '/pg_upgrade_output.d/*/log/*')), BAIL_OUT('not upgraded');
}

# set the clock back to the first of the old server's last IDs
set_clock($new, sprintf '-%.3fs', time - $start);
start_server($new);
is(join(' ', marks($new)), "@marks", 'the marks are the same');
is($new->safe_psql('postgres', "SELECT clock < '$marks[0]' AND clock < '$marks[2]' FROM flakeid_clock"), 't', 'and the clock is behind them');
is(contents($new), $contents, 'the contents are the same');
is(objects($new), $objects, 'the objects with expressions that name no operator are there');

{
	my $session = session($new);
	my %ids = probe($session);

	is(below($new, \@marks, %ids), '', 'no generator starts below its mark');
	$session->quit;
}

# Set it back once more, because the steps above took time, and make fewer IDs: the new
# server must finish before the clock reaches the old server's last IDs.
set_clock($new, sprintf '-%.3fs', time - $start);
make($new, 40);
is($new->safe_psql('postgres', "SELECT clock < '$marks[0]' AND clock < '$marks[2]' FROM flakeid_clock"), 't', 'all while the clock was behind the marks');
making_unique('old and new', $new, \@files, count => 26_000);

# the indexes
$new->safe_psql('postgres', 'CREATE EXTENSION amcheck');
cmp_ok($new->safe_psql('postgres', q(
		SELECT count(bt_index_parent_check(c.oid, true, true)::text) FROM pg_class AS c JOIN pg_am AS a ON a.oid = c.relam
		WHERE a.amname = 'btree' AND c.relkind = 'i' AND c.relnamespace = 'public'::regnamespace)),
	'>=', @types + 4, 'btrees are sound');
foreach my $type (@types)
{
	is($new->safe_psql('postgres', qq(
			SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off;
			SELECT count(*) FROM t_$type AS a JOIN t_$type AS b ON b.other = a.id)),
		'2000', "$type: found by hash");
	next if $type eq 'uid96';    # does not sort by time
	is($new->safe_psql('postgres', qq(
			SET enable_seqscan = off; SET enable_indexscan = off; SET enable_indexonlyscan = off;
			SELECT count(*) FROM t_$type WHERE id >= timestamptz '2020-01-01')),
		'2000', "$type: found by time");
}
is($new->safe_psql('postgres', "INSERT INTO log (n) VALUES (0) RETURNING id > (SELECT max(id) FROM log WHERE n > 0)
		OR sno_tick_tock(id)"), 't', 'partitions take new rows');
is($new->safe_psql('postgres', 'SELECT count(*) FROM recent'), '2000', 'a view with a condition on time');

$new->stop;
done_testing();
