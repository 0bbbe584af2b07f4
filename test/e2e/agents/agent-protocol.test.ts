// Makes every call in docs/reference/agent-protocol.md, in order, to a real server, and compares
// the responses. `vitest run test/e2e/agents/agent-protocol.test.ts --update=all` writes them into
// the document.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RouteSpec } from "../../../src/api/contract/route.ts";
import { routes } from "../../../src/api/index.ts";
import { readManual } from "../../cli/manual/document.ts";
import { openFastShell } from "../../cli/manual/fast-shell.ts";
import { replay } from "../../cli/manual/replay.ts";
import { temporaryFolder } from "../../helpers/app.ts";
import { serveInProcess } from "../../helpers/in-process-server.ts";
import { pathWith } from "../../helpers/programs/own-program.ts";

const root = join(import.meta.dirname, "../../..");
const file = join(root, "docs/reference/agent-protocol.md");
const text = readFileSync(file, "utf8");

/** Matches a JSON block after `<!-- NAME -->`, which is the content of the reader's file NAME. */
const fileBlock = /^<!-- (\S+\.json) -->\n```json\n(.*?)^```$/gms;

test("every call gets the documented response", async () => {
  const server = await serveInProcess({
    PLATFORM_CAPSULE_BUS_ENABLED: "true",
    // The documented responses depend on this default.
    PLATFORM_SERVICE_STALE_THRESHOLD_SECONDS: "120",
  });
  const folder = temporaryFolder();
  for (const [, name = "", content = ""] of text.matchAll(fileBlock)) {
    writeFileSync(join(folder, name), content);
  }
  const shell = await openFastShell(folder, {
    PATH: pathWith("curl", "jq"),
    PLATFORM_DB: server.file,
  });
  const places = [{ shown: "127.0.0.1:8080", real: new URL(server.url).host }];
  await expect(await replay(readManual(text), shell, places)).toMatchFileSnapshot(file);
});

const agentRoutes = Object.values<RouteSpec>(routes).filter(({ access }) =>
  ["registration", "agent"].includes(access),
);

test.each(agentRoutes)("the document contains $method $path and all of its errors", (route) => {
  expect(text).toContain(`\`${route.method} ${route.path.replace(":commandId", ":id")}\``);
  const table = text.replaceAll("`…_", "`REGISTRATION_TOKEN_");
  for (const code of route.errors ?? []) expect(table).toContain(`\`${code}\``);
});
