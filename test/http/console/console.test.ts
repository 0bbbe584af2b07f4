import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { type Listing, listedFile, type ProjectFiles } from "../../../src/http/console/files.ts";
import { openTestApp } from "../../helpers/app.ts";
import { listenInSight, requestText, sendRaw, statusesIn } from "../raw.ts";

const page = "<!doctype html><title>the page</title>";
const script = "export const answer = 42;";
const picture = Buffer.from([0x89, 0x50, 0x4e, 0x47]);
const html = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

/** Creates a console as the build writes it. `paths` lists the files that were read. */
function builtConsole(
  ...more: string[]
): ProjectFiles & { read: ProjectFiles["read"]; paths: string[] } {
  const files = new Map<string, Buffer>();
  const listing: Listing = {};
  for (const [path, text] of [
    ["index.html", page],
    ["assets/main-1a2b.js", script],
    ...more.map((path) => [path, page] as const),
  ] as const) {
    listing[path] = listedFile(Buffer.from(text), ["br", "gzip"]);
    files.set(`${path}.br`, brotliCompressSync(text));
    files.set(`${path}.gz`, gzipSync(text));
  }
  listing["assets/logo-3c4d.png"] = listedFile(picture, []);
  files.set("assets/logo-3c4d.png", picture);
  files.set("listing.json", Buffer.from(JSON.stringify(listing)));
  const paths: string[] = [];
  const inConsole = (path: string) => files.get(path.replace("dist/console/", ""));
  return {
    paths,
    has: (path) => inConsole(path) !== undefined,
    read(path) {
      paths.push(path);
      const content = inConsole(path);
      if (!content) throw new Error(`there is no ${path}`);
      return content;
    },
  };
}

async function listenWith(projectFiles: ProjectFiles) {
  const app = openTestApp();
  const { port } = await listenInSight(app, { projectFiles });
  const ask = async (path: string, headers: Record<string, string> = {}, method = "GET") => {
    const asked = request({ port, path, headers, method, host: "127.0.0.1" }).end();
    const [answer]: IncomingMessage[] = await once(asked, "response");
    const { statusCode: status, headers: received } = answer!;
    return { status, headers: received, body: await buffer(answer!) };
  };
  return { ...app, port, ask };
}

describe("the page", () => {
  const csp =
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; " +
    "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

  test("is served at / to all callers, with revalidation and a strict content security policy", async () => {
    const { ask } = await listenWith(builtConsole());
    const { status, headers, body } = await ask("/");
    expect({ status, text: body.toString() }).toEqual({ status: 200, text: page });
    expect(headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-cache",
      "content-length": String(page.length),
      "content-security-policy": csp,
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      vary: "Accept, Accept-Encoding",
      etag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
      "x-request-id": expect.stringMatching(/^req_/),
    });
    expect(headers).not.toHaveProperty("strict-transport-security");
  });

  test("is served at every console path, but only to clients that accept HTML", async () => {
    const { ask } = await listenWith(builtConsole());
    const paths = [
      "/agents",
      "/services/01J8?tab=audit",
      "/x/y/z",
      "/assets",
      "/apiary",
      "//other",
      "/services/svc_1/actions/cache.clear",
      "/favicon.ico",
      "/../../package.json",
      "/__proto__.js",
    ];
    for (const path of paths) {
      expect.soft(String((await ask(path, html)).body), path).toBe(page);
      for (const headers of [{}, { accept: "*/*" }, { accept: "application/json" }]) {
        const { status, body } = await ask(path, headers);
        expect.soft(status, path).toBe(404);
        expect.soft(JSON.parse(String(body)).error.code).toBe("NOT_FOUND");
      }
    }
  });

  test("gives way to the documentation at /docs and /docs/", async () => {
    const { ask } = await listenWith(builtConsole("docs/index.html"));
    for (const path of ["/docs", "/docs/"]) {
      for (const headers of [{}, html]) {
        const { status, headers: received } = await ask(path, headers);
        expect([status, received.location], path).toEqual([302, "/docs/index.html"]);
      }
    }
    expect((await ask("/docs/index.html")).status).toBe(200);
  });

  test("is not served below /assets/ or /api/, and only listed files are read", async () => {
    const files = builtConsole();
    const { ask } = await listenWith(files);
    await ask("/");
    const read = files.paths.length;
    const neverPages = [
      ...["/api", "/api/", "/api/nothing", "/api/system/nothing", "/api/nothing.html"],
      ...["/assets/main-0000.js", "/assets/", "/assets/../index.html", "/assets/constructor"],
      "/assets/..%2f..%2f..%2fpackage.json",
    ];
    const noFiles = [
      ...["/favicon.ico", "/listing.json", "/index.html.br", "/__proto__.js", "/%00.js", "/%ff.js"],
      ...["/../../package.json", "/..\\..\\package.json", "/..%5c..%5cpackage.json"],
    ];
    for (const path of [...neverPages, ...noFiles]) {
      const headers = neverPages.includes(path) ? html : {};
      const { status, body } = await ask(path, headers);
      expect.soft(status, path).toBe(404);
      expect.soft(JSON.parse(String(body)).success, path).toBe(false);
    }
    expect(files.paths.length).toBe(read);
    expect(files.paths.every((path) => path.startsWith("dist/console/"))).toBe(true);
  });

  test("an API route responds with JSON, whatever the client accepts", async () => {
    const { ask } = await listenWith(builtConsole());
    const { headers } = await ask("/api/system/health", html);
    expect(headers["content-type"]).toMatch(/^application\/json/);
    expect(headers).not.toHaveProperty("content-security-policy");
    expect((await ask("/api/system/health", html, "POST")).status).toBe(405);
  });

  test("is only served for GET and HEAD", async () => {
    const { ask } = await listenWith(builtConsole());
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
      expect.soft((await ask("/", html, method)).status, method).toBe(404);
      expect.soft((await ask("/assets/main-1a2b.js", {}, method)).status, method).toBe(404);
    }
  });

  test("has Strict-Transport-Security over HTTPS", async () => {
    const test = openTestApp({ TRUST_PROXY: "true" });
    const { port } = await listenInSight(test, { projectFiles: builtConsole() });
    const lines = ["Host: 127.0.0.1", "X-Forwarded-Proto: https", "Connection: close"];
    const text = await sendRaw(port, requestText("GET / HTTP/1.1", lines));
    expect(text).toContain("Strict-Transport-Security: max-age=31536000\r\n");
  });

  test("is refused for a foreign host, is served in a pipeline, and is not found for an absolute URL", async () => {
    const { port } = await listenWith(builtConsole());
    const foreign = requestText("GET / HTTP/1.1", ["Host: evil.example", "Connection: close"]);
    expect(statusesIn(await sendRaw(port, foreign))).toEqual([421]);
    const first = requestText("GET / HTTP/1.1", ["Host: localhost"]);
    const second = requestText("GET /assets/logo-3c4d.png HTTP/1.1", ["Host: localhost"]);
    const third = requestText("HEAD /api/system/health HTTP/1.1", [
      "Host: localhost",
      "Connection: close",
    ]);
    const text = await sendRaw(port, first + second + third);
    expect(statusesIn(text)).toEqual([200, 200, 200]);
    const absolute = ["Host: localhost", "Accept: text/html", "Connection: close"];
    const proxied = requestText("GET http://localhost/ HTTP/1.1", absolute);
    expect(statusesIn(await sendRaw(port, proxied))).toEqual([404]);
  });
});

describe("the files", () => {
  test.each([
    ["/assets/main-1a2b.js", "text/javascript; charset=utf-8", script],
    ["/assets/logo-3c4d.png", "image/png", picture],
  ])("%s is cached forever", async (path, contentType, content) => {
    const { ask } = await listenWith(builtConsole());
    for (const accept of [{}, html]) {
      const { status, headers, body } = await ask(path, accept);
      expect(status).toBe(200);
      expect(body).toEqual(Buffer.from(content));
      expect(headers).toMatchObject({
        "content-type": contentType,
        "cache-control": "public, max-age=31536000, immutable",
        vary: "Accept-Encoding",
      });
    }
  });

  test("have the requested content coding", async () => {
    const { ask } = await listenWith(builtConsole());
    const path = "/assets/main-1a2b.js";
    const coded = await Promise.all(
      ["br", "gzip", "zstd"].map((coding) => ask(path, { "accept-encoding": coding })),
    );
    const codings = coded.map(({ headers }) => headers["content-encoding"]);
    expect(codings).toEqual(["br", "gzip", undefined]);
    const [br, gzip, plain] = coded.map(({ body }) => body);
    expect(String(brotliDecompressSync(br!))).toBe(script);
    expect(String(gunzipSync(gzip!))).toBe(script);
    expect(String(plain)).toBe(script);
    expect(new Set(coded.map(({ headers }) => headers.etag)).size).toBe(3);
    const uncoded = await ask("/assets/logo-3c4d.png", { "accept-encoding": "br" });
    expect(uncoded.headers).not.toHaveProperty("content-encoding");
  });

  test("are not sent again to clients that have them", async () => {
    const { ask } = await listenWith(builtConsole());
    const first = await ask("/", { "accept-encoding": "br" });
    const etag = first.headers.etag ?? "";
    const again = (tags: string, accepted = "br") =>
      ask("/", { "if-none-match": tags, "accept-encoding": accepted });
    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const { status, headers, body } = await again(tags);
      expect({ status, bytes: body.length }).toEqual({ status: 304, bytes: 0 });
      expect(headers).toMatchObject({ etag, "cache-control": "no-cache" });
      expect(headers).not.toHaveProperty("content-encoding");
    }
    expect((await again('"other"')).status).toBe(200);
    expect((await again(etag, "gzip")).status).toBe(200);
  });

  test("HEAD has the headers of GET without a body", async () => {
    const { ask } = await listenWith(builtConsole());
    for (const path of ["/", "/assets/main-1a2b.js"]) {
      const got = await ask(path);
      const { status, headers, body } = await ask(path, {}, "HEAD");
      expect({ status, bytes: body.length }).toEqual({ status: 200, bytes: 0 });
      expect(headers["content-length"]).toBe(String(got.body.length));
      expect(headers.etag).toBe(got.headers.etag);
    }
  });

  test("are read once, at the first request", async () => {
    const files = builtConsole();
    const { ask } = await listenWith(files);
    await ask("/api/system/health");
    expect(files.paths).toEqual([]);
    await ask("/");
    const reads = files.paths.length;
    expect(reads).toBeGreaterThan(0);
    await ask("/assets/main-1a2b.js");
    await ask("/agents", html);
    expect(files.paths.length).toBe(reads);
  });

  test("have one series in the request metrics, whatever the path", async () => {
    const { ask, app } = await listenWith(builtConsole());
    await ask("/");
    await ask("/agents/1", html);
    await ask("/assets/logo-3c4d.png");
    await ask("/assets/made-up.png");
    const series = [...app.core.requestTimes.all()].map(({ route, status, counts }) => [
      route,
      status,
      counts.reduce((sum, count) => sum + count),
    ]);
    expect(series).toEqual([
      ["console", 200, 3],
      [null, 404, 1],
    ]);
  });
});

describe("without a build", () => {
  test("without a build, the page explains how to build the console; afterwards it shows the console", async () => {
    const built = builtConsole();
    let isBuilt = false;
    const files = { ...built, has: (path: string) => isBuilt && built.has(path) };
    const { ask } = await listenWith(files);
    for (const [path, headers] of [
      ["/", {}],
      ["/agents", html],
    ] as const) {
      const notice = await ask(path, headers);
      expect(notice).toMatchObject({
        status: 404,
        headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
      });
      expect(String(notice.body)).toMatch(/npm run build:console.*platformctl/s);
    }
    const other = await ask("/agents");
    expect(JSON.parse(String(other.body)).error.code).toBe("NOT_FOUND");
    isBuilt = true;
    expect((await ask("/")).status).toBe(200);
  });
});
