import { expect, test } from "vitest";
import { failing } from "../world.ts";
import { openHome, openSite, signIn } from "./signed-in.ts";

async function scene() {
  const { url, sessions } = await openSite();
  const [home, elsewhere] = [openHome(), openHome()];
  await signIn(elsewhere, url);
  await signIn(home, url);
  const list = async () => JSON.parse((await home.run(["sessions", "list", "-o", "json"])).stdout);
  return { home, elsewhere, sessions, list };
}

test("`sessions list` marks the current session, and `sessions end` accepts an id", async () => {
  const { home, elsewhere, list } = await scene();
  expect(await list()).toMatchObject([
    { current: true, ip: "127.0.0.1" },
    { current: false, ip: "127.0.0.1" },
  ]);
  const { stdout } = await home.run(["sessions", "list"]);
  expect(stdout).toMatch(/^ID +CURRENT +USED +BEGAN +ENDS +FROM\n/);
  expect(stdout).toMatch(/ yes +(now|\d+s ago) +(now|\d+s ago) +in \d+h(\d+m)? +127\.0\.0\.1\n/);

  const other = (await list()).find(({ current }: { current: boolean }) => !current);
  const ended = await home.run(["sessions", "end", other.id, "--yes"]);
  expect(ended).toMatchObject({ status: 0, stdout: "ended  1\n" });
  expect((await elsewhere.run(["agents", "list"])).status).toBe(4);
  expect((await home.run(["agents", "list"])).status).toBe(0);
  const again = await home.run(["sessions", "end", other.id, "--yes"]);
  expect(again).toMatchObject({ status: 3, stderr: expect.stringContaining("no session") });
});

test("`sessions end` needs one session or --others, which keeps the current one, and a confirmation", async () => {
  const { home, sessions } = await scene();
  const end = (...words: string[]) => home.run(["sessions", "end", ...words]);
  for (const words of [[], ["ses_01", "--others"]]) {
    expect(await end(...words, "--yes")).toMatchObject(failing(2, "give the session to end"));
  }
  expect((await end("--others")).stderr).toContain("--yes");
  expect(await end("ses_", "--yes")).toMatchObject(failing(5, "more than one session"));
  expect(await sessions()).toBe(2);
  expect((await end("--others", "--yes")).stdout).toBe("ended  1\n");
  expect(await sessions()).toBe(1);
});
