-- Structured results: how lists show the actions of a service.
ALTER TABLE service_actions ADD COLUMN category TEXT COLLATE "C";
ALTER TABLE service_actions ADD COLUMN sort_order BIGINT;
ALTER TABLE service_actions ADD COLUMN hidden BIGINT NOT NULL DEFAULT 0;
