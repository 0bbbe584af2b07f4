// Finds the program in commands with a wrapper such as sudo or env, so that payload values are
// neither the program nor an option of the wrapper. Only `--` shows where the wrapper's options
// end.

import { fileNameOf } from "./interpreters.ts";
import { placeholdersIn } from "./template.ts";

/** The number of operands before the program: 1 for `timeout 5 rsync`. */
const operandsOf: Readonly<Record<string, number>> = {
  ...wrappersWith(
    0,
    `aa-exec bunx busybox bwrap caffeinate catatonit catchsegv cgexec choom chpst chronic cpulimit
    daemonize dbus-run-session doas dumb-init eatmydata entr env fakechroot fakeroot firejail heaptrack
    i386 i486 i586 i686 ifne ionice linux32 linux64 ltrace nice nocache nohup npx nsenter numactl pkexec
    prlimit proxychains proxychains4 run0 setpriv setsid softlimit ssh-agent sshpass stdbuf strace sudo
    systemd-cat systemd-inhibit systemd-run time tini torsocks toybox trickle tsocks unbuffer uname26
    unshare uvx valgrind x86_64 xargs xvfb-run`,
  ),
  ...wrappersWith(
    1,
    `chroot chrt envdir faketime flock gdbserver gosu pidproxy runcon s6-envdir s6-setuidgid setarch
    setlock setuidgid su-exec taskset timeout`,
  ),
};

function wrappersWith(operands: number, names: string): Record<string, number> {
  return Object.fromEntries(names.split(/\s+/).map((name) => [name, operands]));
}

/** The number of operands between these subcommands and the program that they start. */
const subcommandsOf: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  bundle: { exec: 0 },
  docker: { exec: 1, run: 1 },
  ip: { exec: 1 },
  kubectl: { exec: 1 },
  lxc: { exec: 1 },
  nerdctl: { exec: 1, run: 1 },
  npm: { exec: 0, x: 0 },
  perf: { c2c: 0, ftrace: 0, kmem: 0, lock: 0, mem: 0, record: 0, sched: 0, stat: 0, trace: 0 },
  pipx: { run: 0 },
  pnpm: { dlx: 0, exec: 0 },
  podman: { exec: 1, run: 1 },
  poetry: { run: 0 },
  rr: { record: 0 },
  uv: { run: 0 },
  yarn: { dlx: 0, exec: 0 },
};

/** Options that come directly before a program, in any command. */
const startingOptions = new Set(["-exec", "-execdir", "-ok", "-okdir", "--exec", "--startas"]);
/** Options that come directly before a program, but only in these commands. */
const ownStartingOptions: Readonly<Record<string, readonly string[]>> = {
  fd: ["-x", "-X", "--exec-batch"],
  fdfind: ["-x", "-X", "--exec-batch"],
  "start-stop-daemon": ["-x", "-a"],
};

/** Wrappers that accept variables (`NAME=value`) before the program. */
const takesVariables = new Set(["env", "sudo"]);

/** Returns the index of the program after all wrappers; null if the index is not clear. */
function programAt(command: readonly string[], start = 0): number | null {
  let at = start;
  while (true) {
    const found = behindName(command, at);
    if (found === null) return at;
    let next = found.next;
    if (command[next]?.startsWith("-")) {
      const end = command.indexOf("--", next);
      if (end === -1 || command.slice(next, end).some(hasPlaceholder)) return null;
      next = end + 1;
    }
    while (found.hasVariables && /^[A-Za-z_]\w*=/.test(command[next] ?? "")) next++;
    next += found.operands;
    if (found.isSubcommand && command[next] === "--") next++;
    if (command[next]?.startsWith("-")) return null;
    at = next;
  }
}

/** Returns the index from which a `--` belongs to the program instead of a wrapper. */
export function programArgumentsAt(command: readonly string[]): number {
  const at = programAt(command) ?? 0;
  const isDaemon = fileNameOf(command[at] ?? "") === "start-stop-daemon";
  return isDaemon ? command.indexOf("--", at) + 1 : at;
}

/** Returns null if the argument is not a wrapper. */
function behindName(command: readonly string[], at: number) {
  const name = fileNameOf(command[at] ?? "");
  if (Object.hasOwn(operandsOf, name)) {
    const hasVariables = takesVariables.has(name);
    return { next: at + 1, operands: operandsOf[name] ?? 0, hasVariables, isSubcommand: false };
  }
  const subcommands = Object.hasOwn(subcommandsOf, name) ? subcommandsOf[name] : undefined;
  if (!subcommands) return null;
  const where = command.findIndex((word, start) => start > at && Object.hasOwn(subcommands, word));
  if (where === -1) return null;
  const operands = subcommands[command[where] ?? ""] ?? 0;
  return { next: where + 1, operands, hasVariables: false, isSubcommand: true };
}

/** Returns a message for operators if this argument must not contain payload values, or null. */
export function problemBehindWrapper(command: readonly string[], at: number): string | null {
  for (const start of startsIn(command, at)) {
    const program = programAt(command, start);
    if (program === at) return isProgram;
    if (program === null && at > start) return notClear(command[start] ?? "");
  }
  return /^--(exec|startas)=/.test(command[at] ?? "") ? isProgram : null;
}

/** Commands start at index 0, and after options such as find's -exec. */
function startsIn(command: readonly string[], at: number): number[] {
  const names = command.map(fileNameOf);
  const own = names.flatMap((name) =>
    Object.hasOwn(ownStartingOptions, name) ? (ownStartingOptions[name] ?? []) : [],
  );
  const behind = command.flatMap((word, start) =>
    start < at && (startingOptions.has(word) || own.includes(word)) ? [start + 1] : [],
  );
  return [0, ...behind];
}

const isProgram = "the program itself cannot come from the payload";

function notClear(word: string): string {
  const wrapper = fileNameOf(word);
  return (
    `it is not clear which program ${wrapper} starts: write -- after the options of ${wrapper}, ` +
    `as in [sudo, -n, --, systemctl, restart, --, "\${payload.unit}"]; or put the whole command ` +
    "into a script file"
  );
}

function hasPlaceholder(word: string): boolean {
  return placeholdersIn(word).length > 0;
}
