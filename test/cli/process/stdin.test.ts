// action-run.terminal.test.ts tests Ctrl-C in a real terminal.

import { expect, test } from "vitest";
import { perFile } from "../../helpers/lifetime.ts";
import { ctrlC } from "../following.ts";
import { openWorld } from "../world.ts";

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
