import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { LABELS, type Cue, type Keyframe, type Moment, type Readings, type Word } from "../../wire";
import { axisOf, clock, marksOf, placeOf, whenOf } from "./axis";
import { anchorOf, hueOf, HUES, lanesOf, overall } from "./lanes";
import { SensedTurn } from "./SensedTurn";
import { heardOf, sentencesOf, ticksOf } from "./spoken";
import { stillsOf } from "./stills";

const moment = (start: number, end: number, reliability: number, shares: Record<string, number>): Moment => ({ start, end, shares, reliability });
const word = (text: string, start: number): Word => ({ text, start, end: start + 0.3, confidence: null });
const SMILE = { source: "face", text: "smiles", start: 1.2, end: 3.4, strength: 0.8 } as const;
const SIGNS = Array.from({ length: 5 }, (_, n) => ({ source: "face" as const, text: `sign ${n}`, start: n, end: n + 0.5, strength: 0.2 }));
const CITED: Cue = { source: "face", quote: "smiles, 1.2–3.4 s, strong", meaning: "joy", start: 1.2, end: 3.4 };
const READINGS: Readings = {
  duration: 4.2,
  sensed: [
    { source: "words", language: "", moments: [moment(0.4, 2.1, 0.8, { neutral: 0.7, joy: 0.3 }), moment(2.1, 4, 0.8, { sadness: 0.8, joy: 0.2 })], cues: [], note: "" },
    { source: "voice", language: "", moments: [], cues: [{ source: "voice", text: "long pause", start: 1.5, end: 2.6, strength: 0.5 }], note: "" },
    { source: "face", language: "", moments: [0, 1, 2, 3].map((second) => moment(second, second + 0.9, 0.5 - 0.08 * second, { joy: 0.7, sadness: 0.3 })), cues: [SMILE, ...SIGNS], note: "Half of it was dark." },
  ],
  words: [word("I'm", 0.4), { ...word("fine,", 1), confidence: 0.3 }],
  shares: { sadness: 0.6, joy: 0.4 },
  conflict: { start: 2.1, end: 3.4, score: 0.9, text: "the words tell of sadness while the face shows joy" },
};
const lanes = lanesOf(READINGS, axisOf(READINGS.duration), [CITED], "turn-0");
const page = (readings: Readings, keyframes: readonly Keyframe[] = []) => renderToStaticMarkup(createElement(SensedTurn, { turn: { speaker: "Ana", text: "x", emotion: null, keyframes, readings }, readings, cited: [CITED], name: "turn-0" }));

test("every sense is told with what it was worth", () => {
  expect(lanes.map(({ vote }) => Math.round(100 * vote))).toEqual([72, 0, 28]);
  const told = page(READINGS);
  for (const text of ["reliability 80 % · vote 72 %", "reliability 38 % · vote 28 %", "the voice casts no vote", "No emotion was read, only cues.", "Half of it was dark."]) expect(told).toContain(text);
  expect(told.match(/>disagrees</g)).toHaveLength(2);
  expect(told).toContain("2.1–3.4 s");
});

test("moments count by how long and how reliable they are", () => {
  const { shares, reliability } = overall([moment(0, 3, 0.5, { joy: 1 }), moment(3, 4, 0.1, { joy: 0, fear: 1 })]);
  expect(shares.joy).toBeCloseTo(1.5 / 1.6);
  expect(reliability).toBeCloseTo(0.4);
  expect(overall([])).toEqual({ shares: {}, reliability: 0 });
});

test("a cited cue has its place, others only while there is room", () => {
  expect(anchorOf(READINGS, CITED, "turn-0")).toBe("turn-0-face-0");
  expect(anchorOf(READINGS, { ...CITED, start: 0 }, "turn-0")).toBe("");
  expect(lanes[2]!.marks.map(({ id, cited, strength }) => [id, cited, strength])).toEqual([
    ["turn-0-face-0", true, "strong"],
    ["turn-0-face-1", false, "slight"],
    ["turn-0-face-2", false, "slight"],
  ]);
  expect(lanes[2]!.unshown).toBe(3);
});

test("pictures of lanes are told to those who do not see them", () => {
  expect(page(READINGS)).toContain("words: neutral 70 % at 0.4–2.1 s, then sadness 80 % at 2.1–4.0 s.");
});

test("a picture, silence and nothing at all are told as well", () => {
  const nothing: Readings = { ...READINGS, sensed: [{ source: "face", language: "", moments: [], cues: [], note: "Nothing." }], words: [], shares: {}, conflict: null };
  expect(page(nothing)).toContain("No sense had enough to go by");
  const picture: Readings = { ...nothing, duration: 0, sensed: [{ source: "face", language: "", moments: [moment(0, 0, 0.6, { joy: 1 })], cues: [], note: "" }], shares: { joy: 1 } };
  expect(page(picture)).toContain("all of it");
  expect(page({ ...nothing, sensed: [] })).not.toContain("undefined");
});

test("times are written for people", () => {
  expect([2.14, 65, 3725].map((time) => clock(time))).toEqual(["2.1 s", "1:05", "1:02:05"]);
  expect(whenOf(axisOf(90), { start: 61, end: 75 })).toBe("1:01–1:15");
});

test.each([0.2, 1, 3.9, 17, 61, 600, 3600, 12 * 3600])("marks are few and on the line of %s seconds", (seconds) => {
  const marks = marksOf(axisOf(seconds));
  expect(marks.length).toBeGreaterThanOrEqual(1);
  expect(marks.length).toBeLessThanOrEqual(7);
  for (const [left] of marks) expect(left >= 0 && left <= 100).toBe(true);
});

test.each([[0, 0], [0, 99], [9.99, 10], [12, 15]])("nothing is drawn beyond the line: %s to %s", (start, end) => {
  const { left, width } = placeOf(axisOf(10), { start: start!, end: end! });
  expect(left >= 0 && width > 0 && left + width <= 100.001).toBe(true);
});

test("many words become sentences, and what may be misheard is marked", () => {
  const words = Array.from({ length: 120 }, (_, n) => word(n % 12 === 11 ? "so." : "word", 0.4 * n));
  expect(sentencesOf(words).map((group) => group.length)).toEqual(Array(10).fill(12));
  expect(heardOf(words)[1]).toEqual({ text: `${"word ".repeat(11)}so.`, when: "4.8 s", unsure: false });
  expect(sentencesOf(Array.from({ length: 65 }, (_, n) => word("and", n)))).toHaveLength(3);
  expect(heardOf(READINGS.words).map(({ unsure }) => unsure)).toEqual([false, true]);
  expect(ticksOf(Array.from({ length: 9000 }, (_, n) => word("word", n)), axisOf(9000)).length).toBeLessThanOrEqual(400);
});

test("stills stand near their times and never overlap", () => {
  for (const times of [[0, 0.1, 0.2, 3.9], [3.9, 4], [2], Array.from({ length: 12 }, (_, n) => n / 10), Array.from({ length: 30 }, (_, n) => n / 10)]) {
    const placed = stillsOf(times.map((time) => ({ time, mime: "image/jpeg", data: "" })), 4);
    expect(placed.length).toBe(Math.min(times.length, 12));
    expect(placed.every(({ gap }) => gap >= 0)).toBe(true);
    expect(placed.reduce((all, { width, gap }) => all + width + gap, 0)).toBeLessThan(100.2);
  }
});

test("every emotion of the senses has a colour of its own", () => {
  expect([...HUES.keys()].sort()).toEqual([...LABELS.meld!].sort());
  expect(new Set(HUES.values()).size).toBe(HUES.size);
  expect(hueOf("constructor")).toBe(0);
});
