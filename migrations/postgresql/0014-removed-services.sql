-- Services that their agents no longer manage, and the clocks of agents. On SQLite, this migration also
-- adds the first column to an index that PostgreSQL does not have.

ALTER TABLE services ADD COLUMN removed_at BIGINT;  -- when the agent reported that it no longer manages it
ALTER TABLE agents ADD COLUMN clock_skew_ms BIGINT; -- its clock minus the server's; null if unknown
