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

-- Structured results: how lists show the actions of a service.
ALTER TABLE service_actions ADD COLUMN category TEXT;
ALTER TABLE service_actions ADD COLUMN sort_order INTEGER;
ALTER TABLE service_actions ADD COLUMN hidden INTEGER NOT NULL DEFAULT 0;
