// The image can be built from what .dockerignore lets through. test/e2e/package.test.ts builds the
// program and the console from it, and docker.long.test.ts packages them as the Dockerfile does.

import { expect, test } from "vitest";
import { temporaryFolder } from "../helpers/app.ts";
import { copyDockerContext, dockerSteps } from "../helpers/docker-context.ts";

test("the Dockerfile copies only files that the context contains", () => {
  const context = copyDockerContext(temporaryFolder());
  const copied = dockerSteps()
    .filter(({ instruction, text }) => instruction === "COPY" && !text.startsWith("--from="))
    .flatMap(({ text }) => text.split(" ").slice(0, -1))
    .filter((name) => name !== ".");
  expect(copied).toEqual([".npmrc", "package.json", "package-lock.json"]);
  expect(context).toEqual(expect.arrayContaining(copied));
});
