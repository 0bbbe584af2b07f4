-- The history of each service's status.

-- A period in which a service has had one status. The last period of a service has not ended.
CREATE TABLE service_periods (
  service_id TEXT    NOT NULL REFERENCES services (id) ON DELETE CASCADE,
  began_at   INTEGER NOT NULL,
  ended_at   INTEGER,                                    -- null while it lasts
  status     TEXT    NOT NULL
    CHECK (status IN ('HEALTHY', 'UNHEALTHY', 'STALE', 'OFFLINE', 'UNKNOWN')),
  PRIMARY KEY (service_id, began_at)
) STRICT;
CREATE UNIQUE INDEX service_periods_open ON service_periods (service_id) WHERE ended_at IS NULL;
CREATE INDEX service_periods_by_end ON service_periods (ended_at) WHERE ended_at IS NOT NULL;

-- When earlier statuses changed is unknown. The last report is the first time that is known.
INSERT INTO service_periods (service_id, began_at, status)
  SELECT id, last_reported_at, stored_status FROM services;
