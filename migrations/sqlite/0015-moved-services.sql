-- Services that operators have moved to an agent that has not reported them yet.

ALTER TABLE services ADD COLUMN moved_at INTEGER; -- when it was moved; null once its agent has reported it
