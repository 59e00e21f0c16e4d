# The generators' memory: they get it even after others have taken the rest of the main
# segment, it is available again after every kind of restart, and if there was none, the
# next call tries again.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;

use constant ROUNDS => whole_or_short(8, 5);
use constant STEP => whole_or_short(1, 3);

my @conf = ('flakeid.node = -1');

# Each generator of a session makes an ID, or returns its error.
sub all_make
{
	my ($name, $session) = @_;
	my %answers = probe($session);

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	is((grep { !/^\\x[0-9a-f]+$/ } values %answers), 0, "$name: every generator makes IDs") or diag explain \%answers;
	return;
}

# ---------- locks, right after the start ----------

{
	my $node = new_server('room', conf => \@conf);
	my ($plain, $session);

	$node->safe_psql('postgres', 'CREATE ROLE plain LOGIN');
	$node->restart;
	$plain = session($node, user => 'plain');
	like(attempt($plain, 'SELECT count(pg_advisory_lock_shared(n)) FROM generate_series(1, 200000) AS n'), qr/ERROR:  53200/, 'locks, until there is no memory');
	is(attempt($plain, 'SELECT pg_advisory_unlock_all()'), '', 'and given back');
	$session = session($node);
	all_make('locks taken and given back', $session);
	all_make('locks taken and given back, who took them', $plain);
	$_->quit foreach $session, $plain;
	$node->stop;
}

# ---------- every kind of restart ----------

# In make test one of those that are not the default, which the servers of other tests have.
my @kinds = $ENV{SHORT} ? (qw(sysv mmap))[ rand 2 ] : qw(posix sysv mmap);

foreach my $kind (@kinds)
{
	my $node = new_server($kind, conf => \@conf, server => [ "dynamic_shared_memory_type = $kind", 'restart_after_crash = on' ]);
	my @files;
	my $make = sub {
		my ($name) = @_;
		my ($one, $two) = start_sessions($node, making(500), making(500));

		finish_sessions($one, $two);
		push @files, $one->{out}, $two->{out};
		return is(lines($one->{out}, $two->{out}), 1000, "$kind: $name: IDs");
	};
	my ($session, $pid, $out);

	$make->('first');
	foreach my $mode ('fast', 'immediate')
	{
		$node->stop($mode);
		start_server($node);
		$make->("restart, $mode");
	}

	# the server restarts its sessions, and keeps or cleans its memory
	$session = session($node);
	attempt($session, making(1));
	$pid = attempt($session, 'SELECT pg_backend_pid()');
	kill_alive($pid);
	$session->quit;
	wait_for_exit($pid);    # by then the postmaster knows
	wait_for_server($node);
	$make->('a backend killed');

	crash($node, all => 1);
	start_server($node);
	$make->('all killed');
	$node->stop;

	# without a postmaster
	IPC::Run::run([ $node->installed_command('postgres'), '--single', '-D', $node->data_dir, 'postgres' ],
		'<', \('SELECT ' . join(', ', map { "$_->[1]::bytea AS " . $_->[0] } [ 'sno', 'sno_new(0)' ], [ 'snowflake', 'snowflake_new()' ]) . "\n"), '>', \$out, '2>&1');
	like($out, qr/sno = "\\x[0-9a-f]{20}".*snowflake = "\\x[0-9a-f]{16}"/s, "$kind: single-user mode: IDs");
	start_server($node);
	$make->('after single-user mode');
	$node->stop;
	making_unique($kind, $node, \@files);
}

# ---------- all possible partitions ----------

# A session that names all partitions takes memory for them once.  During and after this,
# other databases make IDs of the clock's time.
{
	my $node = new_server('every', conf => \@conf, server => [ 'dynamic_shared_memory_type = mmap', 'max_connections = 20' ]);
	my $every = q(SELECT count(DISTINCT id), count(DISTINCT sno_partition(id)) FROM generate_series(0, 65535) AS n, LATERAL sno_new(0, n) AS id);
	my $memory = sub {
		my $sum = 0;

		$sum += -s $_ || 0 foreach glob $node->data_dir . '/pg_dynshmem/*';
		return $sum;
	};
	my ($hostile, $victim, %size);

	$node->safe_psql('postgres', 'CREATE DATABASE victim');
	$node->safe_psql('victim', 'CREATE EXTENSION flakeid');
	$node->safe_psql('postgres', 'CREATE ROLE hostile LOGIN');
	prepare_watch($node, 'victim');
	$victim = session($node, database => 'victim');
	is(attempt($victim, 'SELECT watch()'), 'well', 'every partition: a victim, before');
	$size{before} = $memory->();
	$hostile = session($node, user => 'hostile');
	$hostile->send("$every;");
	is((grep { attempt($victim, 'SELECT watch()') ne 'well' } 1 .. 20), 0, 'every partition: the victim, during that');
	is($hostile->answer, '65536|65536', 'every partition: an ID in each');
	$size{once} = $memory->();
	# segments have sizes of powers of two
	cmp_ok($size{once} - $size{before}, '<=', 8 * 1024 * 1024, 'every partition: takes some megabytes');
	is(attempt($hostile, $every), '65536|65536', 'every partition: again');
	is($memory->(), $size{once}, 'every partition: takes them once');
	is(attempt($hostile, 'SELECT count(*) FROM flakeid_generators'), '65536', 'every partition: each has its place');
	is(attempt($victim, 'SELECT watch()'), 'well', 'every partition: the victim, afterwards');
	is(attempt($victim, 'SELECT regressions, generators < 10 FROM flakeid_clock'), '0|t', 'every partition: it has noticed nothing');
	watched_unique('every partition', $node, 'victim');
	quit_session($node, $victim);
	# databases that use as much, and are dropped, keep it only until others need memory
	foreach my $round (1 .. ROUNDS)
	{
		$node->safe_psql('postgres', 'CREATE DATABASE dropped TEMPLATE victim');
		is($node->safe_psql('dropped', $every), '65536|65536', "every partition: of a database that is dropped, $round");
		$node->safe_psql('postgres', 'DROP DATABASE dropped');
		$size{$round} = $memory->();
	}
	cmp_ok($size{+ROUNDS}, '<=', $size{3}, 'every partition: the memory of dropped databases is used again');
	note join ', ', map { "$_ $size{$_}" } sort keys %size;
	$hostile->quit;
	$node->stop;
}

# ---------- each allocation fails once ----------

# While a session loads the library, takes its settings over, and computes its numbers: it makes
# IDs with these numbers afterwards, or ends, or reports an error, but never takes the default.
SKIP:
{
	my $tempdir = PostgreSQL::Test::Utils::tempdir();
	my ($node, %answers);
	my $failed = 0;
	local %ENV = (%ENV, FLAKEID_MALLOC => "$tempdir/fails", LD_PRELOAD => "$tempdir/malloc.so");
	my $fail = sub { return sprintf q(\\! printf '\\%03o\\%03o' | dd of=%s bs=1 seek=12 conv=notrunc status=none), $_[0] & 255, $_[0] >> 8, "$tempdir/fails" };
	my $numbers = q(SELECT 'number', sno_partition(sno_new()); SELECT 'domain', siq_domain(siq_new('user')););

	system('cc', '-O2', '-shared', '-fPIC', '-fno-builtin', '-o', "$tempdir/malloc.so", "$FindBin::RealBin/../torture/malloc.c") == 0 or skip 'no compiler', 1;
	append_to_file("$tempdir/fails", "\0" x 4096);
	chmod 0666, "$tempdir/fails";
	$node = new_server('fails', conf => []);
	$node->safe_psql('postgres', 'ALTER DATABASE postgres SET flakeid.node = 7; ALTER DATABASE postgres SET flakeid.siq_domain = $$example.com$$');
	my @right = split /\n/, $node->safe_psql('postgres', $numbers);
	like("@right", qr/^number\|7 domain\|[1-9]\d+$/, 'each allocation: the numbers of the settings');

	# each (in make test every third) in a session of its own, new or in use, until so many have not failed that none is left
	foreach my $before ('', "$numbers\n")
	{
		for (my $n = 1 + int rand STEP, my $well = 0; $well < 10 / STEP; $n += STEP)
		{
			my ($rc, $out, $err) = $node->psql('postgres', $before . $fail->($n) . "\nSELECT count(*) FROM flakeid_clock;\n$numbers\n" . $fail->(0) . "\n$numbers", on_error_stop => 0);

			$answers{$_}++ foreach $out =~ /^((?:number|domain).*)$/mg;
			$well = $err eq '' ? $well + 1 : 0;
			$failed += () = $err =~ /out of memory/gi;
		}
	}
	cmp_ok($answers{$_}, '>', $failed, "each allocation: the sessions make IDs, $_") foreach @right;
	cmp_ok($failed, '>', 10, 'each allocation: some fail');
	note "$failed failed";
	delete @answers{@right};
	is(join(', ', %answers), '', 'each allocation: none makes IDs with another number');
	$node->stop;
}

# ---------- none left ----------

SKIP:
{
	my ($node, $session, $disk, %answers);
	local %ENV = %ENV;

	$disk = slow_disk() or skip 'no compiler', 1;
	$node = new_server('full', conf => \@conf, server => ['dynamic_shared_memory_type = posix']);
	$node->restart;
	$session = session($node);
	$disk->('full');
	%answers = probe($session);
	like($answers{$_}, qr/ERROR:  53[12]00: /, "no shared memory left: no $_") foreach generators();
	like(attempt($session, 'SELECT flax_new()'), qr/^[-0-9A-Za-z_]{16}$/, 'no shared memory left: but a flax, which needs none');
	$disk->(0);
	all_make('shared memory again', $session);
	# what a dropped database has left is used in the same call, although it is too little to be freed otherwise
	$node->safe_psql('postgres', 'CREATE DATABASE dropped');
	is($node->safe_psql('dropped', 'CREATE EXTENSION flakeid; SELECT count(sno_new(0, n)) FROM generate_series(0, 20000, 64) AS n'), '313', 'a database with many generators');
	$node->safe_psql('postgres', 'DROP DATABASE dropped');
	$disk->('full');
	is(attempt($session, 'SELECT count(sno_new(0, n)) FROM generate_series(0, 16000, 64) AS n'), '251', 'no shared memory left: that of a dropped database is used');
	$disk->(0);
	$session->quit;
	$node->stop;
}

done_testing();
