/** What the face does when it does not speak: it breathes, blinks, looks, nods, and answers small things with small things. */

import { breath } from "./breath";
import { between, bump, Drift } from "./chance";
import type { Dynamics, Habit } from "./file";
import { blinking, glance, leap } from "./looking";
import { atRest, type Pose, type Units } from "./pose";
import { nod, reaction, type Noticed, type Reaction } from "./reactions";

export type Mood = "idle" | "listening" | "thinking";
export type { Noticed } from "./reactions";

type Habits = Record<"idle" | "listening", Habit>;

/** Seconds between two nods at least: more would be a toy's. */
const NOD_REST = 2.2;
/** Nods by chance are rarer than a listener's, as most come where the other one pauses. */
const NODS_BY_CHANCE = 0.35;
const EASE = 0.30;
const HEAD_EASE = 0.16;

const THINKING: Habit = {
  units: {
    browDownLeft: 0.10, browDownRight: 0.05, browInnerUp: 0.14, browOuterUpRight: 0.12, eyeSquintLeft: 0.10, eyeSquintRight: 0.10,
    mouthPressLeft: 0.16, mouthPressRight: 0.14, mouthRollLower: 0.06, mouthLeft: 0.05,
  },
  yaw: 3, pitch: 1.5, roll: 2.5,
  dynamics: { meets: 0.3, away_yaw: 11, away_pitch: 8, blinks: 13, liveliness: 0.7, nods: 0 },
};

export class Attending {
  private mood: Mood = "idle";
  private readonly held: Units = {};
  private readonly head = { yaw: 0, pitch: 0, roll: 0 };
  private readonly drifts: { yaw: Drift; pitch: Drift; roll: Drift };
  private reactions: Reaction[] = [];
  private nodded = -Infinity;
  private last = 0;

  constructor(private habits: Habits, private readonly seed: number, private readonly still: boolean) {
    this.drifts = {
      yaw: new Drift(0.07, 0.5, "yaw", seed),
      pitch: new Drift(0.09, 0.6, "pitch", seed),
      roll: new Drift(0.06, 0.4, "roll", seed),
    };
  }

  attend(mood: Mood): void {
    this.mood = mood;
  }

  notice(kind: Noticed, now: number): void {
    if (kind === "pause") {
      if (now - this.nodded < NOD_REST) return;
      this.nodded = now;
    }
    const others = this.reactions.filter((one) => one.kind !== kind || now > one.at + 0.5 * one.lasts);
    if (others.length === this.reactions.length) this.reactions = [...others, reaction(kind, now)];
  }

  /** The pose at a moment; moments only go on. */
  pose(now: number): Pose {
    const habit = this.mood === "thinking" ? THINKING : this.habits[this.mood];
    const passed = Math.min(Math.max(now - this.last, 0), 0.2);
    this.last = now;
    this.reactions = this.reactions.filter((one) => now < one.at + one.lasts);
    const pose = atRest();
    pose.units = this.expression(habit, passed, now);
    this.turnHead(pose, habit, passed, now);
    this.look(pose, habit.dynamics, now);
    this.blink(pose.units, habit.dynamics, now);
    return pose;
  }

  private expression(habit: Habit, passed: number, now: number): Units {
    const wanted: Units = habit.units;
    const share = 1 - Math.exp(-passed / EASE);
    for (const unit of new Set([...Object.keys(wanted), ...Object.keys(this.held)])) {
      const held = this.held[unit] ?? 0;
      this.held[unit] = held + ((wanted[unit] ?? 0) - held) * share;
    }
    const units = { ...this.held };
    for (const one of this.reactions) {
      for (const [unit, amount] of Object.entries(one.units(now))) units[unit] = Math.min((units[unit] ?? 0) + amount, 1);
    }
    return units;
  }

  private turnHead(pose: Pose, habit: Habit, passed: number, now: number): void {
    const { dynamics } = habit;
    const lively = this.still ? 0 : 0.7 * dynamics.liveliness;
    const away = this.still ? null : glance(now, dynamics, this.seed);
    const follow = away ? 0.3 * bump(now, away.start + 0.35, 0.3, 0.4, Math.max(away.end - away.start - 0.35, 0.05)) : 0;
    const goal = {
      yaw: habit.yaw + lively * 2.4 * this.drifts.yaw.at(now) + follow * (away?.yaw ?? 0),
      pitch: habit.pitch + lively * 1.3 * this.drifts.pitch.at(now) + follow * (away?.pitch ?? 0),
      roll: habit.roll + lively * 1.5 * this.drifts.roll.at(now),
    };
    const share = 1 - Math.exp(-passed / HEAD_EASE);
    for (const angle of ["yaw", "pitch", "roll"] as const) {
      this.head[angle] += (goal[angle] - this.head[angle]) * share;
      pose[angle] = this.head[angle];
    }
    pose.pitch += 0.35 * breath(now) + this.nods(dynamics, now);
    for (const one of this.reactions) {
      pose.pitch += one.pitch(now) * (this.still ? 0.4 : 1);
      pose.roll += one.roll(now) * (this.still ? 0.4 : 1);
    }
  }

  /** Nods by chance while somebody speaks, at the places of a clock that has no beginning. */
  private nods(dynamics: Dynamics, now: number): number {
    if (this.mood !== "listening" || this.still || dynamics.nods <= 0) return 0;
    const every = 60 / (dynamics.nods * NODS_BY_CHANCE);
    const beat = Math.floor(now / every);
    const at = (beat + between(0.1, 0.8, "nod", beat, this.seed)) * every;
    return at - this.nodded > NOD_REST || at < this.nodded ? -0.6 * nod(now, at) : 0;
  }

  /** Eyes are kept in the world: they stay on the person whatever the head does. */
  private look(pose: Pose, dynamics: Dynamics, now: number): void {
    const away = this.still ? null : glance(now, dynamics, this.seed);
    const attentive = this.reactions.some((one) => one.kind !== "pause" && now < one.at + 1.5);
    const going = away && !attentive ? bump(now, away.start + 0.05, 0.05, 0.05, away.end - away.start) : 0;
    pose.gaze_yaw = leap(now, "yaw", this.seed) + going * (away?.yaw ?? 0) - pose.yaw;
    pose.gaze_pitch = 0.7 * leap(now, "pitch", this.seed) + going * (away?.pitch ?? 0) - pose.pitch;
  }

  private blink(units: Units, dynamics: Dynamics, now: number): void {
    let shut = blinking(now, dynamics.blinks, this.seed);
    for (const one of this.reactions) if (one.blinks) shut = Math.max(shut, bump(now, one.at + 0.17, 0.07, 0.16, 0.03));
    for (const unit of ["eyeBlinkLeft", "eyeBlinkRight"]) units[unit] = (units[unit] ?? 0) * (1 - shut) + shut;
  }
}
