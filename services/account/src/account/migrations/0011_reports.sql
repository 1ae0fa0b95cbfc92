-- Problems that people have reported. `account` and `id` (the reporter's own, by which a repeated report is known) are
-- forgotten when the reporter's account is deleted, and `person` when that one is.
CREATE TABLE reports (
    report text PRIMARY KEY,
    account text REFERENCES accounts ON DELETE SET NULL,
    id text,
    place text NOT NULL,
    text text NOT NULL,
    page text,
    table_id text,
    version bigint,
    person text,
    made_at bigint NOT NULL,
    state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'taken', 'answered', 'closed')),
    taken_by text,
    answer text,
    answered_at bigint
);

CREATE UNIQUE INDEX reports_account_id ON reports (account, id);
CREATE INDEX reports_account ON reports (account, made_at, report);
CREATE INDEX reports_person ON reports (person);
CREATE INDEX reports_state ON reports (state, made_at, report);
CREATE INDEX reports_made_at ON reports (made_at, report);
