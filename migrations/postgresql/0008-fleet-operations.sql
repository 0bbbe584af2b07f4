-- Fleet operations.

-- Labels of services, besides those of their agents.
ALTER TABLE services ADD COLUMN labels TEXT COLLATE "C" NOT NULL DEFAULT '{}'; -- JSON; service_labels is its index
CREATE TABLE service_labels (
  service_id TEXT COLLATE "C" NOT NULL REFERENCES services (id) ON DELETE CASCADE,
  key        TEXT COLLATE "C" NOT NULL,
  value      TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (service_id, key)
);
CREATE INDEX service_labels_by_value ON service_labels (key, value, service_id);

-- Structured results: how lists show the actions of a service.
ALTER TABLE service_actions ADD COLUMN category TEXT COLLATE "C";
ALTER TABLE service_actions ADD COLUMN sort_order BIGINT;
ALTER TABLE service_actions ADD COLUMN hidden BIGINT NOT NULL DEFAULT 0;
