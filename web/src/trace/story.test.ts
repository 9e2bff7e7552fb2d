import { expect, test } from "vitest";
import type { Output, StepRecord, TraceEvent } from "../wire";
import { chosen, current, isByHand, replyOf, storyOf, tell, UNTOLD, type Told } from "./story";

const DIALOGUE = { turns: [], listener: "Maya", id: "", split: "", lesson: null };
const started: TraceEvent = { kind: "turn started", version: "1", setup: {}, dialogue: DIALOGUE, dialogue_hash: "", steps: ["forecast", "respond"], audited: ["respond"], model: "m" };
const reply = (text: string): Output => ({ kind: "reply", text });
const record = (step: string, output: Output, made_in = 0): StepRecord => ({ step, made_in, output, calls: [], findings: [], ms: 1, planted: false, edited: false });
const begun = (number: number, kept: string[] = [], given: StepRecord[] = []): TraceEvent => ({ kind: "pass started", number, started_from: "", kept, given, instruction: "" });
const finished = (text: string, pass: number): TraceEvent => ({ kind: "turn finished", reply: text, chosen: pass, why_chosen: "", stopped: "no audit", left_out: [], guarded: [], ms: 1 });
const told = (...events: TraceEvent[]): Told[] => events.map((event) => ({ event, looking_back: false }));
const done = (number: number, made: StepRecord): TraceEvent => ({ kind: "step finished", number, record: made });

test("a step is ahead, under way and done, in this order", () => {
  const begin = told(started, begun(0), { kind: "step started", number: 0, step: "forecast" });
  expect(current(storyOf(begin).answer)?.step).toBe("forecast");
  const after = storyOf([...begin, ...told(done(0, record("forecast", reply("x"))))]);
  expect(after.answer.passes[0]?.steps.map((step) => step.state)).toEqual(["done", "ahead"]);
});

test("the reply grows as it is written, and ends as it was settled on", () => {
  const writing = storyOf(told(started, begun(0), { kind: "step started", number: 0, step: "respond" }, { kind: "wrote", number: 0, piece: "I am " }, { kind: "wrote", number: 0, piece: "here" }));
  expect(replyOf(writing.answer)).toBe("I am here");
  expect(replyOf(tell(writing, { event: finished("I am here.", 0), looking_back: false }).answer)).toBe("I am here.");
});

test("a second pass keeps the very records of the first, and the chosen one is found", () => {
  const kept = record("forecast", reply("x"));
  const { answer } = storyOf(told(started, begun(0), done(0, kept), done(0, record("respond", reply("a"))), begun(1, ["forecast"]), done(1, record("respond", reply("b"), 1)), finished("b", 1)));
  expect(answer.passes[1]?.steps[0]).toEqual({ step: "forecast", state: "kept", record: kept });
  expect(chosen(answer)?.number).toBe(1);
});

test("a look back stands beside the answer and changes nothing in it", () => {
  const answered = storyOf(told(started, begun(0), done(0, record("respond", reply("a"))), finished("a", 0)));
  const back = [started, begun(0, [], [record("respond", reply("a"))]), finished("b", 1)].reduce((story, event) => tell(story, { event, looking_back: true }), answered);
  expect(back.answer).toBe(answered.answer);
  expect(back.back?.finished?.reply).toBe("b");
});

test("answering again begins again", () => {
  const failed = storyOf(told(started, begun(0), { kind: "turn failed", error: "E", message: "no", step: "", raw: "" }));
  expect(tell(failed, { event: started, looking_back: false }).answer).toEqual({ ...UNTOLD.answer, started });
});

test("an event for a pass that is not known is no accident", () => {
  expect(storyOf(told(done(3, record("respond", reply("a")))))).toEqual(UNTOLD);
});

test("a reply that may yet be kept back is not shown before it was told", () => {
  const made = storyOf(told(started, begun(0), { kind: "step started", number: 0, step: "respond" }, { kind: "wrote", number: 0, piece: "I am here." }, done(0, record("respond", reply("I am here. I am a doctor.")))));
  expect(replyOf(made.answer)).toBe("I am here.");
});

test("what was said instead stands where the words were, and what was kept back beside it", () => {
  const guarded: TraceEvent = { kind: "guarded", number: 0, why: "It claims to be a doctor.", kept_back: "I am a doctor.", reply: "I am here." };
  const { answer } = storyOf(told(started, begun(0), done(0, record("respond", reply("I am here. I am a doctor."))), guarded));
  expect(answer.passes[0]?.steps.find((step) => step.step === "respond")?.record?.output).toEqual(reply("I am here."));
  expect(answer.guarded).toEqual([guarded]);
});

test("what was looked for first is part of the story", () => {
  const alert = { tier: "none" as const, danger: null, who: null, state: "" as const, act: "" as const, acts: [], language: "", signs: [], unease: 0, failed: ["reader: no answer within 8 s"], ms: 8000 };
  expect(storyOf(told(started, { kind: "screened", alert })).answer.screened).toBe(alert);
});

test("another answer that somebody kept stands beside the first one, and nobody has looked back on it", () => {
  const first = storyOf([...told(started, begun(0), done(0, record("respond", reply("a"))), finished("a", 0)), { event: started, looking_back: true }]);
  const byHand = record("forecast", { kind: "forecast", emotion: "angry", labels: "ed32", confidence: null, distribution: null, conflict: "", why: "" });
  const kept = told(begun(1, ["forecast"], [{ ...byHand, edited: true }]), done(1, record("respond", reply("b"))), finished("b", 1));
  const second = kept.reduce(tell, first);
  expect(second.answer.answers.map((each) => each.reply)).toEqual(["a", "b"]);
  expect([replyOf(second.answer), second.back, second.answer.passes.map(isByHand)]).toEqual(["b", null, [false, true]]);
  const again = kept.reduce(tell, second);
  expect(again.answer).toEqual(second.answer);
  expect(replyOf(tell(again, { event: finished("a", 0), looking_back: false }).answer)).toBe("a");
});
