import { expect, test } from "vitest";
import { callsOf, timelineOf, toldOf } from "./cost";
import { mended, outputs, record, started, traceOf } from "./samples";

test("a kept step is counted once", () => {
  expect(callsOf(mended()).length).toBe(7 + 1 + 4 + 1);
});

test("what a replay starts with was paid for in another turn", () => {
  const given = ["perceive", "forecast", "cause"].map((step) => record(step, outputs()[step]!, 1));
  expect(callsOf(traceOf(started, { kind: "pass started", number: 0, started_from: "plan", kept: ["perceive", "forecast", "cause"], given, instruction: "" }))).toEqual([]);
});

test("the passes share the time and follow each other", () => {
  const rows = timelineOf(mended(3));
  expect(rows.map((row) => row.ms)).toEqual([750, 450, 450]);
  expect(rows.flatMap((row) => row.segments).reduce((all, each) => all + each.percent, 0)).toBeCloseTo(100);
  expect(rows.map((row) => Math.round(row.offset * 10) / 10)).toEqual([0, 45.5, 72.7]);
  expect(rows[1]!.segments.map((each) => each.step)).toEqual(["plan", "recall", "respond", "deliver", "audit"]);
  expect(toldOf(rows)).toMatch(/^Most time went into how to answer \(18 %\)/);
});
