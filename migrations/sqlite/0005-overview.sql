-- What the overview draws, in indexes of its own: a service's row is large, and commands are a million.

-- A service's cell of the health map, in the order in which it is shown.
CREATE INDEX services_by_agent_code
  ON services (agent_id, code, name, health_class, last_reported_at, id, health_message);

-- Commands of a type by the moment they ended, however they did. The runs of 0002 leave out those
-- that no agent took.
CREATE INDEX commands_by_completion ON commands (type, completed_at, status, started_at)
  WHERE completed_at IS NOT NULL;
