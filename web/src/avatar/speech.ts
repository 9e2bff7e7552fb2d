/** Stretches of a spoken reply on the clock of its sound. */

import type { Timeline } from "../wire";

/** What is played of a timeline: the rest of it is for other eyes. */
export type Played = Pick<Timeline, "start" | "seconds" | "rate" | "channels">;

interface Stretch {
  start: number;
  end: number;
  rate: number;
  moments: number;
  channels: [string, Float32Array][];
}

const SEAM = 0.05;

export class Speech {
  private stretches: Stretch[] = [];

  /** A stretch that begins before the last one ended belongs to another reply. */
  add(timeline: Played): void {
    if (timeline.start < this.end - SEAM) this.clear();
    const moments = Math.ceil(Number((timeline.seconds * timeline.rate).toFixed(6)));
    const channels = Object.entries(timeline.channels).map(([name, values]): [string, Float32Array] => [name, Float32Array.from(values)]);
    this.stretches.push({ start: timeline.start, end: timeline.start + timeline.seconds, rate: timeline.rate, moments, channels });
  }

  clear(): void {
    this.stretches = [];
  }

  get end(): number {
    return this.stretches.at(-1)?.end ?? -Infinity;
  }

  /** All channels at a moment, between two of the grid in even steps; null where nothing is said. */
  at(seconds: number): Record<string, number> | null {
    const stretch = this.stretches.findLast((one) => seconds >= one.start - SEAM && seconds < one.end + SEAM);
    if (!stretch) return null;
    const place = Math.min(Math.max((seconds - stretch.start) * stretch.rate, 0), stretch.moments - 1);
    const left = Math.min(Math.floor(place), Math.max(stretch.moments - 2, 0));
    const share = place - left;
    const found: Record<string, number> = {};
    for (const [name, values] of stretch.channels) {
      const from = values[left] ?? 0;
      found[name] = from + ((values[left + 1] ?? from) - from) * share;
    }
    return found;
  }
}
