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

-- The running nodes. Each one writes its row every few seconds, and removes it when it stops.
CREATE UNLOGGED TABLE nodes (
  id         TEXT   COLLATE "C" PRIMARY KEY,
  host       TEXT   COLLATE "C" NOT NULL,    -- the name of its machine
  url        TEXT   COLLATE "C" NOT NULL,    -- where it listens
  version    TEXT   COLLATE "C" NOT NULL,
  started_at BIGINT NOT NULL,
  seen_at    BIGINT NOT NULL,
  held_polls BIGINT NOT NULL
);

-- The newest migration that a program must know to use this schema. A migration that older programs
-- cannot work with sets it to its own number.
ALTER TABLE schema_migrations ADD COLUMN minimum_version BIGINT;
UPDATE schema_migrations SET minimum_version = 7;
