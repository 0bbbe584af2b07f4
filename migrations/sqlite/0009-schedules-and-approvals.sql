-- Schedules, approvals, and what is declared in files.

-- Actions and rollouts that run at their times.
CREATE TABLE schedules (
  id              TEXT PRIMARY KEY,
  name            TEXT NOT NULL UNIQUE,
  description     TEXT,
  state           TEXT NOT NULL CHECK (state IN ('ENABLED', 'PAUSED')),
  timing          TEXT NOT NULL,               -- JSON: cron or everySeconds, and timezone
  target_kind     TEXT NOT NULL CHECK (target_kind IN ('action', 'rollout')),
  action          TEXT NOT NULL,
  service_code    TEXT,                        -- of an action; it names the service when it runs
  target          TEXT NOT NULL,               -- JSON, with [REDACTED] in place of each secret
  withheld        TEXT NOT NULL,               -- JSON: pointers to the secrets
  secrets         TEXT,                        -- JSON
  missed          TEXT NOT NULL CHECK (missed IN ('skip', 'once')),
  overlap         TEXT NOT NULL CHECK (overlap IN ('skip', 'wait')),
  until_at        INTEGER,                     -- no run is due after this time
  next_at         INTEGER,                     -- when the next run is due; null if none is
  owner_kind      TEXT NOT NULL CHECK (owner_kind IN ('user', 'local')),
  owner_id        TEXT,                        -- the user whose role decides whether it may run
  owner_name      TEXT NOT NULL,
  approved_digest TEXT,                        -- of the content that was approved, if any
  declared        TEXT,                        -- the set of files that declares it
  version         INTEGER NOT NULL,
  created_at      INTEGER NOT NULL,
  updated_at      INTEGER NOT NULL
) STRICT;
CREATE INDEX schedules_by_next ON schedules (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX schedules_by_set ON schedules (declared, name) WHERE declared IS NOT NULL;
-- The schemas of an action say which values are secrets.
CREATE INDEX service_actions_by_name ON service_actions (name);

-- The due time is part of the key, so each run exists once, whatever the clock or a second node does.
CREATE TABLE schedule_runs (
  schedule_id   TEXT NOT NULL REFERENCES schedules (id) ON DELETE CASCADE,
  due_at        INTEGER NOT NULL,
  trigger       TEXT NOT NULL CHECK (trigger IN ('time', 'operator')),
  state         TEXT NOT NULL
    CHECK (state IN ('WAITING', 'STARTING', 'RUNNING', 'SUCCEEDED', 'FAILED', 'SKIPPED')),
  error_code    TEXT,
  error_message TEXT,
  missed_runs   INTEGER NOT NULL DEFAULT 0,    -- earlier due times that this run replaces
  requested_by  TEXT,                          -- who ran it at once
  command_id    TEXT,
  rollout_id    TEXT,
  started_at    INTEGER,
  ended_at      INTEGER,
  PRIMARY KEY (schedule_id, due_at)
) STRICT;
CREATE INDEX schedule_runs_open ON schedule_runs (schedule_id, due_at) WHERE ended_at IS NULL;
CREATE INDEX schedule_runs_by_end ON schedule_runs (ended_at) WHERE ended_at IS NOT NULL;

-- Which actions need approval. The first policy that fits an action counts.
CREATE TABLE approval_policies (
  id                    TEXT PRIMARY KEY,
  name                  TEXT NOT NULL UNIQUE,
  description           TEXT,
  sort_order            INTEGER NOT NULL,      -- policies are compared in this order, then by id
  rule                  TEXT NOT NULL,         -- JSON: selector, action, dangerLevel
  approvals             INTEGER NOT NULL CHECK (approvals IN (1, 2)),
  approvers             TEXT NOT NULL,         -- JSON: a role, or ids of users
  expires_after_seconds INTEGER NOT NULL,
  declared              TEXT,
  version               INTEGER NOT NULL,
  created_at            INTEGER NOT NULL,
  updated_at            INTEGER NOT NULL
) STRICT;
CREATE INDEX approval_policies_in_order ON approval_policies (sort_order, id);

-- Requests for approval.
CREATE TABLE approvals (
  id             TEXT PRIMARY KEY,
  kind           TEXT NOT NULL CHECK (kind IN ('action', 'rollout', 'schedule')),
  state          TEXT NOT NULL
    CHECK (state IN ('AWAITING_APPROVAL', 'APPROVED', 'REJECTED', 'WITHDRAWN', 'EXPIRED', 'OUTDATED', 'FAILED',
      'BYPASSED')),
  state_reason   TEXT,                         -- why it was rejected or bypassed, is outdated or has failed
  title          TEXT NOT NULL,
  action         TEXT NOT NULL,
  service_id     TEXT,                         -- of an action
  service_code   TEXT,
  subject_id     TEXT,                         -- the rollout or schedule
  content        TEXT NOT NULL,                -- JSON: what runs, with [REDACTED] in place of each secret
  digest         TEXT NOT NULL,                -- of exactly that, and of the secrets
  withheld       TEXT NOT NULL,
  secrets        TEXT,                         -- JSON, until the request has ended
  requirements   TEXT NOT NULL,                -- JSON: what each policy demands
  reason         TEXT,
  requester_kind TEXT NOT NULL CHECK (requester_kind IN ('user', 'apiKey', 'local')),
  requester_id   TEXT,                         -- the user, or the owner of the key
  requester_key  TEXT,                         -- the API key
  requested_by   TEXT NOT NULL,
  command_id     TEXT,                         -- the command of an approved action
  created_at     INTEGER NOT NULL,
  expires_at     INTEGER NOT NULL,
  ended_at       INTEGER
) STRICT;
CREATE INDEX approvals_by_state ON approvals (state, id);
CREATE INDEX approvals_by_subject ON approvals (subject_id, id) WHERE subject_id IS NOT NULL;
CREATE INDEX approvals_open ON approvals (expires_at) WHERE ended_at IS NULL;
CREATE INDEX approvals_by_end ON approvals (ended_at) WHERE ended_at IS NOT NULL;

CREATE TABLE approval_decisions (
  approval_id TEXT NOT NULL REFERENCES approvals (id) ON DELETE CASCADE,
  user_id     TEXT NOT NULL,
  username    TEXT NOT NULL,
  decision    TEXT NOT NULL CHECK (decision IN ('APPROVE', 'REJECT')),
  comment     TEXT,
  decided_at  INTEGER NOT NULL,
  PRIMARY KEY (approval_id, user_id)
) STRICT;

-- Names for the filters of a list.
CREATE TABLE saved_views (
  id         TEXT PRIMARY KEY,
  name       TEXT NOT NULL,
  noun       TEXT NOT NULL,                    -- the list
  query      TEXT NOT NULL,                    -- JSON: filters, sort and columns
  user_id    TEXT REFERENCES users (id) ON DELETE CASCADE, -- null: everybody sees it
  created_by TEXT,
  declared   TEXT,
  version    INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX saved_views_by_name ON saved_views (COALESCE(user_id, ''), name);
CREATE INDEX saved_views_by_user ON saved_views (user_id) WHERE user_id IS NOT NULL;

ALTER TABLE bus_routes ADD COLUMN declared TEXT;

-- What a schedule has started.
ALTER TABLE commands ADD COLUMN schedule_id TEXT;
ALTER TABLE rollouts ADD COLUMN schedule_id TEXT;

-- On which state of its service the command of a target depends, if on any.
ALTER TABLE rollout_targets ADD COLUMN prepare_command_id TEXT;
ALTER TABLE rollout_targets ADD COLUMN expected_state TEXT;

-- A rollout can wait for approval.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema
SET sql = replace(sql, 'state IN (''RUNNING''', 'state IN (''AWAITING_APPROVAL'', ''RUNNING''')
WHERE type = 'table' AND name = 'rollouts';
PRAGMA writable_schema = RESET;

-- An older program would run what needs approval.
UPDATE schema_migrations SET minimum_version = 9;
