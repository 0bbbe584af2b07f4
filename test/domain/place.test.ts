import { expect, test } from "vitest";
import { placeOf } from "../../src/domain/storage/place.ts";

const none = { auditKeyFile: null, sessionSecretFile: null };
const file = { kind: "file", file: "/data/platform.db" } as const;
const url = "postgres://ada:secret@h/fleet";
const keys = { auditKeyFile: "/keys/a", sessionSecretFile: "/keys/s" };

test("the keys of a file are beside it, unless the settings name them", () => {
  const place = { kind: "file", name: "/data/platform.db", file: "/data/platform.db" };
  expect(placeOf({ database: file, dataDir: "/other", ...none })).toEqual({
    ...place,
    folder: "/data",
    auditKeyFile: "/data/audit.key",
    sessionKeyFile: "/data/session.key",
  });
  expect(placeOf({ database: file, dataDir: "/other", ...keys })).toEqual({
    ...place,
    folder: "/data",
    auditKeyFile: "/keys/a",
    sessionKeyFile: "/keys/s",
  });
});

test("a place on PostgreSQL has a name without the password, and a copy of the head in the data folder", () => {
  const database = { kind: "postgresql", url } as const;
  expect(placeOf({ database, dataDir: "/data", ...keys })).toEqual({
    kind: "postgresql",
    name: "postgres://ada@h/fleet",
    url,
    auditKeyFile: "/keys/a",
    sessionKeyFile: "/keys/s",
    headCopyFile: "/data/fleet.audit-head",
  });
  const named = (path: string) =>
    placeOf({ database: { kind: "postgresql", url: url + path }, dataDir: "/data", ...keys });
  expect(named("%2Fx")).toMatchObject({ headCopyFile: "/data/fleet%2Fx.audit-head" });
  expect(() => placeOf({ database, dataDir: "/data", ...none })).toThrow("no audit key");
});
