import { expect } from "vitest";
import type { ErrorCode } from "../../src/domain/errors.ts";

/** Expects a refusal with this code and at least these details. */
export async function expectRefused(call: Promise<unknown>, code: string, details?: object) {
  await expect(call).rejects.toMatchObject(details === undefined ? { code } : { code, details });
}

/** Expects an invalid value at this path alone. */
export async function expectInvalid(call: Promise<unknown>, path: string) {
  await expectRefused(call, "VALIDATION_FAILED", { issues: [{ path }] });
}

export function outcome<T>(call: Promise<T>): Promise<T | ErrorCode> {
  return call.catch((error) => error.code ?? Promise.reject(error));
}
