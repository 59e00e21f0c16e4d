# A disk that hangs: only the session that moves the mark waits for it.  In the meantime
# new sessions in this and other databases, sessions at work and the views continue, and a
# session that needs the unwritten mark gets an error within flakeid.max_wait.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;

plan skip_all => 'no compiler' unless clock_available();

my $disk = slow_disk() or plan skip_all => 'no compiler';
my $node = new_server('disk', clock => 1, extension => 0, conf => [ 'flakeid.node = -1', 'flakeid.max_wait = 700ms' ],
	server => [ 'fsync = on', 'restart_after_crash = off', 'wal_writer_delay = 10s', 'bgwriter_delay = 10s' ]);
my $make = making(1);
my @made;

# Stop the clock at so many seconds.
sub at
{
	my ($seconds) = @_;

	set_clock($node, yesterday(sprintf '10:00:%06.3f', $seconds));
	return;
}

# New sessions in each database: all of them get IDs although nothing is flushed.
sub new_sessions
{
	my ($name, @databases) = @_;
	my @answers = answers_in($node, $make, (@databases) x 3);

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	is((grep { !/^\\x/ } @answers), 0, "$name: new sessions of @databases get IDs") or diag join "\n", @answers;
	push @made, map { $answers[$_] =~ /^\\x/ ? "$databases[ $_ % @databases ] $answers[$_]" : () } 0 .. $#answers;
	return;
}

$node->stop;
at(0);
start_server($node);
$node->safe_psql('postgres', "CREATE DATABASE $_") foreach 'other', 'third';
$node->safe_psql($_, "CREATE EXTENSION flakeid; $make") foreach 'postgres', 'other', 'third';

# In two databases the mark is as far ahead as it ever is; in the first one it lasts for
# a while but is due to be moved.
at(1.3);
$node->safe_psql($_, $make) foreach 'other', 'third';
{
	my $working = session($node, database => 'other');
	my $there = session($node);
	my ($moving, @sizes, @answers);

	push @made, map { "other $_" } attempt($working, $make);
	$disk->(-1);

	# moves it
	($moving) = start_sessions($node, $make);
	ok(until_true(sub { return $disk->() > 0 }), 'a session waits for the disk');

	is(join(' ', answers_in($node, 'SELECT length(flax_new()::text)', 'postgres', 'other', 'third')), '16 16 16', 'the disk hangs: the server continues');
	new_sessions('the disk hangs', 'postgres', 'other', 'third');
	@answers = answers_in($node, 'SELECT count(*) FROM flakeid_clock, flakeid_generators', 'postgres', 'other');
	is((grep { !/^\d+$/ } @answers), 0, 'the disk hangs: the views answer') or diag join "\n", @answers;
	is(-s $moving->{out}, 0, 'the disk hangs: and the mark is still being moved');

	# a session that cannot continue without the mark gets an error (the other marks are not due to be moved)
	at(1.9);
	new_sessions('the disk hangs, the mark nearly reached', 'postgres', 'other');
	at(2.1);
	@answers = answers_in($node, "SET statement_timeout = '60s'; SELECT sno_new(0)", 'postgres', 'postgres');
	is((grep { !/ERROR:  55000: / } @answers), 0, 'the disk hangs, beyond the mark: 55000') or diag join "\n", @answers;
	is(attempt($there, 'SELECT refused, last_refused_reason FROM flakeid_clock'), '2|mark not written within flakeid.max_wait',
		'the disk hangs, beyond the mark: counted');
	new_sessions('the disk hangs, beyond the mark of another database', 'other', 'third');

	$disk->(0);
	push @made, map { "postgres $_" } finish_sessions($moving);
	push @made, map { "other $_" } attempt($working, $make);
	push @made, map { "postgres $_" } attempt($there, $make);
	new_sessions('the disk is there again', 'postgres', 'other', 'third');
	$_->quit foreach $working, $there;
}

# Each ID once; the IDs are columns of the lines.
{
	my (%seen, $twice);

	foreach my $line (@made)
	{
		my ($database, @ids) = split /[ |]/, $line;

		$seen{"$database $_ $ids[$_]"}++ and $twice++ foreach 0 .. $#ids;
	}
	is($twice, undef, 'no ID twice');
	cmp_ok(scalar(@made), '>', 30, 'and the expected number of IDs');
}
$node->stop;

done_testing();
