#!/bin/bash
# Rows that readers of "what is new" lose, and how late they get the others, by the way of
# reading, on your own server: lost-rows.sh [ROWS], 10000 if not given, at most 100000.
#
# It connects as psql does (PGHOST, PGPORT, PGUSER, PGDATABASE; PostgreSQL 14 or newer) and works
# in a schema of its own, lost_rows, which it drops at the end. The ways that lose rows need no
# extension. Those by a horizon need flakeid in the database, or the SQL edition in
# build/flakeid.sql (make edition) or in the file EDITION, which goes into that schema.
#
# Eight writers insert a row in each transaction. Most transactions take 0 to 2 ms, one in 200
# takes 150 ms. For each way a reader asks every millisecond or so for what is new.
set -euo pipefail

rows=${1:-10000}
if ! [[ $rows =~ ^[1-9][0-9]{0,5}$ ]] || [ "$rows" -gt 100000 ]; then
	sed -n '2,12s/^# \{0,1\}//p' "$0" >&2
	exit 2
fi
edition=${EDITION-$(cd "$(dirname "$0")/.." && pwd)/build/flakeid.sql}
writers=8
made=
jobs=()
export PGAPPNAME="lost-rows $$" PGOPTIONS="${PGOPTIONS-} -c client_min_messages=warning -c statement_timeout=5min -c idle_in_transaction_session_timeout=1min"

sql() { psql -Xqwt -v ON_ERROR_STOP=1 "$@"; }

at_end()
{
	trap '' INT TERM HUP
	[ ${#jobs[@]} = 0 ] || kill "${jobs[@]}" 2>/dev/null || :
	[ -z "$made" ] || sql -o /dev/null <<-SQL
		SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '$PGAPPNAME' AND pid <> pg_backend_pid();
		DROP SCHEMA lost_rows CASCADE;
	SQL
}
trap at_end EXIT
trap 'exit 130' INT TERM HUP

start() { sql <&0 & jobs+=($!); }    # a session, in the background, that runs the standard input

# A reader. NAME; KEY, the columns by which it knows its place; WHERE, which rows it may read;
# and ASK, a statement that is run before each query.
reader() # NAME KEY WHERE [ASK]
{
	local place="place.${2//, /, place.}"

	start <<-SQL
		DO \$\$
		DECLARE
		    place lost_rows.outbox := (0, '-infinity', '0');
		    r lost_rows.outbox;
		    bound bigint;
		    asked timestamptz;
		    stop timestamptz;
		    delays numeric[] := '{}';
		BEGIN
		    WHILE stop IS NULL OR clock_timestamp() < stop LOOP
		        IF stop IS NULL AND EXISTS (SELECT FROM lost_rows.ended) THEN
		            stop := clock_timestamp() + interval '2 s';
		        END IF;
		        ${4-}
		        FOR r IN SELECT * FROM lost_rows.outbox WHERE ($2) > ($place) AND $3 ORDER BY $2 LOOP
		            delays := delays || extract(epoch FROM clock_timestamp() - r.made)::numeric;
		            place := r;
		        END LOOP;
		        COMMIT;
		        PERFORM pg_sleep(0.001);
		        COMMIT;
		    END LOOP;
		    INSERT INTO lost_rows.result
		    SELECT ${#jobs[@]}, '$1', count(*) FILTER (WHERE ($2) <= ($place)) - cardinality(delays), count(*) FILTER (WHERE ($2) > ($place)),
		        (SELECT round(1000 * percentile_disc(0.5) WITHIN GROUP (ORDER BY d), 1) FROM unnest(delays) AS d),
		        (SELECT round(1000 * percentile_disc(0.99) WITHIN GROUP (ORDER BY d), 1) FROM unnest(delays) AS d)
		    FROM lost_rows.outbox;
		END \$\$;
	SQL
}

sql -c 'CREATE SCHEMA lost_rows'
made=1
sql <<-SQL
	CREATE TABLE lost_rows.outbox (id bigserial PRIMARY KEY, made timestamptz NOT NULL DEFAULT clock_timestamp(), xid xid8 NOT NULL DEFAULT pg_current_xact_id());
	CREATE INDEX ON lost_rows.outbox (made, id);
	CREATE INDEX ON lost_rows.outbox (xid, id);
	CREATE TABLE lost_rows.ended ();
	CREATE TABLE lost_rows.result (n int, way text, lost bigint, waiting bigint, median numeric, p99 numeric);
SQL
home=$(sql -A -c "SELECT quote_ident(n.nspname) FROM pg_extension AS e JOIN pg_namespace AS n ON n.oid = e.extnamespace WHERE e.extname = 'flakeid'")
home_sql=
if [ -e "$edition" ] && grep -q 'PROCEDURE .*flakeid_horizon(' "$edition"; then
	home_sql=lost_rows
	PGOPTIONS+=' -c search_path=lost_rows' sql -o /dev/null -f "$edition"
fi
for schema in $home $home_sql; do
	sql -c "CREATE TRIGGER follow_$schema BEFORE INSERT ON lost_rows.outbox FOR EACH STATEMENT EXECUTE FUNCTION $schema.flakeid_follow('id', 'lost_rows.outbox_id_seq')"
done

reader 'id > last' id true
reader 'waiting 100 ms' id "made < clock_timestamp() - interval '100 ms'"
reader 'xid8 below pg_snapshot_xmin()' 'xid, id' 'xid < pg_snapshot_xmin(pg_current_snapshot())'
[ -z "$home_sql" ] ||
	reader 'the horizon in SQL' id 'id < bound' "CALL $home_sql.flakeid_horizon('lost_rows.outbox_id_seq', bound);"
[ -z "$home" ] ||
	reader 'the horizon' id "id < $home.flakeid_horizon('lost_rows.outbox_id_seq')"
readers=("${jobs[@]}")
for ((n = 0; n < writers; n++)); do
	start <<-SQL
		DO \$\$
		BEGIN
		    FOR n IN 1..$((rows / writers + (n < rows % writers))) LOOP
		        INSERT INTO lost_rows.outbox DEFAULT VALUES;
		        PERFORM pg_sleep(CASE WHEN random() < 0.005 THEN 0.15 ELSE random() * 0.002 END);
		        COMMIT;
		    END LOOP;
		END \$\$;
	SQL
done
echo "$writers writers insert $rows rows, which takes some seconds ..."
for job in "${jobs[@]:${#readers[@]}}"; do wait "$job"; done
sql -c 'INSERT INTO lost_rows.ended DEFAULT VALUES'
for job in "${readers[@]}"; do wait "$job"; done
jobs=()

psql -Xqw -P footer=off <<-SQL
	SELECT way, lost AS "lost of $rows", median AS "delay, ms: median", p99 AS "p99" FROM lost_rows.result ORDER BY n;
SQL
sql -A -c "SELECT format('%s: %s rows wait for an older transaction on this server, and are not lost.', way, waiting) FROM lost_rows.result WHERE waiting > 0 ORDER BY n"
[ "$home$home_sql" ] || echo 'Without flakeid in this database there is no horizon: CREATE EXTENSION flakeid, or make edition, and run this again.'
