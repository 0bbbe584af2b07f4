// The page of a running command shows what its program writes.

import { expect, test } from "vitest";
import { openConsole } from "../helpers/browser/browser.ts";
import { serveConsole } from "../helpers/browser/console-server.ts";
import { perFile } from "../helpers/lifetime.ts";
import { operatorOf } from "../helpers/process/operator.ts";
import { agentFile, startSidecar } from "../helpers/process/sidecar.ts";
import { owner } from "../helpers/session.ts";

/** Writes 2,500 lines, then more when the file `go` is there. */
const chatter = `i=0; while [ $i -lt 2500 ]; do i=$((i + 1)); echo "line $i"; done
  echo 'disk is full' >&2; printf 'Continue? '
  while [ ! -e go ]; do sleep 0.1; done; echo yes; printf '\\033[31mthe end\\033[0m\\n'`;
const go = { exec: { command: ["/bin/sh", "-c", "touch go"] } };

const actions = [
  { name: "chatter", execute: { exec: { command: ["/bin/sh", "-c", chatter] } } },
  { name: "silent", execute: { exec: { command: ["/bin/sh", "-c", "sleep 30"] } } },
];

const box = perFile(async () => {
  const server = await serveConsole();
  const client = await operatorOf(server);
  const services = [
    { code: "box", version: "1", actions },
    { code: "other", version: "1", actions: [{ name: "go", execute: go }] },
  ];
  const file = await agentFile(server, client, { services, stopGrace: 0.1 });
  await startSidecar(file).said("the agent is running");
  const { data } = await client.page("services.list");
  const run = async (code: string, actionName: string) => {
    const serviceId = data.find((service) => service.code === code)!.id;
    const { command } = await client.call("actions.execute", {
      params: { serviceId, actionName },
      body: {},
    });
    return command!.id;
  };
  return { server, run };
});

test("live output stays at its end, unless the reader has scrolled up", async () => {
  const { server, run } = box();
  const id = await run("box", "chatter");
  const { page, button, expectAccessible } = await openConsole(server, {
    path: `/commands/${id}`,
    as: owner,
  });
  const log = page.getByRole("log", { name: "Output" });
  await log.getByText("Continue?").waitFor();
  await log.getByText("stderr", { exact: true }).waitFor();
  const left = () => log.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);
  await expect.poll(left).toBeLessThan(2);
  await expect.poll(() => log.locator(":scope > div").count()).toBe(2000);
  await page.getByText(`platformctl commands logs ${id}`).waitFor();
  await expectAccessible();

  await log.evaluate((box) => box.scrollTo({ top: 0 }));
  await button("Follow new output").waitFor();
  await run("other", "go");
  await log.getByText("Continue? yes").waitFor({ state: "attached" });
  await log.getByText("the end", { exact: true }).waitFor({ state: "attached" });
  await expect.poll(() => log.evaluate((box) => box.scrollTop)).toBe(0);
  await page.locator(".page-heading").getByText("SUCCEEDED").waitFor();
});

test("a program that writes nothing", async () => {
  const { server, run } = box();
  const id = await run("box", "silent");
  const { page } = await openConsole(server, { path: `/commands/${id}`, as: owner });
  await page.getByText("The program has not written anything yet.").waitFor();
});
