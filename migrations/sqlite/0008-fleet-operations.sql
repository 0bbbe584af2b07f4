-- Output of commands ---------------------------------------------------------------------------

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
