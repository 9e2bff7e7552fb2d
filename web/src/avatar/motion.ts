/** Brings speaking and attending together: one pose at each moment, with soft ways between the two. */

import { Attending, type Mood, type Noticed } from "./attending";
import { smooth } from "./chance";
import type { Habit } from "./file";
import { grave } from "./grave";
import { ANGLES, angleWithin, atRest, type Angle, type Pose } from "./pose";
import { Speech, type Played } from "./speech";

/** Seconds in which speech takes over and lets go: a mouth must be shut soon, a face may take its time. */
const MOUTH_IN = 0.1;
const MOUTH_OUT = 0.11;
const REST_IN = 0.35;
const REST_OUT = 0.5;
const GRAVE_IN = 0.4;
const GRAVE_OUT = 1.5;
/** How much of a speaker's turns are left for those who want little motion. */
const STILLER = 0.35;

type Channels = Record<string, number>;

export class Motion {
  private readonly speech = new Speech();
  private attending: Attending | null = null;
  private mood: Mood = "idle";
  private isGrave = false;
  private heard: (() => number) | null = null;
  private said: Channels = {};
  private mouth = 0;
  private rest = 0;
  private graveness = 0;
  private last = 0;

  constructor(private readonly still: boolean) {}

  /** From now on this person's habits. */
  become(habits: Record<"idle" | "listening", Habit>, seed: number): void {
    this.attending = new Attending(habits, seed, this.still);
    this.attending.attend(this.mood);
    this.graveness = this.isGrave ? 1 : 0;
  }

  attend(mood: Mood): void {
    this.mood = mood;
    this.attending?.attend(mood);
  }

  grave(on: boolean): void {
    this.isGrave = on;
  }

  /** A smile is not returned while it is grave. */
  notice(kind: Noticed, now: number): void {
    if (!this.isGrave || kind !== "smile") this.attending?.notice(kind, now);
  }

  speak(timeline: Played): void {
    this.speech.add(timeline);
  }

  clock(heard: (() => number) | null): void {
    this.heard = heard;
  }

  hush(): void {
    this.heard = null;
    this.speech.clear();
  }

  pose(now: number): Pose {
    const passed = Math.min(Math.max(now - this.last, 0), 0.2);
    this.last = now;
    const said = this.heard ? this.speech.at(this.heard()) : null;
    if (said) this.said = said;
    this.mouth = towards(this.mouth, said !== null, passed, MOUTH_IN, MOUTH_OUT);
    this.rest = towards(this.rest, said !== null, passed, REST_IN, REST_OUT);
    this.graveness = towards(this.graveness, this.isGrave, passed, GRAVE_IN, GRAVE_OUT);
    const waiting = this.attending?.pose(now) ?? atRest();
    const pose = this.rest === 0 && this.mouth === 0 ? waiting : this.blended(waiting);
    return { ...pose, units: grave(pose.units, smooth(this.graveness)) };
  }

  private blended(waiting: Pose): Pose {
    const pose = atRest();
    const mouth = smooth(this.mouth);
    const rest = smooth(this.rest);
    const said = this.still ? stiller(this.said) : this.said;
    for (const unit of new Set([...Object.keys(waiting.units), ...Object.keys(said)])) {
      if (isAngle(unit)) continue;
      const share = ofMouth(unit) ? mouth : rest;
      pose.units[unit] = (waiting.units[unit] ?? 0) * (1 - share) + (said[unit] ?? 0) * share;
    }
    for (const angle of ANGLES) pose[angle] = angleWithin(angle, waiting[angle] * (1 - rest) + (said[angle] ?? 0) * rest);
    return pose;
  }
}

function ofMouth(unit: string): boolean {
  return unit.startsWith("mouth") || unit.startsWith("jaw") || unit.startsWith("tongue");
}

function isAngle(name: string): name is Angle {
  return (ANGLES as readonly string[]).includes(name);
}

function towards(share: number, up: boolean, passed: number, rise: number, fall: number): number {
  return up ? Math.min(share + passed / rise, 1) : Math.max(share - passed / fall, 0);
}

/** The same with smaller turns; the eyes still look where they did. */
function stiller(said: Channels): Channels {
  const { yaw = 0, pitch = 0, roll = 0, gaze_yaw = 0, gaze_pitch = 0 } = said;
  return {
    ...said,
    yaw: STILLER * yaw,
    pitch: STILLER * pitch,
    roll: STILLER * roll,
    gaze_yaw: gaze_yaw + (1 - STILLER) * yaw,
    gaze_pitch: gaze_pitch + (1 - STILLER) * pitch,
  };
}
