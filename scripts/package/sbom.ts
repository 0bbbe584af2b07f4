// The bill of materials of a packaged file, in CycloneDX 1.6. The same file gives the same
// document.

import type { Inventory, NpmPackage } from "./inventory.ts";
import type { NodePart } from "./node-parts.ts";

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
  licenses?: ({ license: { id: string } | { name: string } } | { expression: string })[];
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
  /** The time in ISO 8601. */
  buildTime?: string | undefined;
  /** The file's hash in hexadecimal. */
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
  const edges = inventory.packages.map((each) => ({
    ref: npmRef(each),
    dependsOn: [
      ...inventory.packages
        .filter(({ name, version }) => each.needs.includes(`${name}@${version}`))
        .map(npmRef),
      ...(each.name === "better-sqlite3" ? [sqlite["bom-ref"]] : []),
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
        dependsOn: [
          ...inventory.packages.filter(({ isDirect }) => isDirect).map(npmRef),
          node["bom-ref"],
        ],
      },
      ...edges,
      ...[sqlite, node].map((component) => ({ ref: component["bom-ref"], dependsOn: [] })),
    ],
  };
}

function npmRef({ name, version }: NpmPackage): string {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}

function npmComponent(npmPackage: NpmPackage): Component {
  const { name, version, licence, sha512 } = npmPackage;
  const [, group, own = name] = /^(@[^/]+)\/(.+)$/.exec(name) ?? [];
  const purl = npmRef(npmPackage);
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
    cpe: cpeOf("sqlite:sqlite", version),
    licenses: licencesOf("blessing"),
  };
}

function nodeComponent({ nodeVersion, nodeSha256, nodeParts }: Inventory): Component {
  return {
    ...generic("platform", "node", nodeVersion),
    cpe: cpeOf("nodejs:node.js", nodeVersion),
    licenses: licencesOf("MIT"),
    hashes: [{ alg: "SHA-256", content: nodeSha256 }],
    components: nodeParts.map(partComponent),
  };
}

function partComponent({ name, version, licence, cpe }: NodePart): Component {
  return {
    ...generic("library", name, version),
    "bom-ref": `node/${name}@${version}`,
    ...(cpe ? { cpe: cpeOf(cpe, version) } : {}),
    licenses: licencesOf(licence),
  };
}

/** Removes a version suffix such as `+quic`, because security advisories use only the numbers. */
function cpeOf(product: string, version: string): string {
  const [numbers = "*"] = /^[\d.]+/.exec(version) ?? [];
  return `cpe:2.3:a:${product}:${numbers}:*:*:*:*:*:*:*`;
}

function generic(type: Component["type"], name: string, version: string): Component {
  const purl = `pkg:generic/${name}@${encodeURIComponent(version)}`;
  return { type, "bom-ref": purl, name, version, purl };
}

/** A text that is not an SPDX expression, such as `SEE LICENSE IN …`, becomes a name. */
function licencesOf(licence: string | null): NonNullable<Component["licenses"]> {
  if (licence === null) return [{ license: { name: "not stated" } }];
  if (/ (AND|OR|WITH) /.test(licence)) return [{ expression: licence }];
  const isId = /^[\w.+-]+$/.test(licence) && !/^(NOASSERTION|UNLICENSED|NONE)$/.test(licence);
  return [{ license: isId ? { id: licence } : { name: licence } }];
}

/** Returns a version 8 UUID that is derived from the content. */
function uuidFrom(sha256: string): string {
  const digits = `${sha256.slice(0, 12)}8${sha256.slice(13, 16)}8${sha256.slice(17, 32)}`;
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
