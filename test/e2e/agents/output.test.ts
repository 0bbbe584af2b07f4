// Real programs' output through a sidecar and a server: what operators see is in order, bounded,
// and without secrets, and whatever is missing is marked.

import { expect, test } from "vitest";
import type { Client } from "../../../src/client/client.ts";
import { wireTo } from "../../agent/harness.ts";
import { outputOf, textOf, textSoFar } from "../../agent/output-of.ts";
import { following } from "../../cli/following.ts";
import { cli, type World } from "../../cli/world.ts";
import { runningClock } from "../../helpers/app.ts";
import { listenTestApp } from "../../helpers/http/http.ts";
import { perFile } from "../../helpers/lifetime.ts";
import { createKey, operatorOf } from "../../helpers/process/operator.ts";
import { until } from "../../helpers/process/process.ts";
import { agentFile, startSidecar } from "../../helpers/process/sidecar.ts";
import { size } from "../../helpers/size.ts";

const sh = (script: string) => ({ exec: { command: ["/bin/sh", "-c", script] } });
/** Prints a line for each number, with a pause after every tenth. */
const count =
  'i=0; while :; do echo "line $i"; i=$((i + 1)); case $i in *0) sleep 0.1;; esac; done';
const flooded = size(1_500_000, 100_000_000);

const actions = [
  { name: "ask", execute: sh("printf 'starting\\nPassword for bob: '; exec sleep 60") },
  {
    name: "tell",
    inputSchema: { type: "object", properties: { pin: { type: "string", format: "password" } } },
    execute: {
      exec: {
        command: [
          "/bin/sh",
          "-c",
          `read -r input; pin=$(echo "$input" | sed 's/.*:"//; s/".*//')
          printf 'pin %s' "$(echo "$pin" | cut -c1-4)"; sleep 0.7; echo "$pin" | cut -c5-
          printf '\\033]0;title\\007\\033[31mred %s\\033[0m\\n' "$API_TOKEN" >&2
          echo platform_agent_abcdefgh; exec sleep 60`,
        ],
        env: { API_TOKEN: "swordfish-9" },
      },
    },
  },
  { name: "flood", execute: sh(`yes 0123456789 | head -c ${flooded}; echo; echo the end`) },
  { name: "count", execute: sh(count) },
  { name: "object", execute: sh(`echo '{"generatedKey": "swordfish-1"}'`) },
];

const host = perFile(async () => {
  const server = await listenTestApp({}, { clock: runningClock() });
  const wire = await wireTo(server);
  const operator = await operatorOf(server);
  const service = { code: "box", version: "1", actions };
  const file = await agentFile(wire, operator, { services: [service] });
  const sidecar = startSidecar(file);
  await until("the service is there", async () => {
    return (await operator.call("services.list")).length > 0;
  });
  const [{ id: serviceId = "" } = {}] = await operator.call("services.list");
  const run = async (actionName: string, payload: Record<string, string> = {}) => {
    const input = { params: { serviceId, actionName }, body: { payload } };
    return (await operator.call("actions.execute", input)).command!.id;
  };
  return { server, wire, operator, run, sidecar, startAgain: () => startSidecar(file) };
});

const ended = (operator: Client, commandId: string) =>
  operator.call("commands.get", { params: { commandId }, query: { wait: 60 } });

test("a half line is shown, secrets and sequences are not, and a flood is bounded while the service responds", async () => {
  const { server, operator, run } = host();
  const asking = await run("ask");
  await expect.poll(() => textSoFar(operator, asking)).toBe("starting\nPassword for bob: ");
  await operator.call("commands.cancel", { params: { commandId: asking } });

  const telling = await run("tell", { pin: "hunter2" });
  // The server accepts output with secrets only while the command runs.
  const on = (stream: string) => textSoFar(operator, telling, [stream]);
  await expect.poll(() => on("stdout")).toBe("pin [REDACTED]\nplatform_agent_[REDACTED]\n");
  await expect.poll(() => on("stderr")).toBe("red [REDACTED]\n");
  await operator.call("commands.cancel", { params: { commandId: telling } });

  const object = await run("object");
  await ended(operator, object);
  expect(await outputOf(operator, object)).toEqual([]);

  const flooding = await run("flood");
  let isOver = false;
  const finished = ended(operator, flooding).finally(() => {
    isOver = true;
  });
  await until("the flood is over", async () => {
    expect((await fetch(`${server.url}/api/system/health`)).status).toBe(200);
    return isOver;
  });
  expect(await finished).toMatchObject({ status: "SUCCEEDED" });
  // A result waits for the output for only a second, so the output can arrive later.
  const last = async () => (await outputOf(operator, flooding)).at(-1)?.text;
  await expect.poll(last).toMatch(/the end\n$/);
  const flood = await outputOf(operator, flooding);
  expect(textOf(flood).length).toBeLessThan(2_000_000);
  expect(flood.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(flooded + "\nthe end\n".length);
  expect(flood.some(({ kind }) => kind === "LOST")).toBe(true);
});

// The last test of this file, because it kills the agent.
test("output continues after an outage; once the agent is killed, what it has sent remains, and the missing end is marked", async () => {
  const { server, wire, operator, run: start, sidecar, startAgain } = host();
  const key = await createKey(server);
  const counting = await start("count");
  const run: World["run"] = (way, words, options) =>
    cli([...words, way, wire.url], { ...options, env: { API_KEY: key } });
  const follower = following({ run }, "--server", ["commands", "logs", counting, "-f"]);
  await until("some lines", () => follower.out().includes("line 20\n"));
  wire.up = false;
  await sidecar.logged({ type: "connection.lost" });
  const before = follower.out().length;
  wire.up = true;
  await until("more lines", () => follower.out().length > before);
  await sidecar.kill();
  startAgain();
  expect(await ended(operator, counting)).toMatchObject({
    status: "FAILED",
    errorCode: "AGENT_RESTARTED",
  });
  await follower.ended;
  const parts = await outputOf(operator, counting);
  const lines = textOf(parts).split("\n");
  const last = lines.pop() ?? "";
  expect(lines.length).toBeGreaterThan(20);
  expect(lines).toEqual(lines.map((_, at) => `line ${at}`));
  expect(`line ${lines.length}`.startsWith(last)).toBe(true);
  const mark = "[… the end may be missing: the agent did not send it …]";
  expect(follower.out().trimEnd()).toBe(`${textOf(parts).trimEnd()}\n${mark}`);
  // The output of the next command begins at its first byte.
  const next = await start("ask");
  await expect.poll(() => textSoFar(operator, next)).toMatch(/^starting\n/);
});
