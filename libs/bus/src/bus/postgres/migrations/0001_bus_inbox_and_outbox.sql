-- What has been carried out, so that a repeated command has one effect. `seen_at` in ms.
CREATE TABLE inbox (
    principal text NOT NULL,
    id text NOT NULL,
    seen_at bigint NOT NULL DEFAULT (extract(epoch FROM clock_timestamp()) * 1000)::bigint,
    PRIMARY KEY (principal, id)
);

CREATE INDEX inbox_seen_at ON inbox (seen_at);

-- What has been done and is still to be told. Rows of one key become visible in the order of their ids.
CREATE TABLE outbox (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    topic text NOT NULL,
    key text NOT NULL,
    value bytea,
    traceparent text,
    put_at bigint NOT NULL DEFAULT (extract(epoch FROM clock_timestamp()) * 1000)::bigint
);
