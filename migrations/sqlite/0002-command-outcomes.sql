-- How many commands have ended, and how: kept as they end, so that the metrics need not count a
-- million rows. Open commands are few and are counted live. (`decisions.md` 9)

CREATE TABLE command_outcomes (
  status TEXT    PRIMARY KEY CHECK (status IN ('SUCCEEDED', 'FAILED', 'CANCELLED')),
  count  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- By itself: agents make up their codes, and there may be many.
CREATE TABLE command_errors (
  code  TEXT    PRIMARY KEY,
  count INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX command_errors_by_count ON command_errors (count DESC, code);

INSERT INTO command_outcomes (status, count)
  SELECT 'SUCCEEDED', COUNT(*) FROM commands WHERE status = 'SUCCEEDED' UNION ALL
  SELECT 'FAILED', COUNT(*) FROM commands WHERE status = 'FAILED' UNION ALL
  SELECT 'CANCELLED', COUNT(*) FROM commands WHERE status = 'CANCELLED';
INSERT INTO command_errors (code, count)
  SELECT error_code, COUNT(*) FROM commands
  WHERE status = 'FAILED' AND error_code IS NOT NULL GROUP BY error_code;

-- Ends are counted beside the statement that ends a command (src/store/commands.ts), which was
-- measured to cost less than a trigger on the update. Deletions are rare: a trigger counts them.
CREATE TRIGGER commands_deleted AFTER DELETE ON commands
BEGIN
  UPDATE command_outcomes SET count = count - 1 WHERE status = OLD.status;
  UPDATE command_errors SET count = count - 1
    WHERE OLD.status = 'FAILED' AND code = OLD.error_code;
  DELETE FROM command_errors WHERE code = OLD.error_code AND count = 0;
END;

-- The runs that the durations are taken from, newest first, in the index itself: a million commands
-- that expired unfetched are not walked over to find a thousand that ran.
CREATE INDEX commands_by_run ON commands (completed_at, started_at, status)
  WHERE started_at IS NOT NULL AND completed_at IS NOT NULL AND status <> 'CANCELLED';

-- What they were made for is answered by the above.
DROP INDEX commands_by_completion;
DROP INDEX commands_by_error;
