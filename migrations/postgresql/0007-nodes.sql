-- What the nodes of a cluster share. Losing these rows in a crash does no more harm than a restart
-- of SQLite's server, which keeps them in memory, so they need no log.

-- Secrets that agents have generated for operators, until one reads them or five minutes pass.
CREATE UNLOGGED TABLE one_time_secrets (
  command_id TEXT   COLLATE "C" PRIMARY KEY,
  sealed     TEXT   COLLATE "C" NOT NULL,    -- encrypted with a key that is not in the database
  until      BIGINT NOT NULL
);

-- Failed sign-ins of the last minutes, once for each lock that they count for.
CREATE UNLOGGED TABLE login_failures (
  id     TEXT   COLLATE "C" PRIMARY KEY,
  source TEXT   COLLATE "C" NOT NULL,        -- HMAC of an account, a network, or both
  at     BIGINT NOT NULL
);
CREATE INDEX login_failures_by_source ON login_failures (source, at);
