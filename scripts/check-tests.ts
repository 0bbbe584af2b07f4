// Rejects code in test/ that makes a test depend on the speed of the machine. test-exceptions.ts
// lists what is allowed nevertheless.

import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { parseSync } from "rolldown/utils";
import { type Exception, exceptions } from "./test-exceptions.ts";

/** The kinds of violations, and what to do instead. */
export const kinds = {
  wait: "Wait for a condition (`until`, `vi.waitFor`), or advance a fake clock.",
  measure: "Count what the time or memory shows, or move the test to a .long.test.ts file.",
  process: "Look at the test's own objects, because earlier tests of the process may still end.",
  "page-read": "Use `expect.poll`, because the page may still change.",
  route: "Use `intercept` of `openConsole`, because a request can hang when a route is removed.",
  port: "Use `claimPort`, because another process can take a port that was free a moment ago.",
  chance: "Use a longer text, because ids, ports and times may contain a short number by chance.",
  limit: "Leave the time limit to vitest.config.ts, which has one for all tests.",
  terminal: "Use `openTerminal` or `openProgram`, which type only after a prompt.",
} as const;

export type Kind = keyof typeof kinds;

export interface Finding {
  /** The path from the project's root. */
  file: string;
  line: number;
  kind: Kind;
  message: string;
}

const terminalHelper = "test/helpers/process/terminal.ts";

interface Node {
  type: string;
  start: number;
  // biome-ignore lint/suspicious/noExplicitAny: every type of node has other fields
  [field: string]: any;
}

/** Checks the tests and helpers below `root`. Throws on a syntax error. */
export function checkTests(root: string, allowed: readonly Exception[]): Finding[] {
  const files = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
    .map((name) => `test/${name.replaceAll(sep, "/")}`)
    .filter((file) => /\.[cm]?tsx?$/.test(file))
    .sort();
  const found = files.flatMap((file) => findIn(file, readFileSync(join(root, file), "utf8")));
  return applyExceptions(found, allowed);
}

/** Removes what is allowed. Reports exceptions for more or fewer places than there are. */
function applyExceptions(found: Finding[], allowed: readonly Exception[]): Finding[] {
  const isOf =
    ({ file, kind }: Exception) =>
    (finding: Finding) =>
      finding.file === file && finding.kind === kind;
  const wrong = allowed.flatMap((exception): Finding[] => {
    const { file, kind, times = 1 } = exception;
    const count = found.filter(isOf(exception)).length;
    if (count === times) return [];
    const message = `scripts/test-exceptions.ts allows ${times} of this kind, but there are ${count}.`;
    return [{ file, line: 1, kind, message }];
  });
  const refused = found.filter((finding) => {
    const exception = allowed.find((each) => isOf(each)(finding));
    return !exception || wrong.some((each) => isOf(exception)(each));
  });
  return [...refused, ...wrong];
}

/** Finds the violations in one file. */
export function findIn(file: string, text: string): Finding[] {
  const { program, errors } = parseSync(file, text);
  if (errors[0]) throw new SyntaxError(`${file}: ${errors[0].message}`);
  const nodes = all(program as unknown as Node);
  const isHelper = file.startsWith("test/helpers/");
  const found = [
    ...(isHelper ? [] : waits(nodes, text)),
    ...(isHelper || file.endsWith(".long.test.ts") ? [] : measurements(nodes, text)),
    ...(/\b(helpers\/browser\/|playwright-core)/.test(text) ? pageReads(nodes) : []),
    ...routes(nodes),
    ...(isHelper ? [] : ofProcess(nodes)),
    ...ports(nodes),
    ...chances(nodes),
    ...limits(nodes),
    ...(file === terminalHelper ? [] : terminals(nodes)),
  ];
  return found
    .map(([kind, { start }]): Finding => {
      const line = text.slice(0, start).split("\n").length;
      return { file, line, kind, message: kinds[kind] };
    })
    .sort((a, b) => a.line - b.line);
}

type Found = [kind: Kind, node: Node];

/** Finds waits, except those of timers that `vi.useFakeTimers` replaces in this file. */
function waits(nodes: Node[], text: string): Found[] {
  return nodes
    .filter((node) => {
      if (node.type === "ImportDeclaration") {
        const waiting = /^(setTimeout|setInterval|scheduler)$/;
        return (
          /^(node:)?timers\/promises$/.test(node.source.value) &&
          node.specifiers.some(({ imported }: Node) => !imported || waiting.test(imported.name))
        );
      }
      if (node.type !== "CallExpression") return false;
      const name = nameOf(node.callee);
      const timer = /^(?:globalThis\.|window\.)?(setTimeout|setInterval)$/.exec(name)?.[1];
      if (timer) return !fakes(text, timer);
      if (name.endsWith(".waitForLoadState")) return node.arguments[0]?.value === "networkidle";
      if (name === "Atomics.wait") return node.arguments.length > 3;
      return /(^|\.)(sleep|waitForTimeout)$/.test(name);
    })
    .map((node) => ["wait", node]);
}

function measurements(nodes: Node[], text: string): Found[] {
  const isFake = fakes(text, "performance");
  const elapsed = differences(nodes);
  const kept = namesGiven(nodes, (value) => elapsed.some((each) => isWithin(each, value)));
  const calls = nodes.filter(({ type, callee }) => {
    const name = type === "CallExpression" ? nameOf(callee) : "";
    if (name === "performance.now") return !isFake;
    if (/(^|\.)(rssBytes|cpuMs|peakDuring)$/.test(name)) return true;
    return /^process\.(hrtime|cpuUsage|threadCpuUsage|memoryUsage|resourceUsage)\b/.test(name);
  });
  const moments = nodes.filter(
    ({ type, callee }) =>
      type === "CallExpression" &&
      /^toBeLessThan/.test(callee.property?.name ?? "") &&
      callee.object.type === "CallExpression" &&
      nameOf(callee.object.callee) === "expect" &&
      callee.object.arguments.some(isNow),
  );
  const expected = nodes.filter((node) => {
    const own = node.type === "ExpressionStatement" ? all(node, (each) => !isFunction(each)) : [];
    const isMeasured = own.some((each) => elapsed.includes(each) || kept.has(nameOf(each)));
    return isMeasured && expectations(own).length > 0;
  });
  const files = nodes.filter(({ type, value }) => {
    const content = type === "Literal" ? value : type === "TemplateElement" ? value.cooked : null;
    return /^(\/proc\/\w+)?\/(stat|statm|smaps|schedstat)$|Vm(RSS|HWM)/.test(String(content));
  });
  return [...calls, ...moments, ...expected, ...elapsed, ...files].map((node) => ["measure", node]);
}

function ofProcess(nodes: Node[]): Found[] {
  return nodes
    .filter(
      (node) =>
        node.type === "CallExpression" &&
        /^process\.(getActiveResourcesInfo|_getActive\w+)$/.test(nameOf(node.callee)),
    )
    .map((node) => ["process", node]);
}

/** Whether `vi.useFakeTimers` replaces a function in this file. */
function fakes(text: string, name: string): boolean {
  if (text.includes(`vi.spyOn(${name}, "now")`)) return true;
  return [...text.matchAll(/\bvi\.useFakeTimers\((.*)\)/g)].some(
    ([, options = ""]) => !options.includes("toFake") || options.includes(`"${name}"`),
  );
}

/**
 * Finds `Date.now() - since`, where `since` was `Date.now()`, and `at - Date.parse(sent)`, where a
 * property `at` was `Date.now()`, but not `Date.now() - day`.
 */
function differences(nodes: Node[]): Node[] {
  const moments = namesGiven(nodes, isNow);
  for (const { type, key, value } of nodes) {
    if (type === "Property" && isNow(value)) moments.add(nameOf(key));
  }
  return nodes.filter(
    ({ type, operator, left, right }) =>
      type === "BinaryExpression" &&
      operator === "-" &&
      (isNow(left) || moments.has(nameOf(left))) &&
      (isCallOf(right, "Date.parse") || moments.has(nameOf(right))),
  );
}

/** `Date.now()`, or `new Date().getTime()` */
function isNow(node: Node): boolean {
  if (isCallOf(node, "Date.now")) return true;
  const { type, callee } = node;
  return (
    type === "CallExpression" &&
    /^(getTime|valueOf)$/.test(callee.property?.name ?? "") &&
    callee.object.type === "NewExpression" &&
    nameOf(callee.object.callee) === "Date" &&
    callee.object.arguments.length === 0
  );
}

function isCallOf({ type, callee }: Node, name: string): boolean {
  return type === "CallExpression" && nameOf(callee) === name;
}

const reads = /^(all|allInnerTexts|allTextContents|count|evaluateAll|is[A-Z][a-z]+)$/;
/**
 * These wait for their element, so a variable may keep their result, such as a token that is shown.
 */
const waitingReads =
  /^(ariaSnapshot|boundingBox|evaluate|getAttribute|innerHTML|innerText|inputValue|textContent|title)$/;

function pageReads(nodes: Node[]): Found[] {
  const isRead = (node: Node, methods: RegExp) =>
    node.type === "CallExpression" &&
    node.callee.type === "MemberExpression" &&
    methods.test(node.callee.property.name);
  const isAnyRead = (node: Node) => isRead(node, reads) || isRead(node, waitingReads);
  const isAddress = (node: Node) =>
    node.type === "CallExpression" && /(^page|\.page|Tab)\.url$/.test(nameOf(node.callee));
  const isOneAddress = (value: Node) =>
    isAddress(value) || (value.type === "NewExpression" && value.arguments.some(isAddress));
  const kept = namesGiven(
    nodes,
    (value) =>
      isOneAddress(value) || (value.type === "AwaitExpression" && isRead(value.argument, reads)),
  );
  const readers = namesGiven(nodes, (value) => isFunction(value) && all(value).some(isAnyRead));
  const isOfPage = (node: Node) =>
    node.type === "CallExpression" &&
    (isAnyRead(node) ||
      readers.has(nameOf(node.callee)) ||
      node.arguments.some((argument: Node) => /(^|\.)page$/.test(nameOf(argument))));
  return expectations(nodes)
    .filter(({ arguments: [first] }) =>
      all(first).some(
        (node) =>
          kept.has(nameOf(node)) ||
          isAddress(node) ||
          (node.type === "AwaitExpression" && isOfPage(node.argument)),
      ),
    )
    .map((node) => ["page-read", node]);
}

/** `page.unroute(url)`, `page.route(url, handle, { times: 1 })` */
function routes(nodes: Node[]): Found[] {
  return nodes
    .filter(
      ({ type, callee, arguments: given }) =>
        type === "CallExpression" &&
        (/(^|\.)unroute(All)?$/.test(nameOf(callee)) ||
          (/(^|\.)(page|context)\.route$/.test(nameOf(callee)) && given.length > 2)),
    )
    .map((node) => ["route", node]);
}

/**
 * Finds functions that listen on a port and close it again, and ports that are written in the test.
 */
function ports(nodes: Node[]): Found[] {
  const isCall = (node: Node, method: string) =>
    node.type === "CallExpression" &&
    node.callee.type === "MemberExpression" &&
    node.callee.property.name === method;
  const closing = nodes.filter(isFunction).filter(({ body }) => {
    const own = all(body, (node) => !isFunction(node));
    return ["listen", "close"].every((method) => own.some((node) => isCall(node, method)));
  });
  const isFixed = ({ type, value }: Node) => type === "Literal" && /^[1-9]\d*$/.test(String(value));
  const hasFixed = (node: Node) =>
    all(node).some(
      ({ type, key, value }) => type === "Property" && key.name === "port" && isFixed(value),
    );
  const fixed = nodes.filter((node) => {
    if (isCall(node, "listen")) {
      const [where] = node.arguments;
      return where && (isFixed(where) || (where.type === "ObjectExpression" && hasFixed(where)));
    }
    return (
      node.type === "CallExpression" && nameOf(node.callee) === "startServer" && hasFixed(node)
    );
  });
  return [...closing, ...fixed].map((node) => ["port", node]);
}

/** `expect(text).not.toContain("4711")`, or `expect(text.includes("4711")).toBe(false)` */
function chances(nodes: Node[]): Found[] {
  const isCall = ({ type, callee }: Node, method: RegExp) =>
    type === "CallExpression" &&
    callee.type === "MemberExpression" &&
    method.test(callee.property.name);
  const refusals = nodes.filter(
    (node) =>
      isCall(node, /^to(Contain|Match)$/) &&
      node.callee.object.type === "MemberExpression" &&
      node.callee.object.property.name === "not",
  );
  const searches = expectations(nodes)
    .map(({ arguments: [first] }) => first)
    .filter((node) => isCall(node, /^includes$/));
  return [...refusals, ...searches]
    .filter(({ arguments: [wanted] }) => {
      const number = wanted?.regex?.pattern ?? wanted?.value ?? wanted?.quasis?.[0]?.value.cooked;
      const isWhole = wanted?.type === "Literal" || wanted?.expressions?.length === 0;
      return isWhole && /^\d{1,6}$/.test(String(number));
    })
    .map((node) => ["chance", node]);
}

/** `test("name", { timeout: 5000 }, work)`, also with `test.each(cases)`, and for `describe` */
function limits(nodes: Node[]): Found[] {
  return nodes
    .filter(
      ({ type, callee, arguments: given }) =>
        type === "CallExpression" &&
        /^(test|describe)$/.test(nameOf(beginningOf(callee))) &&
        given.some(
          (argument: Node) =>
            argument.type === "ObjectExpression" &&
            argument.properties.some(({ key }: Node) => key?.name === "timeout"),
        ),
    )
    .map((node) => ["limit", node]);
}

/** Returns `test` of `test.runIf(isLong).each(cases)`. */
function beginningOf(node: Node): Node {
  const before = node.type === "CallExpression" ? node.callee : node.object;
  return before ? beginningOf(before) : node;
}

function terminals(nodes: Node[]): Found[] {
  return nodes
    .filter(({ type, source }) => /^Import/.test(type) && source?.value === "@lydell/node-pty")
    .map((node) => ["terminal", node]);
}

/** The calls of `expect`, but not of `expect.poll`. */
function expectations(nodes: Node[]): Node[] {
  return nodes.filter(
    ({ type, callee, arguments: given }) =>
      type === "CallExpression" && /^expect(\.soft)?$/.test(nameOf(callee)) && given.length > 0,
  );
}

/** Returns the names of the variables and functions for whose value `fits` returns true. */
function namesGiven(nodes: Node[], fits: (value: Node) => boolean): Set<string> {
  return new Set(
    nodes.flatMap((node) => {
      const value = node.type === "VariableDeclarator" ? node.init : node;
      const isNamed = value !== node || node.type === "FunctionDeclaration";
      return isNamed && node.id?.type === "Identifier" && value && fits(value) ? node.id.name : [];
    }),
  );
}

function isFunction({ type }: Node): boolean {
  return /Function(Declaration|Expression)$/.test(type);
}

function isWithin(node: Node, outer: Node): boolean {
  return node.start >= outer.start && node.end <= outer.end;
}

/** Returns `a.b.c`, or an empty string for anything but identifiers. */
function nameOf(node: Node | null | undefined): string {
  if (node?.type === "Identifier") return node.name;
  if (node?.type !== "MemberExpression" || node.computed) return "";
  return `${nameOf(node.object)}.${node.property.name}`;
}

/** The node and all nodes below it, except below those that `enters` refuses. */
function all(node: Node, enters: (node: Node) => boolean = () => true): Node[] {
  const found = [node];
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child?.type === "string" && enters(child)) found.push(...all(child, enters));
    }
  }
  return found;
}

if (import.meta.main) {
  const findings = checkTests(join(import.meta.dirname, ".."), exceptions);
  for (const { file, line, kind, message } of findings) {
    console.error(`${file}:${line}: ${kind}: ${message}`);
  }
  if (findings.length > 0) process.exitCode = 1;
}
