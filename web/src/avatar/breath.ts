/** Breaths a second, of a person at ease. */
const RATE = 0.23;

/** From -1, breathed out, to 1. Head and chest go by the same breath. */
export function breath(now: number): number {
  return Math.sin(2 * Math.PI * RATE * now);
}
