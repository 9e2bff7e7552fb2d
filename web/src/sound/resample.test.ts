import { expect, test } from "vitest";
import { Resampler } from "./resample";

function tone(rate: number, hertz: number, seconds: number): Float32Array {
  return Float32Array.from({ length: rate * seconds }, (_, index) => Math.sin((2 * Math.PI * hertz * index) / rate));
}

function through(resampler: Resampler, samples: Float32Array): Float32Array {
  const out: number[] = [];
  for (let at = 0; at < samples.length; at += 128) out.push(...resampler.push(samples.slice(at, at + 128)));
  return Float32Array.from(out);
}

const loud = (samples: Float32Array) => Math.sqrt(samples.slice(200, -200).reduce((sum, each) => sum + each * each, 0) / (samples.length - 400));

test.each([48_000, 44_100, 16_000])("from %i a tone within reach stays as loud and as long", (rate) => {
  const out = through(new Resampler(rate, 16_000), tone(rate, 1000, 1));
  expect(Math.abs(out.length - 16_000)).toBeLessThan(100);
  expect(loud(out)).toBeCloseTo(Math.SQRT1_2, 1);
});

test("what is above the new rate's reach is taken out, not folded in", () => {
  expect(loud(through(new Resampler(48_000, 16_000), tone(48_000, 12_000, 1)))).toBeLessThan(0.02);
});
