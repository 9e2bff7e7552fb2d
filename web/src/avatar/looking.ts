/** Where eyes look and when they blink, as functions of time alone; in the manner of `timeline/eyes.py`. */

import { between, bump, draw } from "./chance";
import type { Dynamics } from "./file";

const AWAY = 0.9;
const SHUTTING = 0.07;
const SHUT = 0.03;
const OPENING = 0.16;

export interface Glance {
  start: number;
  end: number;
  yaw: number;
  pitch: number;
}

/** The look away that is near in time: one for each stretch of a clock, as long and as far as the habit has it. */
export function glance(now: number, habit: Dynamics, seed: number): Glance {
  const every = AWAY / (1 - Math.min(habit.meets, 0.95));
  const turn = Math.floor(now / every);
  const names = [turn, seed] as const;
  const lasts = Math.min(AWAY * between(0.6, 1.4, "lasts", ...names), 0.8 * every);
  const start = turn * every + (every - lasts - 0.1) * draw("start", ...names);
  const side = draw("side", ...names) < 0.5 ? -1 : 1;
  return {
    start,
    end: start + lasts,
    yaw: side * habit.away_yaw * between(0.6, 1.2, "yaw", ...names),
    pitch: habit.away_pitch * between(0.6, 1.2, "pitch", ...names),
  };
}

/** How far the eyes are shut by blinks: one in each stretch of a clock, now and then a second one soon after. */
export function blinking(now: number, perMinute: number, seed: number): number {
  const every = 60 / Math.max(perMinute, 1);
  const turn = Math.floor(now / every);
  const at = (turn + between(0.08, 0.72, "blink", turn, seed)) * every;
  const again = draw("twice", turn, seed) < 0.12 ? at + 0.36 : -Infinity;
  return Math.max(lids(now, at), lids(now, again));
}

/** From one eye of the person to the other: a leap of about a degree once a second. */
export function leap(now: number, axis: string, seed: number): number {
  const second = Math.floor(now);
  const target = (which: number) => 1.35 * (draw("leap", which, axis, seed) + draw("more", which, axis, seed) - 1);
  const begun = Math.min(Math.max((now - second - between(0.1, 0.9, "when", second, seed)) / 0.04, 0), 1);
  return target(second - 1) * (1 - begun) + target(second) * begun;
}

function lids(now: number, at: number): number {
  return bump(now, at + SHUTTING, SHUTTING, OPENING, SHUT);
}
