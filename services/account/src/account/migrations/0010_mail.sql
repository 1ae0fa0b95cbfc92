-- By which addresses accounts are kept. `address_key` is the same for every way of writing an address.
CREATE TABLE mail_addresses (
    account text PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
    address text NOT NULL,
    address_key text NOT NULL UNIQUE,
    kept_at bigint NOT NULL
);

-- Links that were asked for, by an account or by somebody without one. Kept for a day, because they are counted.
-- `public_url`: where they lead; empty: the mail has the code alone.
CREATE TABLE links (
    link bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account text REFERENCES accounts ON DELETE CASCADE,
    address text NOT NULL,
    address_key text NOT NULL,
    language text NOT NULL,
    region text NOT NULL,
    public_url text NOT NULL,
    asked_at bigint NOT NULL,
    used_at bigint
);

CREATE INDEX links_address_key ON links (address_key, asked_at);
CREATE INDEX links_account ON links (account, asked_at);
CREATE INDEX links_asked_at ON links (asked_at);

-- What opens a link: the SHA-256 of a code in hexadecimal digits. A link that was sent twice has two.
CREATE TABLE link_codes (
    hash text PRIMARY KEY,
    link bigint NOT NULL REFERENCES links ON DELETE CASCADE,
    expires_at bigint NOT NULL
);

CREATE INDEX link_codes_link ON link_codes (link);

-- Mails to be sent, from `due_at` on and until `given_up_at`. With a `link` it is that link's; without, the notice to
-- `address` that an account is no longer kept by it.
CREATE TABLE mails (
    mail bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    link bigint REFERENCES links ON DELETE CASCADE,
    account text REFERENCES accounts ON DELETE CASCADE,
    address text NOT NULL,
    language text NOT NULL,
    tries integer NOT NULL DEFAULT 0,
    due_at bigint NOT NULL,
    given_up_at bigint NOT NULL
);

CREATE INDEX mails_due_at ON mails (due_at);
CREATE INDEX mails_link ON mails (link);
CREATE INDEX mails_account ON mails (account);
