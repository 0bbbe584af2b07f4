import { describe, expect, test } from "vitest";
import { cells } from "../../../src/api/contract/cells.ts";
import { routeLines } from "../../../src/cli/commands/bus/route-outcomes.ts";

type Match = Parameters<typeof routeLines>[0][number];

const match = (more: Partial<Match>): Match => ({
  routeId: "brt_1",
  routeName: "rotate",
  outcome: "COMMAND_CREATED",
  ...more,
});
const done = match({ commandId: "cmd_1", commandStatus: "SUCCEEDED" });
const open = match({ commandId: "cmd_2", commandStatus: "PENDING" });
const tried = match({ outcome: "DRY_RUN" });
const failed = match({ outcome: "FAILED", reason: "There is no service pager." });

test.each<[Match[], string]>([
  [[], "no route"],
  [[done], "1 command succeeded"],
  [[match({ commandId: "cmd_3" })], "1 command"],
  [[tried, failed, tried], "2 dry runs, 1 route failed"],
  [[failed, open, failed, done], "2 routes failed, 1 command pending, 1 command succeeded"],
])("the outcome of %j is %j", (routes, words) => {
  expect(cells.eventOutcome({ routes })).toBe(words);
});

describe("the lines of the routes", () => {
  const gone = match({ ...failed, routeId: "brt_20", routeName: "page", routeDeleted: true });
  const unknown = match({ ...tried, routeId: "brt_3", routeName: undefined, routeDeleted: true });

  test("have the name, in columns", () => {
    const [withId] = routeLines([done], true).split("\n");
    expect(withId).toBe("brt_1  rotate  COMMAND_CREATED  cmd_1  SUCCEEDED");
    expect(routeLines([done, gone, unknown], false).split("\n")).toEqual([
      "rotate           COMMAND_CREATED  cmd_1  SUCCEEDED",
      "page (deleted)   FAILED           There is no service pager.",
      "brt_3 (deleted)  DRY_RUN",
    ]);
  });

  test("are as many as the routes, whatever names and reasons contain", () => {
    const reason = "no field a\nrotate  COMMAND_CREATED  cmd_9  SUCCEEDED";
    const lines = routeLines(
      [match({ ...failed, routeName: "x\u001b[2J\ny", reason }), done],
      false,
    );
    expect(lines.split("\n")).toEqual([
      "x\\u001b[2J\\ny  FAILED           no field a\\nrotate  COMMAND_CREATED  cmd_9  SUCCEEDED",
      "rotate         COMMAND_CREATED  cmd_1  SUCCEEDED",
    ]);
  });
});
