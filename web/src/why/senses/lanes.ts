/** One lane a sense: its emotions along the line of time, what it was worth in the vote, and the cues that it measured. */
import type { Cue, Measured, Moment, Readings, Sensed } from "../../wire";
import { placeOf, whenOf, type Axis, type Place } from "./axis";

type Shares = Readonly<Record<string, number>>;

/** One emotion's share of one moment, as a piece of a pile. */
export interface Slice {
  readonly emotion: string;
  readonly top: number;
  readonly height: number;
}

/** One moment. */
export interface Pile {
  readonly place: Place;
  readonly slices: readonly Slice[];
  readonly reliability: number;
  readonly when: string;
  readonly shares: Shares;
}

/** Moments that follow each other with the same likeliest emotion. */
export interface Run {
  readonly place: Place;
  readonly emotion: string;
  readonly share: number;
  readonly when: string;
}

/** A cue on the line of time. */
export interface Mark {
  readonly id: string;
  readonly text: string;
  readonly strength: string;
  readonly when: string;
  readonly place: Place;
  readonly cited: boolean;
}

export interface Lane {
  readonly source: Sensed["source"];
  /** The likeliest over the whole turn; empty where the sense read none. */
  readonly emotion: string;
  readonly share: number;
  readonly reliability: number;
  /** Its share of all weight in the vote. */
  readonly vote: number;
  readonly note: string;
  readonly piles: readonly Pile[];
  readonly runs: readonly Run[];
  readonly marks: readonly Mark[];
  /** Cues that there is no room for. */
  readonly unshown: number;
  /** Whether it is one of the two that contradict each other. */
  readonly disputed: boolean;
}

/** Which of the colours an emotion has. */
export const HUES: ReadonlyMap<string, number> = new Map(Object.entries({ surprise: 2, fear: 6, sadness: 3, joy: 5, disgust: 4, anger: 1, neutral: 7 }));
/** What a sense counts at its best, as in heartfelt/fusion. */
const TRUST: Readonly<Record<string, number>> = { words: 1, face: 0.8, voice: 0.6 };
const STRENGTHS = [
  [0.66, "strong"],
  [0.33, "clear"],
  [0, "slight"],
] as const;
/** Cues that are drawn of a lane, beside those that were cited. */
const MOST_CUES = 3;
/** Seconds between two moments that are only the distance of two frames. */
const SEAM = 0.3;

export const hueOf = (emotion: string): number => HUES.get(emotion) ?? 0;

export function lanesOf(readings: Readings, axis: Axis, cited: readonly Cue[], prefix: string): readonly Lane[] {
  const votes = votesOf(readings.sensed);
  return readings.sensed.map((sensed) => laneOf(sensed, readings, axis, votes[sensed.source] ?? 0, cited, prefix));
}

/** The anchor of a cited cue; empty where it was not measured. */
export function anchorOf(readings: Readings | null | undefined, cue: Cue, prefix: string): string {
  const place = readings?.sensed.find(({ source }) => source === cue.source)?.cues.findIndex((measured) => same(measured, cue)) ?? -1;
  return place < 0 ? "" : `${prefix}-${cue.source}-${place}`;
}

/** The shares over all moments, by how long and how reliable each is, and how reliable they are altogether. */
export function overall(moments: readonly Moment[]): { readonly shares: Shares; readonly reliability: number } {
  let [seconds, total] = [0, 0];
  const shares: Record<string, number> = {};
  for (const moment of moments) {
    const length = Math.max(moment.end - moment.start, 1e-3);
    seconds += length;
    total += length * moment.reliability;
    for (const [label, share] of Object.entries(moment.shares)) shares[label] = (shares[label] ?? 0) + share * length * moment.reliability;
  }
  if (!total) return { shares: {}, reliability: 0 };
  return { shares: Object.fromEntries(Object.entries(shares).map(([label, share]) => [label, share / total])), reliability: total / seconds };
}

/** The weight of each sense in the vote, of all weight. */
function votesOf(sensed: readonly Sensed[]): Shares {
  const weights = sensed.map(({ source, moments }) => [source, (TRUST[source] ?? 0.5) * overall(moments).reliability] as const);
  const total = weights.reduce((all, [, weight]) => all + weight, 0);
  return Object.fromEntries(weights.map(([source, weight]) => [source, total ? weight / total : 0]));
}

export const bestOf = (shares: Shares): string => Object.keys(shares).reduce((best, label) => (!best || shares[label]! > shares[best]! ? label : best), "");

function laneOf(sensed: Sensed, { conflict }: Readings, axis: Axis, vote: number, cited: readonly Cue[], prefix: string): Lane {
  const { shares, reliability } = overall(sensed.moments);
  const emotion = bestOf(shares);
  const order = Object.keys(shares).sort((a, b) => shares[b]! - shares[a]!);
  const shown = seamless(sensed.moments).filter((moment) => Object.keys(moment.shares).length);
  const marks = marksOf(sensed, axis, cited, prefix);
  return {
    source: sensed.source,
    emotion,
    share: shares[emotion] ?? 0,
    reliability,
    vote,
    note: sensed.note || (emotion ? "" : sensed.cues.length ? "No emotion was read, only cues." : "Nothing to go by."),
    piles: shown.map((moment) => pileOf(moment, axis, order)),
    runs: groups(shown).map((group) => runOf(group, axis)),
    marks,
    unshown: sensed.cues.length - marks.length,
    disputed: !!conflict?.text.includes(`the ${sensed.source} `),
  };
}

/** Moments reach up to the next one where only the time between two frames lies between them. */
function seamless(moments: readonly Moment[]): readonly Moment[] {
  return moments.map((moment, at) => {
    const next = moments[at + 1]?.start ?? moment.end;
    return next > moment.end && next - moment.end <= SEAM ? { ...moment, end: next } : moment;
  });
}

/** The emotion that leads the lane lies at the bottom, so that a lane reads as a landscape. */
function pileOf(moment: Moment, axis: Axis, order: readonly string[]): Pile {
  const total = Object.values(moment.shares).reduce((all, share) => all + share, 0) || 1;
  let base = 100;
  const slices = order.flatMap((emotion): Slice[] => {
    const height = (100 * (moment.shares[emotion] ?? 0)) / total;
    if (height < 1) return [];
    base -= height;
    return [{ emotion, top: base, height }];
  });
  return { place: placeOf(axis, moment), slices, reliability: moment.reliability, when: whenOf(axis, moment), shares: moment.shares };
}

function groups(moments: readonly Moment[]): readonly (readonly Moment[])[] {
  return moments.reduce<Moment[][]>((all, moment) => {
    const last = all.at(-1);
    if (last && bestOf(last[0]!.shares) === bestOf(moment.shares)) last.push(moment);
    else all.push([moment]);
    return all;
  }, []);
}

function runOf(group: readonly Moment[], axis: Axis): Run {
  const span = { start: group[0]!.start, end: Math.max(group.at(-1)!.end, group[0]!.start) };
  const emotion = bestOf(group[0]!.shares);
  return { place: placeOf(axis, span), emotion, share: overall(group).shares[emotion] ?? group[0]!.shares[emotion]!, when: whenOf(axis, span) };
}

function marksOf({ source, cues }: Sensed, axis: Axis, cited: readonly Cue[], prefix: string): readonly Mark[] {
  return cues.flatMap((cue, place): Mark[] => {
    const named = cited.some((each) => each.source === source && cues.findIndex((other) => same(other, each)) === place);
    if (place >= MOST_CUES && !named) return [];
    return [{ id: `${prefix}-${source}-${place}`, text: cue.text, strength: strengthOf(cue), when: whenOf(axis, cue), place: placeOf(axis, cue), cited: named }];
  });
}

const same = (measured: Measured, cue: Cue): boolean => measured.start === cue.start && measured.end === cue.end && cue.quote.startsWith(measured.text);
const strengthOf = ({ strength }: Measured): string => STRENGTHS.find(([least]) => strength >= least)?.[1] ?? "slight";
