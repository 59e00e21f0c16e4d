# Five hundred concurrent sessions: no error, no ID twice, and each gets its share.
#
# It takes a twentieth of TORTURE_SECONDS (30).  They write what RATE allows: 60 MB per
# second.
use FindBin;
use lib "$FindBin::RealBin/../t/lib";
use Flakeid;

use constant SESSIONS => 500;
use constant SECONDS => int(($ENV{TORTURE_SECONDS} || 600) / 20) || 10;
use constant ROWS => 100;    # per transaction
use constant RATE => 4000;    # transactions per second

my $node = new_server('sessions', conf => [ 'flakeid.node = 11' ],
	server => [ "max_connections = ${\ (SESSIONS + 10)}", 'shared_buffers = 128MB' ]);
my $dir = id_file($node, 'made');
my $script = "$dir.sql";
my (%transactions, @shares);

# pgbench starts when all are connected
mkdir $dir or die;
append_to_file($script, "\\set n :n + 1\nCOPY (${\ making(ROWS)}) TO '$dir/:client_id.:n' (DELIMITER '|');\n");
telling(sub { return 'sessions make IDs' },
	sub {
		is(system($node->installed_command('pgbench'), '-n', '-c', SESSIONS, '-j', 2, '-T', SECONDS, '-R', RATE,
				'-D', 'n=0', '-f', $script, $node->connstr('postgres')),
			0, SESSIONS . ' sessions make IDs without an error');
	});

opendir my $handle, $dir or die;
/^(\d+)\.\d+/ && $transactions{$1}++ while $_ = readdir $handle;
@shares = sort { $a <=> $b } values %transactions;
is(@shares, SESSIONS, 'each got some');
cmp_ok($shares[0] * 10, '>=', $shares[ @shares / 2 ], "and its share: from $shares[0] to $shares[-1] times " . ROWS . ", $shares[@shares / 2] in the middle");
is($node->safe_psql('postgres', 'SELECT sessions FROM flakeid_clock'), '1', 'no session is left in the view');
is($node->safe_psql('postgres', 'SELECT sum(waiting) FROM flakeid_generators'), '0', 'and nobody waits');

telling(sub { return 'looking for two alike' },
	sub { making_unique(SESSIONS . ' sessions', $node, [$dir], count => eval(join '+', @shares) * ROWS) });
$node->stop;
done_testing();
