// Tests `login` at a terminal.

import { expect, test } from "vitest";
import { keys, openTerminal } from "../../helpers/process/terminal.ts";
import { openHome, openSite, password } from "./signed-in.ts";

const ctrlT = "\u0014";

function atTerminal(words: string[], home = openHome()) {
  const terminal = openTerminal(words, { env: { XDG_CONFIG_HOME: home.folder } });
  return { home, terminal };
}

test("`login` asks for the server, the name and the password, and never shows the password; a wrong one changes nothing", async () => {
  const { url, sessions } = await openSite();
  const { home, terminal } = atTerminal(["login"]);
  await terminal.answer("Server (http://127.0.0.1:8080)", `${url}${keys.enter}`);
  await terminal.answer("Username", `ana${keys.enter}`);
  await terminal.answer(
    "Password",
    password.slice(0, 10),
    ctrlT,
    `${password.slice(10)}${keys.enter}`,
  );
  await terminal.shows(`Signed in to ${url} as ana (owner)`);
  expect(await terminal.ended).toBe(0);
  expect(terminal.raw()).not.toContain(password.slice(0, 10));
  expect(terminal.raw()).not.toContain(password.slice(10));
  // The screen does not show the password's length either.
  expect(terminal.raw()).not.toContain("***");
  expect(home.contexts()?.contexts).toMatchObject([{ server: url, username: "ana" }]);

  const before = home.contexts();
  const { terminal: again } = atTerminal(["login"], home);
  await again.answer("Username (ana)", keys.enter);
  await again.answer("Password", `wrong${keys.enter}`);
  expect(await again.ended).toBe(4);
  expect(again.text()).toContain("platformctl: The username or the password is wrong.");
  const [shown, hidden] = ["\u001b[?25h", "\u001b[?25l"];
  expect(again.raw().lastIndexOf(shown)).toBeGreaterThan(again.raw().lastIndexOf(hidden));
  expect(home.contexts()).toEqual(before);
  expect(await sessions()).toBe(1);
});
