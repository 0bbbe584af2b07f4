import { Children, type ReactElement, type ReactNode } from "react";
import { expect, test } from "vitest";
import { softBreaks } from "../../src/console/components/text/soft-breaks.tsx";

/** Writes `|` for a possible break, and puts brackets around what must stay on one line. */
function marked(node: ReactNode): string {
  if (typeof node === "string") return node;
  const { type, props } = node as ReactElement<{ className?: string; children?: ReactNode }>;
  if (type === "wbr") return "|";
  const inner = Children.toArray(props.children).map(marked).join("");
  return props.className === "unbroken" ? `[${inner}]` : inner;
}

test.each([
  ["nothing special", "nothing special"],
  ["restart on shop-web-1 failed", "restart on [shop-web-1] failed"],
  ["codes: customers-db-01x, b-2.", "codes: [customers-db-01x,] [b-2.]"],
  ["/var/lib/platform/certificates", "/|var/|lib/|platform/|certificates"],
  ["of 17 to 23: eu-central-1a-rack-7", "of 17 to 23: eu-central-1a-rack-7"],
  ["- a- -b --", "- a- -b --"],
  ["订单服务-上海机房", "订单服务-上海机房"],
])("lines break in %j as expected", (text, expected) => {
  expect(marked(softBreaks(text))).toBe(expected);
});

test("a very long text is left to the browser", () => {
  const text = "a-b ".repeat(10_000);
  expect(softBreaks(text)).toBe(text);
});
