import { describe, expect, it } from "vitest";
import { atRest, gazes, lidsFollow, settled, type Units } from "./pose";
import { Quality } from "./quality";

const NAMES = [
  "jawOpen", "mouthClose", "mouthSmileLeft", "mouthFrownLeft", "mouthStretchLeft", "mouthDimpleLeft", "eyeBlinkLeft",
  "eyeWideLeft", "eyeLookUpLeft", "mouthPucker", "mouthFunnel", "tongueOut", "mouthRollLower",
];

function tamed(units: Units): Units {
  return settled({ ...atRest(), units }, NAMES);
}

describe("units that would fight", () => {
  it("stay within 0 and 1, and unknown ones are left out", () => {
    const units = tamed({ jawOpen: 3, mouthPucker: -1, nothing: 1 });
    expect([units["jawOpen"], units["mouthPucker"], units["nothing"]]).toEqual([1, 0, undefined]);
  });

  it("close lips no further than the jaw is open", () => {
    expect(tamed({ jawOpen: 0.3, mouthClose: 0.9 })["mouthClose"]).toBeCloseTo(0.3);
    expect(tamed({ jawOpen: 0.3, mouthClose: 0.3, tongueOut: 1 })["tongueOut"]).toBe(0);
  });

  it("let one corner go one way", () => {
    const units = tamed({ mouthSmileLeft: 1, mouthFrownLeft: 0.5, mouthStretchLeft: 1 });
    expect(units["mouthFrownLeft"]).toBe(0);
    expect(units["mouthSmileLeft"]! + units["mouthStretchLeft"]!).toBeCloseTo(1.3);
  });

  it("do not widen an eye that is shut", () => {
    expect(tamed({ eyeBlinkLeft: 1, eyeWideLeft: 1 })["eyeWideLeft"]).toBe(0);
  });
});

describe("lids", () => {
  it("ride on the eyeballs, unless they are shut", () => {
    const pose = { ...atRest(), gaze_pitch: 14, gaze_yaw: -7 };
    const looks = gazes(pose, {}, 28);
    const open = lidsFollow({}, looks, 28);
    expect(open["eyeLookUpLeft"]).toBeCloseTo(0.5);
    expect([open["eyeLookInLeft"], open["eyeLookOutRight"]]).toEqual([0.25, 0.25]);
    expect(lidsFollow({ eyeBlinkLeft: 1 }, looks, 28)["eyeLookUpLeft"]).toBe(0);
  });
});

describe("quality", () => {
  it("falls while frames are slow, and comes back when they are fast", () => {
    const quality = new Quality(2, false, false);
    for (let frame = 0; frame < 200; frame++) quality.passed(0.1);
    expect(quality.ratio).toBeCloseTo(0.6);
    for (let frame = 0; frame < 3000; frame++) quality.passed(1 / 60);
    expect(quality.ratio).toBeGreaterThan(0.9);
  });

  it("takes a pause for a pause", () => {
    const quality = new Quality(1, false, false);
    for (let frame = 0; frame < 20; frame++) expect(quality.passed(5)).toBe(false);
    expect(quality.ratio).toBe(1);
  });

  it("is at most two dots for each of the page's", () => {
    expect(new Quality(3, false, false).ratio).toBe(2);
  });
});
