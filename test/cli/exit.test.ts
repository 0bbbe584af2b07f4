import { expect, test } from "vitest";
import { reportFailure } from "../../src/cli/exit.ts";
import type { Io } from "../../src/cli/terminal/io.ts";
import { AppError, errorCodes, validationFailed } from "../../src/domain/errors.ts";
import { statusOf } from "./failures/statuses.ts";

/** Returns the exit status, and what is printed. */
function reported(error: AppError, isJson: boolean): [status: number, printed: string] {
  let printed = "";
  const note = (text: string) => {
    printed += text;
  };
  const status = reportFailure({ program: "platformctl", note } as Io, error, isJson);
  return [status, printed];
}

test("each error code of the API has the right exit status", () => {
  for (const code of errorCodes) {
    const [status, printed] = reported(new AppError(code, "It is so."), true);
    expect([code, status]).toEqual([code, statusOf[code]]);
    expect(JSON.parse(printed).error).toMatchObject({
      code,
      message: expect.stringContaining("It is so."),
    });
  }
});

test("several mistakes are listed, each once", () => {
  const issues = [
    { path: "name", message: "is too long" },
    { path: "", message: "needs a role" },
  ];
  const [, printed] = reported(validationFailed(issues), false);
  expect(printed).toBe(
    "platformctl: The request is not valid:\n  name: is too long\n  (whole): needs a role\n",
  );
});
