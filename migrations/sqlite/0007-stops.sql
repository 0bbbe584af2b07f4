-- Agents say when they stop, and what became of work that was cancelled while it ran.

-- When the agent said that it stops; null as soon as it calls again.
ALTER TABLE agents ADD COLUMN stopped_at INTEGER;

-- From the result that came after the cancellation; null until there is one.
ALTER TABLE commands ADD COLUMN cancel_outcome TEXT
  CHECK (cancel_outcome IN ('STOPPED', 'FINISHED', 'NOT_STOPPED', 'UNKNOWN'));

-- No agent was told of a cancellation before: whatever reported a result had ended by itself.
UPDATE commands SET cancel_outcome = (
  SELECT CASE
    WHEN r.success = 0 AND json_extract(r.error_json, '$.code') IN ('AGENT_RESTARTED', 'AGENT_STOPPED')
    THEN 'UNKNOWN' ELSE 'FINISHED' END
  FROM command_results r WHERE r.command_id = commands.id AND r.late = 1)
WHERE status = 'CANCELLED' AND cancelled_while_running = 1;

-- Cancellations that agents are still to be told of: looked for with every poll of an agent at work.
CREATE INDEX commands_to_stop ON commands (agent_id, completed_at)
  WHERE status = 'CANCELLED' AND cancelled_while_running = 1 AND cancel_outcome IS NULL;
