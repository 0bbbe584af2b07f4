// Node.js reports only the versions of the libraries inside it, so this file has their licences.

export interface NodePart {
  name: string;
  version: string;
  /** An SPDX expression; null for a library that only a newer Node.js has. */
  licence: string | null;
  /** The vendor and product in security advisories: `openssl:openssl`. */
  cpe: string | null;
}

/** Entries that are not libraries: Node.js itself, interface versions, and data. */
const noParts = new Set(["node", "modules", "napi", "unicode", "cldr", "tz"]);

const licences: Record<string, string> = {
  acorn: "MIT",
  ada: "MIT OR Apache-2.0",
  amaro: "MIT",
  ares: "MIT",
  brotli: "MIT",
  cjs_module_lexer: "MIT",
  icu: "Unicode-3.0",
  libffi: "MIT",
  llhttp: "MIT",
  merve: "MIT OR Apache-2.0",
  nbytes: "MIT",
  ncrypto: "MIT",
  nghttp2: "MIT",
  nghttp3: "MIT",
  ngtcp2: "MIT",
  openssl: "Apache-2.0",
  simdjson: "Apache-2.0",
  simdutf: "Apache-2.0 OR MIT",
  sqlite: "blessing",
  undici: "MIT",
  uv: "MIT",
  uvwasi: "MIT",
  v8: "BSD-3-Clause",
  zlib: "Zlib",
  zstd: "BSD-3-Clause OR GPL-2.0-only",
};

const cpes: Record<string, string> = {
  ares: "c-ares:c-ares",
  brotli: "google:brotli",
  nghttp2: "nghttp2:nghttp2",
  openssl: "openssl:openssl",
  sqlite: "sqlite:sqlite",
  undici: "nodejs:undici",
  uv: "libuv:libuv",
};

/** Returns the libraries in `process.versions` that have a version, sorted by name. */
export function nodePartsOf(versions: Record<string, string | undefined>): NodePart[] {
  return Object.entries(versions)
    .filter(([name, version]) => version && !noParts.has(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, version = ""]) => ({
      name,
      version,
      licence: licences[name] ?? null,
      cpe: cpes[name] ?? null,
    }));
}
