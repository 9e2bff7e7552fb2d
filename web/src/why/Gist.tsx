import { article } from "../parts/names";
import { outputsOf } from "../trace/marks";
import { titleOf } from "../trace/names";
import { chosen, type Trace } from "../trace/story";
import type { Output } from "../wire";

/** All of it in two sentences, as far as it is known by now. */
export function Gist({ trace }: { trace: Trace }) {
  const outputs = outputsOf(chosen(trace));
  const forecast = find(outputs, "forecast");
  const plan = find(outputs, "plan");
  const mended = [...new Set(trace.passes.filter((pass) => pass.number > 0).map((pass) => pass.startedFrom))].filter(Boolean);
  if (!forecast && !plan && !mended.length) return null;
  return (
    <p className="gist" dir="auto">
      {forecast && (
        <>
          It heard somebody who is <b>{forecast.emotion}</b>
          {forecast.confidence !== null && forecast.confidence < 0.4 && ", without being sure"}.{" "}
        </>
      )}
      {plan && (
        <>
          It meant to <b>{plan.goal}</b>, as {article(plan.stance)} <b>{plan.stance}</b>, by <b>{plan.tactic}</b>, in {article(plan.tone)} <b>{plan.tone}</b> tone.{" "}
        </>
      )}
      {mended.length > 0 && (
        <>
          On second thought it mended{" "}
          {mended.map((step, index) => (
            <span key={step}>
              {index > 0 && (index === mended.length - 1 ? " and " : ", ")}
              <b>{titleOf(step).toLowerCase()}</b>
            </span>
          ))}
          .
        </>
      )}
    </p>
  );
}

function find<Kind extends Output["kind"]>(outputs: readonly Output[], kind: Kind): Extract<Output, { kind: Kind }> | undefined {
  return outputs.find((output): output is Extract<Output, { kind: Kind }> => output.kind === kind);
}
