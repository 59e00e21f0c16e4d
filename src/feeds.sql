/* ---------- feeds ---------- */

-- rows whose IDs come late

CREATE FUNCTION flakeid_late_id() RETURNS trigger
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;

COMMENT ON FUNCTION flakeid_late_id() IS 'for a BEFORE INSERT OR UPDATE trigger: refuses, renews or counts a row whose ID readers may have passed; its arguments are the column and refuse, renew or count';

-- who holds the horizons

CREATE FUNCTION flakeid_show_horizon_holders(OUT pid int, OUT xid xid, OUT since timestamptz) RETURNS SETOF record
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED ROWS 5;
CREATE VIEW flakeid_horizon_holders AS
SELECT h.pid, p.gid AS prepared, h.since,
    pg_catalog.clock_timestamp() OPERATOR(pg_catalog.-) coalesce(h.since, p.prepared) AS age,
    coalesce(a.usename, p.owner) AS role, a.state, a.query
FROM @extschema@.flakeid_show_horizon_holders() AS h
    LEFT JOIN pg_catalog.pg_stat_activity AS a ON a.pid OPERATOR(pg_catalog.=) h.pid
    LEFT JOIN pg_catalog.pg_prepared_xacts AS p ON p.transaction OPERATOR(pg_catalog.=) h.xid;

COMMENT ON FUNCTION flakeid_show_horizon_holders() IS 'rows of the view flakeid_horizon_holders';
COMMENT ON VIEW flakeid_horizon_holders IS 'transactions of this database that have made IDs and have not ended: no horizon passes them';
COMMENT ON COLUMN flakeid_horizon_holders.pid IS 'process of the session; NULL: the transaction is prepared';
COMMENT ON COLUMN flakeid_horizon_holders.prepared IS 'name of the prepared transaction; NULL: a session has it open';
COMMENT ON COLUMN flakeid_horizon_holders.since IS 'instant of its first ID, at which it holds the horizons; NULL: nobody knows, as it was prepared before the server''s last start or with too many others, and no horizon rises';
COMMENT ON COLUMN flakeid_horizon_holders.age IS 'how long ago that was; where nobody knows, how long ago it was prepared';
COMMENT ON COLUMN flakeid_horizon_holders.role IS 'role of the session, or owner of the prepared transaction';
COMMENT ON COLUMN flakeid_horizon_holders.state IS 'what the session does, as in pg_stat_activity, for those who may see it';
COMMENT ON COLUMN flakeid_horizon_holders.query IS 'its last statement, as in pg_stat_activity, for those who may see it';
