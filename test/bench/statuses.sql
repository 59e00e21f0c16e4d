-- The table "statuses" of Mastodon 4, rebuilt from facts only: its columns, its keys and the
-- indexes that start with what the queries below search for.  test/t/045_existing.pl checks
-- the plans, bench.pl's part "statuses" measures.  Give the number of rows as "count".
--
-- One row every 3 s until the 21st of November 2026; statuses_created_at is an index that
-- Mastodon does not have, for comparison.
\set ON_ERROR_STOP on
SET timezone = 'UTC';
CREATE TABLE statuses (
    id bigint PRIMARY KEY,
    uri varchar,
    text text NOT NULL DEFAULT '',
    created_at timestamp NOT NULL,
    updated_at timestamp NOT NULL,
    in_reply_to_id bigint,
    reblog_of_id bigint,
    url varchar,
    sensitive boolean NOT NULL DEFAULT false,
    visibility int NOT NULL DEFAULT 0,
    spoiler_text text NOT NULL DEFAULT '',
    reply boolean NOT NULL DEFAULT false,
    language varchar,
    conversation_id bigint,
    local boolean,
    account_id bigint NOT NULL,
    application_id bigint,
    in_reply_to_account_id bigint,
    poll_id bigint,
    deleted_at timestamp,
    edited_at timestamp,
    trendable boolean,
    ordered_media_attachment_ids bigint[]
);
INSERT INTO statuses (id, uri, text, created_at, updated_at, in_reply_to_id, reblog_of_id, visibility, reply, language, conversation_id, local, account_id, deleted_at)
SELECT layout_min(at, 'mastodon') + n::bigint * 40503 % 65536, 'https://example.org/' || n, repeat('text ', 20), at, at,
    CASE WHEN n % 4 = 0 THEN n - 1 END, CASE WHEN n % 5 = 0 THEN n - 2 END, n % 7 % 4, n % 4 = 0, 'en', n / 3, n % 10 = 0, n::bigint * 7919 % 997,
    CASE WHEN n % 50 = 0 THEN at END
FROM generate_series(1, :count) AS n, LATERAL (SELECT timestamptz '2026-11-21' - (:count - n) * interval '3 s' AS at) AS t;
CREATE INDEX statuses_of_account ON statuses (account_id, id DESC, visibility, updated_at) WHERE deleted_at IS NULL;
CREATE INDEX statuses_public ON statuses (id DESC, account_id) WHERE deleted_at IS NULL AND visibility = 0 AND reblog_of_id IS NULL;
CREATE UNIQUE INDEX statuses_uri ON statuses (uri);
CREATE INDEX statuses_reblog ON statuses (reblog_of_id, account_id);
CREATE INDEX statuses_created_at ON statuses (created_at);
VACUUM ANALYZE statuses;

-- Mastodon's queries on a status' time: by the key with "at", and with created_at as it is.
CREATE VIEW statuses_with_time AS SELECT *, layout_timestamp(id, 'mastodon') AS at FROM statuses;
CREATE TABLE asked (query text, sql text);
INSERT INTO asked VALUES
    ('statuses of each hour of six', $$SELECT date_trunc('hour', created_at) AS hour, count(*) FROM statuses_with_time WHERE at >= '2026-11-20 12:00' AND at < '2026-11-20 18:00' GROUP BY 1 ORDER BY 1$$),
    ('public statuses of a day, newest first', $$SELECT id, account_id FROM statuses_with_time
        WHERE at >= '2026-11-20' AND deleted_at IS NULL AND visibility = 0 AND reblog_of_id IS NULL ORDER BY id DESC LIMIT 40$$),
    ('old statuses of an account, to be deleted', $$SELECT id FROM statuses_with_time WHERE account_id = 17 AND at < '2026-11-19' AND deleted_at IS NULL ORDER BY id LIMIT 100$$);
