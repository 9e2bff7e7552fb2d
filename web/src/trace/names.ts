import type { Output } from "../wire";

/** What the steps are called: once as a heading, once as something that is being done. */

interface Name {
  readonly title: string;
  readonly doing: string;
}

const NAMES: Readonly<Record<string, Name>> = {
  perceive: { title: "What stood out", doing: "noticing what stands out" },
  scenario: { title: "What happened", doing: "picturing what happened" },
  event: { title: "What happened", doing: "picturing what happened" },
  understand: { title: "What kind of message", doing: "understanding what it is about" },
  forecast: { title: "The feeling", doing: "sensing the feeling" },
  emotion: { title: "The feeling", doing: "sensing the feeling" },
  vote: { title: "The feeling", doing: "weighing the feeling" },
  cause: { title: "What set it off", doing: "finding what set it off" },
  plan: { title: "How to answer", doing: "considering how to answer" },
  strategy: { title: "How to answer", doing: "considering how to answer" },
  goal: { title: "What the answer is for", doing: "considering what would help" },
  recall: { title: "A remembered exchange", doing: "remembering something alike" },
  respond: { title: "The words", doing: "finding the words" },
  audit: { title: "Looking it over", doing: "looking it over" },
  voice: { title: "Speaking", doing: "speaking" },
  face: { title: "Drawing the face", doing: "drawing the face" },
  proof: { title: "Checking what arrives", doing: "checking what arrives" },
  deliver: { title: "Voice and face", doing: "choosing how to say it" },
};

/** For steps that somebody else has added: by what they make. */
const KINDS: Readonly<Record<Output["kind"], string>> = {
  evidence: "What stood out",
  scenario: "What happened",
  situation: "What kind of message",
  forecast: "The feeling",
  cause: "What set it off",
  plan: "How to answer",
  strategy: "How to answer",
  goal: "What the answer is for",
  exemplars: "A remembered exchange",
  reply: "The words",
  delivery: "Voice and face",
};

const TRIES = ["First try", "Second try", "Third try", "Fourth try", "Fifth try"];

/** Passes are counted from 0, tries from the first. */
export const tryOf = (pass: number): string => TRIES[pass] ?? `Try ${pass + 1}`;

export const titleOf = (step: string, kind?: Output["kind"]): string => NAMES[step]?.title ?? (kind ? KINDS[kind] : step);
export const doingOf = (step: string): string => NAMES[step]?.doing ?? step;
