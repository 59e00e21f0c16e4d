# The event store Emmett under load: its own schema, whose tables are partitioned twice, and its own
# function that appends.  flakeid_follow() is on its table of messages, and nothing else changes.
# Writers keep transactions open for up to 300 ms, or roll them back, another one writes in another
# database, and the server is killed.  The reader up to flakeid_horizon() must miss no message, the
# one without it must, or the load was too light.
#
# FEEDS_SECONDS sets the time between two kills (30), FEEDS_MINUTES that of all (30).  npm installs
# Emmett into a folder of the test, which is skipped otherwise.
use FindBin;
use lib "$FindBin::RealBin/../t/lib";
use Flakeid;
use IPC::Run ();

use constant SECONDS => $ENV{FEEDS_SECONDS} // 30;
use constant MINUTES => $ENV{FEEDS_MINUTES} // 30;

# ---------- Emmett ----------

my ($npm, $schema, $err) = PostgreSQL::Test::Utils::tempdir();

IPC::Run::run([ 'sh', '-c', 'cd "$0" && npm install --cache cache --ignore-scripts --no-audit --no-fund --loglevel=error \
		@event-driven-io/emmett-postgresql@0.42.0 @event-driven-io/emmett@0.42.0 @event-driven-io/pongo@0.16.11 pg >&2 &&
	node --input-type=module -e \'import { schemaSQL } from "@event-driven-io/emmett-postgresql"; console.log(schemaSQL.join("\n"))\'', $npm ], '<', \undef, '>', \$schema, '2>', \$err)
  or plan skip_all => "npm does not install Emmett: $err";

my $node = new_server('emmett', init => { allows_streaming => 1 }, server => [ 'restart_after_crash = off', 'max_wal_size = 4GB' ]);

sub sql
{
	return $node->safe_psql('postgres', join ";\n", @_);
}

sql($schema, q(SELECT emt_add_partition('tenant')), 'CREATE INDEX ON emt_messages (global_position)',
	q(CREATE TRIGGER follow BEFORE INSERT ON emt_messages FOR EACH STATEMENT EXECUTE FUNCTION flakeid_follow('global_position')), 'ALTER TABLE emt_messages ENABLE ALWAYS TRIGGER follow');
is(sql(q(SELECT string_agg(finding, E'\n') FROM flakeid_doctor() WHERE severity = 'warning' AND subject = 'horizon')), '', 'the doctor knows the trigger');

# ---------- readers ----------

my %readers = (naive => 'true', horizon => q(global_position < flakeid_horizon('emt_global_message_position')));
sql('CREATE TABLE reader (name text, last bigint)', 'CREATE TABLE got (name text, message_id text)');
foreach my $name (keys %readers)
{
	sql("INSERT INTO reader VALUES ('$name', 0)", qq(CREATE PROCEDURE read_$name(once boolean) LANGUAGE plpgsql AS \$\$
		DECLARE
			next bigint;
		BEGIN
			LOOP
				WITH rows AS MATERIALIZED (
					SELECT global_position, message_id FROM emt_messages
					WHERE global_position > (SELECT last FROM reader WHERE name = '$name') AND $readers{$name}
					ORDER BY global_position LIMIT 1000
				), kept AS (
					INSERT INTO got SELECT '$name', message_id FROM rows
				)
				SELECT max(global_position) INTO next FROM rows;
				UPDATE reader SET last = next WHERE name = '$name' AND next IS NOT NULL;
				COMMIT;
				EXIT WHEN once AND next IS NULL;
				PERFORM pg_sleep(0.005);
			END LOOP;
		END \$\$));
}

# ---------- writers ----------

my $append = q(SELECT count(*) FROM emt_append_to_stream(ARRAY[gen_random_uuid(), gen_random_uuid()]::text[], '{"{}", "{}"}', '{"{}", "{}"}', '{1, 1}', '{T, T}', '{E, E}',
	's:client_id-:n', 'S', NULL, CASE :client_id % 2 WHEN 0 THEN 'emt:default' ELSE 'tenant' END);) =~ s/\n//r . "\n";
my %scripts = (
	short => "\\set n :n + 1\n$append",
	long => "\\set n :n + 1\n\\set wait random(0, 300)\nBEGIN;\n$append\\sleep :wait ms\n${append}COMMIT;",
	undone => "\\set n :n + 1\n\\set wait random(0, 100)\nBEGIN;\n$append\\sleep :wait ms\nROLLBACK;",
	other => "\\set wait random(0, 2000)\nBEGIN;\nINSERT INTO other DEFAULT VALUES;\n\\sleep :wait ms\nCOMMIT;");

my $dir = id_file($node, 'scripts');
append_to_file("$dir.$_.sql", "$scripts{$_}\n") foreach keys %scripts;
sql('CREATE DATABASE other');
$node->safe_psql('other', 'CREATE TABLE other (id bigserial)');

sub pgbench
{
	my ($database, $clients, %weight) = @_;

	return IPC::Run::start([ $node->installed_command('pgbench'), '-n', '-c', $clients, '-R', 20 * $clients, '-T', 2 * SECONDS, '-D', 'n=0', (map { ('-f', "$dir.$_.sql\@$weight{$_}") } sort keys %weight), $node->connstr($database) ],
		'>', '/dev/null', '2>', "$dir.$database.err");
}

# ---------- rounds ----------

my $end = time + 60 * MINUTES;
do
{
	my @runs = (pgbench('postgres', 10, short => 8, long => 2, undone => 2), pgbench('other', 1, other => 1));
	my @readers = start_sessions($node, map { "CALL read_$_(false);" } sort keys %readers);

	telling(sub { return sql('SELECT count(*) FROM emt_messages') . ' messages' }, sub { my $kill = time + SECONDS; sleep 1 while time < $kill });
	unlike(slurp_file("$dir.postgres.err"), qr/ERROR/, 'no error of the writers');
	crash($node, all => 1);
	eval { $_->finish } foreach @runs, map { $_->{run} } @readers;
	$node->start;
} while (time < $end);

# ---------- what the readers have got ----------

run_sessions($node, map { "CALL read_$_(true);" } sort keys %readers);
my %missed = map { $_ => sql("SELECT count(*) FROM (SELECT message_id FROM emt_messages EXCEPT SELECT message_id FROM got WHERE name = '$_') AS missed") } keys %readers;

diag sql('SELECT count(*) FROM emt_messages') . " messages; missed by " . join ', ', map { "$_ $missed{$_}" } sort keys %readers;
is($missed{horizon}, '0', 'below the horizon no message is missed');
is(sql(q(SELECT count(*) - count(DISTINCT message_id) FROM got WHERE name = 'horizon')), '0', '... or read twice');
cmp_ok($missed{naive}, '>', 0, '... and without it some are');
is(sql('SELECT flakeid_horizon(\'emt_global_message_position\') - last_value FROM emt_global_message_position'), '1', '... and nothing is held');
$node->stop;
done_testing();
