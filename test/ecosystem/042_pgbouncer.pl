# Many clients share few sessions through PgBouncer in transaction mode: no ID of any type
# is issued twice, a transaction's IDs increase, and their time does not decrease from one
# transaction of a client to the next.  Within one unit of time the next transaction's IDs
# may be lower, because it may run in another session.
use FindBin;
use lib "$FindBin::RealBin/../t/lib";
use Flakeid;
use IPC::Run ();

# Many clients, and then so few that each has its next turn within a unit of time.
use constant ROUNDS => ([ 40, 25 ], [ 6, 200 ]);
use constant SESSIONS => 4;
use constant IDS => 5;

my ($pgbouncer) = grep { -x } map { "$_/pgbouncer" } split(/:/, $ENV{PATH}), '/usr/sbin', '/usr/local/sbin';

plan skip_all => 'pgbouncer is not installed' unless defined $pgbouncer;

with_flax();

my $node = new_server('pooled');
my $dir = $node->basedir;
my $made = id_file($node, 'made');
my $count = 0;
my $port = PostgreSQL::Test::Cluster::get_free_port();
my $user = $node->safe_psql('postgres', q(
	CREATE TABLE made (client int, at timestamptz, pid int, transaction xid8, ids sno[]);
	SELECT current_user));

PostgreSQL::Test::Utils::append_to_file("$dir/pgbouncer.ini", <<"INI");
[databases]
postgres = host=${\$node->host} port=${\$node->port} user=$user
[pgbouncer]
listen_addr =
listen_port = $port
unix_socket_dir = ${\$node->host}
auth_type = any
pool_mode = transaction
default_pool_size = ${\SESSIONS}
server_lifetime = 1
INI
my $insert = <<"SQL";
INSERT INTO made SELECT :round * 100 + :client_id, clock_timestamp(), pg_backend_pid(), pg_current_xact_id(), array_agg(sno_new(0))
FROM generate_series(1, ${\IDS});
SQL
PostgreSQL::Test::Utils::append_to_file("$dir/made.sql", <<"SQL");
BEGIN;
$insert
$insert
COMMIT;
\\set n :n + 1
COPY (${\ making(IDS)}) TO '$made/:round.:client_id.:n' (DELIMITER '|');
SQL
mkdir $made or die;

my $pooler = IPC::Run::start([ $pgbouncer, "$dir/pgbouncer.ini" ], '>', "$dir/pgbouncer.log", '2>&1');
my @through = ('-h', $node->host, '-p', $port, 'postgres');

until_true(sub { return IPC::Run::run([ $node->installed_command('pg_isready'), '-q', @through[ 0 .. 3 ] ]) }) or die 'no pgbouncer';
foreach my $round (0, 1)
{
	my ($clients, $transactions) = @{ (ROUNDS)[$round] };

	command_ok([ 'pgbench', '-n', '-D', "round=$round", '-D', 'n=0', '-c', $clients, '-t', $transactions, '-f', "$dir/made.sql", @through ],
		"$clients clients make IDs");
	$count += 2 * IDS * $clients * $transactions;
}
is($node->safe_psql('postgres', 'SELECT count(*), count(DISTINCT id) FROM made, unnest(ids) AS id'),
	"$count|$count", 'no ID twice');
making_unique('of each type', $node, [$made], count => $count / 2);
is($node->safe_psql('postgres', "SELECT count(DISTINCT $_->[1]) > 1 FROM made GROUP BY $_->[0] ORDER BY 1 DESC LIMIT 1"),
	't', "a $_->[0] had more than one $_->[1]") foreach [ 'client', 'pid' ], [ 'pid', 'client' ];
is($node->safe_psql('postgres', q(
		SELECT count(*) FROM (
			SELECT id, lag(id) OVER (PARTITION BY transaction ORDER BY at, i) AS before
			FROM made, unnest(ids) WITH ORDINALITY AS u (id, i)) AS s
		WHERE id <= before)),
	0, "a transaction's IDs increase");

my $across = qq(FROM (
	SELECT transaction, ids[1] AS first, lag(ids[${\IDS}]) OVER client AS before, lag(transaction) OVER client AS last
	FROM made WINDOW client AS (PARTITION BY client ORDER BY at)) AS s
	WHERE transaction <> last);

is($node->safe_psql('postgres', "SELECT count(*) $across AND first::timestamptz < before::timestamptz"),
	0, "a client's IDs do not go back in time from one transaction to the next");
note $node->safe_psql('postgres', "SELECT count(*) FILTER (WHERE first < before) || ' of ' || count(*) $across")
  . ' transactions begin below the one before, within its unit of time';

$pooler->signal('TERM');
$pooler->finish;
$node->stop;
done_testing();
