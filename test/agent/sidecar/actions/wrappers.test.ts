// Where a value may stand behind a program that starts another one: never as that program, nor as an
// option of either.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders are what is tested

import { describe, expect, test } from "vitest";
import { fillExec, problemOfWord } from "../../../../src/agent/sidecar/actions/fill-exec.ts";

const value = "${payload.v}";
const within = `echo ${value}`;

function problemsOf(command: string[]): (string | null)[] {
  return command.flatMap((word, at) =>
    word.includes("${payload") ? [problemOfWord(command, at, () => false)] : [],
  );
}

describe("is refused", () => {
  test.each<[string[]]>([
    [[value]],
    [["timeout", "5", value]],
    [["/usr/bin/timeout", "-k", "1", "5", "rsync", value]],
    [["timeout", "--", "5", value]],
    [["nice", value]],
    [["nice", "-n", "5", value]],
    [["nice", "-n", value, "--", "rsync"]],
    [["sudo", value]],
    [["sudo", "-u", "app", value]],
    [["sudo", "-n", "systemctl", "restart", value]],
    [["sudo", "-n", "--", "nice", value]],
    [["env", value]],
    [["env", "A=1", value]],
    [["env", "-S", value]],
    [["xargs", "-n", "1", value]],
    [["flock", "/run/lock", value]],
    [["flock", "/run/lock", "-c", within]],
    [["flock", "-c", within]],
    [["script", "-qc", within, "/dev/null"]],
    [["sg", "adm", "-c", within]],
    [["rbash", "-c", within]],
    [["make", value]],
    [["make", `VERSION=${value}`]],
    [["timeout", "5", "make", value]],
    [["busybox", value]],
    [["chroot", "/srv", value]],
    [["sudo", "A=1", value]],
    [["sudo", "-n", "--", "A=1", value]],
    [["setarch", "x86_64", value]],
    [["linux64", value]],
    [["run0", value]],
    [["ip", "netns", "exec", "x", value]],
    [["ip", "-6", "vrf", "exec", "x", value]],
    [["ip", "netns", "exec", "x", "nice", value]],
    [["find", ".", "-exec", value, ";"]],
    [["find", ".", "-type", "f", "-execdir", "nice", value, ";"]],
    [["sudo", "find", ".", "-ok", value, ";"]],
    [["fd", "x", "-x", value]],
    [["start-stop-daemon", "--start", "--exec", value]],
    [["start-stop-daemon", "--start", `--exec=${value}`]],
    [["start-stop-daemon", "-S", "-x", value, "--", "-d"]],
    [["perf", "stat", value]],
    [["perf", "stat", "-e", "cycles", value]],
    [["valgrind", value]],
    [["valgrind", "--tool=memcheck", value]],
    [["ssh-agent", value]],
    [["capsh", "--", "-c", within]],
    [["docker", "exec", "c", value]],
    [["docker", "exec", "-it", "c", "tool", value]],
    [["docker", "run", "--rm", "--", "image", value]],
    [["kubectl", "exec", "pod", "--", value]],
    [["npx", value]],
  ])("%j", (command) => {
    expect(problemsOf(command)).toEqual([expect.any(String)]);
  });
});

describe("is let through", () => {
  test.each<[string[]]>([
    [["timeout", "5", "rsync", value]],
    [["timeout", value, "rsync"]],
    [["timeout", "-k", "1", "--", "5", "rsync", value]],
    [["nice", "rsync", value]],
    [["sudo", "systemctl", "restart", value]],
    [["sudo", "-n", "--", "systemctl", "restart", "--", value]],
    [["sudo", "-n", "--", "timeout", "5", "systemctl", "restart", value]],
    [["env", `LEVEL=${value}`, "A=1", "tool", value]],
    [["flock", "/run/lock", "rsync", value]],
    [["tool", "sudo", value]],
    [["sudo", "A=1", "systemctl", "restart", value]],
    [["setarch", "x86_64", "rsync", value]],
    [["ip", "netns", "exec", "x", "rsync", value]],
    [["ip", "link", "show", value]],
    [["find", ".", "-name", value, "-delete"]],
    [["find", ".", "-exec", "rsync", value, ";"]],
    [["start-stop-daemon", "--start", "--exec", "/usr/sbin/tool", "--", value]],
    [["perf", "stat", "--", "rsync", value]],
    [["docker", "restart", value]],
    [["docker", "exec", "c", "tool", value]],
    [["docker", "exec", value, "tool"]],
    [["kubectl", "exec", "pod", "--", "tool", value]],
    [["run", value]],
  ])("%j", (command) => {
    expect(problemsOf(command).filter((problem) => problem !== null)).toEqual([]);
  });
});

test.each<[string[]]>([
  [["sudo", "-n", "--", "rsync", value]],
  [["timeout", "--", "5", "rsync", value]],
  [["nice", "rsync", value]],
  [["kubectl", "exec", "pod", "--", "rsync", value]],
  [["start-stop-daemon", "--start", "--exec", "/usr/sbin/tool", "--", value]],
])("the wrapper's -- makes no word of %j safe from being an option", (command) => {
  const exec = { command, env: {}, passEnv: [] };
  expect(() => fillExec(exec, { v: "--rsh=reboot" })).toThrow('must not begin with "-"');
  expect(fillExec(exec, { v: "x" }).command.at(-1)).toBe("x");
});
