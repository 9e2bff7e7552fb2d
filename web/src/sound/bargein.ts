/** Hears from the loudness alone that somebody begins to speak over the reply. */

const EVERY = 0.02;
const LASTS = 0.12;
/** How far above the floor a voice is: 11 dB. */
const ABOVE = 3.5;
const QUIETEST = 0.012;
/** Of the way to the level, each 20 ms. It rises slowly, so that a voice does not lift the floor before it is heard. */
const RISE = 0.012;
const FALL = 0.08;
const HIGHEST = 0.05;
/** What is left of the reply in the microphone before the browser has learnt to take it out. */
const ECHO = 0.012;

export class BargeIn {
  private floor = 0.004;
  private loud = 0;

  /** One level of 20 ms. True once somebody has spoken for long enough; then it begins again. */
  hear(level: number): boolean {
    const above = level > Math.max(QUIETEST, this.floor * ABOVE);
    this.floor = Math.min(HIGHEST, this.floor + (level - this.floor) * (level < this.floor ? FALL : RISE));
    // A dip between two syllables takes back half of a step, not everything.
    this.loud = above ? this.loud + EVERY : Math.max(0, this.loud - EVERY * 2);
    if (this.loud < LASTS - 1e-9) return false;
    this.loud = 0;
    return true;
  }

  /** A reply begins to sound. */
  brace(): void {
    this.floor = Math.max(this.floor, ECHO);
    this.loud = 0;
  }

  /** For how many seconds it has been loud by now. */
  get lasting(): number {
    return this.loud;
  }
}
