// The current command line with the server of commit 275cb5d, which lacks later fields and routes.

import { expect, test } from "vitest";
import { makeAgent, serviceWith } from "../../agent/harness.ts";
import { startOlderServer } from "../../helpers/older-server.ts";
import { cli, failing } from "../world.ts";

async function startScene() {
  const server = await startOlderServer();
  const { url, operator, key } = server;
  const { token } = await operator.call("registration-tokens.create", { body: { name: "edge" } });
  const services = serviceWith({
    execute: (payload) => {
      if (Object.keys(payload).length > 0) throw new Error("broken");
      return "done";
    },
  });
  await makeAgent({ server: url, registrationToken: token, services }).agent.start();
  const run = (words: string) =>
    cli([...words.split(" "), "--server", url], { env: { API_KEY: key } });
  return { ...server, run };
}

type Scene = Awaited<ReturnType<typeof startScene>>;

test("a request id that it would ignore is refused, and what it has is printed", async () => {
  const scene = await startScene();
  const { operator, key, url } = scene;
  const counts = async () => {
    const lists = ["commands.list", "registration-tokens.list", "users.list"] as const;
    const pages = await Promise.all(lists.map((list) => operator.page(list, {})));
    return pages.map(({ pagination }) => pagination.total);
  };
  const before = await counts();
  const lines = [
    "actions run collector work",
    'actions run collector work --payload {"a":1}',
    "tokens create",
    "users create --username amy --role viewer --password-stdin",
    "api POST registration-tokens",
  ];
  for (const words of lines) {
    const line = [...words.split(" "), "--request-id", "job-1", "--server", url];
    const ran = await cli(line, { env: { API_KEY: key }, stdin: "long enough for anybody" });
    expect(ran).toMatchObject(
      failing(2, "this server is too old to support it; nothing was done."),
    );
  }
  expect(await counts()).toEqual(before);
  await printsEverything(scene);
});

/** Lists, single objects and simple changes are printed without undefined values. */
async function printsEverything({ operator, run }: Scene): Promise<void> {
  const password = "long enough for anybody";
  for (const username of ["amy", "bob"]) {
    await operator.call("users.create", { body: { username, password, role: "operator" } });
  }
  await operator.call("api-keys.create", { body: { name: "spare", role: "viewer" } });
  const wrong: string[] = [];
  const shown = async (words: string, expected = 0) => {
    const { status, stdout, stderr } = await run(words);
    const hole = /undefined|NaN|TypeError|Cannot read/.exec(stdout + stderr)?.[0];
    if (status !== expected || hole)
      wrong.push(`${words}: ${status} ${stderr}${hole ? stdout : ""}`);
    return { stdout, stderr };
  };
  await shown("actions run collector work");
  await shown('actions run collector work --payload {"a":1}', 1);
  const [failed = ""] = (await shown("commands list --status FAILED -o name")).stdout.split("\n");
  expect((await shown("commands list --service collector -o name")).stdout).toContain(failed);
  const [token = ""] = (await shown("tokens list -o name")).stdout.split("\n");
  for (const words of [
    "agents list",
    "agents get edge-1",
    "services list",
    "services get collector",
    "services actions collector",
    "services wait collector",
    "actions list collector",
    "actions prepare collector work",
    "commands list",
    `commands get ${failed}`,
    `commands wait ${failed}`,
    "tokens list",
    `tokens get ${token}`,
    "users list",
    "users get amy",
    "api-keys list",
    "audit list",
    "audit verify",
    "audit verify --incremental",
    "settings get",
    "settings get commandRetentionDays",
    "maintenance run",
  ]) {
    // Wide tables have all columns.
    await shown(`${words} -o wide`, words.startsWith("commands wait") ? 1 : 0);
  }
  await shown("whoami");
  await shown("diagnostics");
  await shown("metrics");
  await shown("version");
  await shown(`commands retry ${failed} --yes`, 1);
  await shown("agents disable edge-1");
  await shown("agents enable edge-1");
  await shown("agents revoke-token edge-1 --yes");
  await shown("users update amy --role viewer --yes");
  // The old server does not return the owners of keys.
  expect((await shown("users disable amy", 5)).stderr).not.toMatch(/spare|API key/);
  await shown("users disable amy --yes");
  await shown("users enable amy");
  await shown("users end-sessions amy");
  await shown("users delete amy --yes");
  await shown("tokens create --name later");
  await shown("tokens revoke later --yes");
  await shown("api-keys create --name later --role viewer");
  await shown("api-keys revoke spare --yes");
  expect(wrong).toEqual([]);
}
