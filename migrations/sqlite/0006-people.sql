-- API keys belong to the user who made them, also through another key, and may be for metrics alone.
-- Keys made on the host belong to nobody. What the trail does not say any more, the name says.

CREATE TABLE api_keys_next (
  id           TEXT    PRIMARY KEY,
  name         TEXT    NOT NULL,
  role         TEXT    NOT NULL CHECK (role IN ('owner', 'operator', 'viewer', 'metrics')),
  key_hash     TEXT    NOT NULL UNIQUE,
  user_id      TEXT,                                    -- the user may be deleted later
  created_by   TEXT,                                    -- a name, kept as it was
  created_at   INTEGER NOT NULL,
  expires_at   INTEGER,
  revoked_at   INTEGER,
  last_used_at INTEGER
) STRICT;

WITH RECURSIVE
  made (key_id, actor_type, actor_id) AS (
    SELECT target_id, actor_type, actor_id FROM audit_events WHERE action = 'api_key.created'
  ),
  makers (key_id, actor_type, actor_id) AS (
    SELECT key_id, actor_type, actor_id FROM made
    UNION
    SELECT k.key_id, m.actor_type, m.actor_id
    FROM makers k JOIN made m ON k.actor_type = 'API_KEY' AND m.key_id = k.actor_id
  )
INSERT INTO api_keys_next
SELECT k.id, k.name, k.role, k.key_hash,
  CASE
    WHEN EXISTS (SELECT 1 FROM made WHERE key_id = k.id)
    THEN (SELECT actor_id FROM makers WHERE key_id = k.id AND actor_type = 'USER')
    ELSE (SELECT u.id FROM users u WHERE u.username = k.created_by AND u.created_at <= k.created_at)
  END,
  k.created_by, k.created_at, k.expires_at, k.revoked_at, k.last_used_at
FROM api_keys k;

DROP TABLE api_keys;
ALTER TABLE api_keys_next RENAME TO api_keys;

CREATE INDEX api_keys_by_user ON api_keys (user_id) WHERE user_id IS NOT NULL;

-- The networks that a user has signed in from: their sign-ins are not refused for the failures of others.
CREATE TABLE sign_in_networks (
  user_id      TEXT    NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  network      TEXT    NOT NULL,                        -- an IPv4 address, or the /64 of an IPv6 one
  last_used_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, network)
) STRICT, WITHOUT ROWID;

INSERT INTO sign_in_networks (user_id, network, last_used_at)
SELECT user_id, ip, MAX(last_used_at) FROM sessions
WHERE ip IS NOT NULL AND ip NOT LIKE '%:%' GROUP BY user_id, ip;
