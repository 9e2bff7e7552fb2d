import { duration } from "../parts/names";
import type { Trace } from "../trace/story";
import type { Call, Times } from "../wire";

const TIMES: readonly (readonly [keyof Times, string])[] = [
  ["waited_ms", "Waited in the queue"],
  ["understood_ms", "Words understood"],
  ["first_step_ms", "First step begun"],
  ["first_word_ms", "First word written"],
  ["first_sound_ms", "First sound sent"],
  ["heard_ms", "First sound heard"],
  ["last_sound_ms", "Last sound"],
];

/** How long it took, counted from the end of what the person said, and what it cost. */
export function Facts({ trace, back, times }: { trace: Trace; back: Trace | null; times: Times }) {
  const known = TIMES.flatMap(([key, label]) => (times[key] === null ? [] : [[label, duration(times[key])] as const]));
  const cost = costOf([...callsOf(trace), ...(back ? callsOf(back) : [])]);
  return (
    <section aria-labelledby="why-facts">
      <h3 id="why-facts" className="part">
        Time and cost
      </h3>
      <dl className="facts">
        {[...known, ...cost].map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        {trace.started && (
          <>
            <div>
              <dt>Recipe</dt>
              <dd>{String(trace.started.setup.recipe ?? "")}</dd>
            </div>
            <div>
              <dt>Model</dt>
              <dd>{trace.started.model}</dd>
            </div>
          </>
        )}
      </dl>
      {trace.finished && trace.finished.left_out.length > 0 && <p className="soft">Left out, for want of time: {trace.finished.left_out.join(", ")}.</p>}
    </section>
  );
}

/** A step that a later pass kept was paid for once. */
function callsOf(trace: Trace): readonly Call[] {
  return trace.passes.flatMap((pass) => [...pass.steps.flatMap((step) => (step.state === "kept" ? [] : (step.record?.calls ?? []))), ...(pass.audit?.calls ?? [])]);
}

function costOf(calls: readonly Call[]): readonly (readonly [string, string])[] {
  if (!calls.length) return [];
  const sum = (of: (call: Call) => number) => calls.reduce((all, call) => all + of(call), 0).toLocaleString("en");
  return [
    ["Questions to the model", String(calls.length)],
    ["Tokens", `${sum((call) => call.prompt_tokens)} read, ${sum((call) => call.cached_tokens)} of them known, ${sum((call) => call.output_tokens)} written`],
  ];
}
