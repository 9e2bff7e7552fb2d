import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { finished, FINDING, mended, outputs, record, SAID, started, STEPS, traceOf, walked } from "../trace/samples";
import type { Trace } from "../trace/story";
import type { Output, StepRecord, TraceEvent } from "../wire";
import { columnsOf, tableOf, type Cell } from "./columns";
import { Comparison } from "./Comparison";
import { gistOf, StepBody } from "./StepBody";

const rows = (trace: Trace) => {
  const { common, rows } = tableOf(columnsOf(trace));
  return [...common, ...rows];
};
const cell = (trace: Trace, step: string, pass: number): Cell => rows(trace).find((row) => row.step === step)!.cells[pass]!;
const shown = (trace: Trace) => renderToStaticMarkup(createElement(Comparison, { columns: columnsOf(trace), over: true, failedAt: trace.failed?.step, said: [SAID] }));
const begun = (given: readonly StepRecord[] = [], kept: readonly string[] = []) => ({ kind: "pass started", number: 0, started_from: "plan", kept, given, instruction: "" }) as const;

test("what stands before the blamed step is kept and said once, and the rest made anew", () => {
  const trace = mended();
  expect(rows(trace).map(({ step, cells }) => [step, cells[0]!.made, cells[1]!.made])).toEqual([
    ["perceive", "first", "kept"],
    ["forecast", "first", "kept"],
    ["cause", "first", "kept"],
    ["plan", "first", "changed"],
    ["recall", "first", "same"],
    ["respond", "first", "changed"],
    ["deliver", "first", "same"],
  ]);
  expect(tableOf(columnsOf(trace)).common.map(({ step }) => step)).toEqual(["perceive", "forecast", "cause"]);
  expect(cell(trace, "cause", 1).keptFrom).toBe("first try");
});

test("the blamed step and the chosen pass are told", () => {
  const trace = mended();
  expect(cell(trace, "plan", 0).blamed).toBe(true);
  expect(cell(trace, "plan", 0).findings.map(({ by }) => by)).toEqual(["model"]);
  expect(cell(trace, "plan", 1).blamed).toBe(false);
  expect(columnsOf(trace).map(({ crowned }) => crowned)).toEqual([false, true]);
});

test("a finding that step and audit both hold is shown once", () => {
  const trace = traceOf(started, begun(), { kind: "step finished", number: 0, record: record("plan", outputs().plan!, 0, { findings: [FINDING] }) }, { kind: "audited", number: 0, audit: { verdicts: [], findings: [FINDING], calls: [], ms: 1 } });
  expect(cell(trace, "plan", 0).findings).toEqual([FINDING]);
});

test("what a replay starts with comes from an earlier turn", () => {
  const kept = STEPS.slice(0, 3);
  expect(cell(traceOf(started, begun(kept.map((step) => record(step, outputs()[step]!, 1)), kept)), "cause", 0).keptFrom).toBe("an earlier turn");
});

test("steps that were not made say why", () => {
  const unfinished = shown(traceOf(started, ...walked(outputs(), 0, "perceive", "cause"), { kind: "step skipped", number: 0, step: "plan", why: "the budget is spent" }));
  expect(unfinished).toContain("Left out: the budget is spent.");
  expect(unfinished).toContain("Not reached.");
  const failed = shown(traceOf(started, ...walked(outputs(), 0, "perceive", "forecast"), { kind: "turn failed", error: "BadOutput", message: "No.", step: "cause", raw: "" }));
  expect(failed).toContain("It failed here.");
});

test("what is wrong, who found it and what was set by hand is told", () => {
  const invented: Output = { kind: "evidence", cues: [{ source: "words", quote: "my dog ran away", meaning: "x", start: null, end: null }], summary: "" };
  const made = (change: Partial<StepRecord>) => shown(traceOf(started, begun(), { kind: "step finished", number: 0, record: record("perceive", invented, 0, change) }));
  const page = made({ planted: true, findings: [{ ...FINDING, by: "code" }, FINDING] });
  for (const told of ["found by a rule", "found on looking it over", "planted fault", "never said"]) expect(page).toContain(told);
  expect(made({ edited: true })).toContain("set by hand");
});

test("the changes of a mended step are marked", () => {
  const page = shown(mended());
  expect(page).toContain("<del>celebrate</del> <ins>comfort</ins>");
  expect(page).toContain("Words of the attempt<del> 0</del><ins> 1</ins>, and more.");
  expect(page.match(/>chosen</g)).toHaveLength(1);
  expect(page).toContain("The fault lies in “how to answer”.");
  expect(page).toContain("To mend: Slow down.");
});

const OTHERS: readonly Output[] = [
  { kind: "scenario", event: "A failed exam." },
  { kind: "strategy", choice: "ER", why: "It hurts." },
  { kind: "strategy", choice: "constructor", why: "" },
  { kind: "goal", goal: "Be with them." },
  { kind: "situation", message: "loss", confidence: 0.5, distribution: { loss: 1 }, feelings: null, meaning: "m", by: "" },
  ...Object.values(outputs()),
];

test.each(OTHERS.map((output) => [output.kind, output] as const))("a record of the kind %s is shown, whoever made it", (_, output) => {
  expect(renderToStaticMarkup(createElement(StepBody, { output }))).not.toBe("");
  expect(gistOf(output)).not.toBe("");
  const trace = traceOf({ ...started, steps: ["mine"] } as typeof started, begun(), { kind: "step finished", number: 0, record: record("mine", output) }, finished(0));
  expect(rows(trace)[0]!.title).not.toBe("mine");
});

test("the request behind a step is there, and among drafts the taken one is marked", () => {
  const drafts = [
    { text: "plain", likely: -1, unheard: -2, mark: 3, source: "bank" as const },
    { text: "taken", likely: -1, unheard: -2, mark: 4, source: "written" as const },
  ];
  const call = { ...record("x", outputs().plan!).calls[0]!, raw: "taken", drafts, error: "not JSON" };
  const page = shown(traceOf(started, begun(), { kind: "step finished", number: 0, record: record("plan", outputs().plan!, 0, { calls: [call] }) }));
  expect(page).toContain("What now?");
  expect(page).toContain("not JSON");
  expect(page).toMatch(/<tr class="taken"><td dir="auto">taken<\/td><td>4.00<\/td><td>written/);
  expect(page.indexOf(">taken<")).toBeLessThan(page.indexOf(">plain<"));
});

test("a pass that somebody set by hand is called so, and counts as no try", () => {
  const given = STEPS.slice(0, 2).map((step) => record(step, outputs()[step]!, 0, { edited: step === "forecast" }));
  const kept: TraceEvent = { kind: "pass started", number: 1, started_from: "cause", kept: STEPS.slice(0, 2), given, instruction: "" };
  const trace = traceOf(started, ...walked(outputs()), finished(0), kept, ...walked(outputs("Other words."), 1, "cause").slice(1), finished(1));
  expect(columnsOf(trace).map(({ title, crowned }) => [title, crowned])).toEqual([["First try", false], ["Set by hand", true]]);
});

test("what was left out before the place where a pass goes on is not told as still to come", () => {
  const left: TraceEvent = { kind: "step skipped", number: 0, step: "perceive", why: "nothing stands on it" };
  const again: TraceEvent = { kind: "pass started", number: 1, started_from: "cause", kept: ["forecast"], given: [], instruction: "" };
  const trace = traceOf(started, walked(outputs())[0]!, left, again);
  expect(trace.passes[1]?.steps[0]).toEqual({ step: "perceive", state: "left out", why: "nothing stands on it" });
});
