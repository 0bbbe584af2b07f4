-- Whatever runs needs a permit by the policies of that moment. So what was approved, and for which
-- declaration, is stored beside what runs later.

ALTER TABLE schedules ADD COLUMN approval_id TEXT COLLATE "C";   -- the request that approved the content, if any
ALTER TABLE schedules ADD COLUMN authors TEXT COLLATE "C" NOT NULL DEFAULT '[]';
                                                     -- JSON: the users who changed the content since it was approved
ALTER TABLE schedules ADD COLUMN bound TEXT COLLATE "C";         -- JSON: the agent and declaration of an action when it was saved

UPDATE schedules SET authors = '["' || owner_id || '"]' WHERE owner_id IS NOT NULL;
UPDATE schedules SET approval_id = (SELECT MAX(a.id) FROM approvals a
    WHERE a.subject_id = schedules.id AND a.digest = approved_digest AND a.state IN ('APPROVED', 'BYPASSED'))
  WHERE approved_digest IS NOT NULL;

ALTER TABLE rollouts ADD COLUMN approval_id TEXT COLLATE "C";    -- the request that approved it, or its schedule
ALTER TABLE rollouts ADD COLUMN creator_id TEXT COLLATE "C";     -- the user who created it

UPDATE rollouts SET approval_id = (SELECT MAX(a.id) FROM approvals a
    WHERE a.subject_id = rollouts.id AND a.state IN ('APPROVED', 'BYPASSED'))
  WHERE settled_at IS NULL;
UPDATE rollouts SET approval_id = (SELECT s.approval_id FROM schedules s WHERE s.id = schedule_id)
  WHERE settled_at IS NULL AND approval_id IS NULL AND schedule_id IS NOT NULL;

ALTER TABLE rollout_targets ADD COLUMN declaration TEXT COLLATE "C";
                                                     -- a hash of the declared action when the rollout was created

CREATE INDEX schedules_by_approval ON schedules (approval_id) WHERE approval_id IS NOT NULL;
CREATE INDEX rollouts_by_approval ON rollouts (approval_id) WHERE approval_id IS NOT NULL;

-- Labels that owners assign, which win over those that agents report, and whom API keys are for.

ALTER TABLE agents ADD COLUMN assigned_labels TEXT COLLATE "C" NOT NULL DEFAULT '{}';   -- JSON
ALTER TABLE services ADD COLUMN assigned_labels TEXT COLLATE "C" NOT NULL DEFAULT '{}'; -- JSON

-- An assigned label replaces the reported one with its key.
ALTER TABLE agent_labels ADD COLUMN assigned BIGINT NOT NULL DEFAULT 0;
ALTER TABLE service_labels ADD COLUMN assigned BIGINT NOT NULL DEFAULT 0;
CREATE INDEX agent_labels_assigned ON agent_labels (key, value, agent_id) WHERE assigned = 1;
CREATE INDEX service_labels_assigned ON service_labels (key, value, service_id) WHERE assigned = 1;

-- What a token assigns to the agent that registers with it. Only owners create such tokens.
ALTER TABLE registration_tokens ADD COLUMN labels TEXT COLLATE "C" NOT NULL DEFAULT '{}'; -- JSON
ALTER TABLE registration_tokens ADD COLUMN owner_made BIGINT NOT NULL DEFAULT 0;

-- user_id is the user who uses the key, and maker_id the user who created it.
ALTER TABLE api_keys ADD COLUMN maker_id TEXT COLLATE "C";
UPDATE api_keys SET maker_id = user_id;
CREATE INDEX api_keys_by_maker ON api_keys (maker_id) WHERE maker_id IS NOT NULL;

-- The user who created the API key that asked.
ALTER TABLE approvals ADD COLUMN requester_maker TEXT COLLATE "C";

-- An older program would ignore assigned labels.
UPDATE schema_migrations SET minimum_version = 13;

-- The file of the set that declares an object. Null if none does, and after the upgrade until the next
-- apply.
ALTER TABLE approval_policies ADD COLUMN declared_file TEXT COLLATE "C";
ALTER TABLE bus_routes ADD COLUMN declared_file TEXT COLLATE "C";
ALTER TABLE saved_views ADD COLUMN declared_file TEXT COLLATE "C";
ALTER TABLE schedules ADD COLUMN declared_file TEXT COLLATE "C";

-- What agents send while a command runs and at its end.

-- JSON by stream: the ends of the output, as the agent sent them, that may be the beginning of a
-- secret. Null when there are none, and after the end of the command.
ALTER TABLE commands ADD COLUMN held_output TEXT COLLATE "C";

-- 1 while the agent has announced more output than it has sent.
ALTER TABLE commands ADD COLUMN output_open BIGINT NOT NULL DEFAULT 0 CHECK (output_open IN (0, 1));

-- JSON: the fields of the result that have no column of their own.
ALTER TABLE command_results ADD COLUMN other_json TEXT COLLATE "C";

-- Whoever may connect can take the advisory lock of writes and so stop all of them, and PostgreSQL lets
-- every role of the server connect to a new database. The owner keeps the right. If this user is not the
-- owner, PostgreSQL only warns, and `platform doctor` says what to do.
DO $$ BEGIN
  EXECUTE format('REVOKE CONNECT ON DATABASE %I FROM PUBLIC', current_database());
END $$;

-- Who gave the secrets of a schedule or a bus route, as JSON: {"by", "version"}. They are kept when it
-- is edited only for this caller. Null if there are none, or if an older version stored them.
ALTER TABLE schedules ADD COLUMN secrets_given TEXT COLLATE "C";
ALTER TABLE bus_routes ADD COLUMN secrets_given TEXT COLLATE "C";

-- The payload of a route shows [REDACTED] in place of each secret constant.
ALTER TABLE bus_routes ADD COLUMN withheld TEXT COLLATE "C";   -- JSON: pointers into the payload that it makes
ALTER TABLE bus_routes ADD COLUMN secrets TEXT COLLATE "C";    -- JSON, in the order of withheld

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
