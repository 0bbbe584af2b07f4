// Every error of the API ends a command with an exit status of its own kind.

import { describe, expect, test } from "vitest";
import { reportFailure } from "../../src/cli/exit.ts";
import type { Io } from "../../src/cli/terminal/io.ts";
import { AppError, errorCodes } from "../../src/domain/errors.ts";
import { statuses } from "./failures/statuses.ts";

describe("every error code has its exit status", () => {
  const listed = Object.entries(statuses).flatMap(([status, codes]) =>
    codes.map((code) => ({ code, status: Number(status) })),
  );

  test("none is forgotten", () => {
    expect(listed.map(({ code }) => code).sort()).toEqual([...errorCodes].sort());
  });

  test.each(listed)("$code: $status", ({ code, status }) => {
    let said = "";
    const note = (text: string) => {
      said += text;
    };
    const io = { program: "platformctl", note } as Io;
    expect(reportFailure(io, new AppError(code, "It is so."), true)).toBe(status);
    const { error } = JSON.parse(said);
    expect(error).toMatchObject({ code, message: expect.stringContaining("It is so.") });
  });
});
