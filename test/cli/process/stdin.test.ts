// action-run.terminal.test.ts tests Ctrl-C in a real terminal.

import { expect, test } from "vitest";
import { perFile } from "../../helpers/lifetime.ts";
import { ctrlC } from "../following.ts";
import { failing, openWorld } from "../world.ts";

const world = perFile(async () => {
  const opened = await openWorld();
  const body = { username: "ada", role: "viewer", password: "correct horse battery" } as const;
  await opened.as("owner").call("users.create", { body });
  return opened;
});

test.each([
  ["actions run log-collector set-level --payload -"],
  ["api POST /api/v1/auth/logout --data -"],
  ["audit verify --anchor -"],
  ["events publish --file -"],
  ["events publish --type a --source log-collector --data -"],
  ["login --username ada --password-stdin"],
  ["routes create --file -"],
  ["routes update louder --file -"],
  ["routes test --file - --event-id evt"],
  ["routes test louder --event -"],
  ["users create --username ada --role viewer --password-stdin"],
  ["users set-password ada --password-stdin"],
])("Ctrl-C ends %s while it waits for standard input", async (line) => {
  const { onInterrupt, press } = ctrlC();
  const ran = await world().run("--server", line.split(" "), {
    io: {
      onInterrupt,
      readStdin(signal) {
        const { promise, reject } = Promise.withResolvers<string>();
        signal.addEventListener("abort", () => reject(signal.reason));
        press();
        return promise;
      },
    },
  });
  expect(ran).toEqual({ status: 130, stdout: "", stderr: "platformctl: interrupted\n" });
});

test("after standard input was read, nobody can answer a question", async () => {
  const stdin =
    "name: naps\neverySeconds: 60\ntarget: {kind: action, service: sleeper, action: snore}\n";
  const words = ["schedules", "create", "-f", "-"];
  const ran = await world().run("--server", words, { stdin, io: { interactive: true } });
  const says =
    "Create the schedule naps? Add --yes to confirm: standard input is used for other input.";
  expect(ran).toMatchObject(failing(5, says));
});

const route = "name: r\nmatch: {type: a.b}\ntarget: {serviceCode: sleeper, action: snore}\n";

test.each([
  ["apply -f - -f -", ""],
  ["events publish -f - --data -", "{}"],
  ["rollouts start snore --agent edge-2 --payload - --payloads -", "{}"],
  ["routes test - --event -", route],
])("%s is refused, because standard input can be read only once", async (line, stdin) => {
  const ran = await world().run("--server", line.split(" "), { stdin });
  expect(ran).toMatchObject(failing(2, "give - only once: standard input can be read only once."));
});

test("a - that is a value does not count as standard input", async () => {
  const words = "actions run sleeper snore --payload - --reason - --detach -o json".split(" ");
  const ran = await world().run("--server", words, { stdin: "{}" });
  expect(ran).toMatchObject({ status: 0 });
  expect(JSON.parse(ran.stdout).reason).toBe("-");
});
