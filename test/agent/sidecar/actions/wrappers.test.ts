// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders are what is tested

import { expect, test } from "vitest";
import { fillExec, problemOfWord } from "../../../../src/agent/sidecar/actions/fill-exec.ts";

const value = "${payload.v}";

/** Splits commands at `|`. V is a value, and echo+V a script that contains a value. */
function commandsIn(text: string): [string, string[]][] {
  const written = text.split(/[|\n]/).map((command) => command.trim());
  return written
    .filter((command) => command !== "")
    .map((command) => {
      const words = command
        .split(" ")
        .map((word) => word.replace("+", " ").replace(/\bV\b/, value));
      return [command, words];
    });
}

function problemsOf(command: string[]): (string | null)[] {
  return command.flatMap((word, at) =>
    word.includes("${payload") ? [problemOfWord(command, at, () => false)] : [],
  );
}

const refused = `
  V | timeout 5 V | /usr/bin/timeout -k 1 5 rsync V | timeout -- 5 V | nice V | nice -n 5 V
  nice -n V -- rsync | sudo V | sudo -u app V | sudo -n systemctl restart V
  sudo -n -- nice V | env V | env A=1 V | env -S V | xargs -n 1 V | flock /run/lock V
  flock /run/lock -c echo+V | flock -c echo+V | script -qc echo+V /dev/null | sg adm -c echo+V
  rbash -c echo+V | make V | make VERSION=V | timeout 5 make V | busybox V | chroot /srv V
  sudo A=1 V | sudo -n -- A=1 V | setarch x86_64 V | linux64 V | run0 V | ip netns exec x V
  ip -6 vrf exec x V | ip netns exec x nice V | find . -exec V ;
  find . -type f -execdir nice V ; | sudo find . -ok V ; | fd x -x V
  start-stop-daemon --start --exec V | start-stop-daemon --start --exec=V
  start-stop-daemon -S -x V -- -d | perf stat V | perf stat -e cycles V | valgrind V
  valgrind --tool=memcheck V | ssh-agent V | capsh -- -c echo+V | docker exec c V
  docker exec -it c tool V | docker run --rm -- image V | kubectl exec pod -- V | npx V
`;
test.each(commandsIn(refused))("a value is refused in %s", (_, command) => {
  expect(problemsOf(command)).toEqual([expect.any(String)]);
});

const accepted = `
  timeout 5 rsync V | timeout V rsync | timeout -k 1 -- 5 rsync V | nice rsync V
  sudo systemctl restart V | sudo -n -- systemctl restart -- V
  sudo -n -- timeout 5 systemctl restart V | env LEVEL=V A=1 tool V | flock /run/lock rsync V
  tool sudo V | sudo A=1 systemctl restart V | setarch x86_64 rsync V
  ip netns exec x rsync V | ip link show V | find . -name V -delete | find . -exec rsync V ;
  start-stop-daemon --start --exec /usr/sbin/tool -- V | perf stat -- rsync V
  docker restart V | docker exec c tool V | docker exec V tool | kubectl exec pod -- tool V
  run V
`;
test.each(commandsIn(accepted))("a value is accepted in %s", (_, command) => {
  expect(problemsOf(command).filter((problem) => problem !== null)).toEqual([]);
});

const dashed = `
  sudo -n -- rsync V | timeout -- 5 rsync V | nice rsync V | kubectl exec pod -- rsync V
  start-stop-daemon --start --exec /usr/sbin/tool -- V
`;
test.each(commandsIn(dashed))(
  "the wrapper's own -- does not allow a value that begins with a dash: %s",
  (_, command) => {
    const exec = { command, env: {}, passEnv: [] };
    expect(() => fillExec(exec, { v: "--rsh=reboot" })).toThrow('must not begin with "-"');
    expect(fillExec(exec, { v: "x" }).command.at(-1)).toBe("x");
  },
);
