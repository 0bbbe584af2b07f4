import { beforeAll } from "vitest";
import { inChild } from "../../../src/cli/files/child-processes.ts";
import { walkTrailOf } from "../../../src/store/audit/verification.ts";
import { checkDatabase } from "../../../src/store/files/check.ts";
import { copyDatabase } from "../../../src/store/files/copy.ts";

/**
 * For a file: the command line copies and checks databases in the process of the test instead of
 * child processes, which cli/host/backups.test.ts tests.
 */
export function withoutChildren(): void {
  beforeAll(() => {
    const before = { ...inChild };
    Object.assign(inChild, { copyDatabase, checkDatabase, walkTrail: walkTrailOf });
    return () => void Object.assign(inChild, before);
  });
}
