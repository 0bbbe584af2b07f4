// Tests `audit export`, which writes a complete file or none.

import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import type { ExportFormat } from "../../../src/domain/audit/audit-events.ts";
import { addRows } from "../../core/audit/long-trail.ts";
import { temporaryFolder } from "../../helpers/app.ts";
import { serveHttp } from "../../helpers/http/listen.ts";
import { perFile } from "../../helpers/lifetime.ts";
import { ctrlC } from "../following.ts";
import { cli, failing, openWorld } from "../world.ts";

const words = ["audit", "export"];

const world = perFile(() => openWorld());

async function exported(query: { format: ExportFormat; action?: string }) {
  const { chunks } = await world().as("owner").download("audit-events.export", { query });
  let text = "";
  for await (const chunk of chunks) text += Buffer.from(chunk);
  return text;
}

test.for([
  { format: "json", way: "--server" },
  { format: "jsonl", way: "--db" },
  { format: "csv", way: "--server" },
] as const)("$format on stdout equals the API's output, $way", async ({ way, format }) => {
  const query = { format, action: "agent.*" };
  const wanted = await exported(query);
  const ran = await world().run(way, [...words, "--format", format, "--action", "agent.*"]);
  expect(ran).toEqual({ status: 0, stdout: wanted, stderr: "" });
  expect(wanted.split("\n").length).toBeGreaterThan(2);
});

test("the format comes from the flag or the file extension", async () => {
  const folder = temporaryFolder();
  const first = async (name: string, ...flags: string[]) => {
    const out = join(folder, name);
    expect(await world().run("--server", [...words, "--out", out, ...flags])).toMatchObject(
      failing(0, /: [\d.]+ KiB\n$/),
    );
    return readFileSync(out, "utf8").slice(0, 6);
  };
  expect(await first("a.csv")).toBe("seq,id");
  expect(await first("a.jsonl")).toBe('{"seq"');
  expect(await first("a.json")).toBe('[\n{"se');
  expect(await first("a.txt")).toBe('[\n{"se');
  expect(await first("b.csv", "--format", "jsonl")).toBe('{"seq"');
  expect(readdirSync(folder).sort()).toEqual(["a.csv", "a.json", "a.jsonl", "a.txt", "b.csv"]);
  expect(lstatSync(join(folder, "a.csv")).mode & 0o777).toBe(0o600);
});

describe("an existing file", () => {
  test("behind a link is replaced only with --force, and the link stays", async () => {
    const folder = temporaryFolder();
    const [real, out] = [join(folder, "real"), join(folder, "link")];
    writeFileSync(real, "mine");
    symlinkSync(real, out);
    expect(await world().run("--server", [...words, "--out", out])).toMatchObject({ status: 5 });
    expect(await world().run("--server", [...words, "--out", out, "--force"])).toMatchObject({
      status: 0,
    });
    expect(lstatSync(out).isSymbolicLink()).toBe(true);
    expect(readFileSync(real, "utf8")).toMatch(/^\[/);
  });

  test("is never replaced if it is not a regular file", async () => {
    const out = join(temporaryFolder(), "folder");
    mkdirSync(out);
    for (const place of [out, "/dev/null"]) {
      const ran = await world().run("--server", [...words, "--out", place, "--force"]);
      expect(ran).toMatchObject(
        failing(2, / (is a folder: name a file in it|exists, and is not a file)\.$/m),
      );
    }
    expect(lstatSync("/dev/null").isCharacterDevice()).toBe(true);
  });
});

describe("no incomplete file remains", () => {
  test("after a response that breaks off", async () => {
    const folder = temporaryFolder();
    const url = await serveHttp((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write('[\n{"seq":1}', () => response.destroy());
    });
    expect(await cli([...words, "--out", join(folder, "a.json"), "--server", url])).toMatchObject(
      failing(6, /cannot reach .*connection lost/),
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  test("after a refusal or with a missing folder", async () => {
    const folder = temporaryFolder();
    const export_ = [...words, "--out", join(folder, "a.json")];
    const env = { API_KEY: "platform_key_no" };
    expect(await world().run("--server", export_, { env })).toMatchObject({ status: 4 });
    expect((await world().run("--server", [...export_, "--from", "never"])).status).toBe(2);
    expect(readdirSync(folder)).toEqual([]);
    const nowhere = [...words, "--out", join(folder, "none", "a.json")];
    expect(await world().run("--server", nowhere)).toMatchObject(
      failing(1, "its folder does not exist"),
    );
  });
});

describe("at a terminal", () => {
  const shown = vi.fn();
  const io = { interactive: true, isTerminal: true, showLine: shown };

  test("progress is shown while a file is written, and Ctrl-C removes the file", async () => {
    const url = await serveHttp((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write(`[\n${" ".repeat(1_234_567)}`);
    });
    const folder = temporaryFolder();
    const { onInterrupt, press } = ctrlC();
    const out = join(folder, "a.json");
    const running = cli([...words, "--out", out, "--server", url], { io: { ...io, onInterrupt } });
    const progress = expect.stringMatching(/exporting the audit trail, 1\.2 MiB/);
    await vi.waitFor(() => expect(shown).toHaveBeenCalledWith(progress), 60_000);
    press();
    expect(await running).toMatchObject({ status: 130, stderr: "platformctl: interrupted\n" });
    expect(readdirSync(folder)).toEqual([]);
  });

  test("no progress is shown between printed lines", async () => {
    shown.mockClear();
    await addRows(world(), 20);
    expect((await world().run("--server", [...words, "--format", "jsonl"], { io })).status).toBe(0);
    expect(shown).not.toHaveBeenCalledWith(expect.stringContaining("exporting"));
  });
});
