// Runs the example in docs/guides/event-bus-example.md and compares the output of each step.
// `vitest run test/e2e/agents/bus-example.test.ts --update=all` writes the output into the
// document.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readManual } from "../../cli/manual/document.ts";
import { openFastShell } from "../../cli/manual/fast-shell.ts";
import { replay } from "../../cli/manual/replay.ts";
import { temporaryFolder } from "../../helpers/app.ts";
import { claimPort } from "../../helpers/http/listen.ts";
import { serveInProcess } from "../../helpers/in-process-server.ts";
import { frequentNews } from "../../helpers/process/process.ts";
import { pathWith } from "../../helpers/programs/own-program.ts";

const docs = join(import.meta.dirname, "../../../docs");
const file = join(docs, "guides/event-bus-example.md");

test("the example runs from the event to the command's result as documented", async () => {
  const server = await serveInProcess({ PLATFORM_CAPSULE_BUS_ENABLED: "true", ...frequentNews });
  const places = [
    { shown: "127.0.0.1:8080", real: new URL(server.url).host },
    // This replaces only the port, because the service's environment has it without the host.
    { shown: "8090", real: String(await claimPort()) },
  ];
  const asReal = (text: string) =>
    places.reduce((all, { shown, real }) => all.replaceAll(shown, real), text);
  const examples = temporaryFolder();
  for (const name of readdirSync(join(docs, "examples"))) {
    writeFileSync(join(examples, name), asReal(readFileSync(join(docs, "examples", name), "utf8")));
  }
  const shell = await openFastShell(temporaryFolder(), {
    PATH: pathWith("curl", "jq"),
    PLATFORM_DB: server.file,
    examples,
  });
  const told = await replay(readManual(readFileSync(file, "utf8")), shell, places);
  await expect(told).toMatchFileSnapshot(file);
});
