import { expect, test } from "vitest";
import { chooseCoding } from "../../../src/http/requests/accept-encoding.ts";

const all = ["br", "gzip", "identity"] as const;

test.each([
  ["gzip, deflate, br, zstd", "br"],
  [undefined, "identity"],
  ["*", "br"],
  ["BR", "br"],
  [" gzip ; q=0.5 , br;q=0.4", "gzip"],
  ["br;q=0, gzip", "gzip"],
  ["br;q=0, gzip;q=0.000", "identity"],
  ["identity, gzip;q=0.5", "identity"],
  ["identity;q=0, *;q=0", "identity"],
  ["*;q=0, gzip", "gzip"],
  ["br;q=2, gzip", "gzip"],
  ["br;q=all, gzip;q=", "identity"],
  ["brotli, gzipped", "identity"],
])("%s: %s", (accepted, coding) => {
  expect(chooseCoding(accepted, all)).toBe(coding);
});

test("only available codings are chosen", () => {
  expect(chooseCoding("br, gzip;q=0.1", ["gzip", "identity"])).toBe("gzip");
  expect(chooseCoding("br, gzip", ["identity"])).toBe("identity");
});
