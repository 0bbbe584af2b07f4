-- What attackers and operators found: API keys that end with their user, agents that say goodbye, history that
-- outlives what it names, calls that are made once, services and codes that belong to their agents.

-- API keys belong to the user who made them, also through another key, and may be for metrics alone.
-- Keys made on the host belong to nobody. What the trail does not say any more, the name says.

CREATE TABLE api_keys_next (
  id           TEXT    PRIMARY KEY,
  name         TEXT    NOT NULL,
  role         TEXT    NOT NULL CHECK (role IN ('owner', 'operator', 'viewer', 'metrics')),
  key_hash     TEXT    NOT NULL UNIQUE,
  user_id      TEXT,                                    -- the user may be deleted later
  created_by   TEXT,                                    -- a name, kept as it was
  created_at   INTEGER NOT NULL,
  expires_at   INTEGER,
  revoked_at   INTEGER,
  last_used_at INTEGER
) STRICT;

WITH RECURSIVE
  made (key_id, actor_type, actor_id) AS (
    SELECT target_id, actor_type, actor_id FROM audit_events WHERE action = 'api_key.created'
  ),
  -- Of each key the user who made it, or the key that it was made through.
  makers (key_id, user_id, parent_id) AS (
    SELECT key_id,
      CASE actor_type WHEN 'USER' THEN actor_id END,
      CASE actor_type WHEN 'API_KEY' THEN actor_id END
    FROM made
    UNION ALL
    SELECT k.id,
      (SELECT u.id FROM users u WHERE u.username = k.created_by AND u.created_at <= k.created_at),
      (SELECT p.id FROM api_keys p
        WHERE p.name = k.created_by AND p.id <> k.id AND p.created_at <= k.created_at
        ORDER BY p.created_at DESC LIMIT 1)
    FROM api_keys k WHERE k.id NOT IN (SELECT key_id FROM made WHERE key_id IS NOT NULL)
  ),
  owners (key_id, user_id, parent_id) AS (
    SELECT key_id, user_id, parent_id FROM makers
    UNION
    SELECT o.key_id, m.user_id, m.parent_id
    FROM owners o JOIN makers m ON o.user_id IS NULL AND m.key_id = o.parent_id
  )
INSERT INTO api_keys_next
SELECT k.id, k.name, k.role, k.key_hash,
  (SELECT user_id FROM owners WHERE key_id = k.id AND user_id IS NOT NULL),
  k.created_by, k.created_at, k.expires_at, k.revoked_at, k.last_used_at
FROM api_keys k;

DROP TABLE api_keys;
ALTER TABLE api_keys_next RENAME TO api_keys;

CREATE INDEX api_keys_by_user ON api_keys (user_id) WHERE user_id IS NOT NULL;

-- The networks that a user has signed in from: their sign-ins are not refused for the failures of others.
CREATE TABLE sign_in_networks (
  user_id      TEXT    NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  network      TEXT    NOT NULL,                        -- an IPv4 address, or the /64 of an IPv6 one
  last_used_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, network)
) STRICT, WITHOUT ROWID;

INSERT INTO sign_in_networks (user_id, network, last_used_at)
SELECT user_id, ip, MAX(last_used_at) FROM sessions
WHERE ip IS NOT NULL AND ip NOT LIKE '%:%' GROUP BY user_id, ip;

-- Credentials that have ended are deleted some time later, the oldest first.
CREATE INDEX api_keys_by_end ON api_keys (COALESCE(revoked_at, expires_at));
CREATE INDEX agent_tokens_by_end ON agent_tokens (revoked_at) WHERE revoked_at IS NOT NULL;
CREATE INDEX registration_tokens_by_end ON registration_tokens (COALESCE(revoked_at, used_at, expires_at))
  WHERE status <> 'ACTIVE';

-- Agents say when they stop, and what became of work that was cancelled while it ran.

-- When the agent said that it stops; null as soon as it calls again.
ALTER TABLE agents ADD COLUMN stopped_at INTEGER;

-- From the result that came after the cancellation; null until there is one.
ALTER TABLE commands ADD COLUMN cancel_outcome TEXT
  CHECK (cancel_outcome IN ('STOPPED', 'FINISHED', 'NOT_STOPPED', 'UNKNOWN'));

-- No agent was told of a cancellation before: whatever reported a result had ended by itself.
UPDATE commands SET cancel_outcome = (
  SELECT CASE
    WHEN r.success = 0 AND json_extract(r.error_json, '$.code') IN ('AGENT_RESTARTED', 'AGENT_STOPPED')
    THEN 'UNKNOWN' ELSE 'FINISHED' END
  FROM command_results r WHERE r.command_id = commands.id AND r.late = 1)
WHERE status = 'CANCELLED' AND cancelled_while_running = 1;

-- Cancellations that agents are still to be told of: looked for with every poll of an agent at work.
CREATE INDEX commands_to_stop ON commands (agent_id, completed_at)
  WHERE status = 'CANCELLED' AND cancelled_while_running = 1 AND cancel_outcome IS NULL;

-- Commands, bus events and registration tokens outlive the agents, services and commands that they name,
-- so that those can be deleted: the names stay, the references go. SQLite has no statement that drops a
-- reference. Its documentation (lang_altertable.html, section 7) describes this one for constraints, which
-- are not a part of what is stored: the text of the schema changes, and no row does. A rebuild would copy a
-- million commands and all of their indexes.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(replace(replace(sql,
    ' REFERENCES agents (id)', ''),
    ' REFERENCES services (id)', ''),
    ' REFERENCES commands (id)', '')
  WHERE type = 'table' AND name IN ('commands', 'bus_events', 'bus_matches', 'registration_tokens');
PRAGMA writable_schema = RESET;

-- They were for the checks of those references, and nothing else asks them.
DROP INDEX commands_by_prepare;
DROP INDEX commands_by_retry;
DROP INDEX bus_matches_by_command;
DROP INDEX registration_tokens_by_agent;

ALTER TABLE commands ADD COLUMN agent_code TEXT NOT NULL DEFAULT '';
-- OR ROLLBACK: without it SQLite keeps every changed page, of all commands, in memory until the statement ends,
-- in case that one row fails.
UPDATE OR ROLLBACK commands
  SET agent_code = COALESCE((SELECT code FROM agents WHERE agents.id = commands.agent_id), '');

-- The payload without its secrets, and apart from it where they belong and what they are. The latter are
-- NULL once a command has ended. Commands from before this migration have NULL in both until
-- src/core/old-secrets.ts has come to them.
ALTER TABLE commands ADD COLUMN withheld TEXT;          -- JSON list of pointers
ALTER TABLE commands ADD COLUMN secrets TEXT;           -- JSON list of values
CREATE INDEX commands_with_old_payload ON commands (id) WHERE withheld IS NULL;

-- Deleting a command looks for its results: one index that finds them, in place of two that do not.
CREATE UNIQUE INDEX command_results_by_command ON command_results (command_id, late);
DROP INDEX command_results_late;
DROP INDEX command_results_outcome;

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

-- A service belongs to the agent that reports it, an agent's code to the agent that has it.

-- The agents that a registration token lets in: a code, or the beginning of one with * behind it.
ALTER TABLE registration_tokens ADD COLUMN agent_code TEXT;
-- 1: also in the place of an agent that is alive.
ALTER TABLE registration_tokens ADD COLUMN replaces_agent INTEGER NOT NULL DEFAULT 0
  CHECK (replaces_agent IN (0, 1));

-- Services in an agent's latest report that belong to another agent.
CREATE TABLE service_claims (
  service_id TEXT    NOT NULL REFERENCES services (id) ON DELETE CASCADE,
  agent_id   TEXT    NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  since      INTEGER NOT NULL,
  PRIMARY KEY (service_id, agent_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX service_claims_by_agent ON service_claims (agent_id, service_id);

-- Revoking a token has left the agent ONLINE until it had been silent for a while.
UPDATE agents SET status = 'OFFLINE'
  WHERE status = 'ONLINE'
    AND NOT EXISTS (SELECT 1 FROM agent_tokens t WHERE t.agent_id = agents.id AND t.revoked_at IS NULL);
