// Runs the step of the Dockerfile that packages the program, on what .dockerignore lets through.

import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectFolder } from "../../scripts/build/project.ts";
import { temporaryFolder } from "../helpers/app.ts";
import { copyDockerContext, dockerSteps } from "../helpers/docker-context.ts";
import { npmEnv } from "../helpers/process/npm-env.ts";

const built = { VERSION: "1.2.3", REVISION: "0123abc", CREATED: "2026-01-02T03:04:05.678Z" };

test("the image is built from its context", () => {
  const folder = temporaryFolder();
  const context = join(folder, "build");
  copyDockerContext(context);
  symlinkSync(join(projectFolder, "node_modules"), join(context, "node_modules"));
  const step = dockerSteps().find(({ text }) => text.includes("npm run -s package"));
  const image = join(folder, "image");
  const script = `set -e; ${step?.text}`
    .replaceAll("/root-fs", image)
    .replace("/data", join(folder, "data"));
  const env = { ...npmEnv(join(folder, "node")), ...built };
  execFileSync("/bin/sh", ["-c", script], { cwd: context, env, stdio: "pipe" });

  const program = join(image, "usr/bin/platform");
  const told = execFileSync(program, ["version", "-o", "json"], { encoding: "utf8" });
  expect(JSON.parse(told).client).toMatchObject({
    version: built.VERSION,
    commit: built.REVISION,
    buildTime: built.CREATED,
    packaged: true,
  });
  expect(readlinkSync(join(image, "usr/bin/platformctl"))).toBe("platform");
  const licences = join(image, "usr/share/doc/platform/copyright");
  expect(readFileSync(licences, "utf8")).toContain("Node.js");
  expect(statSync(join(folder, "data")).mode & 0o777).toBe(0o700);
});
