-- Plan and apply.

-- What the agent's program can do, as a JSON list of known names.
ALTER TABLE agents ADD COLUMN features TEXT COLLATE "C" NOT NULL DEFAULT '[]';

-- The fingerprint that the service's state must still have when the agent runs the command, if any.
ALTER TABLE commands ADD COLUMN expected_state TEXT COLLATE "C";
-- An older program would deliver a command without the state that it expects.
UPDATE schema_migrations SET minimum_version = 8;
