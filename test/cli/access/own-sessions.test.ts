import { expect, test } from "vitest";
import { openHome, openSite, signIn } from "./signed-in.ts";

async function scene() {
  const { url, sessions } = await openSite();
  const [home, elsewhere] = [openHome(), openHome()];
  await signIn(elsewhere, url);
  await signIn(home, url);
  const list = async () => JSON.parse((await home.run(["sessions", "list", "-o", "json"])).stdout);
  return { home, elsewhere, sessions, list };
}

test("`sessions list` shows all sessions and marks the current one", async () => {
  const { home, list } = await scene();
  expect(await list()).toMatchObject([
    { current: true, ip: "127.0.0.1" },
    { current: false, ip: "127.0.0.1" },
  ]);
  const { stdout } = await home.run(["sessions", "list"]);
  expect(stdout).toMatch(/^ID +CURRENT +USED +BEGAN +ENDS +FROM\n/);
  expect(stdout).toMatch(/ yes +now +now +in \dh +127\.0\.0\.1\n/);
});

test("`sessions end` accepts an id", async () => {
  const { home, elsewhere, list } = await scene();
  const other = (await list()).find(({ current }: { current: boolean }) => !current);
  const ended = await home.run(["sessions", "end", other.id, "--yes"]);
  expect(ended).toMatchObject({ status: 0, stdout: "ended  1\n" });
  expect((await elsewhere.run(["agents", "list"])).status).toBe(4);
  expect((await home.run(["agents", "list"])).status).toBe(0);
  const again = await home.run(["sessions", "end", other.id, "--yes"]);
  expect(again).toMatchObject({ status: 3, stderr: expect.stringContaining("no session") });
});

test("`sessions end --others` keeps the current session", async () => {
  const { home, sessions } = await scene();
  const ended = await home.run(["sessions", "end", "--others", "--yes"]);
  expect(ended.stdout).toBe("ended  1\n");
  expect(await sessions()).toBe(1);
});

test.each([
  { words: ["--yes"], status: 2, says: "give the session to end" },
  { words: ["ses_01", "--others", "--yes"], status: 2, says: "give the session to end" },
  { words: ["--others"], status: 5, says: "--yes" },
  { words: ["ses_", "--yes"], status: 5, says: "more than one session" },
])("`sessions end` refuses $words without a terminal", async ({ words, status, says }) => {
  const { home, sessions } = await scene();
  const ran = await home.run(["sessions", "end", ...words]);
  expect(ran).toMatchObject({ status, stderr: expect.stringContaining(says) });
  expect(await sessions()).toBe(2);
});
