import { count, duration } from "../parts/names";
import { callsOf, spent, sum } from "../trace/cost";
import type { Trace } from "../trace/story";
import type { Call, Times } from "../wire";
import { FactList, type Fact } from "./FactList";

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
  const known = times ? TIMES.flatMap(([key, label]): Fact[] => (times[key] === null ? [] : [[label, duration(times[key])]])) : [];
  const facts = [...madeWith(trace), ...known, ...costOf([...callsOf(trace), ...(back ? callsOf(back) : [])])];
  return (
    <>
      <FactList className="facts" facts={facts} />
      {trace.finished && trace.finished.left_out.length > 0 && <p className="soft">Left out: {trace.finished.left_out.join(", ")}.</p>}
    </>
  );
}

function madeWith({ started, finished, passes, performance }: Trace): readonly Fact[] {
  const after = sum(Object.values(performance?.ms ?? {}));
  const took = duration(finished?.ms ?? sum(passes.map(spent)));
  const model: Fact[] = started
    ? [
        ["Recipe", String(started.setup.recipe ?? "")],
        ["Model", started.model],
      ]
    : [];
  return [...model, ["Time", after ? `${took}, and ${duration(after)} to speak and show it` : took]];
}

function costOf(calls: readonly Call[]): readonly Fact[] {
  if (!calls.length) return [];
  const all = (of: (call: Call) => number) => count(sum(calls.map(of)));
  return [
    ["Questions to the model", count(calls.length)],
    ["Tokens", `${all((call) => call.prompt_tokens)} read, ${all((call) => call.cached_tokens)} of them known, ${all((call) => call.output_tokens)} written`],
  ];
}
