-- `mailbox`: the same for every way of writing an address that may reach the same one; links are counted by it.
ALTER TABLE links ADD COLUMN mailbox text NOT NULL DEFAULT '';

CREATE INDEX links_mailbox ON links (mailbox, asked_at);
