/* ---------- feeds ---------- */

-- rows whose IDs arrive late

CREATE FUNCTION flakeid_late_id() RETURNS trigger
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;

COMMENT ON FUNCTION flakeid_late_id() IS 'for a BEFORE INSERT OR UPDATE trigger: refuses, renews or counts a row whose ID readers may have passed; its arguments are the column, then refuse, renew or count, and of an integer column its sequence, if its IDENTITY or DEFAULT does not say which';

-- sequences

CREATE FUNCTION flakeid_nextval(sequence regclass) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
CREATE FUNCTION flakeid_horizon(sequence regclass) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL RESTRICTED SUPPORT _flakeid_functions.flakeid_horizon_support;
CREATE FUNCTION flakeid_follow() RETURNS trigger
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
CREATE FUNCTION flakeid_rowversion() RETURNS trigger
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;

COMMENT ON FUNCTION flakeid_nextval(regclass) IS 'nextval(), whose values flakeid_horizon() follows';
COMMENT ON FUNCTION flakeid_horizon(regclass) IS 'least value of the sequence that may still become visible to a later statement: rows with lower ones, which were drawn with flakeid_follow() or flakeid_nextval(), are all visible to this one, or never will be';
COMMENT ON FUNCTION flakeid_follow() IS 'for a BEFORE INSERT OR UPDATE trigger FOR EACH STATEMENT: announces that the statement may draw from the sequences of a column, so that flakeid_horizon() follows them; its arguments are the column and, if its IDENTITY or DEFAULT does not say which, the sequence with its schema';
COMMENT ON FUNCTION flakeid_rowversion() IS 'for a BEFORE INSERT OR UPDATE trigger FOR EACH ROW: gives each row that is written the next value of a sequence, which flakeid_horizon() follows; its arguments are the column and the sequence with its schema';

-- For programs that were written for the SQL edition: src/sql-edition/horizon.sql has the rules.  Transactions that were
-- open when this edition was installed have announced by advisory locks, so the answer is the least of both.
CREATE PROCEDURE flakeid_horizon(sequence regclass, INOUT horizon bigint)
    LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    last bigint;
    later bigint;
    step bigint;
    lowest bigint;
    locks record;
    back bigint;
BEGIN
    IF current_setting('transaction_isolation') NOT IN ('read committed', 'read uncommitted') THEN
        RAISE 'the horizon of sequence "%" must be asked for in READ COMMITTED', (SELECT c.relname FROM pg_class AS c WHERE c.oid = sequence)
            USING ERRCODE = 'active_sql_transaction', DETAIL = 'The statement that reads the rows needs a newer snapshot than the one that asks.', HINT = 'Poll in READ COMMITTED.';
    END IF;
    EXECUTE format('SELECT %s.flakeid_horizon($1::regclass)', _flakeid_functions.flakeid_home()) INTO horizon USING sequence;
    -- a standby has no locks of its primary
    IF pg_is_in_recovery() THEN
        RETURN;
    END IF;
    last := pg_sequence_last_value(sequence);
    SELECT p.increment, p.minimum_value INTO step, lowest FROM pg_sequence_parameters(sequence) AS p;
    SELECT array_agg(l.objid::bigint) FILTER (WHERE l.objsubid = 2) AS keys, coalesce(bool_or(l.objsubid = 1), false) AS any_value INTO locks FROM pg_locks AS l
    WHERE l.locktype = 'advisory' AND l.granted AND l.classid = sequence::oid AND l.objsubid IN (1, 2) AND l.database = (SELECT d.oid FROM pg_database AS d WHERE d.datname = current_database());
    later := pg_sequence_last_value(sequence);
    IF last IS NULL OR locks.any_value OR later IS NULL OR later < last THEN
        horizon := least(horizon, lowest);
        RETURN;
    END IF;
    SELECT max(d) INTO back FROM (SELECT (last / step & 4294967295) - k & 4294967295 AS d FROM unnest(locks.keys) AS k) AS distances
    WHERE 4294967296 - d > (later / step)::numeric - last / step;
    IF back IS NOT NULL THEN
        horizon := least(horizon, greatest(lowest, ((last / step)::numeric - back) * step + 1));
    END IF;
END
$$;

COMMENT ON PROCEDURE flakeid_horizon(regclass, bigint) IS 'flakeid_horizon(sequence), also for transactions that began with the SQL edition: least value that may still become visible to a later statement, in READ COMMITTED; the second argument is NULL';

-- what standbys know of the horizons

-- The row of this database, by the server's system identifier and its OID: the instants of its
-- horizons, and the values of its sequences'.  An ordinary table, which any role with the privilege
-- may write; see published.c.
CREATE TABLE _flakeid.horizon (
    system bigint,
    database oid,
    published timestamptz NOT NULL,
    snowflake timestamptz NOT NULL,
    ulid timestamptz NOT NULL,
    siq timestamptz NOT NULL,
    uid64 timestamptz NOT NULL,
    ksuid timestamptz NOT NULL,
    sno timestamptz,
    sequences jsonb,
    PRIMARY KEY (system, database)
) USING heap;

COMMENT ON TABLE _flakeid.horizon IS 'horizons that the primary has written down for its standbys; a role that may write it decides what readers there see';

CREATE FUNCTION _flakeid_functions.flakeid_own_horizon(format text) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL UNSAFE;

COMMENT ON FUNCTION _flakeid_functions.flakeid_own_horizon(text) IS 'instant of the horizon of a format; the caller must be allowed to write the table _flakeid.horizon, because this moves the mark to the clock';

CREATE FUNCTION _flakeid_functions.flakeid_own_sequence_horizon(sequence regclass) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL UNSAFE;

COMMENT ON FUNCTION _flakeid_functions.flakeid_own_sequence_horizon(regclass) IS 'horizon of a sequence; the caller must be allowed to write the table _flakeid.horizon';

CREATE PROCEDURE _flakeid_functions.flakeid_publish_horizon_as_caller(with_sno boolean DEFAULT false, sequences regclass[] DEFAULT '{}')
    LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    own_system CONSTANT bigint := (SELECT system_identifier FROM pg_control_system());
    own_database CONSTANT oid := (SELECT oid FROM pg_database WHERE datname = current_database());
    own record;
    own_sequences jsonb;
    at record;
    detail text;
    hint text;
BEGIN
    -- First: where a superuser has renamed the schema this is an error, and nothing is
    -- written to a stranger's table of that name.
    SELECT _flakeid_functions.flakeid_own_horizon('snowflake') AS snowflake,
        _flakeid_functions.flakeid_own_horizon('ulid') AS ulid,
        _flakeid_functions.flakeid_own_horizon('siq') AS siq,
        _flakeid_functions.flakeid_own_horizon('uid64') AS uid64,
        _flakeid_functions.flakeid_own_horizon('ksuid') AS ksuid,
        CASE WHEN with_sno THEN _flakeid_functions.flakeid_own_horizon('sno') END AS sno
    INTO own;
    -- A sequence that has no horizon must not keep the others from those who read them.  Its file first: if
    -- another one replaces it before the horizon is known, standbys refuse both.
    FOR at IN SELECT c.oid::regclass AS sequence, format('%I.%I', n.nspname, c.relname) AS name, pg_relation_filenode(c.oid) AS file
        FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE c.oid = ANY (sequences::oid[]) LOOP
        BEGIN
            own_sequences := coalesce(own_sequences, '{}') || jsonb_build_object(at.name, jsonb_build_array(at.file, _flakeid_functions.flakeid_own_sequence_horizon(at.sequence)));
        EXCEPTION WHEN object_not_in_prerequisite_state THEN
            GET STACKED DIAGNOSTICS detail := PG_EXCEPTION_DETAIL, hint := PG_EXCEPTION_HINT;
            RAISE WARNING '%', SQLERRM USING ERRCODE = SQLSTATE, DETAIL = detail, HINT = hint;
        END;
    END LOOP;
    INSERT INTO _flakeid.horizon AS h (system, database, published, snowflake, ulid, siq, uid64, ksuid, sno, sequences)
        VALUES (own_system, own_database, clock_timestamp(), own.snowflake, own.ulid, own.siq, own.uid64, own.ksuid, own.sno, own_sequences)
        ON CONFLICT (system, database) DO UPDATE
        SET published = excluded.published, snowflake = excluded.snowflake, ulid = excluded.ulid,
            siq = excluded.siq, uid64 = excluded.uid64, ksuid = excluded.ksuid, sno = coalesce(excluded.sno, h.sno),
            sequences = coalesce(h.sequences || excluded.sequences, excluded.sequences, h.sequences);
END
$$;

COMMENT ON PROCEDURE _flakeid_functions.flakeid_publish_horizon_as_caller(boolean, regclass[]) IS 'write down the horizons for standbys of this database, with the caller''s rights, also those of these sequences; with_sno: also that of sno, which keeps its generators from following a clock that steps back';

-- who holds the horizons

CREATE FUNCTION _flakeid_functions.flakeid_show_horizon_holders(OUT pid int, OUT xid xid, OUT since timestamptz, OUT sequence oid, OUT value bigint) RETURNS SETOF record
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED ROWS 5;
CREATE VIEW flakeid_horizon_holders AS
SELECT h.pid, p.gid AS prepared, h.since,
    pg_catalog.clock_timestamp() OPERATOR(pg_catalog.-) coalesce(h.since, p.prepared) AS age,
    coalesce(a.usename, p.owner) AS role, a.state, a.query, h.sequence::pg_catalog.regclass AS sequence, h.value
FROM _flakeid_functions.flakeid_show_horizon_holders() AS h
    LEFT JOIN pg_catalog.pg_stat_activity AS a ON a.pid OPERATOR(pg_catalog.=) h.pid
    LEFT JOIN pg_catalog.pg_prepared_xacts AS p ON p.transaction OPERATOR(pg_catalog.=) h.xid;

COMMENT ON FUNCTION _flakeid_functions.flakeid_show_horizon_holders() IS 'rows of the view flakeid_horizon_holders';
COMMENT ON VIEW flakeid_horizon_holders IS 'transactions of this database that have made IDs, or drawn from sequences that readers can follow, and have not ended: no horizon passes them';
COMMENT ON COLUMN flakeid_horizon_holders.pid IS 'process of the session; NULL: the transaction is prepared';
COMMENT ON COLUMN flakeid_horizon_holders.prepared IS 'name of the prepared transaction; NULL: a session has it open';
COMMENT ON COLUMN flakeid_horizon_holders.since IS 'instant of its first ID, at which it holds the horizons; for a sequence, start of the statement that drew first; NULL: unknown, because it was prepared before the server''s last start or promotion, or with too many others; then no horizon rises';
COMMENT ON COLUMN flakeid_horizon_holders.age IS 'how long ago that was; where that is unknown, how long ago it was prepared';
COMMENT ON COLUMN flakeid_horizon_holders.role IS 'role of the session, or owner of the prepared transaction';
COMMENT ON COLUMN flakeid_horizon_holders.state IS 'what the session does, as in pg_stat_activity, for those who may see it';
COMMENT ON COLUMN flakeid_horizon_holders.query IS 'its last statement, as in pg_stat_activity, for those who may see it';
COMMENT ON COLUMN flakeid_horizon_holders.sequence IS 'sequence whose horizon it holds; NULL: it holds those of all IDs or, if there was no memory to note the sequence, of all sequences';
COMMENT ON COLUMN flakeid_horizon_holders.value IS 'lowest value that it may have drawn from the sequence; shown to those who may ask for its horizon';
