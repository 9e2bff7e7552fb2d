/** Where the evidence stands in what was said. */
import type { Cause, Cue, Evidence } from "../wire";
import type { Pass } from "./story";

export interface Stretch {
  readonly text: string;
  /** What was noticed here; empty for plain text. */
  readonly cues: readonly Cue[];
  readonly cause: boolean;
}

interface Found {
  readonly from: number;
  readonly to: number;
  readonly cue?: Cue;
}

/** The text cut where marks begin and end. Quotes are sought without regard to case; what is not found is not marked. */
export function marked(text: string, cues: readonly Cue[], causes: readonly string[] = []): readonly Stretch[] {
  const found = [...cues.filter((cue) => cue.source === "words").flatMap((cue) => places(text, cue.quote, cue)), ...causes.flatMap((span) => places(text, span))];
  const cuts = [...new Set([0, text.length, ...found.flatMap(({ from, to }) => [from, to])])].sort((a, b) => a - b);
  return cuts.slice(0, -1).map((from, index) => {
    const here = found.filter((mark) => mark.from <= from && mark.to > from);
    return {
      text: text.slice(from, cuts[index + 1]),
      cues: here.flatMap((mark) => mark.cue ?? []),
      cause: here.some((mark) => mark.cue === undefined),
    };
  });
}

export function evidenceOf(pass: Pass | undefined): Evidence | undefined {
  return outputs(pass).find((output): output is Evidence => output.kind === "evidence");
}

export function causeOf(pass: Pass | undefined): Cause | undefined {
  return outputs(pass).find((output): output is Cause => output.kind === "cause");
}

const outputs = (pass: Pass | undefined) => (pass?.steps ?? []).flatMap((step) => step.record?.output ?? []);

function places(text: string, quote: string, cue?: Cue): Found[] {
  const from = quote ? text.toLowerCase().indexOf(quote.toLowerCase()) : -1;
  return from < 0 ? [] : [{ from, to: from + quote.length, ...(cue && { cue }) }];
}
