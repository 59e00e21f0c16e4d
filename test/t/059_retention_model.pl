# The rule by which flakeid_maintain() removes partitions, as it is shipped, in simulated worlds:
# nights with a wrong clock, with and without rows written then, pauses, other steps.  A right clock
# never removes what "retain" covers, and a wrong night removes one step of it.
#
# RETENTION_WORLDS is how many worlds there are.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";

use Flakeid;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = new_server('model', server => [ "timezone = 'UTC'", 'fsync = off', 'synchronous_commit = off', 'jit = off' ]);
my $worlds = $ENV{RETENTION_WORLDS} || 30;

# The shipped functions, with the model's clock and partitions in the place of the server's.
$node->safe_psql('postgres', q(
	CREATE SCHEMA model;
	CREATE TABLE model.part (partition oid, lower_at timestamptz, upper_at timestamptz, has_rows bool);
	CREATE SEQUENCE model.part_oid START 1000000;
	CREATE FUNCTION model.now() RETURNS timestamptz LANGUAGE sql STABLE AS $$ SELECT current_setting('model.now')::timestamptz $$;
	CREATE FUNCTION model.bounds(regclass, text, OUT partition regclass, OUT lower_at timestamptz, OUT upper_at timestamptz, OUT has_rows bool, OUT size bigint) RETURNS SETOF record
		LANGUAGE sql STABLE AS $$ SELECT partition::regclass, lower_at, upper_at, has_rows, 0::bigint FROM model.part $$;
	CREATE VIEW model.inherits AS SELECT partition AS inhrelid, 0::oid AS inhparent, false AS inhdetachpending FROM model.part));
foreach my $function ('flakeid_current_step', 'flakeid_partitions')
{
	my $text = $node->safe_psql('postgres', "SELECT pg_get_functiondef(oid) FROM pg_proc WHERE proname = '$function' AND pronamespace = '_flakeid_functions'::regnamespace");
	my $changed = 0;

	$changed += $text =~ s/\bnow\(\)/model.now()/g;
	$changed += $text =~ s/_flakeid_functions\.flakeid_partition_bounds\(/model.bounds(/g;
	$text =~ s/FUNCTION _flakeid_functions\./FUNCTION model./;
	$text =~ s/_flakeid_functions\.flakeid_current_step\(/model.flakeid_current_step(/g;
	$text =~ s/^\s*PERFORM _flakeid_functions\.flakeid_hold.*$//m;
	$text =~ s/JOIN pg_inherits AS i/JOIN model.inherits AS i/;
	cmp_ok($changed, '>=', 2, "$function asks the model");
	$node->safe_psql('postgres', $text);
	next if $function ne 'flakeid_partitions';
	# by the clock alone, as a fault that must be found
	my $by_time = $text =~ s/FUNCTION model\.flakeid_partitions/FUNCTION model.by_time/r;

	ok($by_time =~ s/t\.old AND t\.spare THEN/t.old THEN/, 'the rule has two conditions');
	$node->safe_psql('postgres', $by_time);
}

# A world of 120 nights: returns its first fault, or NULL.  Each rule sees the same worlds.
$node->safe_psql('postgres', q(
	CREATE FUNCTION model.one_of(VARIADIC list anyarray) RETURNS anyelement LANGUAGE sql VOLATILE AS $$ SELECT list[1 + floor(random() * cardinality(list))::int] $$;
	CREATE FUNCTION model.world(seed float8, rule text) RETURNS text LANGUAGE plpgsql AS $$
	DECLARE
		step interval; steps interval[] := ARRAY['1 hour', '1 day', '1 day', '7 days', '30 days']::interval[]; ahead int; retain interval; every interval; skew interval;
		t timestamptz := '2020-01-01Z'; writes bool; wrong_writes bool; written bool := false; widest interval; lost interval; todo record;
	BEGIN
		PERFORM setseed(seed);
		TRUNCATE model.part;
		step := model.one_of(VARIADIC steps);
		ahead := model.one_of(0, 1, 2, 5);
		retain := step * model.one_of(1, 2, 3, 24, 90) + model.one_of('0'::interval, '0', step / 2);
		every := model.one_of('1 day'::interval, '1 day', '1 hour', '3 days');
		writes := random() < 0.85;
		wrong_writes := random() < 0.5;
		FOR night IN 1 .. 120 LOOP
			t := t + every * CASE WHEN random() < 0.97 THEN 1 ELSE model.one_of(3, 30) END;
			IF random() < 0.01 THEN
				step := model.one_of('1 hour'::interval, '1 day', '30 days');
				retain := greatest(retain, step);
			END IF;
			skew := CASE WHEN random() < 0.93 THEN '0'::interval ELSE model.one_of('-365 days'::interval, '365 days', '2 days', '40 days', '-40 days') END;
			IF writes OR night < 60 THEN
				UPDATE model.part SET has_rows = true WHERE NOT has_rows AND lower_at <= t AND lower_at >= t - every * 2;
			END IF;
			IF skew <> interval '0' AND wrong_writes THEN
				UPDATE model.part SET has_rows = true WHERE NOT has_rows AND lower_at <= t + skew AND t + skew < upper_at;
				written := true;
			END IF;
			PERFORM set_config('model.now', (t + skew)::text, true);
			SELECT max(upper_at - lower_at) INTO widest FROM model.part;
			lost := '0';
			FOR todo IN EXECUTE format('SELECT * FROM model.%I(0::oid::regclass, $1, $2, $3, false, %L) WHERE action IS NOT NULL ORDER BY action <> %L, upper_at', rule, '', 'create') USING step, ahead, retain LOOP
				IF todo.action = 'create' THEN
					CONTINUE WHEN todo.note IS NOT NULL;    -- a person decides
					INSERT INTO model.part VALUES (nextval('model.part_oid'), todo.lower_at, todo.upper_at, false);
				ELSE
					lost := lost + coalesce((SELECT upper_at - lower_at FROM model.part WHERE partition = todo.partition::oid AND has_rows AND upper_at > t - retain AND lower_at <= t), '0');
					DELETE FROM model.part WHERE partition = todo.partition::oid;
				END IF;
			END LOOP;
			IF skew = interval '0' AND lost > interval '0' THEN
				RETURN format('night %s: a right clock removed %s of what retain covers: step %s, retain %s', night, lost, step, retain);
			ELSIF NOT written AND lost > greatest(widest, step) THEN
				RETURN format('night %s: one wrong night removed %s: step %s, ahead %s, retain %s, skew %s', night, lost, step, ahead, retain, skew);
			END IF;
		END LOOP;
		RETURN NULL;
	END $$));

sub faults
{
	my ($rule, $count) = @_;

	return $node->safe_psql('postgres', "SELECT n, fault FROM generate_series(1, $count) AS n, model.world(n / 1e6, '$rule') AS fault WHERE fault IS NOT NULL LIMIT 1");
}

is(faults('flakeid_partitions', $worlds), '', "$worlds worlds: what retain covers stays");
isnt(faults('by_time', 1000), '', 'the clock alone loses it in some worlds');

$node->stop;
done_testing();
