import { expect } from "vitest";
import { test } from "../world.ts";

test("--sort takes the names of columns", async ({ world }) => {
  const codes = async (sort: string) => {
    const words = ["agents", "list", "--sort", sort, "-o", "name"];
    const { status, stdout, stderr } = await world.run("--server", words);
    return status === 0 ? stdout.trim().split("\n") : { status, stderr };
  };
  expect(await codes("code")).toEqual(["edge-1", "edge-2"]);
  expect(await codes("-code")).toEqual(["edge-2", "edge-1"]);
  expect(await codes("-LAST-SEEN")).toHaveLength(2);
  expect(await codes("labels")).toEqual({
    status: 2,
    stderr:
      "platformctl: --sort labels: choose one of code, last-seen, mode, version, name, registered.\n",
  });
  expect(await codes("-")).toMatchObject({ status: 2 });
});
