// The part of a program's output that operators see while it runs.

import { isSecretName } from "../../../domain/secrets/secrecy.ts";
import type { ActionOutput } from "../../services/services.ts";

/** Text that may still become a JSON object or an array of objects, unlike `[INFO]` in a log. */
const undecided = /^[\s\ufeff[]{0,1024}$/;
const beginsObject = /^[\s\ufeff[]*\{/;

/**
 * Leaves out standard output that begins like a JSON object. The result contains that output, and
 * secrets in it are recognized by their fields' names. Hides the secrets in the program's
 * environment.
 */
export function filteredOutput(
  output: ActionOutput,
  environment: Readonly<Record<string, string>>,
): ActionOutput {
  const secrets = Object.entries(environment).filter(([name]) => isSecretName(name));
  output.hide(...secrets.map(([, value]) => value));
  /** Output that is held back until it is clear whether it is an object. */
  let beginning = Buffer.alloc(0);
  let isObject: boolean | null = null;
  return {
    ...output,
    write(content) {
      if (isObject !== null) {
        if (!isObject) output.write(content);
        return;
      }
      beginning = Buffer.concat([beginning, Buffer.from(content)]);
      const text = beginning.toString();
      if (undecided.test(text)) return;
      isObject = beginsObject.test(text);
      if (!isObject) output.write(beginning);
    },
  };
}
