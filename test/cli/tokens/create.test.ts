// `tokens create --agents-from`: a token for each agent in a file.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { nouns } from "../../../src/api/contract/nouns.ts";
import type { Invocation } from "../../../src/cli/command.ts";
import { createTokens } from "../../../src/cli/commands/tokens/create.ts";
import { temporaryFolder } from "../../helpers/app.ts";
import { failing, test } from "../world.ts";

function fileWith(text: string): string {
  const file = join(temporaryFolder(), "hosts.txt");
  writeFileSync(file, text);
  return file;
}

test("each agent in a file gets a token of its own", async ({ world }) => {
  const file = fileWith("edge-7\r\n\nedge-8\nedge-7\nlab-*");
  const words = ["tokens", "create", "--agents-from", file, "--expires", "8h"];
  const ran = await world.run("--server", [...words, "--no-headers", "--columns", "agent,token"]);
  expect(ran.status).toBe(0);
  expect(ran.stderr).toContain("Keep the tokens now: they are shown only once.");
  const lines = ran.stdout.trimEnd().split("\n");
  expect(lines.map((line) => line.split(/ +/)[0])).toEqual(["edge-7", "edge-8", "lab-*"]);
  for (const line of lines) expect(line).toMatch(/^\S+ +platform_reg_\w{49}$/);
  const { data } = await world.as("viewer").page("registration-tokens.list", { query: {} });
  expect(data).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ name: "edge-8", agentCode: "edge-8", status: "ACTIVE" }),
    ]),
  );
  const json = await world.run("--server", [...words, "-o", "json"]);
  expect(JSON.parse(json.stdout)).toMatchObject([
    { agentCode: "edge-7", token: expect.stringMatching(/^platform_reg_/) },
    { agentCode: "edge-8" },
    { agentCode: "lab-*" },
  ]);
});

test("the token is printed whatever columns are chosen, and -o name prints only the token", async ({
  world,
}) => {
  const run = (...words: string[]) => world.run("--server", ["tokens", "create", ...words]);
  const from = ["--agents-from", fileWith("edge-7\n")];
  const [one, many] = [await run("--columns", "for"), await run(...from, "--columns", "agent")];
  expect(one.stdout).toMatch(/^token +platform_reg_\w{49}\nfor +any agent\n$/);
  expect(many.stdout).toMatch(/^TOKEN +AGENT\nplatform_reg_\w{49} +edge-7\n$/);
  const mistyped = await run(...from, "--columns", "nope");
  expect(mistyped).toMatchObject({ status: 0, stdout: expect.stringContaining("platform_reg_") });
  for (const words of [[], from]) {
    const { stdout } = await run(...words, "-o", "name");
    expect(stdout).toMatch(/^platform_reg_\w{49}\n$/);
  }
});

test("tokens that were created are printed although a later one fails", async () => {
  const printed: string[] = [];
  const api = {
    async call(_name: string, { body }: { body: { agentCode: string } }) {
      if (body.agentCode === "edge-8") throw new Error("refused by the test");
      return { agentCode: body.agentCode, token: "platform_reg_1" };
    },
  };
  const creating = createTokens(nouns["registration-tokens"])({
    io: { out: (text: string) => printed.push(text), note: () => undefined },
    options: { agentsFrom: fileWith("edge-7\nedge-8\n"), output: "name" },
    client: async () => api,
    signal: new AbortController().signal,
  } as unknown as Invocation);
  await expect(creating).rejects.toThrow("refused by the test");
  expect(printed).toEqual(["platform_reg_1\n"]);
});

test("nothing is created if one code is wrong, or together with --agent", async ({ world }) => {
  for (const [text, more, says] of [
    ["edge-7\nedge 8\n", [], /--agents-from, line 2: edge 8 is not a code/],
    ["edge-7\n", ["--agent", "edge-7"], /cannot be used with --agent or --request-id/],
  ] as const) {
    const words = ["tokens", "create", "--agents-from", fileWith(text), ...more];
    expect(await world.run("--server", words)).toMatchObject(failing(2, says));
  }
  const { data } = await world.as("viewer").page("registration-tokens.list", { query: {} });
  expect(data.filter(({ status }) => status === "ACTIVE")).toEqual([]);
});
