/** Traces for tests: made of events, as a real turn makes them. */
import type { Audit, Call, Finding, Output, StepRecord, TraceEvent } from "../wire";
import { follow, NOTHING, type Trace } from "./story";

export const STEPS = ["perceive", "forecast", "cause", "plan", "recall", "respond", "deliver"];
const AUDITED = ["perceive", "forecast", "cause", "plan", "respond"];
export const SAID = "I failed my exam and my parents are furious.";
export const CALL: Call = { model: "double", template: "aa11", prompt: "bb22", sent: "What now?", raw: "{}", temperature: 0, seed: 7, prompt_tokens: 90, cached_tokens: 60, output_tokens: 0, ms: 1, attempts: 1, drafts: [], error: "" };

export const outputs = (text = "That is hard.", goal = "comfort"): Readonly<Record<string, Output>> => ({
  perceive: { kind: "evidence", cues: [{ source: "words", quote: "my parents are furious", meaning: "dread", start: null, end: null }], summary: "Two blows at once." },
  forecast: { kind: "forecast", emotion: "ashamed", labels: "ed32", confidence: 0.6, distribution: { ashamed: 0.6, afraid: 0.4 }, conflict: "", why: "" },
  cause: { kind: "cause", spans: ["I failed my exam"], category: "Loss & Failure", summary: "The exam was failed." },
  plan: { kind: "plan", goal, stance: "friend", tactic: "naming what was hard", tone: "gentle", why: "It is a lot." },
  recall: { kind: "exemplars", found: [] },
  respond: { kind: "reply", text },
  deliver: { kind: "delivery", emotion: "ashamed", bank: "sad", mapping: "e3rg", intensity: 0.4, identity: { name: "", age: "young", gender: "female", timbre: "mid" } },
});

export const record = (step: string, output: Output, made_in = 0, change: Partial<StepRecord> = {}): StepRecord => ({ step, made_in, output, calls: [CALL], findings: [], ms: 100, planted: false, edited: false, ...change });
export const FINDING: Finding = { step: "plan", problem: "It rushes.", instruction: "Slow down.", by: "model" };
export const audit = (blamed?: string): Audit => ({ verdicts: AUDITED.map((step) => ({ step, ok: step !== blamed, confidence: 0.75 })), findings: blamed ? [{ ...FINDING, step: blamed }] : [], calls: [CALL], ms: 50 });

export const traceOf = (...events: readonly TraceEvent[]): Trace => events.reduce(follow, NOTHING);

export const started: TraceEvent = {
  kind: "turn started",
  version: "0.0.0",
  setup: { recipe: "heartfelt" },
  dialogue: { turns: [{ speaker: "Ana", text: SAID, emotion: null, keyframes: [], readings: null }], listener: "Listener", id: "", split: "", lesson: null },
  dialogue_hash: "cc33",
  steps: STEPS,
  audited: AUDITED,
  model: "double",
};

/** One pass from `start` to `until`, with the steps before kept. */
export function walked(made: Readonly<Record<string, Output>>, number = 0, start = "perceive", until = "deliver"): readonly TraceEvent[] {
  const [first, last] = [STEPS.indexOf(start), STEPS.indexOf(until)];
  return [
    { kind: "pass started", number, started_from: start, kept: STEPS.slice(0, first), given: [], instruction: number ? "Slow down." : "" },
    ...STEPS.slice(first, last + 1).map((step): TraceEvent => ({ kind: "step finished", number, record: record(step, made[step]!, number) })),
  ];
}

export const finished = (chosen: number): TraceEvent => ({ kind: "turn finished", reply: "That is hard.", chosen, why_chosen: `Pass ${chosen} it is.`, stopped: "no audit", left_out: [], guarded: [], ms: 1234 });

/** The plan is blamed again and again; the last pass holds and is chosen. */
export function mended(passes = 2): Trace {
  const events = Array.from({ length: passes }, (_, number) => [
    ...walked(outputs(`Words of the attempt ${number}, and more.`, number ? "comfort" : "celebrate"), number, number ? "plan" : "perceive"),
    { kind: "audited", number, audit: audit(number < passes - 1 ? "plan" : undefined) } as TraceEvent,
  ]);
  return traceOf(started, ...events.flat(), finished(passes - 1));
}
