-- Fleet operations.

-- Labels of services, besides those of their agents.
ALTER TABLE services ADD COLUMN labels TEXT COLLATE "C" NOT NULL DEFAULT '{}'; -- JSON; service_labels is its index
CREATE TABLE service_labels (
  service_id TEXT COLLATE "C" NOT NULL REFERENCES services (id) ON DELETE CASCADE,
  key        TEXT COLLATE "C" NOT NULL,
  value      TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (service_id, key)
);
CREATE INDEX service_labels_by_value ON service_labels (key, value, service_id);

-- One action on many services, in waves.
CREATE TABLE rollouts (
  id            TEXT COLLATE "C" PRIMARY KEY,
  name          TEXT COLLATE "C",
  action        TEXT COLLATE "C" NOT NULL,
  state         TEXT COLLATE "C" NOT NULL
    CHECK (state IN ('RUNNING', 'PAUSED', 'SUCCEEDED', 'FAILED', 'CANCELLED')),
  state_reason  TEXT COLLATE "C",
  reason        TEXT COLLATE "C",             -- in the operator's words
  choice        TEXT COLLATE "C" NOT NULL,    -- JSON: how the operator chose the services
  plan          TEXT COLLATE "C" NOT NULL,    -- JSON: the waves and the rules, with numbers of targets
  payload       TEXT COLLATE "C" NOT NULL,    -- JSON, with [REDACTED] in place of each secret
  withheld      TEXT COLLATE "C" NOT NULL,    -- JSON: pointers to the secrets
  secrets       TEXT COLLATE "C",             -- JSON, until the rollout has ended
  wave          BIGINT NOT NULL,
  wave_ended_at BIGINT,
  created_by    TEXT COLLATE "C",
  retry_of      TEXT COLLATE "C",
  created_at    BIGINT NOT NULL,
  completed_at  BIGINT,
  settled_at    BIGINT                        -- when it had ended, and its last command as well
);
CREATE INDEX rollouts_by_state ON rollouts (state, id);
CREATE INDEX rollouts_by_action ON rollouts (action, id);
CREATE INDEX rollouts_unsettled ON rollouts (id) WHERE settled_at IS NULL;
CREATE INDEX rollouts_by_settled ON rollouts (settled_at) WHERE settled_at IS NOT NULL;

CREATE TABLE rollout_targets (
  rollout_id    TEXT COLLATE "C" NOT NULL REFERENCES rollouts (id) ON DELETE CASCADE,
  ordinal       BIGINT NOT NULL,
  wave          BIGINT NOT NULL,
  service_id    TEXT COLLATE "C" NOT NULL,
  service_code  TEXT COLLATE "C" NOT NULL,
  agent_id      TEXT COLLATE "C" NOT NULL,
  agent_code    TEXT COLLATE "C" NOT NULL,
  state         TEXT COLLATE "C" NOT NULL
    CHECK (state IN ('WAITING', 'RUNNING', 'CHECKING', 'SUCCEEDED', 'FAILED', 'NOT_RUN')),
  payload       TEXT COLLATE "C",             -- JSON like that of the rollout, which it replaces
  withheld      TEXT COLLATE "C",
  secrets       TEXT COLLATE "C",
  command_id    TEXT COLLATE "C",
  ended_at      BIGINT,                       -- when the command ended
  error_code    TEXT COLLATE "C",
  error_message TEXT COLLATE "C",
  PRIMARY KEY (rollout_id, ordinal)
);
CREATE UNIQUE INDEX rollout_targets_by_service ON rollout_targets (rollout_id, service_id);
CREATE INDEX rollout_targets_by_state ON rollout_targets (rollout_id, state, wave, ordinal);

-- The rollout that created the command.
ALTER TABLE commands ADD COLUMN rollout_id TEXT COLLATE "C";
CREATE INDEX commands_by_rollout ON commands (rollout_id, id) WHERE rollout_id IS NOT NULL;

-- Structured results: how lists show the actions of a service.
ALTER TABLE service_actions ADD COLUMN category TEXT COLLATE "C";
ALTER TABLE service_actions ADD COLUMN sort_order BIGINT;
ALTER TABLE service_actions ADD COLUMN hidden BIGINT NOT NULL DEFAULT 0;

-- Plan and apply.

-- What the agent's program can do, as a JSON list of known names.
ALTER TABLE agents ADD COLUMN features TEXT COLLATE "C" NOT NULL DEFAULT '[]';

-- The fingerprint that the service's state must still have when the agent runs the command, if any.
ALTER TABLE commands ADD COLUMN expected_state TEXT COLLATE "C";
-- An older program would deliver a command without the state that it expects.
UPDATE schema_migrations SET minimum_version = 8;

-- What agents have sent of the output of their commands. Of a long output, pages in the middle are
-- missing. Positions count the bytes that the agent has sent.
CREATE TABLE command_output_pages (
  command_id TEXT   COLLATE "C" NOT NULL REFERENCES commands (id) ON DELETE CASCADE,
  number     BIGINT NOT NULL,
  first_byte BIGINT NOT NULL,
  next_byte  BIGINT NOT NULL,
  parts      TEXT   COLLATE "C" NOT NULL,    -- JSON: texts of both streams, and gaps
  PRIMARY KEY (command_id, number)
);
