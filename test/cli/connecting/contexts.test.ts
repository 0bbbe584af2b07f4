// Contexts, and the file that contains them: private, consistent, and checked.

import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { loginWords, openHome, openSite, password, signIn } from "../access/signed-in.ts";
import { cli } from "../world.ts";

async function twoContexts() {
  const [a, b] = [await openSite(), await openSite()];
  const home = openHome();
  await signIn(home, a.url, "ana", "--name", "prod");
  await signIn(home, b.url, "ben", "--name", "lab");
  return { a, b, home };
}

describe("context", () => {
  test("`list` shows the contexts without secrets", async () => {
    const { a, b, home } = await twoContexts();
    await home.run(["logout"]);
    const { stdout } = await home.run(["context", "list", "-o", "json"]);
    const expiresAt = expect.stringMatching(/Z$/);
    expect(JSON.parse(stdout)).toMatchObject([
      { name: "lab", server: b.url, username: "ben", current: true, signedIn: false },
      { name: "prod", server: a.url, current: false, signedIn: true, ownCa: false, expiresAt },
    ]);
    const table = await home.run(["context", "list"]);
    expect(table.stdout).toMatch(/^NAME +CURRENT +SERVER +USER +SESSION\nlab +yes +http/);
    const file = readFileSync(home.file, "utf8");
    const { cookie = "", csrfToken = "" } =
      home.contexts()?.contexts.find(({ name }) => name === "prod")?.session ?? {};
    expect(file).toContain(cookie);
    const wide = await home.run(["context", "list", "-o", "wide"]);
    for (const secret of [cookie, csrfToken]) {
      expect(stdout + table.stdout + wide.stdout).not.toContain(secret);
    }
  });

  test("`use` changes the current context, and `show` prints the current context or another one", async () => {
    const { a, b, home } = await twoContexts();
    const stderr = `The current context is prod (${a.url}).\n`;
    const used = await home.run(["context", "use", "prod"]);
    expect(used).toEqual({ status: 0, stdout: "", stderr });
    const overridden = await home.run(["context", "use", "prod"], { env: { URL: b.url } });
    const note = "PLATFORM_URL is set, and overrides the current context.\n";
    expect(overridden.stderr).toBe(stderr + note);
    expect((await home.run(["whoami", "-o", "name"])).stdout).toBe("ana\n");
    const nameOf = async (words: string[], env = {}) =>
      (await home.run(["context", "show", ...words, "-o", "name"], { env })).stdout;
    expect(await nameOf([])).toBe("prod\n");
    expect(await nameOf(["lab"])).toBe("lab\n");
    expect(await nameOf([], { CONTEXT: "lab" })).toBe("lab\n");
    const missing = await home.run(["context", "use", "prd"]);
    expect(missing).toMatchObject({ status: 3 });
    expect(missing.stderr).toContain("there is no context prd. Did you mean prod?");
    expect(await nameOf([])).toBe("prod\n");
    expect(await openHome().run(["context", "show"])).toMatchObject({ status: 3 });
  });

  test("`delete` also ends the session", async () => {
    const { a, b, home } = await twoContexts();
    const other = await home.run(["context", "delete", "prod"]);
    expect(other).toMatchObject({ status: 0, stderr: "The context prod is deleted.\n" });
    expect([await a.sessions(), await b.sessions()]).toEqual([0, 1]);
    const current = await home.run(["context", "delete", "lab"]);
    expect(current.stderr).toContain("There is no current context now.");
    expect(home.contexts()).toEqual({ current: null, contexts: [] });
    expect(await home.run(["context", "delete", "lab"])).toMatchObject({ status: 3 });
    expect(await home.run(["agents", "list"])).toMatchObject({ status: 2 });
  });
});

describe("the contexts file", () => {
  test.each([
    ["{", "it is not JSON"],
    ["[]", "the whole file: "],
    ['{"current":null,"contexts":[{"name":"a"}]}', "contexts.0.server: "],
  ])("with the text %j is an error and is not changed", async (text, says) => {
    const home = openHome();
    mkdirSync(dirname(home.file));
    writeFileSync(home.file, text, { mode: 0o600 });
    for (const words of [["agents", "list"], ["login"], ["logout"]]) {
      const ran = await home.run(words);
      expect(ran).toMatchObject({ status: 1, stdout: "" });
      expect(ran.stderr).toContain(`${home.file} has no valid contexts (${says}`);
    }
    expect(await home.run(["context", "use", "a"])).toMatchObject({ status: 1 });
    expect(readFileSync(home.file, "utf8")).toBe(text);
    expect(readdirSync(dirname(home.file))).toEqual(["contexts.json"]);
  });

  test("is not read if it is not needed", async () => {
    const { db, url, as } = await openSite();
    const home = openHome();
    mkdirSync(dirname(home.file));
    writeFileSync(home.file, "{", { mode: 0o600 });
    const words = ["agents", "list"];
    expect((await home.run([...words, "--db", db])).status).toBe(0);
    const body = { name: "k", role: "viewer" } as const;
    const { key } = await as("owner").call("api-keys.create", { body });
    const env = { API_KEY: key, URL: url };
    expect((await home.run(words, { env })).status).toBe(0);
  });

  test("becomes private, with a note, if others can read it", async () => {
    const { url } = await openSite();
    const home = openHome();
    await signIn(home, url);
    chmodSync(home.file, 0o644);
    const note = `Others could read ${home.file} (mode 0644): its mode is now 0600.\n`;
    const ran = await home.run(["whoami", "-o", "name"]);
    expect(ran).toMatchObject({ stdout: "ana\n", stderr: note });
    expect(statSync(home.file).mode & 0o777).toBe(0o600);
    expect((await home.run(["whoami", "-o", "name"])).stderr).toBe("");
  });

  test("keeps fields that a newer program has written", async () => {
    const { home } = await twoContexts();
    const all = home.contexts();
    const [first, ...others] = all?.contexts ?? [];
    const newer = { ...all, moon: "full", contexts: [{ ...first, colour: "red" }, ...others] };
    writeFileSync(home.file, JSON.stringify(newer));
    // A link to the file stays a link.
    const real = `${home.file}.real`;
    renameSync(home.file, real);
    symlinkSync(real, home.file);
    await home.run(["context", "use", "prod"]);
    expect(lstatSync(home.file).isSymbolicLink()).toBe(true);
    expect(JSON.parse(readFileSync(real, "utf8"))).toEqual({ ...newer, current: "prod" });
  });

  test("is locked by one writer at a time, which keeps the change of the one before it, and the lock of a dead writer expires", async () => {
    const { home } = await twoContexts();
    const lock = `${home.file}.lock`;
    writeFileSync(lock, "", { mode: 0o600 });
    let ended = false;
    const using = home.run(["context", "use", "prod"]).then((ran) => {
      ended = true;
      return ran;
    });
    // A command that needs no lock ends, although it started later.
    await home.run(["context", "list"]);
    expect(ended).toBe(false);
    // The first writer completes its change.
    writeFileSync(lock, JSON.stringify({ ...home.contexts(), moon: "full" }));
    renameSync(lock, home.file);
    expect(await using).toMatchObject({ status: 0 });
    expect(home.contexts()).toMatchObject({ current: "prod", moon: "full" });

    writeFileSync(lock, "half of it");
    const longAgo = new Date(Date.now() - 60_000);
    utimesSync(lock, longAgo, longAgo);
    expect(await home.run(["context", "use", "lab"])).toMatchObject({ status: 0 });
    expect(home.contexts()?.current).toBe("lab");
    expect(existsSync(lock)).toBe(false);
  });

  test("cannot be saved without a home folder, which is an error", async () => {
    const { url, sessions } = await openSite();
    const io = { configFolder: null };
    const stderr = "platformctl: there is no folder for contexts: set HOME or XDG_CONFIG_HOME.\n";
    expect(await cli(loginWords(url), { stdin: password, io })).toMatchObject({
      status: 1,
      stderr,
    });
    expect(await sessions()).toBe(0);
    expect(await cli(["context", "list"], { io })).toMatchObject({ status: 0 });
    expect(await cli(["agents", "list"], { io })).toMatchObject({ status: 2 });
  });
});
