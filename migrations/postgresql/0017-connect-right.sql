-- Whoever may connect can take the advisory lock of writes and so stop all of them, and PostgreSQL lets
-- every role of the server connect to a new database. The owner keeps the right. If this user is not the
-- owner, PostgreSQL only warns, and `platform doctor` says what to do.
DO $$ BEGIN
  EXECUTE format('REVOKE CONNECT ON DATABASE %I FROM PUBLIC', current_database());
END $$;
