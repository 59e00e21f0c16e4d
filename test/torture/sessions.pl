# Five hundred sessions at once: no error, no ID twice, and each gets its share.
#
# TORTURE_SECONDS says how long, a tenth of it (60).
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../t/lib";

use Flakeid;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use constant SESSIONS => 500;
use constant SECONDS => int(($ENV{TORTURE_SECONDS} || 600) / 10) || 10;
use constant ROWS => 100;    # a transaction

my $node = new_server('sessions', conf => [ 'flakeid.node = 11' ],
	server => [ "max_connections = ${\ (SESSIONS + 10)}", 'shared_buffers = 128MB', 'jit = off' ]);
my $dir = id_file($node, 'made');
my $script = "$dir.sql";
my $all = id_file($node, 'all');
my (%transactions, @shares);

# pgbench begins when all are connected
mkdir $dir or die;
append_to_file($script, "\\set n :n + 1\nCOPY (${\ making(ROWS)}) TO '$dir/:client_id.:n' (DELIMITER '|');\n");
telling(sub { return 'sessions make IDs' },
	sub {
		is(system($node->installed_command('pgbench'), '-n', '-c', SESSIONS, '-j', 2, '-T', SECONDS,
				'-D', 'n=0', '-f', $script, $node->connstr('postgres')),
			0, SESSIONS . ' sessions make IDs without an error');
	});

opendir my $handle, $dir or die;
/^(\d+)\.\d+/ && $transactions{$1}++ while $_ = readdir $handle;
@shares = sort { $a <=> $b } values %transactions;
is(@shares, SESSIONS, 'each got some');
cmp_ok($shares[0] * 10, '>=', $shares[ @shares / 2 ], "and its share: from $shares[0] to $shares[-1] times " . ROWS . ", $shares[@shares / 2] in the middle");
is($node->safe_psql('postgres', 'SELECT count(*) FROM flakeid_shards'), '0', 'no session is left in the view');
is($node->safe_psql('postgres', 'SELECT sum(waiting) FROM flakeid_generators'), '0', 'and nobody waits');

telling(sub { return 'looking for two alike' },
	sub {
		system_or_bail('sh', '-c', 'find "$0" -type f -exec cat {} + >"$1" && rm -r "$0"', $dir, $all);
		making_unique(SESSIONS . ' sessions', $node, [$all], count => eval(join '+', @shares) * ROWS);
	});
$node->stop;
done_testing();
