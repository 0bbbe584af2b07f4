// In the project `postgresql`, skips the tests that `on-postgresql.ts` does not list.

import { join, relative } from "node:path";
import { beforeEach, type TestContext } from "vitest";
import { namesOnPostgres } from "../on-postgresql.ts";

type Task = Pick<TestContext["task"], "name" | "suite">;
type Parent = TestContext["task"]["file"];

const root = join(import.meta.dirname, "../..");

beforeEach(({ task, skip }) => {
  const listed = namesOnPostgres(relative(root, task.file.filepath));
  if (listed === "all") return;
  const all = namesIn(task.file);
  const missing = listed.filter((start) => !all.some((name) => name.startsWith(start)));
  if (missing.length > 0)
    throw new Error(`on-postgresql.ts: no test begins with ${missing.join(", ")}`);
  const isListed = namesOf(task).some((name) => listed.some((start) => name.startsWith(start)));
  skip(!isListed, "not in on-postgresql.ts");
});

/** The names of the test and of each `describe` that contains it. */
function namesOf({ name, suite }: Task): string[] {
  return suite ? [name, ...namesOf(suite)] : [name];
}

function namesIn({ tasks }: Pick<Parent, "tasks">): string[] {
  return tasks.flatMap((task) => [task.name, ...("tasks" in task ? namesIn(task) : [])]);
}
