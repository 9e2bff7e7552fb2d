import { useContext } from "react";
import { count, duration, modelName, named } from "../parts/names";
import { callsOf, spent, sum } from "../trace/cost";
import { titleOf } from "../trace/names";
import type { Trace } from "../trace/story";
import type { Call, Times } from "../wire";
import { FactList, type Fact } from "./FactList";
import { Technical } from "./Technical";

const TIMES: readonly (readonly [keyof Times, string])[] = [
  ["waited_ms", "Waited in the queue"],
  ["understood_ms", "Words understood"],
  ["first_step_ms", "First step begun"],
  ["first_word_ms", "First word written"],
  ["first_sound_ms", "First sound sent"],
  ["heard_ms", "First sound heard"],
  ["last_sound_ms", "Last sound"],
];

/** What it was made with, how long it took and what it cost. Times are counted from the end of what the person said. */
export function Facts({ trace, back = null, times }: { trace: Trace; back?: Trace | null; times?: Times | undefined }) {
  const technical = useContext(Technical);
  const known = times ? TIMES.flatMap(([key, label]): Fact[] => (times[key] === null ? [] : [[label, duration(times[key])]])) : [];
  const facts = [...madeWith(trace, technical), ...known, ...costOf([...callsOf(trace), ...(back ? callsOf(back) : [])])];
  return (
    <>
      <FactList className="facts" facts={facts} />
      {trace.finished && trace.finished.left_out.length > 0 && <p className="soft">Left out: {trace.finished.left_out.map((step) => titleOf(step).toLowerCase()).join(", ")}.</p>}
    </>
  );
}

function madeWith({ started, finished, passes, performance }: Trace, technical: boolean): readonly Fact[] {
  const after = sum(Object.values(performance?.ms ?? {}));
  const took = duration(finished?.ms ?? sum(passes.map(spent)));
  const model: Fact[] = started
    ? [
        ["Way of thinking", named(String(started.setup.recipe ?? ""))],
        ["Language model", technical ? started.model : modelName(String(started.setup.model ?? ""))],
      ]
    : [];
  return [...model, ["Time", after ? `${took}, and ${duration(after)} to speak and show it` : took]];
}

function costOf(calls: readonly Call[]): readonly Fact[] {
  if (!calls.length) return [];
  const all = (of: (call: Call) => number) => count(sum(calls.map(of)));
  return [
    ["Questions to the model", count(calls.length)],
    ["Pieces of words", `${all((call) => call.prompt_tokens)} read, ${all((call) => call.cached_tokens)} of them known, ${all((call) => call.output_tokens)} written`],
  ];
}
