# A database is an island: whatever the owner of another database does with its marks,
# its extension and its generators, IDs here keep the clock's time, their order and their
# timeline, and after a step of the clock every way out remains open.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;
use Time::HiRes qw(usleep);

plan skip_all => 'no compiler' unless clock_available();

# The other database's owner is a tenant who may only create databases.
my $server = 0;
my ($node, $victim);
my %tenants;    # sessions, by database

sub fresh
{
	my (@conf) = @_;

	$node = new_server('islands' . ++$server, clock => 1, extension => 0, conf => \@conf);
	$node->safe_psql('postgres', 'CREATE ROLE tenant LOGIN CREATEDB');
	$node->safe_psql('postgres', 'CREATE DATABASE victim');
	$node->safe_psql('victim', 'CREATE EXTENSION flakeid');
	prepare_watch($node, 'victim');
	$victim = session($node, database => 'victim');
	is(attempt($victim, 'SELECT watch(3)'), 'well', 'at first: well');
	return;
}

# A session of the tenant in a database that the tenant owns, created if it does not exist.
sub tenant
{
	my ($database) = @_;

	if (!$tenants{$database})
	{
		$node->safe_psql('postgres', "SET ROLE tenant; CREATE DATABASE $database");
		$tenants{$database} = session($node, database => $database, user => 'tenant');
		is(attempt($tenants{$database}, 'CREATE EXTENSION flakeid'), '', "$database: created by its owner");
	}
	return $tenants{$database};
}

sub leave
{
	my ($database) = @_;

	(delete $tenants{$database})->quit;
	return;
}

sub done
{
	$victim->quit;
	leave($_) foreach keys %tenants;
	watched_unique('all of it', $node, 'victim');
	$node->stop;
	return;
}

# Run one statement in a new session of the victim.
sub once
{
	my ($sql) = @_;
	my $session = session($node, database => 'victim');
	my $answer = attempt($session, $sql);

	$session->quit;
	return $answer;
}

# The victim's IDs continue as if there were no other database, in the open session and in
# a new one, and the view's counters have not moved.  (A tick of ksuid is one second.)
sub unharmed
{
	my ($name) = @_;

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	is(attempt($victim, 'SELECT watch(5)'), 'well', "$name: others' IDs keep their time, order and timeline");
	is(once('SELECT watch(2)'), 'well', "$name: those of a new session, too");
	return is(attempt($victim, "SELECT regressions, tick_tock, ahead_by < interval '1 s' FROM flakeid_clock"), '0|0|t', "$name: and the view shows nothing");
}

my $years = q(clock_timestamp() + interval '10 years');
my $near = q(clock_timestamp() + interval '9.9 s');
my $make = making(1);

# ---------- the tenant's marks, with the clock right ----------

fresh();
{
	my $tenant = tenant('tenant');
	my $dump = $node->basedir . '/far.dump';

	# marks of one kind only, each in its own database
	foreach my $kind (0 .. 2)
	{
		my $other = tenant("kind$kind");

		attempt($other, $make);
		is(attempt($other, raise_marks($years, $kind)), '', "a far mark of kind $kind");
		probe($other);
		unharmed("a far mark of kind $kind");
	}

	attempt($tenant, raise_marks($years));
	probe($tenant);
	unharmed('far marks');

	# in the transaction that creates the extension again
	is(attempt($tenant, 'DROP EXTENSION flakeid'), '', 'far marks with CREATE EXTENSION: the old one dropped');
	is(attempt($tenant, 'BEGIN; CREATE EXTENSION flakeid; ' . raise_marks($years) . '; COMMIT'), '', 'far marks with CREATE EXTENSION: created');
	probe($tenant);
	unharmed('far marks with CREATE EXTENSION');

	# as a dump restored over a database in use, in one transaction
	$node->command_ok([ 'pg_dump', '-Fc', '-U', 'tenant', '-f', $dump, 'tenant' ], 'a dump with far marks');
	tenant('restored');
	attempt($tenants{restored}, $make);
	$node->command_ok([ 'pg_restore', '--clean', '--single-transaction', '-U', 'tenant', '-d', 'restored', $dump ], 'a dump with far marks: restored');
	probe($tenants{restored});
	unharmed('a dump with far marks');

	attempt($tenant, q(SELECT flakeid_advance(now() + interval '1 year', force => true)));
	attempt($tenant, 'SELECT flakeid_clock_reset(now(), force => true)');
	probe($tenant);
	unharmed("the tenant's reset");

	# raised again every second, and as fast as possible
	foreach my $round (1 .. 3)
	{
		foreach (1 .. 5)
		{
			attempt($tenant, raise_marks($near));
			attempt($tenant, $make);
		}
		unharmed("near marks, $round");
		usleep(1_000_000) if $round < 3;
	}
}

# ---------- the extension and the database are dropped and created ----------

{
	my $tenant = tenant('comes');
	my $watching = start_sessions_in('victim', 'SELECT watch(300)');

	foreach my $n (1 .. 5)
	{
		attempt($tenant, 'BEGIN; DROP EXTENSION flakeid; CREATE EXTENSION flakeid; ' . raise_marks($n % 2 ? $years : $near) . '; ' . ($n == 3 ? 'ROLLBACK' : 'COMMIT'));
		probe($tenant);
		attempt($tenant, 'DROP EXTENSION flakeid; CREATE EXTENSION flakeid');
		attempt($tenant, $make);
	}
	is(finish_in($watching), 'well', 'IDs during DROP and CREATE EXTENSION in a loop');
	unharmed('DROP and CREATE EXTENSION in a loop');

	foreach my $database ('comes', 'kind0', 'kind1', 'restored')
	{
		leave($database);
		$node->safe_psql('postgres', "SET ROLE tenant; DROP DATABASE $database");
	}
	unharmed('DROP DATABASE');
}

# Run scripts in a database other than the one start_sessions() uses.
sub start_sessions_in
{
	my ($database, $sql) = @_;

	return (start_sessions($node, "\\c $database\n$sql;\n"))[0];
}

sub finish_in
{
	my ($session) = @_;

	return (finish_sessions($session))[0];
}

# ---------- a wrong clock in addition ----------

# The tenant still has its far marks, and sets more in a database that is then dropped.
{
	my $gone = tenant('gone');
	my (%ids, $session);

	attempt($gone, $make);
	attempt($gone, 'DROP EXTENSION flakeid');
	attempt($gone, 'BEGIN; CREATE EXTENSION flakeid; ' . raise_marks($years) . '; COMMIT');
	probe($gone);
	leave('gone');
	$node->safe_psql('postgres', 'SET ROLE tenant; DROP DATABASE gone');

	# an hour ahead, where the tenant is also at work
	attempt(tenant('ahead'), $make);
	set_clock($node, '+3600');
	is(attempt($victim, 'SELECT watch(3)'), 'well', 'an hour ahead: well');
	attempt($tenants{ahead}, $make);
	set_clock($node, '+10');
	is(attempt($victim, "SELECT sno_tick_tock(id), id::timestamptz < clock_timestamp() + interval '5 ms' FROM sno_new(0, $_) AS id"),
		't|t', "back again: a sno of partition $_ goes to the other timeline") foreach 1, 2, 3;
	%ids = probe($victim);
	like($ids{$_}, qr/ERROR:  55000/, "back again: no $_") foreach 'siq', 'uid64', 'uid96', 'snowflake';
	is(attempt($victim, 'SELECT count(flakeid_clock_reset(now()))'), '1', 'back again: reset without force');
	%ids = probe($victim);
	is((grep { !/^\\x[0-9a-f]+$/ } values %ids), 0, 'back again, after the reset: all make IDs') or diag explain \%ids;
	is(attempt($victim, q(SELECT max(at) < clock_timestamp() + interval '5 ms' FROM (VALUES (siq_new('message')::timestamptz), (uid64_new()::timestamptz), (snowflake_new()::timestamptz)) AS v (at))),
		't', 'back again, after the reset: of the clock\'s time');
	like(attempt($tenants{ahead}, 'SELECT snowflake_new()'), qr/ERROR:  55000/, 'back again: the reset is not for another database');
	is(attempt($tenants{ahead}, 'SELECT count(flakeid_clock_reset(now()))'), '1', 'back again: and the other database can still be reset');
}
done();

# ---------- a step back while a tenant has far marks ----------

fresh();
{
	my $tenant = tenant('tenant');
	my %ids;

	attempt($tenant, $make);
	attempt($tenant, 'DROP EXTENSION flakeid');
	attempt($tenant, 'BEGIN; CREATE EXTENSION flakeid; ' . raise_marks($years) . '; COMMIT');
	probe($tenant);
	set_clock($node, '-600');
	is(attempt($victim, "SELECT sno_tick_tock(id), id::timestamptz < clock_timestamp() + interval '5 ms' FROM sno_new($_) AS id"),
		't|t', "10 min back: a sno of $_ goes to the other timeline") foreach '0', '0, 5';
	set_clock($node, '+1');
	is(once(q(SELECT sno_timestamp(sno_new(0)) < clock_timestamp() + interval '5 ms')), 't', 'forward again: of the clock\'s time');
}
done();

fresh();
{
	my $tenant = tenant('tenant');

	attempt($tenant, $make);
	set_clock($node, '+3600');
	attempt($tenant, $make);
	set_clock($node, '+0');
	probe($tenant);
	unharmed('a wrong clock that only the tenant has used');
	is(attempt($tenant, 'SELECT sno_tick_tock(sno_new(0))'), 't', 'a wrong clock that only the tenant has used: it is on the other timeline');
}
done();

# ---------- leases, and the pool, with the clock stopped ----------

fresh('flakeid.max_wait = 300ms');
{
	my $tenant = tenant('tenant');
	my $lease = q(SELECT tick, sequence FROM flakeid_generators AS g, flakeid_clock AS c WHERE g.type = 'sno' AND g.number = c.sno_partition);
	my $before;

	attempt($tenant, $make);
	set_clock($node, yesterday('10:00:00'));
	attempt($victim, 'SELECT flakeid_clock_reset(now(), force => true)');
	attempt($tenant, 'SELECT flakeid_clock_reset(now(), force => true)');
	attempt($victim, 'SELECT count(sno_new(0)) FROM generate_series(1, 40)');
	$before = attempt($victim, $lease);
	like($before, qr/^[^|]+\|\d+$/, 'stopped: a lease');
	foreach my $what ([ 'old marks', raise_marks(q('2021-01-01'), (0 .. 2) x 300) ], [ 'an advance', q(SELECT flakeid_advance(now() + interval '1 s')) ],
		[ 'a reset', 'SELECT flakeid_clock_reset(now(), force => true)' ])
	{
		my ($name, $sql) = @$what;

		attempt($tenant, $sql);
		attempt($victim, 'SELECT sno_new(0)');
		is(attempt($victim, $lease), $before, "stopped: $name elsewhere leave a lease alone");
	}

	# the tick is used up in that database, not in this one
	is(attempt($tenant, 'SELECT count(sno_new(0, 5)) FROM generate_series(1, 65536)'), '65536', 'stopped: all of a tick, elsewhere');
	is(attempt($victim, 'SELECT count(sno_new(0, 5)) FROM generate_series(1, 65536)'), '65536', 'stopped: and all of it here');
}
done();

done_testing();
