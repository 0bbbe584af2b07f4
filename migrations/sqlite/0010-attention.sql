-- What needs attention.

-- What operators have said about services that need attention: that somebody knows, or that nobody
-- needs to hear of it for some time. A service has one such note at most, the newest.
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

-- When the health of services last changed, of those whose health has changed at all.
CREATE TABLE service_changes (
  service_id     TEXT PRIMARY KEY REFERENCES services (id) ON DELETE CASCADE,
  times          TEXT NOT NULL,                -- JSON: the last few changes, oldest first
  flapping_until INTEGER                       -- the end of flapping, unless health changes before that
) STRICT;
CREATE INDEX service_changes_flapping ON service_changes (flapping_until) WHERE flapping_until IS NOT NULL;
