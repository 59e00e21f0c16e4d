# Feeds of sequences while their sequences, triggers and tables are altered, under load: sessions write
# in transactions that are short and long, rolled back and prepared, and readers continue from the last
# value that they have seen.  Meanwhile a sequence changes in every way that ALTER SEQUENCE knows, a
# trigger is dropped and created, and tables are emptied, or dropped and created, with values that
# begin again.  The server is killed.  No writer gets an error.  Readers get those that docs/feeds.md
# names, poll again, and miss no row.  A reader without the horizon must miss some, or the load was too
# light to show anything.
#
# Rows are compared by a number of their own, so that a value which is drawn twice hides nothing.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;
use Flakeid::Feeds;

use constant WRITERS => 8;

seeded();
my $node = new_server('ddl', init => { allows_streaming => 1 }, conf => [ 'flakeid.node = 11' ],
	server => [ 'max_prepared_transactions = 50', 'restart_after_crash = off', 'max_wal_size = 4GB', 'checkpoint_timeout = 1h' ]);

# "followed": a statement that writes the row announces it.  "generation": how often the table was
# emptied or created.  Who empties it keeps its rows in "gone".
my $columns = q(v text, token bigint DEFAULT nextval('token'), followed boolean DEFAULT true, generation bigint DEFAULT 0);
my @create_replaced = ("CREATE TABLE replaced (id bigint GENERATED ALWAYS AS IDENTITY, $columns)",
	map { sprintf $_, 'replaced' } my @follow = (q(CREATE TRIGGER follow BEFORE INSERT OR UPDATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION flakeid_follow('id')), 'ALTER TABLE %s ENABLE ALWAYS TRIGGER follow'));

$node->safe_psql('postgres', $_) foreach
  'CREATE SEQUENCE token', 'CREATE SEQUENCE generation', 'CREATE TABLE gone (name text, id bigint, token bigint)', 'CREATE TABLE stopped ()', 'CREATE SCHEMA elsewhere',
  "CREATE TABLE altered (id bigserial PRIMARY KEY, $columns)", "CREATE TABLE switched (id bigserial PRIMARY KEY, $columns)", "CREATE TABLE emptied (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, $columns)",
  (map { my $table = $_; map { sprintf $_, $table } @follow } qw(altered switched emptied)), @create_replaced;

# ---------- what changes ----------

# Values begin again: in this transaction nobody else reads or writes the table.
sub begin_again
{
	my ($table, @how) = @_;

	return "DO \$x\$ DECLARE next bigint := nextval('generation'); BEGIN
		LOCK TABLE $table IN ACCESS EXCLUSIVE MODE;
		INSERT INTO gone SELECT '$table', generation << 32 | id, token FROM $table;
		" . join(' ', map { "$_;" } @how) . "
		EXECUTE 'ALTER TABLE $table ALTER generation SET DEFAULT ' || next;
	END \$x\$";
}

# What is done and undone in a subtransaction that is rolled back, before the first row or after it; then
# the transaction stays open.
sub undone
{
	my ($table, @how) = @_;
	my $insert = "INSERT INTO $table (v) VALUES ('x');";

	return "DO \$x\$ BEGIN
		IF random() < 0.5 THEN $insert END IF;
		BEGIN " . join(' ', map { "$_;" } @how) . " $insert RAISE 'undone'; EXCEPTION WHEN raise_exception THEN END;
		$insert
		PERFORM pg_sleep(0.03);
	END \$x\$";
}

# The changes of each table, over and over; each is a transaction.  After a crash the list begins anew, so
# none may depend on the one before.
my $sequence = 'ALTER SEQUENCE altered_id_seq';
my %changes = (
	altered => [
		'ALTER SEQUENCE IF EXISTS renamed RENAME TO altered_id_seq', 'ALTER SEQUENCE IF EXISTS elsewhere.altered_id_seq SET SCHEMA public', "$sequence OWNED BY altered.id",
		"$sequence CACHE 20", "$sequence CACHE 1", undone('altered', "$sequence CACHE 20"), undone('altered', "$sequence CYCLE"),
		"$sequence INCREMENT 2", "$sequence INCREMENT 1", "$sequence AS integer", "$sequence AS bigint", "$sequence MINVALUE -5 START -5",
		# when nobody else draws any more, the next value is known
		"DO \$x\$ BEGIN $sequence INCREMENT 1; EXECUTE '$sequence RESTART ' || last_value + 1000 FROM altered_id_seq; INSERT INTO altered (v) VALUES ('x'); END \$x\$",
		undone('altered', "$sequence RESTART 1000000000"), undone('altered', "$sequence CACHE 20", "$sequence CACHE 1"),
		"$sequence OWNED BY NONE; $sequence SET SCHEMA elsewhere; ALTER SEQUENCE elsewhere.altered_id_seq SET SCHEMA public; $sequence OWNED BY altered.id",
		"$sequence OWNED BY NONE", "$sequence SET SCHEMA elsewhere", 'ALTER SEQUENCE elsewhere.altered_id_seq SET SCHEMA public', "$sequence OWNED BY altered.id",
		"$sequence RENAME TO renamed", 'ALTER SEQUENCE renamed RENAME TO altered_id_seq', 'GRANT SELECT ON altered_id_seq TO PUBLIC',
		"$sequence CACHE 20; $sequence SET UNLOGGED; $sequence SET LOGGED; $sequence CACHE 1" ],
	switched => [
		"DROP TRIGGER IF EXISTS follow ON switched; ALTER TABLE switched ALTER followed SET DEFAULT false",
		"$follow[0]; $follow[1]; ALTER TABLE switched ALTER followed SET DEFAULT true" =~ s/%s/switched/gr,
		'ALTER TABLE switched DISABLE TRIGGER follow; ALTER TABLE switched ALTER followed SET DEFAULT false',
		'ALTER TABLE switched ENABLE ALWAYS TRIGGER follow; ALTER TABLE switched ALTER followed SET DEFAULT true',
		q(ALTER TABLE switched ALTER id SET DEFAULT flakeid_nextval('switched_id_seq'); DROP TRIGGER follow ON switched),
		undone('switched', 'ALTER SEQUENCE switched_id_seq CACHE 20'),
		"$follow[0]; $follow[1]; ALTER TABLE switched ALTER id SET DEFAULT nextval('switched_id_seq')" =~ s/%s/switched/gr,
		q(CREATE OR REPLACE TRIGGER follow BEFORE INSERT ON switched FOR EACH STATEMENT EXECUTE FUNCTION flakeid_follow('id', 'public.switched_id_seq')) ],
	emptied => [
		begin_again('emptied', 'TRUNCATE emptied RESTART IDENTITY'), undone('emptied', 'TRUNCATE emptied RESTART IDENTITY'),
		begin_again('emptied', 'DELETE FROM emptied', 'ALTER SEQUENCE emptied_id_seq RESTART') ],
	replaced => [ begin_again('replaced', 'DROP TABLE replaced', @create_replaced) ],
);

# Between two changes rows are written, or read by the readers that are the quickest and the slowest.
my %progress = (
	(map { $_ => 'SELECT last_value FROM token' } qw(altered switched)),
	(map { $_ => "SELECT least((SELECT count(*) FROM got_${_}_plain), (SELECT count(*) FROM got_${_}_repeatable))" } qw(emptied replaced)));

$node->safe_psql('postgres', qq(CREATE PROCEDURE change(once boolean, progress text, VARIADIC changes text[]) LANGUAGE plpgsql AS \$\$
	DECLARE
		change text;
		before bigint;
		now bigint;
	BEGIN
		<<always>>
		LOOP
			FOREACH change IN ARRAY changes LOOP
				EXIT always WHEN NOT once AND EXISTS (SELECT FROM stopped);
				EXECUTE change;
				COMMIT;
				EXECUTE progress INTO before;
				LOOP
					EXECUTE progress INTO now;
					EXIT WHEN once OR now >= before + 30 OR EXISTS (SELECT FROM stopped);
					PERFORM pg_sleep(0.01);
					COMMIT;
				END LOOP;
				COMMIT;
			END LOOP;
			EXIT WHEN once;
		END LOOP;
	END \$\$));

sub change
{
	my ($table, $once) = @_;

	return "CALL change($once, '$progress{$table}', " . join(', ', map { "\$change\$$_\$change\$" } @{ $changes{$table} }) . ')';
}

# ---------- readers ----------

my %horizons = map { $_ => "flakeid_horizon('${_}_id_seq')" } qw(altered switched);
# begin again with each generation
my %again = map { $_ => "(SELECT generation << 32 | id AS id, token FROM $_ WHERE id < flakeid_horizon('${_}_id_seq')) AS feed" } qw(emptied replaced);
my %ways = (plain => [ '' ], statement => [ 'statement' ], cursor => [ 'cursor' ], generic => [ '', 'SET plan_cache_mode = force_generic_plan' ], repeatable => [ 'repeatable', q(SET default_transaction_isolation = 'repeatable read') ],
	at_horizon => [ 'position' ]);
my %readers = (naive => [ 'altered', '9223372036854775807' ]);

foreach my $table (sort keys %changes)
{
	$readers{"${table}_$_"} = [ $again{$table} // $table, $horizons{$table} // '9223372036854775807', @{ $ways{$_} }[ 0, 1 ],
		'the snapshot is too old for the horizon|has no horizon|relation "altered_id_seq" does not exist' ] foreach grep { $table eq 'altered' || !/at_horizon/ && ($table ne 'switched' || !/cursor|generic/) } sort keys %ways;
}
create_reader($node, $_, $readers{$_}) foreach sort keys %readers;

# ---------- writers ----------

# All lock the tables in the same order, and first, so that nobody waits in a circle.
my @tables = qw(altered switched emptied replaced);

sub insert
{
	return map { "INSERT INTO $_ (v) VALUES ('x');\n" } @_;
}

my @scripts = (
	(map { [ 3, join '', insert($_) ] } @tables),
	[ 4, join '', "BEGIN;\n", insert(@tables), 'COMMIT;' ],
	[ 3, join '', "\\set wait random(0, 5000)\nBEGIN;\n", (map { (insert($_), "\\sleep :wait us\n") } @tables), insert(@tables), 'COMMIT;' ],
	[ 2, join '', "\\set wait random(0, 3000)\nBEGIN;\n", insert(@tables), "\\sleep :wait us\nROLLBACK;" ],
	[ 2, join '', "\\set wait random(0, 3000)\nBEGIN;\n", insert(@tables), "SAVEPOINT s;\n", insert(@tables), "\\sleep :wait us\nROLLBACK TO s;\n", insert(@tables), 'COMMIT;' ],
	[ 1, join '', "\\set wait random(0, 60)\nBEGIN;\n", insert(@tables), "\\sleep :wait ms\n", insert(@tables), 'COMMIT;' ],
	[ 1, join '', "\\set wait random(0, 20)\nBEGIN;\n", insert(@tables), "PREPARE TRANSACTION 'p:start-:client_id';\n\\sleep :wait ms\nCOMMIT PREPARED 'p:start-:client_id';" ],
	[ 1, join '', map { "INSERT INTO $_ (v) SELECT 'x' FROM generate_series(1, 20);\n" } @tables ]);

# ---------- rounds ----------

rounds($node, 2, [qw(calm crash asynchronous immediate)], $readers{naive}[0], 'token', sub {
	my ($kind, $name) = @_;
	my $errors = write_and_read($node, $kind, WRITERS, SECONDS, \@scripts,
		[ (map { change($_, 'false') } sort keys %changes), map { reader_script($_, $readers{$_}, SECONDS) } sort keys %readers ]);

	unlike($errors, qr/ERROR/, "$name: no error of the writers");
	# a crash may have left anything
	$node->safe_psql('postgres', change($_, 'true')) foreach qw(altered switched);
});

# ---------- the readers' results ----------

# of each table's last generation, too
$node->safe_psql('postgres', "INSERT INTO $_ (v) SELECT 'x' FROM generate_series(1, 20)") foreach @tables;
is($node->safe_psql('postgres', "SELECT flakeid_horizon('${_}_id_seq') - last_value FROM ${_}_id_seq"), '1', "$_: the horizon has got to the last value") foreach @tables;
run_sessions($node, map { last_poll($_, $readers{$_}) } sort keys %readers);
foreach my $reader (sort keys %readers)
{
	my $table = $readers{$reader}[0] =~ /(\w+) WHERE/ ? $1 : $readers{$reader}[0];

	# of a generation that is gone, a reader may have seen the beginning
	expect_all_read($node, $reader, "(SELECT token FROM $table WHERE followed UNION ALL SELECT token FROM gone JOIN (SELECT max(id) AS last FROM got_$reader GROUP BY id >> 32) AS seen ON id >> 32 = last >> 32 AND id <= last WHERE name = '$table') AS written", 'token');
}
diag('generations: ' . $node->safe_psql('postgres', q(SELECT string_agg(format('%s %s', name, n), ', ') FROM (SELECT name, count(DISTINCT id >> 32) AS n FROM gone GROUP BY name) AS t)));

$node->stop;
done_testing();
