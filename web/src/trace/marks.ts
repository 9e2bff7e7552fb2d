/** Where the evidence stands in what was said. */
import type { Cue, Output } from "../wire";
import { made, type Pass } from "./story";

/** What a record quotes from the dialogue. */
export interface Quote {
  readonly text: string;
  /** What the mark looks like. */
  readonly origin: "cue" | "cause";
  readonly meaning: string;
}

/** A stretch of text and the quotes that cover it. The stretches of a text, put together, are the text. */
export interface Stretch {
  readonly text: string;
  readonly quotes: readonly Quote[];
}

interface Found {
  readonly from: number;
  readonly to: number;
  readonly quote: Quote;
}

const EDGES = /^[\s.,;:!?…"'“”‘’]+|[\s.,;:!?…"'“”‘’]+$/g;
const ALIKE: readonly (readonly [RegExp, string])[] = [
  [/['’‘]/g, "['’‘]"],
  [/["“”]/g, '["“”]'],
];
const INSIDE = "[\\p{L}\\p{N}_]";

/** What the records quote from the dialogue, in their order. */
export function quotesOf(outputs: readonly Output[]): readonly Quote[] {
  return outputs.flatMap((output): readonly Quote[] => {
    if (output.kind === "evidence") return output.cues.filter((cue) => cue.source === "words").map(({ quote, meaning }) => ({ text: quote, origin: "cue", meaning }));
    if (output.kind === "cause") return output.spans.map((text) => ({ text, origin: "cause", meaning: `What set it off: ${output.summary || output.category}` }));
    return [];
  });
}

/** Each text cut where marks begin and end, so that marks may overlap. A quote is marked once: in the latest text that has it. */
export function marked(texts: readonly string[], quotes: readonly Quote[]): readonly (readonly Stretch[])[] {
  const found = texts.map((): Found[] => []);
  for (const quote of quotes)
    for (let at = texts.length - 1; at >= 0; at--) {
      const place = find(quote.text, texts[at]!);
      if (!place) continue;
      found[at]!.push({ from: place[0], to: place[1], quote });
      break;
    }
  return texts.map((text, at) => cut(text, found[at]!));
}

/** Where a quote stands, but for case, spaces and the shape of quotation marks; whole words before parts of words. */
export function find(quote: string, text: string): readonly [from: number, to: number] | null {
  const words = quote.replace(EDGES, "").split(/\s+/).filter(Boolean);
  if (!words.length) return null;
  const wanted = words.map(pattern).join("\\s+");
  const match = new RegExp(`(?<!${INSIDE})${wanted}(?!${INSIDE})`, "iu").exec(text) ?? new RegExp(wanted, "iu").exec(text);
  return match ? [match.index, match.index + match[0].length] : null;
}

const pattern = (word: string): string => ALIKE.reduce((made, [letter, any]) => made.replace(letter, any), word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));

function cut(text: string, found: readonly Found[]): readonly Stretch[] {
  const cuts = [...new Set([0, text.length, ...found.flatMap(({ from, to }) => [from, to])])].sort((a, b) => a - b);
  return cuts.slice(0, -1).map((from, index) => ({
    text: text.slice(from, cuts[index + 1]),
    quotes: found.filter((mark) => mark.from <= from && mark.to > from).map(({ quote }) => quote),
  }));
}

export const outputsOf = (pass: Pass | undefined): readonly Output[] => (pass?.steps ?? []).flatMap((step) => step.record?.output ?? []);

/** Cues that are no words, so that the text cannot show them. */
export const noticed = (pass: Pass | undefined): readonly Cue[] => (made(pass, "evidence")?.output.cues ?? []).filter((cue) => cue.source !== "words");
