// A shell in which platform and platformctl run in the test's own process, which is faster: a shell
// function, or a small script on the PATH, sends the command line to this process, and runs the code
// that it gets back.

import { writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { delimiter, join } from "node:path";
import type { ProgramName } from "../../../src/cli/terminal/io.ts";
import { configHome, readEnv } from "../../../src/config/env.ts";
import { temporaryFolder } from "../../helpers/app.ts";
import { listen } from "../../helpers/http/listen.ts";
import { atEnd } from "../../helpers/lifetime.ts";
import { bin } from "../../helpers/process/installed.ts";
import { cleanEnv } from "../../helpers/process/process.ts";
import { cli } from "../world.ts";
import { openShell, type Shell } from "./shell.ts";

/** `agent run` handles the signals of its process, and logs to its standard error. */
const own = "agent\\ run*";

const codeFor = (port: number, patterns: string[]) => `
case "$*" in ${patterns.join(" | ")}) exec '${bin}'/"$program" "$@" ;; esac
IFS= read -r -d '' input
variables=()
for name in "\${!PLATFORM_@}" HOME XDG_CONFIG_HOME EDITOR PATH; do
  [[ \${!name@a} == *x* ]] && variables+=("$name=\${!name}")
done
exec 3<>/dev/tcp/127.0.0.1/${port}
printf '%s\\0' "$program" "$PWD" "$input" "\${variables[@]}" '' "$@" >&3
printf '\\4' >&3
while IFS= read -r -d '' code <&3; do eval "$code"; done
`;

const end = "\0\u0004";
const names = ["platform", "platformctl"];

/**
 * With `asFunctions`, the shell itself runs the code, so that a command starts no program. A signal
 * to a background job then does not reach a command with its own process, such as `agent run`.
 */
export async function openFastShell(
  folder: string,
  env: Record<string, string>,
  asFunctions = false,
): Promise<Shell> {
  const { programs, code } = await serveCommands();
  const functions = names.map((name) => [
    `BASH_FUNC_${name}%%`,
    `() { (program=${name}\n${code}) }`,
  ]);
  return openShell(folder, {
    ...env,
    PATH: [programs, env.PATH ?? cleanEnv().PATH].join(delimiter),
    ...(asFunctions && Object.fromEntries(functions)),
  });
}

/**
 * Returns a folder that contains `platform` and `platformctl`. Command lines that match these
 * shell patterns get their own process, too.
 */
export async function openPrograms(...patterns: string[]): Promise<string> {
  return (await serveCommands(...patterns)).programs;
}

/** Returns the folder of `openPrograms`, and the shell code that runs the program `$program`. */
async function serveCommands(...patterns: string[]): Promise<{ programs: string; code: string }> {
  const running: Promise<void>[] = [];
  const server = createServer((socket) => {
    let received = "";
    // A shell that ends before it has read everything resets the connection; "close" follows.
    socket.on("error", () => undefined);
    socket.setEncoding("utf8").on("data", (text: string) => {
      received += text;
      if (received.endsWith(end)) running.push(serve(socket, received.slice(0, -end.length)));
    });
  });
  atEnd(() => Promise.all(running));
  const programs = temporaryFolder();
  const code = codeFor(await listen(server), [own, ...patterns]);
  for (const name of names) {
    writeFileSync(join(programs, name), `#!/bin/bash\nprogram=${name}\n${code}`, { mode: 0o755 });
  }
  return { programs, code };
}

const home = process.cwd();

/** Runs the command, and sends shell code that prints the same and exits with the same status. */
async function serve(socket: Socket, request: string): Promise<void> {
  const [program, folder = "", stdin = "", ...rest] = request.split("\0");
  const wordsAt = rest.indexOf("");
  const env: Record<string, string> = Object.fromEntries(
    rest.slice(0, wordsAt).map((variable) => /^(\w+)=(.*)$/s.exec(variable)?.slice(1) ?? []),
  );
  const printTo = (stream: number) => (text: string) =>
    void socket.write(`printf %s '${text.replaceAll("'", "'\\''")}' >&${stream}\0`);
  const out = printTo(1);
  const words = rest.slice(wordsAt + 1);
  process.chdir(folder);
  const io = {
    program: program as ProgramName,
    wholeEnv: env,
    configFolder: join(configHome(env) ?? "", "platform"),
    editor: env.EDITOR,
    pager: env.PAGER,
    out,
    outBytes: async (bytes: Uint8Array) => out(Buffer.from(bytes).toString()),
    note: printTo(2),
    // The socket closes early if the shell ends.
    onInterrupt: (listener: () => void) => {
      socket.once("close", listener);
      return () => void socket.off("close", listener);
    },
  };
  const { status } = await cli(words, { env: readEnv(env), stdin, io });
  process.chdir(home);
  socket.end(`exit ${status}\0`);
}
