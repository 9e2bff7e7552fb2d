import { describe, expect, it } from "vitest";
import type { Habit } from "./file";
import { Motion } from "./motion";
import type { Pose } from "./pose";
import { Speech, type Played } from "./speech";

const HABIT: Habit = {
  units: { mouthSmileLeft: 0.2 }, yaw: 0, pitch: -1, roll: -4,
  dynamics: { meets: 0.8, away_yaw: 6, away_pitch: -2, blinks: 17, liveliness: 1, nods: 12 },
};
const HABITS = { idle: { ...HABIT, units: {}, roll: 0 }, listening: HABIT };

function stretch(start: number, seconds: number, jaw: (at: number) => number): Played {
  const moments = Math.ceil(seconds * 50);
  return { start, seconds, rate: 50, channels: { jawOpen: Array.from({ length: moments }, (_, moment) => jaw(moment / 50)) } };
}

function alive(seed = 1, still = false): Motion {
  const motion = new Motion(still);
  motion.become(HABITS, seed);
  return motion;
}

/** The poses of so many seconds, 60 a second. */
function lived(motion: Motion, from: number, seconds: number) {
  return Array.from({ length: Math.round(60 * seconds) }, (_, frame) => motion.pose(from + frame / 60));
}

describe("a spoken reply", () => {
  it("lies between two moments in even steps", () => {
    const speech = new Speech();
    speech.add(stretch(0, 1, (at) => at));
    expect(speech.at(0.25)?.["jawOpen"]).toBeCloseTo(0.25, 5);
    expect(speech.at(0.31)?.["jawOpen"]).toBeCloseTo(0.31, 5);
    expect(speech.at(1.2)).toBeNull();
  });

  it("goes on from stretch to stretch, and ends where another reply begins", () => {
    const speech = new Speech();
    speech.add(stretch(0, 1, () => 0.1));
    speech.add(stretch(1, 1, () => 0.9));
    expect(speech.at(1.5)?.["jawOpen"]).toBeCloseTo(0.9);
    speech.add(stretch(0, 0.5, () => 0.4));
    expect(speech.at(0.2)?.["jawOpen"]).toBeCloseTo(0.4);
    expect(speech.at(1.5)).toBeNull();
  });

  it("is played on the clock of its sound", () => {
    const motion = alive();
    let heard = 0;
    motion.speak(stretch(0, 4, (at) => at / 4));
    motion.clock(() => heard);
    lived(motion, 10, 0.5);
    heard = 2;
    expect(motion.pose(10.6).units["jawOpen"]).toBeCloseTo(0.5, 2);
  });

  it("is hushed within 120 ms", () => {
    const motion = alive();
    motion.speak(stretch(0, 4, () => 0.8));
    motion.clock(() => 1);
    expect(lived(motion, 10, 1).at(-1)!.units["jawOpen"]).toBeCloseTo(0.8, 3);
    motion.hush();
    expect(lived(motion, 11, 0.12).at(-1)!.units["jawOpen"] ?? 0).toBeLessThan(0.02);
  });
});

describe("attending", () => {
  it("is the same every time for the same seed, and another for another", () => {
    expect(lived(alive(3), 0, 2)).toEqual(lived(alive(3), 0, 2));
    expect(lived(alive(4), 0, 2)).not.toEqual(lived(alive(3), 0, 2));
  });

  it("blinks, and never jumps with the head", () => {
    const poses = lived(alive(), 0, 20);
    const shut = poses.filter((pose) => (pose.units["eyeBlinkLeft"] ?? 0) > 0.95).length;
    expect(shut).toBeGreaterThan(3);
    const steps = poses.slice(1).map((pose, place) => Math.abs(pose.yaw - poses[place]!.yaw));
    expect(Math.max(...steps)).toBeLessThan(0.6);
  });

  it("keeps the eyes on the person while the head moves", () => {
    const poses = lived(alive(), 0, 20);
    const met = poses.filter((pose) => Math.abs(pose.yaw + pose.gaze_yaw) < 2).length;
    expect(met / poses.length).toBeGreaterThan(0.55);
  });

  it("eases into listening", () => {
    const motion = alive();
    motion.attend("listening");
    const first = motion.pose(0.02).units["mouthSmileLeft"] ?? 0;
    const later = lived(motion, 0.03, 2).at(-1)!;
    expect(first).toBeLessThan(0.05);
    expect(later.units["mouthSmileLeft"]).toBeGreaterThan(0.18);
    expect(later.roll).toBeLessThan(-2);
  });

  it("looks aside when it thinks", () => {
    const motion = alive();
    motion.attend("thinking");
    const poses = lived(motion, 0, 12);
    const away = poses.filter((pose) => Math.hypot(pose.yaw + pose.gaze_yaw, pose.pitch + pose.gaze_pitch) > 5).length;
    expect(away / poses.length).toBeGreaterThan(0.35);
  });

  it("nods where the other one pauses, but not like a toy", () => {
    const lowest = (times: number) => {
      const motion = alive(1, true);
      lived(motion, 0, 1);
      for (let time = 0; time < times; time++) motion.notice("pause", 1 + 0.1 * time);
      return Math.min(...lived(motion, 1, 1).map((pose) => pose.pitch));
    };
    expect(lowest(1)).toBeLessThan(lowest(0) - 1);
    expect(lowest(3)).toBeCloseTo(lowest(1), 5);
  });

  it("smiles back", () => {
    const motion = alive();
    lived(motion, 0, 1);
    motion.notice("smile", 1);
    const smiles = lived(motion, 1, 4).map((pose) => pose.units["mouthSmileLeft"] ?? 0);
    expect(Math.max(...smiles)).toBeGreaterThan(0.35);
    expect(smiles.at(-1)).toBeLessThan(0.05);
  });
});

describe("a danger", () => {
  const smileOf = ({ units }: Pose) => Math.max(...["mouthSmileLeft", "mouthSmileRight", "mouthDimpleLeft", "cheekSquintLeft"].map((unit) => units[unit] ?? 0));
  const smiling = (): Played => ({ ...stretch(0, 9, () => 0.3), channels: { jawOpen: Array(450).fill(0.3), mouthSmileLeft: Array(450).fill(0.5) } });

  it("is met without a smile, whatever is noticed, listened to or said", () => {
    const motion = alive();
    motion.attend("listening");
    lived(motion, 0, 2);
    motion.grave(true);
    lived(motion, 2, 1);
    motion.notice("smile", 3);
    const listened = lived(motion, 3, 4);
    motion.speak(smiling());
    motion.clock(() => 4);
    const spoken = lived(motion, 7, 2);
    expect(spoken.at(-1)!.units["jawOpen"]).toBeCloseTo(0.3);
    expect(Math.max(...[...listened, ...spoken].map(smileOf))).toBe(0);
    expect(Math.min(...[...listened, ...spoken].map(({ units }) => units["browInnerUp"] ?? 0))).toBeCloseTo(0.5);
  });

  it("is met so by whoever comes in while it stands, and softly", () => {
    const late = new Motion(false);
    late.grave(true);
    late.become(HABITS, 1);
    late.attend("listening");
    expect(Math.max(...lived(late, 0, 2).map(smileOf))).toBe(0);
    const motion = alive();
    motion.attend("listening");
    lived(motion, 0, 2);
    motion.grave(true);
    const frowns = lived(motion, 2, 1).map(({ units }) => units["mouthFrownLeft"] ?? 0);
    expect(Math.max(...frowns.slice(1).map((frown, place) => frown - frowns[place]!))).toBeLessThan(0.05);
  });

  it("returns no smile, not even with the eyes and the head", () => {
    const listened = (...smiles: readonly number[]) => {
      const motion = alive();
      motion.grave(true);
      lived(motion, 0, 2);
      for (const moment of smiles) motion.notice("smile", moment);
      return lived(motion, 2, 3);
    };
    expect(listened(2)).toEqual(listened());
  });

  it("that is over lets a smile come back", () => {
    const motion = alive();
    motion.attend("listening");
    motion.grave(true);
    lived(motion, 0, 1);
    motion.grave(false);
    expect(smileOf(lived(motion, 1, 3).at(-1)!)).toBeGreaterThan(0.15);
  });
});
