/** How an answer came about: one pure reducer that reads the events of a turn, whether they come live, from the store or from a replay. */
import type { Alert, Audit, Guarded, Happened, Output, PassStarted, Performance, StepRecord, TraceEvent, TurnFailed, TurnFinished, TurnStarted } from "../wire";

export type StepState = "ahead" | "under way" | "done" | "kept" | "left out";

export interface Step {
  readonly step: string;
  readonly state: StepState;
  readonly record?: StepRecord;
  /** The reply as far as it is written. */
  readonly written?: string;
  /** Why it was left out. */
  readonly why?: string;
}

export interface Pass {
  readonly number: number;
  readonly startedFrom: string;
  readonly instruction: string;
  readonly steps: readonly Step[];
  readonly audit?: Audit;
}

export interface Trace {
  readonly started?: TurnStarted;
  /** Whether what was said tells of danger: looked for before the first step. */
  readonly screened?: Alert;
  readonly passes: readonly Pass[];
  readonly notices: readonly string[];
  /** Replies that were changed before anybody heard them. */
  readonly guarded: readonly Guarded[];
  /** The answer that it has. */
  readonly finished?: TurnFinished;
  /** Each answer that it ever had, the first one first: a person may have set a step by hand, and kept what followed. */
  readonly answers: readonly TurnFinished[];
  readonly failed?: TurnFailed;
  /** The reply as it was spoken and shown, after the turn had ended. */
  readonly performance?: Performance;
}

/** The answer, and the look back at it that may follow. */
export interface Story {
  readonly answer: Trace;
  readonly back: Trace | null;
}

export const NOTHING: Trace = { passes: [], answers: [], notices: [], guarded: [] };
export const UNTOLD: Story = { answer: NOTHING, back: null };

/** An event, as the socket tells it and as the store keeps it. */
export type Told = Pick<Happened, "event" | "looking_back">;

/** A story with one more event. An answer that is begun again is told again; another one was not looked back on. */
export function tell(story: Story, { event, looking_back }: Told): Story {
  if (looking_back) return { ...story, back: follow(story.back ?? NOTHING, event) };
  return { answer: follow(story.answer, event), back: event.kind === "turn started" || event.kind === "turn finished" ? null : story.back };
}

export const storyOf = (told: readonly Told[]): Story => told.reduce(tell, UNTOLD);

/** A trace with one more event. */
export function follow(trace: Trace, event: TraceEvent): Trace {
  switch (event.kind) {
    case "turn started":
      return { ...NOTHING, started: event };
    case "screened":
      return { ...trace, screened: event.alert };
    case "pass started":
      return { ...trace, passes: [...trace.passes.filter(({ number }) => number !== event.number), begun(trace, event)] };
    case "step started":
      return changed(trace, event.number, event.step, (step) => ({ ...step, state: "under way" }));
    case "wrote":
      return changed(trace, event.number, writing(trace, event.number), (step) => ({ ...step, written: (step.written ?? "") + event.piece }));
    case "step finished":
      return changed(trace, event.number, event.record.step, ({ step, written }) => ({ step, state: "done", record: event.record, ...(written && { written }) }));
    case "step skipped":
      return changed(trace, event.number, event.step, ({ step }) => ({ step, state: "left out", why: event.why }));
    case "audited":
      return { ...trace, passes: trace.passes.map((pass) => (pass.number === event.number ? { ...pass, audit: event.audit } : pass)) };
    case "guarded":
      return { ...trace, passes: trace.passes.map((pass) => (pass.number === event.number ? saying(pass, event.reply) : pass)), guarded: [...trace.guarded, event] };
    case "notice":
      return { ...trace, notices: [...trace.notices, event.text] };
    case "turn finished":
      return { ...trace, finished: event, answers: [...trace.answers.filter(({ chosen }) => chosen !== event.chosen), event].sort((a, b) => a.chosen - b.chosen) };
    case "turn failed":
      return { ...trace, failed: event };
    case "performed":
      return { ...trace, performance: event.performance };
  }
}

/** The pass that the answer was taken from, or the one that is being made. */
export function chosen(trace: Trace): Pass | undefined {
  return trace.passes.find((pass) => pass.number === trace.finished?.chosen) ?? trace.passes.at(-1);
}

/** What a pass made of this kind, with how. */
export function made<Kind extends Output["kind"]>(pass: Pass | undefined, kind: Kind): Made<Kind> | undefined {
  return pass?.steps.map(({ record }) => record).find((record): record is Made<Kind> => record?.output.kind === kind);
}

export type Made<Kind extends Output["kind"]> = StepRecord & { readonly output: Extract<Output, { kind: Kind }> };

/** Whether a person has set one of its steps. */
export const isByHand = (pass: Pass): boolean => pass.steps.some(({ record }) => record?.edited);

/** The step that is under way. */
export function current(trace: Trace): Step | undefined {
  return trace.passes.at(-1)?.steps.find((step) => step.state === "under way");
}

/** The reply as far as it was told. What a step made of it is not yet looked over, and may be kept back. */
export function replyOf(trace: Trace): string {
  return trace.finished?.reply ?? trace.passes.at(-1)?.steps.find((step) => step.written)?.written ?? "";
}

/** The pass with these words as its reply. */
function saying(pass: Pass, text: string): Pass {
  const steps = pass.steps.map((step) => (step.record?.output.kind === "reply" ? { ...step, record: { ...step.record, output: { ...step.record.output, text } } } : step));
  return { ...pass, steps };
}

function begun(trace: Trace, event: PassStarted): Pass {
  const before = trace.passes.at(-1)?.steps ?? [];
  const given = new Map(event.given.map((record) => [record.step, record]));
  const names = trace.started?.steps ?? event.given.map((record) => record.step);
  const start = names.indexOf(event.started_from);
  const steps = names.map((step, place): Step => {
    const earlier = before.find((each) => each.step === step);
    const record = given.get(step) ?? (event.kept.includes(step) ? earlier?.record : undefined);
    if (record) return { step, state: "kept", record };
    return place < start ? { step, state: "left out", ...(earlier?.why && { why: earlier.why }) } : { step, state: "ahead" };
  });
  return { number: event.number, startedFrom: event.started_from, instruction: event.instruction, steps };
}

/** Where pieces of the reply belong: the step that is under way. */
function writing(trace: Trace, number: number): string {
  const pass = trace.passes.find((each) => each.number === number);
  return pass?.steps.find((step) => step.state === "under way")?.step ?? "respond";
}

function changed(trace: Trace, number: number, name: string, change: (step: Step) => Step): Trace {
  const passes = trace.passes.map((pass) => {
    if (pass.number !== number) return pass;
    const known = pass.steps.some((step) => step.step === name);
    const steps = known ? pass.steps : [...pass.steps, { step: name, state: "ahead" } as Step];
    return { ...pass, steps: steps.map((step) => (step.step === name ? change(step) : step)) };
  });
  return { ...trace, passes };
}
