import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { Carried, Performance } from "../../wire";
import { channelOf, judged, stateOf, whoOf } from "./channels";
import type { Medium } from "./media";
import { Performed } from "./Performed";

const BARE: Carried = { channel: "voice", intended: "sad", expected: "", recognised: "", shares: {}, wanted: {}, measured: {}, agrees: true, note: "" };
const VOICE: Carried = { ...BARE, wanted: { pitch: -1.8, range: -2.4, rate: -1.6, energy: -1.1, brightness: -0.3 }, measured: { pitch: -1.2, range: -2.9, rate: -1.1, energy: 0.4, brightness: -0.8 } };
const SHARES = { neutral: 0.52, fear: 0.2, anger: 0.1, disgust: 0.08, surprise: 0.06, sadness: 0.03, joy: 0.01 };
const FACE: Carried = { ...BARE, channel: "face", expected: "sadness", recognised: "neutral", shares: SHARES, agrees: false, note: "the face looks like neutral, and sadness was intended" };
const MADE: Performance = {
  emotion: "sad",
  intensity: 0.62,
  tone: "gentle",
  identity: { name: "maya", age: "young", gender: "female", timbre: "mid" },
  voice: "kokoro-82m",
  face: "heartfelt-face",
  seconds: 7.2,
  files: ["reply.wav", "timeline.json", "reply.mp4"],
  carried: [VOICE, FACE],
  findings: [{ step: "express", problem: "The face looks like neutral, and sadness was intended.", instruction: "More of it.", by: "code" }],
  attempts: [],
  ms: { voice: 1400, face: 8800, proof: 3100 },
};
const FILM: Medium = { kind: "film", name: "reply.mp4", bytes: 409_060, source: "data:video/mp4;base64,AAAA", link: "./reply.mp4", poster: { width: 64, height: 48, data: "BBBB" }, captions: "data:text/vtt;base64,CCCC" };
const shown = (change: Partial<Performance> = {}, ...media: readonly Medium[]) => renderToStaticMarkup(createElement(Performed, { made: { ...MADE, ...change }, media: { shown: media, remarks: [] } }));
const text = (markup: string) => markup.replace(/<[^>]+>/g, "");

test("a sentence tells it all", () => {
  expect(text(shown())).toContain("Maya says it with sad at 62 %, in a gentle tone; the voice changed as intended; the face is seen as neutral, and sadness was intended.");
});

test("a second attempt is told", () => {
  const attempts = [{ intensity: 0.37, carried: [FACE], kept: false }, { intensity: 0.62, carried: [FACE], kept: true }];
  expect(text(shown({ attempts }))).toContain("; it was made at 37 % and 62 %, and the better one kept.");
});

test("what was to be carried stands there in numbers", () => {
  for (const told of ["young-female-mid", "kokoro-82m", "heartfelt-face", "7.2 s", "62 %", "1.4 s", "8.8 s", "3.1 s", "Time it took, 13.3 s", "reply.wav, timeline.json, reply.mp4", "3 of 4 changes the right way", "the senses call it sadness", "found by a rule", "To mend: More of it."])
    expect(text(shown())).toContain(told);
});

test("the intended class is marked even where it is far down", () => {
  const channel = channelOf(FACE, "face");
  expect(channel.bars.filter(({ intended }) => intended).map(({ emotion }) => emotion)).toEqual(["sadness"]);
  expect(channel.bars).toHaveLength(6);
  expect(channel.state).toBe("not-ok");
  const seen = channelOf({ ...FACE, recognised: "sadness", agrees: true, note: "" }, "face");
  expect([seen.state, seen.verdict]).toEqual(["ok", "seen as sadness, as intended"]);
});

test("what could not be judged is neither right nor wrong", () => {
  const faint = { ...VOICE, note: "too faint a change to be measured" };
  const unknown = { ...FACE, expected: "", agrees: true, note: "the senses have no class for it" };
  expect([stateOf(faint), stateOf(unknown)]).toEqual(["open", "open"]);
  const page = shown({ carried: [faint, unknown], findings: [] });
  expect(page).toContain("The senses have no class for it.");
  expect(page).toContain("Too faint a change to be measured.");
});

test("what was not found or not measured is told", () => {
  expect(shown({ carried: [VOICE, { ...BARE, channel: "face", agrees: false, note: "no face is found in the film" }] })).toContain("the face is not as intended (no face is found in the film)");
  expect(text(shown({ carried: [], findings: [], ms: {} }))).toContain("the voice was not measured; the face was not looked at");
  expect(text(shown({ carried: [], face: "" }))).toContain("no face was shown");
});

test("each quality of the voice is told in words", () => {
  const qualities = channelOf(VOICE, "voice").qualities;
  expect(qualities.map(({ name, told, verdict }) => [name, told, verdict])).toEqual([
    ["pitch", "asked 1.8 lower, measured 1.2 lower", "the right way"],
    ["melody", "asked 2.4 flatter, measured 2.9 flatter", "the right way"],
    ["pace", "asked 1.6 slower, measured 1.1 slower", "the right way"],
    ["loudness", "asked 1.1 softer, measured 0.40 louder", "the other way"],
    ["brightness", "asked 0.30 darker, measured 0.80 darker", "hardly asked for"],
  ]);
  expect(judged(channelOf(VOICE, "voice"))).toHaveLength(4);
});

test("bars go from the middle to their side and never beyond the scale", () => {
  for (const { wanted, got } of channelOf(VOICE, "voice").qualities)
    for (const stretch of [wanted, got!]) expect(stretch.left >= 0 && stretch.left + stretch.width <= 100.01).toBe(true);
  const loudness = channelOf(VOICE, "voice").qualities[3]!;
  expect(loudness.wanted.left + loudness.wanted.width).toBe(50);
  expect(loudness.got!.left).toBe(50);
});

test("odd numbers break nothing", () => {
  const odd = { ...BARE, wanted: { pitch: null as unknown as number, grit: 0, rate: 2, toString: 1 }, measured: { grit: 0.01 } };
  expect(channelOf(odd, "x").qualities.map(({ name, told, verdict }) => [name, told, verdict])).toEqual([
    ["pace", "asked 2.0 faster", "not measured"],
    ["grit", "asked no change, measured no change", "hardly asked for"],
    ["toString", "asked 1.0 more", "not measured"],
  ]);
});

test("the note of a channel that a finding repeats is told once", () => {
  expect(shown().match(/The face looks like neutral/g)).toHaveLength(1);
});

test("whoever speaks has a name", () => {
  const who = (change: Partial<Performance["identity"]>) => whoOf({ ...MADE.identity, name: "", ...change });
  expect([who({ name: "maya" }), who({ name: "seed:7" }), who({ age: "elderly", gender: "male" }), who({}), who({ age: "child" })]).toEqual(["Maya", "Somebody from seed 7", "An elderly man", "A young woman", "A child"]);
});

test("a film is played in the page, with its captions; one that is too large lies beside it", () => {
  const played = shown({}, FILM);
  expect(played).toMatch(/<video controls="" playsInline="" preload="metadata" aria-label="Maya says the reply" width="64" height="48" poster="data:image\/jpeg;base64,BBBB"/);
  expect(played).toContain('<track kind="captions" label="The reply" src="data:text/vtt;base64,CCCC"/>');
  expect(played).not.toContain("autoplay");
  expect(text(played)).toContain("reply.mp4, 7.2 s, 409 kB, in this page");
  const beside = shown({}, { ...FILM, source: "" }, { ...FILM, kind: "sound", name: "reply.wav" });
  expect(text(beside)).toContain("The film lies beside this page: reply.mp4");
  expect(beside).toContain('href="./reply.mp4"');
  expect(beside).toContain("<audio");
  expect(beside).not.toContain("<video");
});
