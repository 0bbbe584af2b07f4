import { expect, test } from "vitest";
import { mistypedVariables } from "../../src/config/mistyped.ts";
import { commandLineVariables, variableNames } from "../../src/config/variables.ts";

test.each([
  ["PROT", "PORT"],
  ["HOST_", "HOST"],
  ["DATADIR", "DATA_DIR"],
  ["ALLOWED_HOST", "ALLOWED_HOSTS"],
  ["TLS_CERTFILE", "TLS_CERT_FILE"],
  ["TLS_CERTIFICATE_FILE", null],
  ["APIKEY", "API_KEY"],
  ["CAPSULE_BUS_ENABLE", "CAPSULE_BUS_ENABLED"],
  ["port", "PORT"],
])("the suggestion for PLATFORM_%s is %s", (name, meant) => {
  const told = `PLATFORM_${name} is not a setting; did you mean PLATFORM_${meant}?`;
  expect(mistypedVariables({ [name]: "x" })).toEqual(meant === null ? [] : [told]);
});

test("settings and unrelated variables are not reported", () => {
  const ours = Object.fromEntries([...variableNames, ...commandLineVariables].map((n) => [n, "x"]));
  expect(mistypedVariables(ours)).toEqual([]);
  const others = ["REGION", "SERVICE_HOST", "PORT_8080_TCP", "ID", ""];
  expect(mistypedVariables(Object.fromEntries(others.map((n) => [n, "x"])))).toEqual([]);
});
