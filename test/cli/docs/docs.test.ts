// Tests `docs` and `explain`.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ResultCode } from "../../../src/agent/work/commands.ts";
import { explainedCodes } from "../../../src/cli/commands/docs/explained-codes.ts";
import { docPages } from "../../../src/cli/commands/docs/pages.ts";
import { renderPage } from "../../../src/cli/commands/docs/rendered.ts";
import { answerCompletion } from "../../../src/cli/completion/index.ts";
import { colouredStates } from "../../../src/cli/terminal/colours.ts";
import { variables } from "../../../src/config/variables.ts";
import { errorCodes } from "../../../src/domain/errors.ts";
import { commandLineGuide } from "../../../src/domain/guides/command-line-guide.ts";
import {
  type ErrorGuide,
  errorGuide,
  type OutcomeCode,
  outcomeGuide,
} from "../../../src/domain/guides/error-guide.ts";
import { statusGuide } from "../../../src/domain/guides/status-guide.ts";
import { nodeSilentMs } from "../../../src/domain/nodes.ts";
import { skipReasons } from "../../../src/domain/schedules/schedules.ts";
import { describeStorageProblem, storageReasons } from "../../../src/domain/storage/failures.ts";
import { cli } from "../world.ts";

const root = join(import.meta.dirname, "../../..");

/** Compiles only if each code of the agent library is explained. */
type Explained = OutcomeCode | keyof typeof errorGuide;
const isExplained = (code: ResultCode): Explained => code;

test("`docs` lists the pages in groups, and as data", async () => {
  const { status, stdout, stderr } = await cli(["docs"]);
  expect({ status, stderr }).toEqual({
    status: 0,
    stderr: "\nTo read a page: platformctl docs PAGE\n",
  });
  expect(stdout).toMatch(/^Guides\n {2}guides\/\S+ +\S/m);
  const listed = JSON.parse((await cli(["docs", "-o", "json"])).stdout);
  expect(listed).toEqual(docPages());
  const pages = listed.map(({ page }: { page: string }) => page);
  expect(pages).toEqual([...new Set(pages)]);
  expect(pages).toEqual(
    expect.arrayContaining([
      "platformctl",
      "concepts",
      "guides/backup",
      "reference/errors",
      "commands/tokens",
    ]),
  );
  expect(pages).not.toContain("architecture");
  for (const { file } of docPages()) expect(existsSync(join(root, file)), file).toBe(true);
});

test.each([
  { name: "guides/backup", prints: "# Backup\n" },
  { name: "docs/guides/backup.md", prints: "# Backup\n" },
  { name: "Errors", prints: "# Error codes\n" },
  { name: "docs/reference/commands/tokens.md", prints: "# tokens: registration tokens\n" },
  { name: "whoami", prints: "# login, logout, whoami, sessions, context\n" },
  { name: "platformctl.md", prints: "# platformctl\n" },
])("`docs $name` prints the page without its comments", async ({ name, prints }) => {
  const { status, stdout, stderr } = await cli(["docs", name]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout.startsWith(prints)).toBe(true);
  expect(stdout).not.toMatch(/^<!--/m);
});

test("if a name matches several pages, the guide is printed and the others are named", async () => {
  const { stdout, stderr } = await cli(["docs", "approvals"]);
  expect(stdout).toMatch(/^# Approvals\n/);
  expect(stderr).toBe("\nSee also: platformctl docs commands/approvals\n");
});

test("as JSON, a page has its text", async () => {
  const { stdout } = await cli(["docs", "guides/backup", "-o", "json"]);
  const text = expect.stringMatching(/^# Backup\n/);
  expect(JSON.parse(stdout)).toMatchObject([{ page: "guides/backup", title: "Backup", text }]);
});

test.each([
  {
    words: ["docs", "guides/bakup"],
    says: "there is no page guides/bakup. Did you mean guides/backup?",
  },
  { words: ["docs", "bakup"], says: "there is no page bakup. Did you mean guides/backup?" },
  {
    words: ["docs", "xyzzyxyzzy"],
    says: "there is no page xyzzyxyzzy. To list the pages, leave out the name.",
  },
  {
    words: ["explain", "agent_ofline"],
    says: "there is no code agent_ofline of this program. Did you mean AGENT_OFFLINE? Actions and the operating system have codes of their own.",
  },
])("$words is not found, with a suggestion if one is similar", async ({ words, says }) => {
  expect(await cli(words)).toEqual({ status: 3, stdout: "", stderr: `platformctl: ${says}\n` });
});

test("`explain` lists the codes of the API and of commands", async () => {
  const { stdout } = await cli(["explain", "-o", "name"]);
  const others = { ...outcomeGuide, ...commandLineGuide };
  const listed = stdout.trimEnd().split("\n");
  const errors = [...errorCodes, ...Object.keys(others)];
  expect(listed.slice(0, errors.length)).toEqual(errors);
  expect(listed).toEqual([...new Set(listed)]);
  expect(isExplained("STATE_CHANGED")).toBe("STATE_CHANGED");
});

test("`explain` knows every status and reason of the API, and every word that has a colour", () => {
  const openapi = readFileSync(join(root, "openapi.json"), "utf8");
  const ofApi = new Set<string>();
  JSON.parse(openapi, (key, value) => {
    const words = key === "enum" ? value : key === "const" ? [value] : [];
    for (const word of words) if (/^[A-Z][A-Z_]+$/.test(word)) ofApi.add(word);
    return value;
  });
  // Parts of a stored output, which no table shows.
  for (const kind of ["TEXT", "LOST", "OMITTED"]) ofApi.delete(kind);
  expect(ofApi.size).toBeGreaterThan(100);
  const shown = [...ofApi, ...colouredStates, ...skipReasons];
  const known = new Set(explainedCodes().map(({ code }) => code));
  expect(shown.filter((word) => !known.has(word))).toEqual([]);
});

test("`explain` has every meaning of a code", () => {
  const meanings = new Map(explainedCodes().map(({ code, meaning }) => [code, meaning]));
  const guides = [errorGuide, outcomeGuide, commandLineGuide, statusGuide];
  const expected = [
    ...guides.flatMap((guide) => Object.entries<ErrorGuide>(guide)),
    ...storageReasons.map((code) => [code, { meaning: describeStorageProblem(code) }] as const),
  ];
  const isMissing = ([code, { meaning }]: (typeof expected)[number]) =>
    !meanings.get(code)?.toLowerCase().includes(meaning.toLowerCase());
  expect(expected.filter(isMissing)).toEqual([]);
  expect(meanings.get("UNREACHABLE")).toBe(
    "The server did not respond, or its certificate is not trusted. As a reason in " +
      "`platformctl health`: the database server cannot be reached, or is a read-only replica.",
  );
  const remedies = new Map(explainedCodes().map(({ code, remedy }) => [code, remedy]));
  expect(remedies.get("DISK_FULL")).toMatch(/^Free up space on the disk\./);
  const conditional = [...remedies].filter(([, text]) => text.includes("health` shows this code"));
  expect(conditional.map(([code]) => code)).toEqual(["UNREACHABLE", "AUDIT_BROKEN"]);
  const second = Object.entries(statusGuide).filter(
    ([code, { meaning }]) => meanings.get(code) !== meaning,
  );
  expect(second.map(([code]) => code)).toContain("AGENT_STOPPED");
  expect(
    second.filter(([, { meaning }]) => !meaning.startsWith("If this code is shown as ")),
  ).toEqual([]);
});

test("the statuses of services are explained with their times, and only NOT_REPORTED advises deleting", () => {
  const { STALE, OFFLINE } = statusGuide;
  const seconds = (
    name: "AGENT_OFFLINE_THRESHOLD" | "AGENT_SUPPRESS_AFTER" | "SERVICE_STALE_THRESHOLD",
  ) => `${variables[`${name}_SECONDS`].byDefault} s`;
  const silent = seconds("AGENT_OFFLINE_THRESHOLD");
  const suppressed = seconds("AGENT_SUPPRESS_AFTER");
  for (const text of [silent, suppressed, seconds("SERVICE_STALE_THRESHOLD")]) {
    expect(STALE.meaning).toContain(text);
  }
  for (const text of [silent, suppressed, `${nodeSilentMs / 1000} s`]) {
    expect(OFFLINE.meaning).toContain(text);
  }
  const advise = Object.entries(statusGuide).filter(([, { remedy }]) =>
    remedy.includes("platformctl services delete"),
  );
  expect(advise.map(([code]) => code)).toEqual(["NOT_REPORTED"]);
});

test.each([
  { code: "data_lost", says: "changes that the server had confirmed are gone" },
  { code: "too_many_failures", says: "--max-failures" },
  { code: "MISSED", says: "no server could start it when it was due" },
])("`explain $code` explains a reason, without an exit status", async ({ code, says }) => {
  const { status, stdout } = await cli(["explain", code]);
  expect(status).toBe(0);
  expect(stdout.startsWith(`code  ${code.toUpperCase()}\n\n`)).toBe(true);
  expect(stdout).toContain(says);
  expect(stdout).toContain("\nWhat to do\n");
});

test("`explain CODE` accepts any letter case, and wraps its text on a terminal", async () => {
  const { stdout } = await cli(["explain", "plan_expired"], { io: { width: 50 } });
  expect(stdout).toMatch(/^code {2}PLAN_EXPIRED\nhttp {2}409\nexit {2}5\n\nThe plan/);
  expect(stdout.split("\n").filter((line) => line.length > 50)).toEqual([]);
  const asJson = JSON.parse((await cli(["explain", "STATE_CHANGED", "-o", "json"])).stdout);
  expect(asJson).toMatchObject({ code: "STATE_CHANGED", httpStatus: null, exitStatus: 1 });
  // An error of the command line itself. Its codes do not compile without an explanation.
  const ofRestore = await cli(["explain", "DIGEST_DIFFERS"]);
  expect(ofRestore.stdout).toMatch(
    /^code {2}DIGEST_DIFFERS\nexit {2}1\n\nThe backup's SHA-256 differs/,
  );
});

test("texts about codes are sentences, and name commands and pages that exist", async () => {
  const { allCommands } = await import("../../../src/cli/commands/index.ts");
  const names = (await allCommands()).map(({ name }) => name);
  const texts = explainedCodes().flatMap(({ meaning, causes, remedy }) => [
    meaning,
    ...causes,
    remedy,
  ]);
  expect(texts.filter((text) => !/^[A-Z`].*\.$/.test(text))).toEqual([]);
  const cited = texts.flatMap(
    (text) => text.match(/(?<=`platformctl )[a-z-]+(?: [a-z-]+)?/g) ?? [],
  );
  const isCommand = (words: string) =>
    names.includes(words) || names.includes(words.split(" ")[0] ?? "");
  expect(cited.length).toBeGreaterThan(50);
  expect(cited.filter((words) => !isCommand(words))).toEqual([]);
});

test.each([
  { words: ["docs", "guides/ba"], offers: "guides/backup\tBackup\n" },
  { words: ["explain", "PLAN_EX"], offers: /^PLAN_EXPIRED\tThe plan/ },
])("completion offers the names after $words", async ({ words, offers }) => {
  let out = "";
  const io = { out: (text: string) => (out += text), note: () => undefined };
  await answerCompletion(io as never, ["--", ...words]);
  expect(out).toMatch(offers);
});

test("at a terminal, a page is wrapped and its tables are laid out", async () => {
  const { stdout } = await cli(["docs", "guides/attention"], { io: { width: 80, colour: false } });
  const lines = stdout.split("\n");
  expect(lines[0]).toBe("See what needs attention");
  // Examples are not wrapped.
  const prose = lines.filter((line) => !line.startsWith("    "));
  expect(prose.filter((line) => line.length > 80)).toEqual([]);
  expect(stdout).not.toMatch(/^\||\*\*|`|\]\(/m);
  expect(stdout).toMatch(/^PROBLEM +MEANING +SINCE$/m);
  expect(stdout).toMatch(/^ {4}\$ platformctl attention list$/m);
});

test("a page is rendered for a terminal", () => {
  const page = [
    "# The `title`",
    "",
    "Some **bold** and _soft_ words with a [link](#part), a [site](https://a.example/b) and",
    "`a * b * c` on more than one line.",
    "",
    "- an item that is",
    "  wrapped: snake_case_name",
    "- another",
    "",
    "| Code | Meaning |",
    "| --- | --- |",
    "| `A\\|B` | one or the other |",
    "",
    "```sh",
    "platform serve   # **as it is**",
    "```",
  ].join("\n");
  expect(renderPage(page, { width: 40, colour: false })).toBe(
    [
      "The title",
      "",
      "Some bold and soft words with a link, a",
      "site (https://a.example/b) and a * b * c",
      "on more than one line.",
      "",
      "- an item that is wrapped:",
      "  snake_case_name",
      "- another",
      "",
      "CODE  MEANING",
      "A|B   one or the other",
      "",
      "    platform serve   # **as it is**",
      "",
    ].join("\n"),
  );
});
