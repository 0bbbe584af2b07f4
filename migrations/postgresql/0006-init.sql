-- The schema that SQLite has after its migration 0006, for PostgreSQL 15 or newer. Times are Unix
-- milliseconds (UTC), JSON is text, booleans are 0 or 1. test/store/schemas.test.ts compares both
-- schemas, and lists what differs with its reason.
--
-- Every text column has the collation "C": ids, codes and names are ordered by their bytes, as in
-- SQLite, LOWER changes only ASCII letters, and no index depends on the operating system's locales.
-- Every number is a BIGINT, because SQLite's INTEGER has 64 bits.
--
-- An UPDATE writes a new version of the row, and an entry for it in each index, unless no indexed
-- column changes and the page has room (a "heap-only" update). The columns that agents' calls change
-- all day are therefore in no index, and their tables leave room in each page (fillfactor).

-- People and programs that administer ---------------------------------------------------------

CREATE TABLE users (
  id                  TEXT   COLLATE "C" PRIMARY KEY,
  username            TEXT   COLLATE "C" NOT NULL,
  username_key        TEXT   COLLATE "C" NOT NULL UNIQUE, -- lower case: names differ by more than case
  role                TEXT   COLLATE "C" NOT NULL CHECK (role IN ('owner', 'operator', 'viewer')),
  status              TEXT   COLLATE "C" NOT NULL CHECK (status IN ('ACTIVE', 'DISABLED')),
  password_hash       TEXT   COLLATE "C" NOT NULL,      -- scrypt, with its parameters
  version             BIGINT NOT NULL DEFAULT 1,
  created_at          BIGINT NOT NULL,
  updated_at          BIGINT NOT NULL,
  password_changed_at BIGINT NOT NULL,
  last_login_at       BIGINT
);
CREATE INDEX users_by_role ON users (role, status);

CREATE TABLE sessions (
  id           TEXT   COLLATE "C" PRIMARY KEY,
  user_id      TEXT   COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  secret_hash  TEXT   COLLATE "C" NOT NULL UNIQUE,      -- HMAC of the cookie with the session secret
  created_at   BIGINT NOT NULL,
  last_used_at BIGINT NOT NULL,
  expires_at   BIGINT NOT NULL,                         -- slides
  ends_at      BIGINT NOT NULL,                         -- does not
  ip           TEXT   COLLATE "C",
  user_agent   TEXT   COLLATE "C"
);
CREATE INDEX sessions_by_user ON sessions (user_id);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

-- The networks that a user has signed in from: their sign-ins are not refused for the failures of others.
CREATE TABLE sign_in_networks (
  user_id      TEXT   COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  network      TEXT   COLLATE "C" NOT NULL,             -- an IPv4 address, or the /64 of an IPv6 one
  last_used_at BIGINT NOT NULL,
  PRIMARY KEY (user_id, network)
);

CREATE TABLE api_keys (
  id           TEXT   COLLATE "C" PRIMARY KEY,
  name         TEXT   COLLATE "C" NOT NULL,
  role         TEXT   COLLATE "C" NOT NULL
    CHECK (role IN ('owner', 'operator', 'viewer', 'metrics')),
  key_hash     TEXT   COLLATE "C" NOT NULL UNIQUE,
  user_id      TEXT   COLLATE "C",                      -- the user may be deleted later
  created_by   TEXT   COLLATE "C",                      -- a name, kept as it was
  created_at   BIGINT NOT NULL,
  expires_at   BIGINT,
  revoked_at   BIGINT,
  last_used_at BIGINT
);
CREATE INDEX api_keys_by_user ON api_keys (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX api_keys_by_end ON api_keys (COALESCE(revoked_at, expires_at));

-- Agents and their services -------------------------------------------------------------------

-- last_heartbeat_at is written every second for all agents that have called. It is in no index, so
-- the few statements that look for silent agents read the table.
CREATE TABLE agents (
  id                TEXT   COLLATE "C" PRIMARY KEY,
  code              TEXT   COLLATE "C" NOT NULL UNIQUE,
  name              TEXT   COLLATE "C",
  mode              TEXT   COLLATE "C" NOT NULL,
  runtime           TEXT   COLLATE "C",                 -- JSON
  version           TEXT   COLLATE "C",
  labels            TEXT   COLLATE "C" NOT NULL DEFAULT '{}', -- JSON; agent_labels is its index
  status            TEXT   COLLATE "C" NOT NULL CHECK (status IN ('ONLINE', 'OFFLINE', 'DISABLED')),
  registered_at     BIGINT NOT NULL,
  updated_at        BIGINT NOT NULL,
  last_heartbeat_at BIGINT,
  disabled_at       BIGINT,
  stopped_at        BIGINT                              -- null as soon as the agent calls again
) WITH (fillfactor = 70);
CREATE INDEX agents_by_status ON agents (status, id);
CREATE INDEX agents_by_mode ON agents (mode, id);

CREATE TABLE agent_labels (
  agent_id TEXT COLLATE "C" NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  key      TEXT COLLATE "C" NOT NULL,
  value    TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (agent_id, key)
);
CREATE INDEX agent_labels_by_value ON agent_labels (key, value, agent_id);

CREATE TABLE registration_tokens (
  id               TEXT   COLLATE "C" PRIMARY KEY,
  name             TEXT   COLLATE "C",
  token_hash       TEXT   COLLATE "C" NOT NULL UNIQUE,
  status           TEXT   COLLATE "C" NOT NULL
    CHECK (status IN ('ACTIVE', 'USED', 'REVOKED', 'EXPIRED')),
  created_by       TEXT   COLLATE "C",
  created_at       BIGINT NOT NULL,
  expires_at       BIGINT,
  used_at          BIGINT,
  used_by_agent_id TEXT   COLLATE "C",
  revoked_at       BIGINT,
  -- The agents that the token lets in: a code, or the beginning of one with * behind it.
  agent_code       TEXT   COLLATE "C",
  -- 1: also in the place of an agent that is alive.
  replaces_agent   BIGINT NOT NULL DEFAULT 0 CHECK (replaces_agent IN (0, 1))
);
CREATE INDEX registration_tokens_by_status ON registration_tokens (status, id);
CREATE INDEX registration_tokens_by_expiry ON registration_tokens (status, expires_at);
CREATE INDEX registration_tokens_by_end
  ON registration_tokens (COALESCE(revoked_at, used_at, expires_at)) WHERE status <> 'ACTIVE';

CREATE TABLE agent_tokens (
  id                    TEXT   COLLATE "C" PRIMARY KEY,
  agent_id              TEXT   COLLATE "C" NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  token_hash            TEXT   COLLATE "C" NOT NULL UNIQUE,
  registration_token_id TEXT   COLLATE "C" REFERENCES registration_tokens (id),
  created_at            BIGINT NOT NULL,
  revoked_at            BIGINT,
  revoked_reason        TEXT   COLLATE "C" CHECK (revoked_reason IN ('ROTATED', 'REVOKED'))
);
CREATE UNIQUE INDEX agent_tokens_active ON agent_tokens (agent_id) WHERE revoked_at IS NULL;
CREATE INDEX agent_tokens_by_agent ON agent_tokens (agent_id);
CREATE INDEX agent_tokens_by_end ON agent_tokens (revoked_at) WHERE revoked_at IS NOT NULL;
CREATE INDEX agent_tokens_by_registration ON agent_tokens (registration_token_id);

-- last_reported_at is written for every unchanged report, together with an unchanged stored_status.
CREATE TABLE services (
  id                TEXT   COLLATE "C" PRIMARY KEY,
  code              TEXT   COLLATE "C" NOT NULL UNIQUE,
  agent_id          TEXT   COLLATE "C" NOT NULL REFERENCES agents (id),
  name              TEXT   COLLATE "C" NOT NULL,
  version           TEXT   COLLATE "C" NOT NULL,
  description       TEXT   COLLATE "C",
  runtime           TEXT   COLLATE "C",                 -- JSON
  health_status     TEXT   COLLATE "C",                 -- as reported
  health_class      TEXT   COLLATE "C" NOT NULL
    CHECK (health_class IN ('healthy', 'unhealthy', 'unknown')),
  health_message    TEXT   COLLATE "C",
  health_details    TEXT   COLLATE "C",                 -- JSON
  health_changed_at BIGINT,
  stored_status     TEXT   COLLATE "C" NOT NULL
    CHECK (stored_status IN ('HEALTHY', 'UNHEALTHY', 'STALE', 'OFFLINE', 'UNKNOWN')),
  manifest          TEXT   COLLATE "C",                 -- JSON
  configs           TEXT   COLLATE "C" NOT NULL DEFAULT '[]', -- JSON, as reported, in its order
  created_at        BIGINT NOT NULL,
  updated_at        BIGINT NOT NULL,                    -- the catalog's last change
  last_reported_at  BIGINT NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX services_by_agent ON services (agent_id, id);
CREATE INDEX services_by_stored_status ON services (stored_status, id);
CREATE INDEX services_by_health ON services (health_status, id);

CREATE TABLE service_actions (
  service_id            TEXT   COLLATE "C" NOT NULL REFERENCES services (id) ON DELETE CASCADE,
  name                  TEXT   COLLATE "C" NOT NULL,
  position              BIGINT NOT NULL,
  label                 TEXT   COLLATE "C" NOT NULL,
  description           TEXT   COLLATE "C" NOT NULL,
  danger_level          TEXT   COLLATE "C" NOT NULL
    CHECK (danger_level IN ('LOW', 'MEDIUM', 'HIGH')),
  requires_confirmation BIGINT NOT NULL CHECK (requires_confirmation IN (0, 1)),
  timeout_seconds       BIGINT,
  input_schema          TEXT   COLLATE "C" NOT NULL,    -- JSON
  -- Whether the agent has something to prepare: without it no command is made for the form.
  prepare               BIGINT NOT NULL DEFAULT 1,
  PRIMARY KEY (service_id, name)
);

-- Services in an agent's latest report that belong to another agent.
CREATE TABLE service_claims (
  service_id TEXT   COLLATE "C" NOT NULL REFERENCES services (id) ON DELETE CASCADE,
  agent_id   TEXT   COLLATE "C" NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  since      BIGINT NOT NULL,
  PRIMARY KEY (service_id, agent_id)
);
CREATE INDEX service_claims_by_agent ON service_claims (agent_id, service_id);

-- Commands ------------------------------------------------------------------------------------

-- Commands outlive the agents, services and commands that they name, so they do not reference them.
CREATE TABLE commands (
  id                      TEXT   COLLATE "C" PRIMARY KEY,
  type                    TEXT   COLLATE "C" NOT NULL
    CHECK (type IN ('ACTION_PREPARE', 'ACTION_EXECUTE')),
  status                  TEXT   COLLATE "C" NOT NULL
    CHECK (status IN ('PENDING', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED')),
  agent_id                TEXT   COLLATE "C" NOT NULL,
  service_id              TEXT   COLLATE "C" NOT NULL,
  service_code            TEXT   COLLATE "C" NOT NULL,
  action                  TEXT   COLLATE "C" NOT NULL,
  payload                 TEXT   COLLATE "C" NOT NULL,  -- JSON object, without its secrets
  reason                  TEXT   COLLATE "C",
  source_kind             TEXT   COLLATE "C" NOT NULL CHECK (source_kind IN ('operator', 'bus')),
  source_id               TEXT   COLLATE "C",           -- the user, key or event it comes from
  source_route_id         TEXT   COLLATE "C",
  source_name             TEXT   COLLATE "C",
  prepare_command_id      TEXT   COLLATE "C",
  retry_of                TEXT   COLLATE "C",
  timeout_seconds         BIGINT NOT NULL,              -- from claim to result
  created_at              BIGINT NOT NULL,
  expires_at              BIGINT NOT NULL,
  started_at              BIGINT,
  completed_at            BIGINT,
  deliveries              BIGINT NOT NULL DEFAULT 0,
  error_code              TEXT   COLLATE "C",
  error_message           TEXT   COLLATE "C",
  cancelled_while_running BIGINT NOT NULL DEFAULT 0 CHECK (cancelled_while_running IN (0, 1)),
  -- From the result that came after the cancellation; null until there is one.
  cancel_outcome          TEXT   COLLATE "C"
    CHECK (cancel_outcome IN ('STOPPED', 'FINISHED', 'NOT_STOPPED', 'UNKNOWN')),
  agent_code              TEXT   COLLATE "C" NOT NULL DEFAULT '',
  withheld                TEXT   COLLATE "C",           -- JSON list of pointers to the secrets
  secrets                 TEXT   COLLATE "C"            -- JSON list; null once the command has ended
);
CREATE INDEX commands_by_status ON commands (status, id, type);
CREATE INDEX commands_by_type ON commands (type, id);
CREATE INDEX commands_by_action ON commands (action, id, type);
CREATE INDEX commands_by_agent ON commands (agent_id, id, type);
CREATE INDEX commands_by_service ON commands (service_id, id, type);
CREATE INDEX commands_by_creation ON commands (created_at, id, type);
CREATE INDEX commands_open_by_agent ON commands (agent_id, id)
  WHERE status IN ('PENDING', 'RUNNING');
CREATE INDEX commands_open_by_expiry ON commands (expires_at) WHERE completed_at IS NULL;
CREATE INDEX commands_by_completion ON commands (type, completed_at, status, started_at)
  WHERE completed_at IS NOT NULL;
CREATE INDEX commands_by_run ON commands (completed_at, started_at, status)
  WHERE started_at IS NOT NULL AND completed_at IS NOT NULL AND status <> 'CANCELLED';
-- Cancellations that agents are still to be told of: looked for with every poll of an agent at work.
CREATE INDEX commands_to_stop ON commands (agent_id, completed_at)
  WHERE status = 'CANCELLED' AND cancelled_while_running = 1 AND cancel_outcome IS NULL;
CREATE UNIQUE INDEX commands_by_bus_match ON commands (source_id, source_route_id)
  WHERE source_kind = 'bus';                            -- at most one command per event and route
CREATE INDEX commands_by_bus_route ON commands (source_route_id, id) WHERE source_kind = 'bus';
CREATE INDEX commands_with_old_payload ON commands (id) WHERE withheld IS NULL;

CREATE TABLE command_results (
  id          TEXT   COLLATE "C" PRIMARY KEY,
  command_id  TEXT   COLLATE "C" NOT NULL REFERENCES commands (id) ON DELETE CASCADE,
  late        BIGINT NOT NULL CHECK (late IN (0, 1)),   -- came after the command had ended
  success     BIGINT NOT NULL CHECK (success IN (0, 1)),
  output_json TEXT   COLLATE "C",
  error_json  TEXT   COLLATE "C",
  message     TEXT   COLLATE "C",
  fingerprint TEXT   COLLATE "C" NOT NULL,              -- of what was sent: tells a repeat apart
  received_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX command_results_by_command ON command_results (command_id, late);

-- How many commands have ended, and how. Ends are counted beside the statement that ends a command
-- (src/store/tables/commands/commands.ts); deletions are rare, and a trigger counts them.
CREATE TABLE command_outcomes (
  status TEXT   COLLATE "C" PRIMARY KEY CHECK (status IN ('SUCCEEDED', 'FAILED', 'CANCELLED')),
  count  BIGINT NOT NULL
);
INSERT INTO command_outcomes (status, count) VALUES ('SUCCEEDED', 0), ('FAILED', 0), ('CANCELLED', 0);

CREATE TABLE command_errors (
  code  TEXT   COLLATE "C" PRIMARY KEY,
  count BIGINT NOT NULL
);
CREATE INDEX command_errors_by_count ON command_errors (count DESC, code);

CREATE FUNCTION count_deleted_command() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE command_outcomes SET count = count - 1 WHERE status = OLD.status;
  IF OLD.status = 'FAILED' THEN
    UPDATE command_errors SET count = count - 1 WHERE code = OLD.error_code;
  END IF;
  DELETE FROM command_errors WHERE code = OLD.error_code AND count = 0;
  RETURN NULL;
END $$;
CREATE TRIGGER commands_deleted AFTER DELETE ON commands
  FOR EACH ROW EXECUTE FUNCTION count_deleted_command();

-- Event bus (experimental) --------------------------------------------------------------------

CREATE TABLE bus_routes (
  id           TEXT   COLLATE "C" PRIMARY KEY,
  name         TEXT   COLLATE "C" NOT NULL,
  description  TEXT   COLLATE "C",
  state        TEXT   COLLATE "C" NOT NULL CHECK (state IN ('DISABLED', 'DRY_RUN', 'ENABLED')),
  match_type   TEXT   COLLATE "C" NOT NULL,
  match_source TEXT   COLLATE "C",
  match_data   TEXT   COLLATE "C",                      -- JSON: pointer to expected value
  service_code TEXT   COLLATE "C" NOT NULL,
  action       TEXT   COLLATE "C" NOT NULL,
  payload      TEXT   COLLATE "C",                      -- JSON: the mapping
  version      BIGINT NOT NULL DEFAULT 1,
  created_at   BIGINT NOT NULL,
  updated_at   BIGINT NOT NULL
);
CREATE INDEX bus_routes_by_state ON bus_routes (state, id);

CREATE TABLE bus_events (
  id             TEXT   COLLATE "C" PRIMARY KEY,
  agent_id       TEXT   COLLATE "C" NOT NULL,
  source         TEXT   COLLATE "C" NOT NULL,
  event_id       TEXT   COLLATE "C" NOT NULL,           -- the publisher's id, or ours
  type           TEXT   COLLATE "C" NOT NULL,
  subject        TEXT   COLLATE "C",
  depth          BIGINT NOT NULL,
  causation_id   TEXT   COLLATE "C",
  correlation_id TEXT   COLLATE "C",
  envelope       TEXT   COLLATE "C" NOT NULL,           -- JSON, after redaction
  received_at    BIGINT NOT NULL,
  UNIQUE (source, event_id)
);
CREATE INDEX bus_events_by_agent ON bus_events (agent_id, id);
CREATE INDEX bus_events_by_type ON bus_events (type, id);
CREATE INDEX bus_events_by_source ON bus_events (source, id);
CREATE INDEX bus_events_by_time ON bus_events (received_at, id);
CREATE INDEX bus_events_by_event_id ON bus_events (event_id);

CREATE TABLE bus_matches (
  event_id   TEXT COLLATE "C" NOT NULL REFERENCES bus_events (id) ON DELETE CASCADE,
  route_id   TEXT COLLATE "C" NOT NULL,                 -- the route may be deleted later
  outcome    TEXT COLLATE "C" NOT NULL
    CHECK (outcome IN ('COMMAND_CREATED', 'DRY_RUN', 'FAILED')),
  command_id TEXT COLLATE "C",
  reason     TEXT COLLATE "C",
  route_name TEXT COLLATE "C",                          -- when it matched
  PRIMARY KEY (event_id, route_id)
);
CREATE INDEX bus_matches_by_route ON bus_matches (route_id, event_id);

-- Audit ---------------------------------------------------------------------------------------

CREATE TABLE audit_events (
  seq         BIGINT PRIMARY KEY,                       -- without gaps
  id          TEXT   COLLATE "C" NOT NULL,
  at          BIGINT NOT NULL,
  actor_type  TEXT   COLLATE "C" NOT NULL
    CHECK (actor_type IN ('USER', 'API_KEY', 'AGENT', 'SYSTEM', 'LOCAL')),
  actor_id    TEXT   COLLATE "C",
  actor_name  TEXT   COLLATE "C",
  action      TEXT   COLLATE "C" NOT NULL,
  target_type TEXT   COLLATE "C" NOT NULL,
  target_id   TEXT   COLLATE "C",
  result      TEXT   COLLATE "C" NOT NULL CHECK (result IN ('SUCCESS', 'FAILURE', 'DENIED')),
  message     TEXT   COLLATE "C",
  ip          TEXT   COLLATE "C",
  user_agent  TEXT   COLLATE "C",
  request_id  TEXT   COLLATE "C",
  metadata    TEXT   COLLATE "C" NOT NULL,              -- JSON object
  hash        TEXT   COLLATE "C" NOT NULL               -- HMAC over the row before and this one
);
-- Every index here is paid for by every write, so the common values (agents' events about commands
-- that succeeded) are left out where a walk from the newest row finds them at once.
CREATE INDEX audit_events_by_time ON audit_events (at, seq);
CREATE INDEX audit_events_by_action ON audit_events (action, seq);
CREATE INDEX audit_events_by_actor ON audit_events (actor_id, seq);
CREATE INDEX audit_events_by_target ON audit_events (target_id, seq);
CREATE INDEX audit_events_by_actor_type ON audit_events (actor_type, seq)
  WHERE actor_type <> 'AGENT';
CREATE INDEX audit_events_by_target_type ON audit_events (target_type, seq)
  WHERE target_type <> 'command';
CREATE INDEX audit_events_by_result ON audit_events (result, seq) WHERE result <> 'SUCCESS';

CREATE TABLE audit_checkpoints (
  seq       BIGINT PRIMARY KEY,                         -- rows up to here may be pruned
  hash      TEXT   COLLATE "C" NOT NULL,                -- of the row with this seq
  at        BIGINT NOT NULL,
  signature TEXT   COLLATE "C" NOT NULL
);

CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit events are never changed' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER audit_events_never_change BEFORE UPDATE ON audit_events
  FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_events_never_truncated BEFORE TRUNCATE ON audit_events
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

-- Checks once per statement, because pruning deletes thousands of rows at a time.
CREATE FUNCTION refuse_audit_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT MAX(seq) FROM deleted) > COALESCE((SELECT MAX(seq) FROM audit_checkpoints), 0) THEN
    RAISE EXCEPTION 'audit events are deleted only below a checkpoint'
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER audit_events_pruned_after_checkpoint AFTER DELETE ON audit_events
  REFERENCING OLD TABLE AS deleted
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_deletion();

-- Numbers and settings ------------------------------------------------------------------------

CREATE TABLE counters (
  name  TEXT   COLLATE "C" PRIMARY KEY,
  value BIGINT NOT NULL
);

CREATE TABLE settings (
  key        TEXT   COLLATE "C" PRIMARY KEY,
  value      TEXT   COLLATE "C" NOT NULL,               -- JSON
  updated_at BIGINT NOT NULL
);

-- Calls that were made with an Idempotency-Key, and what each of them was answered first. Written in
-- the transaction of the change that the call made, deleted a day later.
CREATE TABLE idempotency_keys (
  caller      TEXT   COLLATE "C" NOT NULL,              -- whose key it is: an id, or local:<user>
  key         TEXT   COLLATE "C" NOT NULL,
  route       TEXT   COLLATE "C" NOT NULL,              -- the route's name
  fingerprint TEXT   COLLATE "C" NOT NULL,              -- HMAC of what was asked for
  answer      TEXT   COLLATE "C" NOT NULL,              -- JSON, without what is shown only once
  created_at  BIGINT NOT NULL,
  PRIMARY KEY (caller, key)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

-- Functions of SQLite that statements in src/store use ----------------------------------------

CREATE FUNCTION instr(text, text) RETURNS integer LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN strpos($1, $2);
