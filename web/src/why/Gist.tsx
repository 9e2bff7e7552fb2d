import { Fragment, type ReactNode } from "react";
import { article } from "../parts/names";
import { titleOf } from "../trace/names";
import { chosen, isByHand, made, type Trace } from "../trace/story";
import type { Forecast, Plan } from "../wire";

/** What can be said otherwise in it. */
export type GistWord = "emotion" | "goal" | "stance" | "tactic" | "tone";

/** All of it in two sentences, as far as it is known by now. */
export function Gist({ trace }: { trace: Trace }) {
  const [forecast, plan] = [made(chosen(trace), "forecast")?.output, made(chosen(trace), "plan")?.output];
  const mended = [...new Set(trace.passes.filter((pass) => pass.number > 0 && !isByHand(pass)).map((pass) => pass.startedFrom))].filter(Boolean);
  if (!forecast && !plan && !mended.length) return null;
  return (
    <p className="gist" dir="auto">
      {forecast && <Heard forecast={forecast} />} {plan && <Meant plan={plan} />}{" "}
      {mended.length > 0 && (
        <>
          On second thought it mended{" "}
          {mended.map((step, index) => (
            <Fragment key={step}>
              {index > 0 && (index === mended.length - 1 ? " and " : ", ")}
              <b>{titleOf(step).toLowerCase()}</b>
            </Fragment>
          ))}
          .
        </>
      )}
    </p>
  );
}

type Word = (word: GistWord, value: string) => ReactNode;
const strong: Word = (_, value) => <b>{value}</b>;

export const Heard = ({ forecast: { emotion, confidence }, word = strong }: { forecast: Pick<Forecast, "emotion" | "confidence">; word?: Word }) => (
  <>
    It heard somebody who is {word("emotion", emotion)}
    {confidence !== null && confidence < 0.4 && ", without being sure"}.
  </>
);

export const Meant = ({ plan: { goal, stance, tactic, tone }, word = strong }: { plan: Omit<Plan, "kind" | "why">; word?: Word }) => (
  <>
    It meant to {word("goal", goal)}, as {article(stance)} {word("stance", stance)}, by {word("tactic", tactic)}, in {article(tone)} {word("tone", tone)} tone.
  </>
);
