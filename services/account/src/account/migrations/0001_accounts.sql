-- All times are ms since 1970, by this database's clock.
CREATE TABLE accounts (
    account text PRIMARY KEY,
    version integer NOT NULL DEFAULT 0,
    kind text NOT NULL CHECK (kind IN ('guest', 'kept', 'program', 'house')),
    region text NOT NULL,
    made_at bigint NOT NULL,
    name text,
    avatar text NOT NULL DEFAULT '6-6',
    language text NOT NULL DEFAULT 'en',
    bot boolean NOT NULL DEFAULT false,
    -- Of a program: whose it is, the id of the command that made it, and what its owner calls it.
    owner text REFERENCES accounts ON DELETE CASCADE,
    made_by text,
    all_ended_at bigint,
    merged_into text REFERENCES accounts ON DELETE CASCADE,
    -- A deleted account's row has nothing of the person any more: it is there so that it is not made again.
    deleted_at bigint,
    UNIQUE (owner, made_by)
);

CREATE INDEX accounts_merged_into ON accounts (merged_into) WHERE merged_into IS NOT NULL;

-- Sessions, and personal tokens: those have scopes. Of the secret there is the SHA-256 alone, in hexadecimal digits.
CREATE TABLE sessions (
    session text PRIMARY KEY,
    account text NOT NULL REFERENCES accounts ON DELETE CASCADE,
    secret_hash text NOT NULL UNIQUE,
    label text NOT NULL DEFAULT '',
    scopes text[],
    made_at bigint NOT NULL,
    used_at bigint,
    -- Of a personal token: the id of the command that made it.
    made_by text,
    UNIQUE (account, made_by)
);

-- Sessions that have ended, while an access token of theirs may not have run out. A deleted account has none.
CREATE TABLE ended_sessions (
    session text PRIMARY KEY,
    account text NOT NULL REFERENCES accounts ON DELETE CASCADE,
    ended_at bigint NOT NULL
);

CREATE INDEX ended_sessions_account ON ended_sessions (account);
CREATE INDEX ended_sessions_ended_at ON ended_sessions (ended_at);

CREATE TABLE mutes (
    account text NOT NULL REFERENCES accounts ON DELETE CASCADE,
    other text NOT NULL,
    PRIMARY KEY (account, other)
);
