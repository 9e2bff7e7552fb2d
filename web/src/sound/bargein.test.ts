import { expect, test } from "vitest";
import { BargeIn } from "./bargein";

/** After how many milliseconds of these levels, one each 20 ms, somebody is heard; null: never. */
function heardAfter(bargeIn: BargeIn, levels: readonly number[]): number | null {
  const at = levels.findIndex((level) => bargeIn.hear(level));
  return at < 0 ? null : (at + 1) * 20;
}

const settled = (level: number): BargeIn => {
  const bargeIn = new BargeIn();
  for (let i = 0; i < 150; i++) bargeIn.hear(level);
  return bargeIn;
};
const steady = (level: number, ms: number) => new Array<number>(ms / 20).fill(level);

test("a voice over silence is heard after 120 ms", () => {
  expect(heardAfter(settled(0.002), steady(0.1, 400))).toBe(120);
});

test("a click or a knock is not a voice", () => {
  expect(heardAfter(settled(0.002), [0.4, 0.3, 0.05, ...steady(0.002, 300)])).toBeNull();
});

test("a dip between syllables does not begin it again", () => {
  expect(heardAfter(settled(0.002), [...steady(0.1, 80), 0.004, ...steady(0.1, 200)])).toBeLessThanOrEqual(200);
});

test("the first moments of the reply's own echo are no voice, and a real one is heard even then", () => {
  const braced = () => {
    const bargeIn = settled(0.002);
    bargeIn.brace();
    return bargeIn;
  };
  expect(heardAfter(braced(), steady(0.03, 300))).toBeNull();
  expect(heardAfter(braced(), steady(0.1, 400))).toBe(120);
});

test("what is left of the reply's own echo is the floor, and a voice above it is still heard", () => {
  const bargeIn = settled(0.012);
  expect(heardAfter(bargeIn, steady(0.014, 2000))).toBeNull();
  expect(heardAfter(bargeIn, steady(0.12, 400))).toBe(120);
});
