import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { risksOf } from "../../../../config/risks.ts";
import { dayMs } from "../../../../lib/duration.ts";
import { type Check, failure, ok, skipped, warning } from "./check.ts";

/** The same version as in bin/launch.sh. */
const oldestNode = [24, 16] as const;
const renewalDays = 14;

export const programChecks: Check[] = [
  {
    name: "program",
    doing: "checking the program",
    run({ version }) {
      const node = process.versions.node;
      const [major = 0, minor = 0] = node.split(".").map(Number);
      const [oldMajor, oldMinor] = oldestNode;
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
        return failure(configProblem, "Correct it; `platform config` shows all settings.");
      }
      if (configWarnings.length > 0) {
        return warning(
          configWarnings.join(" "),
          "Correct the variable's name, or unset the variable.",
        );
      }
      const risks = config ? risksOf(config) : [];
      if (risks.length === 0) return ok("every setting is valid");
      return warning(risks.join(" "), "See docs/reference/configuration.md.");
    },
  },
  {
    name: "certificate",
    doing: "reading the certificate",
    async run({ io, config }) {
      if (config === null) return skipped("the configuration is invalid");
      if (!config.tls) return ok("none is configured: the server uses plain HTTP");
      const { certFile } = config.tls;
      const certificate = new X509Certificate(await readFile(certFile));
      const validFrom = Date.parse(certificate.validFrom);
      const validTo = Date.parse(certificate.validTo);
      const now = io.now();
      const renew = `Renew ${certFile}; the server loads the new file automatically.`;
      const day = (time: number) => new Date(time).toISOString().slice(0, 10);
      if (now >= validTo) return failure(`the certificate expired on ${day(validTo)}`, renew);
      if (now < validFrom) {
        return failure(
          `the certificate is not valid before ${day(validFrom)}`,
          "Check the clock of this host.",
        );
      }
      const days = Math.floor((validTo - now) / dayMs);
      const found = `valid until ${day(validTo)} (${days} days)`;
      return days < renewalDays ? warning(found, renew) : ok(found);
    },
  },
];
