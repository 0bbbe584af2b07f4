import { execFileSync } from "node:child_process";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

export function formatted(file: string, text: string): string {
  const args = ["format", `--stdin-file-path=${file}`];
  const biome = join(root, "node_modules/.bin/biome");
  return execFileSync(biome, args, { cwd: root, input: text, encoding: "utf8" });
}
