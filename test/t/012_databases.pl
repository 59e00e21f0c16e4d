# Databases of one server, copies of databases and restored dumps: each continues above
# its own mark, whichever is used first after a crash, and nothing that writes a mark
# lowers one.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;

plan skip_all => 'no compiler' unless clock_available();

my @generators = generators();
my $clock = 0;
# this test raises the marks again and again; each database has its own derived number
my $node = new_server('databases', clock => 1, conf => [ 'flakeid.max_ahead = 1h' ], server => [ 'restart_after_crash = on' ]);

sub new_database
{
	my ($name, $options) = @_;

	$node->safe_psql('postgres', "CREATE DATABASE $name " . ($options || ''));
	$node->safe_psql($name, 'CREATE EXTENSION IF NOT EXISTS flakeid');
	return;
}

# Write all IDs made in a database to files.
my %files;
my $made = 0;

sub make
{
	my ($database, $count) = @_;
	my $file = id_file($node, 'made' . ++$made);

	$node->safe_psql($database, 'COPY (' . making($count || 1000) . ") TO '$file' (DELIMITER '|')");
	push @{ $files{$database} }, $file;
	return;
}

# One ID of each, and none below these marks.
sub above
{
	my ($name, $database, $marks) = @_;
	my $session = session($node, database => $database);
	my %ids = probe($session);

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	is(below($node, $marks, %ids), '', "$name: above the marks") or diag "the marks: @$marks";
	$session->quit;
	return;
}

sub crash_and_back
{
	my ($seconds) = @_;

	crash($node, all => 1);
	$clock -= $seconds;
	set_clock($node, $clock);
	return start_server($node);
}

# ---------- two databases, in either order ----------

new_database('other');
foreach my $order ([ 'postgres', 'other' ], [ 'other', 'postgres' ])
{
	my $name = "@$order";
	my %marks;

	# one of them further than the other one
	make($_) foreach 'postgres', 'other';
	$node->safe_psql('other', q(SELECT flakeid_advance(clock_timestamp() + interval '1 s')));
	make('other');
	%marks = map { $_ => [ marks($node, $_) ] } @$order;
	crash_and_back(2);
	foreach my $database (@$order, reverse @$order)
	{
		above("after a crash, $name: $database", $database, $marks{$database});
		make($database);
		marks_kept("after a crash, $name: $database", $node, $database, $marks{$database});
	}
}

# ---------- copies ----------

# A copy continues above the IDs that its template had made by then.
foreach my $strategy ('WAL_LOG', 'FILE_COPY')
{
	my @marks;
	my $copy = lc $strategy;

	make('other');
	@marks = marks($node, 'other');
	new_database($copy, "TEMPLATE other STRATEGY $strategy");
	is(join(' ', marks($node, $copy)), "@marks", "$strategy: the marks are copied");
	crash_and_back(1);
	$files{$copy} = [ @{ $files{other} } ];    # the copy's, too
	above("$strategy, after a crash", $copy, \@marks);
	make($copy);
	make('other');
}

# ---------- dumps ----------

sub dump_to
{
	my ($database, $name, @options) = @_;
	my $file = $node->basedir . "/$name";

	$node->command_ok([ 'pg_dump', '-f', $file, @options, $database ], "$name: dumped");
	return $file;
}

# The owner of a database, who is no superuser, can install the extension, because it is
# trusted, and can dump and restore it.
$node->safe_psql('postgres', 'CREATE ROLE owner LOGIN');
new_database('origin', 'OWNER owner');
$node->safe_psql('origin', 'DROP EXTENSION flakeid');
$node->safe_psql('origin', 'SET ROLE owner; CREATE EXTENSION flakeid');

# in make test one of the first three
foreach my $kind ($ENV{SHORT} ? (qw(plain custom data))[ rand 3 ] : qw(plain custom data), 'disabled', 'single')
{
	my $user = $kind eq 'disabled' ? () : 'owner';
	my @as = $user ? ('-U', $user) : ();
	my $database = "restored_$kind";
	my @restore = $kind eq 'plain'
	  ? ('psql', '-Xq', '-v', 'ON_ERROR_STOP=1', @as, '-d')
	  : ('pg_restore', '--exit-on-error', $kind eq 'single' ? '--single-transaction' : (), $kind eq 'data' ? '--data-only' : (),
		$kind eq 'disabled' ? ('--data-only', '--disable-triggers') : (), @as, '-d');
	my @file = $kind eq 'plain' ? ('-f') : ();
	my ($old, $new, $session, @marks, @ahead);

	# it has its own mark before the dump's is restored
	$node->safe_psql('postgres', "CREATE DATABASE $database" . ($user ? " OWNER $user" : ''));
	$node->safe_psql($database, ($user ? "SET ROLE $user;" : '') . 'CREATE EXTENSION flakeid') if $kind ne 'single';
	make($database, 10) if $kind ne 'single';

	make('origin');
	$old = dump_to('origin', "$kind.old", $kind eq 'plain' ? '-Fp' : '-Fc', @as);
	$node->safe_psql('origin', q(SELECT flakeid_advance(mark + interval '4 s') FROM flakeid_clock));
	make('origin');
	@ahead = marks($node, 'origin');
	$new = dump_to('origin', "$kind.new", $kind eq 'plain' ? '-Fp' : '-Fc', @as);

	if ($kind eq 'single')
	{
		# the first attempt fails at its end, and must not prevent the second
		$node->command_ok([ 'sh', '-c', 'pg_restore -f - "$1" | { echo "BEGIN;"; cat; echo "SELECT public.sno_new(0); ROLLBACK;"; } | psql -Xq -v ON_ERROR_STOP=1 -U owner -d "$2"',
			'sh', $new, $database ], "$kind: restored and rolled back");
	}
	$node->command_ok([ @restore, $database, @file, $new ], "$kind: restored by " . ($user || 'superuser'));
	marks_kept("$kind, of a server ahead", $node, $database, \@ahead);
	above("$kind, of a server ahead", $database, \@ahead);
	make($database);
	@marks = marks($node, $database);

	# an older dump over a live mark
	if ($kind ne 'single')
	{
		$node->command_ok([ @restore, $database, @file, $old ], "$kind: an older one restored over it");
		marks_kept("$kind, older", $node, $database, \@marks);
		make($database);
	}
	crash_and_back(1);
	above("$kind, after a crash", $database, \@marks);
	marks_kept("$kind, after a crash", $node, $database, \@marks);

	# after a restore with disabled triggers the doctor names a cure
	$node->safe_psql($database, $node->safe_psql($database, "SELECT fix FROM flakeid_doctor() WHERE subject = '_flakeid.mark' AND finding ~ 'rows'")) if $kind eq 'disabled';
	is($node->safe_psql($database, q(SELECT count(*) FROM pg_trigger WHERE tgrelid = '_flakeid.mark'::regclass AND tgenabled <> 'A')),
		'0', "$kind: the triggers");
	is($node->safe_psql($database, 'SELECT count(*) FROM _flakeid.mark'), '3', "$kind: the rows");
	$session = session($node, database => $database);
	like(attempt($session, q(UPDATE _flakeid.mark SET to_1 = '-infinity')),
		qr/ERROR:  55000/, "$kind: the mark still cannot be lowered");
	$session->quit;
}

# In a database without plpgsql, CREATE EXTENSION needs CASCADE.
{
	my $session;

	$node->safe_psql('postgres', 'CREATE DATABASE bare');
	$session = session($node, database => 'bare');
	attempt($session, 'DROP EXTENSION plpgsql');
	like(attempt($session, 'CREATE EXTENSION flakeid'), qr/ERROR:  \w+: required extension "plpgsql" is not installed.*HINT: .*CASCADE/s, 'without plpgsql: an error');
	like(attempt($session, 'CREATE EXTENSION flakeid CASCADE; SELECT sno_new(0)'), qr/(?:^|\n)[2-9a-x]{16}$/, 'without plpgsql: installed with it');
	$session->quit;
}
$node->stop;
making_unique("in $_", $node, $files{$_}) foreach sort keys %files;

# ---------- a mark of the far future stops its own database only ----------

# It does not matter which database used the generators first, also after a crash.
foreach my $last ('before', 'crash')
{
	my $far = new_server("far_$last", clock => 1, conf => [ 'flakeid.node = 11' ]);
	my (%session, %ids);

	$far->safe_psql('postgres', 'CREATE DATABASE future');
	$far->safe_psql('future', 'CREATE EXTENSION flakeid');
	$far->safe_psql($_, making(1)) foreach 'postgres', 'future';
	$far->safe_psql('future',
		raise_marks(q(clock_timestamp() + interval '1 day')));
	if ($last eq 'crash')
	{
		crash($far, all => 1);
		set_clock($far, '+3');    # past the marks of the other one
		start_server($far);
	}
	%session = map { $_ => session($far, database => $_) } 'future', 'postgres';
	%ids = probe($session{future});
	like($ids{$_}, qr/$too_far_behind.*DETAIL: .*HINT: /s, "a day ahead, $last: no $_ in its database") foreach generators();
	%ids = probe($session{postgres});
	is((grep { !/^\\x[0-9a-f]+$/ } values %ids), 0, "a day ahead, $last: all in another one") or diag explain \%ids;
	# a floor within a tick begins the next one, which is a second for ksuid
	is(attempt($session{postgres}, q(SELECT high_water < clock + interval '1 s' FROM flakeid_clock)), 't', "a day ahead, $last: at the clock's time");

	set_clock($far, '-600');
	like(attempt($session{postgres}, "SELECT sno_tick_tock(id), sno_timestamp(id) <= clock_timestamp() FROM sno_new(0, $_) AS id"),
		qr/^t\|t$/, "a day ahead, $last: a sno of partition $_ goes to the other timeline") foreach 1, 2;
	$_->quit foreach values %session;
	$far->stop;
}

# ---------- a mark that is rolled back ----------

# The mark disappears with the transaction that created the extension.  The clock was
# ahead in it and steps back twice; neither timeline may lead to those IDs again.
{
	my $left = new_server('rolled_back', clock => 1, conf => [ 'flakeid.node = 11' ], extension => 0);
	my $make = 'SELECT sno_new(0) FROM generate_series(1, 3)';
	my (@ids, $session);

	$left->stop;
	set_clock($left, yesterday('12:10:00'));
	start_server($left);
	@ids = split /\n/, $left->safe_psql('postgres', "BEGIN; CREATE EXTENSION flakeid; $make; ROLLBACK");
	$session = session($left);
	set_clock($left, yesterday('12:05:00'));
	attempt($session, 'CREATE EXTENSION flakeid');
	is(attempt($session, 'SELECT sno_tick_tock(sno_new(0))'), 't', 'rolled back: to the other timeline');
	set_clock($left, yesterday('12:04:00'));
	attempt($session, $make);
	set_clock($left, yesterday('12:10:00'));
	push @ids, split /\n/, attempt($session, $make);
	is((grep { /^[2-9a-x]{16}$/ } @ids), 6, 'rolled back: IDs of the time that the clock has reached again') or diag "@ids";
	is(keys %{ { map { $_ => 1 } @ids } }, 6, 'rolled back: no ID twice') or diag "@ids";
	$session->quit;
	$left->stop;
}

# ---------- created again, with the same number ----------

# The memory of the dropped database still exists, and its table has the same OID and
# file as the new database's; a mark raised by hand was dropped with the old database.
{
	my $again = new_server('again', extension => 0);
	my $create = 'CREATE DATABASE same TEMPLATE origin OID 60000';

	$again->safe_psql('postgres', 'CREATE DATABASE origin');
	$again->safe_psql('origin', 'CREATE EXTENSION flakeid');
	$again->safe_psql('postgres', $create);
	$again->safe_psql('same', q(SELECT sno_new(0); SELECT flakeid_advance(now() + interval '1 hour')));
	like(($again->psql('same', 'SELECT sno_new(0)'))[2], $too_far_behind, 'created again: at first the mark counts');
	$again->safe_psql('postgres', $_) foreach 'DROP DATABASE same', $create;
	like($again->safe_psql('same', 'SELECT sno_new(0)'), qr/^[2-9a-x]{16}$/, 'created again: the new database makes IDs');
	$again->stop;
}

done_testing();
