-- Commands, bus events and registration tokens outlive the agents, services and commands that they name,
-- so that those can be deleted: the names stay, the references go. SQLite has no statement that drops a
-- reference. Its documentation (lang_altertable.html, section 7) describes this one for constraints, which
-- are not a part of what is stored: the text of the schema changes, and no row does. A rebuild would copy a
-- million commands and all of their indexes.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(replace(replace(sql,
    ' REFERENCES agents (id)', ''),
    ' REFERENCES services (id)', ''),
    ' REFERENCES commands (id)', '')
  WHERE type = 'table' AND name IN ('commands', 'bus_events', 'bus_matches', 'registration_tokens');
PRAGMA writable_schema = RESET;

-- They were for the checks of those references, and nothing else asks them.
DROP INDEX commands_by_prepare;
DROP INDEX commands_by_retry;
DROP INDEX bus_matches_by_command;
DROP INDEX registration_tokens_by_agent;

ALTER TABLE commands ADD COLUMN agent_code TEXT NOT NULL DEFAULT '';
UPDATE commands SET agent_code = (SELECT code FROM agents WHERE agents.id = commands.agent_id);

-- The payload without its secrets, and apart from it where they belong and what they are. The latter are
-- NULL once a command has ended. Commands from before this migration have NULL in both until
-- src/core/old-payloads.ts has come to them.
ALTER TABLE commands ADD COLUMN withheld TEXT;          -- JSON list of pointers
ALTER TABLE commands ADD COLUMN secrets TEXT;           -- JSON list of values
CREATE INDEX commands_with_old_payload ON commands (id) WHERE withheld IS NULL;

-- Deleting a command looks for its results: one index that finds them, in place of two that do not.
CREATE UNIQUE INDEX command_results_by_command ON command_results (command_id, late);
DROP INDEX command_results_late;
DROP INDEX command_results_outcome;
