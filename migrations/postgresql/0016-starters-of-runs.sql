-- The runs of schedules that somebody starts.

ALTER TABLE schedule_runs ADD COLUMN starter TEXT COLLATE "C"; -- JSON: who ran it at once, what, and on what basis; null for a due run
