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

-- What agents have sent of the output of their commands. Of a long output, pages in the middle are
-- missing. Positions count the bytes that the agent has sent.
CREATE TABLE command_output_pages (
  command_id TEXT   COLLATE "C" NOT NULL REFERENCES commands (id) ON DELETE CASCADE,
  number     BIGINT NOT NULL,
  first_byte BIGINT NOT NULL,
  next_byte  BIGINT NOT NULL,
  parts      TEXT   COLLATE "C" NOT NULL,    -- JSON: texts of both streams, and gaps
  PRIMARY KEY (command_id, number)
);
