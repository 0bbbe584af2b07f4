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
UPDATE schema_migrations SET minimum_version = 14;
