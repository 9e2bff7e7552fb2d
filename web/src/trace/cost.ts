/** What a turn cost: requests, tokens and time, each counted once, however many passes keep a step. */
import type { Call, StepRecord } from "../wire";
import { titleOf, tryOf } from "./names";
import type { Pass, Trace } from "./story";

export interface Segment {
  readonly step: string;
  readonly ms: number;
  /** Of the whole turn, in percent. */
  readonly percent: number;
  /** Which colour it has. */
  readonly hue: number;
}

export interface TimelineRow {
  readonly label: string;
  readonly ms: number;
  /** Where it starts, in percent of the whole. */
  readonly offset: number;
  readonly segments: readonly Segment[];
}

/** Colours that the style sheet has for steps. */
export const HUES = 8;

const madeAnew = (pass: Pass): readonly StepRecord[] => pass.steps.flatMap((step) => (step.state === "kept" || !step.record ? [] : [step.record]));

export const callsOf = (trace: Trace): readonly Call[] => trace.passes.flatMap((pass) => [...madeAnew(pass).flatMap((record) => record.calls), ...(pass.audit?.calls ?? [])]);

/** Milliseconds of the steps that the pass made itself, and of its audit. */
export const spent = (pass: Pass): number => sum(madeAnew(pass).map((record) => record.ms)) + (pass.audit?.ms ?? 0);

export const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

/** One row a pass, each step as long as it took, one after the other; then the voice and the face. */
export function timelineOf(trace: Trace): readonly TimelineRow[] {
  const names = trace.started?.steps ?? [];
  const parts = Object.entries(trace.performance?.ms ?? {});
  const whole = sum(trace.passes.map(spent)) + sum(parts.map(([, ms]) => ms));
  const percent = (ms: number) => (whole ? (100 * ms) / whole : 0);
  const segment = (step: string, ms: number, hue: number): Segment => ({ step, ms, percent: percent(ms), hue: hue % HUES });
  const hueOf = (step: string) => (names.includes(step) ? names.indexOf(step) : names.length);
  let gone = 0;
  const row = (label: string, segments: readonly Segment[]): TimelineRow => {
    const ms = sum(segments.map((each) => each.ms));
    gone += ms;
    return { label, ms, offset: percent(gone - ms), segments };
  };
  const rows = trace.passes.map((pass) => {
    const took = [...madeAnew(pass).map(({ step, ms }) => [step, ms] as const), ...(pass.audit ? [["audit", pass.audit.ms] as const] : [])];
    return row(tryOf(pass.number), took.map(([step, ms]) => segment(step, ms, hueOf(step))));
  });
  return parts.length ? [...rows, row("Voice and face", parts.map(([part, ms], at) => segment(part, ms, names.length + 1 + at)))] : rows;
}

/** The picture in one sentence, for those who do not see it. */
export function toldOf(rows: readonly TimelineRow[]): string {
  const whole = sum(rows.map((row) => row.ms));
  const bySteps = new Map<string, number>();
  for (const { step, ms } of rows.flatMap((row) => row.segments)) bySteps.set(step, (bySteps.get(step) ?? 0) + ms);
  const longest = [...bySteps].sort(([, a], [, b]) => b - a).slice(0, 3);
  return `Most time went into ${longest.map(([step, ms]) => `${titleOf(step).toLowerCase()} (${Math.round((100 * ms) / whole)} %)`).join(", ")}.`;
}
