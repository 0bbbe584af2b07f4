// Tests the package as another project uses it: npm packs it, and it is installed in an empty
// project, where JavaScript and TypeScript import it.

import { execFile } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { cli } from "../cli/world.ts";
import { temporaryFolder } from "../helpers/app.ts";
import { consoleFiles } from "../helpers/browser/console-files.ts";
import { makeBundleCheap } from "../helpers/cheap-passwords.ts";
import { copyDockerContext } from "../helpers/docker-context.ts";
import { serveInProcess } from "../helpers/in-process-server.ts";
import { npmEnv } from "../helpers/process/npm-env.ts";
import { createToken } from "../helpers/process/operator.ts";
import { platformctl, startCommand, until } from "../helpers/process/process.ts";
import { isLong } from "../helpers/size.ts";

const root = join(import.meta.dirname, "../..");
const modules = join(root, "node_modules");
const consumer = join(import.meta.dirname, "consumer");
/** The programs that all tests start, which were built from the project's folder. */
const builtElsewhere = join(inject("installedProgram"), "dist");
const build = { COMMIT: "0123abc", BUILD_TIME: "2026-01-02T03:04:05.678Z" };

let folder: string;
let stranger: Record<string, string>;
/** The empty project, with the package installed. */
let project: string;
/** What npm prints about the package file. */
let packed: { filename: string; version: string; files: { path: string }[] };

beforeAll(async () => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), "platform-package-"));
  stranger = npmEnv(join(folder, "node"));
  const source = join(folder, "source");
  // The image is built from these files, so they must be enough for the build.
  copyDockerContext(source);
  for (const name of ["README.md", "platformctl.md", "docs"]) {
    cpSync(join(root, name), join(source, name), { recursive: true });
  }
  symlinkSync(modules, join(source, "node_modules"));
  shortenBuild(join(source, "scripts/build/index.ts"), source);
  // `npm run package:npm` would start npm twice.
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const pack = `${scripts["package:npm"]} --json --pack-destination "$0"`;
  const told = await run("sh", ["-ec", pack, folder], {
    cwd: source,
    env: {
      ...{ PLATFORM_COMMIT: build.COMMIT, PLATFORM_BUILD_TIME: build.BUILD_TIME },
      // Further threads of the bundler would wait for each other in busy loops.
      RAYON_NUM_THREADS: "1",
    },
  });
  [packed] = JSON.parse(told);

  project = join(folder, "my project");
  mkdirSync(project);
  const dependencies = { platform: `file:../${packed.filename}` };
  const about = { name: "consumer", private: true, type: "module", dependencies };
  writeFileSync(join(project, "package.json"), JSON.stringify(about));
  await (isLong ? install() : unpack());
  for (const file of readdirSync(consumer)) cpSync(join(consumer, file), join(project, file));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Installs the package with npm. */
async function install(): Promise<void> {
  const quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--omit=optional"];
  const cache = `--cache=${join(folder, "cache")}`;
  await run("npm", ["install", "--offline", cache, ...quiet], { cwd: project });
}

/** Makes the same files and links as `install` in a tenth of the CPU time. */
async function unpack(): Promise<void> {
  const links = join(project, "node_modules/.bin");
  mkdirSync(links, { recursive: true });
  const installed = join(project, "node_modules/platform");
  mkdirSync(installed);
  const words = ["-xzf", join(folder, packed.filename), "-C", installed, "--strip-components=1"];
  await run("tar", words, { cwd: project });
  for (const [name, file] of Object.entries<string>(installedAbout().bin)) {
    symlinkSync(join("../platform", file), join(links, name));
  }
}

/** The package.json of the installed package. */
function installedAbout() {
  return JSON.parse(readFileSync(join(project, "node_modules/platform/package.json"), "utf8"));
}

/**
 * Makes the build compress the console quickly, because the best compression takes seconds. In
 * `npm test`, the build instead uses the console of the browser tests, without its compressed
 * copies. It also omits the native modules of other machines, which npm would compress.
 */
function shortenBuild(script: string, source: string): void {
  const replace = (text: string, step: string, by: string) => {
    if (!text.includes(step)) throw new Error(`the build has another step than ${step}`);
    return text.replace(step, by);
  };
  const [text, console] = [readFileSync(script, "utf8"), 'buildConsole(projectFolder, "best")'];
  if (isLong) {
    writeFileSync(script, replace(text, console, 'buildConsole(projectFolder, "quick")'));
    return;
  }
  const native = "copyNativeParts(dist);";
  const sqlite = join(modules, "better-sqlite3");
  const own = basename(createRequire(sqlite)(join(sqlite, "lib/binding.js")).getPrebuildPath());
  const others = readdirSync(join(sqlite, "prebuilds"))
    .filter((name) => name !== own)
    .map((name) => `rmSync(join(dist, "sqlite/prebuilds", "${name}"));`);
  const withNative = replace(text, native, [native, ...others].join("\n"));
  writeFileSync(script, replace(withNative, console, "[]"));
  const isOriginal = (file: string) => !/\.(br|gz)$/.test(file);
  const how = { recursive: true, dereference: true, filter: isOriginal };
  cpSync(consoleFiles, join(source, "dist/console"), how);
}

interface Place {
  cwd: string;
  env?: Record<string, string>;
}

/** Runs a program, and returns its standard output. */
async function run(program: string, words: string[], { cwd, env }: Place): Promise<string> {
  const running = promisify(execFile)(program, words, { cwd, env: strangersEnv(env) });
  const { stdout } = await running.catch((error) => {
    throw new Error(`${error.message}\n${error.stdout}`);
  });
  return stdout;
}

function strangersEnv(more: Record<string, string> = {}): Record<string, string> {
  return { ...stranger, ...more };
}

test("the package contains the programs, the bundle and the manual, and nothing else", () => {
  const kinds: Record<string, RegExp> = {
    programs: /^bin\/(platform|platformctl|launch\.sh)$/,
    "native parts": /^dist\/sqlite\/(lib\/binding\.cjs|prebuilds\/[\w-]+\.node)$/,
    bundle: /^dist\/((main|parts\/[\w.-]+)\.cjs|agent\/(index|parts\/[\w.-]+)\.js)$/,
    console: /^dist\/console\/(listing\.json|(index\.html|assets\/[\w-]+\.\w+)(\.br|\.gz)?)$/,
    "documents for browsers": /^dist\/console\/docs\/[\w/-]+\.(html|css|svg|woff2)(\.br|\.gz)?$/,
    types: /^dist\/types\/(agent|domain)\/[a-z/-]+\.d\.ts$/,
    migrations: /^migrations\/(sqlite|postgresql)\/\d{4}-[a-z-]+\.sql$/,
    documents: /^(README|CHANGELOG|platformctl|docs\/[\w/-]+)\.md$|^docs\/examples\//,
    pictures: /^docs\/(screenshots\/[\w-]+\.png|[\w-]+\.svg)$/,
    licences: /^(LICENSE|dist\/licenses\.txt)$/,
    itself: /^package\.json$/,
  };
  const paths = packed.files.map(({ path }) => path);
  const counts = Object.entries(kinds).map(
    ([name, kind]) => [name, paths.filter((path) => kind.test(path)).length] as const,
  );
  expect(paths.filter((path) => !Object.values(kinds).some((kind) => kind.test(path)))).toEqual([]);
  expect(Object.fromEntries(counts)).toMatchObject({ programs: 3, licences: 2, itself: 1 });
  for (const [name, count] of counts) expect(count, name).toBeGreaterThan(0);
});

test("npm compiles nothing for a project that installs the package, and installs no other package", () => {
  const { scripts, dependencies, peerDependencies } = installedAbout();
  const ofInstall = Object.keys(scripts).filter((name) => /install$|^prepare$/.test(name));
  expect([ofInstall, dependencies, peerDependencies]).toEqual([[], undefined, undefined]);
  expect(packed.files.map(({ path }) => path)).not.toContain("binding.gyp");
});

test.runIf(isLong)("the lock file of such a project contains only the package", () => {
  const { packages } = JSON.parse(readFileSync(join(project, "package-lock.json"), "utf8"));
  const installed = Object.keys(packages).filter((place) => !/^$|\/node-\w+-\w+$/.test(place));
  expect(installed).toEqual(["node_modules/platform"]);
  expect(packages["node_modules/platform"]).not.toHaveProperty("hasInstallScript");
});

test("no file contains a path on the machine that built it", () => {
  const installed = join(project, "node_modules/platform");
  const places = [folder, root, realpathSync(modules)];
  const told = packed.files.filter(({ path }) => {
    const bytes = readFileSync(join(installed, path));
    return places.some((place) => bytes.includes(place));
  });
  expect(told).toEqual([]);
});

test("the licences of all bundled packages are included, and no test tool is bundled", async () => {
  const text = readFileSync(join(project, "node_modules/platform/dist/licenses.txt"), "utf8");
  const names = [...text.matchAll(/^(\S+) \d+\.\d+\.\d+\S* \(.+\)\nhttps:/gm)].map(
    (found) => found[1],
  );
  expect(names).toEqual(
    expect.arrayContaining([
      ...["better-sqlite3", "commander", "pino", "undici", "ws", "yaml", "zod"],
      ...(isLong ? ["react-dom"] : []),
    ]),
  );
  for (const tool of ["vitest", "fast-check", "rolldown", "typescript", "tsx"]) {
    expect(names).not.toContain(tool);
  }
  expect(text).toContain("Copyright (c) 2011 TJ Holowaychuk");
  const bin = join(project, "node_modules/.bin/platformctl");
  expect(await run(bin, ["version", "--licenses"], { cwd: folder })).toBe(text);
});

test("the same sources give the same bytes, wherever and whenever they are built", () => {
  const copy = join(folder, "dist");
  cpSync(join(project, "node_modules/platform/dist"), copy, { recursive: true });
  makeBundleCheap(copy);
  const [first, again] = [builtElsewhere, copy].map(programsIn) as [string[], string[]];
  expect(again.length).toBeGreaterThan(50);
  // One file contains the version, the commit and the time.
  const differing = again.filter((file) => !first.includes(file));
  expect(differing).toEqual([expect.stringContaining(build.COMMIT)]);
  expect(first.filter((file) => !again.includes(file))).toHaveLength(1);
  expect(again).toHaveLength(first.length);
});

/** The names and contents of the bundled files, without the hashes of contents in the names. */
function programsIn(dist: string): string[] {
  const files = ["agent", "parts"].flatMap((part) => [...contentsOf(join(dist, part), dist)]);
  files.push(["/main.cjs", readFileSync(join(dist, "main.cjs"), "latin1")]);
  return files.map(([name, text]) =>
    `${name}\n${text}`.replaceAll(/(?<=[\w.]-)[\w-]{8}(?=\.c?js\b)/g, "HASH"),
  );
}

test.runIf(isLong)(
  "the console has the same bytes as one that was built elsewhere, and is built for production",
  () => {
    const installed = contentsOf(join(project, "node_modules/platform/dist/console"));
    expect([...installed.keys()]).toContain("/index.html.br");
    expect(installed).toEqual(contentsOf(consoleFiles));
    const scripts = [...installed].filter(([name]) => name.endsWith(".js"));
    expect(scripts.length).toBeGreaterThan(0);
    // This text is only in React's development build.
    expect(scripts.filter(([, text]) => text.includes("Download the React DevTools"))).toEqual([]);
  },
);

/** Returns the contents of the files by their paths relative to `base`. */
function contentsOf(folder: string, base = folder): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return new Map(
    files.sort().map((file) => [file.slice(base.length), readFileSync(file, "latin1")]),
  );
}

test("loading the library does not load the program or any other package", () => {
  const dist = join(project, "node_modules/platform/dist");
  const files = new Set([join(dist, "agent/index.js")]);
  const packages = new Set<string>();
  // The set grows while the loop runs over it.
  for (const file of files) {
    const imports = readFileSync(file, "utf8").matchAll(/^(?:import|export)\b[^;]*?"([^"]+)";$/gm);
    for (const [, specifier = ""] of imports) {
      if (specifier.startsWith("./")) files.add(join(dirname(file), specifier));
      else if (!isBuiltin(specifier)) packages.add(specifier);
    }
  }
  expect([...packages]).toEqual([]);
});

test("the installed programs print the commit that they were built from, and no variable changes it", async () => {
  const { COMMIT: commit, BUILD_TIME: buildTime } = build;
  // Only a commit with the tag of its version is a release.
  const version = `${packed.version}-dev`;
  const env = { PLATFORM_VERSION: "9.9.9", PLATFORM_COMMIT: "fedcba" };
  const bin = join(project, "node_modules/.bin/platformctl");
  const { client } = JSON.parse(await run(bin, ["version", "-o", "json"], { cwd: folder, env }));
  expect(client).toMatchObject({ version, commit, buildTime });
});

test("the example agent of the documentation works with the installed command line", async () => {
  const from = join(project, "node_modules/.bin");
  const PATH = strangersEnv().PATH ?? "";
  const dataDir = join(temporaryFolder(), "data");
  cpSync(inject("templateDataDir"), dataDir, { recursive: true });
  const server = await serveInProcess({ DATA_DIR: dataDir });
  const token = await createToken(server);

  const program = "library-agent.mjs";
  cpSync(join(root, "docs/examples", program), join(project, program));
  const env = strangersEnv({ PLATFORM_URL: server.url, PLATFORM_REGISTRATION_TOKEN: token });
  const agent = startCommand([process.execPath, program], { cwd: project, env });
  const registered = " info: Registered as notes-host (agt_";
  await until("the agent has registered", () => agent.stderr().includes(registered));

  // The agent reports its services only after it has registered.
  const waited = await cli(["services", "wait", "notes", "--db", server.file]);
  expect(waited).toMatchObject({ status: 0 });

  const payload = '{"title":"milk","text":"Buy some."}';
  const words = ["actions", "run", "notes", "add-note", "-o", "json", "--payload", payload];
  const added = await platformctl([...words, "--db", server.file], { from, env: { PATH } });
  expect(added).toMatchObject({ status: 0 });
  expect(JSON.parse(added.stdout).result.output).toEqual({ file: "milk.txt" });
  expect(readFileSync(join(project, "notes/milk.txt"), "utf8")).toBe("Buy some.\n");

  agent.signal("SIGTERM");
  const { status, stderr } = await agent.ended;
  expect(status).toBe(0);
  expect(stderr).toContain(" info: a note was added");
  expect(stderr).not.toContain(token);
});

/**
 * The parts that the example in docs/guides/node-program.md leaves to its reader. Node's types are
 * not installed here.
 */
const readersOwnFile = `
  export declare const rotate: (file: string) => Promise<string>;
  declare global {
    const process: {
      env: Record<string, string | undefined>;
      once(signal: string, listener: () => void): void;
    };
  }
`;

// What compiles with this module resolution also compiles with a bundler's.
test("TypeScript that uses only the package compiles", async () => {
  const compilerOptions = {
    ...{ module: "nodenext", target: "es2024", types: [], noEmit: true },
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
    // The compiler's own declarations are not under test.
    skipDefaultLibCheck: true,
  };
  const guide = readFileSync(join(root, "docs/guides/node-program.md"), "utf8");
  writeFileSync(join(project, "guide.ts"), /```ts\n([\s\S]*?)```/.exec(guide)?.[1] ?? "");
  writeFileSync(join(project, "logs.ts"), readersOwnFile);
  const files = ["every-call.ts", "wrong-uses.ts", "guide.ts"];
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
  const words = ["--project", project, "--singleThreaded"];
  // The compiler ends before garbage collection would be worthwhile.
  const env = { GOGC: "off" };
  expect(await run(join(modules, ".bin/tsc"), words, { cwd: project, env })).toBe("");
});
