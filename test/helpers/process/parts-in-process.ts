// Replaces src/cli/files/child-processes.ts: copies and checks databases in this process instead of
// a child process, which test/cli/host/backups.test.ts tests.
// vi.mock("../../../src/cli/files/child-processes.ts", () => import("./parts-in-process.ts"));

import type { WalkTrail } from "../../../src/domain/audit/trail-walks.ts";
import type { CopyDatabase } from "../../../src/domain/storage/backups.ts";
import type { CheckDatabase } from "../../../src/domain/storage/database-checks.ts";
import { walkTrailOf } from "../../../src/store/audit/verification.ts";
import { checkDatabase } from "../../../src/store/files/check.ts";
import { copyDatabase } from "../../../src/store/files/copy.ts";

export const copyInChild: CopyDatabase = copyDatabase;
export const walkInChild: WalkTrail = walkTrailOf;
export const checkInChild: CheckDatabase = checkDatabase;
