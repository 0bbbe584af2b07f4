-- Schedules, approvals, and what is declared in files.

-- Actions and rollouts that run at their times.
CREATE TABLE schedules (
  id              TEXT COLLATE "C" PRIMARY KEY,
  name            TEXT COLLATE "C" NOT NULL UNIQUE,
  description     TEXT COLLATE "C",
  state           TEXT COLLATE "C" NOT NULL CHECK (state IN ('ENABLED', 'PAUSED')),
  timing          TEXT COLLATE "C" NOT NULL,               -- JSON: cron or everySeconds, and timezone
  target_kind     TEXT COLLATE "C" NOT NULL CHECK (target_kind IN ('action', 'rollout')),
  action          TEXT COLLATE "C" NOT NULL,
  service_code    TEXT COLLATE "C",                        -- of an action; it names the service when it runs
  target          TEXT COLLATE "C" NOT NULL,               -- JSON, with [REDACTED] in place of each secret
  withheld        TEXT COLLATE "C" NOT NULL,               -- JSON: pointers to the secrets
  secrets         TEXT COLLATE "C",                        -- JSON
  missed          TEXT COLLATE "C" NOT NULL CHECK (missed IN ('skip', 'once')),
  overlap         TEXT COLLATE "C" NOT NULL CHECK (overlap IN ('skip', 'wait')),
  until_at        BIGINT,                     -- no run is due after this time
  next_at         BIGINT,                     -- when the next run is due; null if none is
  owner_kind      TEXT COLLATE "C" NOT NULL CHECK (owner_kind IN ('user', 'local')),
  owner_id        TEXT COLLATE "C",                        -- the user whose role decides whether it may run
  owner_name      TEXT COLLATE "C" NOT NULL,
  approved_digest TEXT COLLATE "C",                        -- of the content that was approved, if any
  declared        TEXT COLLATE "C",                        -- the set of files that declares it
  version         BIGINT NOT NULL,
  created_at      BIGINT NOT NULL,
  updated_at      BIGINT NOT NULL
);
CREATE INDEX schedules_by_next ON schedules (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX schedules_by_set ON schedules (declared, name) WHERE declared IS NOT NULL;
-- The schemas of an action say which values are secrets.
CREATE INDEX service_actions_by_name ON service_actions (name);

-- The due time is part of the key, so each run exists once, whatever the clock or a second node does.
CREATE TABLE schedule_runs (
  schedule_id   TEXT COLLATE "C" NOT NULL REFERENCES schedules (id) ON DELETE CASCADE,
  due_at        BIGINT NOT NULL,
  trigger       TEXT COLLATE "C" NOT NULL CHECK (trigger IN ('time', 'operator')),
  state         TEXT COLLATE "C" NOT NULL
    CHECK (state IN ('WAITING', 'STARTING', 'RUNNING', 'SUCCEEDED', 'FAILED', 'SKIPPED')),
  error_code    TEXT COLLATE "C",
  error_message TEXT COLLATE "C",
  missed_runs   BIGINT NOT NULL DEFAULT 0,    -- earlier due times that this run replaces
  requested_by  TEXT COLLATE "C",                          -- who ran it at once
  command_id    TEXT COLLATE "C",
  rollout_id    TEXT COLLATE "C",
  started_at    BIGINT,
  ended_at      BIGINT,
  PRIMARY KEY (schedule_id, due_at)
);
CREATE INDEX schedule_runs_open ON schedule_runs (schedule_id, due_at) WHERE ended_at IS NULL;
CREATE INDEX schedule_runs_by_end ON schedule_runs (ended_at) WHERE ended_at IS NOT NULL;

-- Which actions need approval. The first policy that fits an action counts.
CREATE TABLE approval_policies (
  id                    TEXT COLLATE "C" PRIMARY KEY,
  name                  TEXT COLLATE "C" NOT NULL UNIQUE,
  description           TEXT COLLATE "C",
  sort_order            BIGINT NOT NULL,      -- policies are compared in this order, then by id
  rule                  TEXT COLLATE "C" NOT NULL,         -- JSON: selector, action, dangerLevel
  approvals             BIGINT NOT NULL CHECK (approvals IN (1, 2)),
  approvers             TEXT COLLATE "C" NOT NULL,         -- JSON: a role, or ids of users
  expires_after_seconds BIGINT NOT NULL,
  declared              TEXT COLLATE "C",
  version               BIGINT NOT NULL,
  created_at            BIGINT NOT NULL,
  updated_at            BIGINT NOT NULL
);
CREATE INDEX approval_policies_in_order ON approval_policies (sort_order, id);

-- Requests for approval.
CREATE TABLE approvals (
  id             TEXT COLLATE "C" PRIMARY KEY,
  kind           TEXT COLLATE "C" NOT NULL CHECK (kind IN ('action', 'rollout', 'schedule')),
  state          TEXT COLLATE "C" NOT NULL
    CHECK (state IN ('AWAITING_APPROVAL', 'APPROVED', 'REJECTED', 'WITHDRAWN', 'EXPIRED', 'OUTDATED', 'FAILED',
      'BYPASSED')),
  state_reason   TEXT COLLATE "C",                         -- why it was rejected or bypassed, is outdated or has failed
  title          TEXT COLLATE "C" NOT NULL,
  action         TEXT COLLATE "C" NOT NULL,
  service_id     TEXT COLLATE "C",                         -- of an action
  service_code   TEXT COLLATE "C",
  subject_id     TEXT COLLATE "C",                         -- the rollout or schedule
  content        TEXT COLLATE "C" NOT NULL,                -- JSON: what runs, with [REDACTED] in place of each secret
  digest         TEXT COLLATE "C" NOT NULL,                -- of exactly that, and of the secrets
  withheld       TEXT COLLATE "C" NOT NULL,
  secrets        TEXT COLLATE "C",                         -- JSON, until the request has ended
  requirements   TEXT COLLATE "C" NOT NULL,                -- JSON: what each policy demands
  reason         TEXT COLLATE "C",
  requester_kind TEXT COLLATE "C" NOT NULL CHECK (requester_kind IN ('user', 'apiKey', 'local')),
  requester_id   TEXT COLLATE "C",                         -- the user, or the owner of the key
  requester_key  TEXT COLLATE "C",                         -- the API key
  requested_by   TEXT COLLATE "C" NOT NULL,
  command_id     TEXT COLLATE "C",                         -- the command of an approved action
  created_at     BIGINT NOT NULL,
  expires_at     BIGINT NOT NULL,
  ended_at       BIGINT
);
CREATE INDEX approvals_by_state ON approvals (state, id);
CREATE INDEX approvals_by_subject ON approvals (subject_id, id) WHERE subject_id IS NOT NULL;
CREATE INDEX approvals_open ON approvals (expires_at) WHERE ended_at IS NULL;
CREATE INDEX approvals_by_end ON approvals (ended_at) WHERE ended_at IS NOT NULL;

CREATE TABLE approval_decisions (
  approval_id TEXT COLLATE "C" NOT NULL REFERENCES approvals (id) ON DELETE CASCADE,
  user_id     TEXT COLLATE "C" NOT NULL,
  username    TEXT COLLATE "C" NOT NULL,
  decision    TEXT COLLATE "C" NOT NULL CHECK (decision IN ('APPROVE', 'REJECT')),
  comment     TEXT COLLATE "C",
  decided_at  BIGINT NOT NULL,
  PRIMARY KEY (approval_id, user_id)
);

-- Names for the filters of a list.
CREATE TABLE saved_views (
  id         TEXT COLLATE "C" PRIMARY KEY,
  name       TEXT COLLATE "C" NOT NULL,
  noun       TEXT COLLATE "C" NOT NULL,                    -- the list
  query      TEXT COLLATE "C" NOT NULL,                    -- JSON: filters, sort and columns
  user_id    TEXT COLLATE "C" REFERENCES users (id) ON DELETE CASCADE, -- null: everybody sees it
  created_by TEXT COLLATE "C",
  declared   TEXT COLLATE "C",
  version    BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX saved_views_by_name ON saved_views (COALESCE(user_id, ''), name);
CREATE INDEX saved_views_by_user ON saved_views (user_id) WHERE user_id IS NOT NULL;

ALTER TABLE bus_routes ADD COLUMN declared TEXT COLLATE "C";

-- What a schedule has started.
ALTER TABLE commands ADD COLUMN schedule_id TEXT COLLATE "C";
ALTER TABLE rollouts ADD COLUMN schedule_id TEXT COLLATE "C";

-- On which state of its service the command of a target depends, if on any.
ALTER TABLE rollout_targets ADD COLUMN prepare_command_id TEXT COLLATE "C";
ALTER TABLE rollout_targets ADD COLUMN expected_state TEXT COLLATE "C";

-- A rollout can wait for approval.
ALTER TABLE rollouts DROP CONSTRAINT rollouts_state_check;
ALTER TABLE rollouts ADD CONSTRAINT rollouts_state_check CHECK
  (state IN ('AWAITING_APPROVAL', 'RUNNING', 'PAUSED', 'SUCCEEDED', 'FAILED', 'CANCELLED'));

-- An older program would run what needs approval.
UPDATE schema_migrations SET minimum_version = 9;
