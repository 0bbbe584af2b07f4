// A `curl` for machines without one. It supports the options that the agents' scripts and manuals
// use (-s, -S, -i, -m, -X, -H text or @file, -d, --data-binary text, @file or @-, -D, -o, -w), and
// has curl's exit statuses.

import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    silent: { type: "boolean", short: "s" },
    "show-error": { type: "boolean", short: "S" },
    include: { type: "boolean", short: "i" },
    "max-time": { type: "string", short: "m" },
    request: { type: "string", short: "X" },
    header: { type: "string", short: "H", multiple: true },
    data: { type: "string", short: "d" },
    "data-binary": { type: "string" },
    "dump-header": { type: "string", short: "D" },
    output: { type: "string", short: "o" },
    "write-out": { type: "string", short: "w" },
  },
});

const cannotConnect = 7;
const tookTooLong = 28;

const url = positionals[0] ?? "";
const body = values.data ?? values["data-binary"];
const limit = values["max-time"];
const form = ["Content-Type: application/x-www-form-urlencoded"];
const headers = new Headers();
for (const line of [
  ...(body === undefined ? [] : form),
  ...(values.header ?? []).flatMap(linesOf),
]) {
  const colon = line.indexOf(":");
  headers.set(line.slice(0, colon), line.slice(colon + 1).trim());
}

try {
  const answer = await fetch(url, {
    method: values.request ?? (body === undefined ? "GET" : "POST"),
    headers,
    ...(body === undefined ? {} : { body: contentOf(body) }),
    ...(limit === undefined ? {} : { signal: AbortSignal.timeout(Number(limit) * 1000) }),
  });
  const content = Buffer.from(await answer.arrayBuffer());
  const head = headOf(answer);
  if (values["dump-header"]) writeFileSync(values["dump-header"], head);
  if (values.include) process.stdout.write(head);
  if (values.output) writeFileSync(values.output, content);
  else process.stdout.write(content);
  writeOut(answer.status);
} catch (error) {
  writeOut(0);
  const isLate = (error as Error).name === "TimeoutError";
  process.exitCode = isLate ? tookTooLong : cannotConnect;
  const reason = isLate ? "Operation timed out" : "Failed to connect to server";
  if (!values.silent || values["show-error"])
    console.error(`curl: (${process.exitCode}) ${reason}`);
}

function linesOf(header: string): string[] {
  if (!header.startsWith("@")) return [header];
  return readFileSync(header.slice(1), "utf8").split("\n").filter(Boolean);
}

function contentOf(text: string): Buffer | string {
  if (!text.startsWith("@")) return text;
  return readFileSync(text === "@-" ? 0 : text.slice(1));
}

function headOf(answer: Response): string {
  const lines = [...answer.headers].map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${answer.status} ${answer.statusText}\r\n${lines.join("")}\r\n`;
}

function writeOut(status: number): void {
  const text = values["write-out"]?.replace("%{http_code}", String(status).padStart(3, "0"));
  if (text) process.stdout.write(text.replaceAll("\\n", "\n"));
}
