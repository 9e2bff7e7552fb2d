/** What was heard, with its times: word by word where there are few, sentence by sentence where there are many. */
import type { Word } from "../../wire";
import { clock, placeOf, type Axis, type Place } from "./axis";

export interface Heard {
  readonly text: string;
  readonly when: string;
  /** Whether it may be misheard. */
  readonly unsure: boolean;
}

/** Words that are shown one by one. */
export const MOST_WORDS = 60;
const MOST_TICKS = 400;
const UNSURE = 0.5;
const ENDS = /[.?!…]$/;
/** Words in a sentence, for speech that comes without full stops. */
const LONGEST = 30;

export function heardOf(words: readonly Word[]): readonly Heard[] {
  const groups = words.length <= MOST_WORDS ? words.map((word) => [word]) : sentencesOf(words);
  return groups.map((group) => ({ text: group.map(({ text }) => text).join(" "), when: clock(group[0]!.start), unsure: group.length === 1 && (group[0]!.confidence ?? 1) < UNSURE }));
}

export function sentencesOf(words: readonly Word[]): readonly (readonly Word[])[] {
  return words.reduce<Word[][]>((all, word) => {
    const last = all.at(-1);
    if (last && !ENDS.test(last.at(-1)!.text) && last.length < LONGEST) last.push(word);
    else all.push([word]);
    return all;
  }, []);
}

/** Where on the line of time somebody speaks. */
export function ticksOf(words: readonly Word[], axis: Axis): readonly Place[] {
  const step = Math.ceil(words.length / MOST_TICKS) || 1;
  return words.filter((_, at) => at % step === 0).map((word, at) => placeOf(axis, { start: word.start, end: Math.max((words[at * step + step - 1] ?? words.at(-1)!).end, word.start) }));
}
