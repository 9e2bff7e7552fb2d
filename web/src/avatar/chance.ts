/** Chance that is the same every time: draws by name, and noise that drifts smoothly. In the manner of `timeline/chance.py`. */

const WAVES = 5;

/** A number from 0 to 1 for everything that has a name. */
export function draw(...names: readonly (string | number)[]): number {
  let hash = 2166136261;
  for (const sign of names.join("/")) hash = Math.imul(hash ^ sign.codePointAt(0)!, 16777619);
  hash = Math.imul(hash ^ (hash >>> 16), 2246822507);
  hash = Math.imul(hash ^ (hash >>> 13), 3266489909);
  return ((hash ^ (hash >>> 16)) >>> 0) / 4294967296;
}

export function between(least: number, most: number, ...names: readonly (string | number)[]): number {
  return least + (most - least) * draw(...names);
}

/** A smooth wandering round 0, within about -1 to 1, of waves between two rates a second. */
export class Drift {
  private readonly waves: { hertz: number; phase: number; size: number }[] = [];

  constructor(slowest: number, fastest: number, ...names: readonly (string | number)[]) {
    for (let wave = 0; wave < WAVES; wave++) {
      const place = (wave + draw("rate", wave, ...names)) / WAVES;
      const hertz = slowest * (fastest / slowest) ** place;
      this.waves.push({ hertz, phase: draw("phase", wave, ...names), size: 1 / (1 + wave / 2) / 2.4 });
    }
  }

  at(time: number): number {
    return this.waves.reduce((sum, wave) => sum + wave.size * Math.sin(2 * Math.PI * (wave.hertz * time + wave.phase)), 0);
  }
}

/** 0 to 1 without corners; what lies outside stays there. */
export function smooth(share: number): number {
  const kept = Math.min(Math.max(share, 0), 1);
  return kept * kept * (3 - 2 * kept);
}

/** From 0 up to 1 at a moment and down again, without corners. */
export function bump(time: number, at: number, rise: number, fall: number, hold = 0): number {
  return smooth(Math.min((time - (at - rise)) / rise, (at + hold + fall - time) / fall));
}
