// The sweep, as the table of jobs has it.

import { expect, test } from "vitest";
import { jobTable } from "../../src/jobs/index.ts";
import { openTestApp } from "../helpers/app.ts";

test("the sweep lets the storage give back what it does not need", async () => {
  const { core } = openTestApp().app;
  let tidied = 0;
  core.db.tidy = async () => void tidied++;
  await jobTable(60)
    .find(({ name }) => name === "sweep")
    ?.run(core);
  expect(tidied).toBe(1);
});
