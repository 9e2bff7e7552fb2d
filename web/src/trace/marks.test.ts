import { expect, test } from "vitest";
import type { Cue } from "../wire";
import { marked } from "./marks";

const cue = (quote: string, source: Cue["source"] = "words"): Cue => ({ source, quote, meaning: `means ${quote}`, start: null, end: null });

test("a quote is marked where it stands, whatever its case, and the text stays whole", () => {
  const stretches = marked("Fine, until I noticed.", [cue("fine, until")]);
  expect(stretches.map(({ text }) => text)).toEqual(["Fine, until", " I noticed."]);
  expect(stretches[0]?.cues[0]?.meaning).toBe("means fine, until");
});

test("cue and cause may overlap", () => {
  const stretches = marked("I failed my exam", [cue("I failed")], ["failed my exam"]);
  expect(stretches.map(({ text, cues, cause }) => [text, cues.length, cause])).toEqual([
    ["I ", 1, false],
    ["failed", 1, true],
    [" my exam", 0, true],
  ]);
});

test("what is not in the words is not marked", () => {
  expect(marked("Hello", [cue("brows drawn", "face"), cue("goodbye")])).toEqual([{ text: "Hello", cues: [], cause: false }]);
});
