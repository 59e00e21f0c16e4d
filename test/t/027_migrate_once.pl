# The extension is dropped and created again the way migration tools do it: in one
# transaction that uses it immediately, with savepoints, more than once.  Its IDs are
# above the earlier ones, also after a crash.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;

plan skip_all => 'no compiler' unless clock_available();

my $node = new_server('once', clock => 1, extension => 0, conf => [ 'flakeid.node = 11', 'flakeid.max_wait = 15s', 'flakeid.max_ahead = 1min' ]);
my $create = 'CREATE EXTENSION flakeid';
my $drop = 'DROP EXTENSION IF EXISTS flakeid CASCADE';
my @columns = generators();
my $clock = 0;
my @files;

# A table with one default for each generator.
my $seed = "CREATE TABLE seed (n int, sno_1 sno DEFAULT sno_new(0, 1) PRIMARY KEY, sno_2 sno DEFAULT sno_new(0, 2), siq siq DEFAULT siq_new('message'),
	uid64 uid64 DEFAULT uid64_new(), uid96 uid96 DEFAULT uid96_new(), snowflake snowflake DEFAULT snowflake_new(),
	ulid ulid DEFAULT ulid_new(), ulid_7 ulid DEFAULT uuid7_new()::ulid, ksuid ksuid DEFAULT ksuid_new())";
my $insert = 'INSERT INTO seed (n) SELECT generate_series(1, 200)';

# Run statements in a session: all of them succeed, and the test remembers the IDs in "seed".
sub migrates
{
	my ($name, @statements) = @_;
	my $session = session($node);
	my @errors = grep { /ERROR/ } map { attempt($session, $_) } @statements;
	my $file = id_file($node, 'made' . @files);

	is("@errors", '', "$name: works");
	if (attempt($session, q(SELECT to_regclass('seed') IS NOT NULL)) eq 't')
	{
		attempt($session, 'COPY (SELECT ' . join(', ', map { s/ /_/r . '::bytea' } @columns) . " FROM seed) TO '$file' (DELIMITER '|')");
		push @files, $file;
		is(attempt($session, 'SELECT count(*) FROM seed; DROP TABLE seed'), '200', "$name: the IDs are there");
	}
	attempt($session, $drop);
	$session->quit;
	return;
}

# Kill the server and start it again with the clock set back.
sub crash_and_back
{
	crash($node, all => 1);
	$clock -= 1;
	set_clock($node, sprintf '%+d', $clock);
	start_server($node);
	return;
}

foreach my $round (1 .. 2)    # first without earlier IDs in memory, then with many
{
	migrates("$round: the first time, without a transaction", $create, $seed, $insert);
	migrates("$round: in one transaction", 'BEGIN', $create, $seed, $insert, 'COMMIT');
	migrates("$round: once more", 'BEGIN', $create, $seed, $insert, 'COMMIT');
	migrates("$round: after one that was rolled back", 'BEGIN', $create, 'SELECT sno_new(0)', 'ROLLBACK', 'BEGIN', $create, $seed, $insert, 'COMMIT');
	migrates("$round: after a savepoint that was rolled back", 'BEGIN', 'SAVEPOINT s', $create, making(10), 'ROLLBACK TO s', $create, $seed, $insert, 'COMMIT');
	migrates("$round: after a savepoint that was rolled back, as all the transaction did", 'BEGIN', 'SAVEPOINT s', $create, making(10), 'ROLLBACK TO s', 'COMMIT',
		'BEGIN', $create, $seed, $insert, 'COMMIT');
	migrates("$round: in a savepoint that was released", 'BEGIN', 'SAVEPOINT s', $create, $seed, 'RELEASE s', $insert, 'COMMIT');
	migrates("$round: in a savepoint, used in another that was rolled back", 'BEGIN', $create, 'SAVEPOINT s', $seed, $insert, 'ROLLBACK TO s', $seed, $insert, 'COMMIT');
	migrates("$round: in a block", "DO 'BEGIN BEGIN EXECUTE \$e\$$create\$e\$; RAISE division_by_zero; EXCEPTION WHEN OTHERS THEN END; END'",
		'BEGIN', $create, $seed, $insert, 'COMMIT');
	migrates("$round: in one statement", "$create; $seed; $insert");
}

# A crash after the last DROP would take the memory along, so the server crashes while the extension exists.
{
	my ($session) = start_sessions($node, "$create;\n" . making(100));

	finish_sessions($session);
	push @files, $session->{out};
	foreach my $how ("$drop; $create", "BEGIN; $drop; COMMIT; BEGIN; $create; SELECT sno_new(0); COMMIT")
	{
		my $by = session($node);

		unlike(attempt($by, $_), qr/ERROR/, "$how: $_") foreach split /; /, $how;
		$by->quit;
		crash_and_back();
		($session) = start_sessions($node, making(100));
		finish_sessions($session);
		push @files, $session->{out};
	}
}
$node->stop;
making_unique('all of it', $node, \@files);
done_testing();
