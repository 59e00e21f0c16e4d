# The primary is killed under load and its standbys are promoted, with clocks that are
# right, a little late and very late; a base backup and a point-in-time recovery take
# over: no server issues an ID below the last mark that reached it.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;
use Time::HiRes qw(time);

plan skip_all => 'no compiler' unless clock_available();

my @generators = generators();

# How many seconds a standby's clock is late.
my @lags = (0, 2, 300);

my $primary = new_server('primary', clock => 1, conf => [ 'flakeid.node = 11' ],
	init => { allows_streaming => 1, has_archiving => 1 });

# The load, in transactions that never end, until it is killed with the server.  No wait
# for the clock is too long for it.  psql reads the statements again and again; the pauses
# leave the processors to the servers that are started meanwhile.
my $statements = id_file($primary, 'statements.sql');
my @load;

append_to_file($statements, (making(200) . ";\nDO 'BEGIN PERFORM pg_sleep(0.02); END';\n") x 100);
@load = start_sessions($primary, ("SET flakeid.max_wait = '1h';\nBEGIN;\n" . "\\i $statements\n" x 10_000) x 2);

sub until_marked
{
	my ($node, $count) = @_;

	foreach (1 .. $count)
	{
		my $mark = (marks($node))[2];

		$node->poll_query_until('postgres', "SELECT max(@{[MARKED]}) > '$mark' FROM _flakeid.mark WHERE kind = 2") or die 'the marks stand still: ', map { slurp_file($_->{err}) } @load;
	}
	return;
}

# Make IDs on a server that took over: none is below the marks it found.  It continues
# above them immediately or after a wait, or, if its clock is too far behind, when told
# to.
sub takes_over
{
	my ($node, $session, $marks, $lag) = @_;
	my $name = $node->name;
	my %ids = probe($session);

	if ($lag > 60)
	{
		like($ids{$_}, qr/ERROR:  55000: .*DETAIL: .*flakeid\.max_ahead.*HINT: .*flakeid_clock_reset/s, "$name: $_: the clock is too far behind")
		  foreach grep { !/sno/ } @generators;
		like($ids{'sno 1'}, qr/^\\x/, "$name: sno 1 goes to the other timeline");
		configure($node, 'flakeid.node = 11', 'flakeid.max_ahead = 10min');
		%ids = probe($session);
	}
	is((grep { !/^\\x[0-9a-f]+$/ } values %ids), 0, "$name: every generator continues") or diag explain \%ids;
	is(below($node, $marks, %ids), '', "$name: above the marks: @$marks");
	return;
}

# Many more IDs: the old server made none of them before the marks.
sub goes_on
{
	my ($node, $old) = @_;
	my $name = $node->name;
	my @sessions = start_sessions($node, (making(200) . ";\n") x 25);

	finish_sessions(@sessions);
	making_unique($name, $node, [ @$old, map { $_->{out} } @sessions ], count => lines(@$old) + 5000);
	return;
}

# Set a server's clock so far behind an instant, as if the instant were now.
sub behind
{
	my ($node, $instant, $lag) = @_;

	return set_clock($node, sprintf '%+.3f', $instant - time - $lag);
}

# ---------- before ----------

my (%standby, %session, %point);
my ($copied, $killed);

until_marked($primary, 1);
$primary->backup('base');
$copied = time;
foreach my $lag (@lags)
{
	$standby{$lag} = server_from("behind$lag", $primary, 'base', has_streaming => 1);
	set_clock($standby{$lag}, "-$lag");
	start_server($standby{$lag});
	$session{$lag} = session($standby{$lag});
}

{
	my $session = $session{0};
	my %answers = probe($session);

	like($answers{$_}, qr/ERROR:  25006: .*DETAIL: .*HINT: .*flax_new.*ulid_new/s, "standby: no $_") foreach grep { !/ulid|ksuid/ } @generators;
	like(attempt($session, 'SELECT flax_new()'), qr/^[0-9A-Za-z_-]{16}$/, 'standby: but a flax');
	like(attempt($session, 'SELECT ulid_new()'), qr/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/, 'standby: and a ulid');
	like(attempt($session, "SELECT $_"), qr/^[0-9A-Za-z]{27}$/, "standby: and a ksuid of $_") foreach 'ksuid_new()', q(ksuid_new_at('2020-01-01 00:00+00'));
	like(attempt($session, "SELECT $_"), qr/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/, "standby: and a uuid of $_")
	  foreach 'uuid7_new()', q(uuid7_new_at('2020-01-01 00:00+00'));

	# with the current time, none twice, and random in the counter's bits, which are 0 as often as 1
	is(attempt($session, q(
			WITH made AS MATERIALIZED (SELECT ulid_new() AS id, uuid7_new() AS u, ksuid_new() AS k FROM generate_series(1, 20000)),
				shares AS (
					SELECT avg(get_bit(id::bytea, bit)) AS ulid, avg(get_bit(uuid_send(u), bit)) FILTER (WHERE bit > 55) AS uuid7,
						avg(get_bit(ksuid_payload(k), bit - 48)) AS ksuid
					FROM made, generate_series(48, 63) AS bit GROUP BY bit)
			SELECT count(DISTINCT id), count(DISTINCT u), count(DISTINCT k),
				min(id) >= clock_timestamp() - interval '1 min' AND max(u::ulid) <= clock_timestamp() AND max(k) <= clock_timestamp(),
				(SELECT count(*) FILTER (WHERE ulid BETWEEN 0.4 AND 0.6) FROM shares),
				(SELECT count(*) FILTER (WHERE uuid7 BETWEEN 0.4 AND 0.6) FROM shares),
				(SELECT count(*) FILTER (WHERE ksuid BETWEEN 0.4 AND 0.6) FROM shares)
			FROM made)),
		'20000|20000|20000|t|16|8|16', 'standby: as random as can be');
	like(attempt($session, "SELECT $_(now())"), qr/ERROR:  25006: cannot execute $_\(\) during recovery/, "standby: not $_()") foreach 'flakeid_advance', 'flakeid_clock_reset';
	like(attempt($session, 'SELECT sno_restore(sno_snapshot())'), qr/ERROR:  25006/, 'standby: nor sno_restore()');
}

# The generators do not continue from the marks read on the standby: more will arrive.
foreach my $lag (@lags)
{
	attempt($session{$lag}, making(1));
	unlike(attempt($session{$lag}, 'SELECT * FROM flakeid_clock; SELECT * FROM flakeid_generators; SELECT sno_snapshot(), sno_snapshot(1)'),
		qr/ERROR/, "standby: the views can be read, $lag s late");
}

# ---------- a point in time ----------

# A mark moved in the meantime may be before the point or after it.  In one session, because on a busy
# machine a mark moves sooner than the next psql begins.
my @after;
do
{
	until_marked($primary, 1);
	$point{time} = time;
	$point{name} = 'here' . ++$point{number};
	($point{marks}->@[ 0 .. 2 ], undef, @after) = split /\n/, $primary->safe_psql('postgres', join ';', MARKS, "SELECT pg_create_restore_point('$point{name}')", MARKS);
} until "@{$point{marks}}" eq "@after";
until_marked($primary, 3);
$point{segment} = $primary->safe_psql('postgres', 'SELECT pg_walfile_name(pg_current_wal_lsn()); SELECT pg_switch_wal()') =~ s/\n.*//sr;
$primary->poll_query_until('postgres', "SELECT last_archived_wal >= '$point{segment}' FROM pg_stat_archiver") or die 'not archived';

# ---------- after ----------

crash($primary, all => 1);
$killed = time;
eval { finish_sessions($_) } foreach @load;

my @old = map { $_->{out} } @load;
my %last;

{
	my @columns = split /\|/, shell('tail -qn1 "$@" | sort | tail -n1', @old);

	@last{@generators} = @columns;
}

foreach my $lag (@lags)
{
	my $node = $standby{$lag};
	my @marks;

	# What was received may end within a record, which is never replayed; everything else has
	# been when the promotion ends.
	$node->poll_query_until('postgres', 'SELECT count(*) = 0 FROM pg_stat_wal_receiver') or die 'still receiving';
	behind($node, $killed, $lag);
	$node->promote;
	@marks = marks($node);

	# moved a second before anybody needs it, the last mark has reached the standby
	is(scalar(split /\n/, below($node, \@marks, %last)), scalar(@generators), $node->name . ': the marks came in time');
	takes_over($node, $session{$lag}, \@marks, $lag);
	goes_on($node, \@old);
	$session{$lag}->quit;
	$node->stop;
}

# A copy of the files, started as they are.
{
	my $node = server_from('copy', $primary, 'base');
	my @marks;
	my $session;

	behind($node, $copied, 2);
	start_server($node);
	@marks = marks($node);
	$session = session($node);
	takes_over($node, $session, \@marks, 2);
	$session->quit;
	$node->stop;
}

# A point-in-time recovery: what happened after the point belongs to another history.
{
	my $node = server_from('point', $primary, 'base', has_restoring => 1, standby => 0);
	my $session;

	$node->append_conf('postgresql.conf', "recovery_target_name = '$point{name}'\nrecovery_target_action = promote\n");
	behind($node, $point{time}, 2);
	start_server($node);
	$node->poll_query_until('postgres', 'SELECT NOT pg_is_in_recovery()') or die 'still in recovery';
	is(join(' ', marks($node)), "@{$point{marks}}", 'point: the marks are those of the point');
	$session = session($node);
	takes_over($node, $session, $point{marks}, 2);
	$session->quit;
	$node->stop;
}

# ---------- synchronous ----------

# The standby has the marks of every acknowledged transaction, because they precede its
# commit.  It may not have those of an unacknowledged one, even if a client knows the
# IDs: this standby's own node keeps its IDs apart from those.
{
	my $node = new_server('sync', clock => 1, conf => [ 'flakeid.node = 11' ], init => { allows_streaming => 1 });
	my $make = 'BEGIN; INSERT INTO made VALUES (1); ' . making(1) . '; COMMIT;';
	my $numbers = 'SELECT sno_partition(sno_new(0)), snowflake_worker(snowflake_new()), uid96_node(uid96_new())';
	my ($standby, $session, $unfinished, @marks, %acknowledged, %known, @old, @own);

	$node->safe_psql('postgres', 'CREATE TABLE made (n int)');
	$node->backup('base');
	$standby = server_from('sync_standby', $node, 'base', has_streaming => 1);
	write_settings($standby, 'flakeid.node = 12');
	start_server($standby);
	$node->append_conf('postgresql.conf', "synchronous_standby_names = '*'");
	$node->reload;
	$node->poll_query_until('postgres', q(SELECT sync_state = 'sync' FROM pg_stat_replication)) or die 'not synchronous';
	set_clock($node, '+5');    # beyond every mark
	@old = split /\|/, $node->safe_psql('postgres', $numbers);
	@acknowledged{@generators} = split /\|/, $node->safe_psql('postgres', $make);
	$standby->stop;

	set_clock($node, '+15');
	($unfinished) = start_sessions($node, $make);
	$node->poll_query_until('postgres', q(SELECT count(*) = 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep')) or die 'not waiting';
	@known{@generators} = split /\|/, slurp_file($unfinished->{out}) =~ s/\n//r;
	crash($node, all => 1);
	eval { finish_sessions($unfinished) };

	set_clock($standby, '+3');
	start_server($standby);
	@marks = marks($standby);
	is(scalar(split /\n/, below($standby, \@marks, %acknowledged)), scalar @generators, 'synchronous: acknowledged IDs are below the marks');
	is(below($standby, \@marks, %known), '', 'synchronous: others are not, though they were seen');
	$standby->promote;
	$session = session($standby);
	takes_over($standby, $session, \@marks, 2);
	@own = split /\|/, attempt($session, $numbers);
	is("@old[ 0, 1 ]", '11 11', 'a node of its own: the partition and the worker of the old primary');
	is("@own[ 0, 1 ]", '12 12', 'a node of its own: different ones after the promotion');
	isnt($own[2], $old[2], 'a node of its own: and another one of uid96');
	$session->quit;
	$standby->stop;
}

done_testing();
