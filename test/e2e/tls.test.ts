// Tests a server with a certificate: the command line and an agent as clients, and renewal.

import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { Agent as HttpsAgent } from "node:https";
import { dirname, join } from "node:path";
import { connect } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { createAgent } from "../../src/agent/index.ts";
import { cli } from "../cli/world.ts";
import { temporaryFolder } from "../helpers/app.ts";
import {
  type CertificateName,
  ca,
  caFile,
  certificateFiles,
  certificatePair,
  sendHttps,
} from "../helpers/http/https.ts";
import { claimPort } from "../helpers/http/listen.ts";
import { perFile } from "../helpers/lifetime.ts";
import { createKey } from "../helpers/process/operator.ts";
import {
  logLines,
  type Program,
  type Server,
  startProgram,
  startServer,
  until,
} from "../helpers/process/process.ts";

interface Serving extends Server {
  certFile: string;
  keyFile: string;
}

/**
 * A server with copies of a certificate and its key behind a link, as Kubernetes and certbot create
 * them.
 */
const serving = perFile(async (): Promise<Serving> => {
  const folder = temporaryFolder();
  const files = { certFile: join(folder, "tls.crt"), keyFile: join(folder, "tls.key") };
  for (const name of ["first", "second"] as const) {
    const own = join(folder, name);
    mkdirSync(own);
    write({ certFile: join(own, "tls.crt"), keyFile: join(own, "tls.key") }, name);
  }
  symlinkSync("first", join(folder, "..data"));
  symlinkSync("..data/tls.crt", files.certFile);
  symlinkSync("..data/tls.key", files.keyFile);
  const env = { PLATFORM_TLS_CERT_FILE: files.certFile, PLATFORM_TLS_KEY_FILE: files.keyFile };
  return { ...(await startServer({ env })), ...files };
});

function write(
  { certFile, keyFile }: { certFile: string; keyFile: string },
  name: CertificateName,
) {
  const { cert, key } = certificatePair(name);
  writeFileSync(certFile, cert);
  writeFileSync(keyFile, key);
}

/** Returns the name in the certificate that the server presents on a new connection. */
function nameShown({ url }: Server): Promise<string> {
  const { hostname: host, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: Number(port), ca }, () => {
      resolve(String(socket.getPeerCertificate().subject.CN));
      socket.destroy();
    });
    socket.on("error", reject);
  });
}

const replaced = "the certificate was replaced";

function logged({ stderr }: Pick<Program, "stderr">, msg: string): number {
  return logLines(stderr()).filter((line) => line.msg === msg).length;
}

test("the command line connects over HTTPS only if a flag or a variable names the CA", async () => {
  const server = serving();
  expect(server.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  const env = { API_KEY: await createKey(server, "operator"), URL: server.url };
  const words = ["agents", "list", "-o", "json"];
  const fine = { status: 0, stdout: "[]\n", stderr: "" };
  expect(await cli([...words, "--ca-file", caFile], { env })).toMatchObject(fine);
  const byName = ["--server", server.url.replace("127.0.0.1", "localhost")];
  const withVariable = { ...env, CA_FILE: caFile };
  expect(await cli([...words, ...byName], { env: withVariable })).toMatchObject(fine);
  expect(await cli(["agents", "list"], { env })).toMatchObject({
    status: 6,
    stdout: "",
    stderr:
      `platformctl: cannot reach ${server.url} (the server's certificate is not trusted: unable to ` +
      "verify the first certificate): give its CA with --ca-file or PLATFORM_CA_FILE.\n",
  });
  const { keyFile } = certificateFiles("first");
  expect(await cli(["agents", "list"], { env: { ...env, CA_FILE: keyFile } })).toMatchObject({
    status: 2,
    stderr: `platformctl: PLATFORM_CA_FILE: ${keyFile} contains no PEM certificate.\n`,
  });
});

// agent/connections.test.ts tests an agent that knows the CA.
test("without the CA, the message of an agent says what to set", async () => {
  const events: string[] = [];
  const stranger = createAgent({
    server: serving().url,
    agent: { code: "edge-1", mode: "embedded" },
    registrationToken: "platform_reg_x",
    stateDir: join(temporaryFolder(), "agent"),
    onEvent: ({ message }) => void events.push(message),
  });
  const started = stranger.start().catch(() => undefined);
  await until("the agent reports the error", () => events.length > 0);
  expect(events[0]).toContain("certificate is not trusted: unable to verify");
  expect(events[0]).toMatch(/; set `ca` to the server's CA$/);
  await stranger.stop({ graceSeconds: 0 });
  await started;
});

// http/connections/tls.test.ts tests certificates that cannot be used.
test("new connections get a renewed certificate, and open ones stay open: after its link was changed, and immediately on SIGHUP", async () => {
  const server = serving();
  const agent = new HttpsAgent({ keepAlive: true, maxSockets: 1, ca });
  onTestFinished(() => agent.destroy());
  const ask = () => sendHttps(server.url, "GET", "/api/system/version", { agent });
  const openSockets = () => Object.values(agent.freeSockets).flatMap((sockets) => sockets ?? []);
  await ask();
  const before = openSockets();
  expect(before).toHaveLength(1);
  expect(await nameShown(server)).toBe("first");

  const link = join(dirname(server.certFile), "..data");
  symlinkSync("second", `${link}_tmp`);
  const logs = logged(server, replaced);
  renameSync(`${link}_tmp`, link);
  await until("the second is shown", async () => (await nameShown(server)) === "second");
  expect((await ask()).status).toBe(200);
  expect(openSockets()).toEqual(before);
  await until("the log says so", () => logged(server, replaced) > logs);
  expect(logged(server, replaced)).toBe(logs + 1);

  write(server, "first");
  server.signal("SIGHUP");
  await until("the certificate is used", () => logged(server, replaced) > logs + 1);
  expect(await nameShown(server)).toBe("first");
  expect((await server.stop()).status).toBe(0);
});

test("SIGHUP during the start does not end the server, which then reads the certificate again", async () => {
  const folder = temporaryFolder();
  const files = { certFile: join(folder, "tls.crt"), keyFile: join(folder, "tls.key") };
  write(files, "first");
  rmSync(files.keyFile);
  // The server waits until something is written to the pipe.
  execFileSync("mkfifo", [files.keyFile]);
  const server = startProgram("platform", [
    ...["serve", "--data-dir", join(folder, "data"), "--port", String(await claimPort())],
    ...["--tls-cert", files.certFile, "--tls-key", files.keyFile, "--log-format", "json"],
  ]);
  // Waits until the server, which has read the certificate, opens the pipe.
  const pipe = await open(files.keyFile, "w");
  rmSync(files.keyFile);
  write(files, "second");
  server.signal("SIGHUP");
  await pipe.writeFile(certificatePair("first").key);
  await pipe.close();
  await until("the certificate is replaced", () => logged(server, replaced) === 1);
  server.signal("SIGTERM");
  expect(await server.ended).toMatchObject({ status: 0, signal: null });
});
