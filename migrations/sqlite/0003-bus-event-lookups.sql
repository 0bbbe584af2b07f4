-- How events of the bus are looked for: by the id that an event names as its cause, whoever published
-- that one; by their source; and by time in the order of a list.

CREATE INDEX bus_events_by_event_id ON bus_events (event_id);
CREATE INDEX bus_events_by_source ON bus_events (source, id);

DROP INDEX bus_events_by_time;
CREATE INDEX bus_events_by_time ON bus_events (received_at, id);
