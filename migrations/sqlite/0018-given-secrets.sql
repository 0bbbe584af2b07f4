-- Who gave the secrets of a schedule or a bus route, as JSON: {"by", "version"}. They are kept when it
-- is edited only for this caller. Null if there are none, or if an older version stored them.
ALTER TABLE schedules ADD COLUMN secrets_given TEXT;
ALTER TABLE bus_routes ADD COLUMN secrets_given TEXT;

-- The payload of a route shows [REDACTED] in place of each secret constant.
ALTER TABLE bus_routes ADD COLUMN withheld TEXT;   -- JSON: pointers into the payload that it makes
ALTER TABLE bus_routes ADD COLUMN secrets TEXT;    -- JSON, in the order of withheld
