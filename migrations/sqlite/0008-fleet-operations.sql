-- Structured results: how lists show the actions of a service.
ALTER TABLE service_actions ADD COLUMN category TEXT;
ALTER TABLE service_actions ADD COLUMN sort_order INTEGER;
ALTER TABLE service_actions ADD COLUMN hidden INTEGER NOT NULL DEFAULT 0;
