--
-- The contract: rules for every type, and for every object of the extension.
--
-- Most queries look for what breaks a rule and so return NO rows, which keeps
-- the expected output easy to maintain; a new format fails here until it is
-- complete.  At the end is a listing of the public surface, to be reviewed when it
-- changes.
--
-- Here and in every other file the extension is created when it is not there
-- yet, so that each runs alone, too: make test-regress T=sort
--
\getenv dir PG_ABS_SRCDIR
\i :dir/sql/shared.psql

-- The members of the extension.  Array and row types, which some versions list and
-- some do not, belong to their type or view.
CREATE TEMP VIEW member AS
SELECT classid, objid, pg_describe_object(classid, objid, 0) AS object
FROM pg_depend AS e
WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e'
    AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'flakeid')
    AND NOT EXISTS (
        SELECT FROM pg_depend AS i
        WHERE i.classid = e.classid AND i.objid = e.objid AND i.deptype = 'i'
    );
CREATE TEMP VIEW function AS
SELECT p.*, p.oid::regprocedure AS signature
FROM pg_proc AS p JOIN member AS m ON m.classid = 'pg_proc'::regclass AND m.objid = p.oid;
CREATE TEMP VIEW operator AS
SELECT o.*, o.oid::regoperator AS signature
FROM pg_operator AS o JOIN member AS m ON m.classid = 'pg_operator'::regclass AND m.objid = o.oid;

-- There are members to check.
SELECT EXISTS (SELECT FROM flakeid_formats) AS types,
    EXISTS (SELECT FROM function) AS functions,
    EXISTS (SELECT FROM operator) AS operators;

--
-- Every type has the same objects, except for its name.
--

-- T is the type's name.
CREATE TEMP TABLE every_type (object text);
COPY every_type FROM stdin;
type T
function _flakeid_functions.T_in(cstring)
function _flakeid_functions.T_out(T)
function _flakeid_functions.T_recv(internal)
function _flakeid_functions.T_send(T)
function _flakeid_functions.T_lt(T,T)
function _flakeid_functions.T_le(T,T)
function _flakeid_functions.T_eq(T,T)
function _flakeid_functions.T_ne(T,T)
function _flakeid_functions.T_ge(T,T)
function _flakeid_functions.T_gt(T,T)
function _flakeid_functions.T_cmp(T,T)
function _flakeid_functions.T_sortsupport(internal)
function _flakeid_functions.T_hash(T)
function _flakeid_functions.T_hash_extended(T,bigint)
operator <(T,T)
operator <=(T,T)
operator =(T,T)
operator <>(T,T)
operator >=(T,T)
operator >(T,T)
operator family T_ops for access method btree
operator class T_ops for access method btree
operator family T_hash_ops for access method hash
operator class T_hash_ops for access method hash
function _flakeid_functions.T_smaller(T,T)
function _flakeid_functions.T_larger(T,T)
function min(T)
function max(T)
function _flakeid_functions.T_to_bytea(T)
function _flakeid_functions.T_from_bytea(bytea)
function T_timestamp(T)
cast from text to T
cast from character varying to T
cast from character to T
cast from T to bytea
cast from bytea to T
cast from T to timestamp with time zone
function T_min(timestamp with time zone)
function T_max(timestamp with time zone)
function T_inspect(T)
function _flakeid_functions.T_brin_distance(T,T)
operator family T_minmax_ops for access method brin
operator class T_minmax_ops for access method brin
operator family T_minmax_multi_ops for access method brin
operator class T_minmax_multi_ops for access method brin
operator family T_bloom_ops for access method brin
operator class T_bloom_ops for access method brin
function _flakeid_functions.T_skipsupport(internal)
\.

-- And the objects of types that sort by time.
CREATE TEMP TABLE every_time_type (object text);
COPY every_time_type FROM stdin;
function _flakeid_functions.T_lt_timestamptz(T,timestamp with time zone)
function _flakeid_functions.T_le_timestamptz(T,timestamp with time zone)
function _flakeid_functions.T_ge_timestamptz(T,timestamp with time zone)
function _flakeid_functions.T_gt_timestamptz(T,timestamp with time zone)
function _flakeid_functions.T_cmp_le_timestamptz(T,timestamp with time zone)
function _flakeid_functions.T_cmp_timestamptz(T,timestamp with time zone)
function _flakeid_functions.timestamptz_lt_T(timestamp with time zone,T)
function _flakeid_functions.timestamptz_le_T(timestamp with time zone,T)
function _flakeid_functions.timestamptz_ge_T(timestamp with time zone,T)
function _flakeid_functions.timestamptz_gt_T(timestamp with time zone,T)
function _flakeid_functions.timestamptz_cmp_T(timestamp with time zone,T)
function _flakeid_functions.T_contained_by_tstzrange(T,flakeid_period)
function _flakeid_functions.tstzrange_contains_T(flakeid_period,T)
function _flakeid_functions.T_in_range(T,T,interval,boolean,boolean)
operator <(T,timestamp with time zone)
operator <=(T,timestamp with time zone)
operator >=(T,timestamp with time zone)
operator >(T,timestamp with time zone)
operator <(timestamp with time zone,T)
operator <=(timestamp with time zone,T)
operator >=(timestamp with time zone,T)
operator >(timestamp with time zone,T)
operator |<=(T,timestamp with time zone)
operator <@(T,flakeid_period)
operator @>(flakeid_period,T)
\.

-- Missing, or without a meaning.
SELECT name AS type, object
FROM flakeid_formats CROSS JOIN every_type AS e
WHERE regexp_replace(object, '\mT(?=_|\M)', name, 'g') NOT IN (SELECT object FROM member)
UNION ALL
SELECT name, object
FROM flakeid_formats CROSS JOIN every_time_type AS e
WHERE regexp_replace(object, '(\m|_)T(?=_|\M)', '\1' || name, 'g') IN (SELECT object FROM member) <> time_ordered
ORDER BY type, object;

-- Missing, among functions with arguments that differ from type to type.
SELECT name AS type, name || suffix AS function
FROM flakeid_formats CROSS JOIN unnest('{_new,_new_at,_make}'::text[]) AS suffix
WHERE name || suffix NOT IN (SELECT proname FROM function)
ORDER BY type, function;

-- All types have it, but the list above does not.
SELECT generic
FROM (
    SELECT name, regexp_replace(object, '\m' || name || '(?=_|\M)', 'T', 'g') AS generic
    FROM flakeid_formats JOIN member ON object ~ ('\m' || name || '(_|\M)')
) AS owned
WHERE generic NOT IN (SELECT object FROM every_type)
GROUP BY generic
HAVING count(*) > 1 AND count(*) = (SELECT count(*) FROM flakeid_formats)
ORDER BY generic;

-- Base types and rows of flakeid_formats without a counterpart.
SELECT typname, name
FROM (
    SELECT typname FROM pg_type
    WHERE typtype = 'b' AND oid IN (SELECT objid FROM member WHERE classid = 'pg_type'::regclass)
) AS t FULL JOIN flakeid_formats ON typname = name
WHERE typname IS NULL OR name IS NULL;

-- The support functions of the operator classes; amvalidate requires only the first.
SELECT name AS type, amname, number, replace(function, 'T', name) AS function
FROM flakeid_formats CROSS JOIN (VALUES
    ('btree', 1, '_flakeid_functions.T_cmp'),
    ('btree', 2, '_flakeid_functions.T_sortsupport'),
    ('btree', 4, 'btequalimage'),
    ('hash', 1, '_flakeid_functions.T_hash'),
    ('hash', 2, '_flakeid_functions.T_hash_extended')
) AS support (amname, number, function)
WHERE NOT EXISTS (
    SELECT
    FROM pg_amproc JOIN pg_opclass ON opcfamily = amprocfamily JOIN pg_am AS am ON am.oid = opcmethod
    WHERE am.amname = support.amname AND opcintype = to_regtype(name) AND opcdefault
        AND amproclefttype = opcintype AND amprocrighttype = opcintype
        AND amprocnum = number AND amproc::text = replace(function, 'T', name)
)
ORDER BY type, amname, number;

--
-- Types
--

-- Width as in flakeid_formats; 8 bytes pass as int8 does, the others by reference, unaligned.
SELECT name, bytes, t.typlen, t.typbyval, t.typalign, t.typstorage
FROM flakeid_formats JOIN pg_type AS t ON t.oid = to_regtype(name)
    JOIN pg_type AS int8 ON int8.typname = 'int8' AND int8.typnamespace = 'pg_catalog'::regnamespace
WHERE t.typlen <> bytes
    OR t.typbyval <> (bytes = 8 AND int8.typbyval)
    OR t.typalign <> CASE WHEN bytes = 8 THEN int8.typalign ELSE 'c' END
    OR t.typstorage <> 'p';

-- Otherwise plain user-defined types: no typmod, default, collation, subscripts.
SELECT typname
FROM flakeid_formats JOIN pg_type AS t ON t.oid = to_regtype(name)
WHERE typcategory <> 'U' OR typispreferred OR NOT typisdefined OR typdelim <> ','
    OR typmodin <> 0 OR typmodout <> 0 OR typanalyze <> 0 OR typsubscript <> 0
    OR typcollation <> 0 OR typdefault IS NOT NULL OR typnotnull OR typarray = 0;

-- I/O by the functions of these names.
SELECT typname
FROM flakeid_formats JOIN pg_type AS t ON t.oid = to_regtype(name)
WHERE (typinput, typoutput, typreceive, typsend)::text
    <> format('(_flakeid_functions.%1$s_in,_flakeid_functions.%1$s_out,_flakeid_functions.%1$s_recv,_flakeid_functions.%1$s_send)', name);

-- The text and span in flakeid_formats are right for the least and the greatest ID.
CREATE FUNCTION pg_temp.wrong_ends() RETURNS TABLE (type text, lowest text, highest text) LANGUAGE plpgsql AS $$
BEGIN
    FOR type IN SELECT name FROM flakeid_formats WHERE to_regtype(name) IS NOT NULL LOOP
        RETURN QUERY EXECUTE replace('
            SELECT name, low::text, high::text
            FROM flakeid_formats, T_min(''-infinity''::timestamptz) AS low, T_max(''infinity''::timestamptz) AS high
            WHERE name = $1 AND (
                low::bytea <> decode(repeat(''00'', bytes), ''hex'')
                OR high::bytea <> decode(repeat(''ff'', bytes), ''hex'')
                OR low::text !~ pattern OR high::text !~ pattern
                OR length(btrim(low::text || high::text, alphabet)) > 0
                OR length(high::text) <> text_length
                OR T_timestamp(low) <> epoch
                OR T_timestamp(high) NOT BETWEEN last_timestamp - resolution AND last_timestamp)',
            'T_', type || '_') USING type;
    END LOOP;
END $$;
SELECT * FROM pg_temp.wrong_ends();

-- The pattern matches the canonical texts and no others, but for two types where it would be
-- as long as a page.  These begin like the greatest ID's text, where a pattern could be too wide,
-- and continue at random.
SELECT name, pattern FROM flakeid_formats;
CREATE FUNCTION pg_temp.is_canonical(type text, t text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    again text;
BEGIN
    EXECUTE format('SELECT %L::text::%I::text', t, type) INTO again;
    RETURN again = t;
EXCEPTION WHEN data_exception THEN
    RETURN false;
END $$;
CREATE FUNCTION pg_temp.random_digits(alphabet text, n int) RETURNS text LANGUAGE sql AS $$
    SELECT coalesce(string_agg(substr(alphabet, 1 + (random() * (length(alphabet) - 1))::int, 1), ''), '') FROM generate_series(1, n)
$$;
SELECT setseed(0.5);
SET jit = off;    -- it would compile the function for each call
CREATE TEMP TABLE random_text AS
SELECT name, pattern, left(left(highest, (random() * text_length)::int) || pg_temp.random_digits(alphabet, text_length), text_length - (random() < 0.1)::int) AS t
FROM flakeid_formats, generate_series(1, 3000) AS n,
    LATERAL (SELECT CASE name WHEN 'snowflake' THEN '18446744073709551615' WHEN 'ksuid' THEN 'aWgEPTl1tmebfsQzFP4bxwgy80V' WHEN 'siq' THEN '3' || repeat('Z', 22) WHEN 'ulid' THEN '7' || repeat('Z', 25) ELSE repeat(right(alphabet, 1), text_length) END AS highest) AS h;
RESET jit;
SELECT name, count(*) FILTER (WHERE canonical) >= 300 AS enough, count(*) FILTER (WHERE canonical AND t !~ pattern) AS refused,
    count(*) FILTER (WHERE t ~ pattern AND NOT canonical) > 0 AS not_sufficient
FROM random_text, pg_temp.is_canonical(name, t) AS canonical GROUP BY name ORDER BY name;

-- The horizon is the least ID of its instant.
CREATE FUNCTION pg_temp.horizons() RETURNS TABLE (type text, right_form boolean) LANGUAGE plpgsql AS $$
BEGIN
    FOR type IN SELECT substring(proname FROM '^(.*)_horizon$') FROM function WHERE proname ~ '^(?!flakeid).*_horizon$' ORDER BY 1 LOOP
        RETURN QUERY EXECUTE format('SELECT %1$L, h = %1$s_min(%1$s_timestamp(h)::timestamptz) FROM %1$s_horizon() AS h', type);
    END LOOP;
END $$;
SELECT * FROM pg_temp.horizons();

--
-- Operators
--

-- They are in pg_catalog, where every session finds them, or where only operator families use them.
SELECT signature FROM operator
WHERE oprnamespace <> CASE WHEN oprleft = oprright AND oprleft IN ('timestamptz'::regtype, 'bigint'::regtype)
    THEN '_flakeid_functions' ELSE 'pg_catalog' END::regnamespace;
-- None is in a family of core's, which would stop pg_upgrade.
SELECT signature FROM operator WHERE oid IN (SELECT amopopr FROM pg_amop WHERE amopfamily < 16384);

-- Commutators and negators are mutual.  (Nobody writes |<= with an ID; the planner derives it from row
-- comparisons, and needs neither; no <> of a TypeID could use an index.)
SELECT o.signature, c.signature AS commutator, n.signature AS negator
FROM operator AS o LEFT JOIN operator AS c ON c.oid = o.oprcom
    LEFT JOIN operator AS n ON n.oid = o.oprnegate
WHERE c.oprcom IS DISTINCT FROM o.oid
    OR (c.oprleft, c.oprright) IS DISTINCT FROM (o.oprright, o.oprleft)
    OR (o.oprname NOT IN ('<@', '@>') AND (n.oprnegate IS DISTINCT FROM o.oid
        OR (n.oprleft, n.oprright) IS DISTINCT FROM (o.oprleft, o.oprright)));

-- An operator's name determines them, the estimators, and whether it hashes and merges (for which both
-- sides must have one type).
SELECT o.signature, c.oprname AS commutator, n.oprname AS negator,
    o.oprrest, o.oprjoin, o.oprcanhash, o.oprcanmerge
FROM operator AS o LEFT JOIN pg_operator AS c ON c.oid = o.oprcom
    LEFT JOIN pg_operator AS n ON n.oid = o.oprnegate
    LEFT JOIN (VALUES
        ('<', '>', '>=', 'scalarltsel', 'scalarltjoinsel'),
        ('<=', '>=', '>', 'scalarlesel', 'scalarlejoinsel'),
        ('=', '=', '<>', 'eqsel', 'eqjoinsel'),
        ('<>', '<>', '=', 'neqsel', 'neqjoinsel'),
        ('>=', '<=', '<', 'scalargesel', 'scalargejoinsel'),
        ('>', '<', '<=', 'scalargtsel', 'scalargtjoinsel'),
        ('<@', '@>', NULL, 'contsel', 'contjoinsel'),
        ('@>', '<@', NULL, 'contsel', 'contjoinsel')
    ) AS rule (name, commutator, negator, rest, "join") ON rule.name = ltrim(o.oprname, '|')
WHERE (ltrim(c.oprname, '|'), ltrim(n.oprname, '|'), o.oprrest::text, o.oprjoin::text)
        IS DISTINCT FROM (commutator, negator, rest, "join")
    OR (o.oprcanhash, o.oprcanmerge) IS DISTINCT FROM (ltrim(o.oprname, '|') = '=', o.oprname = '=' AND o.oprleft = o.oprright)
ORDER BY o.signature::text;

-- LEAKPROOF, so that they reach the index through row security; the rest depends on the name.
-- (Dates and timestamps depend on the time zone, and core's functions for them are not LEAKPROOF.)
SELECT o.signature, p.oid::regprocedure AS function
FROM operator AS o LEFT JOIN pg_proc AS p ON p.oid = o.oprcode,
    LATERAL (SELECT '{date,timestamp}'::regtype[] && ARRAY[oprleft, oprright]::regtype[] AS local) AS l
WHERE (proleakproof, provolatile, proisstrict, proparallel, oprresult)
    IS DISTINCT FROM (NOT local, CASE WHEN local THEN 's' ELSE 'i' END::"char", true, 's', 'boolean'::regtype)
    OR (oprleft = oprright AND regexp_replace(proname, '^int8', 'int8_') IS DISTINCT FROM CASE oprleft
        WHEN 'timestamptz'::regtype THEN 'timestamptz' WHEN 'bigint'::regtype THEN 'int8' ELSE oprleft::regtype::text END || CASE ltrim(oprname, '|')
        WHEN '<' THEN '_lt' WHEN '<=' THEN '_le' WHEN '=' THEN '_eq'
        WHEN '<>' THEN '_ne' WHEN '>=' THEN '_ge' WHEN '>' THEN '_gt' END);

-- Their operator classes are complete, the default, and for the type itself.  (The btree families
-- that include instants are deliberately incomplete: time.out lists what they lack.)
SELECT opcname, amname
FROM member JOIN pg_opclass AS c ON classid = 'pg_opclass'::regclass AND objid = c.oid
    JOIN pg_am AS am ON am.oid = opcmethod JOIN pg_type AS t ON t.oid = opcintype
    JOIN flakeid_formats AS f ON f.name = typname
WHERE NOT CASE WHEN amname = 'btree' AND time_ordered THEN true ELSE amvalidate(c.oid) END
    OR opcdefault <> (opcname !~ '_(minmax_multi|bloom)_ops$')
    OR opckeytype <> 0;

-- min() and max(): also in parallel, and from the index.
SELECT a.aggfnoid::regprocedure
FROM pg_aggregate AS a JOIN function AS p ON p.oid = a.aggfnoid JOIN pg_operator AS o ON o.oid = aggsortop
    JOIN pg_type AS t ON t.oid = proargtypes[0]
WHERE (aggtransfn::text, oprname) NOT IN (('_flakeid_functions.' || typname || '_smaller', '<'), ('_flakeid_functions.' || typname || '_larger', '>'))
    OR oprleft <> t.oid OR oprright <> t.oid OR aggtranstype <> t.oid
    OR aggcombinefn <> aggtransfn OR aggfinalfn <> 0 OR agginitval IS NOT NULL
    OR proparallel <> 's' OR provolatile <> 'i';
SELECT signature FROM function
WHERE prokind = 'a' AND oid NOT IN (SELECT aggfnoid FROM pg_aggregate WHERE aggsortop <> 0);

--
-- Casts
--

-- A cast function has one argument; no cast is implicit; texts are cast by I/O, on assignment.
-- (But a snowflake is a number, which can also be assigned to a column, and a ulid has a uuid's bytes.)
SELECT object, castcontext, castmethod
FROM pg_cast AS c JOIN member ON classid = 'pg_cast'::regclass AND objid = c.oid
    LEFT JOIN pg_proc AS p ON p.oid = castfunc
WHERE pronargs <> 1
    OR castcontext::text || castmethod::text <> CASE
        WHEN castsource IN ('text'::regtype, 'varchar'::regtype, 'bpchar'::regtype) THEN 'ai'
        WHEN object IN ('cast from bigint to snowflake', 'cast from integer to snowflake', 'cast from smallint to snowflake', 'cast from snowflake to bigint') THEN 'af'
        WHEN object IN ('cast from ulid to uuid', 'cast from uuid to ulid') THEN 'eb'
        ELSE 'ef' END;

--
-- Functions
--

-- A function's C symbol is its name (and the type's, where two types share that) or calls another
-- function for a table's owner, and the body of an SQL function is already parsed.
SELECT signature, lanname, prosrc
FROM function JOIN pg_language AS l ON l.oid = prolang
WHERE prokind = 'f' AND CASE lanname
    WHEN 'c' THEN prosrc NOT IN ('flakeid_as_owner', 'flakeid_as_caller', proname, proname || '_' || proargtypes[pronargs - 1]::regtype, replace(proname, 'flakeid', proargtypes[0]::regtype::text)) OR probin <> '$libdir/flakeid'
    WHEN 'sql' THEN prosqlbody IS NULL
    WHEN 'plpgsql' THEN NOT coalesce('search_path=pg_catalog, pg_temp' = ANY (proconfig), false)
    ELSE true END;

-- No function has a type's name, because T(x) could then be a call or a cast.
SELECT signature FROM function WHERE EXISTS (SELECT FROM pg_type WHERE typname = proname);

-- All are STRICT (aggregates by their transition function) but those that only the planner calls, and no argument defaults to NULL.
SELECT signature FROM function
WHERE (prokind = 'f' AND NOT proisstrict AND proname NOT IN ('flakeid_where', 'flakeid_marker'))
    OR pg_get_expr(proargdefaults, 0) ~* '\mNULL\M';

-- Generators and functions that read the server's state are VOLATILE, functions that read a
-- setting are STABLE, all others are IMMUTABLE.
SELECT signature, provolatile FROM function
WHERE provolatile <> CASE
    WHEN proname ~ '(_new|_new_at|_snapshot|_restore)$' THEN 'v'
    WHEN proname ~ '_horizon$' AND prokind = 'f' THEN 's'
    WHEN regexp_replace(proname, '_as_(owner|caller)$', '') IN ('uid64_to_global', 'flakeid_partition_bound', 'flakeid_partition_instant', 'flakeid_default_rows', 'flakeid_partition_name', 'flakeid_partitions', 'flakeid_home', 'flakeid_own_type', 'flakeid_guess', 'flakeid_read_as', 'flakeid_version', 'flakeid_library', 'flakeid_date_instant', 'flakeid_timestamp_instant')
        OR proname ~ '(_in_range|^flakeid_derived_node|^flakeid_(same_)?numbers)$' THEN 's'
    WHEN proname ~ '^flakeid_(next_instant$|range_|minmax_|where$|marker$|tick_|setting_number$|quoted$|gregorian$|check_step$|.*_support$|show_formats$|show_layouts$)' THEN 'i'
    WHEN proname ~ '^flakeid_[a-z]+sel$' THEN 's'
    WHEN proname ~ '^flakeid_' THEN 'v'
    ELSE 'i' END;

-- All may run in parallel workers, except functions that show or change the whole database, that
-- make IDs, which belong to the transaction, and the horizon, which is one for a whole query.
SELECT signature, proparallel FROM function
WHERE proparallel <> CASE
    WHEN prokind = 'p' OR proname ~ '_restore$' THEN 'u'
    WHEN proname ~ '^flakeid_(show_formats$|show_layouts$|next_instant$|range_|minmax_|tick_|setting_number$|quoted$|gregorian$|check_step$|library$|version$|.*instant|where$|marker$|.*_support$|partition_rule$|own_type$|home$)' THEN 's'
    WHEN proname ~ '^flakeid_(show_|horizon$|foreign_horizon$)' THEN 'r'
    WHEN proname ~ '^flakeid_' THEN 'u'
    WHEN proname ~ '(_new|_new_at|_horizon|_snapshot)$' AND proname !~ '^flax_' THEN 'r'
    ELSE 's' END;

-- Functions that compare two IDs or take one apart are LEAKPROOF; those that may quote their
-- argument in an error, or return only errors and new IDs, are not.
SELECT signature, proleakproof
FROM flakeid_formats JOIN function ON starts_with(proname, name || '_'),
    LATERAL substr(proname, length(name) + 1) AS what
WHERE NOT proleakproof
        AND (what ~ '^_(cmp|hash|hash_extended|smaller|larger|to_bytea|to_uuid|distance)$|timestamptz|tstzrange|^flakeid_(next_instant$|range_)'
            OR (what ~ '^_(timestamp|min|max)$' AND pronargs = 1))
        -- for columns that contain a ulid in another type
        AND signature::text NOT IN ('ulid_timestamp(text)', 'ulid_timestamp(bytea)')
    OR proleakproof
        AND what ~ '^_(in|out|recv|send|from_\w+|make|new|new_at|set_\w+|sortsupport|skipsupport|snapshot|restore)$';

-- Everybody may call and read everything, except functions that change the generators, and the mark.
SELECT signature, has_function_privilege('public', oid, 'EXECUTE') AS public FROM function
WHERE has_function_privilege('public', oid, 'EXECUTE')
    = (proname ~ '(_restore|^sno_horizon|^flakeid_advance|^flakeid_clock_reset|^flakeid_stats_reset|^flakeid_doctor(_\w+)?|^flakeid_sequence_columns|^flakeid_announcing|^flakeid_mark_guard|^flakeid_mark_take_over|^flakeid_mark_rows|^flakeid_derived_node|^flakeid_(tell_same_|same_)?numbers)$');
-- A role that may use the schema of the mark could lock the table.
SELECT nspname, has_schema_privilege('public', oid, 'USAGE') AS public, has_schema_privilege('pg_monitor', oid, 'USAGE') AS monitor, has_schema_privilege('pg_database_owner', oid, 'USAGE') AS owner,
    has_schema_privilege('pg_database_owner', oid, 'CREATE') AS owner_create,
    -- a role that PostgreSQL has since 16
    coalesce(has_schema_privilege(to_regrole('pg_create_subscription')::oid, oid, 'USAGE'), true) AS subscriber
FROM pg_namespace WHERE nspname LIKE '\_flakeid%' ORDER BY nspname;
-- So there is no table in the schema that everybody may use, and nobody may create anything there.
SELECT relname FROM pg_class WHERE relnamespace = '_flakeid_functions'::regnamespace AND relkind <> 'c';
SELECT has_schema_privilege('public', '_flakeid_functions', 'CREATE') AS create;
-- It is in its own schema, so the extension cannot be moved.
SELECT extrelocatable FROM pg_extension WHERE extname = 'flakeid';
SELECT objid::regclass AS relation FROM member
WHERE classid = 'pg_class'::regclass
    AND (has_table_privilege('public', objid, 'SELECT') = (objid IN ('_flakeid.mark'::regclass, '_flakeid.horizon'::regclass))
    OR has_table_privilege('public', objid, 'INSERT, UPDATE, DELETE, TRUNCATE'));

--
-- Everything has a comment.  (Families are made by their class.)
--
SELECT object FROM member
WHERE classid <> 'pg_opfamily'::regclass
    AND coalesce(obj_description(objid, classid::regclass::name), '') = '';

-- So has every column of the views.
SELECT attrelid::regclass AS view, attname
FROM pg_attribute JOIN member ON classid = 'pg_class'::regclass AND objid = attrelid
    JOIN pg_class AS c ON c.oid = attrelid
WHERE relkind = 'v' AND attnum > 0 AND coalesce(col_description(attrelid, attnum), '') = '';

--
-- Settings are read only from the configuration file.
--
-- If the library is not preloaded, a parallel worker has only the settings of the file.
SELECT set_config(name, 'off', false) AS forced FROM pg_settings WHERE name IN ('debug_parallel_query', 'force_parallel_mode');
SELECT FROM flakeid_clock;    -- loads the library, if it is not loaded yet
-- The one that can make no ID and no row another one is everybody's.
SELECT name, context FROM pg_settings
WHERE name LIKE 'flakeid.%'
    AND (context <> CASE name WHEN 'flakeid.order_by_time' THEN 'user' ELSE 'superuser' END OR category <> 'Customized Options' OR coalesce(short_desc, '') = '');
SELECT name, vartype, unit, boot_val FROM pg_settings
WHERE name LIKE 'flakeid.%' ORDER BY name COLLATE "C";

--
-- The public surface.
--

-- Functions.  (Those in the extension's own schemas are internal.)  Users call every function
-- named flakeid_*, because \df shows them.
SELECT format('%s(%s) RETURNS %s', proname, pg_get_function_arguments(oid), pg_get_function_result(oid))
FROM function WHERE pronamespace::regnamespace::text !~ '^_flakeid'
ORDER BY proname COLLATE "C", pronargs, signature::text COLLATE "C";

-- Columns of the views and tables.
SELECT format('%s: %s %s', attrelid::regclass, attname, atttypid::regtype)
FROM pg_attribute JOIN member ON classid = 'pg_class'::regclass AND objid = attrelid
WHERE attnum > 0 ORDER BY attrelid::regclass::text COLLATE "C", attnum;

-- Everything else.
SELECT object FROM member WHERE classid <> 'pg_proc'::regclass ORDER BY object COLLATE "C";
