import { expect, test } from "vitest";
import { chosen, type Pass } from "../../trace/story";
import { finished, outputs, record, started, traceOf, walked } from "../../trace/samples";
import type { Output } from "../../wire";
import { sameWords } from "./sameWords";

const FIRST = chosen(traceOf(started, ...walked(outputs()), finished(0)))!;

function withSet(change: Readonly<Record<string, Output>>): Pass {
  return { ...FIRST, steps: FIRST.steps.map((step) => (change[step.step] ? { ...step, record: record(step.step, change[step.step]!, 1, { edited: true }) } : step)) };
}

test("what was changed is named, and that the words stay is not hidden", () => {
  const now = withSet({ cause: outputs().cause! });
  expect(sameWords(FIRST, now)).toBe("You changed “what set it off”, and the words that fit best are the same.");
});

test("where the voice carries something else, that is said", () => {
  const [forecast, plan] = [outputs().forecast, outputs().plan];
  if (forecast?.kind !== "forecast" || plan?.kind !== "plan") throw new Error("other samples");
  const now = withSet({ forecast: { ...forecast, emotion: "sad" }, plan: { ...plan, tone: "calm" } });
  expect(sameWords(FIRST, now)).toBe("You changed “the feeling” and “how to answer”, and the words that fit best are the same. What changed is how they are said: a calm tone instead of a gentle one. Hear both.");
});
