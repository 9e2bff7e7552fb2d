/** What a face does at one moment, and the rules that keep extremes from breaking it: those of `face/pose.py` and `face/rig.py`. */

import { SIDES, type Side } from "./file";

/** Units of ARKit from 0 to 1, those that are missing at rest; angles in degrees, left and up the person's own. */
export interface Pose {
  units: Record<string, number>;
  yaw: number;
  pitch: number;
  roll: number;
  gaze_yaw: number;
  gaze_pitch: number;
}

export type Angle = "yaw" | "pitch" | "roll" | "gaze_yaw" | "gaze_pitch";
export const ANGLES: readonly Angle[] = ["yaw", "pitch", "roll", "gaze_yaw", "gaze_pitch"];
const MOST: Record<Angle, number> = { yaw: 60, pitch: 40, roll: 40, gaze_yaw: 40, gaze_pitch: 35 };

export type Units = Record<string, number>;
export type Gazes = Record<Side, { yaw: number; pitch: number }>;

const CORNER = ["Smile", "Frown", "Stretch", "Dimple"];
const ROLLED = ["mouthRollUpper", "mouthRollLower", "mouthPressLeft", "mouthPressRight"];
const SPREAD = ["mouthSmileLeft", "mouthSmileRight", "mouthStretchLeft", "mouthStretchRight"];
const PARTED = [
  "mouthUpperUpLeft", "mouthUpperUpRight", "mouthLowerDownLeft", "mouthLowerDownRight", "mouthFunnel", "tongueOut",
];

export function atRest(): Pose {
  return { units: {}, yaw: 0, pitch: 0, roll: 0, gaze_yaw: 0, gaze_pitch: 0 };
}

export function within(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}

export function angleWithin(name: Angle, value: number): number {
  return within(value, -MOST[name], MOST[name]);
}

/** All units, with those tamed that would fight: what a real face could do of what was asked. */
export function settled(pose: Pose, names: readonly string[]): Units {
  const units: Units = {};
  for (const name of names) units[name] = within(pose.units[name] ?? 0, 0, 1);
  for (const side of SIDES) {
    settleLids(units, side);
    settleCorner(units, side);
  }
  settleMouth(units);
  return units;
}

/** Where each eye looks, by the gaze and the look units together; `look` is how far an eye turns with a unit at 1. */
export function gazes(pose: Pose, units: Units, look: number): Gazes {
  const found = (side: Side, outward: number) => {
    const across = outward * (at(units, `eyeLookOut${side}`) - at(units, `eyeLookIn${side}`));
    const along = at(units, `eyeLookUp${side}`) - at(units, `eyeLookDown${side}`);
    return {
      yaw: angleWithin("gaze_yaw", pose.gaze_yaw + look * across),
      pitch: angleWithin("gaze_pitch", pose.gaze_pitch + look * along),
    };
  };
  return { Left: found("Left", 1), Right: found("Right", -1) };
}

/** The look units as they follow from where the eyes really look, as the lids ride on the eyeballs. */
export function lidsFollow(units: Units, looks: Gazes, look: number): Units {
  const followed = { ...units };
  for (const side of SIDES) {
    const outward = side === "Left" ? 1 : -1;
    const open = 1 - at(units, `eyeBlink${side}`);
    const set = (way: string, amount: number) => {
      followed[`eyeLook${way}${side}`] = open * within(amount / look, 0, 1);
    };
    set("Out", outward * looks[side].yaw);
    set("In", -outward * looks[side].yaw);
    set("Up", looks[side].pitch);
    set("Down", -looks[side].pitch);
  }
  return followed;
}

export function at(units: Units, name: string): number {
  return units[name] ?? 0;
}

/** A shut eye neither widens nor squints further, for its lids would pass through each other. */
function settleLids(units: Units, side: Side): void {
  const blink = at(units, `eyeBlink${side}`);
  scale(units, [`eyeWide${side}`], 1 - blink);
  scale(units, [`eyeSquint${side}`], 1 - 0.7 * blink);
}

/** One corner of the mouth goes one way: what pulls it is shared out when it is more than it can follow. */
function settleCorner(units: Units, side: Side): void {
  const smile = at(units, `mouthSmile${side}`);
  const frown = at(units, `mouthFrown${side}`);
  units[`mouthSmile${side}`] = Math.max(smile - 0.7 * frown, 0);
  units[`mouthFrown${side}`] = Math.max(frown - 0.7 * smile, 0);
  share(units, CORNER.map((unit) => `mouth${unit}${side}`), 1.3);
  share(units, [`mouthPress${side}`, `mouthLowerDown${side}`], 1);
}

/** Lips close no further than the jaw is open, roll in or purse but not both, and rounding leaves less for a smile. */
function settleMouth(units: Units): void {
  const jaw = at(units, "jawOpen");
  const close = Math.min(at(units, "mouthClose"), jaw);
  units["mouthClose"] = close;
  share(units, ["mouthPucker", "mouthFunnel"], 1);
  share(units, ["jawLeft", "jawRight"], 1);
  share(units, ["mouthLeft", "mouthRight"], 1);
  const round = Math.max(at(units, "mouthPucker"), at(units, "mouthFunnel"));
  scale(units, ROLLED, 1 - 0.6 * round);
  scale(units, SPREAD, 1 - 0.5 * round);
  scale(units, PARTED, 1 - (jaw > 0 ? close / jaw : 0));
}

function scale(units: Units, names: readonly string[], by: number): void {
  for (const name of names) units[name] = at(units, name) * by;
}

function share(units: Units, names: readonly string[], most: number): void {
  const total = names.reduce((sum, name) => sum + at(units, name), 0);
  if (total > most) scale(units, names, most / total);
}
