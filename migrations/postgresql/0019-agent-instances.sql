-- Which program calls with an agent's token, to find out when two do.

CREATE TABLE agent_instances (
  agent_id       TEXT COLLATE "C" PRIMARY KEY REFERENCES agents (id) ON DELETE CASCADE,
  instance       TEXT COLLATE "C",           -- the newest; null if it has stopped, or has no id
  since          BIGINT NOT NULL,            -- when it first called
  earlier        TEXT COLLATE "C" NOT NULL,  -- JSON: the ids of those before it, newest first
  duplicated_at  BIGINT,                     -- when an earlier one last called again
  redeliver_from BIGINT NOT NULL             -- what was delivered before is not delivered again
);
CREATE INDEX agent_instances_duplicated ON agent_instances (duplicated_at)
  WHERE duplicated_at IS NOT NULL;
