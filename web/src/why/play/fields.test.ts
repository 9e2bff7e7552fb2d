import { expect, test } from "vitest";
import type { Output } from "../../wire";
import { editsOf, fieldsOf, wishesOf } from "./fields";

const FORECAST: Output = { kind: "forecast", emotion: "sad", labels: "ed32", confidence: null, distribution: null, conflict: "", why: "" };
const EVIDENCE: Output = { kind: "evidence", cues: [{ source: "words", quote: "a", meaning: "b", start: null, end: null }], summary: "" };

test("a feeling is chosen from the set that it was taken from", () => {
  expect(fieldsOf(FORECAST)[0]?.options).toContainEqual(["ashamed", "ashamed"]);
});

test("only what was changed becomes an edit", () => {
  const fields = fieldsOf(EVIDENCE);
  expect(wishesOf("perceive", fields, {})).toEqual({});
  const wishes = wishesOf("perceive", fields, { "cues.0.quote": "c ", "cues.0.meaning": "b" });
  expect(editsOf(wishes)).toEqual(["perceive.cues.0.quote=c"]);
});

test("nothing is set to nothing", () => {
  expect(wishesOf("forecast", fieldsOf(FORECAST), { emotion: " " })).toEqual({});
});
