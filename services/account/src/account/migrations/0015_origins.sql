-- `origin`: a hash of the mailbox and of the network address that has asked; empty: asked before this was noted.
ALTER TABLE links ADD COLUMN origin text NOT NULL DEFAULT '';

CREATE INDEX links_origin ON links (origin, asked_at);
