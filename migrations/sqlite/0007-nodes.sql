-- What the nodes of a cluster share on PostgreSQL. SQLite's one server keeps this in memory, and
-- secrets never on its disk: there the tables stay empty, and are only part of the same schema.

-- Secrets that agents have generated for operators, until one reads them or five minutes pass.
CREATE TABLE one_time_secrets (
  command_id TEXT    PRIMARY KEY,
  sealed     TEXT    NOT NULL,               -- encrypted with a key that is not in the database
  until      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Failed sign-ins of the last minutes, once for each lock that they count for.
CREATE TABLE login_failures (
  id     TEXT    PRIMARY KEY,
  source TEXT    NOT NULL,                   -- HMAC of an account, a network, or both
  at     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX login_failures_by_source ON login_failures (source, at);

-- The running nodes. Each one writes its row every few seconds, and removes it when it stops.
CREATE TABLE nodes (
  id         TEXT    PRIMARY KEY,
  host       TEXT    NOT NULL,               -- the name of its machine
  url        TEXT    NOT NULL,               -- where it listens
  version    TEXT    NOT NULL,
  started_at INTEGER NOT NULL,
  seen_at    INTEGER NOT NULL,
  held_polls INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The newest migration that a program must know to use this schema. A migration that older programs
-- cannot work with sets it to its own number. SQLite's programs must know every migration.
ALTER TABLE schema_migrations ADD COLUMN minimum_version INTEGER;
UPDATE schema_migrations SET minimum_version = 7;
