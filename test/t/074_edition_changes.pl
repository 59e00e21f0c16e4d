# Feeds of the SQL edition: no row is lost, whatever the order of the steps of a reader and two
# writers.  All orders are run, with the edition's own functions, which wait at each step.  Then
# under load, while processes of writers and readers are stopped anywhere, the server is killed, and
# the database moves up to the C edition and back.
#
# FEEDS_ORDERS=all runs all orders from each position, and of the longer worlds, too.  make test runs one in
# eight, drawn at random.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;
use Flakeid::Edition;
use Flakeid::Feeds;
use Time::HiRes qw(usleep);

use constant ALL => ($ENV{FEEDS_ORDERS} || '') eq 'all';
use constant WRITERS => 10;

seeded();
my $files = edition_files();
my $edition = slurp_file("$files/flakeid.sql");
my $node = new_server('edition_changes', extension => 0, init => { allows_streaming => 1 }, server => [ 'max_prepared_transactions = 1100', 'restart_after_crash = off', 'max_locks_per_transaction = 64' ]);
my $dir = PostgreSQL::Test::Utils::tempdir();

$node->safe_psql('postgres', $edition);

# ---------- steps ----------

# The sessions that take steps, and the answer of one of them.
my %step = map { $_ => session($node) } qw(slow quick reader gates);

sub ask
{
	my ($who, $sql) = @_;
	my $answer = attempt($step{$who}, $sql);

	BAIL_OUT("$who, $sql: $answer") if $answer =~ /ERROR/;
	return $answer;
}

# A session that pauses within a call writes where it is into its fifo, and waits for a lock that "gates" has.
my $gates = 0;
my %gate = map { $_ => ++$gates } qw(value lock last locks later);

sub arrived
{
	my ($who) = @_;

	local $SIG{ALRM} = sub { BAIL_OUT("$who does not pause") };
	alarm $PostgreSQL::Test::Utils::timeout_default;
	open my $fifo, '<', "$dir/$who" or die "$dir/$who: $!";
	chomp(my ($at) = readline $fifo);    # to its end: the next pause opens it anew
	alarm 0;
	return $at;
}

# Close a gate, before the session comes there; and let it go on.
my %closed;
sub stop_at { return $closed{ $_[0] }++ || ask('gates', "SELECT pg_advisory_lock(777, $gate{$_[0]})") }
sub go_on { return delete $closed{ $_[0] } && ask('gates', "SELECT pg_advisory_unlock(777, $gate{$_[0]})") }

ask('gates', q(CREATE FUNCTION public.pause(at text, gate int) RETURNS void LANGUAGE plpgsql AS $$
	BEGIN
		IF current_setting('test.fifo', true) <> '' THEN
			EXECUTE format('COPY (SELECT %L) TO %L', at, current_setting('test.fifo'));
			PERFORM pg_advisory_lock(777, gate), pg_advisory_unlock(777, gate);
		END IF;
	END $$));
ask('gates', "CREATE FUNCTION public.paused_lock($_->[0]) RETURNS boolean LANGUAGE plpgsql STRICT AS \$\$
	DECLARE locked boolean;
	BEGIN
		PERFORM public.pause('value', $gate{value});
		locked := pg_try_advisory_xact_lock_shared($_->[1]);
		PERFORM public.pause('lock', $gate{lock});
		RETURN locked;
	END \$\$") foreach [ 'a int, b int', 'a, b' ], [ 'a bigint', 'a' ];

# The edition with these pauses.
my $stepped = $edition;
my $pauses = $stepped =~ s/(?<!perform )\bpg_try_advisory_xact_lock_shared\(/public.paused_lock(/gi;
$pauses += $stepped =~ s/^( *)(last := [^;]*;.*\n)/$1$2$1PERFORM public.pause('last', $gate{last});\n/gm;
$pauses += $stepped =~ s/^( *)(SELECT [^;]* INTO locks FROM pg_locks [^;]*;\n)/$1$2$1PERFORM public.pause('locks', $gate{locks});\n/gm;
$pauses += $stepped =~ s/^( *)(later := [^;]*;\n)/$1$2$1PERFORM public.pause('later', $gate{later});\n/gm;
is($pauses, 12, 'the edition pauses at each step');
$node->safe_psql('postgres', "CREATE SCHEMA stepped; SET search_path = stepped; $stepped");
$node->safe_psql('postgres', q(CREATE SEQUENCE outbox_id_seq; CREATE TABLE outbox (id bigint PRIMARY KEY DEFAULT nextval('outbox_id_seq'), n int DEFAULT 0);
	CREATE TRIGGER follow BEFORE INSERT ON outbox FOR EACH STATEMENT EXECUTE FUNCTION stepped.flakeid_follow('id', 'public.outbox_id_seq');
	CREATE SEQUENCE item_version; CREATE TABLE item (id int PRIMARY KEY, n int NOT NULL DEFAULT 0, version bigint NOT NULL DEFAULT 0);
	CREATE TRIGGER zz_version BEFORE INSERT OR UPDATE ON item FOR EACH ROW EXECUTE FUNCTION stepped.flakeid_rowversion('version', 'public.item_version')));
foreach ('slow', 'reader')
{
	system('mkfifo', '-m', '666', "$dir/$_") == 0 or die 'no fifo';
	ask($_, "SET test.fifo = '$dir/$_'");
}

# The orders of the steps of several sessions, each of which has its own in order.
sub orders
{
	my (%left) = @_;
	my @who = grep { @{ $left{$_} } } sort keys %left;

	return [] if !@who;
	return map {
		my $who = $_;
		my ($first, @rest) = @{ $left{$who} };

		map { [ [ $who, $first ], @$_ ] } orders(%left, $who => \@rest);
	} @who;
}

# ... or a random one.
sub random_order
{
	my (%left) = map { my ($who, $steps) = @$_; ($who => [@$steps]) } @{ $_[0] };
	my @order;

	while (my @who = grep { @{ $left{$_} } } sort keys %left)
	{
		my @of = map { my $who = $_; ($who) x @{ $left{$who} } } @who;
		my $who = $of[ rand @of ];

		push @order, [ $who, shift @{ $left{$who} } ];
	}
	return \@order;
}

# A step is a statement, after which the session pauses ("-> last"), or where it goes on from ("last", "last -> locks").
sub run_step
{
	my ($who, $step, $h) = @_;
	my ($does, $to) = split / -> /, $step;
	my $at;

	stop_at($to) if defined $to;
	if ($gate{$does}) { go_on($does) }
	else { $step{$who}->send($does =~ s/\$h/'$h'/r . ';') }
	return $step{$who}->answer if !defined $to;
	$at = arrived($who);
	BAIL_OUT("$who pauses at $at, not $to") if $at ne $to;
	return '';
}

# The rows that a reader has passed in another state or without getting them.
sub passed_by
{
	my ($passed, $got, $all) = @_;

	return scalar grep { my ($n, $at) = split /\|/, $all->{$_}; $at < $passed && ($got->{$_} // -1) < $n } keys %$all;
}

# Run an order from a position of the sequence.  Returns the number of rows that the reader has lost, of those
# that it would not get when all have ended, and of those that it would lose if it took all that is there.
sub run_order
{
	my ($table, $position, $order) = @_;
	my ($sequence, $column) = $table eq 'item' ? ('item_version', 'version') : ('outbox_id_seq', 'id');
	my ($h, $passed, %got);
	my ($naive_passed, %naive_got);

	ask('quick', "TRUNCATE $table; ALTER SEQUENCE NAME MINVALUE 1 INCREMENT 1 CACHE 1 RESTART 1; $position" =~ s/NAME/$sequence/gr);
	ask('quick', "ALTER TABLE item DISABLE TRIGGER ALL; INSERT INTO item SELECT n FROM generate_series(1, 2) AS n; ALTER TABLE item ENABLE TRIGGER ALL") if $table eq 'item';
	foreach my $step (@$order)
	{
		my ($who, $what) = @$step;
		my $answer = run_step($who, $what, $h);

		BAIL_OUT("$who, $what: $answer") if $answer =~ /ERROR/;
		if ($what =~ /^(?:later|CALL.*NULL\))$/) { $h = $answer }
		elsif ($what =~ /^SELECT id/)
		{
			while ($answer =~ /^(-?\d+)\|(\d+)\|(-?\d+)\|([tf])$/gm)
			{
				$got{$1} = $2 if $4 eq 't';
				$naive_got{$1} = $2;
				$naive_passed = $3 + 1 if !defined $naive_passed || $3 >= $naive_passed;
			}
			$passed = $h if !defined $passed || $h > $passed;
		}
	}
	my %all = map { split /\|/, $_, 2 } split /\n/, ask('quick', "SELECT id, n || '|' || $column FROM $table WHERE $column <> 0");
	$h = ask('quick', "CALL flakeid_horizon('$sequence', NULL)");
	return (passed_by($passed, \%got, \%all), scalar(grep { (split /\|/, $all{$_})[1] >= $h } keys %all), defined $naive_passed && passed_by($naive_passed, \%naive_got, \%all));
}

my @poll = ('CALL stepped.flakeid_horizon(\'outbox_id_seq\', NULL) -> last', 'last -> locks', 'locks -> later', 'later', 'SELECT id, n, id, id < $h FROM outbox');
my $insert = 'INSERT INTO outbox DEFAULT VALUES';
my @draws = ("$insert -> value", 'value -> lock', 'lock');
my @update = ('UPDATE item SET n = n + 1 WHERE id = 1 -> value', 'value -> lock', 'lock');
my @positions = (
	'ALTER SEQUENCE NAME RESTART 1', 'ALTER SEQUENCE NAME RESTART 4294967295', q(SELECT setval('NAME', 1000)), 'ALTER SEQUENCE NAME RESTART 3000000000', q(SELECT setval('NAME', 2147483647)), q(SELECT setval('NAME', 4294967295)),
	q(SELECT setval('NAME', 6442450944)), q(SELECT setval('NAME', 9223372036854775802)));
my @others = (
	'ALTER SEQUENCE NAME MINVALUE -1000 RESTART -1000', q(ALTER SEQUENCE NAME MINVALUE -1000 INCREMENT 7 RESTART -10; SELECT nextval('NAME')), 'ALTER SEQUENCE NAME INCREMENT 1000000 RESTART 1',
	q(ALTER SEQUENCE NAME CACHE 10; SELECT nextval('NAME'); ALTER SEQUENCE NAME CACHE 1), 'ALTER SEQUENCE NAME RESTART 5');
my @gone_on = map { s/outbox_id_seq/item_version/r =~ s/n, id, id < (.*) FROM outbox/n, version, version < $1 FROM item WHERE version > 0/r } @poll;
# name, table, steps, positions, and how many orders, drawn at random if not all are run
my @worlds = (
	[ 'a writer', 'outbox', [ [ slow => [ 'BEGIN', @draws, 'COMMIT' ] ], [ quick => [$insert] ], [ reader => \@poll ] ], \@positions ],
	[ 'positions', 'outbox', [ [ slow => [ 'BEGIN', @draws, 'COMMIT' ] ], [ quick => [$insert] ], [ reader => \@poll ] ], \@others, 100 ],
	[ 'two statements', 'outbox', [ [ slow => [ 'BEGIN', @draws, $insert, 'COMMIT' ] ], [ quick => [ $insert, $insert ] ], [ reader => \@poll ] ], \@positions, 100 ],
	[ 'a savepoint rolled back', 'outbox', [ [ slow => [ 'BEGIN; SAVEPOINT s', @draws, 'ROLLBACK TO s', @draws, 'COMMIT' ] ], [ quick => [$insert] ], [ reader => [ @poll, @poll ] ] ], \@positions, 150 ],
	[ 'a savepoint released', 'outbox', [ [ slow => [ 'BEGIN; SAVEPOINT s', @draws, 'RELEASE s', $insert, 'COMMIT' ] ], [ quick => [$insert] ], [ reader => \@poll ] ], \@positions, 50 ],
	[ 'prepared', 'outbox', [ [ slow => [ 'BEGIN', @draws, q(PREPARE TRANSACTION 'p'), q(COMMIT PREPARED 'p') ] ], [ quick => [$insert] ], [ reader => [ @poll, @poll ] ] ], \@positions, 150 ],
	[ 'flakeid_nextval()', 'outbox', [ [ slow => [ 'BEGIN', q(SELECT stepped.flakeid_nextval('outbox_id_seq') -> value), 'value -> lock', 'lock', q(INSERT INTO outbox VALUES (currval('outbox_id_seq'))), 'COMMIT' ] ], [ quick => [$insert] ], [ reader => \@poll ] ], \@positions, 100 ],
	[ 'versions', 'item', [ [ slow => [ 'BEGIN', @update, 'UPDATE item SET n = n + 1 WHERE id = 1', 'COMMIT' ] ], [ quick => [ ('UPDATE item SET n = n + 1 WHERE id = 2') x 2 ] ], [ reader => [ @gone_on, @gone_on ] ] ], \@positions, 150 ]);

my $naive = 0;
foreach my $world (@worlds)
{
	my ($name, $table, $steps, $positions, $some) = @$world;
	my @orders = ALL || !$some ? orders(map { @$_ } @$steps) : map { random_order($steps) } 1 .. whole_or_short($some, $some / 8);
	my ($number, $lost, $held) = (0, 0, 0);

	@orders = grep { rand() < 0.125 } @orders if $ENV{SHORT} && !$some;
	foreach my $order (@orders)
	{
		foreach my $position (ALL ? @$positions : $positions->[ $number++ % @$positions ])
		{
			my @result = run_order($table, $position, $order);

			diag("$name, $position: " . join ', ', map { "$_->[0]: $_->[1]" } @$order) if $result[0] && !$lost;
			$lost += $result[0];
			$held += $result[1];
			$naive += $result[2];
		}
	}
	is($lost, 0, "$name: none of " . @orders . ' orders loses a row');
	is($held, 0, "$name: and when all have ended the horizon is above all");
}
cmp_ok($naive, '>', 0, "without the horizon $naive rows are lost");

# A transaction that begins while the reader asks draws above what the reader knows.
ask('quick', $_) foreach 'TRUNCATE outbox', q(ALTER SEQUENCE outbox_id_seq MINVALUE 1 RESTART 1001);
run_step(reader => $poll[0]);
ask('quick', $insert);
run_step(slow => $_) foreach 'BEGIN', @draws;
run_step(reader => $_) foreach @poll[ 1, 2 ];
is(run_step(reader => 'later'), '1', 'before the first value the horizon is the least');
ask('quick', $insert);
run_step(slow => 'COMMIT');
run_step(reader => $poll[0]);
ask('quick', $insert);
run_step(slow => $_) foreach 'BEGIN', @draws;
run_step(reader => $_) foreach @poll[ 1, 2 ];
is(run_step(reader => 'later'), '1004', 'later transactions do not hold a reader');
run_step(slow => 'COMMIT');
$_->quit foreach values %step;

# ---------- what it answers and refuses ----------

my %sessions = map { $_ => session($node) } qw(slow fast reader);
my $horizon = sub { attempt($sessions{reader}, "CALL flakeid_horizon('$_[0]', NULL)") };
my $follow = 'FOR EACH STATEMENT EXECUTE FUNCTION flakeid_follow';
my $rowversion = 'FOR EACH ROW EXECUTE FUNCTION flakeid_rowversion';

$node->safe_psql('postgres', "CREATE ROLE poor LOGIN; CREATE TABLE f (id bigserial PRIMARY KEY, b text); CREATE TRIGGER follow BEFORE INSERT OR UPDATE ON f $follow('id', 'public.f_id_seq'); GRANT ALL ON f TO poor;
	CREATE TABLE c (id int PRIMARY KEY, \"a;b\" bigint, gone int, g bigint GENERATED ALWAYS AS (id) STORED, i bigint GENERATED BY DEFAULT AS IDENTITY, n int); ALTER TABLE c DROP gone; CREATE SEQUENCE c_version");

# An open transaction and one that has ended, from positions of the sequence: what the horizon is then, and at the end.
foreach my $case (
	[ 'RESTART 3000000000', 1, '3000000001' ], [ 'MINVALUE -1000 RESTART -1000', '-1000', '-998' ], [ 'MINVALUE 1 RESTART 5', 1, 7 ], [ 'INCREMENT 1000000 RESTART 1', 1, '1000002' ],
	[ 'INCREMENT 7 MINVALUE -100 RESTART -100', -100, -92 ], [ 'INCREMENT 1 MINVALUE 1 RESTART 1', 1, 3 ], [ 'RESTART 9223372036854775806', 1, '9223372036854775807' ])
{
	my ($alter, $held, $free) = @$case;

	attempt($sessions{slow}, $_) foreach "ALTER SEQUENCE f_id_seq $alter", 'TRUNCATE f', 'BEGIN', q(INSERT INTO f (b) VALUES ('open'));
	attempt($sessions{fast}, q(INSERT INTO f (b) VALUES ('fast')));
	is($horizon->('f_id_seq'), $held, "$alter: the first transaction that draws holds readers at the least value");
	attempt($sessions{slow}, 'COMMIT');
	is($horizon->('f_id_seq'), $free =~ /3000000001/ ? '3000000002' : $free, "$alter: and then they pass it");
}

# 4,295 draws with a great INCREMENT, which are more than 2^32 apart
attempt($sessions{slow}, $_) foreach 'ALTER SEQUENCE f_id_seq INCREMENT 1000000 RESTART 1', q(SELECT nextval('f_id_seq')), 'TRUNCATE f', 'BEGIN', q(INSERT INTO f (b) VALUES ('open'));
attempt($sessions{fast}, q(INSERT INTO f (b) SELECT '' FROM generate_series(1, 4295)));
is($horizon->('f_id_seq'), 1, 'INCREMENT 1000000: keys count draws');
attempt($sessions{slow}, 'COMMIT');
attempt($sessions{slow}, 'ALTER SEQUENCE f_id_seq INCREMENT 1 RESTART 1');
attempt($sessions{slow}, q(SELECT setval('f_id_seq', 100)));

# A transaction that is open for 3,000,000,000 draws
attempt($sessions{slow}, $_) foreach 'BEGIN', q(INSERT INTO f (b) VALUES ('open'));
attempt($sessions{fast}, $_) foreach q(SELECT setval('f_id_seq', 3000000100)), q(INSERT INTO f (b) VALUES ('fast'));
is($horizon->('f_id_seq'), 101, 'a transaction that is open for 3,000,000,000 draws holds readers');
attempt($sessions{slow}, 'COMMIT');
attempt($sessions{slow}, 'ALTER SEQUENCE f_id_seq RESTART 101');
attempt($sessions{slow}, q(SELECT setval('f_id_seq', 100)));
attempt($sessions{slow}, 'DELETE FROM f WHERE id > 100');

# A stranger's locks neither stop writers nor lose rows.
my $stranger = session($node, user => 'poor');
attempt($stranger, q(SELECT pg_advisory_lock('f_id_seq'::regclass::oid::int, n) FROM generate_series(98, 130) AS n));
is(attempt($sessions{slow}, q(SET lock_timeout = '60s'; BEGIN; INSERT INTO f (b) VALUES ('passes') RETURNING id)), 101, 'a stranger has locked the keys: the writer passes');
attempt($sessions{fast}, q(INSERT INTO f (b) VALUES ('fast')));
cmp_ok($horizon->('f_id_seq'), '<=', 99, 'the stranger holds readers');
attempt($stranger, 'SELECT pg_advisory_unlock_all()');
cmp_ok($horizon->('f_id_seq'), '<=', 101, 'and so does the writer, when he has let go');
attempt($sessions{slow}, 'COMMIT');
is($horizon->('f_id_seq'), 103, 'until it ends');
attempt($stranger, q(SELECT pg_advisory_lock('f_id_seq'::regclass::oid::bigint << 32)));
is($horizon->('f_id_seq'), 1, 'a lock that stands for any value');
my $who = (slurp_file("$FindBin::RealBin/../../docs/managed.md") =~ /^(SELECT l\.classid::regclass AS sequence.*?;)$/ms)[0] // die 'no query';
is(attempt($sessions{reader}, "SELECT sequence, usename FROM (" . $who =~ s/;$//r . ') AS s'), 'f_id_seq|poor', 'the query of the page shows who holds a feed');
attempt($stranger, 'SELECT pg_advisory_unlock_all()');

# Rights: the right is asked for, since from 18 on its lack is NULL, as before the first value.
like(attempt($stranger, q(INSERT INTO f (b) VALUES ('x'))), qr/ERROR:  42501: permission denied for sequence f_id_seq\nHINT:  GRANT USAGE ON SEQUENCE public\.f_id_seq TO poor\./, 'a writer without the right');
like(attempt($stranger, q(CALL flakeid_horizon('f_id_seq', NULL))), qr/ERROR:  42501: permission denied for sequence f_id_seq\nDETAIL:  .*\nHINT:  GRANT SELECT ON SEQUENCE public\.f_id_seq TO poor\./, 'a reader without the right');
$node->safe_psql('postgres', 'GRANT USAGE ON SEQUENCE f_id_seq TO poor');
is(attempt($stranger, $_), $_ =~ /CALL/ ? 104 : '', "with it: $_") foreach q(INSERT INTO f (b) VALUES ('x')), q(CALL flakeid_horizon('f_id_seq', NULL));

# The trigger names the sequence, so an old snapshot cannot say which it is.
attempt($sessions{slow}, $_) foreach 'BEGIN ISOLATION LEVEL REPEATABLE READ', 'SELECT 1';
attempt($sessions{fast}, q(CREATE SEQUENCE other; ALTER TABLE f ALTER id SET DEFAULT nextval('other'); DROP TRIGGER follow ON f; CREATE TRIGGER follow BEFORE INSERT OR UPDATE ON f FOR EACH STATEMENT EXECUTE FUNCTION flakeid_follow('id', 'public.other')));
attempt($sessions{slow}, q(INSERT INTO f (b) VALUES ('old snapshot')));
attempt($sessions{fast}, q(INSERT INTO f (b) VALUES ('fast')));
is($horizon->('other'), 1, 'a writer in REPEATABLE READ, whose column got another sequence meanwhile');
attempt($sessions{slow}, 'COMMIT');
attempt($sessions{fast}, q(ALTER TABLE f ALTER id SET DEFAULT nextval('f_id_seq'); DROP TRIGGER follow ON f; CREATE TRIGGER follow BEFORE INSERT OR UPDATE ON f FOR EACH STATEMENT EXECUTE FUNCTION flakeid_follow('id', 'public.f_id_seq')));

# ALTER SEQUENCE waits for those who have drawn; a savepoint takes back lock and flag together.
attempt($sessions{slow}, $_) foreach 'BEGIN', 'SAVEPOINT s', q(INSERT INTO f (b) VALUES ('x')), 'ROLLBACK TO s', q(INSERT INTO f (b) VALUES ('y'));
like(attempt($sessions{fast}, q(SET lock_timeout = '100ms'; ALTER SEQUENCE f_id_seq RESTART)), qr/ERROR:  55P03/, 'RESTART waits for the writers');
is(attempt($sessions{slow}, q(SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid())), 1, 'a savepoint that was rolled back: announced again');
attempt($sessions{slow}, 'COMMIT');

# Where the horizon cannot be known.
my $before = $horizon->('f_id_seq');
attempt($sessions{reader}, 'BEGIN ISOLATION LEVEL REPEATABLE READ');
like($horizon->('f_id_seq'), qr/ERROR:  25001: the horizon of sequence "f_id_seq" must be asked for in READ COMMITTED/, 'in REPEATABLE READ');
attempt($sessions{reader}, 'ROLLBACK');
like(attempt($sessions{reader}, q(SELECT flakeid_horizon('f_id_seq', NULL))), qr/ERROR:  42809/, 'in the statement that reads');
like(attempt($sessions{reader}, q(CREATE OR REPLACE FUNCTION h() RETURNS bigint STABLE LANGUAGE plpgsql AS 'DECLARE h bigint; BEGIN CALL flakeid_horizon(''f_id_seq'', h); RETURN h; END'; SELECT h())), qr/ERROR:  0A000/, 'in a function with the snapshot of its caller');
is(attempt($sessions{reader}, q(BEGIN; CALL flakeid_horizon('f_id_seq', NULL); COMMIT)), $before, 'in a transaction of READ COMMITTED');
foreach my $case ([ 'CACHE 10', qr/A session may draw/ ], [ 'CACHE 1 CYCLE', qr/A session may draw/ ], [ 'NO CYCLE INCREMENT -1', qr/A session may draw/ ])
{
	attempt($sessions{slow}, "ALTER SEQUENCE f_id_seq $case->[0]");
	is(attempt($sessions{slow}, q(INSERT INTO f (id, b) VALUES (-1, 'x') ON CONFLICT DO NOTHING)), '', "$case->[0]: written");
	like($horizon->('f_id_seq'), qr/ERROR:  55000: sequence "f_id_seq" has no horizon\nDETAIL:  $case->[1]/, "$case->[0]: not read");
}
attempt($sessions{slow}, 'ALTER SEQUENCE f_id_seq INCREMENT 1');
attempt($sessions{reader}, 'CREATE TEMP SEQUENCE t');
like($horizon->('t'), qr/ERROR:  55000: sequence "t" has no horizon\nDETAIL:  It is temporary or unlogged/, 'a temporary sequence');

# The triggers' errors, and a column of any name.
foreach my $case (
	[ "${rowversion}('n', 'public.c_version')", '42804' ], [ "${rowversion}('g', 'public.c_version')", '0A000' ], [ "${rowversion}('i', 'public.c_version')", '0A000' ], [ "${rowversion}('gone', 'public.c_version')", '42703' ],
	[ "${rowversion}('a;b')", '22023' ], [ "${rowversion}('a;b', 'c_version')", '42602' ], [ "${rowversion}('a;b', 'public.nosuch')", '42P01' ], [ "${rowversion}('a;b', 'public.c')", '42809' ],
	[ "${follow}('nosuch', 'public.c_version')", '42703' ], [ "${follow}('id')", '22023' ], [ "${follow}('id', 'public.c')", '42809' ],
	[ $rowversion =~ s/ROW/STATEMENT/r . q[('a;b', 'public.c_version')], '39P01' ], [ $follow =~ s/STATEMENT/ROW/r . q[('id', 'public.c_version')], '39P01' ])
{
	like(attempt($sessions{slow}, "BEGIN; CREATE TRIGGER t BEFORE INSERT ON c $case->[0]; INSERT INTO c (id) VALUES (1)"), qr/ERROR:  $case->[1]/, "$case->[0]: $case->[1]");
	attempt($sessions{slow}, 'ROLLBACK');
}
attempt($sessions{slow}, "CREATE TRIGGER t BEFORE INSERT OR UPDATE ON c ${rowversion}('a;b', 'public.c_version'); CREATE TRIGGER u BEFORE INSERT OR UPDATE ON c ${follow}('a;b', 'public.c_version')");
is(attempt($sessions{slow}, q(INSERT INTO c (id, n) VALUES (1, 5), (2, 6); UPDATE c SET n = 7, "a;b" = 99 WHERE id = 1; SELECT id, "a;b", n, g FROM c ORDER BY id)), "1|3|7|1\n2|2|6|2", 'a column of any name; what the client wrote is replaced');
attempt($sessions{slow}, 'ALTER TABLE c RENAME "a;b" TO d');
like(attempt($sessions{slow}, 'INSERT INTO c (id) VALUES (3)'), qr/ERROR:  42703/, 'a column that was renamed');

# Where the C library is loaded, "flakeid" is a prefix of its own settings.
is(attempt($sessions{fast}, q(LOAD 'flakeid'; BEGIN; INSERT INTO f (b) VALUES ('x'); COMMIT; SELECT 'written')), 'written', 'where the library is loaded, for another database');

# 1,000 open transactions, which are finished in any order but for the first
my $first = $horizon->('f_id_seq');
$node->safe_psql('postgres', join ';', map { ('BEGIN', q(INSERT INTO f (b) VALUES ('many')), "PREPARE TRANSACTION 'many $_'") } 1 .. 1000);
is($horizon->('f_id_seq'), $first, '1,000 open transactions: the first holds the horizon');
$node->safe_psql('postgres', join ';', map { "COMMIT PREPARED 'many $_'" } sort { rand() <=> 0.5 } 2 .. 1000);
is($horizon->('f_id_seq'), $first, '... when all others have ended, too');
$node->safe_psql('postgres', q(COMMIT PREPARED 'many 1'));
is($horizon->('f_id_seq'), $first + 1000, '... and then nobody');

# No memory for locks: an error, and no row.  Who has announced before still holds readers.
attempt($sessions{slow}, $_) foreach 'BEGIN', q(INSERT INTO f (b) VALUES ('open'));
my $locker = attempt($stranger, q(DO $$ BEGIN FOR n IN 1..1000000 LOOP PERFORM pg_advisory_lock(n); END LOOP; EXCEPTION WHEN OTHERS THEN RAISE; END $$));
like($locker, qr/ERROR:  53200/, 'the lock table is full') or diag($locker);
attempt($stranger, 'SELECT count(pg_advisory_lock(n)) FROM generate_series(1, 1000000) AS n');
my $written = attempt($sessions{fast}, q(INSERT INTO f (b) VALUES ('no lock')));
like($written, qr/^$|ERROR:  53200: out of shared memory/, 'a writer gets the error, or the lock') or diag($written);
like($horizon->('f_id_seq'), qr/^@{[ $first + 1000 ]}$|ERROR:  53200/, 'a reader the error, or no more than before');
attempt($stranger, 'SELECT pg_advisory_unlock_all()');
$stranger->quit;
is(attempt($sessions{fast}, q(INSERT INTO f (b) VALUES ('a lock'))), '', 'and writes when there is room again');
is($horizon->('f_id_seq'), $first + 1000, 'who has announced before holds readers');
attempt($sessions{slow}, 'COMMIT');
cmp_ok($horizon->('f_id_seq'), '>', $first + 1000, '... until it ends');

# A standby does not know the primary's transactions.
$node->backup('base');
my $standby = server_from('standby', $node, 'base', has_streaming => 1);
start_server($standby);
like(($standby->psql('postgres', q(CALL flakeid_horizon('f_id_seq', NULL))))[2], qr/the transactions of the primary are not visible/, 'a standby');
$standby->stop;
$_->quit foreach values %sessions;

# ---------- under load ----------

# Rows of a followed table, and changes; states are compared by a number of their own.  The naive reader
# takes all that is there.  A position is as durable as its commit, so readers' commits wait for the disk.
my %sequences = (event => 'event_id_seq', changed => 'changed_version');
my %readers = ((map { $_ => [ $_, 'bound', '', 'SET synchronous_commit = on' ] } keys %sequences), naive => [ 'event', '9223372036854775807' ]);

$node->safe_psql('postgres', $_) foreach q(CREATE TABLE stopped (); CREATE SEQUENCE token; CREATE SEQUENCE changed_version; CREATE TABLE event (id bigserial PRIMARY KEY, token bigint NOT NULL DEFAULT nextval('token'));
	CREATE TABLE changed (k int PRIMARY KEY, n int NOT NULL DEFAULT 0, id bigint NOT NULL DEFAULT 0, token bigint); CREATE INDEX ON changed (id);
	CREATE FUNCTION new_token() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.token := nextval(''token''); RETURN NEW; END';
	CREATE TRIGGER a_token BEFORE INSERT OR UPDATE ON changed FOR EACH ROW EXECUTE FUNCTION new_token();
	CREATE TRIGGER zz_version BEFORE INSERT OR UPDATE ON changed FOR EACH ROW EXECUTE FUNCTION flakeid_rowversion('id', 'public.changed_version');
	CREATE TRIGGER follow BEFORE INSERT ON event FOR EACH STATEMENT EXECUTE FUNCTION flakeid_follow('id', 'public.event_id_seq')), 'INSERT INTO changed SELECT n FROM generate_series(1, 300) AS n';
create_reader($node, $_, $readers{$_}, $_ eq 'naive' ? () : (before => "CALL flakeid_horizon('$sequences{$_}', bound)"), $_ eq 'changed' ? (columns => 'id, token, k') : ()) foreach sort keys %readers;
my @reading = map { reader_script($_, $readers{$_}, SECONDS) } sort keys %readers;

my $random = "\\set k random(1, 300)\n\\set wait random(0, 5000)\n";
my $insert_event = 'INSERT INTO event DEFAULT VALUES;';
my $change = 'UPDATE changed SET n = n + 1 WHERE k = :k;';
my $change_some = 'UPDATE changed SET n = n + 1 WHERE k BETWEEN :k AND :k + 5;';
my $change_or_insert = 'INSERT INTO changed (k) VALUES (:k) ON CONFLICT (k) DO UPDATE SET n = changed.n + 1;';
my @scripts = (
	[ 6, $insert_event ],
	[ 2, q(INSERT INTO event (id) SELECT flakeid_nextval('event_id_seq') FROM generate_series(1, 3);) ],
	[ 6, "$random$change" ],
	[ 3, "$random$change_or_insert" ],
	[ 4, "${random}BEGIN;\n$insert_event\n$change\n\\sleep :wait us\n$change_some\n$insert_event\nCOMMIT;" ],
	[ 2, "${random}BEGIN;\nSAVEPOINT s;\n$change\n$insert_event\nROLLBACK TO s;\n\\sleep :wait us\nSAVEPOINT s;\n$change_or_insert\n$insert_event\nRELEASE s;\nCOMMIT;" ],
	[ 2, "${random}BEGIN;\n$insert_event\n$change_some\n\\sleep :wait us\nROLLBACK;" ],
	[ 1, "${random}BEGIN;\n$change\n$insert_event\n\\sleep 50 ms\n$insert_event\nCOMMIT;" ],
	[ 1, "${random}BEGIN;\n$change\n$insert_event\nPREPARE TRANSACTION 'p:start-:client_id';\n\\sleep :wait us\nCOMMIT PREPARED 'p:start-:client_id';" ],
	[ 1, "${random}BEGIN;\n$change\n$insert_event\nPREPARE TRANSACTION 'p:start-:client_id';\n\\sleep :wait us\nROLLBACK PREPARED 'p:start-:client_id';" ]);

# Stop processes anywhere, every other time a reader, whose steps matter most.
sub stop_processes
{
	my $end = time + SECONDS / 2;

	while (time < $end)
	{
		my %pids = map { split /\|/ } split /\n/, $node->safe_psql('postgres', q(SELECT pid, query ~ 'CALL read_' FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()));
		my @reading = grep { $pids{$_} eq 't' } keys %pids;

		foreach my $pid (map { ((@reading)[ rand @reading ], (keys %pids)[ rand keys %pids ]) } 1 .. 20)
		{
			next unless $pid;
			kill STOP => $pid;
			usleep(rand 10_000);
			kill CONT => $pid;
			usleep(rand 3_000);
		}
	}
	return;
}

rounds($node, 2, [qw(stopped asynchronous immediate crash)], $readers{naive}[0], 'token', sub {
	my ($kind, $name) = @_;
	my $errors = write_and_read($node, $kind, WRITERS, SECONDS, \@scripts, \@reading, meanwhile => \&stop_processes);

	unlike($errors, qr/ERROR/, "$name: no error of the writers") if $kind eq 'stopped';
});

# ---------- up to the C edition and back, under load ----------

# Statements, which must say nothing.
sub run_quietly
{
	my ($sql, $what) = @_;
	my ($rc, $out, $err) = $node->psql('postgres', "SET client_min_messages = warning; $sql");

	is($out . $err, '', $what);
	return;
}

# Up, nobody stops.  A statement that has begun with the old function may find the new one's definition.
my $errors = write_and_read($node, 'up', WRITERS, SECONDS, \@scripts, \@reading, meanwhile => sub {
	usleep(SECONDS / 4 * 1e6);
	run_quietly(q(CREATE EXTENSION flakeid SCHEMA public VERSION 'sql'; ALTER EXTENSION flakeid UPDATE), 'up, under load');
});
unlike($errors, qr/ERROR(?!:  syntax error at or near "flakeid_)/, '... without another error of the writers');
write_and_read($node, 'crash', WRITERS, SECONDS, \@scripts, \@reading);

# Back, the readers stop until all transactions that were open have ended.
my @again;
$errors = write_and_read($node, 'back', WRITERS, SECONDS, \@scripts, \@reading, meanwhile => sub {
	usleep(SECONDS / 4 * 1e6);
	$node->safe_psql('postgres', 'INSERT INTO stopped DEFAULT VALUES');
	$node->poll_query_until('postgres', q(SELECT NOT EXISTS (SELECT FROM pg_stat_activity WHERE query ~ '^CALL read_' AND state = 'active'))) or die 'readers do not stop';
	run_quietly(slurp_file("$files/flakeid-leave.sql") . '; DROP EXTENSION flakeid', 'back, under load');
	my $then = $node->safe_psql('postgres', 'SELECT clock_timestamp()');
	$node->poll_query_until('postgres', "SELECT NOT EXISTS (SELECT FROM pg_stat_activity WHERE xact_start < '$then') AND NOT EXISTS (SELECT FROM pg_prepared_xacts WHERE prepared < '$then')") or die 'transactions do not end';
	$node->safe_psql('postgres', 'TRUNCATE stopped');
	@again = start_sessions($node, @reading);
});
unlike($errors, qr/ERROR(?!:  deadlock detected)/, '... without another error of the writers');
$node->safe_psql('postgres', 'INSERT INTO stopped DEFAULT VALUES');
finish_sessions(@again);

run_sessions($node, map { last_poll($_, $readers{$_}) } sort keys %readers);
diag('versions drawn: ' . $node->safe_psql('postgres', 'SELECT last_value FROM changed_version'));
is($node->safe_psql('postgres', 'SELECT count(*) FROM (SELECT id < lag(id) OVER (PARTITION BY k ORDER BY token) AS back FROM got_changed) AS s WHERE back'), '0', "no row's version goes back");
expect_all_read($node, $_, $readers{$_}[0], 'token') foreach sort keys %readers;

$node->stop;
done_testing();
