--
-- IDs dumped and restored: COPY as text, CSV and binary, rows, arrays, JSON, and the SQL that
-- pg_dump writes for a table.  test/t runs pg_dump itself.
--
\getenv dir PG_ABS_SRCDIR
\i :dir/sql/shared.psql

-- Every byte value in every place, and NULL.
CREATE TABLE dump_from (id sno, several sno[]);
INSERT INTO dump_from
SELECT id, ARRAY[id, NULL, sno_zero()]
FROM generate_series(0, 255) AS value, generate_series(0, 9) AS place,
    LATERAL CAST(set_byte('\x5a5a5a5a5a5a5a5a5a5a', place, value) AS sno) AS id
UNION ALL VALUES (NULL::sno, NULL::sno[]), (sno_zero(), '{}'), ('xxxxxxxxxxxxxxxx', '{{xxxxxxxxxxxxxxxx},{2222222222222222}}');
CREATE TABLE dump_to (LIKE dump_from);
CREATE VIEW dump_differs AS
(SELECT id, several, 'lost' AS row FROM dump_from EXCEPT ALL SELECT id, several, 'lost' FROM dump_to)
UNION ALL
(SELECT id, several, 'made up' FROM dump_to EXCEPT ALL SELECT id, several, 'made up' FROM dump_from);

-- A missing copy is detected.
SELECT count(*) FROM dump_differs;

\copy dump_from TO 'results/dump.data'
\copy dump_to FROM 'results/dump.data'
TABLE dump_differs;
TRUNCATE dump_to;

\copy dump_from TO 'results/dump.data' (FORMAT csv, FORCE_QUOTE *)
\copy dump_to FROM 'results/dump.data' (FORMAT csv)
TABLE dump_differs;
TRUNCATE dump_to;

\copy dump_from TO 'results/dump.data' (FORMAT binary)
\copy dump_to FROM 'results/dump.data' (FORMAT binary)
TABLE dump_differs;
TRUNCATE dump_to;

-- Text columns accept the text, and bytea columns the bytes.
CREATE TABLE dump_text (id text);
\copy (SELECT id FROM dump_from) TO 'results/dump.data'
\copy dump_text FROM 'results/dump.data'
SELECT count(*) FROM dump_text WHERE id !~ '^[2-9a-x]{16}$';
SELECT count(*), count(DISTINCT id) = (SELECT count(DISTINCT id) FROM dump_from) AS all FROM dump_text;
CREATE TABLE dump_bytes (id bytea);
\copy (SELECT id FROM dump_from) TO 'results/dump.data' (FORMAT binary)
\copy dump_bytes FROM 'results/dump.data' (FORMAT binary)
SELECT count(*), count(*) FILTER (WHERE length(id) = 10) AS ten_bytes FROM dump_bytes;
SELECT count(*) FROM dump_bytes WHERE id IS NOT NULL AND id::sno NOT IN (SELECT id FROM dump_from WHERE id IS NOT NULL);

-- As JSON: a string.
SELECT to_json(id), to_jsonb(several), row_to_json(f) FROM dump_from AS f WHERE id = 'xxxxxxxxxxxxxxxx';
SELECT count(*) FROM dump_from AS f WHERE jsonb_populate_record(NULL::dump_from, to_jsonb(f)) IS DISTINCT FROM f;

-- As a row's text and back, and as a literal.
SELECT count(*) FROM dump_from AS f WHERE f::text::dump_from IS DISTINCT FROM f;
SELECT quote_literal(id), quote_nullable(NULL::sno), format('%L %s %I', id, id, id) FROM dump_from WHERE id = 'xxxxxxxxxxxxxxxx';

-- A dump's columns, constraints, defaults and partitions can be dumped again in the same form.
CREATE TABLE dump_table (
    id sno PRIMARY KEY DEFAULT sno_new(7) CHECK (id >= sno_min('2020-01-01')),
    at timestamptz GENERATED ALWAYS AS (sno_timestamp(id)) STORED,
    parent sno REFERENCES dump_table,
    constant sno DEFAULT 'brpk4q72xwf2m63l'
);
CREATE INDEX dump_index ON dump_table (sno_timestamp(id), sno_meta(id)) WHERE id > 'brpk4q72xwf2m63l';
SELECT attname, format_type(atttypid, atttypmod), pg_get_expr(adbin, adrelid)
FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
WHERE attrelid = 'dump_table'::regclass AND attnum > 0 ORDER BY attnum;
SELECT pg_get_constraintdef(oid) FROM pg_constraint
WHERE conrelid = 'dump_table'::regclass AND contype IN ('c', 'p', 'f') ORDER BY contype;
SELECT pg_get_indexdef('dump_index'::regclass);
CREATE TABLE dump_partitioned (id sno) PARTITION BY RANGE (id);
CREATE TABLE dump_partition PARTITION OF dump_partitioned FOR VALUES FROM (sno_min('2024-01-01')) TO (sno_min('2025-01-01'));
SELECT pg_get_expr(relpartbound, oid) AS bound FROM pg_class WHERE relname = 'dump_partition' \gset
\echo :bound
ALTER TABLE dump_partitioned DETACH PARTITION dump_partition;
ALTER TABLE dump_partitioned ATTACH PARTITION dump_partition :bound;
SELECT pg_get_expr(relpartbound, oid) = :'bound' AS same FROM pg_class WHERE relname = 'dump_partition';

INSERT INTO dump_table (constant) VALUES (DEFAULT);
SELECT at = sno_timestamp(id) AS generated, constant FROM dump_table;

DROP VIEW dump_differs;
DROP TABLE dump_from, dump_to, dump_text, dump_bytes, dump_table, dump_partitioned;
