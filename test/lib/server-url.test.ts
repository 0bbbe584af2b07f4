// Which URLs of servers have a user, a query or a fragment.

import { expect, test } from "vitest";
import { hasMoreThanPlace } from "../../src/lib/server-url.ts";

test.each([
  ...["http://ana:secret@h", "http://ana@h", "http://:secret@h", "http://@h", "ana:secret@h"],
  ...[" http://ana:secret@h", "http:///ana:secret@h", "http:/ana:secret@h", "http:ana:secret@h"],
  ...["ht\ntp://ana:secret@h", "http:\\\\ana:secret@h", "http:\\/ana@h", "/ana:secret@h"],
  ...["http://h?", "http://h#", "h/x?y", "http://h/#a"],
])("%j has more than a place", (url) => {
  expect(hasMoreThanPlace(url)).toBe(true);
});

test.each([
  "http://h",
  "https://h:8443/x/",
  "h",
  "h:8080",
  "http://h/@ana",
  "[::1]:80",
  "",
  "http://",
])("%j has only a place", (url) => {
  expect(hasMoreThanPlace(url)).toBe(false);
});
