-- Faster checks for the tables that grow with every command. For an IN list of three or more values, SQLite
-- builds a temporary index in each statement that writes a checked column. Comparisons with OR need none, and
-- accept the same values. As in 0006, only the text of the schema changes.

PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(replace(sql,
    'status IN (''PENDING'', ''RUNNING'', ''SUCCEEDED'', ''FAILED'', ''CANCELLED'')',
    'status = ''PENDING'' OR status = ''RUNNING'' OR status = ''SUCCEEDED'' OR status = ''FAILED'' OR status = ''CANCELLED'''),
    'cancel_outcome IN (''STOPPED'', ''FINISHED'', ''NOT_STOPPED'', ''UNKNOWN'')',
    'cancel_outcome = ''STOPPED'' OR cancel_outcome = ''FINISHED'' OR cancel_outcome = ''NOT_STOPPED'' OR cancel_outcome = ''UNKNOWN''')
  WHERE type = 'table' AND name = 'commands';
UPDATE sqlite_schema SET sql = replace(replace(sql,
    'actor_type IN (''USER'', ''API_KEY'', ''AGENT'', ''SYSTEM'', ''LOCAL'')',
    'actor_type = ''USER'' OR actor_type = ''API_KEY'' OR actor_type = ''AGENT'' OR actor_type = ''SYSTEM'' OR actor_type = ''LOCAL'''),
    'result IN (''SUCCESS'', ''FAILURE'', ''DENIED'')',
    'result = ''SUCCESS'' OR result = ''FAILURE'' OR result = ''DENIED''')
  WHERE type = 'table' AND name = 'audit_events';
PRAGMA writable_schema = RESET;
