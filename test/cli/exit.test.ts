import { expect, test } from "vitest";
import { reportFailure } from "../../src/cli/exit.ts";
import type { Io } from "../../src/cli/terminal/io.ts";
import { AppError, errorCodes, validationFailed } from "../../src/domain/errors.ts";
import { statusOf } from "./failures/statuses.ts";

test.each(errorCodes)("the API's error %s has the right exit status", (code) => {
  let printed = "";
  const note = (text: string) => {
    printed += text;
  };
  const io = { program: "platformctl", note } as Io;
  expect(reportFailure(io, new AppError(code, "It is so."), true)).toBe(statusOf[code]);
  const { error } = JSON.parse(printed);
  expect(error).toMatchObject({ code, message: expect.stringContaining("It is so.") });
});

test("several mistakes are listed, each once", () => {
  let printed = "";
  const note = (text: string) => {
    printed += text;
  };
  const issues = [
    { path: "name", message: "is too long" },
    { path: "", message: "needs a role" },
  ];
  reportFailure({ program: "platformctl", note } as Io, validationFailed(issues), false);
  expect(printed).toBe(
    "platformctl: The request is not valid:\n  name: is too long\n  (whole): needs a role\n",
  );
});
