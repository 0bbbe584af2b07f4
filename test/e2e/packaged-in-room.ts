// Runs a packaged file in a sealed room, where nothing else is installed.

import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { stringify } from "yaml";
import {
  type Ended,
  logLines,
  type Program,
  startCommand,
  until,
} from "../helpers/process/process.ts";
import { type Furniture, openSealedRoom, type SealedRoom } from "../helpers/process/sealed-room.ts";

/** The program gets only these variables. */
export type Env = Record<string, string>;

/** Runs commands, which begin with `platform` or `platformctl`, in the folder `work`. */
export interface PackagedInRoom {
  room: SealedRoom;
  folder: string;
  start(words: string[], env?: Env, stdin?: string): Program;
  run(words: string[], env?: Env, stdin?: string): Promise<Ended>;
  /** Returns what the command prints as JSON. Rejects if it fails. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  ask(words: string[], env?: Env): Promise<any>;
  close(): Promise<void>;
}

export async function openPackaged(file: string, also?: Furniture): Promise<PackagedInRoom> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "platform-binary-"));
  copyFileSync(file, join(folder, "platform"));
  symlinkSync("platform", join(folder, "platformctl"));
  for (const place of ["read-only", "no-exec", "work"]) mkdirSync(join(folder, place));
  const room = await openSealedRoom(join(folder, "read-only"), join(folder, "no-exec"), also);

  function start([program = "", ...rest]: string[], env: Env = {}, stdin?: string): Program {
    const command = room.command(join(folder, "work"), [join(folder, program), ...rest], env);
    return startCommand(command, stdin === undefined ? {} : { stdin });
  }
  const run: PackagedInRoom["run"] = (...given) => start(...given).ended;
  return {
    room,
    folder,
    start,
    run,
    async ask(words, env) {
      const { status, stdout, stderr } = await run([...words, "-o", "json"], env);
      if (status !== 0) throw new Error(`${words.join(" ")} ended with ${status}: ${stderr}`);
      return JSON.parse(stdout);
    },
    async close() {
      await room.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** An emulated program can take minutes to start when the machine is busy. */
const startMs = 600_000;

/** Waits until the program logs this. Returns the line of its log. */
export async function said(program: Program, message: string): Promise<Record<string, unknown>> {
  const look = () => {
    if (!program.running()) throw new Error(`the program ended immediately: ${program.stderr()}`);
    return logLines(program.stderr()).find(({ msg }) => msg === message);
  };
  return until(message, look, startMs);
}

export async function stop(program: Program): Promise<void> {
  program.signal("SIGTERM");
  expect(await program.ended).toMatchObject({ status: 0 });
}

/** Tests a server, an agent, an action, a backup and a restore. */
export async function worksAsEverything({
  start,
  run,
  ask,
  folder,
}: PackagedInRoom): Promise<void> {
  async function serve(dataDir: string): Promise<{ server: Program; url: string }> {
    const words = ["serve", "--port", "0", "--data-dir", dataDir, "--log-format", "json"];
    const server = start(["platform", ...words]);
    return { server, url: String((await said(server, "listening")).url) };
  }

  const { server, url } = await serve("data");
  const password = /with this password:\s+(\S+)/.exec(server.stderr() + server.stdout())?.[1];
  const login = ["platformctl", "login", "--server", url, "--username", "admin"];
  const config = { XDG_CONFIG_HOME: join(folder, "config") };
  expect(await run([...login, "--password-stdin"], config, password)).toMatchObject({
    status: 0,
  });
  expect(await ask(["platformctl", "whoami"], config)).toMatchObject({
    user: { username: "admin", role: "owner" },
  });

  const db = ["--db", "data/platform.db"];
  const { key } = await ask(["platformctl", "api-keys", "create", "--role", "owner", ...db]);
  const { token } = await ask(["platformctl", "tokens", "create", ...db]);
  const work = join(folder, "work");
  writeFileSync(join(work, "agent.yaml"), stringify(agentOf(url)));
  const words = ["platform", "agent", "run", "--log-format", "json"];
  const agent = start(words, { PLATFORM_REGISTRATION_TOKEN: token });
  await said(agent, "the agent is running");

  const remote = { PLATFORM_URL: url, PLATFORM_API_KEY: key };
  const action = ["actions", "run", "greeter", "greet", "--payload", '{"name":"you"}'];
  const done = await ask(["platformctl", ...action], remote);
  expect(done).toMatchObject({ status: "SUCCEEDED", result: { output: "Hello, you" } });
  expect(await ask(["platformctl", "services", "list", ...db])).toMatchObject([
    { code: "greeter" },
  ]);

  expect(await run(["platformctl", "backup", "kept.db"], remote)).toMatchObject({ status: 0 });
  await ask(["platformctl", "agents", "disable", "edge"], remote);
  agent.signal("SIGTERM");
  await agent.ended;
  await stop(server);

  const restored = await run(["platform", "restore", "kept.db", "--data-dir", "data", "--yes"]);
  expect(restored).toMatchObject({ status: 0 });
  const again = await serve("data");
  const there = { ...remote, PLATFORM_URL: again.url };
  expect(await ask(["platformctl", "agents", "get", "edge"], there)).not.toMatchObject({
    status: "DISABLED",
  });
  await ask(["platformctl", "audit", "verify"], there);
  const found = await ask(["platform", "doctor", "--data-dir", "data", "--server", again.url]);
  expect(found.filter(({ state }: { state: string }) => state === "FAILURE")).toEqual([]);
  expect(found.map(({ check }: { check: string }) => check)).toContain("packaged file");
  await stop(again.server);
}

const agentOf = (server: string) => ({
  server,
  agent: { code: "edge" },
  stateDir: "state",
  services: [
    {
      code: "greeter",
      version: "1",
      actions: [
        {
          name: "greet",
          inputSchema: { type: "object" },
          execute: {
            // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of the agent's file
            exec: { command: ["/bin/sh", "-c", 'echo "Hello, $1"', "--", "${payload.name}"] },
          },
        },
      ],
    },
  ],
});
