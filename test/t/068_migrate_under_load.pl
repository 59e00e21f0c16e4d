# The migration of docs/migrate.md, statement by statement, for two tables with a foreign key,
# while applications write to them: a hundred transactions per second that insert a parent and
# then its children; others that insert a child of an older parent, which take the locks in
# the opposite order; and readers of the view.  Not one of their transactions fails.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";

use Flakeid;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $page = slurp_file("$FindBin::RealBin/../../docs/migrate.md");
my ($section) = $page =~ /^## From bigserial\n(.*?)^## /ms or die 'no section';
my ($tables, @statements) = $section =~ /^```sql\n(.*?)^```$/msg;
my $node = new_server('migrate_under_load', conf => ['flakeid.node = 11'], server => [ 'log_lock_waits = on', 'max_wal_size = 4GB' ]);
my $dir = PostgreSQL::Test::Utils::tempdir();

# Enough rows for the fills to take a while.
$node->safe_psql('postgres', $tables);
$node->safe_psql('postgres', q(INSERT INTO orders (created_at, total) SELECT timestamptz '2020-02-29Z' + n * interval '1 min', n FROM generate_series(1, 30000) AS n;
	INSERT INTO order_item (order_id, article) SELECT n % 30000 + 1, 'old' FROM generate_series(1, 60000) AS n));

# The programs use column names that are the same before and after.
my %programs = (
	writer => [ 100, <<'END' ],
BEGIN;
INSERT INTO orders (total) VALUES (1) RETURNING id::text AS parent \gset
\sleep 20 ms
INSERT INTO order_item (order_id, article) VALUES (':parent', 'new'), (':parent', 'new');
COMMIT;
END
	child => [ 20, <<'END' ],
BEGIN;
INSERT INTO order_item (order_id, article) SELECT id, 'late' FROM orders ORDER BY random() LIMIT 1;
\sleep 5 ms
SELECT count(*) FROM orders WHERE total = 1;
COMMIT;
END
	reader => [ 10, "SELECT count(*) FROM large_order WHERE total > 29990;\n" ]);
my %running;
foreach my $name (sort keys %programs)
{
	my ($rate, $script) = @{ $programs{$name} };

	append_to_file("$dir/$name.sql", $script);
	$running{$name} = { err => '' };
	$running{$name}{handle} = IPC::Run::start(
		[ $node->installed_command('pgbench'), '-n', '-f', "$dir/$name.sql", '-R', $rate, '-c', 4, '-T', 3600, $node->connstr('postgres') ],
		'>', \my $out, '2>', \$running{$name}{err});
}

sub rows
{
	my ($table) = @_;

	return $node->safe_psql('postgres', "SELECT count(*) FROM $table");
}
my $before = rows('orders');
$node->poll_query_until('postgres', "SELECT count(*) > $before + 100 FROM orders") or die 'the writer does not write';

my $done = 0;
foreach my $block (@statements)
{
	my ($rc, $out, $err) = $node->psql('postgres', $block, on_error_stop => 1);

	is($rc, 0, 'migrate.md: ' . substr($block, 0, index($block, "\n"))) or diag($err);
	my $then = rows('orders');
	$done++ if $node->poll_query_until('postgres', "SELECT count(*) > $then FROM orders");
}
is($done, scalar @statements, 'orders are inserted after each step');

foreach my $name (sort keys %running)
{
	my $program = $running{$name};

	ok($program->{handle}->pumpable, "$name: works still");
	$program->{handle}->signal('INT');
	IPC::Run::finish($program->{handle});
	unlike($program->{err}, qr/ERROR|aborted/, "$name: no transaction failed");
}
my $log = slurp_file($node->logfile);
unlike($log, qr/deadlock detected/, 'no deadlock in any session');
is($node->safe_psql('postgres', q(SELECT count(*) FILTER (WHERE o.id IS NULL), count(*) > 60000 FROM order_item AS i LEFT JOIN orders AS o ON o.id = i.order_id)), '0|t',
	'every item has its order');

# What happens if the parent is not locked first.
{
	my ($writer, $altering) = map { session($node) } 1, 2;

	$node->safe_psql('postgres', 'CREATE TABLE parent (id int PRIMARY KEY); CREATE TABLE child (parent int)');
	attempt($altering, "SET deadlock_timeout = '10min'");    # so that the writer is the one to be ended
	attempt($writer, 'BEGIN; INSERT INTO parent VALUES (1)');
	$altering->query_until(qr/^/, "ALTER TABLE child ADD FOREIGN KEY (parent) REFERENCES parent;\n");
	$node->poll_query_until('postgres', q(SELECT count(*) = 1 FROM pg_locks WHERE relation = 'parent'::regclass AND NOT granted)) or die 'nobody waits for the parent';
	like(attempt($writer, 'INSERT INTO child VALUES (1)'), qr/ERROR:  40P01: deadlock detected/, 'a foreign key without the lock: a deadlock');
	$_->quit foreach $writer, $altering;
}

$node->stop;
done_testing();
