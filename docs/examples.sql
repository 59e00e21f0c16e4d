-- The tables of docs/existing.md, for an empty database: psql -f docs/examples.sql.
\set ON_ERROR_STOP on
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS flakeid;
BEGIN;

CREATE TABLE orders (id uuid PRIMARY KEY, total numeric);
INSERT INTO orders
SELECT overlay(uuid7_min(timestamptz '2026-11-21 09:30Z' - n * interval '1 min')::text PLACING lpad(to_hex(n), 12, '0') FROM 25)::uuid, n % 100
FROM generate_series(99999, 0, -1) AS n;

CREATE TABLE statuses (id bigint PRIMARY KEY, account_id bigint, text text);
INSERT INTO statuses SELECT layout_min(timestamptz '2026-11-21 09:30Z' - n * interval '1 min', 'mastodon') + n * 7919 % 65536, n % 50, 'a status'
FROM generate_series(99999, 0, -1) AS n;

CREATE TABLE photo (id bigint PRIMARY KEY, title text);
INSERT INTO photo SELECT layout_min(timestamptz '2026-11-21 09:30Z' - n * interval '1 min', '2020-01-01Z', 22) + n % 4096, 'a photo' FROM generate_series(99999, 0, -1) AS n;

CREATE TABLE old_event (id uuid PRIMARY KEY, body text);
INSERT INTO old_event SELECT uuid7_min(t), 'old' FROM generate_series(timestamptz '2026-09-01Z', '2026-10-31 23:00Z', '1 hour') AS t;

CREATE TABLE trace (id uuid DEFAULT uuid7_new(), created_at timestamptz DEFAULT clock_timestamp(), body text, PRIMARY KEY (id, created_at)) PARTITION BY RANGE (created_at);
DO $$ BEGIN FOR n IN 0..35 LOOP
    EXECUTE format('CREATE TABLE trace_%s PARTITION OF trace FOR VALUES FROM (%L) TO (%s)', n, timestamptz '2024-01-01Z' + n * interval '1 month',
        CASE WHEN n < 35 THEN quote_literal(timestamptz '2024-01-01Z' + (n + 1) * interval '1 month') ELSE 'MAXVALUE' END);
END LOOP; END $$;
INSERT INTO trace SELECT overlay(uuid7_min(t)::text PLACING lpad(to_hex(n), 12, '0') FROM 25)::uuid, t, 'a trace'
FROM generate_series(0, 36 * 30 * 24 - 1) AS n, LATERAL (SELECT timestamptz '2024-01-01Z' + n * interval '1 hour' AS t) AS made;

COMMIT;
VACUUM ANALYZE orders, statuses, photo, trace;
RESET client_min_messages;
