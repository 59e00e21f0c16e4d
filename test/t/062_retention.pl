# Retention by flakeid_maintain(): with wrong clocks, pauses of the job, other steps, views, foreign
# keys, locks, bounds of all kinds, concurrent calls and crashes.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;
use Time::Local qw(timegm);

use constant DAY => 86_400;

my $clock = clock_available();
my $node = new_server('retention', clock => $clock, server => [ "timezone = 'UTC'", 'max_locks_per_transaction = 256', 'restart_after_crash = on' ]);

# Set the clock so many days ahead of a day in November: how many months a call keeps depends on
# how long they are.
my $november = timegm(0, 0, 21, 26, 10, 2026) - time;

sub days_ahead
{
	my ($days) = @_;

	return set_clock($node, sprintf '%+d', $november + $days * DAY);
}

days_ahead(0) if $clock;

# A key of each kind: its type, layout, and the ID of an instant.
my %keys = (
	by_sno => [ 'sno', '', 'sno_min(%s)' ],
	by_siq => [ 'siq', '', q(siq_make(%s, 1, 0, 8)) ],
	by_snowflake => [ 'snowflake', '', 'snowflake_make(%s, 1, 0, 0)' ],
	by_uid64 => [ 'uid64', '', 'uid64_make(%s, 1)' ],
	by_ulid => [ 'ulid', '', 'ulid_min(%s)' ],
	by_uuid7 => [ 'uuid', 'uuid7', 'uuid7_min(%s)' ],
	by_text => [ 'text COLLATE "C"', 'ulid', 'ulid_text_min(%s)' ],
	by_bytea => [ 'bytea', 'ulid', 'ulid_bytea_min(%s)' ],
	by_mastodon => [ 'bigint', 'mastodon', q(layout_min(%s, 'mastodon')) ]);

my $in_one_session = in_one_session($node);

sub query
{
	return $in_one_session->(@_);
}

# The nightly call: returns its messages.
sub maintain
{
	my ($name, %option) = @_;
	my $layout = $keys{$name} ? $keys{$name}->[1] : '';
	my $detach = $option{detach} // 'false';
	my (undef, undef, $said) = $node->psql('postgres', ($option{set} || '') . "CALL flakeid_maintain('$name', '" . ($option{step} || '1 month') . "', ahead => " . ($option{ahead} || 2) . ", retain => '" . ($option{retain} || '90 days') . "', detach => $detach, layout => '$layout')");

	return $said;
}

# A table with a row every day, and its partitions: the current step's, and so many before it.
sub table
{
	my ($name, $steps, $unit) = (@_, 'month');
	my ($type, $layout, $id) = @{ $keys{$name} || $keys{by_sno} };
	my $start = "date_trunc('$unit', now()) - $steps * interval '1 $unit'";

	query("CREATE TABLE $name (id $type PRIMARY KEY) PARTITION BY RANGE (id);
		SELECT count(*) FROM flakeid_create_partitions('$name', $start, now(), '1 $unit', '$layout');
		INSERT INTO $name SELECT " . sprintf($id, 'at') . " FROM generate_series($start, now(), least(interval '1 $unit' / 4, '1 day')) AS at");
	return;
}

# The partitions that have ended, those with rows, oldest first.
sub past
{
	my ($name) = @_;
	my $layout = $keys{$name} ? $keys{$name}->[1] : '';

	return split / /, query("SELECT string_agg(partition::text, ' ' ORDER BY lower_at) FROM flakeid_partitions('$name', layout => '$layout') WHERE upper_at <= now()");
}

# The partitions that a call has removed, by its notices.
sub removed
{
	return scalar(() = shift =~ /NOTICE:  partition \S+ of table \S+ is (?:dropped|detached)/g);
}

sub rows
{
	return query("SELECT count(*) FROM $_[0]");
}

# ---------- clocks ----------

SKIP:
{
	skip 'no compiler', 1 unless $clock;

	foreach my $name (sort keys %keys)
	{
		my ($said, $before);

		table($name, 9);
		unlike($said = maintain($name), qr/ERROR/, "$name: no error");
		cmp_ok(removed($said), '>=', 4, "$name: what is old is removed");
		is(query("SELECT count(*) FROM generate_series(date_trunc('day', now()) - interval '89 days', now() - interval '1 day', '1 day') AS at WHERE NOT EXISTS (SELECT FROM $name WHERE id >= " . sprintf($keys{$name}->[2], 'at') . ' AND id < ' . sprintf($keys{$name}->[2], "at + interval '1 day'") . ')'), '0',
			"$name: all days that it retains have their rows");
		is(removed($said = maintain($name)), 0, "$name: nothing more in the next call");
		$before = past($name);

		days_ahead(365);
		is(removed(maintain($name)), 1, "$name: a year ahead for a night: the oldest step goes");
		is(removed(maintain($name)), 0, "$name: ... and nothing more in the same night");
		days_ahead(0);
		is(removed(maintain($name)), 0, "$name: right again: nothing");
		is(scalar(past($name)), $before - 1, "$name: right again: all others are there");
	}

	# three nights ahead without rows, then with rows written in the wrong time
	foreach my $case ([ 'hourly', 'hour', '24 hours', 40 ], [ 'daily', 'day', '9 days', 14 ])
	{
		my ($name, $unit, $retain, $steps) = @$case;
		my %option = (step => "1 $unit", retain => $retain);
		my $removed = 0;
		my $before;

		table($name, $steps, $unit);
		maintain($name, %option);
		$before = past($name);
		foreach my $night (0 .. 2)
		{
			days_ahead((365 + $night));
			$removed += removed(maintain($name, %option));
		}
		is($removed, 1, "$name: three nights a year ahead: one step goes");
		foreach my $night (3 .. 5)
		{
			days_ahead((365 + $night));
			$removed += removed(maintain($name, %option));
			cmp_ok($removed, '<=', $night + 1, "$name: ... with rows of then: as many as nights at most");
			query("INSERT INTO $name VALUES (sno_min(now()))");
		}
		days_ahead(0);
		cmp_ok(scalar(past($name)), '>=', $before - 6, "$name: right again: all others are there");
		query("DROP TABLE $name");
	}

	# a year behind, for a night and for three: nothing happens, which is loud
	foreach my $nights (1, 3)
	{
		my $name = "behind$nights";
		my %option = (step => '1 day', retain => '9 days');
		my $inherited = "SELECT count(*) FROM pg_inherits WHERE inhparent = '$name'::regclass";
		my ($before, $partitions, $said);

		table($name, 14, 'day');
		maintain($name, %option);
		$before = rows($name);
		$partitions = query($inherited);
		foreach my $night (1 .. $nights)
		{
			days_ahead((-365 + $night));
			like($said = maintain($name, %option), qr/ERROR:  the clock reads 2025-11-\d\d \d\d:\d\d:\d\d[.]\d+\+00, but the first rows of table "$name" are of 2026-11-\d\d 00:00:00\+00 or later\n/, "$name: $night: an error");
			like($said, qr/DETAIL:  A partition from 2025-11-\d\d 00:00:00\+00 to 2025-11-\d\d 00:00:00\+00 would lie before all partitions with rows. Nothing has been created or removed.\n/, "$name: $night: with what would be");
			like($said, qr/HINT:  If the clock is behind, set it right. If it is right, create this partition with flakeid_create_partitions\(\)./, "$name: $night: and what to do");
			is(removed($said), 0, "$name: $night: nothing is removed");
			is(query($inherited), $partitions, "$name: $night: nor created");
			like(($node->psql('postgres', "INSERT INTO $name VALUES (sno_min(now()))"))[2], qr/no partition of relation/, "$name: $night: nor written");
		}
		days_ahead(0);
		unlike($said = maintain($name, %option), qr/ERROR/, "$name: right again: no error");
		is(removed($said), 0, "$name: right again: nothing is removed");
		is(rows($name), $before, "$name: and all rows are there");
		query("DROP TABLE $name");
	}

	# who means it creates the step, and with rows in it the calls go on
	query(q(CREATE TABLE later (id sno PRIMARY KEY) PARTITION BY RANGE (id);
		SELECT flakeid_create_partitions('later', date_trunc('day', now()) + interval '365 days', now() + interval '365 days', '1 day'); INSERT INTO later VALUES (sno_min(now() + interval '365 days'))));
	like(maintain('later', step => '1 day'), qr/ERROR:  the clock reads/, 'all rows are later: an error');
	query(q(SELECT flakeid_create_partitions('later', date_trunc('day', now()), now() + interval '1 day', '1 day'); INSERT INTO later VALUES (sno_min(now()))));
	is(maintain('later', step => '1 day'), '', '... until there are rows of now');
	query(q(DROP TABLE later));

	# behind by less than the table is long: what is written then goes as many days early
	table('somewhat', 14, 'day');
	maintain('somewhat', step => '1 day', retain => '9 days');
	days_ahead(-5);
	unlike(maintain('somewhat', step => '1 day', retain => '9 days'), qr/ERROR|is dropped/, 'five days behind: nothing happens');
	query(q(INSERT INTO somewhat VALUES (sno_make(now(), 0, 1, 1))));
	is(query(q(SELECT tableoid = to_regclass(to_char(now() AT TIME ZONE 'UTC', '"somewhat_"YYYYMMDD')) FROM somewhat WHERE id = (SELECT max(id) FROM somewhat WHERE id < now()))), 't', 'five days behind: a row goes where there is a partition of then');
	days_ahead(0);
	is(removed(maintain('somewhat', step => '1 day', retain => '9 days')), 0, 'right again: it is still there');
	query(q(DROP TABLE somewhat));

	# ---------- the job pauses ----------

	foreach my $days (3, 30)
	{
		my $name = "paused$days";
		my %option = (step => '1 day', retain => '9 days');
		my $said;

		table($name, 14, 'day');
		maintain($name, %option);
		query("SELECT count(*) FROM flakeid_create_partitions('$name', date_trunc('day', now()), now() + interval '40 days', '1 day')");
		days_ahead($days);
		query("INSERT INTO $name SELECT sno_min(at) FROM generate_series(now() - interval '" . ($days - 1) . " days', now(), '1 day') AS at");
		unlike($said = maintain($name, %option), qr/ERROR/, "$name: a pause: no error");
		cmp_ok(removed($said), '>=', $days < 9 ? $days : 9, "$name: what is due goes, and nobody is asked");
		is(query("SELECT count(DISTINCT tableoid) >= 9 FROM $name"), 't', "$name: what it retains is there");
		days_ahead(0);
		query("DROP TABLE $name");
	}

	# nobody writes any more
	table('archived', 9);
	maintain('archived');
	days_ahead(400);
	maintain('archived') foreach 1 .. 3;
	cmp_ok(query(q(SELECT extract(day FROM max(id)::timestamptz - min(id)::timestamptz) FROM archived)), '>=', 85, 'nobody writes: the newest rows stay, as many as retain spans');
	query(q(SELECT flakeid_drop_partitions('archived', before => now() - interval '90 days')));
	is(rows('archived'), 0, 'nobody writes: flakeid_drop_partitions removes them all the same');
	days_ahead(0);
}

# ---------- other steps ----------

foreach my $case ([ 'days_months', 'day', '1 month', 40, '20 days' ], [ 'months_days', 'month', '1 day', 5, '40 days' ], [ 'days_hours', 'day', '1 hour', 9, '3 days' ])
{
	my ($name, $unit, $step, $steps, $retain) = @$case;
	my ($days) = $retain =~ /(\d+)/;
	my $said;

	table($name, $steps, $unit);
	query("SELECT count(*) FROM flakeid_create_partitions('$name', date_trunc('$unit', now()) + interval '1 $unit', date_trunc('month', now()) + interval '1 month', '1 $unit')") if $unit eq 'day' && $step eq '1 month';
	$said = maintain($name, step => $step, retain => $retain);
	unlike($said, qr/ERROR/, "$name: another step is no error");
	is(query("SELECT count(*) FROM generate_series(now() - interval '" . ($days - 1) . " days', now() - interval '1 day', '1 day') AS at WHERE NOT EXISTS (SELECT FROM $name WHERE id >= at - interval '1 day' AND id < at + interval '1 day')"), '0', "$name: what retain covers is there");
	unlike(maintain($name, step => $step, retain => $retain), qr/ERROR|dropped/, "$name: the second call does nothing");
	query("DROP TABLE $name");
}

# ---------- what stands in the way of one partition does not stop the others ----------

my $hand = session($node);
my ($stranger, $said);

query(q(CREATE ROLE mallory LOGIN));
foreach my $case (
	[ 'viewed', 'CREATE TEMP VIEW v AS SELECT 1 AS x FROM %s', 'cannot drop table \S+ because other objects depend on it', 'view \S*v depends on table', 'DROP VIEW v' ],
	[ 'referred', 'CREATE TABLE refers (id sno REFERENCES referred); INSERT INTO refers SELECT min(id) FROM referred', 'removing partition \S+ violates foreign key constraint', 'Key \(id\)=\(\S+\) is still referenced', 'DROP TABLE refers' ],
	[ 'locked', 'BEGIN; LOCK TABLE %s IN ACCESS SHARE MODE', 'canceling statement due to lock timeout', '\(SQLSTATE 55P03\)', 'ROLLBACK' ],
	[ 'prepared', 'BEGIN; PREPARE p AS SELECT 1 FROM %s', 'canceling statement due to lock timeout', '\(SQLSTATE 55P03\)', 'ROLLBACK' ])
{
	my ($name, $obstacle, $error, $detail, $end) = @$case;
	my ($oldest, $said);

	table($name, 9);
	($oldest) = past($name);
	attempt($hand, sprintf $obstacle, $oldest);
	$said = maintain($name, set => q(SET lock_timeout = '100ms'; ));
	like($said, qr/ERROR:  not all partitions of table "$name" could be maintained: \S*$oldest: $error/, "$name: the error names the partition");
	like($said, qr/DETAIL:  (?:.*\n)*?.*$detail/, "$name: and its DETAIL what stands in the way");
	cmp_ok(removed($said), '>=', 3, "$name: the others are removed");
	is(query("SELECT count(*) FROM flakeid_partitions('$name') WHERE lower_at > now()"), '2', "$name: those ahead are created");
	$said = maintain($name, set => q(SET lock_timeout = '100ms'; ));
	like($said, qr/$oldest: $error/, "$name: the next night it is tried again");
	attempt($hand, $end);
	is(removed($said = maintain($name)), 1, "$name: when it is gone the partition is removed");
	unlike($said, qr/ERROR/, "$name: and there is no error");
}

# While a call waits for a reader of the whole table, everybody else waits for the call: it does not try every partition.
table('read', 9);
attempt($hand, 'BEGIN; LOCK TABLE read IN ACCESS SHARE MODE');
$said = maintain('read', set => q(SET lock_timeout = '100ms'; ));
is(scalar(() = $said =~ /canceling statement due to lock timeout/g), 2, 'a reader of the table: two removals are tried');
like($said, qr/DETAIL:  (?:.*\n)*?Nothing more has been done, because other sessions have locked what is needed/, '... and the error says so');
is(removed($said), 0, '... and nothing is removed');
is(query(q(SELECT count(*) FROM flakeid_partitions('read') WHERE lower_at > now())), '2', '... but those ahead are created');
attempt($hand, 'ROLLBACK');
cmp_ok(removed($said = maintain('read')), '>=', 4, '... and the next call removes all');
unlike($said, qr/ERROR/, '... without an error');

# While a call waits for a reader of the default partition, such as pg_dump, or for a writer of a table that is
# referred to, everybody else waits for the call: it does not try every partition either.
query(q(CREATE TABLE tenant (id int PRIMARY KEY, n int); INSERT INTO tenant VALUES (1, 0), (2, 0)));
foreach my $case (
	[ 'dumped', '', 'CREATE TABLE dumped_rest PARTITION OF dumped DEFAULT', 'LOCK TABLE dumped_rest IN ACCESS SHARE MODE' ],
	[ 'referring', ', tenant int REFERENCES tenant', '', 'UPDATE tenant SET n = n + 1 WHERE id = 1' ])
{
	my ($name, $column, $more, $obstacle) = @$case;
	my $past = "SELECT count(*) FROM pg_inherits WHERE inhparent = '$name'::regclass";

	query("CREATE TABLE $name (id sno PRIMARY KEY$column) PARTITION BY RANGE (id);
		SELECT count(*) FROM flakeid_create_partitions('$name', date_trunc('day', now()) - interval '20 days', now(), '1 day');
		INSERT INTO $name SELECT sno_min(now() - n * interval '1 day') FROM generate_series(1, 20) AS n; $more");
	my $before = query($past);
	attempt($hand, "BEGIN; $obstacle");
	$said = maintain($name, step => '1 day', ahead => 6, retain => '9 days', set => q(SET lock_timeout = '100ms'; SET TimeZone = 'Asia/Kolkata'; ));
	is(scalar(() = $said =~ /from \S+ 00:00:00\+00: canceling statement due to lock timeout/g), 2, "$name: two creations are tried, and named in UTC");
	like($said, qr/DETAIL:  (?:.*\n)*?Nothing more has been done, because other sessions have locked what is needed/, '... and the error says so');
	is(query($past), $before, '... and nothing else');
	attempt($hand, 'ROLLBACK');
	unlike($said = maintain($name, step => '1 day', ahead => 6, retain => '9 days'), qr/ERROR/, "$name: the next call does all");
	cmp_ok(removed($said), '>=', 10, '... and removes, too');
}

# a stranger's views on the oldest partitions, for which he needs no right: retention goes on
table('strangers', 20, 'day');
$stranger = session($node, user => 'mallory');
attempt($stranger, "CREATE TEMP VIEW v$_ AS SELECT 1 AS x FROM " . (past('strangers'))[$_]) foreach 0, 1;
like(maintain('strangers', step => '1 day', retain => '9 days'), qr/ERROR: .*other objects depend on it.*\nDETAIL:  (?:.*\n)*?view pg_temp\S*v0 depends on/, 'views of a stranger: named');
is(scalar(past('strangers')), 11, 'views of a stranger: all others are removed');
$stranger->quit;

# a lock on the newest partition, such as VACUUM FULL takes: nobody waits for it, and what is not
# known to have rows pushes nothing out
table('vacuumed', 9);
my $newest = (past('vacuumed'))[-1];
attempt($hand, "BEGIN; LOCK TABLE $newest");
is(query(q(SET lock_timeout = '1s'; SELECT count(*) > 3 FROM flakeid_partitions('vacuumed', '1 month', retain => '90 days') WHERE action = 'drop')), 't', 'a lock on the newest: the list waits for nobody');
unlike(($node->psql('postgres', qq(SELECT 1 FROM flakeid_partitions('vacuumed', '1 month', retain => '90 days') WHERE action = 'drop' AND upper_at > date_trunc('month', now()) - interval '4 months')))[1], qr/1/, 'a lock on the newest: one more is kept');
attempt($hand, 'ROLLBACK');

# ... nor does it go by what only an empty one would
query(q(CREATE TABLE early (id sno PRIMARY KEY) PARTITION BY RANGE (id); SELECT count(*) FROM flakeid_create_partitions('early', date_trunc('day', now()) - interval '20 days', now(), '1 day');
	INSERT INTO early SELECT sno_min(date_trunc('day', now()) - interval '20 days')));
my ($first) = past('early');
foreach my $lock ('', "LOCK TABLE $first")
{
	attempt($hand, "BEGIN; $lock");
	is(query("SELECT coalesce(action, note) FROM flakeid_partitions('early', '1 day', retain => '9 days') WHERE partition = '$first'::regclass"), 'kept: the newer partitions that count, up to the newest with rows, span only 00:00:00', "the only rows are kept, '$lock'");
	attempt($hand, 'ROLLBACK');
}
is(query(q(SELECT count(*) FROM flakeid_partitions('early', '1 day', retain => '9 days') WHERE action = 'drop')), '8', 'and empty ones go');

# detached, not dropped; each removal is in the log
table('kept', 9);
my $logged = -s $node->logfile;
my ($oldest) = past('kept');
like(maintain('kept', detach => 'true'), qr/partition public\.$oldest .* is detached/, 'detach: a notice');
is(query("SELECT count(*) > 25 FROM $oldest"), 't', 'detach: the rows are there');
like(slurp_file($node->logfile, $logged), qr/LOG:  partition public\.$oldest of table public\.kept is detached: from/, 'each removal is in the log');

# ---------- no row is read ----------

query(q(CREATE TABLE reading (id sno, value int) PARTITION BY RANGE (id);
	SELECT count(*) FROM flakeid_create_partitions('reading', now() - interval '9 months', now() + interval '1 month', '1 month');
	INSERT INTO reading SELECT sno_min(at) FROM generate_series(now() - interval '9 months', now(), '1 hour') AS at; SELECT pg_stat_force_next_flush()));
my $read = query(q(SELECT sum(seq_tup_read) FROM pg_stat_user_tables WHERE relname ~ '^reading_'));
cmp_ok(removed(maintain('reading')), '>=', 4, 'a table without a key: old partitions are removed');
is(query(q(SELECT sum(seq_tup_read) FROM pg_stat_user_tables WHERE relname ~ '^reading_')), $read, 'and no row has been read');

# ---------- bounds ----------

# a live table attached up to the next month, and a yearly partition before monthly ones
query(q(CREATE TABLE live (id uuid PRIMARY KEY) PARTITION BY RANGE (id); CREATE TABLE live_old (id uuid PRIMARY KEY); INSERT INTO live_old SELECT uuid7_min(now() - n * interval '1 day') FROM generate_series(1, 400) AS n;
	DO $$ BEGIN EXECUTE format('ALTER TABLE live ATTACH PARTITION live_old FOR VALUES FROM (MINVALUE) TO (%L)', uuid7_min(date_trunc('month', now()) + interval '1 month')); END $$;
	CREATE TABLE yearly (id sno PRIMARY KEY) PARTITION BY RANGE (id); SELECT count(*) FROM flakeid_create_partitions('yearly', date_trunc('year', now()), date_trunc('year', now()) + interval '1 year', '1 year');
	CREATE TABLE endless (id sno PRIMARY KEY) PARTITION BY RANGE (id); CREATE TABLE endless_last PARTITION OF endless FOR VALUES FROM (sno_min('2026-01-01Z')) TO (MAXVALUE)));
$keys{live} = [ 'uuid', 'uuid7', '' ];
foreach my $case ([ 'live', 2 ], [ 'yearly', undef ], [ 'endless', 0 ])
{
	my ($name, $created) = @$case;
	my $count = "SELECT count(*) FROM pg_inherits WHERE inhparent = '$name'::regclass";
	my $before = query($count);

	is(maintain($name), '', "$name: the step is covered, which is no error");
	is(query($count) - $before, $created, "$name: and only what is missing is created") if defined $created;
	is(maintain($name), '', "$name: nor in the next night");
}
is(rows('live'), 400, 'live: all rows are there');

# a gap of a millisecond, at the end of the current step
query(q(CREATE TABLE gap (id sno PRIMARY KEY) PARTITION BY RANGE (id);
	DO $$ BEGIN EXECUTE format('CREATE TABLE gap_now PARTITION OF gap FOR VALUES FROM (%L) TO (%L)', sno_min(date_trunc('month', now())), sno_min(date_trunc('month', now()) + interval '1 month' - interval '8 ms')); END $$));
$said = maintain('gap');
like($said, qr/ERROR: .*from \S+ \S+: partition "gap_\d+" would overlap partition "gap_now"\nDETAIL:  (?:.*\n)*?The time from (\S+ \S+) to (\S+ \S+) is free: create a partition for it, with a step of (\S+)\./, 'a gap of some milliseconds is named, with the partition');
$said =~ /The time from (\S+ \S+) to (\S+ \S+) is free: create a partition for it, with a step of (\S+)\./;
query("SELECT flakeid_create_partitions('gap', '$1', '$2', '$3')");
is(maintain('gap'), '', 'when it has a partition there is no error');

# months that begin on the 31st, which not every month has
query(q(CREATE TABLE last_day (id sno PRIMARY KEY) PARTITION BY RANGE (id); SELECT count(*) FROM flakeid_create_partitions('last_day', '2026-01-31Z', now(), '1 month')));
unlike(maintain('last_day'), qr/ERROR/, 'months from the 31st: those ahead are created');
is(query(q(SELECT count(*) = 2 AND bool_and(extract(day FROM upper_at + interval '1 day') <= 3) FROM flakeid_partitions('last_day', '1 month') WHERE lower_at > now())), 't', '... and end on the last days');

# ---------- rows in the default partition ----------

# under writers, and by pasting what the error prints
query(q(CREATE TABLE rest (id sno PRIMARY KEY DEFAULT sno_new(), n int, twice int GENERATED ALWAYS AS (n * 2) STORED) PARTITION BY RANGE (id); CREATE TABLE rest_default PARTITION OF rest DEFAULT; INSERT INTO rest (n) SELECT generate_series(1, 100);
	CREATE PROCEDURE fill() LANGUAGE plpgsql AS $$ BEGIN FOR i IN 1 .. 300 LOOP INSERT INTO rest (n) VALUES (i); COMMIT; PERFORM pg_sleep(0.01); END LOOP; END $$));
my @filling = start_sessions($node, ('CALL fill()') x 2);
$said = maintain('rest');
like($said, qr/DETAIL:  (?:.*\n)*?\d+ rows of default partition public\.rest_default belong to it, from \S+ \S+ to \S+ \S+\./, 'rows in the default partition: which ones');
my ($move) = $said =~ /^(BEGIN;\n(?:.*\n)*?COMMIT;)$/m;
query($move);
finish_sessions(@filling);
is(rows('rest') . '|' . rows('rest_default'), '700|0', 'pasted under writers: all rows are there, in the new partition');
is(maintain('rest'), '', 'pasted: the next call finds nothing to do');

# with foreign keys of all kinds that refer to the rows, also from itself: the keys are there afterwards
foreach my $action ('NO ACTION', 'RESTRICT', 'CASCADE', 'SET NULL', 'SET DEFAULT', 'NO ACTION DEFERRABLE INITIALLY DEFERRED')
{
	my $name = 'rest_' . lc($action =~ s/ /_/gr);

	query("CREATE TABLE $name (id sno PRIMARY KEY DEFAULT sno_new(), same sno REFERENCES $name ON DELETE $action) PARTITION BY RANGE (id); CREATE TABLE ${name}_rest PARTITION OF $name DEFAULT;
		INSERT INTO $name SELECT FROM generate_series(1, 10); UPDATE $name SET same = id;
		CREATE TABLE ${name}_ref (id sno CONSTRAINT \"its key\" REFERENCES $name ON DELETE $action) PARTITION BY HASH (id); CREATE TABLE ${name}_ref_0 PARTITION OF ${name}_ref FOR VALUES WITH (MODULUS 1, REMAINDER 0);
		INSERT INTO ${name}_ref SELECT id FROM $name" =~ s/\\"/"/gr);
	my $keys = "SELECT string_agg(conname || pg_get_constraintdef(oid), ' ' ORDER BY conname) FROM pg_constraint WHERE confrelid = '$name'::regclass AND conparentid = 0";
	my $before = query($keys);
	($move) = maintain($name) =~ /^(BEGIN;\n(?:.*\n)*?COMMIT;)$/m;
	like($move, qr/ALTER TABLE public\.${name}_ref DROP CONSTRAINT "its key";\n(?:.*\n)*DELETE FROM/, "$action: the transaction begins with the foreign keys");
	query($move);
	is(query("SELECT count(*), count(same) FROM $name") . '|' . rows("${name}_rest") . '|' . query("SELECT count(id) FROM ${name}_ref"), '10|10|0|10', "$action: all rows are there, and what refers to them");
	is(query($keys), $before, "$action: and the keys");
}

# ---------- several concurrent calls ----------

foreach my $count (2, 5)
{
	table("busy$count", 9);
	my $inherited = 'SELECT count(*) FROM pg_inherits WHERE inhparent = ' . "'busy$count'::regclass";
	my ($before, $old) = (query($inherited), query("SELECT count(*) FROM flakeid_partitions('busy$count', '1 month', retain => '90 days') WHERE action = 'drop'"));

	run_sessions($node, ("SET client_min_messages = warning; CALL flakeid_maintain('busy$count', '1 month', ahead => 40, retain => '90 days');\n" x 3) x $count);
	is(query($inherited), $before - $old + 40, "$count concurrent calls: no error, and everything is done once");
	is(query("SELECT count(*) FROM busy$count WHERE id >= date_trunc('day', now()) - interval '89 days'"), 90, "$count concurrent calls: all younger rows are there");
}

# ---------- crashes ----------

# The session is killed while it waits for each partition in turn: the next call does the rest.
table('crashed', 9);
my @all = past('crashed');
foreach my $victim (@all[ 0, 2 ])
{
	my $log = -s $node->logfile;
	my ($calling, $pid);

	attempt($hand, "BEGIN; LOCK TABLE $victim IN ACCESS SHARE MODE");
	($calling) = start_sessions($node, q(SET lock_timeout = '1min'; CALL flakeid_maintain('crashed', '1 month', ahead => 2, retain => '90 days')));
	until_true(sub { $pid = query("SELECT pid FROM pg_locks WHERE NOT granted AND relation = '$victim'::regclass LIMIT 1") }) or die 'the call does not wait';
	$in_one_session->();
	kill 'KILL', $pid;
	eval { finish_sessions($calling) };    # which fails
	$hand->quit;
	$node->wait_for_log(qr/all server processes terminated/, $log);
	wait_for_server($node);
	$hand = session($node);
	is(query("SELECT count(*) FROM pg_inherits WHERE inhrelid = to_regclass('$victim')"), '1', "killed: $victim is as it was");
}
unlike(maintain('crashed'), qr/ERROR/, 'killed: the next call does the rest');
is(query(q(SELECT count(*) FROM flakeid_partitions('crashed', '1 month', retain => '90 days') WHERE action IS NOT NULL)), '0', 'killed: and nothing remains to be done');

$hand->quit;
$node->stop;
done_testing();
