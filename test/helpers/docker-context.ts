// Copies what `docker build` gets. Tests run the steps of the Dockerfile on the copy, so that they
// do not need Docker.

import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectFolder } from "../../scripts/build/project.ts";

const read = (name: string) => readFileSync(join(projectFolder, name), "utf8");

/**
 * Copies the files that .dockerignore lets through. Returns their names in the project's folder.
 */
export function copyDockerContext(folder: string): string[] {
  const [first, ...others] = read(".dockerignore")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  // Docker supports other patterns, but the file needs only these.
  if (first !== "*" || others.some((line) => !/^![\w.-]+$/.test(line))) {
    throw new Error(".dockerignore must be `*`, and then the names of files and folders after `!`");
  }
  const names = others.map((line) => line.slice(1));
  mkdirSync(folder, { recursive: true });
  for (const name of names) {
    cpSync(join(projectFolder, name), join(folder, name), { recursive: true });
  }
  return names;
}

interface Step {
  /** For example `COPY`. */
  instruction: string;
  /** The whole instruction, with its lines joined. */
  text: string;
}

/** Returns the instructions of the Dockerfile in their order. */
export function dockerSteps(): Step[] {
  const text = read("Dockerfile")
    .replace(/^#.*\n/gm, "")
    .replaceAll("\\\n", " ");
  return text.split("\n").flatMap((line) => {
    const [, instruction, text] = /^([A-Z]+) +(.+)$/.exec(line) ?? [];
    return instruction && text ? [{ instruction, text }] : [];
  });
}
