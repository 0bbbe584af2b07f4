// Server URLs as users type them, which may lack a scheme or be invalid.

import { expect, test } from "vitest";
import { serverUrl } from "../../../src/cli/connecting/server-url.ts";
import { isOpenToOthers } from "../../../src/client/proxy.ts";

test.each<[typed: string, is: string]>([
  ["example.org", "https://example.org"],
  ["example.org:8443/", "https://example.org:8443"],
  ["10.0.0.5:8080", "https://10.0.0.5:8080"],
  ["localhost.example.org", "https://localhost.example.org"],
  ["127.0.0.1.example.org:80", "https://127.0.0.1.example.org:80"],
  ["localhost", "http://localhost"],
  ["localhost:8080", "http://localhost:8080"],
  ["127.0.0.1:8080/", "http://127.0.0.1:8080"],
  ["[::1]:8080", "http://[::1]:8080"],
  ["http://example.org", "http://example.org"],
  ["https://localhost:8080/x/", "https://localhost:8080/x"],
])("%s becomes %s", (typed, is) => {
  expect(serverUrl(typed, "--server")).toBe(is);
  expect(isOpenToOthers(is)).toBe(is === "http://example.org");
});

test.each([
  ...["", "ftp://example.org", "http://", "a b", "ana:secret@example.org", "example.org?x"],
  ...["/ana:secret@example.org", " http://ana:secret@example.org", "ftp:///ana:secret@example.org"],
  " ftp://ana:secret@example.org",
])("%j is refused without printing the password", (typed) => {
  const refused = () => serverUrl(typed, "--server");
  expect(refused).toThrow(/^--server must be a URL such as http:\/\/127\.0\.0\.1:8080/);
  expect(refused).not.toThrow(/secret/);
});
