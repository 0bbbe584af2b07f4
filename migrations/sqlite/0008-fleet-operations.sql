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

-- What agents have sent of the output of their commands. Of a long output, pages in the middle are
-- missing. Positions count the bytes that the agent has sent.
CREATE TABLE command_output_pages (
  command_id TEXT    NOT NULL REFERENCES commands (id) ON DELETE CASCADE,
  number     INTEGER NOT NULL,
  first_byte INTEGER NOT NULL,
  next_byte  INTEGER NOT NULL,
  parts      TEXT    NOT NULL,               -- JSON: texts of both streams, and gaps
  PRIMARY KEY (command_id, number)
) STRICT;
