/* ---------- feeds: the horizon ---------- */

-- An open transaction holds the readers at the last value from before it drew: see announce.in.  A procedure,
-- because the statement that reads the rows needs a newer snapshot than the locks.
--
-- A lock that is not seen is of a transaction that locks later, so it draws above "last"; or that has ended, and
-- PostgreSQL lets go of locks when others see the transaction.  So "last" is read before the locks.
CREATE PROCEDURE @schema@.flakeid_horizon(sequence regclass, INOUT horizon bigint)
    LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp
AS $body$
DECLARE
    name CONSTANT name := (SELECT c.relname FROM pg_class AS c WHERE c.oid = sequence);
    last bigint;
    later bigint;
    s record;
    locks record;
    draws bigint;
    back bigint;
BEGIN
    IF current_setting('transaction_isolation') NOT IN ('read committed', 'read uncommitted') THEN
        RAISE 'the horizon of sequence "%" must be asked for in READ COMMITTED', name
            USING ERRCODE = 'active_sql_transaction', DETAIL = 'The statement that reads the rows needs a newer snapshot than the one that asks.', HINT = 'Poll in READ COMMITTED.';
    ELSIF pg_is_in_recovery() THEN
        RAISE 'the transactions of the primary are not visible' USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'Read on the primary.';
    ELSIF NOT has_sequence_privilege(sequence, 'USAGE, SELECT') THEN
        RAISE 'permission denied for sequence %', name
            USING ERRCODE = 'insufficient_privilege', DETAIL = 'Readers of the horizon need a right to the sequence, too.', HINT = format('GRANT SELECT ON SEQUENCE %s TO %I.', sequence, current_user);
    END IF;
    last := pg_sequence_last_value(sequence);    -- from here on nobody alters the sequence
    SELECT c.relpersistence, p.* INTO s FROM pg_class AS c, pg_sequence_parameters(c.oid) AS p WHERE c.oid = sequence;
    IF s.relpersistence <> 'p' THEN
        RAISE 'sequence "%" has no horizon', name
            USING ERRCODE = 'object_not_in_prerequisite_state', DETAIL = 'It is temporary or unlogged, so after a crash it may start again.',
                HINT = 'Use a sequence that is neither: SET LOGGED by ALTER SEQUENCE, or by ALTER TABLE if it belongs to an IDENTITY column.';
    ELSIF s.cache_size > 1 OR s.cycle_option OR s.increment < 0 THEN
        RAISE 'sequence "%" has no horizon', name
            USING ERRCODE = 'object_not_in_prerequisite_state', DETAIL = 'A session may draw a lower value than another session has drawn before.',
                HINT = 'ALTER SEQUENCE to a positive INCREMENT, CACHE 1 and NO CYCLE.';
    END IF;
    SELECT array_agg(l.objid::bigint) FILTER (WHERE l.objsubid = 2) AS keys, coalesce(bool_or(l.objsubid = 1), false) AS any_value INTO locks FROM pg_locks AS l
    WHERE l.locktype = 'advisory' AND l.granted AND l.classid = sequence::oid AND l.objsubid IN (1, 2) AND l.database = (SELECT d.oid FROM pg_database AS d WHERE d.datname = current_database());
    later := pg_sequence_last_value(sequence);
    -- nothing has been drawn, or who knows what, or the sequence has been set back
    IF last IS NULL OR locks.any_value OR later IS NULL OR later < last THEN
        horizon := s.minimum_value;
        RETURN;
    END IF;
    -- Keys count draws, or a great INCREMENT would wrap their 32 bits.  Those between the two readings are of
    -- transactions that draw above the first; of the others the lowest counts, which is the farthest back.
    draws := last / s.increment;
    SELECT max(d) INTO back FROM (SELECT (draws & 4294967295) - k & 4294967295 AS d FROM unnest(locks.keys) AS k) AS distances
    WHERE 4294967296 - d > (later / s.increment)::numeric - draws;
    horizon := CASE WHEN back IS NULL THEN least(last::numeric + 1, 9223372036854775807)
        ELSE greatest(s.minimum_value, (draws::numeric - back) * s.increment + 1) END;
END
$body$;

COMMENT ON PROCEDURE @schema@.flakeid_horizon(regclass, bigint) IS 'least value of the sequence that may still become visible to a later statement: rows with lower ones, which were drawn with flakeid_follow(), flakeid_rowversion() or flakeid_nextval(), are all visible to the next one, or never will be; the second argument is NULL';
