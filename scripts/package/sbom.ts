// The bill of materials of a packaged file, in CycloneDX 1.6. The same file gives the same document.

import type { Inventory, NpmPackage } from "./inventory.ts";

interface Hash {
  alg: "SHA-256" | "SHA-512";
  content: string;
}

interface Component {
  type: "application" | "library" | "platform";
  "bom-ref": string;
  name: string;
  group?: string;
  version: string;
  purl: string;
  cpe?: string;
  licenses?: ({ license: { id: string } } | { expression: string })[];
  hashes?: Hash[];
  components?: Component[];
}

export interface Bom {
  $schema: string;
  bomFormat: "CycloneDX";
  specVersion: "1.6";
  serialNumber: string;
  version: number;
  metadata: {
    timestamp?: string;
    lifecycles: { phase: "build" }[];
    component: Component;
    properties?: { name: string; value: string }[];
  };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

export interface PackagedFile {
  version: string;
  licence: string;
  commit?: string | undefined;
  /** ISO 8601. */
  buildTime?: string | undefined;
  /** Hexadecimal. */
  sha256: string;
}

export function bomOf(file: PackagedFile, inventory: Inventory): Bom {
  const program: Component = {
    type: "application",
    "bom-ref": `platform@${file.version}`,
    name: "platform",
    version: file.version,
    purl: `pkg:generic/platform@${file.version}`,
    licenses: licencesOf(file.licence),
    hashes: [{ alg: "SHA-256", content: file.sha256 }],
  };
  const packages = inventory.packages.map(npmComponent);
  const sqlite = sqliteComponent(inventory.sqliteVersion);
  const node = nodeComponent(inventory);
  const refOf = new Map(
    packages.map((component, i) => [inventory.packages[i]?.name, component["bom-ref"]]),
  );
  const edges = inventory.packages.map(({ name, needs }) => ({
    ref: refOf.get(name) ?? "",
    dependsOn: [
      ...needs.map((other) => refOf.get(other) ?? ""),
      ...(name === "better-sqlite3" ? [sqlite["bom-ref"]] : []),
    ],
  }));
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${uuidFrom(file.sha256)}`,
    version: 1,
    metadata: {
      ...(file.buildTime ? { timestamp: file.buildTime } : {}),
      lifecycles: [{ phase: "build" }],
      component: program,
      ...(file.commit ? { properties: [{ name: "platform:commit", value: file.commit }] } : {}),
    },
    components: [...packages, sqlite, node],
    dependencies: [
      {
        ref: program["bom-ref"],
        dependsOn: [...packages, node].map((component) => component["bom-ref"]),
      },
      ...edges,
      ...[sqlite, node].map((component) => ({ ref: component["bom-ref"], dependsOn: [] })),
    ],
  };
}

function npmComponent({ name, version, licence, sha512 }: NpmPackage): Component {
  const [, group, own = name] = /^(@[^/]+)\/(.+)$/.exec(name) ?? [];
  const purl = `pkg:npm/${group ? `${encodeURIComponent(group)}/` : ""}${own}@${version}`;
  return {
    type: "library",
    "bom-ref": purl,
    name: own,
    ...(group ? { group } : {}),
    version,
    purl,
    licenses: licencesOf(licence),
    ...(sha512 ? { hashes: [{ alg: "SHA-512", content: sha512 }] } : {}),
  };
}

function sqliteComponent(version: string): Component {
  return {
    ...generic("library", "sqlite", version),
    cpe: `cpe:2.3:a:sqlite:sqlite:${version}:*:*:*:*:*:*:*`,
    licenses: licencesOf("blessing"),
  };
}

function nodeComponent({ nodeVersion, nodeSha256, nodeParts }: Inventory): Component {
  return {
    ...generic("platform", "node", nodeVersion),
    cpe: `cpe:2.3:a:nodejs:node.js:${nodeVersion}:*:*:*:*:*:*:*`,
    licenses: licencesOf("MIT"),
    hashes: [{ alg: "SHA-256", content: nodeSha256 }],
    components: nodeParts.map(([name, version]) => ({
      ...generic("library", name, version),
      "bom-ref": `node/${name}@${version}`,
    })),
  };
}

function generic(type: Component["type"], name: string, version: string): Component {
  const purl = `pkg:generic/${name}@${encodeURIComponent(version)}`;
  return { type, "bom-ref": purl, name, version, purl };
}

function licencesOf(licence: string): NonNullable<Component["licenses"]> {
  return /[\s(]/.test(licence) ? [{ expression: licence }] : [{ license: { id: licence } }];
}

/** Of version 8: made of what it names. */
function uuidFrom(sha256: string): string {
  const digits = `${sha256.slice(0, 12)}8${sha256.slice(13, 16)}8${sha256.slice(17, 32)}`;
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
