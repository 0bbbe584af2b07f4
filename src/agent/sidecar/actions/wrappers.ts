// Programs that start another one, which they are given as words: where that program stands, so that the
// payload is neither the program nor one of the wrapper's options. It must be plain to see: options of
// most wrappers may have values of their own, and then only a `--` says where they end.

import { placeholdersIn } from "./template.ts";

/** With the operands that stand before the program: `timeout 5 rsync`. */
const operandsOf: Readonly<Record<string, number>> = {
  ...wrappersWith(0, [
    ...["busybox", "cgexec", "choom", "chpst", "dbus-run-session", "doas", "dumb-init", "env"],
    ...[
      "fakeroot",
      "firejail",
      "ionice",
      "ltrace",
      "nice",
      "nohup",
      "nsenter",
      "numactl",
      "pkexec",
    ],
    ...["prlimit", "proxychains", "run0", "setarch", "setpriv", "setsid", "softlimit", "stdbuf"],
    ...["strace", "sudo", "systemd-inhibit", "systemd-run", "time", "tini", "torsocks", "toybox"],
    ...["unbuffer", "unshare", "xargs", "xvfb-run"],
  ]),
  ...wrappersWith(1, [
    "chroot",
    "chrt",
    "flock",
    "gosu",
    "runcon",
    "su-exec",
    "taskset",
    "timeout",
  ]),
};

function wrappersWith(operands: number, names: string[]): Record<string, number> {
  return Object.fromEntries(names.map((name) => [name, operands]));
}

/**
 * Where the program stands that gets the last words of the command: behind all wrappers. Null when that
 * is not plain to see.
 */
export function programAt(command: readonly string[], nameOf: (word: string) => string) {
  let at = 0;
  while (true) {
    const name = nameOf(command[at] ?? "");
    if (!Object.hasOwn(operandsOf, name)) return at;
    let next = at + 1;
    if (command[next]?.startsWith("-")) {
      const end = command.indexOf("--", next);
      if (end === -1 || command.slice(next, end).some(hasPlaceholder)) return null;
      next = end + 1;
    }
    while (name === "env" && /^[A-Za-z_]\w*=/.test(command[next] ?? "")) next++;
    next += operandsOf[name] ?? 0;
    if (command[next]?.startsWith("-")) return null;
    at = next;
  }
}

/** For an operator: why the payload must not be put into this word; null when it may, as far as wrappers go. */
export function problemBehindWrapper(
  command: readonly string[],
  at: number,
  nameOf: (word: string) => string,
): string | null {
  const program = programAt(command, nameOf);
  if (program === at) return "the program itself cannot come from the payload";
  if (program !== null) return null;
  const wrapper = nameOf(command[0] ?? "");
  return (
    `it is not clear which program ${wrapper} starts: write a -- behind the options of ${wrapper}, as in ` +
    `[sudo, -n, --, systemctl, restart, --, "\${payload.unit}"]; or make the whole command a script file`
  );
}

function hasPlaceholder(word: string): boolean {
  return placeholdersIn(word).length > 0;
}
