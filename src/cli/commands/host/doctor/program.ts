// Is the program itself in order: its runtime, its settings, its certificate?

import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { risksOf } from "../../../../config/risks.ts";
import { dayMs } from "../../../../lib/duration.ts";
import { type Check, failure, ok, skipped, warning } from "./check.ts";

/** What bin/launch.sh asks for. */
const oldestNode = [24, 15];
const renewalDays = 14;

export const programChecks: Check[] = [
  {
    name: "program",
    doing: "looking at the program",
    run({ version }) {
      const node = process.versions.node;
      const [major = 0, minor = 0] = node.split(".").map(Number);
      const [oldMajor = 0, oldMinor = 0] = oldestNode;
      const found = `${version} on Node.js ${node}`;
      const isOld = major < oldMajor || (major === oldMajor && minor < oldMinor);
      if (!isOld) return ok(found);
      return failure(found, `Node.js ${oldestNode.join(".")} or newer is needed: run \`npm ci\`.`);
    },
  },
  {
    name: "configuration",
    doing: "reading the configuration",
    run({ config, configProblem, configWarnings }) {
      if (configProblem !== null) {
        return failure(configProblem, "Set it right; `platform config` shows all settings.");
      }
      if (configWarnings.length > 0) {
        return warning(configWarnings.join(" "), "Set the one that was meant, or unset it.");
      }
      const risks = config ? risksOf(config) : [];
      if (risks.length === 0) return ok("every setting can be used");
      return warning(risks.join(" "), "See docs/configuration.md.");
    },
  },
  {
    name: "certificate",
    doing: "reading the certificate",
    async run({ io, config }) {
      if (config === null) return skipped("the configuration cannot be used");
      if (!config.tls) return ok("none is configured: plain HTTP");
      const { certFile } = config.tls;
      const { validFrom, validTo } = await validityOf(certFile);
      const now = io.now();
      const renew = `Renew ${certFile}; the server takes the new one by itself.`;
      const day = (time: number) => new Date(time).toISOString().slice(0, 10);
      if (now >= validTo) return failure(`it has expired on ${day(validTo)}`, renew);
      if (now < validFrom) {
        return failure(
          `it is not valid before ${day(validFrom)}`,
          "Is the clock of this host right?",
        );
      }
      const days = Math.floor((validTo - now) / dayMs);
      const found = `valid until ${day(validTo)} (${days} days)`;
      return days < renewalDays ? warning(found, renew) : ok(found);
    },
  },
];

async function validityOf(file: string): Promise<{ validFrom: number; validTo: number }> {
  const certificate = new X509Certificate(await readFile(file));
  return { validFrom: Date.parse(certificate.validFrom), validTo: Date.parse(certificate.validTo) };
}
