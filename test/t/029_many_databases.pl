# Many databases in turn.  The clock is right and nobody disturbs it, so whoever comes
# gets an ID of its time, whichever databases there were since; and those that come again
# take no more memory.
#
# DATABASES says how many of them there are (262).
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";

use Flakeid;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use constant DATABASES => $ENV{DATABASES} || 262;

my $node = new_server('turn', server => [ 'dynamic_shared_memory_type = mmap', 'track_counts = off', 'full_page_writes = off' ]);
my (@names, %size);
my $memory = sub {
	my $sum = 0;

	$sum += -s $_ || 0 foreach glob $node->data_dir . '/pg_dynshmem/*';
	return $sum;
};

# One session after the other, in these databases: the number of those where it is well.
my $round = sub {
	my ($name, @databases) = @_;
	my ($session) = start_sessions($node, join '', map { "\\c $_\nSELECT watch();\nSELECT regressions, tick_tock FROM flakeid_clock;\n" } @databases);
	my ($out) = finish_sessions($session);
	my @wrong = grep { !/^(?:well|0\|0)$/ } split /\n/, $out;

	is(@wrong, 0, "$name: all of the clock's time, none on the other timeline, no regression") or diag join "\n", @wrong[ 0 .. ($#wrong < 4 ? $#wrong : 4) ];
	return;
};

$node->safe_psql('postgres', 'CREATE DATABASE origin');
$node->safe_psql('origin', 'CREATE EXTENSION flakeid');
prepare_watch($node, 'origin');
$node->restart;
$size{before} = $memory->();
@names = map { "d$_" } 1 .. DATABASES;
telling(
	sub { return 'databases up to ' . $node->safe_psql('postgres', 'SELECT max(oid) FROM pg_database') },
	sub { run_sessions($node, join '', map { "CREATE DATABASE $_ TEMPLATE origin STRATEGY FILE_COPY;\n" } @names) });
$round->('the first time', @names);
$size{first} = $memory->();
cmp_ok($size{first}, '>', $size{before}, 'the first time: memory is taken');
$round->('the second time', @names);
$round->('two in turn', (@names[ -2, -1 ]) x 4);
$round->('one that was there before', $names[99] || $names[0]);
$round->('the third time', reverse @names);
# (which of them can be freed meanwhile depends on how long ago their IDs were made; 24 kB
# each, and the last segment, are all that they take at once)
cmp_ok($memory->(), '<=', $size{before} + DATABASES * 32 * 1024 + 2 * 1024 * 1024, 'the third time: no more memory is taken than for all at once');
note join ', ', map { "$_ $size{$_}" } sort keys %size;

# who comes first after a restart goes by its own mark
$node->stop('immediate');
start_server($node);
is((finish_sessions(start_sessions($node, join '', map { "\\c $_\nSELECT count(watch());\n" } @names[ 0 .. 19 ])))[0], join("\n", (1) x 20), 'after a crash: IDs');
watched_unique("after a crash: $_", $node, $_) foreach @names[ 0, 19 ];

# Databases that are dropped leave no memory behind, whatever their owners restored there.
{
	my $holder = session($node, database => $names[0]);
	my @dropped = @names[ 20 .. 119 ];
	my $retire = "INSERT INTO _flakeid.mark SELECT kind, 1, '2079-01-01', '2079-01-02'" . ", '-infinity'" x 10 . ' FROM generate_series(0, 2) AS kind';

	like(attempt($holder, 'SELECT sno_new(0)'), qr/^[2-9a-x]{16}$/, 'dropped: another database is at work');
	$size{holder} = $memory->();
	my ($session) = start_sessions($node, join '', map { "\\c $_\n$retire;\nSELECT count(uid64_new());\n\\c postgres\nDROP DATABASE $_;\n" } @dropped);
	is((finish_sessions($session))[0], join("\n", (1) x @dropped), 'dropped: an ID in each');
	cmp_ok($memory->(), '<=', $size{holder} + 1024 * 1024, 'dropped: no memory is taken for good');
	note join ', ', map { "$_ $size{$_}" } sort keys %size;
	$holder->quit;
}
$node->stop;

done_testing();
