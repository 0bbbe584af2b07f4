import { expect, test } from "vitest";
import { slowSecondsOf } from "../../src/client/paths.ts";
import { routeFacts } from "../../src/domain/route-facts.ts";

const slow = Object.values(routeFacts).filter((spec) => spec.slowSeconds !== undefined);

test.each(slow)("the slow route $path is found by its path", ({ method, path, slowSeconds }) => {
  const realPath = path.replace(/:\w+/g, "x");
  expect(slowSecondsOf(method, realPath)).toBe(slowSeconds);
  expect(slowSecondsOf(method, `${realPath}?wait=5`)).toBe(Number(slowSeconds) + 5);
});
