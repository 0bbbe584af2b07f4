-- Services that their agents no longer manage, and the clocks of agents.

ALTER TABLE services ADD COLUMN removed_at INTEGER;  -- when the agent reported that it no longer manages it
ALTER TABLE agents ADD COLUMN clock_skew_ms INTEGER; -- its clock minus the server's; null if unknown

DROP INDEX services_by_agent_code;
CREATE INDEX services_by_agent_code
  ON services (agent_id, code, name, health_class, last_reported_at, id, health_message, removed_at);
