import { expect, test } from "vitest";
import type { SaidWord } from "../wire";
import { wordAt } from "./useSpokenWord";

const word = (text: string, start: number, end: number, at: number): SaidWord => ({ text, start, end, at, spoken: text, confidence: null });
const WORDS = [word("I", 0.1, 0.2, 0), word("am", 0.25, 0.4, 2), word("here", 0.5, 0.9, 5)];

test.each([
  [0, -1],
  [0.1, 0],
  [0.22, 0],
  [0.3, 1],
  [7, 2],
])("at %f seconds it is word %i", (seconds, expected) => {
  expect(wordAt(WORDS, seconds)).toBe(expected);
});

test("without words there is none", () => expect(wordAt([], 1)).toBe(-1));
