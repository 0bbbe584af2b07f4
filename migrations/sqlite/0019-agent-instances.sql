-- Which program calls with an agent's token, to find out when two do.

CREATE TABLE agent_instances (
  agent_id       TEXT PRIMARY KEY REFERENCES agents (id) ON DELETE CASCADE,
  instance       TEXT,                        -- the newest; null if it has stopped, or has no id
  since          INTEGER NOT NULL,            -- when it first called
  earlier        TEXT    NOT NULL,            -- JSON: the ids of those before it, newest first
  duplicated_at  INTEGER,                     -- when an earlier one last called again
  redeliver_from INTEGER NOT NULL             -- what was delivered before is not delivered again
) STRICT;
CREATE INDEX agent_instances_duplicated ON agent_instances (duplicated_at)
  WHERE duplicated_at IS NOT NULL;
