-- A guest's session that nobody has come with so far: the gateway has not answered whoever wanted it.
ALTER TABLE sessions ADD COLUMN unused boolean NOT NULL DEFAULT false;

CREATE INDEX sessions_unused ON sessions (made_at) WHERE unused;
CREATE INDEX accounts_house ON accounts (account) WHERE kind = 'house';
