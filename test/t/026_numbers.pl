# The numbers of a server's databases: a number that is set is used even if another
# database has it, and both databases are warned; derived numbers differ as far as they can.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;

# The types that carry a number of the server: a call, and the number in the ID.
my %numbered = (
	sno => [ 'sno_new(0)', 'sno_partition' ],
	siq => [ q(siq_new('message')), 'siq_shard' ],
	snowflake => [ 'snowflake_new()', 'snowflake_worker' ],
	uid96 => [ 'uid96_new()', 'uid96_node' ]);
my $node = new_server('numbers', extension => 0);
sub new_database
{
	my ($name) = @_;

	$node->safe_psql('postgres', 'CREATE DATABASE "' . $name =~ s/"/""/gr . '" TEMPLATE origin STRATEGY FILE_COPY');
	return;
}

# A database's answer in a new session.
sub in_new_session
{
	my ($database, $sql) = @_;
	my $session = session($node, database => $database);
	my $answer = attempt($session, $sql);

	quit_session($node, $session);
	return $answer;
}

sub number
{
	my ($type) = @_;

	return "SELECT $numbered{$type}[1]($numbered{$type}[0])";
}

$node->safe_psql('postgres', 'CREATE DATABASE origin');
$node->safe_psql('origin', 'CREATE EXTENSION flakeid');
new_database($_) foreach 'shop', 'sales', 'Sales', 'a, b = "7"';

# ---------- databases of a server ----------

# They relate to each other as two servers do.
configure($node, 'flakeid.node = 7');
foreach my $database ('shop', 'sales')
{
	is(in_new_session($database, number($_)), '7', "one number: $_ of $database") foreach 'sno', 'siq', 'snowflake';
}

# CREATE EXTENSION and the doctor name the databases with the same number.
sub told
{
	my ($database) = @_;

	return (($node->psql($database, 'DROP EXTENSION flakeid; CREATE EXTENSION flakeid'))[2], in_new_session($database, q(SELECT finding FROM flakeid_doctor() WHERE finding ~ 'same number')));
}

# The numbers of the others are read from their settings: none of them is connected to.
$node->safe_psql('postgres', "ALTER DATABASE $_") foreach 'postgres SET flakeid.node = 1', 'origin SET flakeid.node = 2', '"Sales" SET flakeid.node = 3', '"a, b = ""7""" SET flakeid.node = 4';
{
	my ($notice, $found) = told('sales');

	like($notice, qr/NOTICE:  other databases of this server have the same number \(flakeid\.node 7\): shop\nDETAIL:  .*\nHINT:  .*ALTER DATABASE sales SET flakeid\.node = \.\.\./, 'one number in the file: a notice');
	like($found, qr/^Other databases of this server have the same number \(flakeid\.node 7\): shop\. .*ALTER DATABASE/, 'one number in the file: the doctor');
	$node->safe_psql('sales', 'ALTER DATABASE sales SET flakeid.node = 5');
	is(in_new_session('sales', number($_)), '5', "a number of its own: $_") foreach 'sno', 'siq', 'snowflake';
	($notice, $found) = told('sales');
	is("$notice$found", '', 'a number of its own: nothing to report');
	$node->safe_psql('postgres', 'ALTER DATABASE shop SET flakeid.siq_shard = 5');
	like(join(' ', told('sales')), qr/\(flakeid\.siq_shard 5\): shop\n.*\(flakeid\.siq_shard 5\): shop\./s, 'one shard');
	$node->safe_psql('postgres', $_) foreach 'ALTER DATABASE shop RESET flakeid.siq_shard', 'ALTER DATABASE shop SET flakeid.snowflake_worker = 5', 'ALTER DATABASE shop SET flakeid.snowflake_process = 1';
	like(join(' ', told('sales')), qr/\(flakeid\.snowflake_worker 5\): shop/, 'one worker');
	$node->safe_psql('postgres', 'ALTER DATABASE sales SET flakeid.snowflake_process = 2');
	is(join('', told('sales')), '', 'one worker, two processes');
	$node->safe_psql('postgres', 'ALTER DATABASE shop RESET ALL');
	$node->safe_psql('postgres', 'ALTER DATABASE sales RESET ALL');
	$node->safe_psql('postgres', 'ALTER DATABASE sales SET flakeid.node = 8; CREATE ROLE owner; ALTER DATABASE sales OWNER TO owner');
	$node->safe_psql('postgres', 'ALTER DATABASE shop SET flakeid.node = 8');
	foreach my $written ('0x8', '010', ' 8 ', '8.2')
	{
		$node->safe_psql('postgres', "ALTER DATABASE shop SET flakeid.node = '$written'");
		is(in_new_session('shop', number('sno')), '8', "the same number, written as $written: it is used");
		like(in_new_session('sales', 'SELECT finding FROM flakeid_doctor()'), qr/\(flakeid\.node 8\): shop/, "the same number, written as $written: the doctor");
	}
	$node->safe_psql('postgres', 'ALTER DATABASE shop SET flakeid.node = 9');
	unlike(in_new_session('sales', 'SELECT finding FROM flakeid_doctor()'), qr/same number/, 'other numbers: nothing is found');
	$node->safe_psql('postgres', 'ALTER DATABASE shop RESET flakeid.node; ALTER ROLE ALL SET flakeid.node = 8');
	like(in_new_session('sales', 'SELECT finding FROM flakeid_doctor()'), qr/\(flakeid\.node 8\): .*\bshop\b/, 'the same number by ALTER ROLE ALL: the doctor');
	$node->safe_psql('postgres', 'ALTER ROLE ALL RESET flakeid.node; ALTER DATABASE shop SET flakeid.node = 9');
	# the numbers of roles count for their sessions alone
	$node->safe_psql('postgres', 'ALTER ROLE owner IN DATABASE shop SET flakeid.node = 8; ALTER ROLE owner SET flakeid.node = 8');
	unlike(in_new_session('sales', 'SELECT finding FROM flakeid_doctor()'), qr/same number/, 'the number of a role is nobody\'s finding');
	is($node->safe_psql('sales', q(SELECT count(*) = count(DISTINCT database) FROM _flakeid_functions.flakeid_numbers())), 't', 'a database has one row of numbers');
	$node->safe_psql('postgres', 'ALTER ROLE owner IN DATABASE shop RESET ALL; ALTER ROLE owner RESET ALL');
	$node->safe_psql('postgres', 'ALTER DATABASE shop SET flakeid.node = 8');
	like($node->safe_psql('sales', q(SET ROLE owner; SELECT finding FROM flakeid_doctor())), qr/\(flakeid\.node 8\): shop/, 'the owner of the database is warned, too');
	like(($node->psql('sales', 'CREATE ROLE stranger; SET ROLE stranger; SELECT * FROM _flakeid_functions.flakeid_numbers()'))[2], qr/permission denied/, 'and a stranger is not');
}

# A dump of a database includes its settings only with --create; a copy by TEMPLATE has none.
$node->safe_psql('postgres', 'CREATE DATABASE copied TEMPLATE sales STRATEGY FILE_COPY');
is(in_new_session('copied', number('sno')), '7', 'a copy does not have the number of its template');
{
	my $dump = $node->basedir . '/dump';

	$node->command_ok([ 'pg_dump', '--create', '-f', $dump, 'sales' ], 'a dump');
	$node->safe_psql('postgres', 'DROP DATABASE sales');
	$node->command_ok([ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-f', $dump, 'postgres' ], 'is restored');
	is(in_new_session('sales', number('sno')), '8', 'a dump by --create, restored, has the number');
}

# ... and a renamed one keeps it.
$node->safe_psql('postgres', 'ALTER DATABASE sales RENAME TO sold');
is(in_new_session('sold', number($_)), 8, "renamed: $_ has the number") foreach 'sno', 'siq', 'snowflake';

# ---------- derived numbers ----------

configure($node);
{
	my @names = map { "derived$_" } 1 .. whole_or_short(20, 8);
	my (%seen, %after);

	new_database($_) foreach @names;
	foreach my $name (@names)
	{
		$seen{$_}{ in_new_session($name, number($_)) } = 1 foreach keys %numbered;
	}
	is(keys %{ $seen{$_} }, @names, "derived: $_: databases made in a row, each with its number") foreach sort keys %numbered;

	# after a crash the server continues its OIDs at the next multiple of 8192
	foreach my $name (map { "after$_" } 1 .. 4)
	{
		$node->stop('immediate');
		start_server($node);
		new_database($name);
		$after{$_}{ in_new_session($name, number($_)) } = 1 foreach keys %numbered;
	}
	is(keys %{ $after{$_} }, 4, "derived: $_: the first databases after each of 4 crashes, 4 numbers") foreach sort keys %numbered;
	is(in_new_session('after1', 'SELECT node_source FROM flakeid_clock'), 'system identifier and database', 'derived: and the view says so');
}

$node->stop;
done_testing();
