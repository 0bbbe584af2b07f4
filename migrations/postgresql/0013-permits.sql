-- Whatever runs needs a permit by the policies of that moment. So what was approved, and for which
-- declaration, is stored beside what runs later.

ALTER TABLE schedules ADD COLUMN approval_id TEXT COLLATE "C";   -- the request that approved the content, if any
ALTER TABLE schedules ADD COLUMN authors TEXT COLLATE "C" NOT NULL DEFAULT '[]';
                                                     -- JSON: the users who changed the content since it was approved
ALTER TABLE schedules ADD COLUMN bound TEXT COLLATE "C";         -- JSON: the agent and declaration of an action when it was saved

UPDATE schedules SET authors = '["' || owner_id || '"]' WHERE owner_id IS NOT NULL;
UPDATE schedules SET approval_id = (SELECT MAX(a.id) FROM approvals a
    WHERE a.subject_id = schedules.id AND a.digest = approved_digest AND a.state IN ('APPROVED', 'BYPASSED'))
  WHERE approved_digest IS NOT NULL;

ALTER TABLE rollouts ADD COLUMN approval_id TEXT COLLATE "C";    -- the request that approved it, or its schedule
ALTER TABLE rollouts ADD COLUMN creator_id TEXT COLLATE "C";     -- the user who created it

UPDATE rollouts SET approval_id = (SELECT MAX(a.id) FROM approvals a
    WHERE a.subject_id = rollouts.id AND a.state IN ('APPROVED', 'BYPASSED'))
  WHERE settled_at IS NULL;
UPDATE rollouts SET approval_id = (SELECT s.approval_id FROM schedules s WHERE s.id = schedule_id)
  WHERE settled_at IS NULL AND approval_id IS NULL AND schedule_id IS NOT NULL;

ALTER TABLE rollout_targets ADD COLUMN declaration TEXT COLLATE "C";
                                                     -- a hash of the declared action when the rollout was created

CREATE INDEX schedules_by_approval ON schedules (approval_id) WHERE approval_id IS NOT NULL;
CREATE INDEX rollouts_by_approval ON rollouts (approval_id) WHERE approval_id IS NOT NULL;
