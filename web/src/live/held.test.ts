import { expect, test } from "vitest";
import { HeldSound } from "./held";

const chunk = (value: number) => Int16Array.of(value);

test("what was heard before the server may take it comes first, in order and evenly stamped", () => {
  const sent: [number, number][] = [];
  let now = 5;
  const sound = new HeldSound((time, samples) => sent.push([Math.round(time * 100) / 100, samples[0]!]), () => now);
  for (const value of [1, 2, 3]) sound.chunk(chunk(value));
  expect(sent).toEqual([]);
  sound.allow(true);
  now += 0.04;
  sound.chunk(chunk(4));
  expect(sent).toEqual([[4.88, 1], [4.92, 2], [4.96, 3], [5, 4]]);
});

test("what is not to be taken is forgotten, and a broken line holds what is said meanwhile", () => {
  const sent: number[] = [];
  const sound = new HeldSound((_time, samples) => sent.push(samples[0]!), () => 9);
  sound.chunk(chunk(1));
  sound.allow(false);
  sound.allow(true);
  expect(sent).toEqual([]);
  sound.hold();
  sound.chunk(chunk(2));
  sound.allow(true);
  expect(sent).toEqual([2]);
});

test("of a line that stays broken only the latest seconds are held", () => {
  const sent: number[] = [];
  const sound = new HeldSound((_time, samples) => sent.push(samples[0]!), () => 0);
  for (let value = 0; value < 1000; value++) sound.chunk(chunk(value));
  sound.allow(true);
  expect(sent).toHaveLength(250);
  expect(sent.at(-1)).toBe(999);
});
