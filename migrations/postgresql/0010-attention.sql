-- What needs attention.

-- What operators have said about services that need attention: that somebody knows, or that nobody
-- needs to hear of it for some time. A service has one such note at most, the newest.
CREATE TABLE service_notes (
  service_id TEXT COLLATE "C" PRIMARY KEY REFERENCES services (id) ON DELETE CASCADE,
  kind       TEXT COLLATE "C" NOT NULL CHECK (kind IN ('ACKNOWLEDGED', 'SILENCED')),
  note       TEXT COLLATE "C",
  created_by TEXT COLLATE "C",                             -- a name, kept as it was
  created_at BIGINT NOT NULL,
  problem    TEXT COLLATE "C",                             -- the acknowledged problem, and since when it existed
  since      BIGINT,
  until      BIGINT,                          -- when a silence ends
  CHECK ((kind = 'SILENCED') = (until IS NOT NULL)),
  CHECK ((kind = 'ACKNOWLEDGED') = (problem IS NOT NULL))
);

-- When the health of services last changed, of those whose health has changed at all.
CREATE TABLE service_changes (
  service_id     TEXT COLLATE "C" PRIMARY KEY REFERENCES services (id) ON DELETE CASCADE,
  times          TEXT COLLATE "C" NOT NULL,                -- JSON: the last few changes, oldest first
  flapping_until BIGINT                       -- the end of flapping, unless health changes before that
);
CREATE INDEX service_changes_flapping ON service_changes (flapping_until) WHERE flapping_until IS NOT NULL;
