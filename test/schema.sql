-- The schema after all migrations. Written by scripts/write-schema.ts; not applied.

CREATE TABLE agent_instances (
  agent_id       TEXT PRIMARY KEY REFERENCES agents (id) ON DELETE CASCADE,
  instance       TEXT,                        -- the newest; null if it has stopped, or has no id
  since          INTEGER NOT NULL,            -- when it first called
  earlier        TEXT    NOT NULL,            -- JSON: the ids of those before it, newest first
  duplicated_at  INTEGER,                     -- when an earlier one last called again
  redeliver_from INTEGER NOT NULL             -- what was delivered before is not delivered again
) STRICT;

CREATE INDEX agent_instances_duplicated ON agent_instances (duplicated_at)
  WHERE duplicated_at IS NOT NULL;

CREATE TABLE agent_labels (
  agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  key      TEXT NOT NULL,
  value    TEXT NOT NULL, assigned INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (agent_id, key)
) STRICT;

CREATE INDEX agent_labels_assigned ON agent_labels (key, value, agent_id) WHERE assigned = 1;

CREATE INDEX agent_labels_by_value ON agent_labels (key, value, agent_id);

CREATE TABLE agent_tokens (
  id                    TEXT    PRIMARY KEY,
  agent_id              TEXT    NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  token_hash            TEXT    NOT NULL UNIQUE,
  registration_token_id TEXT    REFERENCES registration_tokens (id),
  created_at            INTEGER NOT NULL,
  revoked_at            INTEGER,
  revoked_reason        TEXT    CHECK (revoked_reason IN ('ROTATED', 'REVOKED'))
) STRICT;

CREATE UNIQUE INDEX agent_tokens_active ON agent_tokens (agent_id) WHERE revoked_at IS NULL;

CREATE INDEX agent_tokens_by_agent ON agent_tokens (agent_id);

CREATE INDEX agent_tokens_by_end ON agent_tokens (revoked_at) WHERE revoked_at IS NOT NULL;

CREATE INDEX agent_tokens_by_registration ON agent_tokens (registration_token_id);

CREATE TABLE agents (
  id                TEXT    PRIMARY KEY,
  code              TEXT    NOT NULL UNIQUE,
  name              TEXT,
  mode              TEXT    NOT NULL,
  runtime           TEXT,                               -- JSON
  version           TEXT,
  labels            TEXT    NOT NULL DEFAULT '{}',      -- JSON; agent_labels is its index
  status            TEXT    NOT NULL CHECK (status IN ('ONLINE', 'OFFLINE', 'DISABLED')),
  registered_at     INTEGER NOT NULL,
  updated_at        INTEGER NOT NULL,
  last_heartbeat_at INTEGER,
  disabled_at       INTEGER
, stopped_at INTEGER, features TEXT NOT NULL DEFAULT '[]', assigned_labels TEXT NOT NULL DEFAULT '{}', clock_skew_ms INTEGER) STRICT;

CREATE INDEX agents_by_heartbeat ON agents (status, last_heartbeat_at);

CREATE INDEX agents_by_mode ON agents (mode, id);

CREATE INDEX agents_by_status ON agents (status, id);

CREATE TABLE "api_keys" (
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
, maker_id TEXT) STRICT;

CREATE INDEX api_keys_by_end ON api_keys (COALESCE(revoked_at, expires_at));

CREATE INDEX api_keys_by_maker ON api_keys (maker_id) WHERE maker_id IS NOT NULL;

CREATE INDEX api_keys_by_user ON api_keys (user_id) WHERE user_id IS NOT NULL;

CREATE TABLE approval_decisions (
  approval_id TEXT NOT NULL REFERENCES approvals (id) ON DELETE CASCADE,
  user_id     TEXT NOT NULL,
  username    TEXT NOT NULL,
  decision    TEXT NOT NULL CHECK (decision IN ('APPROVE', 'REJECT')),
  comment     TEXT,
  decided_at  INTEGER NOT NULL,
  PRIMARY KEY (approval_id, user_id)
) STRICT;

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
, declared_file TEXT) STRICT;

CREATE INDEX approval_policies_in_order ON approval_policies (sort_order, id);

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
, requester_maker TEXT) STRICT;

CREATE INDEX approvals_by_end ON approvals (ended_at) WHERE ended_at IS NOT NULL;

CREATE INDEX approvals_by_state ON approvals (state, id);

CREATE INDEX approvals_by_subject ON approvals (subject_id, id) WHERE subject_id IS NOT NULL;

CREATE INDEX approvals_open ON approvals (expires_at) WHERE ended_at IS NULL;

CREATE TABLE audit_checkpoints (
  seq       INTEGER PRIMARY KEY,                        -- rows up to here may be pruned
  hash      TEXT    NOT NULL,                           -- of the row with this seq
  at        INTEGER NOT NULL,
  signature TEXT    NOT NULL
) STRICT;

CREATE TABLE audit_events (
  seq         INTEGER PRIMARY KEY,                      -- without gaps
  id          TEXT    NOT NULL,
  at          INTEGER NOT NULL,
  actor_type  TEXT    NOT NULL
    CHECK (actor_type = 'USER' OR actor_type = 'API_KEY' OR actor_type = 'AGENT' OR actor_type = 'SYSTEM' OR actor_type = 'LOCAL'),
  actor_id    TEXT,
  actor_name  TEXT,
  action      TEXT    NOT NULL,
  target_type TEXT    NOT NULL,
  target_id   TEXT,
  result      TEXT    NOT NULL CHECK (result = 'SUCCESS' OR result = 'FAILURE' OR result = 'DENIED'),
  message     TEXT,
  ip          TEXT,
  user_agent  TEXT,
  request_id  TEXT,
  metadata    TEXT    NOT NULL,                         -- JSON object
  hash        TEXT    NOT NULL                          -- HMAC over the row before and this one
) STRICT;

CREATE INDEX audit_events_by_action ON audit_events (action, seq);

CREATE INDEX audit_events_by_actor ON audit_events (actor_id, seq);

CREATE INDEX audit_events_by_actor_type ON audit_events (actor_type, seq)
  WHERE actor_type <> 'AGENT';

CREATE INDEX audit_events_by_result ON audit_events (result, seq) WHERE result <> 'SUCCESS';

CREATE INDEX audit_events_by_target ON audit_events (target_id, seq);

CREATE INDEX audit_events_by_target_type ON audit_events (target_type, seq)
  WHERE target_type <> 'command';

CREATE INDEX audit_events_by_time ON audit_events (at, seq);

CREATE TRIGGER audit_events_never_change BEFORE UPDATE ON audit_events
BEGIN
  SELECT RAISE(ABORT, 'audit events are never changed');
END;

CREATE TRIGGER audit_events_pruned_after_checkpoint BEFORE DELETE ON audit_events
WHEN OLD.seq > COALESCE((SELECT MAX(seq) FROM audit_checkpoints), 0)
BEGIN
  SELECT RAISE(ABORT, 'audit events are deleted only below a checkpoint');
END;

CREATE TABLE bus_events (
  id             TEXT    PRIMARY KEY,
  agent_id       TEXT    NOT NULL,
  source         TEXT    NOT NULL,
  event_id       TEXT    NOT NULL,                      -- the publisher's id, or ours
  type           TEXT    NOT NULL,
  subject        TEXT,
  depth          INTEGER NOT NULL,
  causation_id   TEXT,
  correlation_id TEXT,
  envelope       TEXT    NOT NULL,                      -- JSON, after redaction
  received_at    INTEGER NOT NULL,
  UNIQUE (source, event_id)
) STRICT;

CREATE INDEX bus_events_by_agent ON bus_events (agent_id, id);

CREATE INDEX bus_events_by_event_id ON bus_events (event_id);

CREATE INDEX bus_events_by_source ON bus_events (source, id);

CREATE INDEX bus_events_by_time ON bus_events (received_at, id);

CREATE INDEX bus_events_by_type ON bus_events (type, id);

CREATE TABLE bus_matches (
  event_id   TEXT NOT NULL REFERENCES bus_events (id) ON DELETE CASCADE,
  route_id   TEXT NOT NULL,                             -- the route may be deleted later
  outcome    TEXT NOT NULL CHECK (outcome IN ('COMMAND_CREATED', 'DRY_RUN', 'FAILED')),
  command_id TEXT,
  reason     TEXT, route_name TEXT,
  PRIMARY KEY (event_id, route_id)
) STRICT;

CREATE INDEX bus_matches_by_route ON bus_matches (route_id, event_id);

CREATE TABLE bus_routes (
  id           TEXT    PRIMARY KEY,
  name         TEXT    NOT NULL,
  description  TEXT,
  state        TEXT    NOT NULL CHECK (state IN ('DISABLED', 'DRY_RUN', 'ENABLED')),
  match_type   TEXT    NOT NULL,
  match_source TEXT,
  match_data   TEXT,                                    -- JSON: pointer to expected value
  service_code TEXT    NOT NULL,
  action       TEXT    NOT NULL,
  payload      TEXT,                                    -- JSON: the mapping
  version      INTEGER NOT NULL DEFAULT 1,
  created_at   INTEGER NOT NULL,
  updated_at   INTEGER NOT NULL
, declared TEXT, declared_file TEXT, secrets_given TEXT, withheld TEXT, secrets TEXT) STRICT;

CREATE INDEX bus_routes_by_state ON bus_routes (state, id);

CREATE TABLE command_errors (
  code  TEXT    PRIMARY KEY,
  count INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX command_errors_by_count ON command_errors (count DESC, code);

CREATE TABLE command_outcomes (
  status TEXT    PRIMARY KEY CHECK (status IN ('SUCCEEDED', 'FAILED', 'CANCELLED')),
  count  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE command_output_pages (
  command_id TEXT    NOT NULL REFERENCES commands (id) ON DELETE CASCADE,
  number     INTEGER NOT NULL,
  first_byte INTEGER NOT NULL,
  next_byte  INTEGER NOT NULL,
  parts      TEXT    NOT NULL,               -- JSON: texts of both streams, and gaps
  PRIMARY KEY (command_id, number)
) STRICT;

CREATE TABLE command_results (
  id          TEXT    PRIMARY KEY,
  command_id  TEXT    NOT NULL REFERENCES commands (id) ON DELETE CASCADE,
  late        INTEGER NOT NULL CHECK (late IN (0, 1)),  -- came after the command had ended
  success     INTEGER NOT NULL CHECK (success IN (0, 1)),
  output_json TEXT,
  error_json  TEXT,
  message     TEXT,
  fingerprint TEXT    NOT NULL,                         -- of what was sent: tells a repeat apart
  received_at INTEGER NOT NULL
, other_json TEXT) STRICT;

CREATE UNIQUE INDEX command_results_by_command ON command_results (command_id, late);

CREATE TABLE commands (
  id                      TEXT    PRIMARY KEY,
  type                    TEXT    NOT NULL CHECK (type IN ('ACTION_PREPARE', 'ACTION_EXECUTE')),
  status                  TEXT    NOT NULL
    CHECK (status = 'PENDING' OR status = 'RUNNING' OR status = 'SUCCEEDED' OR status = 'FAILED' OR status = 'CANCELLED'),
  agent_id                TEXT    NOT NULL,
  service_id              TEXT    NOT NULL,
  service_code            TEXT    NOT NULL,
  action                  TEXT    NOT NULL,
  payload                 TEXT    NOT NULL,             -- JSON object
  reason                  TEXT,
  source_kind             TEXT    NOT NULL CHECK (source_kind IN ('operator', 'bus')),
  source_id               TEXT,                         -- the user, key or event it comes from
  source_route_id         TEXT,
  source_name             TEXT,
  prepare_command_id      TEXT   ,
  retry_of                TEXT   ,
  timeout_seconds         INTEGER NOT NULL,             -- from claim to result
  created_at              INTEGER NOT NULL,
  expires_at              INTEGER NOT NULL,
  started_at              INTEGER,
  completed_at            INTEGER,
  deliveries              INTEGER NOT NULL DEFAULT 0,
  error_code              TEXT,
  error_message           TEXT,
  cancelled_while_running INTEGER NOT NULL DEFAULT 0 CHECK (cancelled_while_running IN (0, 1))
, cancel_outcome TEXT
  CHECK (cancel_outcome = 'STOPPED' OR cancel_outcome = 'FINISHED' OR cancel_outcome = 'NOT_STOPPED' OR cancel_outcome = 'UNKNOWN'), agent_code TEXT NOT NULL DEFAULT '', withheld TEXT, secrets TEXT, rollout_id TEXT, expected_state TEXT, schedule_id TEXT, held_output TEXT, output_open INTEGER NOT NULL DEFAULT 0 CHECK (output_open IN (0, 1))) STRICT;

CREATE INDEX commands_by_action ON commands (action, id, type);

CREATE INDEX commands_by_agent ON commands (agent_id, id, type);

CREATE UNIQUE INDEX commands_by_bus_match ON commands (source_id, source_route_id)
  WHERE source_kind = 'bus';

CREATE INDEX commands_by_bus_route ON commands (source_route_id, id) WHERE source_kind = 'bus';

CREATE INDEX commands_by_completion ON commands (type, completed_at, status, started_at)
  WHERE completed_at IS NOT NULL;

CREATE INDEX commands_by_creation ON commands (created_at, id, type);

CREATE INDEX commands_by_rollout ON commands (rollout_id, id) WHERE rollout_id IS NOT NULL;

CREATE INDEX commands_by_run ON commands (completed_at, started_at, status)
  WHERE started_at IS NOT NULL AND completed_at IS NOT NULL AND status <> 'CANCELLED';

CREATE INDEX commands_by_service ON commands (service_id, id, type);

CREATE INDEX commands_by_status ON commands (status, id, type);

CREATE INDEX commands_by_type ON commands (type, id);

CREATE INDEX commands_open_by_agent ON commands (agent_id, id) WHERE status IN ('PENDING', 'RUNNING');

CREATE INDEX commands_open_by_expiry ON commands (expires_at) WHERE completed_at IS NULL;

CREATE INDEX commands_to_stop ON commands (agent_id, completed_at)
  WHERE status = 'CANCELLED' AND cancelled_while_running = 1 AND cancel_outcome IS NULL;

CREATE INDEX commands_with_old_payload ON commands (id) WHERE withheld IS NULL;

CREATE TRIGGER commands_deleted AFTER DELETE ON commands
BEGIN
  UPDATE command_outcomes SET count = count - 1 WHERE status = OLD.status;
  UPDATE command_errors SET count = count - 1
    WHERE OLD.status = 'FAILED' AND code = OLD.error_code;
  DELETE FROM command_errors WHERE code = OLD.error_code AND count = 0;
END;

CREATE TABLE counters (
  name  TEXT    PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT;

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

CREATE TABLE login_failures (
  id     TEXT    PRIMARY KEY,
  source TEXT    NOT NULL,                   -- HMAC of an account, a network, or both
  at     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX login_failures_by_source ON login_failures (source, at);

CREATE TABLE nodes (
  id         TEXT    PRIMARY KEY,
  host       TEXT    NOT NULL,               -- the name of its machine
  url        TEXT    NOT NULL,               -- where it listens
  version    TEXT    NOT NULL,
  started_at INTEGER NOT NULL,
  seen_at    INTEGER NOT NULL,
  held_polls INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE one_time_secrets (
  command_id TEXT    PRIMARY KEY,
  sealed     TEXT    NOT NULL,               -- encrypted with a key that is not in the database
  until      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE registration_tokens (
  id               TEXT    PRIMARY KEY,
  name             TEXT,
  token_hash       TEXT    NOT NULL UNIQUE,
  status           TEXT    NOT NULL CHECK (status IN ('ACTIVE', 'USED', 'REVOKED', 'EXPIRED')),
  created_by       TEXT,
  created_at       INTEGER NOT NULL,
  expires_at       INTEGER,
  used_at          INTEGER,
  used_by_agent_id TEXT   ,
  revoked_at       INTEGER
, agent_code TEXT, replaces_agent INTEGER NOT NULL DEFAULT 0
  CHECK (replaces_agent IN (0, 1)), labels TEXT NOT NULL DEFAULT '{}', owner_made INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE INDEX registration_tokens_by_end ON registration_tokens (COALESCE(revoked_at, used_at, expires_at))
  WHERE status <> 'ACTIVE';

CREATE INDEX registration_tokens_by_expiry ON registration_tokens (status, expires_at);

CREATE INDEX registration_tokens_by_status ON registration_tokens (status, id);

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
  error_message TEXT, prepare_command_id TEXT, expected_state TEXT, declaration TEXT,
  PRIMARY KEY (rollout_id, ordinal)
) STRICT;

CREATE UNIQUE INDEX rollout_targets_by_service ON rollout_targets (rollout_id, service_id);

CREATE INDEX rollout_targets_by_state ON rollout_targets (rollout_id, state, wave, ordinal);

CREATE TABLE rollouts (
  id            TEXT PRIMARY KEY,
  name          TEXT,
  action        TEXT NOT NULL,
  state         TEXT NOT NULL
    CHECK (state IN ('AWAITING_APPROVAL', 'RUNNING', 'PAUSED', 'SUCCEEDED', 'FAILED', 'CANCELLED')),
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
, schedule_id TEXT, approval_id TEXT, creator_id TEXT) STRICT;

CREATE INDEX rollouts_by_action ON rollouts (action, id);

CREATE INDEX rollouts_by_approval ON rollouts (approval_id) WHERE approval_id IS NOT NULL;

CREATE INDEX rollouts_by_settled ON rollouts (settled_at) WHERE settled_at IS NOT NULL;

CREATE INDEX rollouts_by_state ON rollouts (state, id);

CREATE INDEX rollouts_unsettled ON rollouts (id) WHERE settled_at IS NULL;

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
, declared_file TEXT) STRICT;

CREATE UNIQUE INDEX saved_views_by_name ON saved_views (COALESCE(user_id, ''), name);

CREATE INDEX saved_views_by_user ON saved_views (user_id) WHERE user_id IS NOT NULL;

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
  ended_at      INTEGER, starter TEXT,
  PRIMARY KEY (schedule_id, due_at)
) STRICT;

CREATE INDEX schedule_runs_by_end ON schedule_runs (ended_at) WHERE ended_at IS NOT NULL;

CREATE INDEX schedule_runs_open ON schedule_runs (schedule_id, due_at) WHERE ended_at IS NULL;

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
, approval_id TEXT, authors TEXT NOT NULL DEFAULT '[]', bound TEXT, declared_file TEXT, secrets_given TEXT) STRICT;

CREATE INDEX schedules_by_approval ON schedules (approval_id) WHERE approval_id IS NOT NULL;

CREATE INDEX schedules_by_next ON schedules (next_at) WHERE next_at IS NOT NULL;

CREATE INDEX schedules_by_set ON schedules (declared, name) WHERE declared IS NOT NULL;

CREATE TABLE schema_migrations (
       version INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL,
       applied_at INTEGER NOT NULL
     , minimum_version INTEGER) STRICT;

CREATE TABLE service_actions (
  service_id            TEXT    NOT NULL REFERENCES services (id) ON DELETE CASCADE,
  name                  TEXT    NOT NULL,
  position              INTEGER NOT NULL,
  label                 TEXT    NOT NULL,
  description           TEXT    NOT NULL,
  danger_level          TEXT    NOT NULL CHECK (danger_level IN ('LOW', 'MEDIUM', 'HIGH')),
  requires_confirmation INTEGER NOT NULL CHECK (requires_confirmation IN (0, 1)),
  timeout_seconds       INTEGER,
  input_schema          TEXT    NOT NULL, prepare INTEGER NOT NULL DEFAULT 1, category TEXT, sort_order INTEGER, hidden INTEGER NOT NULL DEFAULT 0,               -- JSON
  PRIMARY KEY (service_id, name)
) STRICT;

CREATE INDEX service_actions_by_name ON service_actions (name);

CREATE TABLE service_changes (
  service_id     TEXT PRIMARY KEY REFERENCES services (id) ON DELETE CASCADE,
  times          TEXT NOT NULL,                -- JSON: the last few changes, oldest first
  flapping_until INTEGER                       -- the end of flapping, unless health changes before that
) STRICT;

CREATE INDEX service_changes_flapping ON service_changes (flapping_until) WHERE flapping_until IS NOT NULL;

CREATE TABLE service_claims (
  service_id TEXT    NOT NULL REFERENCES services (id) ON DELETE CASCADE,
  agent_id   TEXT    NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  since      INTEGER NOT NULL,
  PRIMARY KEY (service_id, agent_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX service_claims_by_agent ON service_claims (agent_id, service_id);

CREATE TABLE service_labels (
  service_id TEXT NOT NULL REFERENCES services (id) ON DELETE CASCADE,
  key        TEXT NOT NULL,
  value      TEXT NOT NULL, assigned INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (service_id, key)
) STRICT;

CREATE INDEX service_labels_assigned ON service_labels (key, value, service_id) WHERE assigned = 1;

CREATE INDEX service_labels_by_value ON service_labels (key, value, service_id);

CREATE TABLE service_notes (
  service_id TEXT PRIMARY KEY REFERENCES services (id) ON DELETE CASCADE,
  kind       TEXT NOT NULL CHECK (kind IN ('ACKNOWLEDGED', 'SILENCED')),
  note       TEXT,
  created_by TEXT,                             -- a name, kept as it was
  created_at INTEGER NOT NULL,
  problem    TEXT,                             -- the acknowledged problem, and since when it existed
  since      INTEGER,
  until      INTEGER,                          -- when a silence ends
  CHECK ((kind = 'SILENCED') = (until IS NOT NULL)),
  CHECK ((kind = 'ACKNOWLEDGED') = (problem IS NOT NULL))
) STRICT;

CREATE TABLE service_periods (
  service_id TEXT    NOT NULL REFERENCES services (id) ON DELETE CASCADE,
  began_at   INTEGER NOT NULL,
  ended_at   INTEGER,                                    -- null while it lasts
  status     TEXT    NOT NULL
    CHECK (status IN ('HEALTHY', 'UNHEALTHY', 'STALE', 'OFFLINE', 'UNKNOWN')),
  PRIMARY KEY (service_id, began_at)
) STRICT;

CREATE INDEX service_periods_by_end ON service_periods (ended_at) WHERE ended_at IS NOT NULL;

CREATE UNIQUE INDEX service_periods_open ON service_periods (service_id) WHERE ended_at IS NULL;

CREATE TABLE services (
  id                TEXT    PRIMARY KEY,
  code              TEXT    NOT NULL UNIQUE,
  agent_id          TEXT    NOT NULL REFERENCES agents (id),
  name              TEXT    NOT NULL,
  version           TEXT    NOT NULL,
  description       TEXT,
  runtime           TEXT,                               -- JSON
  health_status     TEXT,                               -- as reported
  health_class      TEXT    NOT NULL CHECK (health_class IN ('healthy', 'unhealthy', 'unknown')),
  health_message    TEXT,
  health_details    TEXT,                               -- JSON
  health_changed_at INTEGER,
  stored_status     TEXT    NOT NULL
    CHECK (stored_status IN ('HEALTHY', 'UNHEALTHY', 'STALE', 'OFFLINE', 'UNKNOWN')),
  manifest          TEXT,                               -- JSON
  configs           TEXT    NOT NULL DEFAULT '[]',      -- JSON, as reported, in its order
  created_at        INTEGER NOT NULL,
  updated_at        INTEGER NOT NULL,                   -- the catalog's last change
  last_reported_at  INTEGER NOT NULL
, labels TEXT NOT NULL DEFAULT '{}', assigned_labels TEXT NOT NULL DEFAULT '{}', removed_at INTEGER, moved_at INTEGER) STRICT;

CREATE INDEX services_by_agent ON services (agent_id, id);

CREATE INDEX services_by_agent_code
  ON services (agent_id, code, name, health_class, last_reported_at, id, health_message, removed_at);

CREATE INDEX services_by_health ON services (health_status, id);

CREATE INDEX services_by_stored_status ON services (stored_status, id);

CREATE TABLE sessions (
  id           TEXT    PRIMARY KEY,
  user_id      TEXT    NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  secret_hash  TEXT    NOT NULL UNIQUE,                 -- HMAC of the cookie with the session secret
  created_at   INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL,
  expires_at   INTEGER NOT NULL,                        -- slides
  ends_at      INTEGER NOT NULL,                        -- does not
  ip           TEXT,
  user_agent   TEXT
) STRICT;

CREATE INDEX sessions_by_expiry ON sessions (expires_at);

CREATE INDEX sessions_by_user ON sessions (user_id);

CREATE TABLE settings (
  key        TEXT    PRIMARY KEY,
  value      TEXT    NOT NULL,                          -- JSON
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE sign_in_networks (
  user_id      TEXT    NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  network      TEXT    NOT NULL,                        -- an IPv4 address, or the /64 of an IPv6 one
  last_used_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, network)
) STRICT, WITHOUT ROWID;

CREATE TABLE users (
  id                  TEXT    PRIMARY KEY,
  username            TEXT    NOT NULL,
  username_key        TEXT    NOT NULL UNIQUE,          -- lower case: names differ by more than case
  role                TEXT    NOT NULL CHECK (role IN ('owner', 'operator', 'viewer')),
  status              TEXT    NOT NULL CHECK (status IN ('ACTIVE', 'DISABLED')),
  password_hash       TEXT    NOT NULL,                 -- scrypt, with its parameters
  version             INTEGER NOT NULL DEFAULT 1,
  created_at          INTEGER NOT NULL,
  updated_at          INTEGER NOT NULL,
  password_changed_at INTEGER NOT NULL,
  last_login_at       INTEGER
, display_name TEXT) STRICT;

CREATE INDEX users_by_role ON users (role, status);
