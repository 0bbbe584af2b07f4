import { expect, it } from "vitest";
import {
  countPattern,
  failuresOf,
  waveSizes,
  waveWithoutGrowth,
} from "../../../src/domain/rollouts/waves.ts";

it.each<[waves: string[], total: number, sizes: number[]]>([
  [["1", "10%", "100%"], 60, [1, 5, 54]],
  [["5", "25"], 60, [5, 20, 35]],
  [["10%"], 3, [1, 2]],
  [["50%", "10%"], 10, [5, 5]],
  [["1", "1", "2"], 4, [1, 1, 2]],
  [[], 4, [4]],
  [["100"], 4, [4]],
  [["0", "0%"], 2, [2]],
  [["1%"], 10_000, [100, 9_900]],
  [["1"], 1, [1]],
])("%j of %i services are %j", (waves, total, sizes) => {
  expect(waveSizes(waves, total)).toEqual(sizes);
});

it.each<[waves: string[], text: string | null]>([
  [[], null],
  [["1", "10%", "100%"], null],
  [["5", "1%", "6"], null],
  [["10", "5"], "5"],
  [["10%", "20", "10%"], "10%"],
  [["0"], "0"],
])("%j grow, except %j", (waves, text) => {
  expect(waveWithoutGrowth(waves)).toBe(text);
});

it.each(["1", "0", "999999", "0%", "7%", "100%"])("%s is a count", (text) => {
  expect(text).toMatch(countPattern);
});

it.each(["", "-1", "1.5", "101%", "%", "5 %", "1000000", "a"])("%s is not a count", (text) => {
  expect(text).not.toMatch(countPattern);
});

it("tolerates no more failures than a share says", () => {
  expect(["0", "3", "5%", "9%", "100%"].map((text) => failuresOf(text, 11))).toEqual([
    0, 3, 0, 0, 11,
  ]);
});
