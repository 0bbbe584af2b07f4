-- Fleet operations.

-- Labels of services, besides those of their agents.
ALTER TABLE services ADD COLUMN labels TEXT NOT NULL DEFAULT '{}'; -- JSON; service_labels is its index
CREATE TABLE service_labels (
  service_id TEXT NOT NULL REFERENCES services (id) ON DELETE CASCADE,
  key        TEXT NOT NULL,
  value      TEXT NOT NULL,
  PRIMARY KEY (service_id, key)
) STRICT;
CREATE INDEX service_labels_by_value ON service_labels (key, value, service_id);

-- One action on many services, in waves.
CREATE TABLE rollouts (
  id            TEXT PRIMARY KEY,
  name          TEXT,
  action        TEXT NOT NULL,
  state         TEXT NOT NULL
    CHECK (state IN ('RUNNING', 'PAUSED', 'SUCCEEDED', 'FAILED', 'CANCELLED')),
  state_reason  TEXT,
  reason        TEXT,                         -- in the operator's words
  choice        TEXT NOT NULL,                -- JSON: how the operator chose the services
  plan          TEXT NOT NULL,                -- JSON: the waves and the rules, with numbers of targets
  payload       TEXT NOT NULL,                -- JSON, with [REDACTED] in place of each secret
  withheld      TEXT NOT NULL,                -- JSON: pointers to the secrets
  secrets       TEXT,                         -- JSON, until the rollout has ended
  wave          INTEGER NOT NULL,
  wave_ended_at INTEGER,
  created_by    TEXT,
  retry_of      TEXT,
  created_at    INTEGER NOT NULL,
  completed_at  INTEGER,
  settled_at    INTEGER                       -- when it had ended, and its last command as well
) STRICT;
CREATE INDEX rollouts_by_state ON rollouts (state, id);
CREATE INDEX rollouts_by_action ON rollouts (action, id);
CREATE INDEX rollouts_unsettled ON rollouts (id) WHERE settled_at IS NULL;
CREATE INDEX rollouts_by_settled ON rollouts (settled_at) WHERE settled_at IS NOT NULL;

CREATE TABLE rollout_targets (
  rollout_id    TEXT NOT NULL REFERENCES rollouts (id) ON DELETE CASCADE,
  ordinal       INTEGER NOT NULL,
  wave          INTEGER NOT NULL,
  service_id    TEXT NOT NULL,
  service_code  TEXT NOT NULL,
  agent_id      TEXT NOT NULL,
  agent_code    TEXT NOT NULL,
  state         TEXT NOT NULL
    CHECK (state IN ('WAITING', 'RUNNING', 'CHECKING', 'SUCCEEDED', 'FAILED', 'NOT_RUN')),
  payload       TEXT,                         -- JSON like that of the rollout, which it replaces
  withheld      TEXT,
  secrets       TEXT,
  command_id    TEXT,
  ended_at      INTEGER,                      -- when the command ended
  error_code    TEXT,
  error_message TEXT,
  PRIMARY KEY (rollout_id, ordinal)
) STRICT;
CREATE UNIQUE INDEX rollout_targets_by_service ON rollout_targets (rollout_id, service_id);
CREATE INDEX rollout_targets_by_state ON rollout_targets (rollout_id, state, wave, ordinal);

-- The rollout that created the command.
ALTER TABLE commands ADD COLUMN rollout_id TEXT;
CREATE INDEX commands_by_rollout ON commands (rollout_id, id) WHERE rollout_id IS NOT NULL;

-- Structured results: how lists show the actions of a service.
ALTER TABLE service_actions ADD COLUMN category TEXT;
ALTER TABLE service_actions ADD COLUMN sort_order INTEGER;
ALTER TABLE service_actions ADD COLUMN hidden INTEGER NOT NULL DEFAULT 0;

-- Plan and apply.

-- What the agent's program can do, as a JSON list of known names.
ALTER TABLE agents ADD COLUMN features TEXT NOT NULL DEFAULT '[]';

-- The fingerprint that the service's state must still have when the agent runs the command, if any.
ALTER TABLE commands ADD COLUMN expected_state TEXT;
-- An older program would deliver a command without the state that it expects.
UPDATE schema_migrations SET minimum_version = 8;

-- What agents have sent of the output of their commands. Of a long output, pages in the middle are
-- missing. Positions count the bytes that the agent has sent.
CREATE TABLE command_output_pages (
  command_id TEXT    NOT NULL REFERENCES commands (id) ON DELETE CASCADE,
  number     INTEGER NOT NULL,
  first_byte INTEGER NOT NULL,
  next_byte  INTEGER NOT NULL,
  parts      TEXT    NOT NULL,               -- JSON: texts of both streams, and gaps
  PRIMARY KEY (command_id, number)
) STRICT;
