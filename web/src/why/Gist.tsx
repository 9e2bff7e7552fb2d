import type { Pass } from "../trace/story";
import type { Output } from "../wire";

/** All of it in two sentences, as far as it is known by now. */
export function Gist({ pass }: { pass: Pass | undefined }) {
  const outputs = (pass?.steps ?? []).flatMap((step) => step.record?.output ?? []);
  const forecast = find(outputs, "forecast");
  const plan = find(outputs, "plan");
  if (!forecast) return null;
  return (
    <p className="gist">
      It heard somebody who is <b>{forecast.emotion}</b>
      {forecast.confidence !== null && forecast.confidence < 0.4 && ", without being sure"}.
      {plan && (
        <>
          {" "}
          It meant to <b>{plan.goal}</b>, as {article(plan.stance)} <b>{plan.stance}</b>, by <b>{plan.tactic}</b>, in {article(plan.tone)} <b>{plan.tone}</b> tone.
        </>
      )}
    </p>
  );
}

const article = (word: string): string => (/^[aeiou]/.test(word) ? "an" : "a");

function find<Kind extends Output["kind"]>(outputs: readonly Output[], kind: Kind): Extract<Output, { kind: Kind }> | undefined {
  return outputs.find((output): output is Extract<Output, { kind: Kind }> => output.kind === kind);
}
