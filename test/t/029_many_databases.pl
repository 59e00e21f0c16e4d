# Many databases in turn.  The clock is right and nothing disturbs it, so every database
# gets an ID of the clock's time, whichever databases were used in between; and a database
# used again takes no more memory.
#
# DATABASES sets their number (162, in make test 62).
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;

use constant DATABASES => $ENV{DATABASES} || whole_or_short(162, 62);

my $node = new_server('turn', server => [ 'dynamic_shared_memory_type = mmap', 'track_counts = off', 'full_page_writes = off' ]);
my (@names, %size);
my $memory = sub {
	my $sum = 0;

	$sum += -s $_ || 0 foreach glob $node->data_dir . '/pg_dynshmem/*';
	return $sum;
};

# Make IDs in these databases, one after the other: all must be well in each of them.
my $round = sub {
	my ($name, @databases) = @_;
	my ($session) = start_sessions($node, join '', map { "\\c $_\nSELECT watch();\nSELECT regressions, tick_tock FROM flakeid_clock;\n" } @databases);
	my ($out) = finish_sessions($session);
	my @wrong = grep { !/^(?:well|0\|0)$/ } split /\n/, $out;

	is(@wrong, 0, "$name: every ID of the clock's time, none on the other timeline, no regression") or diag join "\n", @wrong[ 0 .. ($#wrong < 4 ? $#wrong : 4) ];
	return;
};

# a role that may do nothing else creates and drops them all
$node->safe_psql('postgres', 'CREATE ROLE tenant LOGIN CREATEDB; CREATE DATABASE origin IS_TEMPLATE true');
$node->safe_psql('origin', 'CREATE EXTENSION flakeid');
prepare_watch($node, 'origin');
$node->restart;
$size{before} = $memory->();
@names = map { "d$_" } 1 .. DATABASES;
telling(
	sub { return 'databases up to ' . $node->safe_psql('postgres', 'SELECT max(oid) FROM pg_database') },
	sub { run_sessions($node, join '', map { "SET ROLE tenant;\nCREATE DATABASE $_ TEMPLATE origin STRATEGY FILE_COPY;\n" } @names) });
$round->('the first time', @names);
$size{first} = $memory->();
cmp_ok($size{first}, '>', $size{before}, 'the first time: memory is taken');
$round->('the second time', @names);
$round->('two in turn', (@names[ -2, -1 ]) x 4);
$round->('one that was there before', $names[99] || $names[0]);
$round->('the third time', reverse @names);
is($memory->(), $size{first}, 'the third time: databases used again take no more memory');
# 55 to 63 kB each; a segment is as large as all before it, so the last one may be empty
cmp_ok($size{first}, '<=', $size{before} + DATABASES * 128 * 1024 + 2 * 1024 * 1024, 'a database takes some pages');
note join ', ', map { "$_ $size{$_}" } sort keys %size;

# the first database used after a restart continues from its own mark
$node->stop('immediate');
start_server($node);
is((finish_sessions(start_sessions($node, join '', map { "\\c $_\nSELECT count(watch());\n" } @names[ 0 .. 19 ])))[0], join("\n", (1) x 20), 'after a crash: IDs');
watched_unique("after a crash: $_", $node, $_) foreach @names[ 0, 19 ];

# Dropped databases keep no memory, however many generators they had, except for a few,
# whose memory a new database frees now and then.  So the next ones reuse that memory.
{
	my $holder = session($node, database => $names[0]);
	my @dropped = @names[ 20 .. (DATABASES > 162 ? 159 : DATABASES - 3) ];
	my $half = @dropped / 2;

	like(attempt($holder, 'SELECT sno_new(0)'), qr/^[2-9a-x]{16}$/, 'dropped: another database is at work');
	# a few at a time, because each DROP DATABASE waits for a checkpoint
	while (my @some = splice @dropped, 0, 10)
	{
		my ($session) = start_sessions($node, join '', map { "\\c $_ tenant\nSELECT count(sno_new(0, n)) FROM generate_series(0, 4095) AS n;\n\\c postgres\nDROP DATABASE $_;\n" } @some);

		is((finish_sessions($session))[0], join("\n", (4096) x @some), 'dropped: an ID of many partitions in each');
		$size{half} = $memory->() if @dropped == $half;
	}
	$size{dropped} = $memory->();
	# 23 MB for all of them, and another segment if the pieces do not fit
	cmp_ok($size{dropped}, '<=', $size{half} + 12 * 1024 * 1024, 'dropped: the second half takes the memory of the first');
	like(attempt($holder, 'SELECT sno_new(0)'), qr/^[2-9a-x]{16}$/, 'dropped: the other database goes on');
	note join ', ', map { "$_ $size{$_}" } sort keys %size;
	$holder->quit;
}
$node->stop;

done_testing();
