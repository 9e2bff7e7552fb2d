/** Voice and face, intended against recognised: what the senses make of each, and which way each quality of the voice went. */
import { percent } from "../../parts/names";
import type { Carried, Identity, Performance } from "../../wire";

export type State = "ok" | "not-ok" | "open";
export const SIGNS: Readonly<Record<State, string>> = { ok: "✓", "not-ok": "✗", open: "–" };

/** One emotion as the senses find it. */
export interface Bar {
  readonly emotion: string;
  readonly share: number;
  readonly recognised: boolean;
  readonly intended: boolean;
}

/** A bar from the middle of a scale to one side, in percent of its length. */
export interface Stretch {
  readonly left: number;
  readonly width: number;
}

/** One quality of the voice: the change that was asked for, and the one that was measured, in steps to the ear. */
export interface Quality {
  readonly name: string;
  readonly low: string;
  readonly high: string;
  readonly state: State;
  readonly verdict: string;
  /** Such as «asked 1.8 lower, measured 1.2 lower». */
  readonly told: string;
  readonly wanted: Stretch;
  readonly got: Stretch | null;
}

export interface Channel {
  readonly name: Carried["channel"];
  readonly madeBy: string;
  readonly intended: string;
  /** The senses' own class for what was intended; empty where they have none. */
  readonly meant: string;
  readonly recognised: string;
  readonly share: number;
  readonly state: State;
  readonly verdict: string;
  /** The verdict as a part of a sentence. */
  readonly clause: string;
  readonly note: string;
  readonly bars: readonly Bar[];
  readonly qualities: readonly Quality[];
  /** Steps that the scale goes to either side. */
  readonly scale: number;
}

/** Steps: a change that is asked for and smaller than this is not judged; heartfelt/expression/proof has it so. */
const AUDIBLE = 0.5;
/** Emotions in a bar list, beside the intended one. */
const TOP = 5;
/** Steps that are written as none. */
const UNCHANGED = 0.05;
/** What people call a quality of the voice, and its two directions. */
const QUALITIES: ReadonlyMap<string, readonly [name: string, low: string, high: string]> = new Map([
  ["pitch", ["pitch", "lower", "higher"]],
  ["range", ["melody", "flatter", "livelier"]],
  ["rate", ["pace", "slower", "faster"]],
  ["energy", ["loudness", "softer", "louder"]],
  ["brightness", ["brightness", "darker", "brighter"]],
]);

export const channelsOf = (made: Performance): readonly Channel[] => made.carried.map((carried) => channelOf(carried, carried.channel === "voice" ? made.voice : made.face));

export function channelOf(carried: Carried, madeBy: string): Channel {
  const state = stateOf(carried);
  const scale = scaleOf(carried);
  return {
    name: carried.channel,
    madeBy,
    intended: carried.intended,
    meant: carried.expected,
    recognised: carried.recognised,
    share: carried.shares[carried.recognised] ?? 0,
    state,
    ...wordsOf(carried, state),
    note: carried.note && `${carried.note[0]!.toUpperCase()}${carried.note.slice(1).replace(/\.+$/, "")}.`,
    bars: barsOf(carried),
    qualities: qualitiesOf(carried, scale),
    scale,
  };
}

/** What could not be measured agrees with nothing: it is open. */
export const stateOf = ({ agrees, note }: Carried): State => (!agrees ? "not-ok" : note ? "open" : "ok");

/** The qualities that were to change so much that it can be heard. */
export const judged = ({ qualities }: Channel): readonly Quality[] => qualities.filter(({ state }) => state !== "open");

/** What became of it, as parts of a sentence. */
export function clausesOf(made: Performance, channels: readonly Channel[]): readonly string[] {
  const measured = new Set(channels.map(({ name }) => name));
  return [
    ...(measured.has("voice") ? [] : ["the voice was not measured"]),
    ...channels.map(({ clause }) => clause),
    ...(measured.has("face") ? [] : [made.face ? "the face was not looked at" : "no face was shown"]),
    ...(made.attempts.length ? [`it was made at ${made.attempts.map(({ intensity }) => percent(intensity)).join(" and ")}, and the better one kept`] : []),
  ];
}

/** «Maya», «Somebody from seed 7», «An elderly man»: as a sentence begins. */
export function whoOf({ name, age, gender }: Identity): string {
  const [kind, number] = name.split(/:(.*)/s);
  if (number !== undefined) return `Somebody from ${kind} ${number}`;
  if (name) return name[0]!.toUpperCase() + name.slice(1);
  if (age === "child") return "A child";
  return `${age === "elderly" ? "An" : "A"} ${age} ${gender === "male" ? "man" : "woman"}`;
}

/** The verdict alone, and as a part of a sentence. */
function wordsOf(carried: Carried, state: State): { readonly verdict: string; readonly clause: string } {
  const { channel, recognised, expected, note } = carried;
  if (recognised) {
    const instead = expected ? `, and ${expected} was intended` : ", which was not intended";
    const found = `${channel === "face" ? "seen as" : "heard as"} ${recognised}${{ ok: ", as intended", "not-ok": instead, open: "" }[state]}`;
    return { verdict: state === "open" ? `${found}, not judged` : found, clause: `the ${channel} is ${found}` };
  }
  if (Object.keys(carried.wanted).length && state !== "open") {
    const changed = state === "ok" ? "changed as intended" : "did not change as intended";
    return { verdict: changed, clause: `the ${channel} ${changed}` };
  }
  if (state === "ok") return { verdict: "nothing was measured", clause: `nothing was measured of the ${channel}` };
  const verdict = state === "open" ? "not judged" : "not as intended";
  return { verdict, clause: `the ${channel} is ${verdict}${note && ` (${note.replace(/\.+$/, "")})`}` };
}

function barsOf({ shares, expected, recognised }: Carried): readonly Bar[] {
  return [...finite(shares)]
    .sort(([, a], [, b]) => b - a)
    .filter(([emotion], place) => place < TOP || emotion === expected)
    .map(([emotion, share]) => ({ emotion, share: Math.min(Math.max(share, 0), 1), recognised: emotion === recognised, intended: emotion === expected }));
}

const scaleOf = ({ wanted, measured }: Carried): number => Math.max(1, Math.ceil(Math.max(1, ...[...finite(wanted).values(), ...finite(measured).values()].map(Math.abs))));

function qualitiesOf(carried: Carried, scale: number): readonly Quality[] {
  const [wanted, measured] = [finite(carried.wanted), finite(carried.measured)];
  const known = [...[...QUALITIES.keys()].filter((name) => wanted.has(name)), ...[...wanted.keys()].filter((name) => !QUALITIES.has(name))];
  return known.map((key) => qualityOf(key, wanted.get(key)!, measured.get(key), scale));
}

function qualityOf(key: string, asked: number, measured: number | undefined, scale: number): Quality {
  const [name, low, high] = QUALITIES.get(key) ?? [key, "less", "more"];
  const state = measured === undefined || Math.abs(asked) < AUDIBLE ? "open" : measured * asked > 0 ? "ok" : "not-ok";
  const way = (steps: number) => (Math.abs(steps) < UNCHANGED ? "no change" : `${Math.abs(steps).toFixed(Math.abs(steps) >= 1 ? 1 : 2)} ${steps > 0 ? high : low}`);
  const stretch = (steps: number): Stretch => ({ left: steps < 0 ? 50 + (50 * steps) / scale : 50, width: (50 * Math.abs(steps)) / scale });
  return {
    name,
    low,
    high,
    state,
    verdict: measured === undefined ? "not measured" : { ok: "the right way", "not-ok": "the other way", open: "hardly asked for" }[state],
    told: `asked ${way(asked)}${measured === undefined ? "" : `, measured ${way(measured)}`}`,
    wanted: stretch(asked),
    got: measured === undefined ? null : stretch(measured),
  };
}

/** What a file tells as nothing was no number. */
const finite = (scores: Readonly<Record<string, number>>): ReadonlyMap<string, number> => new Map(Object.entries(scores).filter(([, value]) => Number.isFinite(value)));
