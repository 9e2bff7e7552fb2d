/** The line of time that the senses are drawn along: places in percent, marks at round seconds, times as people write them. */
import type { Span } from "../../wire";

/** Where something stands on the line, in percent of its length. */
export interface Place {
  readonly left: number;
  readonly width: number;
}

export interface Axis {
  readonly seconds: number;
  /** Whether it is a picture, of which everything holds all the time. */
  readonly still: boolean;
}

/** Seconds that the line is long at least: a picture has no length. */
const SHORTEST = 1;
const MOST_MARKS = 6;
const STEPS = [0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200];
/** Percent: what is shorter could not be seen. */
const THINNEST = 0.6;

export const axisOf = (duration: number): Axis => ({ seconds: Math.max(duration, SHORTEST), still: duration <= 0 });

/** Never beyond the ends of the line: a recording may be shorter than the last thing heard in it. */
export function placeOf({ seconds, still }: Axis, { start, end }: Span): Place {
  if (still) return { left: 0, width: 100 };
  const within = (time: number) => Math.min(Math.max((100 * time) / seconds, 0), 100);
  const width = Math.max(within(end) - within(start), THINNEST);
  return { left: round(Math.min(within(start), 100 - width)), width: round(width) };
}

/** Where something is written under the line, and what. */
export function marksOf({ seconds, still }: Axis): readonly (readonly [left: number, text: string])[] {
  if (still) return [];
  const step = STEPS.find((each) => seconds / each <= MOST_MARKS) ?? seconds / MOST_MARKS;
  return Array.from({ length: Math.floor(seconds / step + 1e-9) + 1 }, (_, number) => [round((100 * number * step) / seconds), clock(number * step, step >= 1)] as const);
}

/** «2.1–3.4 s», «1:05–1:12», or nothing for a picture. */
export function whenOf({ still }: Axis, { start, end }: Span): string {
  if (still) return "";
  if (end >= 60) return `${clock(start, true)}–${clock(end, true)}`;
  return end > start ? `${start.toFixed(1)}–${end.toFixed(1)} s` : `${start.toFixed(1)} s`;
}

/** «2.1 s»; from a minute on «1:05», from an hour on «1:02:05». */
export function clock(time: number, short = false): string {
  if (time < 60) return `${time.toFixed(short ? 0 : 1)} s`;
  const two = (number: number) => String(number).padStart(2, "0");
  const [hours, minutes, seconds] = [Math.floor(time / 3600), Math.floor(time / 60) % 60, Math.floor(time) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

const round = (number: number): number => Math.round(number * 1000) / 1000;
