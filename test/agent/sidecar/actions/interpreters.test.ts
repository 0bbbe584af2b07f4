// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders are what is tested

import { describe, expect, test } from "vitest";
import { problemBehindInterpreter } from "../../../../src/agent/sidecar/actions/interpreters.ts";

const value = "${payload.x}";
const script = 'echo "$1"';
const within = `echo ${value}`;

function problemsOf(command: string[]): (string | null)[] {
  return command.flatMap((word, at) =>
    word.includes("${payload") ? [problemBehindInterpreter(command, at)] : [],
  );
}

describe("a value that could be read as code is refused", () => {
  test.each<[string[]]>([
    [["sh", "-c", within]],
    [["/bin/sh", "-ec", value]],
    [["sh", "-cx", within]],
    [["sh", "-c", "-e", within]],
    [["bash", "-c", "--", value]],
    [["bash", "-o", "pipefail", "--", value]],
    [["bash", "-euo", "pipefail", "--", value]],
    [["bash", "+x", "-c", within]],
    [["bash", "-lc", script, "--", `x ${value}`]],
    [["bash", "-c", script, value]],
    [["bash", value]],
    [["env", "bash", "-c", within]],
    [["env", "-S", `bash -c ${value}`]],
    [["sudo", "-u", "app", "/usr/bin/zsh", "-c", within]],
    [["busybox", "sh", "-c", within]],
    [["su", "app", "-c", within]],
    [["su", value]],
    [["runuser", "-u", "app", "--", value]],
    [["node", "-e", within]],
    [["node", "--eval", within]],
    [["node", `--eval=${value}`]],
    [["python3.12", "-c", within]],
    [["python3", "-W", "ignore", value]],
    [["perl", "-ne", within]],
    [["php", "-r", within]],
    [["awk", `/${value}/`, "log"]],
    [["C:\\Windows\\System32\\cmd.exe", "/C", within]],
    [["ssh", "host", "systemctl", "restart", "--", value]],
  ])("%j", (command) => {
    expect(problemsOf(command)).toEqual([expect.any(String)]);
  });
});

describe("a value that stays data is accepted", () => {
  test.each<[string[]]>([
    [["sh", "-ec", script, "--", value, "x", value]],
    [["bash", "-euo", "pipefail", "-c", script, "--", value]],
    [["su", "app", "-c", script, "--", value]],
    [["env", "A=1", "bash", "-c", 'python3 x.py "$1"', "--", value]],
    [["bash", "deploy.sh", value, `--zone=${value}`]],
    [["node", "tool.mjs", `--level=${value}`]],
    [["node", "-e", "console.log(process.argv[1])", "--", value]],
    [["python3", "-m", "tool", "--", value]],
    [["awk", "/x/", value]],
    [["grep", "-c", value, "sh.txt"]],
    [["tool", "-e", value, "--", value]],
    [["tool", value, "sh"]],
  ])("%j", (command) => {
    expect(problemsOf(command).filter((problem) => problem !== null)).toEqual([]);
  });
});
