-- Schedules, approvals, saved views, and what was declared in files.

-- Actions and rollouts that run at times of their own.
CREATE TABLE schedules (
  id           TEXT PRIMARY KEY,
  name         TEXT NOT NULL UNIQUE,
  description  TEXT,
  state        TEXT NOT NULL CHECK (state IN ('ACTIVE', 'PAUSED', 'ENDED')),
  state_reason TEXT,
  cron         TEXT,                         -- null if it has an interval
  every_ms     INTEGER,
  timezone     TEXT NOT NULL,
  begins_at    INTEGER NOT NULL,             -- an interval counts from here
  until_at     INTEGER,
  missed       TEXT NOT NULL CHECK (missed IN ('skip', 'once')),
  overlap      TEXT NOT NULL CHECK (overlap IN ('skip', 'wait')),
  kind         TEXT NOT NULL CHECK (kind IN ('ACTION', 'ROLLOUT')),
  service_code TEXT,                         -- null for a rollout
  action       TEXT NOT NULL,
  content      TEXT NOT NULL,                -- JSON: the request that each run makes
  owner_kind   TEXT NOT NULL CHECK (owner_kind IN ('user', 'apiKey', 'local')),
  owner_id     TEXT,                         -- null if it was created on the host
  owner_name   TEXT NOT NULL,
  approval_id  TEXT,                         -- of its content, if that needed one
  covered      TEXT NOT NULL DEFAULT '[]',   -- JSON: the policies that the approval satisfied
  next_due_at  INTEGER,                      -- null unless it is ACTIVE
  version      INTEGER NOT NULL,
  created_at   INTEGER NOT NULL,
  updated_at   INTEGER NOT NULL,
  CHECK ((cron IS NULL) <> (every_ms IS NULL))
) STRICT;
CREATE INDEX schedules_due ON schedules (next_due_at) WHERE next_due_at IS NOT NULL;

-- The due time is the key, so no due time has two runs, whatever fails and whoever tries.
CREATE TABLE schedule_runs (
  schedule_id   TEXT NOT NULL REFERENCES schedules (id) ON DELETE CASCADE,
  due_at        INTEGER NOT NULL,
  state         TEXT NOT NULL
    CHECK (state IN ('WAITING', 'AWAITING_APPROVAL', 'STARTED', 'FAILED', 'SKIPPED', 'MISSED')),
  requested_by  TEXT,                        -- null if it was due
  error_code    TEXT,
  error_message TEXT,
  missed        INTEGER NOT NULL,            -- how many due times since the last run have no run
  command_id    TEXT,
  rollout_id    TEXT,
  approval_id   TEXT,
  noted_at      INTEGER NOT NULL,            -- when the run started or was found not to start
  PRIMARY KEY (schedule_id, due_at)
) STRICT;
CREATE INDEX schedule_runs_open ON schedule_runs (state, schedule_id)
  WHERE state IN ('WAITING', 'AWAITING_APPROVAL');
CREATE INDEX schedule_runs_by_time ON schedule_runs (noted_at);

-- Which actions need which approvals.
CREATE TABLE approval_policies (
  id            TEXT PRIMARY KEY,
  name          TEXT NOT NULL UNIQUE,
  description   TEXT,
  position      INTEGER NOT NULL,            -- the first policy that fits counts
  selector      TEXT,
  actions       TEXT,                        -- JSON: names and patterns; null fits every action
  danger_levels TEXT,                        -- JSON; null fits every level
  approvals     INTEGER NOT NULL,
  approver_role TEXT CHECK (approver_role IN ('operator', 'owner')),
  approver_ids  TEXT,                        -- JSON: ids of users, in place of a role
  expires_ms    INTEGER NOT NULL,
  version       INTEGER NOT NULL,
  created_at    INTEGER NOT NULL,
  updated_at    INTEGER NOT NULL
) STRICT;

-- Requests that wait for approval, and those that have ended.
CREATE TABLE approvals (
  id                TEXT PRIMARY KEY,
  kind              TEXT NOT NULL CHECK (kind IN ('ACTION', 'ROLLOUT', 'SCHEDULE')),
  state             TEXT NOT NULL
    CHECK (state IN ('PENDING', 'APPROVED', 'REJECTED', 'WITHDRAWN', 'EXPIRED', 'FAILED')),
  action            TEXT NOT NULL,
  subject_id        TEXT,                    -- of the service, the rollout or the schedule
  subject_name      TEXT,
  content           TEXT NOT NULL,           -- JSON: what will happen, with [REDACTED] for each secret
  withheld          TEXT NOT NULL,           -- JSON: pointers to the secrets
  secrets           TEXT,                    -- JSON, while the request is PENDING
  digest            TEXT NOT NULL,           -- of the content with its secrets
  requirements      TEXT NOT NULL,           -- JSON: the policies, as they were
  reason            TEXT,
  requested_kind    TEXT NOT NULL CHECK (requested_kind IN ('user', 'apiKey', 'local')),
  requested_id      TEXT,                    -- of the user or the API key
  requested_user_id TEXT,                    -- of the person, also for a request of an API key
  requested_name    TEXT NOT NULL,
  schedule_id       TEXT,                    -- of the schedule whose run needs the approval
  run_due_at        INTEGER,
  created_at        INTEGER NOT NULL,
  expires_at        INTEGER NOT NULL,
  ended_at          INTEGER,
  ended_by          TEXT,
  end_reason        TEXT,
  command_id        TEXT,
  error_code        TEXT,
  error_message     TEXT
) STRICT;
CREATE INDEX approvals_by_state ON approvals (state, id);
CREATE INDEX approvals_by_expiry ON approvals (expires_at) WHERE state = 'PENDING';
CREATE INDEX approvals_by_subject ON approvals (subject_id, id);
CREATE INDEX approvals_by_end ON approvals (ended_at) WHERE ended_at IS NOT NULL;

CREATE TABLE approval_votes (
  approval_id TEXT NOT NULL REFERENCES approvals (id) ON DELETE CASCADE,
  user_id     TEXT NOT NULL,
  username    TEXT NOT NULL,
  comment     TEXT,
  at          INTEGER NOT NULL,
  PRIMARY KEY (approval_id, user_id)
) STRICT;

-- Names for addresses in the console.
CREATE TABLE views (
  id         TEXT PRIMARY KEY,
  name       TEXT NOT NULL,
  path       TEXT NOT NULL,
  owner_id   TEXT,                           -- null if everyone sees it
  created_by TEXT,
  version    INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX views_by_name ON views (COALESCE(owner_id, ''), name);

-- What `platformctl apply` has declared, so that `--prune` deletes nothing else.
CREATE TABLE declared_objects (
  kind       TEXT NOT NULL,
  name       TEXT NOT NULL,
  file       TEXT NOT NULL,
  digest     TEXT NOT NULL,                  -- SHA-256 of the file
  applied_at INTEGER NOT NULL,
  PRIMARY KEY (kind, name)
) STRICT;

ALTER TABLE commands ADD COLUMN schedule_id TEXT;
CREATE INDEX commands_by_schedule ON commands (schedule_id, id) WHERE schedule_id IS NOT NULL;
ALTER TABLE commands ADD COLUMN approval_id TEXT;
ALTER TABLE rollouts ADD COLUMN schedule_id TEXT;
CREATE INDEX rollouts_by_schedule ON rollouts (schedule_id, id) WHERE schedule_id IS NOT NULL;
ALTER TABLE rollouts ADD COLUMN approval_id TEXT;

-- A rollout can wait for approval. Only the text of the constraint changes, as in 0006.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql,
    '(''RUNNING'', ''PAUSED'', ''SUCCEEDED'', ''FAILED'', ''CANCELLED'')',
    '(''AWAITING_APPROVAL'', ''RUNNING'', ''PAUSED'', ''SUCCEEDED'', ''FAILED'', ''CANCELLED'')')
  WHERE type = 'table' AND name = 'rollouts';
PRAGMA writable_schema = RESET;

-- An older program would run actions without the approvals that they need.
UPDATE schema_migrations SET minimum_version = 9;
