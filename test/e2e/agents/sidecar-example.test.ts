// Runs the steps in docs/examples/README.md, in which a sidecar manages a web server, and compares
// their output. `vitest run test/e2e/agents/sidecar-example.test.ts --update=all` writes the output
// into the document.

import { readFileSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { readManual } from "../../cli/manual/document.ts";
import { openFastShell } from "../../cli/manual/fast-shell.ts";
import { replay } from "../../cli/manual/replay.ts";
import type { Shell } from "../../cli/manual/shell.ts";
import { temporaryFolder } from "../../helpers/app.ts";
import { claimPort } from "../../helpers/http/listen.ts";
import { serveInProcess } from "../../helpers/in-process-server.ts";
import { frequentNews, until } from "../../helpers/process/process.ts";
import { pathWith } from "../../helpers/programs/own-program.ts";

const root = join(import.meta.dirname, "../../..");
const examples = join(root, "docs/examples");
const file = join(examples, "README.md");

test("the example brings a web server under management as documented", async () => {
  const server = await serveInProcess(frequentNews);
  const folder = temporaryFolder();
  const places = [
    { shown: "127.0.0.1:8080", real: new URL(server.url).host },
    // This replaces only the port, because the web server's command line has it without the host.
    { shown: "8081", real: String(await claimPort()) },
    { shown: "/srv", real: folder },
    { shown: "by          root", real: `by          ${userInfo().username}` },
  ];
  const asReal = (text: string) =>
    places.reduce((all, { shown, real }) => all.replaceAll(shown, real), text);
  const yaml = readFileSync(join(examples, "http-server.yaml"), "utf8");
  writeFileSync(join(folder, "http-server.yaml"), asReal(yaml));

  const PATH = [join(root, "node_modules/.bin"), pathWith("curl", "jq")].join(delimiter);
  const env = { PATH, PLATFORM_DB: server.file, examples: folder };
  const shell = await openFastShell(folder, env);
  const run: Shell["run"] = async (command) => {
    const ran = await shell.run(command);
    // The web server takes a moment to start. A reader types too slowly to notice.
    if (/^http-server.*&$/.test(command)) await until("the web server answers", answers);
    return ran;
  };
  const answers = () => fetch(`http://127.0.0.1:${places[1]?.real}/`).catch(() => null);
  const told = await replay(readManual(readFileSync(file, "utf8")), { run }, places);
  await expect(told).toMatchFileSnapshot(file);
});
