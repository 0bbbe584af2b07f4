// The code blocks of docs/guides/recipes.md: the first is the head of a file, and each other block
// is a service below it.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { parseConfig } from "../../../../src/agent/sidecar/config/config-file.ts";
import { unknownPlaceholders } from "../../../../src/agent/sidecar/config/unknown-placeholders.ts";
import { temporaryFolder } from "../../../helpers/app.ts";

const page = readFileSync(join(import.meta.dirname, "../../../../docs/guides/recipes.md"), "utf8");
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "gs"))].map(
    ([, text = ""]) => text,
  );
const [head = "", ...recipes] = blocks("yaml");

test.each(recipes.map((text) => [/code: (\S+)/.exec(text)?.[1], text]))(
  "%s is a valid service",
  (code, text) => {
    const file = `${head}${text}`;
    expect(parseConfig("docs", file).services).toMatchObject([{ code }]);
    expect(unknownPlaceholders(parse(file))).toEqual([]);
  },
);

test("the script of the cron job notes when the job has succeeded", () => {
  const folder = temporaryFolder();
  const [script = "", ...others] = blocks("sh");
  expect(others).toEqual([]);
  mkdirSync(join(folder, "lock"));
  const job = join(folder, "job");
  writeFileSync(job, "#!/bin/sh\necho done\n", { mode: 0o755 });
  const here = script
    .replace("/run/lock", join(folder, "lock"))
    .replace("/opt/nightly/job", job)
    .replace("/var/lib/nightly", folder);
  expect(execFileSync("sh", ["-c", here], { encoding: "utf8" })).toBe("done\n");
  expect(readFileSync(join(folder, "last-success"), "utf8")).toMatch(/^\d{4}-\d\d-\d\dT\S+Z\n$/);
});
