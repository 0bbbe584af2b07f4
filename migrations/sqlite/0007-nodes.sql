-- What the nodes of a cluster share on PostgreSQL. SQLite's one server keeps both in memory, and
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
