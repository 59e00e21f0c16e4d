# pg_dump and COPY restore exactly what they dumped.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;

my $node = new_server('main', conf => [ 'flakeid.node = 11' ]);

# The contents of every table in one text.
my $contents = q(
	SELECT 'event', * FROM event ORDER BY id;
	SELECT 'visit', * FROM visit ORDER BY id;
	SELECT 'spread', tableoid::regclass, * FROM spread ORDER BY id;
	SELECT 'log', tableoid::regclass, * FROM log ORDER BY id;
);

sub dump_of
{
	my ($database, @options) = @_;
	my ($stdout, $stderr);

	IPC::Run::run([ $node->installed_command('pg_dump'), '-d', $node->connstr($database), @options ], '>', \$stdout, '2>', \$stderr)
	  or die "pg_dump: $stderr";

	# newer minor releases write a random key into every dump
	$stdout =~ s/^\\(un)?restrict .*\n//mg;
	return $stdout;
}

$node->safe_psql('postgres', q(
	CREATE TABLE event (id sno PRIMARY KEY DEFAULT sno_new(0), body text, other sno);
	CREATE INDEX event_other ON event (other, id);
	CREATE INDEX event_hash ON event USING hash (other);
	INSERT INTO event (body, other)
		SELECT 'event ' || n, CASE WHEN n % 10 > 0 THEN sno_new_at('2020-01-01'::timestamptz + n * interval '1 h', n % 256) END
		FROM generate_series(1, 3000) AS n;
	CREATE TABLE visit (id sno PRIMARY KEY DEFAULT sno_new(1), event sno NOT NULL REFERENCES event);
	INSERT INTO visit (event) SELECT id FROM event WHERE other IS NOT NULL;

	-- by its hash: the same row must go to the same part
	CREATE TABLE spread (id sno PRIMARY KEY DEFAULT sno_new(2), n int) PARTITION BY HASH (id);
	CREATE TABLE spread_0 PARTITION OF spread FOR VALUES WITH (MODULUS 3, REMAINDER 0);
	CREATE TABLE spread_1 PARTITION OF spread FOR VALUES WITH (MODULUS 3, REMAINDER 1);
	CREATE TABLE spread_2 PARTITION OF spread FOR VALUES WITH (MODULUS 3, REMAINDER 2);
	INSERT INTO spread (n) SELECT generate_series(1, 3000);

	CREATE TABLE log (id sno PRIMARY KEY, n int CHECK (n > 0)) PARTITION BY RANGE (id);
	CREATE TABLE log_2020 PARTITION OF log FOR VALUES FROM (sno_min('2020-01-01Z')) TO (sno_min('2021-01-01Z'));
	CREATE TABLE log_2021 PARTITION OF log FOR VALUES FROM (sno_min('2021-01-01Z')) TO (sno_min('2022-01-01Z'));
	CREATE TABLE log_rest PARTITION OF log DEFAULT;
	INSERT INTO log SELECT sno_new_at('2020-01-01Z'::timestamptz + n * interval '9 h', 0), n FROM generate_series(1, 3000) AS n;

	CREATE DOMAIN event_id AS sno NOT NULL CHECK (sno_meta(VALUE) = 0);
	CREATE VIEW recent AS SELECT id::event_id, body FROM event WHERE id > sno_min('2026-01-01Z');
	CREATE TABLE status (id bigint PRIMARY KEY CHECK (layout_timestamp(id, 'mastodon') >= '2020-01-01'), thread uuid);
	CREATE VIEW status_with_time AS SELECT *, layout_timestamp(id, 'mastodon') AS created_at, uuid7_timestamp(thread) AS begun FROM status;
	CREATE VIEW status_page AS SELECT id FROM status_with_time
		WHERE created_at >= '2026-01-01' AND created_at <= date '2027-01-01' AND begun <@ '[2025-01-01,2028-01-01]'::tstzrange
			AND NOT begun < ANY ('{2025-02-01}') AND (created_at::timestamptz, thread) < (now(), 'ffffffff-ffff-ffff-ffff-ffffffffffff');
	CREATE INDEX status_thread ON status (thread) WHERE uuid7_timestamp(thread) >= '2026-01-01';
	CREATE FUNCTION newest() RETURNS sno LANGUAGE sql STABLE BEGIN ATOMIC SELECT max(id) FROM event; END;
));
is($node->safe_psql('postgres', 'SELECT count(DISTINCT tableoid) FROM spread'), '3', 'every part by hash has rows');
is($node->safe_psql('postgres', 'SELECT count(DISTINCT tableoid) FROM log'), '3', 'every part by range has rows');

my $before = $node->safe_psql('postgres', $contents);
my $schema = dump_of('postgres', '--schema-only');
my $newest = $node->safe_psql('postgres', 'SELECT newest()');

foreach my $format ('plain', 'custom', 'inserts', 'directory')
{
	my $file = $node->basedir . "/dump.$format";
	my @as = $format eq 'inserts' ? ('-Fp', '--inserts', '--rows-per-insert=100')
	  : $format eq 'directory' ? ('-Fd', '-j2') : ('-F', substr($format, 0, 1));

	$node->command_ok([ 'pg_dump', '-f', $file, @as, 'postgres' ], "$format: dumped");
	$node->safe_psql('postgres', "CREATE DATABASE $format");
	$node->command_ok(
		$as[0] eq '-Fp' || $as[1] eq 'p'
		? [ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-f', $file, $format ]
		: [ 'pg_restore', '--exit-on-error', '-j2', '-d', $format, $file ],
		"$format: restored");
	is($node->safe_psql($format, $contents), $before, "$format: the contents are the same");
	is(dump_of($format, '--schema-only'), $schema, "$format: the schema is the same");
	is($node->safe_psql($format, "INSERT INTO event (body) VALUES ('new') RETURNING id > newest()"), 't', "$format: new IDs follow");
	is($node->safe_psql($format, 'SET enable_seqscan = off; SELECT count(*) FROM event WHERE other = (SELECT max(other) FROM event)'),
		'1', "$format: the indexes work");
	like($node->safe_psql($format, 'SET enable_seqscan = off; EXPLAIN SELECT id FROM status_page'),
		qr/Index Cond: \(\(?id >= '\d+'::bigint\) .*id <= layout_max\(/, "$format: conditions on the time of IDs are index conditions on the IDs");
}

# In its own schema, which is in nobody's search_path.
{
	my $file = $node->basedir . '/apart';
	my ($kept, $shape);
	my $rows = q(
		SELECT * FROM t ORDER BY id;
		SELECT tableoid::regclass, * FROM log ORDER BY id;
		SELECT * FROM _flakeid.mark ORDER BY kind;
	);

	$node->safe_psql('postgres', "CREATE DATABASE $_") foreach 'apart', 'again';
	$node->safe_psql('apart', q(
		CREATE SCHEMA ids;
		CREATE EXTENSION flakeid SCHEMA ids;
		CREATE TABLE t (id ids.sno PRIMARY KEY DEFAULT ids.sno_new(0) CHECK (ids.sno_meta(id) = 0),
			at timestamptz GENERATED ALWAYS AS (id::timestamptz) STORED, type text DEFAULT 'message');
		CREATE INDEX ON t (ids.sno_timestamp(id));
		CREATE INDEX ON t USING brin (id);
		INSERT INTO t SELECT FROM generate_series(1, 1000);
		CREATE TABLE log (id ids.sno PRIMARY KEY DEFAULT ids.sno_new(1)) PARTITION BY RANGE (id);
		SELECT ids.flakeid_create_partitions('log', now() - interval '1 month', now() + interval '1 month', '1 month');
		INSERT INTO log SELECT FROM generate_series(1, 1000);
		SELECT ids.flakeid_advance(clock_timestamp() + interval '1 hour');
	));
	$kept = $node->safe_psql('apart', $rows);
	$shape = dump_of('apart', '--schema-only');
	$node->command_ok([ 'pg_dump', '-f', $file, '-Fc', 'apart' ], 'in a schema of its own: dumped');
	$node->command_ok([ 'pg_restore', '--exit-on-error', '-j2', '-d', 'again', $file ], 'in a schema of its own: restored');
	is($node->safe_psql('again', $rows), $kept, 'in a schema of its own: the contents and marks are the same');
	is(dump_of('again', '--schema-only'), $shape, 'in a schema of its own: the schema is the same');
	is($node->safe_psql('again', q(SET enable_seqscan = off; SELECT count(*) FROM t WHERE id > timestamptz '2020-01-01')),
		'1000', 'in a schema of its own: the indexes work');
}

# COPY BINARY carries the bytes
{
	my $file = id_file($node, 'binary');
	my @bytes;

	$node->safe_psql('postgres', qq(
		COPY (SELECT id, other FROM event ORDER BY id) TO '$file' (FORMAT binary);
		CREATE TABLE copy (id sno, other sno);
		COPY copy FROM '$file' (FORMAT binary);
	));
	is($node->safe_psql('postgres', 'SELECT count(*) FROM (SELECT id, other FROM event EXCEPT SELECT id, other FROM copy) AS x'),
		'0', 'COPY BINARY restores what it copied');
	is($node->safe_psql('postgres', 'SELECT count(*) FROM copy'), '3000', 'COPY BINARY: all of it');

	# signature, flags and extension: 19 bytes; then 2 columns, a length, the ID
	@bytes = unpack 'x19 n N H20', slurp_file($file);
	is("@bytes", '2 10 ' . $node->safe_psql('postgres', 'SELECT encode(min(id)::bytea, \'hex\') FROM event') =~ s/^\\x//r,
		'COPY BINARY: the bytes of an ID are its own');
}

# A dump of one table does not bring the mark: the page says what to type.
{
	my ($advance) = slurp_file("$FindBin::RealBin/../../docs/versions.md") =~ /`(SELECT flakeid_advance\(.* FROM event)` once/m or die 'no statement';
	my $file = $node->basedir . '/table';

	$node->safe_psql('postgres', "CREATE DATABASE $_") foreach 'origin', 'chosen';
	$node->safe_psql($_, 'CREATE EXTENSION flakeid') foreach 'origin', 'chosen';
	$node->safe_psql('origin', q(CREATE TABLE event (id snowflake PRIMARY KEY); INSERT INTO event SELECT snowflake_make(now() + interval '5 s', snowflake_worker, 0, 1) FROM flakeid_clock));
	$node->command_ok([ 'pg_dump', '-f', $file, '-t', 'event', 'origin' ], 'one table: dumped');
	$node->command_ok([ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-d', 'chosen', '-f', $file ], 'one table: restored');
	$node->safe_psql('chosen', $advance);
	is($node->safe_psql('chosen', 'SELECT snowflake_new() > max(id) FROM event'), 't', "one table: no ID that it has brought is made again after $advance");
}

$node->stop;
done_testing();
