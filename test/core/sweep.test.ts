import { expect, test } from "vitest";
import { sweep } from "../../src/core/system/maintenance.ts";
import { openTestApp } from "../helpers/app.ts";

test("the sweep releases unused space", async () => {
  const { core } = openTestApp().app;
  let tidied = 0;
  core.db.tidy = async () => void tidied++;
  await sweep(core);
  expect(tidied).toBe(1);
});
