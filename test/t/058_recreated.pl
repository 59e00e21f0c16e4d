# The extension is dropped and created again after a start with the clock set back, when only
# the dropped table and memory record what was issued before the start: none of those IDs is
# issued again.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;

plan skip_all => 'no compiler' unless clock_available();

my $node = new_server('recreated', clock => 1, extension => 0, conf => [ 'flakeid.node = 11', 'flakeid.max_wait = 100ms' ]);
my $minute = 0;

# The clock is stopped, so that the same tick occurs twice.
sub at
{
	my ($second) = @_;

	set_clock($node, yesterday(sprintf '10:%02d:%s', $minute, $second));
	return;
}

# Make IDs, start the server with the clock 20 seconds back, and drop and create the extension
# with these statements: each list is a session, each of its entries a command.  "asked": a
# session asks for an ID before that, and is refused.  "damaged": the marks are lost.
# "awaited": other sessions wait for the session's locks.
sub recreated
{
	my ($name, $sessions, %option) = @_;
	my ($before, $after, @marks);

	$minute++;
	$node->stop;
	at('20');
	start_server($node);
	$node->safe_psql('postgres', 'CREATE EXTENSION IF NOT EXISTS flakeid');
	($before) = run_sessions($node, making(100) . ';');
	@marks = marks($node);

	$node->stop;
	at('00');
	start_server($node);
	refused("$name: before") if $option{asked};
	$option{awaited} ? awaited($name, @$_) : $node->safe_psql('postgres', join(";\n", @$_) . ';') foreach @$sessions;
	return is($node->safe_psql('postgres', 'SELECT count(*) FROM _flakeid.mark'), 3, "$name: it is created again") if $option{damaged};
	marks_kept($name, $node, 'postgres', \@marks);
	refused($name) if $option{asked};

	# and when the clock reaches that time again
	at('20');
	($after) = run_sessions($node, 'SET statement_timeout = 0; ' . making(100) . ';');
	my @files = map { my $file = id_file($node, "ids$minute.$_"); append_to_file($file, ($before, $after)[$_] . "\n"); $file } 0, 1;
	making_unique($name, $node, \@files, count => 200);
	return;
}

# Run the commands in one transaction, which holds the locks that other sessions wait for.
sub awaited
{
	my ($name, @commands) = @_;
	my $session = session($node);

	is(attempt($session, $_), '', "$name: $_") foreach 'BEGIN', 'LOCK TABLE _flakeid.mark', 'LOCK TABLE pg_catalog.pg_depend IN ROW EXCLUSIVE MODE';
	my @waiters = start_sessions($node, map { "\\set ON_ERROR_STOP 0\nBEGIN; LOCK TABLE $_; ROLLBACK;" } '_flakeid.mark', 'pg_catalog.pg_depend');
	$node->poll_query_until('postgres', 'SELECT count(*) = 2 FROM pg_locks WHERE NOT granted') or die 'nobody waits';
	is(attempt($session, $_), '', "$name: $_") foreach @commands, 'COMMIT';
	$session->quit;
	finish_sessions(@waiters);
	return;
}

sub refused
{
	my ($name) = @_;
	my $session = session($node);
	my %ids = probe($session);

	like($ids{$_}, qr/ERROR:  55000/, "$name: the clock is too far behind for $_") foreach grep { !/sno/ } generators();
	$session->quit;
	return;
}

my @again = ('DROP EXTENSION flakeid', 'CREATE EXTENSION flakeid');

recreated('after an ID was asked for', [ map { [$_] } @again ], asked => 1);
recreated('by a session that has loaded the library', [ [ "LOAD 'flakeid'", @again ] ]);

$node->append_conf('postgresql.conf', "shared_preload_libraries = 'flakeid'\n");
recreated('preloaded, two sessions', [ map { [$_] } @again ]);
recreated('preloaded, one transaction', [ [ 'BEGIN', @again, 'COMMIT' ] ]);
recreated('preloaded, a transaction that has rewritten the table', [ [ 'BEGIN', 'ALTER TABLE _flakeid.mark ALTER current TYPE bigint USING current + 0', @again, 'COMMIT' ] ]);
recreated('preloaded, rolled back before', [ [ 'BEGIN', 'DROP EXTENSION flakeid', 'ROLLBACK', @again ] ]);
recreated('preloaded, the triggers disabled', [ [ 'ALTER TABLE _flakeid.mark DISABLE TRIGGER ALL', @again ] ]);
recreated('preloaded, its schema renamed', [ [ 'ALTER SCHEMA _flakeid RENAME TO apart', @again ] ]);
recreated('preloaded, others wait for its locks', [ \@again ], awaited => 1);
recreated('a table that is damaged can be dropped', [ [ 'ALTER TABLE _flakeid.mark SET UNLOGGED', @again ] ], damaged => 1);

# ---------- IDs that are made meanwhile ----------

# While one session drops and creates the extension, others issue up to the mark that they know,
# which the new one includes, even if the clock has stepped back and forth.
{
	my $make = q(SELECT string_agg(snowflake_new()::bigint::text, ' ') FROM generate_series(1, 100));
	my (%made, $other, $ddl);

	$minute++;
	at('20');
	$node->safe_psql('postgres', 'CREATE DATABASE meanwhile');
	$node->safe_psql('meanwhile', 'CREATE EXTENSION flakeid');
	($other, $ddl) = map { session($node, database => 'meanwhile') } 1, 2;
	attempt($other, $make);
	at('00');
	attempt($ddl, 'BEGIN; DROP EXTENSION flakeid; CREATE EXTENSION flakeid');
	at('21');
	$made{$_}++ foreach split / /, attempt($other, $make);
	is(scalar(keys %made), 100, 'meanwhile: others make IDs');
	attempt($ddl, 'COMMIT');
	$node->stop('immediate');
	start_server($node);
	$made{$_}++ foreach split / /, $node->safe_psql('meanwhile', "SET flakeid.max_wait = '10s'; $make");
	is(join(' ', grep { $made{$_} > 1 } sort keys %made), '', 'meanwhile: none of which is issued again after a crash');
	$_->quit foreach $other, $ddl;
}

# ---------- the extension can be dropped, whatever has happened to the table ----------

sub overwrite
{
	my ($file) = @_;

	open my $page, '+<', $file or die "$file: $!";
	print $page 'x' x 64;
	close $page or die "$file: $!";
	return;
}

my %damage = (overwritten => \&overwrite, missing => sub { unlink $_[0] or die "$_[0]: $!" });
my %file;

foreach (sort keys %damage)
{
	$node->safe_psql('postgres', "CREATE DATABASE $_");
	$node->safe_psql($_, 'CREATE EXTENSION flakeid; SELECT ulid_new()');
	$file{$_} = $node->data_dir . '/' . $node->safe_psql($_, q(SELECT pg_relation_filepath('_flakeid.mark')));
}
$node->stop;
$damage{$_}->($file{$_}) foreach keys %damage;
start_server($node);
like(($node->psql('overwritten', join(";\n", @again) . ';', on_error_stop => 1))[2], qr/ERROR:  invalid page in block 0 /, 'a table whose file is overwritten: not dropped without a word');
foreach (sort keys %damage)
{
	my ($code, undef, $error) = $node->psql($_, join(";\n", 'SET zero_damaged_pages = on', @again) . ';', on_error_stop => 1);

	is($code, 0, "a table whose file is $_: a superuser drops it") or diag $error;
}

# a superuser has deleted rows
$node->safe_psql('postgres', 'CREATE DATABASE incomplete');
$node->safe_psql('incomplete', 'CREATE EXTENSION flakeid; SELECT ulid_new(); ALTER TABLE _flakeid.mark DISABLE TRIGGER USER; DELETE FROM _flakeid.mark WHERE kind = 2; VACUUM _flakeid.mark');
is(($node->psql('incomplete', join(";\n", @again) . ';', on_error_stop => 1))[0], 0, 'a table that lacks a row can be dropped');

# the relation with the table's name need not be a table
$node->safe_psql('postgres', 'CREATE DATABASE renamed');
foreach ('DROP INDEX _flakeid.mark', 'DROP EXTENSION flakeid')
{
	my ($code, undef, $error) = $node->psql('renamed', "CREATE EXTENSION flakeid; ALTER TABLE _flakeid.mark RENAME TO renamed; CREATE INDEX mark ON _flakeid.renamed (kind); $_; DROP EXTENSION IF EXISTS flakeid", on_error_stop => 1);

	is($code, 0, "an index with the table's name: $_") or diag $error;
}

# a migration that creates the extension and makes IDs, rolled back and tried again
$node->safe_psql('postgres', 'CREATE DATABASE retried');
like($node->safe_psql('retried', "BEGIN; CREATE EXTENSION flakeid; SELECT ulid_new(), sno_new(0); $_"), qr/\|\w{16}$/, "created in a transaction: $_") foreach 'ROLLBACK', 'COMMIT';

# the rows of a dump, restored by the transaction that creates the extension
$node->safe_psql('postgres', join ";\n", 'BEGIN', @again, q(INSERT INTO _flakeid.mark SELECT kind, ) . row_until(q(now() + interval '1 hour')) . ' FROM generate_series(0, 2) AS kind', 'COMMIT');
refused('created with the rows of a dump');

$node->stop;
done_testing();
