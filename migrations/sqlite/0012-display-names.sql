-- Names of users for people to read. Users are identified by their usernames.
ALTER TABLE users ADD COLUMN display_name TEXT;
