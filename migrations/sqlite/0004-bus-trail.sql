-- From an event to its result and back: a match knows its route by name when the route is gone, and a
-- route's commands are found.

ALTER TABLE bus_matches ADD COLUMN route_name TEXT;     -- when it matched

CREATE INDEX commands_by_bus_route ON commands (source_route_id, id) WHERE source_kind = 'bus';
