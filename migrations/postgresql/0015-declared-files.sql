-- The file of the set that declares an object. Null if none does, and after the upgrade until the next
-- apply.
ALTER TABLE approval_policies ADD COLUMN declared_file TEXT COLLATE "C";
ALTER TABLE bus_routes ADD COLUMN declared_file TEXT COLLATE "C";
ALTER TABLE saved_views ADD COLUMN declared_file TEXT COLLATE "C";
ALTER TABLE schedules ADD COLUMN declared_file TEXT COLLATE "C";
