// Tests what the console makes of the descriptions of nouns. `lists.test.ts` opens their pages.

import { expect, test } from "vitest";
import type { ValueSource } from "../../src/api/contract/cells.ts";
import type { Noun } from "../../src/api/contract/noun.ts";
import { nouns } from "../../src/api/contract/nouns.ts";
import { toneOf } from "../../src/console/format/status.ts";
import { isPageOfNoun, listAddress } from "../../src/console/nouns/addresses.ts";
import { textIn } from "../../src/console/nouns/cell-texts.ts";
import { titleOf } from "../../src/console/nouns/nouns.ts";
import { withTexts } from "../../src/console/nouns/with-texts.ts";
import { pages } from "../../src/console/shell/pages.ts";

test("every list is in the navigation, or in a tab of the settings", () => {
  const listed = pages.map(({ nav }) => nav?.text);
  const others = Object.values(nouns).filter(({ title }) => !listed.includes(title));
  expect(others.map(({ noun }) => listAddress(noun))).toEqual(["/settings?tab=nodes"]);
});

test("pages require the roles of the calls that they make", () => {
  const pathsOf = (wanted: string) =>
    pages.filter(({ role }) => role === wanted).map(({ path }) => path);
  expect(pathsOf("owner")).toEqual(["/users", "/users/:userId"]);
  expect(pathsOf("operator")).toEqual([
    "/services/:serviceId/actions/:actionName",
    "/rollouts/new",
    "/rollouts/:rolloutId/retry",
    "/schedules/new",
    "/schedules/:scheduleId/edit",
    "/bus/routes/new",
    "/api-keys",
  ]);
});

test("a translation can replace all texts of a noun", () => {
  const german = withTexts(nouns, {
    "*": { columns: { name: { label: "Name" } } },
    agents: {
      title: "Agenten",
      columns: { "last seen": { label: "Zuletzt gesehen" } },
      acts: { disable: { happens: ["Seine Aufrufe werden abgelehnt."] } },
    },
    schedules: { columns: { name: { label: "Zeitplan" } } },
  });
  expect(german.agents.title).toBe("Agenten");
  expect(german.agents.columns[3]).toMatchObject({ name: "last seen", label: "Zuletzt gesehen" });
  expect(german.agents.acts.disable?.happens).toEqual(["Seine Aufrufe werden abgelehnt."]);
  const labelOfName = ({ columns }: Noun) => columns.find(({ name }) => name === "name")?.label;
  expect(labelOfName(german.rollouts)).toBe("Name");
  expect(labelOfName(german.schedules)).toBe("Zeitplan");
  expect(nouns.agents.title).toBe("Agents");
  for (const noun of ["agents", "*"]) {
    const words = { [noun]: { columns: { nothing: { label: "Nichts" } } } };
    expect(() => withTexts(nouns, words)).toThrow("columns.nothing");
  }
});

test("objects without a name are called by what they do, otherwise by their id", () => {
  const id = "rol_01M8JT8SARX2YB1QZB418ED891";
  const rollout = { id, name: null, action: "restart", total: 3 };
  expect(titleOf(nouns.rollouts, rollout)).toBe("restart on 3 services");
  expect(titleOf(nouns.rollouts, { ...rollout, name: "New prices" })).toBe("New prices");
  const command = { id, action: "restart", serviceCode: "web-1" };
  expect(titleOf(nouns.commands, command)).toBe("restart on web-1");
  expect(titleOf(nouns["registration-tokens"], { id, name: null })).toBe("rol_…8ED891");
});

test.each<[cell: ValueSource, row: object, text: string | null]>([
  [{ cell: "rolloutWave" }, { wave: 1, waveCount: 3, state: "RUNNING" }, "1 of 3"],
  [{ cell: "rolloutWave" }, { wave: 1, waveCount: 3, state: "AWAITING_APPROVAL" }, null],
  [
    { cell: "rolloutProgress" },
    { total: 31, targets: { SUCCEEDED: 16, FAILED: 2, NOT_RUN: 13 } },
    "16 of 31 succeeded, 2 failed, 13 not run",
  ],
  [{ cell: "rolloutWhy" }, { stateReason: "TOO_MANY_FAILURES" }, "Too many failures"],
  [{ cell: "rolloutWhy" }, { stateReason: "NEWER" }, "NEWER"],
  [{ cell: "agentTrouble" }, { status: "OFFLINE", offlineReason: "SILENT" }, "Silent"],
  [
    { cell: "agentTrouble" },
    { status: "ONLINE", clockSkewMs: -100_000 },
    "Clock differs from the server's: 1 min behind",
  ],
  [{ cell: "tokenScope" }, { agentCode: null, replace: true }, "Any agent, replacing it"],
  [
    { cell: "policyRule" },
    { action: null, dangerLevel: "HIGH", selector: "a=b" },
    "High danger, a=b",
  ],
  [
    { cell: "policyRule" },
    { action: null, dangerLevel: null, selector: null },
    "Every action of every service",
  ],
  [{ cell: "policyApprovers" }, { approvers: { role: "owner" } }, "Any owner"],
  [{ cell: "viewAudience" }, { shared: true }, "Everyone"],
  [{ cell: "labels" }, { labels: { a: "b" } }, "a=b"],
  ["name", { name: "web" }, "web"],
])("the cell %j of %j", (cell, row, text) => {
  expect(textIn(row, cell)).toBe(text);
});

test.each([
  ["ERROR", "bad"],
  ["LOCKED", "warn"],
  ["anything", "unsure"],
])("%s is %s", (status, tone) => {
  expect(toneOf(status)).toBe(tone);
});

test.each([
  ["/services/svc_01K00000000000000000000000", true],
  ["/bus/events/bev_1", true],
  ["/services", false],
  ["/services/a/actions/b", false],
  ["/services/../api", false],
  ["//services/a", false],
  ["javascript:alert(1)", false],
  ["/services/a\n", false],
])("%j is a page of the console: %s", (text, is) => {
  expect(isPageOfNoun(text)).toBe(is);
});
