-- Calls that were made with an Idempotency-Key, and what each of them was answered first. Written in the
-- transaction of the change that the call made, deleted a day later.
CREATE TABLE idempotency_keys (
  caller      TEXT    NOT NULL,                         -- whose key it is: an id, or local:<user>
  key         TEXT    NOT NULL,
  route       TEXT    NOT NULL,                         -- the route's name
  fingerprint TEXT    NOT NULL,                         -- HMAC of what was asked for
  answer      TEXT    NOT NULL,                         -- JSON, without what is shown only once
  created_at  INTEGER NOT NULL,
  PRIMARY KEY (caller, key)
) STRICT;
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

-- Whether the agent has something to prepare: without it no command is made for the form.
ALTER TABLE service_actions ADD COLUMN prepare INTEGER NOT NULL DEFAULT 1;
