-- Output of commands ---------------------------------------------------------------------------

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
