-- Fleet operations.

-- Labels of services, besides those of their agents.
ALTER TABLE services ADD COLUMN labels TEXT NOT NULL DEFAULT '{}'; -- JSON; service_labels is its index
CREATE TABLE service_labels (
  service_id TEXT NOT NULL REFERENCES services (id) ON DELETE CASCADE,
  key        TEXT NOT NULL,
  value      TEXT NOT NULL,
  PRIMARY KEY (service_id, key)
) STRICT;
CREATE INDEX service_labels_by_value ON service_labels (key, value, service_id);

-- Plan and apply.

-- What the agent's program can do, as a JSON list of known names.
ALTER TABLE agents ADD COLUMN features TEXT NOT NULL DEFAULT '[]';

-- The fingerprint that the service's state must still have when the agent runs the command, if any.
ALTER TABLE commands ADD COLUMN expected_state TEXT;
-- An older program would deliver a command without the state that it expects.
UPDATE schema_migrations SET minimum_version = 8;
