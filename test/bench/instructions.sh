#!/bin/bash
# Instructions of one call, counted by valgrind in a single-user server:
# instructions.sh [EXPRESSION...], of which bench_TYPE() is a floor; or of an INSERT in its own
# transaction, and the part of them that the horizon takes: instructions.sh --insert; or of an
# UPDATE with a row trigger, which sets a version or a time (those of the SQL edition are in schema
# plain): instructions.sh --update; or of planning queries that have nothing to do with flakeid,
# in a session with its library and in one with another: instructions.sh --planning; or of a row of
# a range by the time in IDs, texts among them, and in a column of times: instructions.sh --texts.
#
# The counts do not depend on the load of the machine, because the server's clock moves by
# 50 ns at each call: see clock.c. But they are not times.
set -euo pipefail
cd "$(dirname "$0")/../.."

[ $# != 0 ] || set -- 'bench_uid64()' 'bench_sno(0)' 'sno_new(0)' 'snowflake_new()' 'uid64_new()' \
	'uid96_new()' "siq_new('message')" 'flax_new()' 'ulid_new()' 'uuid7_new()' 'ksuid_new()' "nextval('bench_1')" "flakeid_nextval('bench_1')" 'gen_random_uuid()'
server=$PWD/test/server.sh
name=instructions-$$
trap '"$server" stop $name' EXIT
trap 'exit 1' INT TERM

test/setup.sh valgrind
"$server" install
"$server" start $name
PG_CONFIG=$(command -v "${PG_CONFIG:-pg_config}")
export PG_CONFIG
eval "$("$server" env $name)"
perl test/bench/bench.pl --out=/dev/null nothing
[ "$1" != --update ] || {
	perl packaging/edition.pl "$PGHOST"
	psql -Xq -v ON_ERROR_STOP=1 -c 'CREATE SCHEMA plain' -c 'SET search_path = plain' -f "$PGHOST/flakeid.sql"
}
[ "$1" != --planning ] || psql -Xq -v ON_ERROR_STOP=1 <<'END'
CREATE TABLE planned (id bigint PRIMARY KEY, other bigint, name text);
CREATE TABLE planned_too (id bigint PRIMARY KEY, name text);
CREATE TABLE planned_parts (id bigint, name text) PARTITION BY RANGE (id);
SELECT format('CREATE TABLE planned_part_%s PARTITION OF planned_parts FOR VALUES FROM (%s) TO (%s)', n, n * 100, n * 100 + 100) FROM generate_series(0, 99) AS n \gexec
CREATE INDEX ON planned_parts (id);
INSERT INTO planned SELECT n, n % 1000, 'name' || n FROM generate_series(1, 10000) AS n;
INSERT INTO planned_too SELECT n, 'name' || n FROM generate_series(0, 999) AS n;
INSERT INTO planned_parts SELECT n, 'x' FROM generate_series(0, 9999) AS n;
VACUUM ANALYZE;
END
[ "$1" != --texts ] || psql -Xq -v ON_ERROR_STOP=1 <<'END'
CREATE TABLE texts (at timestamptz, id uuid, uuid7 text COLLATE "C", ulid text COLLATE "C", padded char(26) COLLATE "C", ksuid text COLLATE "C");
INSERT INTO texts
SELECT at, id, id, ulid_text(id), ulid_text(id), ksuid_new_at(at)
    FROM (SELECT at, uuid7_new_at(at) AS id FROM generate_series(timestamptz '2026-01-01Z', '2026-01-01 13:53:20Z', '0.5 s') AS at) AS t;
SELECT format('CREATE INDEX ON texts (%I)', attname) FROM pg_attribute WHERE attrelid = 'texts'::regclass AND attnum > 0 \gexec
VACUUM ANALYZE texts;
END
${CC:-cc} -O2 -shared -fPIC -o "$PGHOST/clock.so" test/bench/clock.c
cd "$PGHOST"
"$server" run pg_ctl -s -w -D data stop

all() # EXPRESSION N: instructions of 1000 calls, N times and once to warm up
{
	echo "SELECT bench_calls(ARRAY[\$e\$$1\$e\$], 1000, $2) IS NULL" |
		"$server" run env LD_PRELOAD="$PGHOST/clock.so" valgrind --tool=callgrind --callgrind-out-file="$PGHOST/out" \
			--collect-atstart=no --toggle-collect=bench_evaluate postgres --single -D data postgres >log.valgrind 2>&1
	awk '/^summary:/ { print $2 }' out
}

# The instructions of N transactions in total, and those that the horizon adds: announcing,
# including the check of the previous transaction's lease, and the end of the transaction.
# This is an upper bound: without the horizon some of them would need another lease, too.
inserts() # N, and the column
{
	{
		echo "DROP TABLE IF EXISTS inserted"
		echo "CREATE TABLE inserted (id ${2% FOLLOWED} PRIMARY KEY, n int)"
		[[ $2 != *FOLLOWED ]] || echo "CREATE TRIGGER follow BEFORE INSERT ON inserted FOR EACH STATEMENT EXECUTE FUNCTION flakeid_follow('id')"
		for ((i = 0; i < $1; i++)); do echo "INSERT INTO inserted (n) VALUES ($i)"; done
	} | "$server" run env LD_PRELOAD="$PGHOST/clock.so" valgrind --tool=callgrind --callgrind-out-file="$PGHOST/out" \
		postgres --single -D data postgres >log.valgrind 2>&1
	callgrind_annotate --inclusive=yes --threshold=100 out |
		awk '/PROGRAM TOTALS/ { gsub(/,/, "", $1); all = $1 } /:(lease_for|end_of_transaction)( |$)/ { gsub(/,/, "", $1); horizon += $1 } END { print all, horizon }'
}

# The instructions of N UPDATEs, each in its own transaction, of a table of 1,000 rows with a trigger.
updates() # N STATEMENT FUNCTION
{
	{
		echo 'DROP TABLE IF EXISTS updated'
		echo 'CREATE TABLE updated (id int PRIMARY KEY, n int DEFAULT 0, at timestamptz DEFAULT now(), version bigint NOT NULL DEFAULT 0)'
		echo 'CREATE SEQUENCE IF NOT EXISTS updated_version'
		echo 'CREATE EXTENSION IF NOT EXISTS moddatetime'
		echo 'CREATE OR REPLACE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$'
		echo 'CREATE OR REPLACE FUNCTION set_time() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.at := now(); RETURN NEW; END $$'
		echo "CREATE OR REPLACE FUNCTION set_version() RETURNS trigger LANGUAGE plpgsql AS \$\$ BEGIN NEW.version := flakeid_nextval('updated_version'); RETURN NEW; END \$\$"
		echo 'INSERT INTO updated SELECT i FROM generate_series(1, 1000) AS i'
		[ "$3" = none ] || echo "CREATE TRIGGER changed BEFORE UPDATE ON updated FOR EACH ROW EXECUTE FUNCTION $3"
		for ((i = 0; i < $1; i++)); do echo "$2"; done
	} | "$server" run env LD_PRELOAD="$PGHOST/clock.so" valgrind --tool=callgrind --callgrind-out-file="$PGHOST/out" \
		postgres --single -D data postgres >log.valgrind 2>&1
	awk '/^summary:|^totals:/ { print $2; exit }' out
}

planned() # LIBRARY QUERY N: instructions of planning the query N times
{
	{
		echo "LOAD '$1'"
		for ((i = 0; i < $3; i++)); do echo "EXPLAIN $2"; done
	} | "$server" run valgrind --tool=callgrind --callgrind-out-file="$PGHOST/out" \
		--collect-atstart=no --toggle-collect=standard_planner postgres --single -D data postgres >log.valgrind 2>&1
	awk '/^summary:/ { print $2 }' out
}

ranged() # QUERY N: instructions of running the query N times
{
	{
		echo 'SET enable_seqscan = off'
		echo 'SET max_parallel_workers_per_gather = 0'
		for ((i = 0; i < $2; i++)); do echo "$1"; done
	} | "$server" run valgrind --tool=callgrind --callgrind-out-file="$PGHOST/out" \
		--collect-atstart=no --toggle-collect=standard_ExecutorRun postgres --single -D data postgres >log.valgrind 2>&1
	awk '/^summary:/ { print $2 }' out
}

if [ "$1" = --texts ]; then
	echo 'instructions of a row that an index returns, of 50,000: counted, and counted by the hour'
	while IFS='|' read -r what time condition; do
		condition=${condition:-"$time >= '2026-01-01 02:00Z' AND $time < '2026-01-01 08:56:40Z'"}
		counts=
		for query in "SELECT count(*) FROM texts WHERE $condition" ${time:+"SELECT date_trunc('hour', $time), count(*) FROM texts WHERE $condition GROUP BY 1"}; do
			counts+=$(printf '%7d' $((($(ranged "$query" 2) - $(ranged "$query" 1)) / 50000)))
		done
		printf '%-18s %s\n' "$what" "$counts"
	done <<'END'
timestamptz|at
text, compared||uuid7 >= uuid7_min('2026-01-01 02:00Z')::text AND uuid7 < uuid7_min('2026-01-01 08:56:40Z')::text
uuid v7|uuid7_timestamp(id)
uuid v7 as text|layout_timestamp(uuid7, 'uuid7')
ulid as text|ulid_timestamp(ulid)
ulid as char(26)|ulid_timestamp(padded)
ksuid as text|layout_timestamp(ksuid, 'ksuid')
END
	exit
fi

if [ "$1" = --planning ]; then
	for query in 'SELECT * FROM planned WHERE id = 5' 'SELECT * FROM planned ORDER BY lower(name), id' \
		"SELECT a.name, c.name FROM planned a JOIN planned b ON a.other = b.id JOIN planned_too c ON b.other = c.id WHERE a.name < 'name5' ORDER BY c.id, a.id LIMIT 20" \
		'SELECT * FROM planned_parts ORDER BY id LIMIT 10'; do
		# pgoutput has no hooks
		without=$((($(planned pgoutput "$query" 30) - $(planned pgoutput "$query" 10)) / 20))
		with=$((($(planned flakeid "$query" 30) - $(planned flakeid "$query" 10)) / 20))
		awk -v a=$without -v b=$with -v query="$query" 'BEGIN { printf "%9d %9d %+.2f %%  %s\n", a, b, (b / a - 1) * 100, query }'
	done
	exit
fi

if [ "$1" = --insert ]; then
	read -r all1 horizon1 <<<"$(inserts 1000 'ulid DEFAULT ulid_new()')"
	read -r all2 horizon2 <<<"$(inserts 3000 'ulid DEFAULT ulid_new()')"
	all=$(((all2 - all1) / 2000)) horizon=$(((horizon2 - horizon1) / 2000))
	echo "instructions of an INSERT that is a transaction: $all, at most $horizon of them for the horizon ($((horizon * 1000 / all)) per mille)"
	for column in "bigint DEFAULT nextval('bench_1')" "bigint DEFAULT flakeid_nextval('bench_1')" \
		'bigint GENERATED ALWAYS AS IDENTITY' 'bigint GENERATED ALWAYS AS IDENTITY FOLLOWED'; do
		read -r all1 horizon1 <<<"$(inserts 1000 "$column")"
		read -r all2 horizon2 <<<"$(inserts 3000 "$column")"
		echo "... of a column $column: $(((all2 - all1) / 2000))"
	done
	exit
fi

if [ "$1" = --update ]; then
	echo 'instructions of an UPDATE of one row, which is a transaction, and of a row of 1,000, by the function of its row trigger:'
	for function in none "moddatetime('at')" 'nothing()' 'set_time()' 'set_version()' "flakeid_rowversion('version', 'public.updated_version')" \
		"plain.flakeid_rowversion('version', 'public.updated_version')"; do
		single=$((($(updates 120 'UPDATE updated SET n = n + 1 WHERE id = 5' "$function") - $(updates 20 'UPDATE updated SET n = n + 1 WHERE id = 5' "$function")) / 100))
		row=$((($(updates 4 'UPDATE updated SET n = n + 1' "$function") - $(updates 2 'UPDATE updated SET n = n + 1' "$function")) / 2000))
		printf '%-60s %8d %8d\n' "$function" $single $row
	done
	exit
fi

count() # EXPRESSION: instructions of a call, without what a session's first one does besides
{
	echo $((($(all "$1" 14) - $(all "$1" 4)) / 10000))
}

loop=$(count 1)
echo "instructions a call, net of the loop ($loop):"
for expression; do
	printf '%-24s %6d\n' "$expression" $(($(count "$expression") - loop))
done
