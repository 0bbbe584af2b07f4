-- What agents send while a command runs and at its end.

-- JSON by stream: the ends of the output, as the agent sent them, that may be the beginning of a
-- secret. Null when there are none, and after the end of the command.
ALTER TABLE commands ADD COLUMN held_output TEXT COLLATE "C";

-- 1 while the agent has announced more output than it has sent.
ALTER TABLE commands ADD COLUMN output_open BIGINT NOT NULL DEFAULT 0 CHECK (output_open IN (0, 1));

-- JSON: the fields of the result that have no column of their own.
ALTER TABLE command_results ADD COLUMN other_json TEXT COLLATE "C";
