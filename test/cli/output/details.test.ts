// Tests what `get` prints on a terminal with 80 columns, and in a pipe.

import { expect, test } from "vitest";
import { approve, ask, guard, person } from "../approvals/people.ts";
import { openWorld, sleeper, type World } from "../world.ts";

const sentence =
  "cannot reach http://127.0.0.1:9100/healthz after 3 attempts, because another program has the port";

async function shown(world: World, words: string[], width?: number): Promise<string> {
  const isTerminal = width !== undefined;
  return (await world.run("--server", words, { io: { width, isTerminal } })).stdout;
}

test("`services get` aligns actions and configs, and breaks long values between words", async () => {
  const world = await openWorld({ fixedTime: true });
  const service = {
    ...sleeper,
    healthMessage: sentence,
    labels: { team: "night-shift-payments", tier: "backend-of-the-playhouse", zone: "eu-west-1" },
    actions: [
      { name: "snore", description: sentence },
      { name: "rotate-log", label: "Rotate the log", dangerLevel: "HIGH" },
      { name: "nap" },
    ],
    configs: [
      { key: "motd", type: "string", valuePreview: sentence },
      { key: "password", type: "string", sensitive: true },
    ],
  };
  await world.sleeping.client.call("agent.report", { body: { services: [service] } as never });
  const text = await shown(world, ["services", "get", "sleeper"], 80);
  expect(text).toContain(`
labels        team=night-shift-payments tier=backend-of-the-playhouse
              zone=eu-west-1
`);
  expect(text).toContain(`
actions
  NAME        DANGER  CONFIRM  DESCRIPTION
  snore       LOW     no       cannot reach http://127.0.0.1:9100/healthz after
                               3 attempts, because another program has the port
  rotate-log  HIGH    yes      Rotate the log
  nap         LOW     no       -

configs
  KEY       VALUE
  motd      "cannot reach http://127.0.0.1:9100/healthz after 3 attempts,
            because another program has the port"
  password  (sensitive)
`);
  for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  const piped = await shown(world, ["services", "get", "sleeper"]);
  expect(piped).toMatch(/^labels +team=\S+ tier=\S+ zone=\S+$/m);
  expect(piped).toContain(`snore       LOW     no       ${sentence}\n`);
});

test("`approvals get` shows long comments in full", async () => {
  const world = await openWorld({ fixedTime: true });
  await guard(world, { approvals: 2 });
  const { id: approvalId } = await ask(await person(world, "ann"));
  const { digest } = await approve(await person(world, "bob"), approvalId, sentence);
  const text = await shown(world, ["approvals", "get", approvalId], 80);
  expect(text).toContain(`\ndigest        ${digest}\n`);
  expect(text).toContain(`
decisions
  USER  DECISION  WHEN  COMMENT
  bob   APPROVE   now   cannot reach http://127.0.0.1:9100/healthz after 3
                        attempts, because another program has the port
`);
});

test("`approvals get` shows what a rollout runs as aligned facts", async () => {
  const world = await openWorld({ fixedTime: true });
  await guard(world);
  const { client } = await person(world, "ann");
  const { approvalId } = await client.call("rollouts.create", {
    body: { action: "rotate-log", selector: "", confirmation: true },
  });
  const text = await shown(world, ["approvals", "get", approvalId ?? ""], 80);
  expect(text).toContain(`
what runs
  danger        HIGH
  services      1 of 2, 1 left out: action not found
  action        rotate-log
  chosen by     an empty selector (all services)
`);
});

test("`commands get` breaks the sentence about a cancellation between words", async () => {
  const world = await openWorld({ fixedTime: true });
  const commandId = await world.execute("sleeper", "snore");
  await world.sleeping.client.call("agent.poll", { query: { wait: 0 } });
  await world.as("operator").call("commands.cancel", { params: { commandId } });
  const text = await shown(world, ["commands", "get", commandId], 80);
  expect(text).toContain(`
It was cancelled while it ran. The agent has not yet confirmed that the action
stopped, so it can still finish.
`);
});
