/** Small, kind answers to what is noticed of the other person: a nod, a smile back, a softer look. */

import { bump } from "./chance";
import type { Units } from "./pose";

export type Noticed = "pause" | "smile" | "sadness" | "speech";

const NOD = 5;

export interface Reaction {
  kind: Noticed;
  at: number;
  /** Seconds after which nothing is left of it. */
  lasts: number;
  blinks: boolean;
  units(now: number): Units;
  pitch(now: number): number;
  roll(now: number): number;
}

interface Kind {
  units: Units;
  pitch: number;
  roll: number;
  rise: number;
  hold: number;
  fall: number;
  blinks?: boolean;
}

const KINDS: Record<Exclude<Noticed, "pause">, Kind> = {
  smile: {
    units: {
      mouthSmileLeft: 0.42, mouthSmileRight: 0.40, cheekSquintLeft: 0.30, cheekSquintRight: 0.28, eyeSquintLeft: 0.10,
      eyeSquintRight: 0.10, mouthDimpleLeft: 0.10, mouthDimpleRight: 0.10, browOuterUpLeft: 0.08, browOuterUpRight: 0.08,
    },
    pitch: 0.8, roll: -1.5, rise: 0.5, hold: 1.4, fall: 1.6,
  },
  sadness: {
    units: {
      browInnerUp: 0.48, browDownLeft: 0.08, browDownRight: 0.08, mouthFrownLeft: 0.10, mouthFrownRight: 0.10, mouthPressLeft: 0.12,
      mouthPressRight: 0.12, cheekSquintLeft: 0.06, cheekSquintRight: 0.06, eyeBlinkLeft: 0.05, eyeBlinkRight: 0.05,
    },
    pitch: -2, roll: 3.5, rise: 0.8, hold: 2.4, fall: 2.0, blinks: true,
  },
  speech: {
    units: { browInnerUp: 0.14, browOuterUpLeft: 0.16, browOuterUpRight: 0.16, eyeWideLeft: 0.10, eyeWideRight: 0.10 },
    pitch: -1.2, roll: 0, rise: 0.22, hold: 0.3, fall: 0.7, blinks: true,
  },
};

export function reaction(kind: Noticed, at: number): Reaction {
  if (kind === "pause") {
    const none = () => 0;
    return { kind, at, lasts: 1.1, blinks: false, units: () => ({}), pitch: (now) => -nod(now, at), roll: none };
  }
  const { units, pitch, roll, rise, hold, fall, blinks = false } = KINDS[kind];
  const level = (now: number) => bump(now, at + rise, rise, fall, hold);
  return {
    kind,
    at,
    lasts: rise + hold + fall,
    blinks,
    units: (now) => Object.fromEntries(Object.entries(units).map(([unit, amount]) => [unit, amount * level(now)])),
    pitch: (now) => pitch * level(now),
    roll: (now) => roll * level(now),
  };
}

/** Twice down, the second time less. */
export function nod(now: number, at: number): number {
  return NOD * (bump(now, at + 0.18, 0.18, 0.2) + 0.55 * bump(now, at + 0.62, 0.2, 0.26));
}
