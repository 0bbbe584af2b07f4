// Tests which user other than root can change where the path to a file leads.

import {
  chmodSync,
  chownSync,
  lchownSync,
  mkdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { findUntrustedUser, WritableByOthers } from "../../src/lib/files/untrusted-user.ts";
import { temporaryFolder } from "../helpers/app.ts";
import { asRoot, gid, uid } from "../helpers/programs/as-root.ts";

const other = uid + 10;

/** Creates root's file in two nested folders. */
function prepare(): { top: string; folder: string; file: string } {
  const top = temporaryFolder();
  const folder = join(top, "data");
  const file = join(folder, "platform.db");
  mkdirSync(folder);
  writeFileSync(file, "");
  return { top, folder, file };
}

asRoot("there is none for root's own files, even if they do not exist or are below /tmp", () => {
  const { top, folder, file } = prepare();
  expect(findUntrustedUser(file)).toBeNull();
  expect(findUntrustedUser(join(top, "a", "b", "platform.db"))).toBeNull();
  symlinkSync(folder, join(top, "link"));
  expect(findUntrustedUser(join(top, "link", "platform.db"))).toBeNull();
  // The folder is writable for root's own group, as with a umask of 002.
  chmodSync(folder, 0o775);
  expect(findUntrustedUser(file)).toBeNull();
  const stickyBit = join("/tmp", `platform-root-test-${process.pid}`);
  onTestFinished(() => rmSync(stickyBit, { recursive: true, force: true }));
  expect(findUntrustedUser(join(stickyBit, "platform.db"))).toBeNull();
  mkdirSync(stickyBit, 0o700);
  expect(findUntrustedUser(join(stickyBit, "platform.db"))).toBeNull();
});

asRoot("the owner of the data folder, whoever owns the file in it", () => {
  const { folder, file } = prepare();
  chownSync(folder, uid, gid);
  expect(findUntrustedUser(file)).toEqual({ path: folder, uid, gid });
  chownSync(file, other, gid);
  expect(findUntrustedUser(file)).toEqual({ path: folder, uid, gid });
  expect(findUntrustedUser(join(folder, "new", "platform.db"))).toEqual({ path: folder, uid, gid });
});

asRoot("the first owner on the path who is not root", () => {
  const { top, folder, file } = prepare();
  chownSync(folder, uid, gid);
  chownSync(top, other, other);
  expect(findUntrustedUser(file)).toEqual({ path: top, uid: other, gid: other });
});

asRoot("the owner of a link on the path, or of a folder that a link leads through", () => {
  const { folder, top } = prepare();
  const outer = temporaryFolder();
  const link = join(outer, "link");
  symlinkSync(folder, link);
  lchownSync(link, uid, gid);
  expect(findUntrustedUser(join(link, "platform.db"))).toEqual({ path: link, uid, gid });
  lchownSync(link, 0, 0);
  chownSync(top, other, other);
  expect(findUntrustedUser(join(link, "platform.db"))).toEqual({
    path: top,
    uid: other,
    gid: other,
  });
});

asRoot(
  "in a folder that others may write to, the file's owner, or any user if that is root",
  () => {
    const { folder, file } = prepare();
    for (const [mode, group] of [
      [0o770, gid],
      [0o777, 0],
      [0o1777, 0],
    ] as const) {
      chownSync(folder, 0, group);
      chmodSync(folder, mode);
      chownSync(file, uid, gid);
      expect(findUntrustedUser(file)).toEqual({ path: file, uid, gid });
      chownSync(file, 0, 0);
      expect(() => findUntrustedUser(file)).toThrow(WritableByOthers);
      expect(() => findUntrustedUser(join(folder, "new.db"))).toThrow(WritableByOthers);
    }
  },
);

asRoot(
  "root's folder inside a folder that others may write to is accepted only if the outer one is sticky",
  () => {
    const { top, file } = prepare();
    chmodSync(top, 0o1777);
    expect(findUntrustedUser(file)).toBeNull();
    chmodSync(top, 0o777);
    expect(() => findUntrustedUser(file)).toThrow(`other users may write to ${top}`);
    expect(() => findUntrustedUser(join(top, "new", "platform.db"))).toThrow(WritableByOthers);
    chownSync(dirname(file), uid, gid);
    expect(findUntrustedUser(file)).toEqual({ path: dirname(file), uid, gid });
  },
);
