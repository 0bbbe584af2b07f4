-- A service belongs to the agent that reports it, an agent's code to the agent that has it.

-- The agents that a registration token lets in: a code, or the beginning of one with * behind it.
ALTER TABLE registration_tokens ADD COLUMN agent_code TEXT;
-- 1: also in the place of an agent that is alive.
ALTER TABLE registration_tokens ADD COLUMN replaces_agent INTEGER NOT NULL DEFAULT 0
  CHECK (replaces_agent IN (0, 1));

-- Services in an agent's latest report that belong to another agent.
CREATE TABLE service_claims (
  service_id TEXT    NOT NULL REFERENCES services (id) ON DELETE CASCADE,
  agent_id   TEXT    NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  since      INTEGER NOT NULL,
  PRIMARY KEY (service_id, agent_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX service_claims_by_agent ON service_claims (agent_id, service_id);

-- Revoking a token has left the agent ONLINE until it had been silent for a while.
UPDATE agents SET status = 'OFFLINE'
  WHERE status = 'ONLINE'
    AND NOT EXISTS (SELECT 1 FROM agent_tokens t WHERE t.agent_id = agents.id AND t.revoked_at IS NULL);
