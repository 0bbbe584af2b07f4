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

-- Lists of commands leave prepares out, and are counted: with the type in them, the indexes that find
-- commands count them, too, without a look at the rows.
DROP INDEX commands_by_status;
CREATE INDEX commands_by_status ON commands (status, id, type);
DROP INDEX commands_by_agent;
CREATE INDEX commands_by_agent ON commands (agent_id, id, type);
DROP INDEX commands_by_service;
CREATE INDEX commands_by_service ON commands (service_id, id, type);
DROP INDEX commands_by_action;
CREATE INDEX commands_by_action ON commands (action, id, type);
DROP INDEX commands_by_creation;
CREATE INDEX commands_by_creation ON commands (created_at, id, type);
