import { expect, test } from "vitest";
import { Stamps } from "./stamps";

test("chunks that arrive unevenly are stamped evenly", () => {
  const stamps = new Stamps(0.04);
  const times = [1.04, 1.1, 1.11, 1.17].map((now) => stamps.next(now));
  times.forEach((time, index) => expect(time).toBeCloseTo(1 + 0.04 * index, 6));
});

test("after a long gap they are where the clock is, and never go back", () => {
  const stamps = new Stamps(0.04);
  stamps.next(1);
  expect(stamps.next(5)).toBeCloseTo(4.96, 6);
  expect(stamps.next(4)).toBeGreaterThanOrEqual(5 - 1e-9);
});
